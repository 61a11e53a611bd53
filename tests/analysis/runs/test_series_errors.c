/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_series_errors.c - time series against the reference: one that a loop of its own has computed, with errors by the closed
 * solution; those of runs, whose errors an observer has measured; outputs that another part of the library has computed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/simulation.h>
#include "series_errors.h"
#include "simulated_output.h"
#include "support.h"
#include "unit_test.h"

static ms_series *series_of(int columns, const char *const *names, long rows)
{
    ms_series *series = NULL;
    assert_int_equal(ms_series_create(columns, names, rows, &series, NULL), MS_OK);
    return series;
}

static ms_series_errors measure(const ms_system *system, const ms_series *series)
{
    ms_series_errors errors;
    ms_error error = {{0}};
    if (ms_series_errors_measure(system, series, 0.0, MS_SCALE_NONE, NULL, NULL, &errors, &error) != MS_OK)
        fail_msg("%s", error.text);
    return errors;
}

/* A classical Runge-Kutta method of order 4 on s' = v, v' = -s ------------------------------------------- */

enum { S, V, OSCILLATOR };

static void slope(const double *x, double *dx)
{
    dx[S] = x[V];
    dx[V] = -x[S];
}

static void rk4(double h, double *x)
{
    static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double k[OSCILLATOR] = {0.0}, sum[OSCILLATOR] = {0.0};
    for (int stage = 0; stage < 4; stage++) {
        const double point[] = {x[S] + at[stage] * h * k[S], x[V] + at[stage] * h * k[V]};
        slope(point, k);
        sum[S] += weight[stage] * h * k[S];
        sum[V] += weight[stage] * h * k[V];
    }
    x[S] += sum[S];
    x[V] += sum[V];
}

/* As another tool would write it: (time, spring.F, note, mass.v, spring.s), F = -s. The first step is half as long. */
static ms_series *oscillation(double h, double end)
{
    static const char *const names[] = {"spring.F", "note", "mass.v", "spring.s"};
    const long rows = lround(end / h) + 1;
    ms_series *series = series_of(4, names, rows + 1);
    double x[] = {1.0, 0.0};
    for (long r = 0; r <= rows; r++) {
        const double t = r < 2 ? 0.5 * h * (double)r : h * (double)(r - 1);
        double *value = series->value + 4 * r;
        if (r > 0)
            rk4(t - series->time[r - 1], x);
        series->time[r] = t;
        value[0] = -x[S];
        value[1] = 1e6;
        value[2] = x[V];
        value[3] = x[S];
    }
    return series;
}

/* Errors of a column whose solution is `exact`, by arithmetic of the test's own. */
static ms_state_errors closed_errors(const ms_series *series, int column, double (*exact)(double))
{
    ms_state_errors e = {0};
    double e2 = 0.0, ref2 = 0.0;
    for (long r = 0; r < series->rows; r++) {
        const double before = r > 0 ? series->time[r] - series->time[r - 1] : 0.0;
        const double after = r + 1 < series->rows ? series->time[r + 1] - series->time[r] : 0.0;
        const double ref = exact(series->time[r]), d = series->value[4 * r + column] - ref;
        e.end = fabs(d);
        e.max = fmax(e.max, e.end);
        e2 += 0.5 * (before + after) * d * d; /* the weight of a point in the trapezoidal rule */
        ref2 += 0.5 * (before + after) * ref * ref;
    }
    e.rmse = sqrt(e2 / series->time[series->rows - 1]);
    e.l2 = sqrt(e2 / ref2);
    return e;
}

static double minus_sin(double t)
{
    return -sin(t);
}

static double minus_cos(double t)
{
    return -cos(t);
}

static void expect_errors(const ms_state_errors *value, const ms_state_errors *expected, double tolerance)
{
    support_near(value->max, expected->max, tolerance);
    support_near(value->rmse, expected->rmse, tolerance);
    support_near(value->l2, expected->l2, tolerance);
    support_near(value->end, expected->end, tolerance);
}

static void series_of_another_tool(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", NULL);
    ms_series *series = oscillation(0.2, 10.0);
    ms_series_errors errors = measure(system, series);
    const ms_state_errors F = closed_errors(series, 0, minus_cos), v = closed_errors(series, 2, minus_sin),
                          s = closed_errors(series, 3, cos);
    double drift = 0.0, energy = 0.0;
    assert_int_equal(errors.variables.n, 3);
    assert_int_equal(errors.variables.n_ignored, 1);
    assert_int_equal(errors.variables.ignored[0], 1);
    assert_int_equal(errors.over, MS_VARIABLE_STATE);
    expect_errors(&errors.each[0], &F, 1e-12);
    expect_errors(&errors.each[1], &v, 1e-12);
    expect_errors(&errors.each[2], &s, 1e-12);
    expect_errors(
        &errors.total,
        &(ms_state_errors){fmax(s.max, v.max), fmax(s.rmse, v.rmse), 0.5 * (s.l2 + v.l2), fmax(s.end, v.end)},
        1e-12);
    for (long r = 0; r < series->rows; r++) {
        const double *x = series->value + 4 * r + 2;
        energy = 0.5 * (x[0] * x[0] + x[1] * x[1]);
        drift = fmax(drift, fabs(energy - 0.5));
    }
    assert_true(errors.energy.known);
    support_near(errors.energy.start, 0.5, 0.0);
    support_near(errors.energy.end, energy, 1e-14);
    support_near(errors.energy.drift, drift / 0.5, 1e-12);
    support_near(errors.largest_step, 0.2, 1e-12);
    ms_series_errors_destroy(&errors);
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* Trajectories of runs ----------------------------------------------------------------------------------- */

static ms_series *series_of_trajectory(const ms_trajectory *trajectory)
{
    const int columns = trajectory->columns - 1;
    char(*text)[160] = calloc((size_t)columns, sizeof *text);
    const char **names = calloc((size_t)columns, sizeof *names);
    assert_true(text != NULL && names != NULL);
    for (int k = 0; k < columns; k++) {
        ms_trajectory_name(trajectory, k + 1, text[k], sizeof text[k]);
        names[k] = text[k];
    }
    ms_series *series = series_of(columns, names, trajectory->rows);
    for (long r = 0; r < trajectory->rows; r++) {
        const double *row = ms_trajectory_row(trajectory, r);
        series->time[r] = row[0];
        memcpy(series->value + r * columns, row + 1, sizeof(double) * (size_t)columns);
    }
    free(text);
    free(names);
    return series;
}

/* The first n points go; what is left ends with the same errors. */
static void check_later_start(const ms_system *system, ms_series *series, int n, double end, double noise)
{
    series->rows -= n;
    memmove(series->time, series->time + n, sizeof(double) * (size_t)series->rows);
    memmove(series->value, series->value + n * series->columns,
            sizeof(double) * (size_t)(series->rows * series->columns));
    ms_series_errors errors = measure(system, series);
    support_near(errors.total.end, end, noise);
    ms_series_errors_destroy(&errors);
}

/* The series of a run has the errors that the run was measured to have. */
static void check_run(const char *model, const char *options)
{
    ms_system *system = support_system(model, NULL);
    const ms_options o = support_options(options);
    const ms_simulation_options request = {.errors = true, .trajectory = true};
    ms_simulation run;
    assert_int_equal(ms_simulation_run(system, &o, &request, &run, NULL), MS_OK);
    assert_true(run.errors_valid);
    ms_series *series = series_of_trajectory(&run.trajectory);
    ms_series_errors errors = measure(system, series);
    const double noise =
        100.0 * fmax(run.errors.reference_error, 2.3e-16 * (1.0 + run.errors.reference_scale));
    assert_int_equal(errors.variables.n, system->nx + system->nu + system->ny);
    assert_true(run.errors.max > 10.0 * noise);
    support_near(errors.total.max, run.errors.max, noise);
    support_near(errors.total.end, run.errors.end, noise);
    for (int j = 0; j < system->nx; j++) {
        support_near(errors.each[j].max, run.errors.state[j].max, noise);
        support_near(errors.each[j].end, run.errors.state[j].end, noise);
    }
    assert_int_equal(errors.energy.known, run.energy.known);
    if (errors.energy.known)
        support_near(errors.energy.drift, run.energy.drift, noise / fabs(run.energy.start));
    ms_series_errors_destroy(&errors);
    check_later_start(system, series, 3, run.errors.end, noise);
    ms_series_destroy(&series);
    ms_simulation_destroy(&run);
    ms_system_destroy(&system);
}

static void trajectories_of_runs(void **state)
{
    (void)state;
    check_run("spring-mass", "scheme=gauss-seidel stop-time=10");
    check_run("quarter-car", "extrapolation-order=1");
    check_run("double-pendulum", "step-size=0.01 stop-time=1");
    check_run("impact-oscillator", "");                                       /* events */
    check_run("controlled-car", "step-size=0.4 stop-time=1");                 /* an input that varies */
    check_run("mass-spring-damper", "error-controlled=richardson rtol=1e-4"); /* uneven steps */
}

/* Outputs ------------------------------------------------------------------------------------------------ */

/* Outputs behind an algebraic loop, as another part of the library has computed them; one is moved. */
static void outputs_alone(void **state)
{
    (void)state;
    enum { ROWS = 21 };
    ms_system *system = support_system("double-pendulum", NULL);
    char text[2][MS_VARIABLE_NAME_SIZE];
    for (int j = 0; j < 2; j++)
        ms_series_variable_name(system, system->nx + system->nu + j * (system->ny - 1), text[j]);
    ms_series *series = series_of(2, (const char *const[]){text[0], text[1]}, ROWS);
    for (int r = 0; r < ROWS; r++)
        series->time[r] = 0.1 + 0.04 * r; /* does not begin at the start */
    const ms_options options = support_options("solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-12");
    ms_simulated_output simulated;
    assert_int_equal(ms_simulated_output_create(system, series, &options, false, &simulated, NULL), MS_OK);
    assert_int_equal(ms_simulated_output_run(&simulated, system, NULL, series->value, NULL), MS_OK);
    series->value[2 * 7 + 1] += 0.25;
    ms_series_errors errors = measure(system, series);
    assert_int_equal(errors.over, MS_VARIABLE_OUTPUT);
    assert_false(errors.energy.known);
    support_near(errors.each[0].max, 0.0, 1e-7);
    support_near(errors.each[1].max, 0.25, 1e-7);
    support_near(errors.each[1].end, 0.0, 1e-7);
    support_near(errors.each[1].rmse, 0.25 * sqrt(1.0 / 20.0), 1e-6);
    support_near(errors.total.max, 0.25, 1e-7);
    ms_simulated_output_destroy(&simulated);
    ms_series_errors_destroy(&errors);
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_of_another_tool),
        cmocka_unit_test(trajectories_of_runs),
        cmocka_unit_test(outputs_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
