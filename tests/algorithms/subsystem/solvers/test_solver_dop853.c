/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solver_dop853.c - dop853 by the conditions of its order and on orbits that are known, and automatic, which hands stiff subsystems
 * over to CVODE. */
#include <math.h>
#include <stdio.h>

#include "dop853_coefficients.h"
#include "integration.h"
#include "support.h"
#include "unit_test.h"

/* The run of a model given by equations. */
static ms_integration run_of(const char *json, const char *solver, double tolerance, double stop, int points)
{
    ms_model *model = support_model_read(json);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options_of("solver=%s solver-rtol=%g solver-atol=%g stop-time=%.17g",
                                                  solver, tolerance, tolerance, stop);
    ms_integration run;
    assert_int_equal(ms_integrate(system, &options, points, &(ms_integrate_options){0}, &run, NULL), MS_OK);
    assert_int_equal(run.reason, MS_REASON_END_TIME);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return run;
}

/* Its last states (nx); returns its evaluations of f. */
static long end_of(const char *json, const char *solver, double tolerance, double stop, int nx, double *x)
{
    ms_integration run = run_of(json, solver, tolerance, stop, 1);
    const double *row = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1);
    for (int j = 0; j < nx; j++)
        x[j] = row[2 + j];
    const long evaluations = run.work.rhs_evaluations;
    ms_integration_destroy(&run);
    return evaluations;
}

/* Coefficients ------------------------------------------------------------------------------------------- */

/* Stages lie where their rows say: sum_j a_ij = c_i. */
static void test_rows_sum_to_nodes(void **state)
{
    (void)state;
    for (int i = 0; i < STAGES_DENSE; i++) {
        double sum = 0.0;
        for (int j = 0; j < i; j++)
            sum += dop853_a[i][j];
        support_near(sum, dop853_c[i], 1e-14);
    }
}

/* Quadrature: sum_j b_j c_j^k = 1 / (k + 1) up to k = 7, and with a behind it sum_j b_j sum_l a_jl c_l^k = 1 / ((k + 1) (k + 2)). */
static void test_order_conditions(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        double sum = 0.0, nested = 0.0;
        for (int j = 0; j < STAGES; j++) {
            sum += dop853_a[STAGES][j] * pow(dop853_c[j], k);
            for (int l = 0; l < j; l++)
                nested += dop853_a[STAGES][j] * dop853_a[j][l] * pow(dop853_c[l], k);
        }
        support_near(sum, 1.0 / (k + 1), 1e-14);
        if (k < 7)
            support_near(nested, 1.0 / ((k + 1) * (k + 2)), 1e-14);
    }
}

/* Embedded methods differ from the step by what vanishes for polynomials: degree 4 and 2. */
static void test_errors_vanish_for_polynomials(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        double fifth = 0.0, third = 0.0;
        for (int j = 0; j < STAGES; j++) {
            fifth += dop853_e5[j] * pow(dop853_c[j], k);
            third += dop853_e3[j] * pow(dop853_c[j], k);
        }
        support_near(fifth, 0.0, 1e-14);
        if (k < 3)
            support_near(third, 0.0, 1e-14);
    }
}

/* Orbits ------------------------------------------------------------------------------------------------- */

/* The restricted problem of three bodies, in coordinates that turn (Hairer, Norsett, Wanner, II.0): a closed orbit. */
static const char arenstorf[] =
    "{\"parameters\": {\"m\": 0.012277471}, \"subsystems\": [{\"name\": \"p\", \"states\": {"
    "\"x\": {\"derivative\": \"vx\", \"start\": 0.994}, \"y\": {\"derivative\": \"vy\"},"
    "\"vx\": {\"derivative\": \"x + 2*vy - (1 - m)*(x + m)/((x + m)^2 + y^2)^1.5 - m*(x - 1 + m)/((x - 1 + m)^2 + y^2)^1.5\"},"
    "\"vy\": {\"derivative\": \"y - 2*vx - (1 - m)*y/((x + m)^2 + y^2)^1.5 - m*y/((x - 1 + m)^2 + y^2)^1.5\", "
    "\"start\": -2.00158510637908252240537862224}}}], \"wires\": [], \"end\": 20, \"step_size\": 1}";

static const double period = 17.0652165601579625588917206249;

static void test_arenstorf(void **state)
{
    (void)state;
    double x[4], loose[4];
    const long dear = end_of(arenstorf, "dop853", 1e-12, period, 4, x);
    const long cheap = end_of(arenstorf, "dop853", 1e-6, period, 4, loose);
    support_near(x[0], 0.994, 1e-8);
    support_near(x[1], 0.0, 1e-8);
    assert_true(fabs(loose[1]) > fabs(x[1])); /* the orbit magnifies errors a million times */
    assert_true(cheap < dear && dear < 5000);
}

/* x'' = -x: places within long steps are as exact as their ends. */
static void test_dense(void **state)
{
    (void)state;
    static const char oscillator[] =
        "{\"subsystems\": [{\"name\": \"p\", \"states\": {\"x\": {\"derivative\": \"v\", \"start\": 1}, "
        "\"v\": {\"derivative\": \"-x\"}}}], \"wires\": [], \"end\": 10, \"step_size\": 10}";
    ms_integration run = run_of(oscillator, "dop853", 1e-8, 10.0, 1000);
    double worst = 0.0;
    for (int k = 0; k < run.trajectory.rows; k++) {
        const double *row = ms_run_series_row(&run.trajectory, k);
        worst = fmax(worst, fmax(fabs(row[2] - cos(row[0])), fabs(row[3] + sin(row[0]))));
    }
    assert_true(run.trajectory.rows > 1000 && run.work.micro_steps < 30);
    support_near(worst, 0.0, 5e-7);
    assert_true(run.work.rhs_evaluations < 16 * (run.work.micro_steps + run.work.error_test_failures) + 4);
    ms_integration_destroy(&run);
}

/* automatic ---------------------------------------------------------------------------------------------- */

/* Where nothing is stiff it is dop853, bit by bit. */
static void test_automatic_is_explicit(void **state)
{
    (void)state;
    double x[4], y[4];
    assert_int_equal(end_of(arenstorf, "automatic", 1e-9, period, 4, x),
                     end_of(arenstorf, "dop853", 1e-9, period, 4, y));
    for (int j = 0; j < 4; j++)
        assert_true(x[j] == y[j]);
}

/* x' = -l (x - cos t) - sin t (Prothero and Robinson): x = cos t, however stiff. */
static void test_automatic_hands_over(void **state)
{
    (void)state;
    static const double rates[] = {1.0, 1e2, 1e4, 1e6, 1e9};
    for (int l = 0; l < MS_COUNT(rates); l++) {
        char json[512];
        double x[1];
        snprintf(json, sizeof json,
                 "{\"subsystems\": [{\"name\": \"p\", \"states\": {\"x\": {\"derivative\": \"-%g*(x - "
                 "cos(t)) - sin(t)\", \"start\": 1}}}], \"wires\": [], \"end\": 10, \"step_size\": 0.1}",
                 rates[l]);
        assert_true(end_of(json, "automatic", 1e-10, 10.0, 1, x) < 20000);
        support_near(x[0], cos(10.0), 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_sum_to_nodes),
        cmocka_unit_test(test_order_conditions),
        cmocka_unit_test(test_errors_vanish_for_polynomials),
        cmocka_unit_test(test_arenstorf),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_automatic_is_explicit),
        cmocka_unit_test(test_automatic_hands_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
