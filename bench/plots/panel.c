/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "label.h"
#include "letters.h"

enum { DECADES_MAX = 12, LOOKS = 400, COLOURS = 7 };

/* Points of the second round of colours, and the dashes of all further ones. */
static const int more_marks[COLOURS] = {1, 2, 3, 7, 10, 12, 14};
static const char *const more_dashes[] = {"", " dt (1,2)", " dt (16,2,1,2,1,2)", " dt (1,6)"};

static const double same = 0.006; /* of the axes: closer curves cannot be told apart */
static const double largest = 1e300,
                    least_power = 1e-300; /* beyond, the ends of an axis would not be finite */

/* Curves ------------------------------------------------------------------------------------------------- */

ms_curve *ms_panel_curve(ms_panel *panel, ms_curve_style style, const char *label)
{
    if (panel->n == MS_PANEL_CURVES_MAX) {
        panel->left_out++;
        return NULL;
    }
    ms_curve *curve = &panel->curve[panel->n++];
    *curve = (ms_curve){.style = style};
    ms_label_fit(label != NULL ? label : "", MS_CURVE_NAME_MAX, curve->label, MS_CURVE_NAME_MAX);
    return curve;
}

void ms_curve_point(ms_drawing *drawing, ms_curve *curve, double x, double y)
{
    if (curve == NULL)
        return;
    if (curve->n == curve->capacity) {
        const size_t capacity = curve->capacity > 0 ? 2 * curve->capacity : 64;
        double(*grown)[2] = realloc(curve->point, capacity * sizeof *grown);
        if (grown == NULL) {
            ms_drawing_no_memory(drawing);
            return;
        }
        curve->point = grown;
        curve->capacity = capacity;
    }
    curve->point[curve->n][0] = x;
    curve->point[curve->n++][1] = y;
}

static void destroy(ms_panel *panel)
{
    for (int k = 0; k < panel->n; k++)
        free(panel->curve[k].point);
    panel->n = 0;
}

/* Curves that coincide ----------------------------------------------------------------------------------- */

/* NaN: it cannot be shown. */
static double on_axis(bool logarithmic, double value)
{
    if (!(fabs(value) <= largest) || (logarithmic && !(value >= least_power)))
        return NAN;
    return logarithmic ? log10(value) : value;
}

/* What the curves take of each axis; 1 where it is nothing. */
typedef struct ms_spans {
    double of[2];
} ms_spans;

static ms_spans spans_of(const ms_panel *panel)
{
    ms_spans spans;
    for (int of = 0; of < 2; of++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < panel->n; k++)
            for (size_t i = 0; i < panel->curve[k].n; i++) {
                const double at =
                    on_axis(of == 0 ? panel->log_x : panel->log_y, panel->curve[k].point[i][of]);
                low = isfinite(at) ? fmin(low, at) : low;
                high = isfinite(at) ? fmax(high, at) : high;
            }
        spans.of[of] = high > low ? high - low : 1.0;
    }
    return spans;
}

/* A point as parts of the axes. */
static void place(const ms_panel *panel, const ms_spans *spans, const double point[2], double at[2])
{
    at[0] = on_axis(panel->log_x, point[0]) / spans->of[0];
    at[1] = on_axis(panel->log_y, point[1]) / spans->of[1];
}

/* From p to the line between a and b. */
static double distance(const double p[2], const double a[2], const double b[2])
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = d[0] * d[0] + d[1] * d[1];
    double s = length > 0.0 ? ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / length : 0.0;
    s = fmax(0.0, fmin(1.0, s));
    return hypot(p[0] - a[0] - s * d[0], p[1] - a[1] - s * d[1]);
}

/* Is the point closer to the curve than can be told apart? Lines count where it is drawn as lines. */
static bool is_near(const ms_panel *panel, const ms_spans *spans, const double p[2], const ms_curve *curve)
{
    double last[2] = {NAN, NAN}, at[2];
    for (size_t i = 0; i < curve->n; i++) {
        place(panel, spans, curve->point[i], at);
        const bool lined = curve->style != MS_CURVE_POINTS && isfinite(last[0] + last[1]);
        if (isfinite(at[0] + at[1]) && distance(p, lined ? last : at, at) <= same)
            return true;
        last[0] = at[0];
        last[1] = at[1];
    }
    return false;
}

/* Does every point of a lie on b? Of long curves some of the points are looked at. */
static bool is_on(const ms_panel *panel, const ms_spans *spans, const ms_curve *a, const ms_curve *b)
{
    const size_t stride = 1 + a->n / LOOKS;
    size_t shown = 0;
    for (size_t i = 0; i < a->n; i += stride) {
        double at[2];
        place(panel, spans, a->point[i], at);
        if (!isfinite(at[0] + at[1]))
            continue;
        shown++;
        if (!is_near(panel, spans, at, b))
            return false;
    }
    return shown > 0;
}

/* The first curve below this one where each lies on the other, or -1. */
static int hidden_below(const ms_panel *panel, const ms_spans *spans, int k)
{
    const ms_curve *curve = &panel->curve[k];
    for (int i = 0; i < k; i++)
        if (curve->style <= MS_CURVE_POINTS && panel->curve[i].style <= MS_CURVE_POINTS &&
            is_on(panel, spans, curve, &panel->curve[i]) && is_on(panel, spans, &panel->curve[i], curve))
            return i;
    return -1;
}

static bool is_shown(const ms_panel *panel, const ms_curve *curve, size_t i)
{
    return isfinite(on_axis(panel->log_x, curve->point[i][0])) &&
           isfinite(on_axis(panel->log_y, curve->point[i][1]));
}

static bool has_points(const ms_panel *panel, const ms_curve *curve)
{
    for (size_t i = 0; i < curve->n; i++)
        if (is_shown(panel, curve, i))
            return true;
    return false;
}

static bool is_empty(const ms_panel *panel)
{
    bool empty = panel->below == NULL;
    for (int k = 0; k < panel->n && empty; k++)
        empty = !has_points(panel, &panel->curve[k]);
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

/* Where the curves are along an axis, in what it shows; from infinity to -infinity where there is no point. On a logarithmic one what is far below the largest is round-off. */
static void find_range(const ms_panel *panel, int of, bool logarithmic, double range[2])
{
    double least = -INFINITY;
    range[1] = -INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        range[0] = INFINITY;
        for (int k = 0; k < panel->n; k++)
            for (size_t i = 0; i < panel->curve[k].n; i++) {
                const double at = on_axis(logarithmic, panel->curve[k].point[i][of]);
                if (!isfinite(at) || at < least || (of == 1 && !is_shown(panel, &panel->curve[k], i)))
                    continue;
                range[0] = fmin(range[0], at);
                range[1] = fmax(range[1], at);
            }
        least = of == 1 && logarithmic ? range[1] - DECADES_MAX : least;
    }
}

/* Does the curve lie below what is shown of a logarithmic axis? */
static bool is_below(const ms_panel *panel, const ms_curve *curve)
{
    double range[2];
    bool below = panel->log_y && panel->range[1][0] == panel->range[1][1];
    if (below)
        find_range(panel, 1, true, range);
    for (size_t i = 0; i < curve->n && below; i++)
        below = !is_shown(panel, curve, i) || on_axis(true, curve->point[i][1]) < range[0];
    return below;
}

/* The name of a curve where another one is told to lie on it: its first word, or what follows it where that is the same. */
static void short_name(const char *label, const char *beside, char *name, size_t size)
{
    const size_t first = strcspn(label, ",");
    const bool same_family = strncmp(label, beside, first) == 0 && strchr(", ", beside[first]) != NULL;
    const char *from = same_family && label[first] == ',' ? label + first + 2 : label;
    char whole[MS_CURVE_LABEL_MAX];
    snprintf(whole, sizeof whole, "%.*s", (int)strcspn(from, ","), from);
    ms_label_fit(whole, (int)size, name, size);
}

static void say_hidden(ms_panel *panel)
{
    const ms_spans spans = spans_of(panel);
    for (int k = panel->n - 1; k >= 0; k--) {
        const int below = hidden_below(panel, &spans, k);
        ms_curve *curve = &panel->curve[k];
        const size_t used = strlen(curve->label);
        const char *where = !has_points(panel, curve) ? " (none here)"
                            : is_below(panel, curve)  ? " (far below)"
                                                      : NULL;
        if (used > 0 && where != NULL)
            snprintf(curve->label + used, sizeof curve->label - used, "%s", where);
        if (below < 0 || used == 0 || where != NULL || panel->curve[below].label[0] == '\0')
            continue;
        char name[60];
        short_name(panel->curve[below].label, curve->label, name, sizeof name);
        snprintf(curve->label + used, sizeof curve->label - used, " (on %s)", name);
    }
}

/* Colours: guides are grey, references black, the others one after the other. */
static void choose_colours(ms_panel *panel)
{
    int next = 0;
    for (int k = 0; k < panel->n; k++) {
        ms_curve *curve = &panel->curve[k];
        if (curve->colour == 0)
            curve->colour = curve->style == MS_CURVE_REFERENCE ? 1
                            : curve->style == MS_CURVE_GUIDE   ? 9
                                                               : 2 + next % COLOURS;
        if (curve->style >= MS_CURVE_REFERENCE)
            continue;
        curve->round = next / COLOURS;
        if (curve->round > 0)
            curve->mark = more_marks[next % COLOURS];
        next++;
    }
}

/* Data --------------------------------------------------------------------------------------------------- */

static void write_curve(ms_data *data, const ms_panel *panel, int k)
{
    const ms_curve *curve = &panel->curve[k];
    bool begun = false, interrupted = false;
    for (size_t i = 0; i < curve->n; i++) {
        const double x = curve->point[i][0], y = curve->point[i][1];
        if (!is_shown(panel, curve, i)) {
            interrupted = begun;
            continue;
        }
        if (interrupted)
            ms_data_break(data);
        MS_ROW(data, k, x, y);
        begun = true;
        interrupted = false;
    }
    ms_data_break(data);
    ms_data_break(data);
}

/* A block of the file for each curve that has a point; blocks[k] is its place, or -1. */
static void write_data(ms_drawing *drawing, const ms_panel *panel, int *blocks)
{
    ms_data *data = panel->n > 0 ? ms_drawing_data(drawing, panel->part, "curve,x,y") : NULL;
    int n = 0;
    for (int k = 0; k < panel->n; k++) {
        const bool shown = has_points(panel, &panel->curve[k]);
        blocks[k] = shown ? n++ : -1;
        if (shown)
            write_curve(data, panel, k);
    }
}

/* Script ------------------------------------------------------------------------------------------------- */

/* Of panels that stand below each other the axes begin at one place [cm]. */
static double left_of(const ms_drawing *drawing, int n, const ms_panel *panels)
{
    const double line = ms_drawing_line(drawing);
    double left = 5.6 * line;
    for (int k = 0; k < n; k++)
        left = fmax(left,
                    panels[k].left > 0.0 ? panels[k].left + (panels[k].y != NULL ? 2.5 : 1.0) * line : 0.0);
    return fmin(left, 0.6 * ms_drawing_width(drawing));
}

static double letter_of(const ms_drawing *drawing)
{
    return 0.47 * ms_drawing_line(drawing);
}

/* Of the key: entries side by side, lines, and by how much its letters are smaller where a name is as wide as the picture. */
typedef struct ms_key {
    int columns, lines;
    double scale;
    int letters; /* that a name may have */
} ms_key;

static ms_key key_of(const ms_drawing *drawing, const ms_panel *panel)
{
    const double room = (ms_drawing_width(drawing) - ms_drawing_line(drawing)) / letter_of(drawing);
    double widest = panel->entries > 0 ? 24.0 : 1.0;
    int n = panel->below == NULL ? 0 : panel->entries > 0 ? panel->entries : 1;
    for (int k = 0; k < panel->n; k++)
        if (panel->curve[k].label[0] != '\0') {
            widest = fmax(widest, (double)ms_letters(panel->curve[k].label) + 5.0);
            n++;
        }
    const double scale = fmax(0.7, fmin(1.0, room / widest));
    const double axes = ms_drawing_width(drawing) - left_of(drawing, 1, panel) - ms_drawing_line(drawing);
    const int columns =
        (int)fmax(1.0, fmin(n, floor(axes / letter_of(drawing) / widest))); /* gnuplot's own limit */
    return (ms_key){columns, (n + columns - 1) / columns, scale, (int)(room / scale) - 5};
}

static void write_key(ms_drawing *drawing, const ms_panel *panel, double from_above, double height)
{
    const ms_key key = key_of(drawing, panel);
    ms_drawing_script(drawing, "set key at screen 0.5,%.6f center top maxcols %d width -1 samplen 2.2",
                      1.0 - (from_above + 0.2 * ms_drawing_line(drawing)) / height, key.columns);
    ms_drawing_script(drawing, " font ',%.3g'\n", key.scale * ms_drawing_points(drawing));
}

static const char *const with[] = {[MS_CURVE_LINES] = "lines",
                                   [MS_CURVE_MARKED] = "linespoints",
                                   [MS_CURVE_POINTS] = "points",
                                   [MS_CURVE_REFERENCE] = "lines",
                                   [MS_CURVE_GUIDE] = "lines"};

/* A curve, or where it has no point in the picture its line in the key, which says so. */
static void write_plot(ms_drawing *drawing, const ms_panel *panel, const ms_curve *curve, int block)
{
    char label[MS_CURVE_LABEL_MAX];
    const bool thin = curve->style == MS_CURVE_REFERENCE || curve->style == MS_CURVE_GUIDE;
    ms_label_fit(curve->label, key_of(drawing, panel).letters, label, sizeof label);
    if (block >= 0)
        ms_drawing_script(drawing, "part('%s') index %d using 2:3", panel->part, block);
    else
        ms_drawing_script(drawing, "keyentry");
    ms_drawing_script(drawing, " with %s lt %d%s", with[curve->style], curve->colour, thin ? " lw 0.9" : "");
    if (curve->round > 0 && curve->style != MS_CURVE_POINTS)
        ms_drawing_script(drawing, "%s", more_dashes[1 + (curve->round - 1) % 3]);
    if (curve->mark > 0 && curve->style != MS_CURVE_LINES)
        ms_drawing_script(drawing, " pt %d", curve->mark);
    if (curve->label[0] != '\0')
        ms_drawing_script(drawing, " title %s noenhanced", ms_drawing_quoted(drawing, label));
    else
        ms_drawing_script(drawing, " notitle");
}

static void write_curves(ms_drawing *drawing, const ms_panel *panel, const int *blocks)
{
    ms_drawing_script(drawing, "plot %s", panel->below != NULL ? panel->below : "NaN notitle");
    for (int k = 0; k < panel->n; k++)
        if (blocks[k] >= 0 || panel->curve[k].label[0] != '\0') {
            ms_drawing_script(drawing, ", \\\n    ");
            write_plot(drawing, panel, &panel->curve[k], blocks[k]);
        }
    ms_drawing_script(drawing, "\n");
}

/* As many as have room: 1, 2 or 5 times a power of 10 apart. */
static void write_tics(ms_drawing *drawing, double length)
{
    const double most =
        (ms_drawing_width(drawing) - 6.6 * ms_drawing_line(drawing)) / (8.0 * letter_of(drawing));
    const double least = length / fmax(2.0, floor(most)), power = pow(10.0, floor(log10(least))),
                 ratio = least / power;
    ms_drawing_script(drawing, "set xtics %.6g\n",
                      power * (ratio <= 1.0   ? 1.0
                               : ratio <= 2.0 ? 2.0
                               : ratio <= 5.0 ? 5.0
                                              : 10.0));
}

/* Of less than two decades: 1, 2, 5 times powers of 10, as plain numbers. */
static void write_close_tics(ms_drawing *drawing, int of, double low, double high)
{
    static const double times[] = {1.0, 2.0, 5.0};
    const char *comma = "";
    if (high - low < 0.4)
        return;
    ms_drawing_script(drawing, "set format %c plain\nset %ctics (", 'x' + of, 'x' + of);
    for (int power = (int)floor(low); power <= (int)ceil(high); power++)
        for (int k = 0; k < 3; k++) {
            const double value = times[k] * pow(10.0, power);
            if (log10(value) < low || log10(value) > high)
                continue;
            ms_drawing_script(drawing, "%s%.3g", comma, value);
            comma = ", ";
        }
    ms_drawing_script(drawing, ")\n");
}

/* Values that are one but for round-off are no range: true where it is made wider. */
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

/* The range of an axis in what it shows: the one that is given, or where the curves are. True where it is to be taken as it is. */
static bool choose_range(const ms_panel *panel, int of, bool logarithmic, double range[2])
{
    for (int end = 0; end < 2; end++)
        range[end] = on_axis(logarithmic, panel->range[of][end]);
    if (panel->range[of][0] != panel->range[of][1])
        return true;
    find_range(panel, of, logarithmic, range);
    return widen(range);
}

/* Where the curves fill it: within a few decades an axis of gnuplot's would leave much of it empty. */
static void write_range(ms_drawing *drawing, const ms_panel *panel, int of, bool logarithmic)
{
    double range[2];
    const bool fixed = choose_range(panel, of, logarithmic, range);
    if (!(range[1] >= range[0])) {
        write_no_range(drawing, of, logarithmic);
        return;
    }
    const bool points = panel->n > 0 && panel->curve[0].style == MS_CURVE_POINTS;
    const double length = range[1] - range[0], pad = fixed ? 0.0 : 0.04 * length;
    ms_drawing_script(drawing, "set autoscale %c\nset %ctics autofreq\n", 'x' + of, 'x' + of);
    if (!(length > 0.0))
        return;
    if (!logarithmic && of == 0)
        write_tics(drawing, length);
    if (logarithmic && length < 1.7)
        write_close_tics(drawing, of, range[0] - pad, range[1] + pad);
    if (logarithmic && length >= 0.1)
        ms_drawing_script(drawing, "set %crange [%.10g:%.10g]\n", 'x' + of, pow(10.0, range[0] - pad),
                          pow(10.0, range[1] + pad));
    else if (!logarithmic && (of == 0 || fixed || points))
        ms_drawing_script(drawing, "set %crange [%.10g:%.10g]\n", 'x' + of, range[0] - (points ? pad : 0.0),
                          range[1] + (points ? pad : 0.0));
}

static void write_axes(ms_drawing *drawing, const ms_panel *panel)
{
    ms_drawing_script(drawing,
                      "set autoscale xy\n"); /* else a range of the panel before is taken to logarithms */
    ms_drawing_script(drawing, "%s%s\n%s%s\n", panel->log_x ? "set logscale x" : "unset logscale x",
                      panel->log_x ? "\nset format x powers" : "\nset format x plain",
                      panel->log_y ? "set logscale y" : "unset logscale y",
                      panel->log_y ? "\nset format y powers" : "\nset format y plain");
    write_range(drawing, panel, 0, panel->log_x);
    write_range(drawing, panel, 1, panel->log_y);
    ms_drawing_script(drawing, "set xlabel %s noenhanced\n",
                      ms_drawing_quoted(drawing, panel->x != NULL ? panel->x : ""));
    ms_drawing_script(drawing, "set ylabel %s noenhanced\n",
                      ms_drawing_quoted(drawing, panel->y != NULL ? panel->y : ""));
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

/* Where a panel stands, in centimetres from above. */
typedef struct ms_place {
    double above, axes, below;
} ms_place;

static ms_place place_of(const ms_drawing *drawing, const ms_panel *panel, bool several)
{
    const double line = ms_drawing_line(drawing), width = ms_drawing_width(drawing);
    const double chosen =
        panel->square ? width - left_of(drawing, 1, panel) - line : (several ? 0.3 : 0.5) * width;
    const bool titled = panel->title != NULL || several;
    const int lines = key_of(drawing, panel).lines;
    return (ms_place){.above = line * (0.6 + 1.25 * lines + 1.5 * titled),
                      .axes = panel->height > 0.0 ? panel->height
                              : panel->square     ? chosen
                                                  : fmin(chosen, 9.0),
                      .below = panel->bottom > 0.0 ? panel->bottom : (panel->x != NULL ? 3.4 : 1.6) * line};
}

static void write_title(ms_drawing *drawing, const ms_panel *panel, int k, int n)
{
    char text[256];
    const char *title = panel->title != NULL ? panel->title : "";
    if (n > 1)
        snprintf(text, sizeof text, "%c  %s", 'a' + k, title);
    else
        snprintf(text, sizeof text, "%s", title);
    if (text[0] != '\0')
        ms_drawing_script(drawing, "set title %s noenhanced\n", ms_drawing_quoted(drawing, text));
    else
        ms_drawing_script(drawing, "unset title\n");
}

static void write_panel(ms_drawing *drawing, ms_panel *panel, int k, int n)
{
    int blocks[MS_PANEL_CURVES_MAX];
    choose_colours(panel);
    write_data(drawing, panel, blocks);
    write_title(drawing, panel, k, n);
    write_axes(drawing, panel);
    write_curves(drawing, panel, blocks);
    ms_drawing_script(drawing, "unset label\nunset arrow\nunset object\n");
}

void ms_panels_draw(ms_drawing *drawing, int n, ms_panel *panels)
{
    const char *title = ms_drawing_call_title(drawing);
    const double line = ms_drawing_line(drawing), margin = title != NULL ? 1.8 * line : 0.0;
    double height = margin;
    for (int k = 0; k < n; k++) {
        say_hidden(&panels[k]);
        const ms_place place = place_of(drawing, &panels[k], n > 1);
        height += place.above + place.axes + place.below;
    }
    ms_drawing_height(drawing, height);
    ms_drawing_script(drawing, "set multiplot%s%s%s\n", title != NULL ? " title " : "",
                      title != NULL ? ms_drawing_quoted(drawing, title) : "",
                      title != NULL ? " noenhanced" : "");
    double from_above = margin;
    for (int k = 0; k < n; k++) {
        const ms_place place = place_of(drawing, &panels[k], n > 1);
        const double top = from_above + place.above, bottom = top + place.axes;
        ms_drawing_script(drawing, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                          1.0 - top / height, 1.0 - bottom / height);
        ms_drawing_script(drawing, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
                          left_of(drawing, n, panels) / ms_drawing_width(drawing),
                          1.0 - 1.0 * line / ms_drawing_width(drawing));
        write_key(drawing, &panels[k], from_above, height);
        from_above = bottom + place.below;
        write_panel(drawing, &panels[k], k, n);
        destroy(&panels[k]);
    }
}
