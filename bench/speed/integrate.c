/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrate.c - `macrostep integrate` at the level of library calls, relative to the underlying libraries.
 *
 * The whole double pendulum over its 5 s with 500 output points, rtol = atol = 1e-8:
 *
 *     macrostep    ms_integrate of the coupled model, whose coupling it solves at each evaluation; with errors, which take a reference
 *                  with a tolerance of 1e-13 and its companion
 *     bare         CVODE (BDF, dense) or GSL's driver (rk8pd) called from output point to output point, or a plain RK4
 *                  loop, each with the right-hand side of double_pendulum.h by hand
 *
 * Limit: each x' solves the loop of constraint forces by Newton's method. It evaluates the outputs of both subsystems twice and solves
 * with one matrix twice: 7,200 instructions, 85 % of the time without errors. The reference takes ten times as long: its tolerance is
 * 1e-13, each step has 13 samples by steps of their own (half of the time), and its companion is implicit (a quarter).
 *
 * Times are processor time. Both must come to the same states to 1e-4 (rk4: 1e-9). */
#include <cvode/cvode.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <macrostep/integrate.h>
#include <macrostep/options_set.h>
#include "benchmark.h"
#include "double_pendulum.h"

enum { ROUNDS = 15, OUTPUTS = 500, REPEATS = 5, N = DOUBLE_PENDULUM_STATES };

static const double END = 5.0, TOLERANCE = 1e-8, STEP_SIZE = 1e-3;

/* Bare drivers ------------------------------------------------------------------------------------------- */

static int cvode_f(double t, N_Vector x, N_Vector dx, void *self)
{
    (void)t, (void)self;
    double_pendulum(N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
    return 0;
}

static bool advance_cvode(void *cvode, N_Vector x)
{
    double t = 0.0;
    for (int k = 1; k <= OUTPUTS; k++)
        if (CVode(cvode, END * k / OUTPUTS, x, &t, CV_NORMAL) < 0)
            return false;
    return true;
}

static bool run_cvode(double *x)
{
    SUNContext context;
    if (SUNContext_Create(NULL, &context) != 0)
        return false;
    N_Vector vector = N_VMake_Serial(N, x, context);
    SUNMatrix matrix = SUNDenseMatrix(N, N, context);
    SUNLinearSolver solver = SUNLinSol_Dense(vector, matrix, context);
    void *cvode = CVodeCreate(CV_BDF, context);
    const bool done = CVodeInit(cvode, cvode_f, 0.0, vector) == 0 &&
                      CVodeSStolerances(cvode, TOLERANCE, TOLERANCE) == 0 &&
                      CVodeSetLinearSolver(cvode, solver, matrix) == 0 &&
                      CVodeSetMaxNumSteps(cvode, 100000) == 0 && advance_cvode(cvode, vector);
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(vector);
    SUNContext_Free(&context);
    return done;
}

static int gsl_f(double t, const double *x, double *dx, void *self)
{
    (void)t, (void)self;
    double_pendulum(x, dx);
    return GSL_SUCCESS;
}

static bool run_gsl(double *x)
{
    gsl_odeiv2_system system = {.function = gsl_f, .dimension = N};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, TOLERANCE, TOLERANCE);
    double t = 0.0;
    bool done = driver != NULL;
    for (int k = 1; k <= OUTPUTS && done; k++)
        done = gsl_odeiv2_driver_apply(driver, &t, END * k / OUTPUTS, x) == GSL_SUCCESS;
    gsl_odeiv2_driver_free(driver);
    return done;
}

static bool run_rk4(double *x)
{
    double_pendulum_rk4(STEP_SIZE, (long)(END / STEP_SIZE + 0.5), x);
    return true;
}

/* Timings ------------------------------------------------------------------------------------------------- */

typedef struct subject {
    const char *solver;
    bool (*bare)(double *x);
    double tolerance; /* of the comparison */
    double wanted;    /* with errors, in times of the bare one */
    bool errors;
    const ms_system *system;
    double x[N], x_bare[N];
} subject;

static double take_bare(void *self, ms_error *error)
{
    subject *s = self;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int k = 0; k < REPEATS; k++) {
        memcpy(s->x_bare, double_pendulum_start, sizeof s->x_bare);
        if (!s->bare(s->x_bare))
            return ms_fail(error, MS_SOLVER_FAILED, "%s by itself has failed", s->solver);
    }
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* The states of the last row: time, event, x. */
static void last_states(const ms_integration *run, double *x)
{
    const ms_run_series *rows = &run->trajectory;
    memcpy(x, ms_run_series_row(rows, rows->rows - 1) + 2, sizeof(double) * N);
}

static int integrate(subject *s, ms_error *error)
{
    const ms_integrate_options request = {.errors = s->errors};
    ms_integration run;
    ms_options options;
    ms_options_default(&options);
    int status = ms_options_set(&options, "solver", s->solver, error);
    options.solver_rtol = options.solver_atol = TOLERANCE;
    options.given[MS_OPTION_SOLVER_RTOL] = options.given[MS_OPTION_SOLVER_ATOL] = true;
    if (s->bare == run_rk4) {
        options.step_size = STEP_SIZE;
        options.given[MS_OPTION_STEP_SIZE] = true;
    }
    MS_THEN(status, ms_integrate(s->system, &options, OUTPUTS, &request, &run, error));
    if (status != MS_OK)
        return status;
    last_states(&run, s->x);
    ms_integration_destroy(&run);
    return MS_OK;
}

static double take(subject *s, bool errors, ms_error *error)
{
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    s->errors = errors;
    for (int k = 0; k < REPEATS; k++)
        if (integrate(s, error) != MS_OK)
            return NAN;
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static double take_macrostep(void *self, ms_error *error)
{
    return take(self, false, error);
}

static double take_with_errors(void *self, ms_error *error)
{
    return take(self, true, error);
}

static void measure_solver(ms_benchmark *b, subject *s)
{
    ms_timing whole = ms_timing_of("macrostep", take_macrostep, s, REPEATS, "integration"),
              errors = ms_timing_of("with errors", take_with_errors, s, REPEATS, "integration"),
              bare = ms_timing_of("bare", take_bare, s, REPEATS, "integration");
    ms_timing *const timings[] = {&whole, &errors, &bare};
    const ms_ratio ratios[] = {
        {"integrate / bare", &whole, &bare, .wanted = MS_WANTED_NOTHING},
        {"with errors / bare", &errors, &bare, .wanted = MS_WANTED_AT_MOST, .bound = s->wanted}};
    char name[64];
    snprintf(name, sizeof name, "double-pendulum, %s", s->solver);
    if (!ms_benchmark_measure(b, name, ROUNDS, 3, timings, 2, ratios))
        return;
    for (int i = 0; i < N; i++)
        if (!(fabs(s->x[i] - s->x_bare[i]) <= s->tolerance))
            ms_benchmark_fail(b, "%s: state %d is %.10g, bare %.10g", name, i, s->x[i], s->x_bare[i]);
}

static void measure(ms_benchmark *b, const ms_system *system)
{
    subject subjects[] = {
        {.solver = "cvode-bdf", .bare = run_cvode, .tolerance = 1e-4, .wanted = 1.5, .system = system},
        {.solver = "gsl-rk8pd", .bare = run_gsl, .tolerance = 1e-4, .wanted = 5.0, .system = system},
        {.solver = "rk4", .bare = run_rk4, .tolerance = 1e-9, .wanted = 5.0, .system = system}};
    for (int k = 0; k < MS_COUNT(subjects); k++)
        measure_solver(b, &subjects[k]);
}

int main(int argc, char **argv)
{
    return ms_benchmark_of_model("integrate", "double-pendulum", measure, argc, argv);
}
