/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer_read.h"
#include "panel.h"
#include "pareto.h"
#include "plots.h"

static const char *family_of(const json_t *row)
{
    return ms_answer_word(json_object_get(json_object_get(row, "scheme"), "scheme"));
}

static ms_curve *curve_of(ms_panel *panel, const char *family)
{
    for (int k = 0; k < panel->n; k++)
        if (strcmp(panel->curve[k].label, family) == 0)
            return &panel->curve[k];
    return ms_panel_curve(panel, MS_CURVE_POINTS, family);
}

/* A staircase through the variants that no other one beats in both. */
static void add_front(ms_drawing *drawing, ms_panel *panel, const json_t *rows)
{
    const size_t n = json_array_size(rows);
    double(*point)[2] = calloc(n + 1, sizeof *point);
    size_t on = 0;
    if (point == NULL)
        ms_drawing_no_memory(drawing);
    for (size_t k = 0; point != NULL && k < n; k++)
        if (ms_pareto_is_on_front(rows, k)) {
            point[on][0] = ms_pareto_cost(json_array_get(rows, k));
            point[on++][1] = ms_answer_number(json_array_get(rows, k), "error");
        }
    if (on > 1)
        qsort(point, on, sizeof *point, ms_pareto_ascending);
    ms_curve *front = on > 0 ? ms_panel_curve(panel, MS_CURVE_REFERENCE, "Pareto front") : NULL;
    for (size_t k = 0; k < on; k++) {
        if (k > 0)
            ms_curve_point(drawing, front, point[k][0], point[k - 1][1]);
        ms_curve_point(drawing, front, point[k][0], point[k][1]);
    }
    free(point);
}

int ms_plot_compare(ms_drawing *drawing, const json_t *answer)
{
    const json_t *rows = json_object_get(answer, "rows");
    ms_panel panel = {.part = "rows",
                      .x = "integrations of a macro-step",
                      .y = "error",
                      .log_x = true,
                      .log_y = true,
                      .empty = "no error above zero is known"};
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *row = json_array_get(rows, k);
        const double error = ms_answer_number(row, "error");
        if (isfinite(error))
            ms_curve_point(drawing, curve_of(&panel, family_of(row)), ms_pareto_cost(row), error);
    }
    add_front(drawing, &panel, rows);
    ms_panels_draw(drawing, 1, &panel);
    return MS_OK;
}
