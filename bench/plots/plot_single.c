/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of single problems: an integration, a driven subsystem, an estimation. */
#include <math.h>
#include <string.h>

#include "answer_read.h"
#include "error_label.h"
#include "plot_parts.h"
#include "plots.h"

/* Errors over evaluations, a curve for each solver: its rows differ in tolerance or step size. */
static int draw_rows(ms_drawing *drawing, const json_t *rows)
{
    ms_panel panel = {.part = "rows",
                      .x = "evaluations of f",
                      .y = ms_error_label(json_array_get(rows, 0)),
                      .log_x = true,
                      .log_y = true};
    const char *last = "";
    ms_curve *curve = NULL;
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *row = json_array_get(rows, k);
        const char *name = ms_answer_word(json_object_get(json_object_get(row, "solver"), "name"));
        if (curve == NULL || strcmp(last, name) != 0)
            curve = ms_panel_curve(&panel, MS_CURVE_MARKED, name);
        last = name;
        ms_curve_point(drawing, curve, ms_answer_number(row, "rhs_evaluations"),
                       ms_answer_number(json_object_get(row, "errors"), "max"));
    }
    ms_panels_draw(drawing, 1, &panel);
    return MS_OK;
}

/* Solvers without steps of their own have no lengths. */
static bool has_lengths(const ms_series_table *history)
{
    for (long k = 0; k < history->rows; k++)
        if (isfinite(history->row[(size_t)k * (size_t)history->columns + 1]))
            return true;
    return false;
}

int ms_plot_integrate(ms_drawing *drawing, const json_t *answer, const ms_series_table *trajectory,
                      const ms_series_table *history)
{
    const json_t *rows = json_object_get(answer, "rows");
    if (trajectory == NULL)
        return draw_rows(drawing, rows);
    ms_panel panels[MS_PLOT_UNITS_MAX + 1] = {{.part = "states", .title = "states"}};
    int n = ms_plot_by_unit(drawing, panels, MS_PLOT_UNITS_MAX, trajectory, ".x.");
    if (has_lengths(history)) {
        panels[n] = (ms_panel){.part = "steps", .title = "micro-steps", .y = "length / s", .log_y = true};
        ms_curve *steps = ms_panel_curve(&panels[n++], MS_CURVE_LINES, NULL);
        for (long k = 0; k < history->rows; k++) {
            const double *row = history->row + (size_t)k * (size_t)history->columns;
            ms_curve_point(drawing, steps, row[0], row[1]);
        }
    }
    panels[n - 1].x = "time t / s";
    ms_panels_draw(drawing, n, panels);
    return MS_OK;
}

/* Columns time, x.NAME, u.NAME, own.NAME, coupled.NAME; the difference of x to one of the latter two. */
static void add_errors(ms_drawing *drawing, ms_panel *panel, const ms_series_table *points, int nx, int first,
                       const char *against)
{
    for (int i = 0; i < nx; i++) {
        char name[128], label[160];
        points->name(points->of, 1 + i, name, sizeof name);
        snprintf(label, sizeof label, "%s - %s", name, against);
        ms_curve *curve = ms_panel_curve(panel, MS_CURVE_LINES, label);
        for (long k = 0; k < points->rows; k++) {
            const double *row = points->row + (size_t)k * (size_t)points->columns;
            ms_curve_point(drawing, curve, row[0], fabs(row[1 + i] - row[first + i]));
        }
    }
}

int ms_plot_drive(ms_drawing *drawing, const ms_series_table *points, int nx)
{
    const int nu = points->columns - 1 - 3 * nx;
    ms_panel panels[3] = {
        {.part = "inputs", .title = "inputs"},
        {.part = "states", .title = "states"},
        {.part = "errors", .title = "errors, own and coupled", .x = "time t / s", .log_y = true}};
    ms_plot_series(drawing, &panels[0], points, "u.");
    ms_plot_series(drawing, &panels[1], points, "x.");
    add_errors(drawing, &panels[2], points, nx, 1 + nx + nu, "own");
    add_errors(drawing, &panels[2], points, nx, 1 + 2 * nx + nu, "coupled");
    ms_panels_draw(drawing, 3, panels);
    return MS_OK;
}

int ms_plot_estimate(ms_drawing *drawing, const ms_estimate *estimate, const double *time)
{
    ms_panel panels[2] = {{.part = "fit", .title = "measurements and fit"},
                          {.part = "residuals", .title = "residuals", .x = "time t / s"}};
    for (int c = 0; c < estimate->columns; c++) {
        char label[160];
        snprintf(label, sizeof label, "%s, measured", estimate->column[c].name);
        ms_curve *measured = ms_panel_curve(&panels[0], MS_CURVE_POINTS, label);
        ms_curve *fitted = ms_panel_curve(&panels[0], MS_CURVE_REFERENCE, c == 0 ? "fitted" : NULL);
        ms_curve *residual = ms_panel_curve(&panels[1], MS_CURVE_POINTS, estimate->column[c].name);
        for (long row = 0; row < estimate->rows; row++) {
            const double f = estimate->fitted[row * estimate->columns + c],
                         m = estimate->measured[row * estimate->columns + c];
            ms_curve_point(drawing, fitted, time[row], f);
            ms_curve_point(drawing, measured, time[row], m);
            ms_curve_point(drawing, residual, time[row], f - m);
        }
    }
    ms_panels_draw(drawing, 2, panels);
    return MS_OK;
}
