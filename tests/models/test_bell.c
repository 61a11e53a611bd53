/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bell.c - bell against elliptic integrals, and at rest. */
#include <gsl/gsl_sf_ellint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integration.h"
#include "support.h"
#include "unit_test.h"

static const double pi = 3.14159265358979323846;

static double bell_energy(const double *x)
{
    return 0.5 * x[1] * x[1] + 9.81 * (1.0 - cos(x[0]));
}

/* Impacts come at equal times, known by elliptic integrals: sin(theta / 2) = k sin(phi). */
static void test_bell_period(void **state)
{
    (void)state;
    ms_system *system = support_system("bell", NULL);
    ms_integration run =
        support_integration(system, "solver=cvode-adams solver-rtol=1e-11 solver-atol=1e-11", 100, true);
    const double start[2] = {0.5 * pi, -4.0};
    const double k = sqrt(bell_energy(start) / (2.0 * 9.81)), phi = asin(sin(3.0 * pi / 8.0) / k);
    const double swing = 2.0 / sqrt(9.81) *
                         (gsl_sf_ellint_Kcomp(k, GSL_PREC_DOUBLE) + gsl_sf_ellint_F(phi, k, GSL_PREC_DOUBLE));
    double last = NAN;
    int impacts = 0;
    for (long n = 0; n < run.events.rows; n++) {
        const double *row = ms_run_series_row(&run.events, n), *left = support_integration_left(&run, n),
                     *right = support_integration_right(&run, n);
        support_near(bell_energy(right), bell_energy(left), 1e-14);
        support_near(bell_energy(left), bell_energy(start), 1e-8);
        if (row[1] == 0.0)
            continue;
        support_near(left[0], -0.75 * pi, 1e-14);
        support_near(right[1], -left[1], 0.0);
        assert_int_equal(support_integration_crossed(&run, n, 1), -1);
        if (impacts++ > 0)
            support_near(row[0] - last, swing, 1e-8);
        last = row[0];
    }
    assert_int_equal(impacts, (int)run.state_events);
    assert_int_equal(impacts, 4);
    assert_int_equal(run.step_events, 3);
    assert_true(run.errors_valid && run.max < 1e-6 && run.energy_drift < 1e-8);
    ms_integration_destroy(&run);
    ms_system_destroy(&system);
}

static void test_bell_stuck(void **state)
{
    (void)state;
    static const char *const solvers[] = {"cvode-bdf", "cvode-adams", "arkode-erk", "arkode-dirk"};
    ms_system *system = support_system("bell", "armed-always=1");
    for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
        char options[64];
        snprintf(options, sizeof options, "solver=%s", solvers[k]);
        ms_integration run = support_integration(system, options, 100, false);
        assert_int_equal(run.reason, MS_REASON_SUBSYSTEM_FAILED);
        assert_true(strstr(run.message, "chattering") != NULL);
        assert_true(run.end_time - ms_run_series_row(&run.events, 0)[0] < 1e-9);
        ms_integration_destroy(&run);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bell_period),
        cmocka_unit_test(test_bell_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
