/* Andersson (2016), section 6.2, Examples 6.2.1 and 6.2.2: coupling error of the double pendulum with
 * linear correction over the step size. Figs 6.9, 6.11.
 *
 * Error: the largest difference of alpha1, omega1, alpha2, omega2 (rad, rad/s) from the monolithic model
 * of the same case at t = 0.01 s, 0.02 s, .. 5 s, which are communication points of every run.
 * Micro-solver: RK4 with 4 micro-steps a macro-step; its error is of order 4 in H and vanishes against the
 * coupling error of order 1 or 2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "figure.h"
#include "order.h"
#include "study.h"

/* The order is fitted over the finest step sizes: at H = 0.01 s local slopes still differ from the order
 * by 0.35. */
enum { STATES = 4, STEP_SIZES = 7, FITTED = 4, CURVES_MAX = 4 };

static const double largest_step = 0.01, end_time = 5.0; /* [s] */

static const char *const micro_solver = "--solver rk4 --micro-steps 4", *const finer_solver =
                                                                            "--solver rk4 --micro-steps 8";

/* Errors above this are not those of the reference, which is better than 1e-11. */
static const double trusted = 1e-9;

/* How far an observed order may be from the expected one. */
static const double order_tolerance = 0.1;

typedef struct error_curve {
    const char *model_case, *options, *name;
} error_curve;

/* The error with H = largest_step / parts; *exact: states of the reference at multiples of largest_step,
 * made by the first call. */
static int measure(ms_drawing *drawing, const error_curve *curve, const char *solver, int parts,
                   double **exact, double *largest, ms_error *error)
{
    ms_study study;
    int status = ms_study_run(drawing, &(ms_trial_wants){.trajectory = true}, &study, error,
                              "run double-pendulum --case %s %s --linear-correction %s --step-size %.12g",
                              curve->model_case, curve->options, solver, largest_step / parts);
    const ms_trajectory *trajectory = &study.trial.trajectory;
    const long points = lround(end_time / largest_step);
    if (status == MS_OK && *exact == NULL)
        status = ms_study_reference(&study, exact, error);
    const bool complete = status == MS_OK && *exact != NULL && trajectory->rows == points * parts + 1;
    *largest = complete ? 0.0 : NAN;
    for (long k = 0; k <= points && complete; k++)
        for (int j = 0; j < STATES; j++)
            *largest = fmax(*largest,
                            fabs(ms_trajectory_row(trajectory, k * parts)[1 + j] - (*exact)[k * STATES + j]));
    ms_study_destroy(&study);
    return status;
}

static int measure_curve(ms_drawing *drawing, const error_curve *curve, ms_order_row rows[STEP_SIZES],
                         double *solver_error, ms_error *error)
{
    double *exact = NULL, finer = NAN;
    int status = MS_OK;
    for (int k = 0; k < STEP_SIZES && status == MS_OK; k++) {
        rows[k] = (ms_order_row){.step_size = largest_step / (1 << k), .floor = trusted};
        status = measure(drawing, curve, micro_solver, 1 << k, &exact, &rows[k].error, error);
    }
    if (status == MS_OK)
        status = measure(drawing, curve, finer_solver, 1, &exact, &finer, error);
    *solver_error = fabs(finer - rows[0].error) / rows[0].error;
    free(exact);
    return status;
}

static void check_curve(ms_drawing *drawing, const error_curve *curve, ms_order_row rows[STEP_SIZES],
                        int expected, double solver_error, ms_table *table)
{
    ms_order_row finest[FITTED];
    char what[128];
    bool falls = true;
    const double overall = ms_order_fit(STEP_SIZES, rows).order;
    memcpy(finest, rows + STEP_SIZES - FITTED, sizeof finest);
    const ms_order order = ms_order_fit(FITTED, finest);
    for (int k = 0; k < STEP_SIZES; k++) {
        falls &= k == 0 || rows[k].error < rows[k - 1].error;
        ms_table_row(table,
                     json_pack("[s, f, o, o, s]", curve->name, rows[k].step_size, ms_json_real(rows[k].error),
                               ms_json_real(rows[k].slope), ms_order_note_name(rows[k].note)));
    }
    snprintf(what, sizeof what, "%s: the error falls with H; order", curve->name);
    ms_drawing_check(
        drawing, what, json_string(ms_drawing_published_text(drawing, "shows")),
        json_pack("{s:o, s:o, s:o, s:o}", "order", ms_json_real(order.order), "fitted from H [s]",
                  ms_json_real(order.first), "to [s]", ms_json_real(order.last), "order over all step sizes",
                  ms_json_real(overall)),
        json_pack("{s:i, s:f}", "expected order", expected, "difference at most", order_tolerance),
        falls && fabs(order.order - expected) <= order_tolerance ? MS_REPRODUCED : MS_DEVIATES,
        "The text prints no numbers; expected is extrapolation order + 1. Local slopes: %.2f at H = %g s, "
        "%.2f at "
        "%g s. Halved micro-steps change the error at H = %g s by %.1e of itself.",
        rows[1].slope, rows[1].step_size, rows[STEP_SIZES - 1].slope, rows[STEP_SIZES - 1].step_size,
        largest_step, solver_error);
}

static int draw_errors(ms_drawing *drawing, int n, const error_curve *curves, ms_error *error)
{
    const int expected = (int)ms_drawing_published_number(drawing, "extrapolation_order") + 1;
    ms_data *data = ms_drawing_data(drawing, "", "step_size,error_0,error_1,error_2,error_3,slope");
    ms_table *table = ms_drawing_table(drawing, "orders", "Coupling error over the step size",
                                       "run|H [s]|error|local slope|note");
    ms_order_row rows[CURVES_MAX][STEP_SIZES];
    for (int c = 0; c < n; c++) {
        double solver_error = NAN;
        const int status = measure_curve(drawing, &curves[c], rows[c], &solver_error, error);
        if (status != MS_OK)
            return status;
        check_curve(drawing, &curves[c], rows[c], expected, solver_error, table);
    }
    const ms_order_row *finest = &rows[0][STEP_SIZES - 1];
    for (int k = 0; k < STEP_SIZES; k++) {
        double row[2 + CURVES_MAX] = {rows[0][k].step_size, NAN, NAN, NAN, NAN, NAN};
        for (int c = 0; c < n; c++)
            row[1 + c] = rows[c][k].error;
        row[1 + CURVES_MAX] = 0.5 * finest->error * pow(rows[0][k].step_size / finest->step_size, expected);
        ms_data_row(data, row);
    }
    ms_drawing_remark(
        drawing,
        "Error: the largest difference of a state (rad, rad/s) from the monolithic solution at t = 0.01 s, "
        "0.02 s, .. 5 s. `damped` has the outputs with the damping term that (6.57) lacks and is the "
        "physical "
        "pendulum; `as-printed` is (6.57), against its own coupled system. Micro-solver: RK4 with 4 "
        "micro-steps a macro-step.");
    ms_drawing_script(drawing,
                      "set logscale xy\nset format xy powers\nset xlabel 'global step size H / s'\n"
                      "set ylabel 'largest error of the states / rad, rad s^{-1}'\nset xrange [%g:%g]\n"
                      "plot csv using 'step_size':'slope' with lines lt 9 dashtype 2 title 'order %d'",
                      finest->step_size / 1.3, largest_step * 1.3, expected);
    for (int c = 0; c < n; c++)
        ms_drawing_script(drawing,
                          ", \\\n    '' using 'step_size':'error_%d' with linespoints lt %d title '%s'", c,
                          2 + c, curves[c].name);
    ms_drawing_script(drawing, "\n");
    return MS_OK;
}

static int draw_fig6_9(ms_drawing *drawing, ms_error *error)
{
    static const error_curve curves[] = {{"damped", "--extrapolation-order 0", "damped"},
                                         {"as-printed", "--extrapolation-order 0", "as printed"}};
    return draw_errors(drawing, MS_COUNT(curves), curves, error);
}

const ms_figure ms_figure_andersson2016_fig6_9 = {
    .id = "andersson2016:fig6.9",
    .title =
        "Double pendulum: coupling error over the step size, constant extrapolation with linear correction",
    .source = "Andersson (2016), Fig. 6.9, Example 6.2.1",
    .draw = draw_fig6_9,
};

static int draw_fig6_11(ms_drawing *drawing, ms_error *error)
{
    static const error_curve curves[] = {
        {"damped", "--extrapolation-order 1 --derivatives analytic", "damped"},
        {"as-printed", "--extrapolation-order 1 --derivatives analytic", "as printed"},
        {"damped", "--extrapolation-order 1", "damped, past values"},
    };
    const int status = draw_errors(drawing, MS_COUNT(curves), curves, error);
    ms_drawing_remark(drawing, "Algorithm 6 takes derivatives of the outputs from the subsystems; they are "
                               "exact here. Beside it: linear "
                               "extrapolation through two past values, as in section 6.1.1.");
    return status;
}

const ms_figure ms_figure_andersson2016_fig6_11 = {
    .id = "andersson2016:fig6.11",
    .title =
        "Double pendulum: coupling error over the step size, linear extrapolation with linear correction",
    .source = "Andersson (2016), Fig. 6.11, Example 6.2.2",
    .draw = draw_fig6_11,
};
