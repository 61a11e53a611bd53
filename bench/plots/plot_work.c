/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot_work.c - errors over work: a line for each member. Members that choose their steps have other marks and dashes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer_read.h"
#include "error_label.h"
#include "panel.h"
#include "plots.h"

enum { MEMBERS = 14 }; /* with a line of their own; of more the families are told apart, by points */

/* Curves ------------------------------------------------------------------------------------------------- */

static ms_curve *curve_of(ms_panel *panel, ms_curve_style style, const char *label, bool controlled)
{
    for (int k = 0; k < panel->n; k++)
        if (panel->curve[k].second == controlled && strcmp(panel->curve[k].label, label) == 0)
            return &panel->curve[k];
    ms_curve *curve = ms_panel_curve(panel, style, label);
    if (curve != NULL)
        curve->second = controlled;
    return curve;
}

/* The name of its curve: the member, or of many members the family. */
static const char *name_of(const json_t *point, bool many, char *text, size_t size)
{
    const bool told = many && json_is_true(json_object_get(point, "controlled"));
    snprintf(text, size, "%s%s", ms_answer_word(json_object_get(point, many ? "family" : "curve")),
             told ? ", controlled" : "");
    return text;
}

static void add_points(ms_drawing *drawing, ms_panel *panel, const json_t *points, bool many)
{
    char label[MS_CURVE_NAME_MAX];
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        const double error = ms_answer_number(point, "error");
        if (isfinite(error))
            ms_curve_point(drawing,
                           curve_of(panel, many ? MS_CURVE_POINTS : MS_CURVE_MARKED,
                                    name_of(point, many, label, sizeof label),
                                    json_is_true(json_object_get(point, "controlled"))),
                           ms_answer_number(point, "work"), error);
    }
}

static bool has_many(const json_t *points)
{
    ms_panel *all = calloc(1, sizeof *all); /* its names alone */
    for (size_t k = 0; all != NULL && k < json_array_size(points) && all->n <= MEMBERS; k++) {
        const json_t *point = json_array_get(points, k);
        if (isfinite(ms_answer_number(point, "error")))
            (void)curve_of(all, MS_CURVE_POINTS, ms_answer_word(json_object_get(point, "curve")), false);
    }
    const bool many = all == NULL || all->n > MEMBERS;
    free(all);
    return many;
}

/* Bars --------------------------------------------------------------------------------------------------- */

static void add_bar(ms_drawing *drawing, ms_curve *bars, double x0, double y0, double x1, double y1)
{
    if (x0 == x1 && y0 == y1)
        return;
    ms_curve_point(drawing, bars, x0, y0);
    ms_curve_point(drawing, bars, x1, y1);
    ms_curve_point(drawing, bars, NAN, NAN);
}

static void range_of(const json_t *point, const char *key, double range[2])
{
    for (size_t k = 0; k < 2; k++) {
        const json_t *end = json_array_get(json_object_get(point, key), k);
        range[k] = json_is_number(end) ? json_number_value(end) : (double)NAN;
    }
}

/* From the least to the largest of several runs, in the colour of the curve. */
static void add_bars(ms_drawing *drawing, ms_panel *panel, const json_t *points, const ms_curve *of,
                     int colour)
{
    ms_curve *bars = NULL;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        const double x = ms_answer_number(point, "work"), y = ms_answer_number(point, "error");
        double work[2], error[2];
        range_of(point, "work_range", work);
        range_of(point, "error_range", error);
        if (strcmp(ms_answer_word(json_object_get(point, "curve")), of->label) != 0 ||
            (!(work[0] < work[1]) && !(error[0] < error[1])))
            continue;
        bars = bars != NULL ? bars : ms_panel_curve(panel, MS_CURVE_GUIDE, NULL);
        add_bar(drawing, bars, x, error[0], x, error[1]);
        add_bar(drawing, bars, work[0], y, work[1], y);
    }
    if (bars != NULL)
        bars->colour = colour;
}

/* The front ---------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const double *left = a, *right = b;
    const int k = left[0] == right[0];
    return (left[k] > right[k]) - (left[k] < right[k]);
}

/* A staircase through the points that no other one beats in both. */
static void add_front(ms_drawing *drawing, ms_panel *panel, const json_t *points)
{
    const size_t n = json_array_size(points);
    double(*point)[2] = calloc(n + 1, sizeof *point), least = INFINITY;
    size_t known = 0;
    if (point == NULL)
        ms_drawing_no_memory(drawing);
    for (size_t k = 0; point != NULL && k < n; k++) {
        point[known][0] = ms_answer_number(json_array_get(points, k), "work");
        point[known][1] = ms_answer_number(json_array_get(points, k), "error");
        known += isfinite(point[known][0]) && isfinite(point[known][1]);
    }
    if (known > 1)
        qsort(point, known, sizeof *point, ascending);
    ms_curve *front = known > 0 ? ms_panel_curve(panel, MS_CURVE_REFERENCE, "Pareto front") : NULL;
    for (size_t k = 0; k < known; k++) {
        if (point[k][1] >= least)
            continue;
        if (isfinite(least))
            ms_curve_point(drawing, front, point[k][0], least);
        least = point[k][1];
        ms_curve_point(drawing, front, point[k][0], least);
    }
    free(point);
}

/* What is wanted ------------------------------------------------------------------------------------------ */

/* The error that is wanted, as wide as the curves are. */
static void add_wanted(ms_drawing *drawing, ms_panel *panel, double wanted)
{
    char label[64];
    double from = INFINITY, to = -INFINITY;
    for (int k = 0; k < panel->n; k++)
        for (size_t i = 0; i < panel->curve[k].n; i++) {
            from = fmin(from, panel->curve[k].point[i][0]);
            to = fmax(to, panel->curve[k].point[i][0]);
        }
    snprintf(label, sizeof label, "wanted: %g", wanted);
    ms_curve *line = from < to ? ms_panel_curve(panel, MS_CURVE_REFERENCE, label) : NULL;
    ms_curve_point(drawing, line, from, wanted);
    ms_curve_point(drawing, line, to, wanted);
}

static void add_choice(ms_drawing *drawing, ms_panel *panel, const json_t *points)
{
    double at[2];
    range_of(points, "choice", at);
    ms_curve *ring = isfinite(at[1]) ? ms_panel_curve(panel, MS_CURVE_POINTS, "the cheapest") : NULL;
    ms_curve_point(drawing, ring, at[0], at[1]);
    if (ring != NULL) {
        ring->colour = 1;
        ring->mark = 6;
        ring->size = 1.6;
    }
}

int ms_plot_work(ms_drawing *drawing, const json_t *answer)
{
    const json_t *points = json_object_get(answer, "points"), *wanted = json_object_get(answer, "wanted");
    const char *work = ms_answer_word(json_object_get(answer, "work"));
    const bool many = has_many(points);
    ms_panel panel = {.part = "rows",
                      .x = work[0] != '\0' ? work : "number of integrations",
                      .y = ms_error_label(answer),
                      .log_x = true,
                      .log_y = true,
                      .empty = work[0] != '\0' ? "no error over work above zero is known"
                                               : "no error above zero is known"};
    add_points(drawing, &panel, points, many);
    const int curves = panel.n;
    for (int k = 0; k < curves && !many; k++)
        add_bars(drawing, &panel, points, &panel.curve[k], 2 + k % 7);
    if (wanted != NULL)
        add_wanted(drawing, &panel, json_number_value(wanted));
    else if (work[0] == '\0')
        add_front(drawing, &panel, points);
    add_choice(drawing, &panel, answer);
    ms_panels_draw(drawing, 1, &panel);
    return MS_OK;
}
