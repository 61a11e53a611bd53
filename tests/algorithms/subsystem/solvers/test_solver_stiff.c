/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solver_stiff.c - radau-iia-13 and lobatto-iiic-12 on stiff problems whose solutions are known: by closed forms, and at the end
 * of the runs of the Test Set for IVP Solvers (Mazzia, Magherini 2008). */
#include <math.h>
#include <stdio.h>

#include "integration.h"
#include "support.h"
#include "unit_test.h"

static const char *const solvers[] = {"radau-iia-13", "lobatto-iiic-12"};

/* The end of a model given by equations; returns its evaluations of f. */
static long end_of(const char *json, const char *solver, double rtol, double atol, double stop, int nx,
                   double *x)
{
    ms_model *model = support_model_read(json);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options_of("solver=%s solver-rtol=%g solver-atol=%g stop-time=%.17g",
                                                  solver, rtol, atol, stop);
    ms_integration run;
    assert_int_equal(ms_integrate(system, &options, 1, &(ms_integrate_options){0}, &run, NULL), MS_OK);
    assert_int_equal(run.reason, MS_REASON_END_TIME);
    const double *row = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1);
    for (int j = 0; j < nx; j++)
        x[j] = row[2 + j];
    const long evaluations = run.work.rhs_evaluations;
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return evaluations;
}

/* x' = -l (x - cos t) - sin t (Prothero and Robinson): x = cos t. */
static void test_prothero_robinson(void **state)
{
    (void)state;
    static const double rates[] = {1e2, 1e4, 1e6, 1e9};
    for (int k = 0; k < MS_COUNT(solvers); k++)
        for (int l = 0; l < MS_COUNT(rates); l++) {
            char json[512];
            double x[1];
            snprintf(json, sizeof json,
                     "{\"subsystems\": [{\"name\": \"p\", \"states\": {\"x\": {\"derivative\": \"-%g*(x - "
                     "cos(t)) - sin(t)\", \"start\": 1}}}], \"wires\": [], "
                     "\"end\": 10, \"step_size\": 0.1}",
                     rates[l]);
            assert_true(end_of(json, solvers[k], 1e-12, 1e-12, 10.0, 1, x) < 3000);
            support_near(x[0], cos(10.0), 2e-11);
        }
}

static const char robertson[] =
    "{\"subsystems\": [{\"name\": \"p\", \"states\": {"
    "\"a\": {\"derivative\": \"-0.04*a + 1e4*b*c\", \"start\": 1},"
    "\"b\": {\"derivative\": \"0.04*a - 1e4*b*c - 3e7*b*b\"},"
    "\"c\": {\"derivative\": \"3e7*b*b\"}}}], \"wires\": [], \"end\": 1e11, \"step_size\": 1e8}";

static void test_robertson(void **state)
{
    (void)state;
    static const double known[] = {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050};
    for (int k = 0; k < MS_COUNT(solvers); k++) {
        double x[3];
        assert_true(end_of(robertson, solvers[k], 1e-12, 1e-24, 1e11, 3, x) < 30000);
        for (int j = 0; j < 3; j++)
            support_near(x[j] / known[j], 1.0, 1e-11);
    }
}

static const char oregonator[] =
    "{\"subsystems\": [{\"name\": \"p\", \"states\": {"
    "\"a\": {\"derivative\": \"77.27*(b + a*(1 - 8.375e-6*a - b))\", \"start\": 1},"
    "\"b\": {\"derivative\": \"(c - (1 + a)*b)/77.27\", \"start\": 2},"
    "\"c\": {\"derivative\": \"0.161*(a - c)\", \"start\": 3}}}], \"wires\": [], \"end\": 360, "
    "\"step_size\": 0.36}";

static void test_oregonator(void **state)
{
    (void)state;
    static const double known[] = {0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3};
    for (int k = 0; k < MS_COUNT(solvers); k++) {
        double x[3];
        assert_true(end_of(oregonator, solvers[k], 1e-12, 1e-14, 360.0, 3, x) < 60000);
        for (int j = 0; j < 3; j++)
            support_near(x[j] / known[j], 1.0, 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prothero_robinson),
        cmocka_unit_test(test_robertson),
        cmocka_unit_test(test_oregonator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
