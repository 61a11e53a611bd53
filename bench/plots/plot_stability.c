/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer_read.h"
#include "panel.h"
#include "plot_parts.h"
#include "plots.h"
#include "row_names.h"

enum { SCAN_ROWS = 400 };

static const double level = 1.0 + 1e-10; /* up to which a radius counts as stable */

/* Axes --------------------------------------------------------------------------------------------------- */

typedef struct axis {
    int n;
    double *value; /* (n) as the panel shows them: logarithms on a logarithmic axis */
    bool logarithmic;
    char label[256];
} axis;

static void read_axis(ms_drawing *drawing, const json_t *variant, size_t k, axis *a)
{
    const json_t *json = json_array_get(json_object_get(variant, "axes"), k),
                 *values = json_object_get(json, "values");
    *a = (axis){.n = (int)json_array_size(values), .logarithmic = ms_is_logarithmic(values)};
    ms_axis_label(drawing, json_object_get(variant, "axis_limits") != NULL,
                  ms_answer_word(json_object_get(json, "name")),
                  ms_answer_word(json_object_get(json, "unit")),
                  ms_answer_word(json_object_get(json, "summary")), a->label, sizeof a->label);
    a->value = calloc((size_t)a->n + 1, sizeof *a->value);
    if (a->value == NULL) {
        ms_drawing_no_memory(drawing);
        a->n = 0;
    }
    for (int i = 0; i < a->n; i++) {
        const double value = json_number_value(json_array_get(values, (size_t)i));
        a->value[i] = a->logarithmic ? log(value) : value;
    }
}

static double shown(const axis *a, double value)
{
    return a->logarithmic ? exp(value) : value;
}

/* The region --------------------------------------------------------------------------------------------- */

/* log(rho) at node i of the line between rows j and j + 1; null is unstable. */
static double at_node(const json_t *radii, int i, int j, double s)
{
    double v[2];
    for (int k = 0; k < 2; k++) {
        const json_t *value = json_array_get(json_array_get(radii, (size_t)(j + k)), (size_t)i);
        const double rho = json_is_number(value) ? json_number_value(value) : (double)INFINITY;
        v[k] = fmin(fmax(log(rho / level), -1.0), 1.0);
    }
    return (1.0 - s) * v[0] + s * v[1];
}

/* The stable stretches of a line, as boxes of its width; returns their number. */
static int scan_line(ms_data *data, const json_t *radii, const axis *x, const axis *y, int j, double s,
                     double width)
{
    const double at = (1.0 - s) * y->value[j] + s * y->value[j + 1];
    const double low = shown(y, at - 0.6 * width), high = shown(y, at + 0.6 * width);
    double begin = NAN, before = at_node(radii, 0, j, s);
    int boxes = 0;
    if (before <= 0.0)
        begin = x->value[0];
    for (int i = 1; i < x->n; i++) {
        const double v = at_node(radii, i, j, s);
        const double zero = x->value[i - 1] + before / (before - v) * (x->value[i] - x->value[i - 1]);
        if (before > 0.0 && v <= 0.0)
            begin = zero;
        if (before <= 0.0 && v > 0.0) {
            MS_ROW(data, shown(x, begin), shown(x, zero), low, high);
            boxes++;
        }
        before = v;
    }
    if (before <= 0.0) {
        MS_ROW(data, shown(x, begin), shown(x, x->value[x->n - 1]), low, high);
        boxes++;
    }
    return boxes;
}

/* The border closes the seams between the lines. */
static const char region_plot[] = "part('region') using 1:3:1:2:3:4 with boxxyerror lc rgb '#d5e6f3' "
                                  "fillstyle solid 1 border lc rgb '#d5e6f3' title '%s'";

static bool is_order_star(const json_t *variant)
{
    return json_is_true(json_object_get(variant, "order_star"));
}

/* Fills the stable region line by line; returns the plot command, or NULL if the radii are unknown, or nothing is stable. */
static const char *fill_region(ms_drawing *drawing, const json_t *variant, const axis *x, const axis *y)
{
    const json_t *radii = json_object_get(variant, "spectral_radius");
    if (!json_is_array(radii) || x->n < 2 || y->n < 2)
        return NULL;
    ms_data *data = ms_drawing_data(drawing, "region", "x_low,x_high,y_low,y_high");
    const int per_cell = (int)fmax(1.0, ceil((double)SCAN_ROWS / (y->n - 1)));
    int boxes = 0;
    ms_data_keep_all(data);
    for (int j = 0; j + 1 < y->n; j++)
        for (int k = 0; k < per_cell; k++)
            boxes += scan_line(data, radii, x, y, j, (k + 0.5) / per_cell,
                               (y->value[j + 1] - y->value[j]) / per_cell);
    return boxes > 0 ? ms_drawing_text(drawing, region_plot,
                                       is_order_star(variant) ? "growth below exact" : "stable")
                     : NULL;
}

/* Sides ---------------------------------------------------------------------------------------------------- */

/* Where boundaries are as parts of the axes, and the axes' height over their width. */
typedef struct map {
    const axis *x, *y;
    double height;
} map;

static const double apart = 0.12, long_is = 0.022; /* ticks, in widths of the axes */

static double part_of(const axis *a, double value)
{
    const double at = a->logarithmic ? log(value) : value;
    return (at - a->value[0]) / (a->value[a->n - 1] - a->value[0]);
}

static double value_at(const axis *a, double part)
{
    return shown(a, a->value[0] + part * (a->value[a->n - 1] - a->value[0]));
}

/* The node that is nearest to that part of the axis. */
static size_t node_at(const axis *a, double part)
{
    const double at = a->value[0] + part * (a->value[a->n - 1] - a->value[0]);
    size_t best = 0;
    for (int i = 1; i < a->n; i++)
        if (fabs(a->value[i] - at) < fabs(a->value[best] - at))
            best = (size_t)i;
    return best;
}

static bool is_inside(const double at[2])
{
    return at[0] >= 0.0 && at[0] <= 1.0 && at[1] >= 0.0 && at[1] <= 1.0;
}

static bool is_stable_at(const map *m, const json_t *radii, const double at[2])
{
    const json_t *rho = json_array_get(json_array_get(radii, node_at(m->y, at[1])), node_at(m->x, at[0]));
    return json_is_number(rho) && json_number_value(rho) <= level;
}

/* The sides of a point that far from it; which of them is stable where the other one is not, or -1. */
static int stable_side(const map *m, const json_t *radii, const double at[2], const double across[2],
                       double far, double side[2][2])
{
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 2; k++)
            side[s][k] = at[k] + (s == 0 ? far : -far) * across[k];
    if (!is_inside(side[0]) || !is_inside(side[1]))
        return -1;
    const bool first = is_stable_at(m, radii, side[0]);
    return first == is_stable_at(m, radii, side[1]) ? -1 : first ? 0 : 1;
}

/* A tick from the point to the side that is stable, where the other one is not; of narrow bands close to the curve. step: the way to the
 * next point. */
static int mark_side(ms_data *data, const map *m, const json_t *radii, const double at[2],
                     const double step[2])
{
    const double length = hypot(step[0], step[1] * m->height);
    const double across[2] = {-step[1] * m->height / length, step[0] / length / m->height};
    double side[2][2], far = 2.0 * long_is;
    int stable = stable_side(m, radii, at, across, far, side);
    for (; stable < 0 && far > 0.3 * long_is; stable = stable_side(m, radii, at, across, far, side))
        far *= 0.5;
    if (stable < 0)
        return 0;
    const double part = fmin(1.0, long_is / far), x = value_at(m->x, at[0]), y = value_at(m->y, at[1]);
    MS_ROW(data, x, y, value_at(m->x, at[0] + part * (side[stable][0] - at[0])) - x,
           value_at(m->y, at[1] + part * (side[stable][1] - at[1])) - y);
    return 1;
}

/* Ticks along one curve at that distance, at most that many; returns their number. */
static int mark_along(ms_data *data, const map *m, const json_t *radii, const json_t *points, double distance,
                      int most)
{
    double last[2] = {NAN, NAN}, way = 0.5 * distance;
    int n = 0;
    for (size_t i = 0; i < json_array_size(points) && n < most; i++) {
        const json_t *p = json_array_get(points, i);
        const double at[2] = {part_of(m->x, json_number_value(json_array_get(p, 0))),
                              part_of(m->y, json_number_value(json_array_get(p, 1)))};
        const double step[2] = {at[0] - last[0], at[1] - last[1]};
        way += i > 0 ? hypot(step[0], step[1] * m->height) : 0.0;
        if (i > 0 && way >= distance && (step[0] != 0.0 || step[1] != 0.0)) {
            n += mark_side(data, m, radii, at, step);
            way = 0.0;
        }
        memcpy(last, at, sizeof last);
    }
    return n;
}

/* Ticks along one curve; one where it is too short for their distance, or has a side to show at few of its points. */
static int mark_curve(ms_data *data, const map *m, const json_t *radii, const json_t *points)
{
    const int n = mark_along(data, m, radii, points, apart, INT_MAX);
    return n > 0 ? n : mark_along(data, m, radii, points, 0.0, 1);
}

/* What the key says of ticks. */
static const char *side_text(const json_t *variant)
{
    return is_order_star(variant) ? "ticks: growth below exact" : "ticks: stable side";
}

/* Ticks on the stable sides of boundaries whose radii are known; what plots them and their entry in the key, or NULL. */
static const char *mark_sides(ms_drawing *drawing, const json_t *variants, const map *m)
{
    ms_data *data = ms_drawing_data(drawing, "sides", "x,y,dx,dy");
    const char *plot = "";
    int blocks = 0;
    for (size_t k = 0; k < json_array_size(variants); k++) {
        const json_t *variant = json_array_get(variants, k),
                     *radii = json_object_get(variant, "spectral_radius"),
                     *curves = json_object_get(variant, "boundary");
        int n = 0;
        for (size_t i = 0; json_is_array(radii) && i < json_array_size(curves); i++)
            n += mark_curve(data, m, radii, json_array_get(curves, i));
        if (n == 0)
            continue;
        ms_data_break(data);
        ms_data_break(data);
        plot = ms_drawing_text(
            drawing, "%spart('sides') index %d using 1:2:3:4 with vectors nohead lt %d dt 1 notitle, ", plot,
            blocks++, 2 + (int)(k % 7));
    }
    return blocks > 0 ? ms_drawing_text(drawing, "%sNaN with lines lt 9 title '%s'", plot,
                                        side_text(json_array_get(variants, 0)))
                      : NULL;
}

/* Boundaries --------------------------------------------------------------------------------------------- */

/* What the key says of a map that has no curve. */
static const char *why_no_boundary(const json_t *variant)
{
    const char *extent = ms_answer_word(json_object_get(variant, "stable"));
    return is_order_star(variant)              ? NULL
           : strcmp(extent, "everywhere") == 0 ? "stable everywhere"
           : strcmp(extent, "nowhere") == 0    ? "unstable everywhere"
                                               : NULL;
}

static void add_boundary(ms_drawing *drawing, ms_panel *panel, const json_t *variant, const char *name)
{
    const json_t *curves = json_object_get(variant, "boundary");
    ms_curve *curve = ms_panel_curve(panel, MS_CURVE_LINES, name);
    if (curve != NULL)
        curve->absent = why_no_boundary(variant);
    for (size_t k = 0; k < json_array_size(curves); k++) {
        ms_curve_pairs(drawing, curve, json_array_get(curves, k));
        ms_curve_point(drawing, curve, NAN, NAN);
    }
}

static void set_range(const axis *a, double range[2])
{
    if (a->n < 2)
        return;
    range[0] = shown(a, fmin(a->value[0], a->value[a->n - 1]));
    range[1] = shown(a, fmax(a->value[0], a->value[a->n - 1]));
}

/* The first variant that fits. */
static const json_t *first_fitting(const json_t *variants)
{
    size_t k = 0;
    while (k + 1 < json_array_size(variants) &&
           json_object_get(json_array_get(variants, k), "reason") != NULL)
        k++;
    return json_array_get(variants, k);
}

static int draw_map(ms_drawing *drawing, const json_t *variants)
{
    axis x, y;
    json_t *names = ms_row_names(variants, NULL);
    const json_t *first = first_fitting(variants);
    read_axis(drawing, first, 0, &x);
    read_axis(drawing, first, 1, &y);
    const bool plane = strstr(y.label, "λ") != NULL;
    ms_panel panel = {.part = "boundary",
                      .x = x.label,
                      .y = y.label,
                      .log_x = x.logarithmic,
                      .log_y = y.logarithmic,
                      .square = plane,
                      .empty = "no boundary here"};
    set_range(&x, panel.range[0]);
    set_range(&y, panel.range[1]);
    panel.along = json_array_size(variants) > 1;
    panel.entries = is_order_star(first) ? 1 : 0;
    panel.letters = panel.along ? (int)strlen(side_text(first)) : 0;
    if (x.n > 1 && y.n > 1)
        panel.below = panel.along ? mark_sides(drawing, variants, &(map){&x, &y, plane ? 1.0 : 0.5})
                                  : fill_region(drawing, first, &x, &y);
    if (json_is_array(json_object_get(first, "spectral_radius")) && json_array_size(variants) == 1)
        panel.empty = "nothing is stable here";
    for (size_t k = 0; k < json_array_size(variants); k++)
        add_boundary(drawing, &panel, json_array_get(variants, k), ms_answer_word(json_array_get(names, k)));
    ms_panels_draw(drawing, 1, &panel);
    free(x.value);
    free(y.value);
    json_decref(names);
    return MS_OK;
}

/* One axis ----------------------------------------------------------------------------------------------- */

static int draw_line(ms_drawing *drawing, const json_t *variants)
{
    axis x;
    json_t *names = ms_row_names(variants, NULL);
    read_axis(drawing, first_fitting(variants), 0, &x);
    ms_panel panel = {.part = "radii", .x = x.label, .log_x = x.logarithmic};
    for (size_t k = 0; k < json_array_size(variants); k++) {
        const json_t *radii =
            json_array_get(json_object_get(json_array_get(variants, k), "spectral_radius"), 0);
        ms_curve *curve = ms_panel_curve(&panel, MS_CURVE_LINES, ms_answer_word(json_array_get(names, k)));
        for (int i = 0; i < x.n; i++) {
            const json_t *rho = json_array_get(radii, (size_t)i);
            ms_curve_point(drawing, curve, shown(&x, x.value[i]),
                           json_is_number(rho) ? json_number_value(rho) : (double)NAN);
        }
    }
    ms_plot_radii(drawing, &panel);
    free(x.value);
    json_decref(names);
    return MS_OK;
}

/* Critical step sizes ------------------------------------------------------------------------------------ */

/* The ends of stable intervals, and their bars. The picture ends at that of the search if a bar does. */
typedef struct bars {
    double least, most; /* of all ends; most 0: there is none */
    double searched;
    int n;
} bars;

static bars add_bars(ms_data *data, const json_t *variants)
{
    const size_t n = json_array_size(variants);
    bars b = {.least = INFINITY};
    for (size_t k = 0; k < n; k++) {
        const json_t *variant = json_array_get(variants, k),
                     *intervals = json_object_get(variant, "stable_intervals");
        const double searched = ms_answer_number(variant, "largest_step_size");
        b.searched = fmax(b.searched, isfinite(searched) ? searched : 0.0);
        for (size_t i = 0; i < json_array_size(intervals); i++) {
            const json_t *pair = json_array_get(intervals, i);
            const double begin = json_number_value(json_array_get(pair, 0)),
                         end = json_number_value(json_array_get(pair, 1));
            MS_ROW(data, (double)(n - k), begin, end);
            b.n++;
            b.least = fmin(b.least, end);
            b.most = fmax(b.most, end);
        }
    }
    return b;
}

/* Those that have no matrix say so. */
static json_t *critical_names(const json_t *variants)
{
    json_t *names = ms_row_names(variants, NULL);
    for (size_t k = 0; k < json_array_size(names); k++)
        if (json_object_get(json_array_get(variants, k), "reason") != NULL)
            json_array_set_new(names, k,
                               json_sprintf("%s (no matrix)", ms_answer_word(json_array_get(names, k))));
    return names;
}

/* A line of bars for each variant, the first one above. */
static int draw_critical(ms_drawing *drawing, const json_t *variants)
{
    json_t *names = critical_names(variants);
    ms_data *data = ms_drawing_data(drawing, "intervals", "row,begin,end");
    const bars b = add_bars(data, variants);
    char empty[64];
    snprintf(empty, sizeof empty, "no stable macro-step up to %.3g s", b.searched);
    ms_panel panel = {.part = "unused",
                      .x = "stable macro-steps H / s",
                      .log_x = b.most > 10.0 * b.least,
                      .range = {{b.most > 10.0 * b.least ? 0.3 * b.least : 0.0,
                                 b.n > 0 ? fmin(1.25 * b.most, b.searched) : fmax(b.searched, 1e-300)},
                                {0.4, (double)json_array_size(variants) + 0.6}},
                      .before = ms_name_tics(drawing, names),
                      .left = ms_answer_longest(names) * 0.47 * ms_drawing_line(drawing),
                      .height = ms_drawing_line(drawing) * 1.3 * (double)json_array_size(variants),
                      .empty = empty,
                      .below = b.n > 0 ? "part('intervals') using 3:1:2:3:($1-0.3):($1+0.3) with "
                                         "boxxyerror lt 2 fillstyle solid 0.7 noborder notitle"
                                       : NULL};
    ms_panels_draw(drawing, 1, &panel);
    json_decref(names);
    return MS_OK;
}

int ms_plot_stability(ms_drawing *drawing, const json_t *answer)
{
    json_t *variants = ms_answer_members(answer);
    const json_t *first = first_fitting(variants);
    const size_t axes = json_array_size(json_object_get(first, "axes"));
    const int status = axes == 2   ? draw_map(drawing, variants)
                       : axes == 1 ? draw_line(drawing, variants)
                                   : draw_critical(drawing, variants);
    json_decref(variants);
    return status;
}
