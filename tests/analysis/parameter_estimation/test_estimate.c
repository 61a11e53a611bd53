/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_estimate.c - least squares against closed forms, recovery of known parameters, bounds, rejections. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/estimate.h>
#include "simulated_output.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* A model with a closed form --------------------------------------------------------------------------------
 *
 * x' = -k x, x(0) = A: x = A e^{-k t}; y = g x. The nonlinear twin is defined for
 * 0.02 <= k <= 2.5 only, and `idle` changes it below what its micro-solver is sure of. */
enum { AMPLITUDE, RATE, GAIN, IDLE, COUNT, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    {"A", "1", "start", 1.0, -INFINITY, INFINITY, false, false},
    {"k", "1/s", "rate", 1.0, 0.0, 4.0, false, false},
    {"g", "1", "gain", 1.0, -INFINITY, INFINITY, false, false},
    {"idle", "1", "of no effect", 1.0, -INFINITY, INFINITY, false, false},
    {"count", "1", "a whole number", 1.0, 0.0, 9.0, false, true},
};

static void start(const double *p, const void *data, double *x)
{
    (void)data;
    x[0] = p[AMPLITUDE];
}

static void matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = -p[RATE];
    m->C[0] = p[GAIN];
}

static int fragile_f(const ms_point *at, double *dx)
{
    dx[0] = -at->p[RATE] * at->x[0] * (1.0 + 1e-10 * at->p[IDLE]);
    return at->p[RATE] > 2.5 || at->p[RATE] < 0.02;
}

static int fragile_g(const ms_point *at, double *y)
{
    y[0] = at->p[GAIN] * at->x[0];
    return 0;
}

static const ms_subsystem decaying[] = {
    SUPPORT_SUBSYSTEM("decay", 1, 0, 1, .start = start, .matrices = matrices)};
static const ms_subsystem fragile_one[] = {
    SUPPORT_SUBSYSTEM("decay", 1, 0, 1, .start = start, .f = fragile_f, .g = fragile_g)};
static const ms_model decay =
    SUPPORT_UNCOUPLED("decay", decaying, .parameters = parameters, .n_parameters = N_PARAMETERS,
                      .stop_time = 2.0, .step_size = 0.1);
static const ms_model fragile =
    SUPPORT_UNCOUPLED("fragile", fragile_one, .parameters = parameters, .n_parameters = N_PARAMETERS,
                      .stop_time = 2.0, .step_size = 0.1);

enum { ROWS = 21 };

/* A e^{-k t} + noise at 0, 0.1, .. 2; column x or y. */
static ms_series *decaying_series(const char *column, double A, double k, double noise)
{
    ms_series *series = NULL;
    unsigned long long seed = 5;
    assert_int_equal(ms_series_create(1, &column, ROWS, &series, NULL), MS_OK);
    for (int row = 0; row < ROWS; row++) {
        series->time[row] = 0.1 * row;
        series->value[row] = A * exp(-k * series->time[row]) + noise * support_random(&seed);
    }
    return series;
}

static ms_estimate estimate_of(const ms_estimate_options *request)
{
    ms_estimate estimate;
    ms_error error = {{0}};
    if (ms_estimate_run(request, &estimate, &error) != MS_OK)
        fail_msg("%s", error.text);
    return estimate;
}

static ms_estimate_options options_of(const ms_system *system, const ms_series *series, int n,
                                      const int *list)
{
    return (ms_estimate_options){
        .system = system, .measurements = series, .n = n, .parameter = list, .options = support_options("")};
}

/* The amplitude alone: A = sum e m / sum e^2, its variance s^2 / sum e^2. Student's quantile for 20 degrees
 * of freedom is 2.085963447. */
static void a_linear_problem_has_its_closed_form(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&decay);
    ms_series *series = decaying_series("decay.x.x1", 2.5, 1.0, 0.1);
    const int list[] = {AMPLITUDE};
    double em = 0.0, ee = 0.0, sum = 0.0, start_sum = 0.0;
    for (int row = 0; row < ROWS; row++) {
        const double e = exp(-series->time[row]);
        em += e * series->value[row];
        ee += e * e;
    }
    const double A = em / ee;
    for (int row = 0; row < ROWS; row++) {
        sum += pow(A * exp(-series->time[row]) - series->value[row], 2.0);
        start_sum += pow(exp(-series->time[row]) - series->value[row], 2.0);
    }
    for (int method = 0; method < 2; method++) {
        const double sigma = 0.25, s = sqrt(sum / 20.0), tolerance = method == 0 ? 1e-9 : 1e-5;
        ms_estimate_options request = options_of(system, series, 1, list);
        request.sigma = &sigma;
        request.method = (ms_estimate_method)method;
        ms_estimate estimate = estimate_of(&request);
        const ms_estimated *p = &estimate.parameter[0];
        assert_int_equal(estimate.reason, MS_ESTIMATE_CONVERGED);
        assert_true(p->start == 1.0);
        support_near(p->value, A, tolerance);
        support_near(p->standard_error, s / sqrt(ee), 1e-8);
        support_near(p->upper - p->value, 2.085963447 * s / sqrt(ee), 1e-8);
        support_near(p->value - p->lower, p->upper - p->value, 1e-14);
        support_near(estimate.sum * sigma * sigma, sum, 1e-9);
        support_near(estimate.deviation * sigma, s, 1e-8);
        support_near(estimate.column[0].rmse, sqrt(sum / ROWS), 1e-8);
        support_near(estimate.column[0].rmse_start, sqrt(start_sum / ROWS), 1e-14);
        support_near(estimate.sum_start * sigma * sigma, start_sum, 1e-12);
        support_near(estimate.condition, 1.0, 1e-14);
        assert_int_equal(estimate.degrees_of_freedom, ROWS - 1);
        assert_true(estimate.identifiable && p->identifiable && !p->at_bound && p->standard_error > 0.01);
        ms_estimate_destroy(&estimate);
    }
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* Amplitude and rate by Gauss and Newton's method with the derivatives e and -A t e. */
static void two_parameters_by_gauss_newton(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&decay);
    ms_series *series = decaying_series("decay.y.y1", 2.5, 1.3, 0.1);
    double A = 2.0, k = 1.0, n[3] = {0}, sum = 0.0;
    for (int iteration = 0; iteration < 60; iteration++) {
        double g[2] = {0.0, 0.0};
        n[0] = n[1] = n[2] = sum = 0.0;
        for (int row = 0; row < ROWS; row++) {
            const double t = series->time[row], e = exp(-k * t), r = A * e - series->value[row],
                         d = -A * t * e;
            n[0] += e * e, n[1] += e * d, n[2] += d * d;
            g[0] += e * r, g[1] += d * r;
            sum += r * r;
        }
        const double det = n[0] * n[2] - n[1] * n[1];
        A -= (n[2] * g[0] - n[1] * g[1]) / det;
        k -= (n[0] * g[1] - n[1] * g[0]) / det;
    }
    const double det = n[0] * n[2] - n[1] * n[1], s = sqrt(sum / (ROWS - 2));
    const int list[] = {RATE, AMPLITUDE};
    for (int method = 0; method < 2; method++) {
        ms_estimate_options request = options_of(system, series, 2, list);
        request.method = (ms_estimate_method)method;
        ms_estimate estimate = estimate_of(&request);
        const double tolerance = method == 0 ? 1e-8 : 1e-5;
        support_near(estimate.parameter[0].value, k, tolerance);
        support_near(estimate.parameter[1].value, A, tolerance);
        support_near(estimate.parameter[0].standard_error, s * sqrt(n[0] / det), 1e-6);
        support_near(estimate.parameter[1].standard_error, s * sqrt(n[2] / det), 1e-6);
        support_near(estimate.correlation[1], -n[1] / sqrt(n[0] * n[2]), 1e-5);
        assert_true(estimate.correlation[1] == estimate.correlation[2] && estimate.correlation[0] == 1.0);
        assert_true(estimate.condition > 1.5 && estimate.condition < 10.0);
        ms_estimate_destroy(&estimate);
    }
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* Bounds and rejections ---------------------------------------------------------------------------------- */

/* The measurements decay faster than k may: it is held at 4, and A is what is best there. */
static void a_bound_holds(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&decay);
    ms_series *series = decaying_series("decay.x.x1", 2.0, 9.0, 0.0);
    const int list[] = {AMPLITUDE, RATE};
    double em = 0.0, ee = 0.0;
    for (int row = 0; row < ROWS; row++) {
        const double e = exp(-4.0 * series->time[row]);
        em += e * series->value[row];
        ee += e * e;
    }
    for (int method = 0; method < 2; method++) {
        ms_estimate_options request = options_of(system, series, 2, list);
        request.method = (ms_estimate_method)method;
        ms_estimate estimate = estimate_of(&request);
        support_near(estimate.parameter[1].value, 4.0, method == 0 ? 0.0 : 1e-3);
        assert_true(estimate.parameter[1].value <= 4.0);
        support_near(estimate.parameter[0].value, em / ee, method == 0 ? 1e-8 : 1e-3);
        assert_true(estimate.parameter[1].at_bound && !estimate.parameter[0].at_bound);
        assert_true(isnan(estimate.parameter[1].standard_error) && isnan(estimate.correlation[1]));
        assert_true(estimate.parameter[0].standard_error > 0.0);
        assert_int_equal(estimate.degrees_of_freedom, ROWS - 1);
        ms_estimate_destroy(&estimate);
    }
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* Runs with k > 2.5 fail; the way to k = 0.4 goes on all the same. */
static void runs_that_fail_are_rejected(void **state)
{
    (void)state;
    const ms_setting near_the_edge[] = {{"k", 2.45}};
    ms_system *system = support_system_set(&fragile, near_the_edge, 1);
    ms_series *series = decaying_series("decay.x.x1", 2.0, 0.4, 0.0);
    const int list[] = {AMPLITUDE, RATE};
    for (int method = 0; method < 2; method++) {
        ms_estimate_options request = options_of(system, series, 2, list);
        request.method = (ms_estimate_method)method;
        ms_estimate estimate = estimate_of(&request);
        support_near(estimate.parameter[0].value, 2.0, method == 0 ? 1e-7 : 1e-5);
        support_near(estimate.parameter[1].value, 0.4, method == 0 ? 1e-7 : 1e-5);
        assert_true(method == 0 || estimate.failed > 0);
        ms_estimate_destroy(&estimate);
    }
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* The best k lies where runs fail: quotients there are one-sided, upwards or downwards. The standard error is
 * s / |dr/dk|, dr/dk = -t e^{-k t}. */
static void quotients_beside_a_failure(void **state)
{
    (void)state;
    static const double truth[] = {2.6, 0.01}, edge[] = {2.5, 0.02};
    const int list[] = {RATE};
    for (int side = 0; side < 2; side++) {
        ms_system *system = support_system_of(&fragile);
        ms_series *series = decaying_series("decay.x.x1", 1.0, truth[side], 0.0);
        ms_estimate_options request = options_of(system, series, 1, list);
        ms_estimate estimate = estimate_of(&request);
        const ms_estimated *p = &estimate.parameter[0];
        double sum = 0.0, slope = 0.0;
        for (int row = 0; row < ROWS; row++) {
            const double t = series->time[row], e = exp(-p->value * t);
            sum += pow(e - series->value[row], 2.0);
            slope += t * t * e * e;
        }
        support_near(p->value, edge[side], 1e-4);
        assert_true(estimate.failed > 0 && !p->at_bound);
        support_near(p->standard_error / sqrt(sum / (ROWS - 1) / slope), 1.0, 0.01);
        ms_estimate_destroy(&estimate);
        ms_series_destroy(&series);
        ms_system_destroy(&system);
    }
}

/* Identifiability ---------------------------------------------------------------------------------------- */

/* y = g A e^{-k t}: of g and A only the product is known; `idle` has no effect at all. */
static void what_measurements_do_not_determine(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&decay);
    ms_series *series = decaying_series("decay.y.y1", 2.0, 1.5, 0.01);
    const int list[] = {AMPLITUDE, RATE, GAIN, IDLE};
    ms_estimate_options request = options_of(system, series, 4, list);
    ms_estimate estimate = estimate_of(&request);
    const ms_estimated *p = estimate.parameter;
    assert_false(estimate.identifiable);
    assert_true(!p[0].identifiable && p[1].identifiable && !p[2].identifiable && !p[3].identifiable);
    assert_true(isnan(p[0].standard_error) && p[1].standard_error > 0.0 && isnan(p[2].lower) &&
                isnan(p[3].upper));
    assert_true(isinf(estimate.condition));
    support_near(p[0].value * p[2].value, 2.0, 0.02);
    support_near(p[1].value, 1.5, 0.02);
    assert_true(p[3].value == 1.0);
    ms_estimate_destroy(&estimate);
    request.n = 2;
    estimate = estimate_of(&request);
    assert_true(estimate.identifiable && isfinite(estimate.condition));
    ms_estimate_destroy(&estimate);
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* A column of J that is no longer than round-off of the micro-solver makes it is zero. */
static void noise_determines_nothing(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&fragile);
    ms_series *series = decaying_series("decay.x.x1", 1.0, 1.5, 0.01);
    const int list[] = {RATE, IDLE};
    ms_estimate_options request = options_of(system, series, 2, list);
    ms_estimate estimate = estimate_of(&request);
    assert_true(estimate.parameter[0].identifiable && !estimate.parameter[1].identifiable);
    assert_true(isnan(estimate.parameter[1].standard_error) && isinf(estimate.condition));
    ms_estimate_destroy(&estimate);
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* Ends --------------------------------------------------------------------------------------------------- */

static void early_ends_give_the_best_point(void **state)
{
    (void)state;
    static volatile sig_atomic_t stop = 1;
    ms_system *system = support_system_of(&decay);
    ms_series *series = decaying_series("decay.x.x1", 2.0, 0.5, 0.0);
    const int list[] = {AMPLITUDE, RATE};
    for (int method = 0; method < 2; method++) {
        ms_estimate_options request = options_of(system, series, 2, list);
        request.method = (ms_estimate_method)method;
        request.max_simulations = 8;
        ms_estimate estimate = estimate_of(&request);
        assert_int_equal(estimate.reason, MS_ESTIMATE_MAX_SIMULATIONS);
        assert_true(estimate.sum < estimate.sum_start);
        ms_estimate_destroy(&estimate);
        ms_error error;
        request.stop = &stop;
        assert_int_equal(ms_estimate_run(&request, &estimate, &error), MS_INTERRUPTED);
        assert_null(estimate.parameter);
    }
    ms_series_destroy(&series);
    ms_system_destroy(&system);
}

/* Refusals ----------------------------------------------------------------------------------------------- */

static void refused(const ms_estimate_options *request, const char *what)
{
    ms_estimate estimate;
    ms_error error = {{0}};
    assert_int_equal(ms_estimate_run(request, &estimate, &error), MS_INVALID);
    support_says(error.text, what);
    assert_null(estimate.parameter);
}

static void what_cannot_be_estimated(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&decay);
    ms_series *series = decaying_series("decay.x.x1", 2.0, 0.5, 0.0);
    const int list[] = {AMPLITUDE, COUNT}, twice[] = {RATE, RATE}, three[] = {AMPLITUDE, RATE, GAIN};
    const double zero = 0.0, low[] = {3.0};
    ms_estimate_options request = options_of(system, series, 2, list);
    refused(&request, "parameter count takes whole numbers and cannot be estimated");
    request.parameter = twice;
    refused(&request, "parameter k is named twice");
    request.n = 0;
    refused(&request, "0 parameters: 1 to 64 can be estimated");
    request.n = 1;
    request.sigma = &zero;
    refused(&request, "standard deviation 0 of column decay.x.x1: must be finite and greater than 0");
    request.sigma = NULL;
    request.parameter = three;
    request.n = 3;
    series->rows = 2;
    refused(&request, "2 measurements cannot determine 3 parameters");
    series->rows = ROWS;
    ms_system_destroy(&system);
    const ms_setting fast[] = {{"k", low[0]}};
    system = support_system_set(&fragile, fast, 1);
    request.system = system;
    request.n = 1;
    refused(&request, "the start values of the parameters: solver automatic failed between 0 and 0.1 s");
    request.cosimulated = true;
    refused(&request, "the start values of the parameters: the run ends at 0 s as subsystem-failed: ");
    ms_system_destroy(&system);
    ms_series_destroy(&series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_problem_has_its_closed_form),
        cmocka_unit_test(two_parameters_by_gauss_newton),
        cmocka_unit_test(a_bound_holds),
        cmocka_unit_test(runs_that_fail_are_rejected),
        cmocka_unit_test(quotients_beside_a_failure),
        cmocka_unit_test(what_measurements_do_not_determine),
        cmocka_unit_test(noise_determines_nothing),
        cmocka_unit_test(early_ends_give_the_best_point),
        cmocka_unit_test(what_cannot_be_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
