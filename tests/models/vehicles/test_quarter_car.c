/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_quarter_car.c - quarter-car in its bonded split, with linear and nonlinear damper. */
#include <math.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "coupled.h"
#include "support.h"
#include "unit_test.h"

/* Bonded states: chassis x, v; wheel x, v, xc. By displacements: chassis x, v; wheel x, v. */
enum { BONDED = 5 };

static ms_system *car(double coupling, double exponent)
{
    return support_system_of_case("quarter-car", NULL,
                                  (const ms_setting[]){{"coupling", coupling},
                                                       {"damper_exponent", exponent},
                                                       {"damper_smoothing", 0.01}},
                                  3);
}

/* Force of the suspension, written apart from the model. */
static double force(double exponent, const double *x)
{
    const double v = x[3] - x[1], speed = sqrt(v * v + 1e-4);
    return 15000.0 * (x[2] - x[0]) + 1000.0 * v * pow(speed, exponent - 1.0);
}

static void both_splits_are_one_coupled_system(void **state)
{
    (void)state;
    for (double exponent = 0.5; exponent < 2.0; exponent += 0.5) {
        ms_system *bonded = car(1.0, exponent), *displaced = car(0.0, exponent);
        assert_int_equal(bonded->linear, exponent == 1.0);
        assert_int_equal(displaced->linear, exponent == 1.0);
        for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
            double x[BONDED], dx[BONDED];
            support_random_vector(x, 4);
            x[4] = x[0];
            const double F = force(exponent, x);
            const double expected[BONDED] = {x[1], F / 400.0, x[3], (150000.0 * (0.1 - x[2]) - F) / 40.0,
                                             x[1]};
            support_monolithic(bonded, x, dx);
            for (int j = 0; j < BONDED; j++)
                support_near_relative(dx[j], expected[j], 1e-12, "x'", "bonded");
            support_monolithic(displaced, x, dx);
            for (int j = 0; j < 4; j++)
                support_near_relative(dx[j], expected[j], 1e-12, "x'", "by displacements");
        }
        ms_system_destroy(&bonded);
        ms_system_destroy(&displaced);
    }
}

static double energy(const ms_system *system, int i, const double *x)
{
    return system->sub[i].energy(x + system->x_at[i], system->p, system->sub[i].data);
}

/* dE/dt of both subsystems along dx, by central differences, which are exact for quadratic forms. */
static double power(const ms_system *system, const double *x, const double *dx)
{
    double before[BONDED], after[BONDED], sum = 0.0;
    for (int j = 0; j < BONDED; j++) {
        before[j] = x[j] - 1e-4 * dx[j];
        after[j] = x[j] + 1e-4 * dx[j];
    }
    for (int i = 0; i < 2; i++)
        sum += (energy(system, i, after) - energy(system, i, before)) / 2e-4;
    return sum;
}

/* The coupled system loses what the damper takes, and nothing else. */
static void energy_goes_into_the_damper(void **state)
{
    (void)state;
    for (double exponent = 0.5; exponent <= 1.0; exponent += 0.5) {
        ms_system *system = car(1.0, exponent);
        assert_int_equal(system->n_bonds, 1);
        for (int n = 0; n < SUPPORT_COUPLED_POINTS; n++) {
            double x[BONDED], dx[BONDED];
            support_random_vector(x, 4);
            x[4] = x[0];
            support_monolithic(system, x, dx);
            const double damped = (force(exponent, x) - 15000.0 * (x[2] - x[0])) * (x[3] - x[1]);
            support_near(power(system, x, dx), -damped, 1e-8 * (1.0 + 3e5 * fabs(x[3])));
        }
        ms_system_destroy(&system);
    }
}

static void printed_signs_are_refused(void **state)
{
    (void)state;
    const ms_setting settings[] = {{"coupling", 1.0}, {"printed_signs", 1.0}};
    ms_system *system = NULL;
    ms_error error = {0};
    assert_int_equal(ms_system_create(ms_catalogue_find("quarter-car"), NULL, settings, 2, &system, &error),
                     MS_INVALID);
    assert_non_null(strstr(error.text, "printed_signs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_splits_are_one_coupled_system),
        cmocka_unit_test(energy_goes_into_the_damper),
        cmocka_unit_test(printed_signs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
