/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_estimate_tank.c - the quadruple tank: known parameters are found again, from single and co-simulated
 * responses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/estimate.h>
#include "simulated_output.h"
#include "support.h"
#include "unit_test.h"

enum { ROWS = 61, TANKS = 4 };

static const char *const levels[] = {"tank1.x.x1", "tank2.x.x2", "tank3.x.x3", "tank4.x.x4"};
static const char *const names[] = {"a1", "a2", "a3", "a4"};

/* Levels every second with the run-offs of Table 9.6. */
static ms_series *measured(const ms_series *inputs)
{
    ms_system *system = NULL;
    ms_series *series = NULL;
    ms_simulated_output simulated;
    ms_error error = {{0}};
    const ms_options options = support_options("solver=gsl-rk8pd solver-rtol=1e-13 solver-atol=1e-14");
    assert_int_equal(
        ms_system_create(ms_catalogue_find("quadruple-tank"), "estimated", NULL, 0, &system, NULL), MS_OK);
    if (inputs != NULL)
        assert_int_equal(ms_system_bind_inputs(system, inputs, NULL), MS_OK);
    assert_int_equal(ms_series_create(TANKS, levels, ROWS, &series, NULL), MS_OK);
    for (int row = 0; row < ROWS; row++)
        series->time[row] = row;
    if (ms_simulated_output_create(system, series, &options, false, &simulated, &error) != MS_OK ||
        ms_simulated_output_run(&simulated, system, NULL, series->value, &error) != MS_OK)
        fail_msg("%s", error.text);
    ms_simulated_output_destroy(&simulated);
    ms_system_destroy(&system);
    return series;
}

static double truth(int tank)
{
    ms_system *system = NULL;
    const ms_model *model = ms_catalogue_find("quadruple-tank");
    assert_int_equal(ms_system_create(model, "estimated", NULL, 0, &system, NULL), MS_OK);
    const double value = system->p[ms_model_parameter(model, names[tank])];
    ms_system_destroy(&system);
    return value;
}

static ms_estimate estimate_of(const ms_system *system, const ms_series *series, const ms_series *inputs,
                               int method, const char *options, bool cosimulated)
{
    int list[TANKS];
    ms_estimate estimate;
    ms_error error = {{0}};
    for (int i = 0; i < TANKS; i++)
        list[i] = ms_model_parameter(system->model, names[i]);
    const ms_estimate_options request = {.system = system,
                                         .measurements = series,
                                         .inputs = inputs,
                                         .n = TANKS,
                                         .parameter = list,
                                         .cosimulated = cosimulated,
                                         .options = support_options(options),
                                         .method = (ms_estimate_method)method};
    if (ms_estimate_run(&request, &estimate, &error) != MS_OK)
        fail_msg("%s", error.text);
    return estimate;
}

/* Largest relative distance to the truth. */
static double distance(const ms_estimate *estimate)
{
    double largest = 0.0;
    for (int i = 0; i < TANKS; i++)
        largest = fmax(largest, fabs(estimate->parameter[i].value / truth(i) - 1.0));
    return largest;
}

/* The names of A.3's parameters and start values, and the start near equilibrium that its voltages are chosen
 * for. */
static void the_model_is_that_of_the_source(void **state)
{
    (void)state;
    ms_system *system = support_system("quadruple-tank", NULL);
    double x[TANKS], dx;
    ms_system_start(system, x);
    assert_true(x[0] == 0.0627 && x[1] == 0.06044 && x[2] == 0.024 && x[3] == 0.023);
    /* (A.3) at the start, by hand with u1 = 5.2 and u2 = 5.2 + 1.5 sin 2: tank1 and tank2 */
    const double g2 = 2.0 * 9.81, u2 = 5.2 + 1.5 * sin(2.0), q3 = 0.03e-4 * sqrt(g2 * 0.024),
                 q4 = 0.03e-4 * sqrt(g2 * 0.023);
    double w;
    ms_point at = {.t = 0.0, .x = &x[0], .u = &q3};
    assert_int_equal(ms_subsystem_f(system, 0, &at, &w, &dx), 0);
    support_near(dx, (-0.03e-4 * sqrt(g2 * 0.0627) + q3 + 0.3 * 0.56e-6 * 5.2) / 4.9e-4, 1e-15);
    at = (ms_point){.t = 0.0, .x = &x[1], .u = &q4};
    assert_int_equal(ms_subsystem_f(system, 1, &at, &w, &dx), 0);
    support_near(dx, (-0.03e-4 * sqrt(g2 * 0.06044) + q4 + 0.3 * 0.56e-6 * u2) / 4.9e-4, 1e-15);
    at = (ms_point){.t = 0.0, .x = &x[2]};
    assert_int_equal(ms_subsystem_f(system, 2, &at, &w, &dx), 0);
    support_near(dx, (-q3 + 0.7 * 0.56e-6 * u2) / 4.9e-4, 1e-15);
    at = (ms_point){.t = 0.0, .x = &x[3]};
    assert_int_equal(ms_subsystem_f(system, 3, &at, &w, &dx), 0);
    support_near(dx, (-q4 + 0.7 * 0.56e-6 * 5.2) / 4.9e-4, 1e-15);
    /* d(run-off)/dx = run-off / (2 x) */
    double y, A, B, C, D, scratch[8];
    at = (ms_point){.t = 0.0, .x = &x[0], .u = &q3};
    assert_int_equal(ms_subsystem_g(system, 0, &at, &w, &y), 0);
    assert_int_equal(ms_subsystem_jacobian(system, 0, &at, &w, scratch,
                                           &(ms_blocks){.A = &A, .B = &B, .C = &C, .D = &D}, NULL),
                     0);
    support_near(C / (y / (2.0 * 0.0627)), 1.0, 1e-14);
    support_near(A / (-C / 4.9e-4), 1.0, 1e-14);
    support_near(B * 4.9e-4, 1.0, 1e-14);
    support_near(D, 0.0, 0.0);
    at = (ms_point){.t = 0.0, .x = &x[3]};
    x[3] = -1e-9;
    assert_true(ms_subsystem_f(system, 3, &at, &w, &dx) > 0);
    assert_true(ms_subsystem_g(system, 3, &at, &w, &dx) > 0);
    ms_system_destroy(&system);
}

/* Without noise, from Table 9.5's values and from three times as much. */
static void truth_is_found_without_noise(void **state)
{
    (void)state;
    static const char *const starts[] = {NULL, "a1=8e-6 a2=8e-6 a3=8e-6 a4=1e-6"};
    ms_series *series = measured(NULL);
    for (int k = 0; k < 2; k++)
        for (int method = 0; method < 2; method++) {
            ms_system *system = support_system("quadruple-tank", starts[k]);
            ms_estimate estimate = estimate_of(system, series, NULL, method,
                                               "solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-13", false);
            assert_true(distance(&estimate) < (method == 0 ? 1e-10 : 1e-6));
            assert_true(estimate.sum_start > 0.1 && estimate.sum < (method == 0 ? 1e-18 : 1e-10));
            assert_true(estimate.identifiable && estimate.failed == 0);
            ms_estimate_destroy(&estimate);
            ms_system_destroy(&system);
        }
    ms_series_destroy(&series);
}

/* Sum of twelve uniform numbers: normal to 1 %, standard deviation 1 in units where each has 1/sqrt(3). */
static double normal(unsigned long long *seed)
{
    double sum = 0.0;
    for (int k = 0; k < 12; k++)
        sum += support_random(seed);
    return 0.5 * sum;
}

/* 160 intervals of 95 %: 152 should hold the truth, with a standard deviation of 2.8. */
static void truth_is_within_the_intervals(void **state)
{
    (void)state;
    ms_series *clean = measured(NULL), *noisy = measured(NULL);
    ms_system *system = support_system("quadruple-tank", NULL);
    unsigned long long seed = 11;
    int inside = 0;
    for (int trial = 0; trial < 40; trial++) {
        for (int k = 0; k < ROWS * TANKS; k++)
            noisy->value[k] = clean->value[k] + 5e-4 * normal(&seed);
        ms_estimate estimate = estimate_of(system, noisy, NULL, 0, "solver=rk4", false);
        for (int i = 0; i < TANKS; i++) {
            const ms_estimated *p = &estimate.parameter[i];
            inside += p->lower <= truth(i) && truth(i) <= p->upper;
            assert_true(p->upper - p->lower < 0.05 * p->value);
            assert_true(estimate.column[i].rmse < 0.9 * estimate.column[i].rmse_start || i >= 2);
        }
        assert_true(estimate.column[0].rmse > 3e-4 && estimate.column[0].rmse < 7e-4);
        if (trial < 3) {
            ms_estimate other = estimate_of(system, noisy, NULL, 1, "solver=rk4", false);
            for (int i = 0; i < TANKS; i++) {
                support_near(other.parameter[i].value / estimate.parameter[i].value, 1.0, 2e-6);
                support_near(other.parameter[i].standard_error / estimate.parameter[i].standard_error, 1.0,
                             1e-4);
            }
            ms_estimate_destroy(&other);
        }
        ms_estimate_destroy(&estimate);
    }
    assert_in_range(inside, 143, 159);
    ms_system_destroy(&system);
    ms_series_destroy(&noisy);
    ms_series_destroy(&clean);
}

/* Co-simulated estimates differ from the truth by what the coupling costs: first order with held inputs,
 * second with linear extrapolation; half of the steps do not meet the measured times. */
static void cosimulated_estimates_converge(void **state)
{
    (void)state;
    ms_series *series = measured(NULL);
    ms_system *system = support_system("quadruple-tank", NULL);
    for (int order = 0; order < 2; order++) {
        double error[4];
        for (int k = 0; k < 4; k++) {
            static const double steps[] = {2.0, 1.0, 0.4, 0.2};
            char text[128];
            snprintf(text, sizeof text, "extrapolation-order=%d step-size=%g solver=gsl-rk8pd", order,
                     steps[k]);
            ms_estimate estimate = estimate_of(system, series, NULL, 0, text, true);
            error[k] = distance(&estimate);
            ms_estimate_destroy(&estimate);
        }
        support_near(log(error[0] / error[3]) / log(10.0), order + 1.0, 0.15);
        assert_true(error[0] > error[1] && error[1] > error[2] && error[2] > error[3]);
        assert_true(error[3] < (order == 0 ? 2e-4 : 5e-5));
    }
    ms_estimate sweep = estimate_of(system, series, NULL, 0,
                                    "scheme=gauss-seidel sequence=tank3,tank4,tank1,tank2 "
                                    "extrapolation-order=2 step-size=0.5 solver=gsl-rk8pd",
                                    true);
    assert_true(distance(&sweep) < 1e-6);
    ms_estimate_destroy(&sweep);
    ms_system_destroy(&system);
    ms_series_destroy(&series);
}

/* With other voltages than the model's own, from a series of both pumps. */
static void inputs_from_a_series(void **state)
{
    (void)state;
    static const char *const pumps[] = {"*.w.u1", "*.w.u2"};
    ms_series *inputs = NULL;
    assert_int_equal(ms_series_create(2, pumps, ROWS, &inputs, NULL), MS_OK);
    for (int row = 0; row < ROWS; row++) {
        inputs->time[row] = row;
        inputs->value[2 * row] = row / 10 % 2 == 0 ? 4.0 : 6.5;
        inputs->value[2 * row + 1] = row / 7 % 2 == 0 ? 6.0 : 4.5;
    }
    ms_series *series = measured(inputs), *own = measured(NULL);
    assert_true(support_distance(ROWS * TANKS, series->value, own->value) > 1e-3);
    ms_system *system = support_system("quadruple-tank", NULL);
    ms_estimate estimate = estimate_of(system, series, inputs, 0, "solver=rk4 micro-steps=8", false);
    assert_true(distance(&estimate) < 1e-7);
    ms_estimate_destroy(&estimate);
    estimate = estimate_of(system, series, NULL, 0, "solver=rk4", false);
    assert_true(distance(&estimate) > 1e-3);
    ms_estimate_destroy(&estimate);
    ms_system_destroy(&system);
    ms_series_destroy(&own);
    ms_series_destroy(&series);
    ms_series_destroy(&inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_that_of_the_source),
        cmocka_unit_test(truth_is_found_without_noise),
        cmocka_unit_test(truth_is_within_the_intervals),
        cmocka_unit_test(cosimulated_estimates_converge),
        cmocka_unit_test(inputs_from_a_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
