/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "answer_read.h"
#include "error_label.h"
#include "label.h"
#include "panel.h"
#include "plot_parts.h"
#include "plots.h"
#include "row_names.h"

/* Its errors; those that the fit leaves out as points beside the line. */
static void add_member(ms_drawing *drawing, ms_panel *panel, const json_t *variant, const char *name)
{
    char label[MS_CURVE_NAME_MAX];
    const double order = ms_answer_number(variant, "order");
    ms_label_fit(name, MS_CURVE_NAME_MAX, label, sizeof label - 24);
    if (isfinite(order))
        snprintf(label + strlen(label), 24, ", slope %.2f", order);
    ms_curve_rows(drawing, ms_panel_curve(panel, MS_CURVE_MARKED, label), json_object_get(variant, "rows"),
                  "step_size", "error");
}

/* The steps between which the order was fitted, and the error at the largest one; false where there are none. */
static bool begin_of(const ms_curve *curve, const json_t *variant, double *step, double *error, double *last)
{
    const json_t *range = json_object_get(variant, "range");
    *step = fmax(json_number_value(json_array_get(range, 0)), json_number_value(json_array_get(range, 1)));
    *last = fmin(json_number_value(json_array_get(range, 0)), json_number_value(json_array_get(range, 1)));
    *error = 0.0;
    for (size_t k = 0; k < curve->n; k++)
        if (curve->point[k][0] == *step)
            *error = curve->point[k][1];
    return *last > 0.0 && *last<*step && * error> 0.0;
}

enum { SLOPES = 9 };

/* Where a line of each whole slope begins, below the most accurate variant of that order: its step, error and last step. */
static void find_guides(const ms_panel *panel, const json_t *variants, double begin[SLOPES][3])
{
    for (int k = 0; k < panel->n; k++) {
        const double order = ms_answer_number(json_array_get(variants, (size_t)k), "order");
        double step, error, last;
        const int slope = isfinite(order) && order > 0.5 && order < SLOPES - 0.5 ? (int)lround(order) : 0;
        if (slope == 0 ||
            !begin_of(&panel->curve[k], json_array_get(variants, (size_t)k), &step, &error, &last))
            continue;
        if (begin[slope][0] == 0.0 || error < 2.0 * begin[slope][1]) {
            begin[slope][0] = step;
            begin[slope][1] = 0.5 * error;
            begin[slope][2] = last;
        }
    }
}

static void add_guides(ms_drawing *drawing, ms_panel *panel, const json_t *variants)
{
    double begin[SLOPES][3] = {{0}};
    char label[64] = "";
    find_guides(panel, variants, begin);
    for (int slope = 1; slope < SLOPES; slope++)
        if (begin[slope][0] > 0.0) {
            const size_t used = strlen(label);
            snprintf(label + used, sizeof label - used, "%s%d", used == 0 ? "slope " : ", ", slope);
        }
    ms_curve *guide = label[0] != '\0' ? ms_panel_curve(panel, MS_CURVE_GUIDE, label) : NULL;
    for (int slope = 1; slope < SLOPES; slope++)
        if (begin[slope][0] > 0.0) {
            ms_curve_point(drawing, guide, begin[slope][0], begin[slope][1]);
            ms_curve_point(drawing, guide, begin[slope][2],
                           begin[slope][1] * pow(begin[slope][2] / begin[slope][0], slope));
            ms_curve_point(drawing, guide, NAN, NAN);
        }
}

int ms_plot_converge(ms_drawing *drawing, const json_t *answer)
{
    json_t *variants = ms_answer_members(answer);
    json_t *names = ms_row_names(variants, "step_size");
    ms_panel panel = {.part = "errors",
                      .x = "macro-step H / s",
                      .y = ms_error_label(json_array_get(variants, 0)),
                      .log_x = true,
                      .log_y = true,
                      .empty = "no error above zero is known"};
    for (size_t k = 0; k < json_array_size(variants); k++)
        add_member(drawing, &panel, json_array_get(variants, k), ms_answer_word(json_array_get(names, k)));
    add_guides(drawing, &panel, variants);
    ms_panels_draw(drawing, 1, &panel);
    json_decref(names);
    json_decref(variants);
    return MS_OK;
}
