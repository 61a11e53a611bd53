/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel_axes.c - what the axes of a panel show: ranges, tics, labels. */
#include "panel_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "letters.h"

enum { DECADES_MAX = 12, LABEL_MAX = 160 };

static const double largest = 1e300,
                    least_power = 1e-300; /* beyond, the ends of an axis would not be finite */

/* A digit: gnuplot takes all letters for that wide, most are narrower. */
double ms_panel_letter(const ms_drawing *drawing)
{
    return 0.509 * ms_drawing_line(drawing);
}

/* What can be shown -------------------------------------------------------------------------------------- */

/* NaN: it cannot be shown. */
double ms_panel_on_axis(bool logarithmic, double value)
{
    if (!(fabs(value) <= largest) || (logarithmic && !(value >= least_power)))
        return NAN;
    return logarithmic ? log10(value) : value;
}

bool ms_panel_shows(const ms_panel *panel, const ms_curve *curve, size_t i)
{
    return isfinite(ms_panel_on_axis(panel->log_x, curve->point[i][0])) &&
           isfinite(ms_panel_on_axis(panel->log_y, curve->point[i][1]));
}

bool ms_panel_has_points(const ms_panel *panel, const ms_curve *curve)
{
    for (size_t i = 0; i < curve->n; i++)
        if (ms_panel_shows(panel, curve, i))
            return true;
    return false;
}

static bool is_empty(const ms_panel *panel)
{
    bool empty = panel->below == NULL;
    for (int k = 0; k < panel->n && empty; k++)
        empty = !ms_panel_has_points(panel, &panel->curve[k]);
    return empty;
}

/* Why nothing is shown, where the picture does not say so itself. */
static const char *why_empty(const ms_panel *panel)
{
    for (int k = 0; k < panel->n; k++)
        for (size_t i = 0; i < panel->curve[k].n; i++)
            if (panel->log_y && panel->curve[k].point[i][1] == 0.0)
                return "all values are zero";
    return "no value is known";
}

void ms_panel_find_range(const ms_panel *panel, int of, bool logarithmic, double range[2])
{
    double least = -INFINITY;
    range[1] = -INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        range[0] = INFINITY;
        for (int k = 0; k < panel->n; k++)
            for (size_t i = 0; i < panel->curve[k].n; i++) {
                const double at = ms_panel_on_axis(logarithmic, panel->curve[k].point[i][of]);
                if (!isfinite(at) || at < least || (of == 1 && !ms_panel_shows(panel, &panel->curve[k], i)))
                    continue;
                range[0] = fmin(range[0], at);
                range[1] = fmax(range[1], at);
            }
        least = of == 1 && logarithmic ? range[1] - DECADES_MAX : least;
    }
}

/* Tics ---------------------------------------------------------------------------------------------------- */

/* The next of 1, 2 and 5 times a power of ten from the step on. */
static double nice_step(double step)
{
    const double power = pow(10.0, floor(log10(step))), ratio = step / power;
    return power * (ratio <= 1.0 ? 1.0 : ratio <= 2.0 ? 2.0 : ratio <= 5.0 ? 5.0 : 10.0);
}

static int count_multiples(double step, double low, double high)
{
    return (int)(floor(high / step) - ceil(low / step)) + 1;
}

/* How many numbers of that many letters have room along an axis. */
static double most_tics(const ms_drawing *drawing, const ms_panel *panel, int of, int letters)
{
    const double line = ms_drawing_line(drawing), left = fmax(panel->left, 5.6 * line);
    return of == 1 ? panel->axes / (1.3 * line)
                   : (ms_drawing_width(drawing) - left - line) / ((letters + 2.0) * ms_panel_letter(drawing));
}

static int longest_number(double step, double low, double high)
{
    char text[32];
    int longest = 0;
    const double first = ceil(low / step);
    for (int k = 0; k < count_multiples(step, low, high); k++)
        longest = (int)fmax(longest, snprintf(text, sizeof text, "%.6g", (first + k) * step));
    return longest;
}

/* Apart so that as many as have room are shown, two at least. */
static double distance_of_tics(const ms_drawing *drawing, const ms_panel *panel, int of, double low,
                               double high)
{
    double step = 0.0;
    for (int letters = 3; letters < 10; letters++) {
        double least = (high - low) / fmax(2.0, floor(most_tics(drawing, panel, of, letters)));
        while (count_multiples(nice_step(least), low, high) < 2)
            least *= 0.5;
        step = nice_step(least);
        if (of == 1 || longest_number(step, low, high) <= letters)
            break;
    }
    return step;
}

enum { TICS_MAX = 24 };

/* Of less than two decades: 1, 2, 5 times powers of 10, or where these are not two, steps of one length. */
static int find_close_tics(const ms_drawing *drawing, const ms_panel *panel, int of, double low, double high,
                           double value[TICS_MAX])
{
    static const double times[] = {1.0, 2.0, 5.0};
    int n = 0;
    for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++)
        for (int k = 0; k < 3 && n < TICS_MAX; k++) {
            value[n] = times[k] * pow(10.0, power);
            n += value[n] >= low && value[n] <= high;
        }
    if (n > 1)
        return n;
    const double step = distance_of_tics(drawing, panel, of, low, high), first = ceil(low / step);
    for (n = 0; n < TICS_MAX && (first + n) * step <= high; n++)
        value[n] = (first + n) * step;
    return n;
}

static void write_close_tics(ms_drawing *drawing, const ms_panel *panel, int of, double low, double high)
{
    double value[TICS_MAX];
    const char *comma = "";
    const int n = find_close_tics(drawing, panel, of, low, high, value);
    ms_drawing_script(drawing, "set format %c plain\nset %ctics (", 'x' + of, 'x' + of);
    for (int k = 0; k < n; k++, comma = ", ")
        ms_drawing_script(drawing, "%s%.6g", comma, value[k]);
    ms_drawing_script(drawing, ")\n");
}

/* Values that are equal up to round-off have no range: true if it is widened. */
static bool widen(double range[2])
{
    const double size = fmax(fabs(range[0]), fabs(range[1]));
    if (!(range[1] >= range[0]) || range[1] - range[0] > 1e-6 * size)
        return false;
    const double half = size > 0.0 ? 0.1 * size : 1.0;
    range[0] -= half;
    range[1] += half;
    return true;
}

/* An axis without numbers, which gnuplot has to have a range for. */
static void write_no_range(ms_drawing *drawing, int of, bool logarithmic)
{
    ms_drawing_script(drawing, "set %crange [%s:1]\nunset %ctics\n", 'x' + of, logarithmic ? "0.1" : "0",
                      'x' + of);
}

/* The range of an axis as displayed: the given one, or that of the curves. True if it must not be extended. */
static bool choose_range(const ms_panel *panel, int of, bool logarithmic, double range[2])
{
    for (int end = 0; end < 2; end++)
        range[end] = ms_panel_on_axis(logarithmic, panel->range[of][end]);
    if (panel->range[of][0] != panel->range[of][1])
        return true;
    ms_panel_find_range(panel, of, logarithmic, range);
    return widen(range);
}

bool ms_panel_range(const ms_panel *panel, int of, double range[2])
{
    const bool logarithmic = of == 0 ? panel->log_x : panel->log_y;
    const bool fixed = choose_range(panel, of, logarithmic, range);
    const bool points = panel->n > 0 && panel->curve[0].style == MS_CURVE_POINTS;
    const double length = range[1] - range[0],
                 pad = fixed || (of == 0 && !logarithmic && !points) ? 0.0 : 0.04 * length;
    range[0] -= pad;
    range[1] += pad;
    return length >= 0.0;
}

/* Where the curves fill it: within a few decades an axis of gnuplot's would leave much of it empty. */
static void write_range(ms_drawing *drawing, const ms_panel *panel, int of, bool logarithmic)
{
    double range[2];
    if (!ms_panel_range(panel, of, range)) {
        write_no_range(drawing, of, logarithmic);
        return;
    }
    const double length = range[1] - range[0];
    ms_drawing_script(drawing, "set autoscale %c\nset %ctics autofreq\n", 'x' + of, 'x' + of);
    if (!(length > 0.0))
        return;
    const bool decades = floor(range[1]) - ceil(range[0]) >= 1.0;
    const double most = most_tics(drawing, panel, of, 3);
    if (!logarithmic && (of == 0 || panel->left == 0.0))
        ms_drawing_script(drawing, "set %ctics %.6g\n", 'x' + of,
                          distance_of_tics(drawing, panel, of, range[0], range[1]));
    else if (logarithmic && of == 1 && length > most)
        ms_drawing_script(drawing, "set ytics 1e%.0f\n", ceil(length / most));
    if (logarithmic && length >= 0.1 && (length < 1.7 || !decades))
        write_close_tics(drawing, panel, of, pow(10.0, range[0]), pow(10.0, range[1]));
    if (logarithmic && length >= 0.1)
        ms_drawing_script(drawing, "set %crange [%.10g:%.10g]\n", 'x' + of, pow(10.0, range[0]),
                          pow(10.0, range[1]));
    else if (!logarithmic)
        ms_drawing_script(drawing, "set %crange [%.10g:%.10g]\n", 'x' + of, range[0], range[1]);
}

/* Labels --------------------------------------------------------------------------------------------------- */

/* Does a label fit into that many centimetres? Most letters are narrower than a digit. */
static bool has_room(const ms_drawing *drawing, const char *label, double length)
{
    return 0.9 * (double)ms_letters(label) * ms_panel_letter(drawing) <= length;
}

/* Room that a label of the vertical axis has [cm]. */
static double y_room(const ms_drawing *drawing, const ms_panel *panel)
{
    const double height = panel->height > 0.0 ? panel->height : fmin(0.5 * ms_drawing_width(drawing), 9.0);
    return height + 1.2 * ms_drawing_line(drawing);
}

/* The quantity of a label of two parts, "" of another one, and what follows it. */
static const char *split_label(const char *label, char quantity[LABEL_MAX])
{
    const char *tab = label != NULL ? strchr(label, '\t') : NULL;
    snprintf(quantity, LABEL_MAX, "%.*s", tab != NULL ? (int)(tab - label) : 0, label != NULL ? label : "");
    return tab != NULL ? tab + 1 : label != NULL ? label : "";
}

bool ms_panel_y_is_split(const ms_drawing *drawing, const ms_panel *panel)
{
    char quantity[LABEL_MAX];
    (void)split_label(panel->y, quantity);
    return quantity[0] != '\0' && !has_room(drawing, panel->y, y_room(drawing, panel)) &&
           has_room(drawing, quantity, y_room(drawing, panel));
}

static void write_label(ms_drawing *drawing, const ms_panel *panel, int of)
{
    char quantity[LABEL_MAX];
    const char *label = of == 0 ? panel->x : panel->y, *symbol = split_label(label, quantity);
    const ms_argument by = of == 0 ? MS_ARGUMENT_XLABEL : MS_ARGUMENT_YLABEL;
    const bool typed = label != NULL && label == ms_drawing_canvas(drawing)->arguments->text[by];
    const bool fits =
        quantity[0] != '\0' && !typed &&
        has_room(drawing, label, of == 0 ? 0.75 * ms_drawing_width(drawing) : y_room(drawing, panel));
    const bool split = of == 1 && !typed && ms_panel_y_is_split(drawing, panel);
    /* gnuplot puts the second line on the numbers */
    ms_drawing_script(drawing, "set %clabel offset %s,0 ", 'x' + of, split ? "-0.8" : "0");
    if (fits || split)
        ms_drawing_script(drawing, "%s.%s.", ms_drawing_quoted(drawing, quantity), split ? "\"\\n\"" : "' '");
    if (typed)
        ms_drawing_script(drawing, "%s\n", ms_drawing_typed(drawing, label));
    else
        ms_drawing_script(drawing, "%s noenhanced\n", ms_drawing_quoted(drawing, symbol));
}

void ms_panel_write_axes(ms_drawing *drawing, const ms_panel *panel)
{
    ms_drawing_script(drawing,
                      "set autoscale xy\n"); /* else a range of the panel before is taken to logarithms */
    ms_drawing_script(drawing, "%s%s\n%s%s\n", panel->log_x ? "set logscale x" : "unset logscale x",
                      panel->log_x ? "\nset format x powers" : "\nset format x plain",
                      panel->log_y ? "set logscale y" : "unset logscale y",
                      panel->log_y ? "\nset format y powers" : "\nset format y plain");
    write_range(drawing, panel, 0, panel->log_x);
    write_range(drawing, panel, 1, panel->log_y);
    write_label(drawing, panel, 0);
    write_label(drawing, panel, 1);
    if (panel->left_out > 0)
        ms_drawing_script(drawing,
                          "set label 99 '%d more curves are left out' at graph 0.02,0.04 noenhanced\n",
                          panel->left_out);
    if (is_empty(panel))
        ms_drawing_script(drawing, "set label 98 %s at graph 0.5,0.5 center noenhanced\n",
                          ms_drawing_quoted(drawing, panel->empty != NULL ? panel->empty : why_empty(panel)));
    if (panel->before != NULL)
        ms_drawing_script(drawing, "%s", panel->before);
}
