/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double same = 0.006; /* of the height of the axes: closer curves cannot be told apart */

/* Curves ------------------------------------------------------------------------------------------------- */

ms_curve *ms_panel_curve(ms_panel *panel, ms_curve_style style, const char *label)
{
    if (panel->n == MS_PANEL_CURVES_MAX) {
        panel->left_out++;
        return NULL;
    }
    ms_curve *curve = &panel->curve[panel->n++];
    *curve = (ms_curve){.style = style};
    snprintf(curve->label, sizeof curve->label, "%s", label != NULL ? label : "");
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
            ms_drawing_no_room(drawing);
            return;
        }
        curve->point = grown;
        curve->capacity = capacity;
    }
    curve->point[curve->n][0] = x;
    curve->point[curve->n++][1] = y;
}

void ms_panel_destroy(ms_panel *panel)
{
    for (int k = 0; k < panel->n; k++)
        free(panel->curve[k].point);
    panel->n = 0;
}

/* Curves that coincide ----------------------------------------------------------------------------------- */

static double on_axis(bool logarithmic, double value)
{
    return logarithmic ? (value > 0.0 ? log10(value) : (double)NAN) : value;
}

/* Heights of all curves along the axis; 0 where there is but one. */
static double height_of(const ms_panel *panel)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < panel->n; k++)
        for (size_t i = 0; i < panel->curve[k].n; i++) {
            const double y = on_axis(panel->log_y, panel->curve[k].point[i][1]);
            if (isfinite(y)) {
                low = fmin(low, y);
                high = fmax(high, y);
            }
        }
    return high > low ? high - low : 0.0;
}

static bool is_on(const ms_panel *panel, const ms_curve *a, const ms_curve *b, double height)
{
    bool on = a->n == b->n && a->n > 0;
    for (size_t i = 0; i < a->n && on; i++) {
        const double ya = on_axis(panel->log_y, a->point[i][1]), yb = on_axis(panel->log_y, b->point[i][1]);
        on = a->point[i][0] == b->point[i][0] &&
             (isfinite(ya) && isfinite(yb) ? fabs(ya - yb) <= same * height : isfinite(ya) == isfinite(yb));
    }
    return on;
}

/* The first curve that hides below this one, or -1. */
static int hidden_below(const ms_panel *panel, int k, double height)
{
    const ms_curve *curve = &panel->curve[k];
    for (int i = 0; i < k; i++)
        if (curve->style <= MS_CURVE_POINTS && panel->curve[i].style <= MS_CURVE_POINTS &&
            is_on(panel, &panel->curve[i], curve, height))
            return i;
    return -1;
}

static void say_hidden(ms_panel *panel)
{
    const double height = height_of(panel);
    for (int k = panel->n - 1; k > 0; k--) {
        const int below = hidden_below(panel, k, height);
        ms_curve *curve = &panel->curve[k];
        const size_t used = strlen(curve->label);
        if (below >= 0 && used > 0 && panel->curve[below].label[0] != '\0')
            snprintf(curve->label + used, sizeof curve->label - used, " (on %.60s)", panel->curve[below].label);
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
                                                               : 2 + next % 7;
        next += curve->style < MS_CURVE_REFERENCE;
    }
}

/* Data --------------------------------------------------------------------------------------------------- */

static void write_curve(ms_data *data, const ms_panel *panel, int k)
{
    const ms_curve *curve = &panel->curve[k];
    bool open = false;
    for (size_t i = 0; i < curve->n; i++) {
        const double x = curve->point[i][0], y = curve->point[i][1];
        const bool shown = isfinite(on_axis(panel->log_x, x)) && isfinite(on_axis(panel->log_y, y));
        if (shown)
            MS_ROW(data, k, x, y);
        else if (open)
            ms_data_break(data);
        open = shown;
    }
    if (open)
        ms_data_break(data);
    ms_data_break(data);
    ms_data_break(data);
}

/* A block of the file for each curve that has a point; blocks[k] is its place, or -1. */
static void write_data(ms_drawing *drawing, const ms_panel *panel, int *blocks)
{
    ms_data *data = ms_drawing_data(drawing, panel->part, "curve,x,y");
    int n = 0;
    ms_data_keep_all(data);
    for (int k = 0; k < panel->n; k++) {
        bool shown = false;
        for (size_t i = 0; i < panel->curve[k].n && !shown; i++)
            shown = isfinite(on_axis(panel->log_x, panel->curve[k].point[i][0])) &&
                    isfinite(on_axis(panel->log_y, panel->curve[k].point[i][1]));
        blocks[k] = shown ? n++ : -1;
        if (shown)
            write_curve(data, panel, k);
    }
}

/* Script ------------------------------------------------------------------------------------------------- */

/* Lines that the key takes, as wide as the picture. */
static int key_lines(const ms_drawing *drawing, const ms_panel *panel)
{
    const double letter = 0.47 * ms_drawing_line(drawing);
    double widest = 0.0;
    int n = 0;
    for (int k = 0; k < panel->n; k++)
        if (panel->curve[k].label[0] != '\0') {
            widest = fmax(widest, (double)(strlen(panel->curve[k].label) + 7) * letter);
            n++;
        }
    const int columns = (int)fmax(1.0, floor((ms_drawing_width(drawing) - 1.5) / fmax(widest, letter)));
    return (n + columns - 1) / columns;
}

static void write_curves(ms_drawing *drawing, const ms_panel *panel, const int *blocks)
{
    static const char *const with[] = {[MS_CURVE_LINES] = "lines lt %d",
                                       [MS_CURVE_MARKED] = "linespoints lt %d",
                                       [MS_CURVE_POINTS] = "points lt %d",
                                       [MS_CURVE_REFERENCE] = "lines lt %d lw 0.9",
                                       [MS_CURVE_GUIDE] = "lines lt %d lw 0.9",
                                       [MS_CURVE_AREA] = "filledcurves closed lt %d fillstyle solid 0.18 noborder"};
    const char *comma = "";
    ms_drawing_script(drawing, "plot ");
    for (int k = 0; k < panel->n; k++) {
        const ms_curve *curve = &panel->curve[k];
        if (blocks[k] < 0)
            continue;
        ms_drawing_script(drawing, "%spart('%s') index %d using 2:3 with ", comma, panel->part, blocks[k]);
        ms_drawing_script(drawing, with[curve->style], curve->colour); /* NOLINT(*-nonliteral) */
        if (curve->label[0] != '\0')
            ms_drawing_script(drawing, " title %s noenhanced", ms_drawing_quoted(drawing, curve->label));
        else
            ms_drawing_script(drawing, " notitle");
        comma = ", \\\n    ";
    }
    if (comma[0] == '\0')
        ms_drawing_script(drawing, "[0:1] [0:1] NaN notitle");
    ms_drawing_script(drawing, "\n");
}

static void write_axes(ms_drawing *drawing, const ms_panel *panel)
{
    ms_drawing_script(drawing, "%s%s\n%s%s\n", panel->log_x ? "set logscale x" : "unset logscale x",
                      panel->log_x ? "\nset format x powers" : "", panel->log_y ? "set logscale y" : "unset logscale y",
                      panel->log_y ? "\nset format y powers" : "");
    ms_drawing_script(drawing, "set xlabel %s noenhanced\n", ms_drawing_quoted(drawing, panel->x != NULL ? panel->x : ""));
    ms_drawing_script(drawing, "set ylabel %s noenhanced\n", ms_drawing_quoted(drawing, panel->y != NULL ? panel->y : ""));
    if (panel->left_out > 0)
        ms_drawing_script(drawing, "set label 99 '%d more curves are left out' at graph 0.02,0.04 noenhanced\n",
                          panel->left_out);
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
    const double chosen = panel->square ? width - 4.2 * line : (several ? 0.3 : 0.5) * width;
    const bool titled = panel->title != NULL || several;
    return (ms_place){.above = line * (0.5 + 1.15 * key_lines(drawing, panel) + 1.3 * titled),
                      .axes = panel->height > 0.0 ? panel->height : fmin(chosen, 9.0),
                      .below = (panel->x != NULL ? 2.9 : 1.5) * line};
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
    say_hidden(panel);
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
        const ms_place place = place_of(drawing, &panels[k], n > 1);
        height += place.above + place.axes + place.below;
    }
    ms_drawing_height(drawing, height);
    ms_drawing_script(drawing, "set multiplot%s%s%s\n", title != NULL ? " title " : "",
                      title != NULL ? ms_drawing_quoted(drawing, title) : "", title != NULL ? " noenhanced" : "");
    double from_above = margin;
    for (int k = 0; k < n; k++) {
        const ms_place place = place_of(drawing, &panels[k], n > 1);
        const double top = from_above + place.above, bottom = top + place.axes;
        ms_drawing_script(drawing, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1.0 - top / height,
                          1.0 - bottom / height);
        ms_drawing_script(drawing, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
                          5.6 * line / ms_drawing_width(drawing), 1.0 - 1.0 * line / ms_drawing_width(drawing));
        from_above = bottom + place.below;
        write_panel(drawing, &panels[k], k, n);
        ms_panel_destroy(&panels[k]);
    }
}
