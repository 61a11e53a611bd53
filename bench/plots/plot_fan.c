/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_fan.c - medians over draws, and bands between quantiles around them. */
#include <math.h>
#include <string.h>

#include "answer_read.h"
#include "error_label.h"
#include "label.h"
#include "plot_parts.h"
#include "plots.h"

enum { BANDS = 2, CURVES = MS_PANEL_CURVES_MAX / 3 }; /* each has two edges */

/* From the outer band to the inner one. */
static const struct {
    const char *from, *to, *title;
    double solid;
} bands[BANDS] = {{"q05", "q95", "90 % of draws", 0.14}, {"q25", "q75", "50 % of draws", 0.3}};

/* What is drawn of a row: its quantiles. */
static const json_t *drawn_of(const json_t *row, const char *what)
{
    return json_object_get(row, what);
}

static bool is_known(const json_t *rows, const char *what)
{
    bool known = false;
    for (size_t k = 0; k < json_array_size(rows); k++)
        known = known || isfinite(ms_answer_number(drawn_of(json_array_get(rows, k), what), "median"));
    return known;
}

/* The name of its curve, as long as a curve's may be. */
static const char *name_of(const json_t *row, char name[MS_CURVE_NAME_MAX])
{
    ms_label_fit(ms_answer_word(json_object_get(row, "curve")), MS_CURVE_NAME_MAX, name, MS_CURVE_NAME_MAX);
    return name;
}

static bool is_of(const json_t *row, const char *curve)
{
    char name[MS_CURVE_NAME_MAX];
    return strcmp(name_of(row, name), curve) == 0;
}

/* The quantiles of that name over x. */
static void add_points(ms_drawing *drawing, ms_curve *curve, const json_t *rows, const char *name,
                       const char *what, const char *quantile)
{
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *row = json_array_get(rows, k);
        if (is_of(row, name))
            ms_curve_point(drawing, curve, ms_answer_number(row, "x"),
                           ms_answer_number(drawn_of(row, what), quantile));
    }
}

/* As the panel chooses them. */
static int colour_of(int curve)
{
    return 2 + curve % 7;
}

/* The median of the curve of that row, unless it is there. */
static void add_curve(ms_drawing *drawing, ms_panel *panel, const json_t *rows, const json_t *row,
                      const char *what)
{
    char name[MS_CURVE_NAME_MAX];
    (void)name_of(row, name);
    for (int k = 0; k < panel->n; k++)
        if (strcmp(panel->curve[k].label, name) == 0)
            return;
    if (panel->n < CURVES)
        add_points(drawing, ms_panel_curve(panel, MS_CURVE_MARKED, name), rows, name, what, "median");
    else
        panel->left_out++;
}

/* A block of the data: the band, interrupted if its lower end is unknown. Unknown values count as larger than all others: an unknown
 * upper end is above the picture. False: there is none. */
static bool write_band(ms_data *data, const ms_panel *panel, const json_t *rows, const char *name,
                       const char *what, int band)
{
    bool begun = false, interrupted = false;
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *row = json_array_get(rows, k), *quantiles = drawn_of(row, what);
        const double from = ms_answer_number(quantiles, bands[band].from),
                     to = ms_answer_number(quantiles, bands[band].to), above = 1e300;
        if (!is_of(row, name))
            continue;
        if (!isfinite(from) || (panel->log_y && !(from > 0.0))) {
            interrupted = begun;
            continue;
        }
        if (interrupted)
            ms_data_break(data);
        MS_ROW(data, ms_answer_number(row, "x"), from, isfinite(to) ? to : above);
        begun = true;
        interrupted = false;
    }
    if (begun) {
        ms_data_break(data);
        ms_data_break(data);
    }
    return begun;
}

/* All bands in the colours of their curves, and their entry in the key. */
static const char *plot_bands(ms_drawing *drawing, const ms_panel *panel, int curves, const json_t *rows,
                              const char *what)
{
    ms_data *data = ms_drawing_data(drawing, "bands", "x,from,to");
    const char *plot = "";
    int block = 0;
    for (int b = 0; b < BANDS; b++)
        for (int k = 0; k < curves; k++)
            if (write_band(data, panel, rows, panel->curve[k].label, what, b))
                plot = ms_drawing_text(drawing,
                                       "%spart('bands') index %d using 1:2:3 with filledcurves fillstyle "
                                       "transparent solid %g noborder lt %d notitle, ",
                                       plot, block++, bands[b].solid, colour_of(k));
    for (int b = 0; b < BANDS; b++)
        plot = ms_drawing_text(drawing,
                               "%skeyentry with filledcurves fillstyle transparent solid %g noborder lc rgb "
                               "'#000000' title '%s'%s",
                               plot, bands[b].solid, bands[b].title, b + 1 < BANDS ? ", " : "");
    return block > 0 ? plot : NULL;
}

/* The ends of the outer band as thin lines, visible in grey print, which the key avoids. */
static void add_edges(ms_drawing *drawing, ms_panel *panel, int curves, const json_t *rows, const char *what)
{
    for (int k = 0; k < curves; k++)
        for (int end = 0; end < 2; end++) {
            ms_curve *edge = ms_panel_curve(panel, MS_CURVE_GUIDE, NULL);
            add_points(drawing, edge, rows, panel->curve[k].label, what,
                       end == 0 ? bands[0].from : bands[0].to);
            if (edge != NULL)
                edge->colour = colour_of(k);
        }
}

int ms_plot_fan(ms_drawing *drawing, const json_t *answer)
{
    const json_t *rows = json_object_get(answer, "rows"), *x = json_object_get(answer, "x");
    const char *what = is_known(rows, "error") ? "error" : "growth_predicted";
    char label[256];
    ms_panel panel = {.part = "medians",
                      .x = label,
                      .y = "growth, median",
                      .log_x = ms_is_logarithmic(json_object_get(x, "values")),
                      .empty = "no median is known",
                      .along = true,
                      .letters = (int)strlen(bands[0].title)};
    ms_axis_label(drawing, false, ms_answer_word(json_object_get(x, "name")),
                  ms_answer_word(json_object_get(x, "unit")), ms_answer_word(json_object_get(x, "summary")),
                  label, sizeof label);
    if (strcmp(what, "error") == 0) {
        panel.y = ms_drawing_text(drawing, "%s, median", ms_error_label(answer));
        panel.log_y = true;
    }
    for (size_t k = 0; k < json_array_size(rows); k++)
        add_curve(drawing, &panel, rows, json_array_get(rows, k), what);
    const int curves = panel.n;
    add_edges(drawing, &panel, curves, rows, what);
    if (ms_drawing_canvas(drawing)->format != MS_CANVAS_TERMINAL) /* which has their edges alone */
        panel.below = plot_bands(drawing, &panel, curves, rows, what);
    panel.entries = panel.below != NULL ? BANDS : 0;
    ms_panels_draw(drawing, 1, &panel);
    return MS_OK;
}
