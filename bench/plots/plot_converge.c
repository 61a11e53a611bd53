/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "answer_read.h"
#include "error_label.h"
#include "label.h"
#include "panel_parts.h"
#include "plot_parts.h"
#include "plots.h"
#include "row_names.h"

/* Its errors; those omitted from the fit are separate points. */
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

/* The steps between which the order was fitted, and the error at the largest one; false if there are none. */
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

/* A line of a whole slope: from one step and error to the last step. */
typedef struct guide {
    double step, error, last;
} guide;

/* The error on the line at that step. */
static double on_guide(const guide *line, int slope, double step)
{
    return line->error * pow(step / line->step, slope);
}

/* The least distance between the line and points of curves above and below it, in decades. */
static double distance(const ms_panel *panel, const guide *line, int slope)
{
    double least = INFINITY;
    for (int k = 0; k < panel->n; k++)
        for (size_t i = 0; i < panel->curve[k].n; i++) {
            const double *point = panel->curve[k].point[i];
            if (point[1] > 0.0 && point[0] <= 1.01 * line->step && point[0] >= 0.99 * line->last)
                least = fmin(least, fabs(log10(point[1] / on_guide(line, slope, point[0]))));
        }
    return least;
}

/* Moves the line off the curve that it lies on, to where it is next to none, by parts of the height of the axes. */
static void move_off(const ms_panel *panel, double height, guide *line, int slope)
{
    static const double parts[] = {-0.08, 0.08, -0.12, 0.12, -0.16, 0.16};
    const double at = line->error;
    guide best = *line;
    double most = -1.0;
    for (int k = 0; k < MS_COUNT(parts) && most < 0.06 * height; k++) {
        line->error = at * pow(10.0, parts[k] * height);
        const double here = fmin(distance(panel, line, slope), 0.08 * height);
        if (here > most + 1e-9) {
            most = here;
            best = *line;
        }
    }
    *line = best;
}

/* A line of each whole slope beside the most accurate variant of that order; step 0: there is none. */
static void find_guides(const ms_panel *panel, const json_t *variants, guide lines[SLOPES])
{
    double range[2] = {0.0, 0.0};
    const bool shown = ms_panel_range(panel, 1, range);
    for (int k = 0; k < panel->n; k++) {
        const double order = ms_answer_number(json_array_get(variants, (size_t)k), "order");
        const int slope = isfinite(order) && order > 0.5 && order < SLOPES - 0.5 ? (int)lround(order) : 0;
        guide line;
        if (slope > 0 &&
            begin_of(&panel->curve[k], json_array_get(variants, (size_t)k), &line.step, &line.error,
                     &line.last) &&
            (lines[slope].step == 0.0 || line.error < lines[slope].error))
            lines[slope] = line;
    }
    for (int slope = 1; slope < SLOPES && shown; slope++)
        if (lines[slope].step > 0.0)
            move_off(panel, fmax(range[1] - range[0], 0.25), &lines[slope], slope);
}

static void add_guides(ms_drawing *drawing, ms_panel *panel, const json_t *variants)
{
    guide lines[SLOPES] = {{0}};
    char label[64] = "";
    find_guides(panel, variants, lines);
    for (int slope = 1; slope < SLOPES; slope++)
        if (lines[slope].step > 0.0) {
            const size_t used = strlen(label);
            snprintf(label + used, sizeof label - used, "%s%d", used == 0 ? "slope " : ", ", slope);
        }
    ms_curve *curve = label[0] != '\0' ? ms_panel_curve(panel, MS_CURVE_GUIDE, label) : NULL;
    for (int slope = 1; slope < SLOPES; slope++)
        if (lines[slope].step > 0.0) {
            const guide *line = &lines[slope];
            ms_curve_point(drawing, curve, line->step, line->error);
            ms_curve_point(drawing, curve, line->last, on_guide(line, slope, line->last));
            ms_curve_point(drawing, curve, NAN, NAN);
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
