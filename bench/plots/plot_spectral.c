/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "answer_read.h"
#include "plot_parts.h"
#include "plots.h"
#include "row_names.h"

enum { CIRCLE_POINTS = 181 };

static const double two_pi = 6.283185307179586;

/* Eigenvalues -------------------------------------------------------------------------------------------- */

/* The largest real or imaginary part. */
static double add_eigenvalues(ms_drawing *drawing, ms_panel *panel, const json_t *variant, const char *name)
{
    const json_t *pairs = json_object_get(variant, "eigenvalues");
    double largest = 0.0;
    ms_curve_pairs(drawing, ms_panel_curve(panel, MS_CURVE_POINTS, name), pairs);
    for (size_t k = 0; k < json_array_size(pairs); k++)
        for (size_t i = 0; i < 2; i++)
            largest = fmax(largest, fabs(json_number_value(json_array_get(json_array_get(pairs, k), i))));
    return largest;
}

static int draw_eigenvalues(ms_drawing *drawing, const json_t *variants)
{
    double largest = 1.0;
    json_t *names = ms_row_names(variants, NULL);
    ms_panel panel = {.part = "eigenvalues", .x = "Re λ", .y = "Im λ", .square = true};
    ms_curve *circle = ms_panel_curve(&panel, MS_CURVE_REFERENCE, "|λ| = 1");
    for (int k = 0; k < CIRCLE_POINTS; k++)
        ms_curve_point(drawing, circle, cos(two_pi * k / (CIRCLE_POINTS - 1)),
                       sin(two_pi * k / (CIRCLE_POINTS - 1)));
    for (size_t k = 0; k < json_array_size(variants); k++)
        largest = fmax(largest, add_eigenvalues(drawing, &panel, json_array_get(variants, k),
                                                ms_answer_word(json_array_get(names, k))));
    for (int k = 0; k < 2; k++) {
        panel.range[k][0] = -1.08 * largest;
        panel.range[k][1] = 1.08 * largest;
    }
    ms_panels_draw(drawing, 1, &panel);
    json_decref(names);
    return MS_OK;
}

/* Radii -------------------------------------------------------------------------------------------------- */

static void add_level(ms_drawing *drawing, ms_panel *panel)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < panel->n; k++)
        for (size_t i = 0; i < panel->curve[k].n; i++) {
            low = fmin(low, panel->curve[k].point[i][0]);
            high = fmax(high, panel->curve[k].point[i][0]);
        }
    ms_curve *level = ms_panel_curve(panel, MS_CURVE_REFERENCE, "1");
    ms_curve_point(drawing, level, low, 1.0);
    ms_curve_point(drawing, level, high, 1.0);
}

/* Radii that exceed 1 by orders of magnitude are for a logarithmic axis. */
static bool spreads(const ms_panel *panel)
{
    double high = 0.0;
    for (int k = 0; k < panel->n; k++)
        for (size_t i = 0; i < panel->curve[k].n; i++)
            high = isfinite(panel->curve[k].point[i][1]) ? fmax(high, panel->curve[k].point[i][1]) : high;
    return high > 10.0;
}

void ms_plot_radii(ms_drawing *drawing, ms_panel *panel)
{
    add_level(drawing, panel);
    panel->y = "spectral radius ρ";
    panel->log_y = spreads(panel);
    ms_panels_draw(drawing, 1, panel);
}

static int draw_along(ms_drawing *drawing, const json_t *rows)
{
    ms_panel panel = {.part = "radii", .x = "time t / s"};
    ms_curve_rows(drawing, ms_panel_curve(&panel, MS_CURVE_LINES, "along the reference"), rows, "time",
                  "spectral_radius");
    ms_plot_radii(drawing, &panel);
    return MS_OK;
}

static bool is_log_spaced(const json_t *variants)
{
    const size_t n = json_array_size(variants);
    double low = INFINITY, high = 0.0;
    for (size_t k = 0; k < n; k++) {
        const double h = ms_answer_number(json_array_get(variants, k), "step_size");
        low = fmin(low, h);
        high = fmax(high, h);
    }
    return low > 0.0 && high >= 20.0 * low;
}

/* A curve for each variant, whose rows follow each other. */
static int draw_over_steps(ms_drawing *drawing, const json_t *variants)
{
    ms_panel panel = {.part = "radii", .x = "macro-step H / s", .log_x = is_log_spaced(variants)};
    json_t *names = ms_row_names(variants, "step_size");
    const char *last = NULL;
    ms_curve *curve = NULL;
    for (size_t k = 0; k < json_array_size(variants); k++) {
        const json_t *row = json_array_get(variants, k);
        const char *name = ms_answer_word(json_array_get(names, k));
        if (last == NULL || strcmp(last, name) != 0)
            curve = ms_panel_curve(&panel, MS_CURVE_LINES, name);
        last = name;
        ms_curve_point(drawing, curve, ms_answer_number(row, "step_size"),
                       ms_answer_number(row, "spectral_radius"));
    }
    ms_plot_radii(drawing, &panel);
    json_decref(names);
    return MS_OK;
}

static bool has_steps(const json_t *variants)
{
    const double first = ms_answer_number(json_array_get(variants, 0), "step_size");
    for (size_t k = 1; k < json_array_size(variants); k++)
        if (ms_answer_number(json_array_get(variants, k), "step_size") != first)
            return true;
    return false;
}

int ms_plot_spectral(ms_drawing *drawing, const json_t *answer)
{
    const json_t *rows = json_object_get(answer, "rows");
    if (json_object_get(json_array_get(rows, 0), "time") != NULL)
        return draw_along(drawing, rows);
    json_t *variants = ms_answer_members(answer);
    const int status =
        has_steps(variants) ? draw_over_steps(drawing, variants) : draw_eigenvalues(drawing, variants);
    json_decref(variants);
    return status;
}
