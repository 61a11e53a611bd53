/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.2, Examples 6.2.1 and 6.2.2: coupling error of the double pendulum with
 * linear correction over the step size. Figs 6.9, 6.11.
 *
 * Errors: the largest differences of the angles alpha1, alpha2 (rad) and of the angular velocities omega1,
 * omega2 (rad/s) from the monolithic model of the same case at t = 0.01 s, 0.02 s, .. 5 s, which are
 * communication points of every run. The text does not say in which of them, or in which norm, its error is.
 * Micro-solver: RK4 with 4 micro-steps a macro-step; its error is of order 4 in H and vanishes against the
 * coupling error of order 1 or 2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convergence_order.h"
#include "figure.h"
#include "study.h"

/* The order is fitted over the finest step sizes: at H = 0.01 s local slopes still differ from the order
 * by 0.35. */
enum { STATES = 4, STEP_SIZES = 7, FITTED = 4, CURVES_MAX = 4 };

/* States alternate: alpha1, omega1, alpha2, omega2. */
enum { ANGLES, VELOCITIES, KINDS };
static const char *const kinds[KINDS] = {"angles, rad", "angular velocities, rad/s"};

static const double largest_step = 0.01, end_time = 5.0; /* [s] */

static const char *const micro_solver = "--solver rk4 --micro-steps 4", *const finer_solver =
                                                                            "--solver rk4 --micro-steps 8";

/* Errors above this are not those of the reference, which is better than 1e-11. */
static const double trusted = 1e-9;

/* How far an observed order may be from the expected one. */
static const double order_tolerance = 0.1;

typedef struct error_curve {
    const char *model_case, *options, *name, *title; /* title: in the key */
} error_curve;

/* The errors with H = largest_step / parts; *exact: states of the reference at multiples of largest_step,
 * made by the first call. */
static int measure(ms_drawing *drawing, const error_curve *curve, const char *solver, int parts,
                   double **exact, double largest[KINDS], ms_error *error)
{
    ms_study study;
    int status = ms_study_run(drawing, &ms_simulation_trajectory, &study, error,
                              "run double-pendulum --case %s %s --linear-correction %s --step-size %.12g",
                              curve->model_case, curve->options, solver, largest_step / parts);
    const ms_trajectory *trajectory = &study.simulation.trajectory;
    const long points = lround(end_time / largest_step);
    if (status == MS_OK)
        status = ms_study_reference_once(&study, exact, error);
    const bool complete = status == MS_OK && trajectory->rows == points * parts + 1;
    largest[ANGLES] = largest[VELOCITIES] = complete ? 0.0 : NAN;
    for (long k = 0; k <= points && complete; k++)
        for (int j = 0; j < STATES; j++) {
            const double x = ms_trajectory_row(trajectory, k * parts)[1 + j];
            largest[j % KINDS] = fmax(largest[j % KINDS], fabs(x - (*exact)[k * STATES + j]));
        }
    ms_study_destroy(&study);
    return status;
}

/* Rows for each kind; *solver_error: the larger relative change by halved micro-steps. */
static int measure_curve(ms_drawing *drawing, const error_curve *curve,
                         ms_convergence_row rows[KINDS][STEP_SIZES], double *solver_error, ms_error *error)
{
    double *exact = NULL, largest[KINDS] = {NAN, NAN};
    int status = MS_OK;
    for (int k = 0; k < STEP_SIZES && status == MS_OK; k++) {
        status = measure(drawing, curve, micro_solver, 1 << k, &exact, largest, error);
        for (int kind = 0; kind < KINDS; kind++)
            rows[kind][k] = (ms_convergence_row){
                .step_size = largest_step / (1 << k), .error = largest[kind], .floor = trusted};
    }
    if (status == MS_OK)
        status = measure(drawing, curve, finer_solver, 1, &exact, largest, error);
    *solver_error = 0.0;
    for (int kind = 0; kind < KINDS; kind++)
        *solver_error = fmax(*solver_error, fabs(largest[kind] - rows[kind][0].error) / rows[kind][0].error);
    free(exact);
    return status;
}

/* Order over the finest step sizes, and over all; rows get their local slopes. */
static ms_convergence_order fit(ms_convergence_row rows[STEP_SIZES], double *overall, bool *falls)
{
    ms_convergence_row finest[FITTED];
    *overall = ms_convergence_fit(STEP_SIZES, rows).order;
    memcpy(finest, rows + STEP_SIZES - FITTED, sizeof finest);
    for (int k = 1; k < STEP_SIZES; k++)
        *falls &= rows[k].error < rows[k - 1].error;
    return ms_convergence_fit(FITTED, finest);
}

static void check_curve(ms_drawing *drawing, const error_curve *curve,
                        ms_convergence_row rows[KINDS][STEP_SIZES], int expected, double solver_error,
                        ms_table *table)
{
    bool falls = true;
    ms_convergence_order order[KINDS];
    double overall[KINDS], off = 0.0;
    for (int kind = 0; kind < KINDS; kind++) {
        order[kind] = fit(rows[kind], &overall[kind], &falls);
        off = fmax(off, fabs(order[kind].order - expected));
        for (int k = 0; k < STEP_SIZES; k++)
            ms_table_add(table, "ssrrrs", curve->name, kinds[kind], rows[kind][k].step_size,
                         rows[kind][k].error, rows[kind][k].slope,
                         ms_convergence_note_name(rows[kind][k].note));
    }
    const bool holds =
        falls && off <= order_tolerance && isfinite(order[ANGLES].order) && isfinite(order[VELOCITIES].order);
    ms_study_check(
        drawing, ms_drawing_text(drawing, "%s: the error falls with H; order", curve->name), "shows",
        MS_REALS({"order, angles", order[ANGLES].order},
                 {"order, angular velocities", order[VELOCITIES].order},
                 {"fitted from H [s]", order[ANGLES].first}, {"to [s]", order[ANGLES].last},
                 {"order over all step sizes, angles", overall[ANGLES]},
                 {"order over all step sizes, angular velocities", overall[VELOCITIES]}),
        json_pack("{s:i, s:f}", "expected order", expected, "difference at most", order_tolerance), holds,
        "The text prints no numbers; expected is extrapolation order + 1. Local slopes of the angles: %.2f "
        "at H = %g s, %.2f at %g s; of the angular velocities: %.2f, %.2f. Halved micro-steps change the "
        "errors at H = %g s by at most %.1e of themselves.",
        rows[ANGLES][1].slope, rows[ANGLES][1].step_size, rows[ANGLES][STEP_SIZES - 1].slope,
        rows[ANGLES][STEP_SIZES - 1].step_size, rows[VELOCITIES][1].slope,
        rows[VELOCITIES][STEP_SIZES - 1].slope, largest_step, solver_error);
}

/* Rows of a kind, and a line of the expected order at half the finest error of the first curve. */
static void write_errors(ms_drawing *drawing, int kind, int n,
                         ms_convergence_row rows[CURVES_MAX][KINDS][STEP_SIZES], int expected)
{
    ms_data *data = ms_drawing_data(drawing, kind == ANGLES ? "angles" : "velocities",
                                    "step_size,error_0,error_1,error_2,error_3,slope");
    const ms_convergence_row *finest = &rows[0][kind][STEP_SIZES - 1];
    for (int k = 0; k < STEP_SIZES; k++) {
        const double h = rows[0][kind][k].step_size;
        ms_data_cell(data, h);
        for (int c = 0; c < CURVES_MAX; c++)
            ms_data_cell(data, c < n ? rows[c][kind][k].error : NAN);
        ms_data_cell(data, 0.5 * finest->error * pow(h / finest->step_size, expected));
    }
}

static void draw_panels(ms_drawing *drawing, int n, const error_curve *curves, double smallest_step,
                        int expected)
{
    ms_drawing_picture(
        drawing, 1000, 440,
        "array parts[2] = [part('angles'), part('velocities')]\n"
        "array labels[2] = ['largest error of α_1, α_2 / rad', 'largest error of ω_1, ω_2 / rad s^{-1}']\n"
        "set multiplot layout 1,2\nset lmargin 11\nset rmargin 3\nset key maxcols 2\n"
        "set logscale xy\nset format xy powers\nset xlabel 'global step size H / s'\n"
        "set xrange [%g:%g]\ndo for [k = 1:2] {\n    set ylabel labels[k]\n",
        smallest_step / 1.3, largest_step * 1.3);
    ms_drawing_curve(
        drawing, "parts[k] using 'step_size':'slope' with lines lt 9 dashtype 2 title 'order %d'", expected);
    for (int c = 0; c < n; c++)
        ms_drawing_curve(drawing,
                         "parts[k] using 'step_size':'error_%d' with linespoints lt %d lw %g title '%s'", c,
                         2 + c, c == 0 ? 3.0 : 1.4, curves[c].title);
    ms_drawing_script(drawing, "}\n");
}

/* One of the two figures. */
typedef struct error_subject {
    int n;
    error_curve curves[CURVES_MAX];
    const char *remark; /* or NULL */
} error_subject;

static int draw_errors(ms_drawing *drawing, ms_error *error)
{
    const error_subject *subject = ms_drawing_subject(drawing);
    const error_curve *curves = subject->curves;
    const int n = subject->n;
    const int expected = (int)ms_drawing_published_number(drawing, "extrapolation_order") + 1;
    ms_table *table = ms_drawing_table(drawing, "orders", "Coupling error over the step size",
                                       "run|of|H [s]|error|local slope|note");
    ms_convergence_row rows[CURVES_MAX][KINDS][STEP_SIZES] = {0};
    for (int c = 0; c < n; c++) {
        double solver_error = NAN;
        const int status = measure_curve(drawing, &curves[c], rows[c], &solver_error, error);
        if (status != MS_OK)
            return status;
        check_curve(drawing, &curves[c], rows[c], expected, solver_error, table);
    }
    for (int kind = 0; kind < KINDS; kind++)
        write_errors(drawing, kind, n, rows, expected);
    ms_drawing_remark(
        drawing,
        "Errors: the largest difference of an angle and of an angular velocity from the monolithic solution "
        "at t = 0.01 s, 0.02 s, .. 5 s. The text does not say in which states or in which norm its error is; "
        "as rad and rad/s have no common scale, each has its panel. `damped` has the outputs with the "
        "damping term that (6.57) lacks and is the physical pendulum; `as printed` is (6.57), against its "
        "own coupled system. Micro-solver: RK4 with 4 micro-steps a macro-step.");
    if (subject->remark != NULL)
        ms_drawing_remark(drawing, "%s", subject->remark);
    draw_panels(drawing, n, curves, rows[0][ANGLES][STEP_SIZES - 1].step_size, expected);
    return MS_OK;
}

static const error_subject constant = {
    2,
    {{"damped", "--extrapolation-order 0", "damped", "outputs with damping"},
     {"as-printed", "--extrapolation-order 0", "as printed", "outputs as printed (6.57)"}},
    NULL};

const ms_figure ms_figure_andersson2016_fig6_9 = {
    "andersson2016:fig6.9",
    "Double pendulum: coupling error over the step size, constant extrapolation with linear correction",
    "Andersson (2016), Fig. 6.9, Example 6.2.1", .draw = draw_errors, .subject = &constant};

static const error_subject linear = {
    3,
    {{"damped", "--extrapolation-order 1 --derivatives analytic", "damped", "outputs with damping"},
     {"as-printed", "--extrapolation-order 1 --derivatives analytic", "as printed",
      "outputs as printed (6.57)"},
     {"damped", "--extrapolation-order 1", "damped, past values", "with damping, from past values"}},
    "Algorithm 6 takes derivatives of the outputs from the subsystems; they are exact here. Beside it: "
    "linear extrapolation through two past values, as in section 6.1.1."};

const ms_figure ms_figure_andersson2016_fig6_11 = {
    "andersson2016:fig6.11",
    "Double pendulum: coupling error over the step size, linear extrapolation with linear correction",
    "Andersson (2016), Fig. 6.11, Example 6.2.2", .draw = draw_errors, .subject = &linear};
