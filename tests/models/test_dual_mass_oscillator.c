/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dual_mass_oscillator.c - dual-mass-oscillator against its solution. */

#include "coupled.h"
#include "support.h"
#include "unit_test.h"

/* Exact solutions at t = 10, by the exponential of the matrix in higher precision. */
static void dual_mass_follows_its_solution(void **state)
{
    (void)state;
    ms_system *system = support_system("dual-mass-oscillator", "");
    double x[4], dx[4];
    support_reference(system, 10.0, x);
    support_near(x[0], 0.051040814056552, 1e-13);
    support_near(x[2], 0.0316413383731974, 1e-13);
    support_random_vector(x, 4);
    const double F = 10.0 * (x[2] - x[0]) + 0.5 * (x[3] - x[1]);
    support_monolithic(system, x, dx);
    support_near_relative(dx[1], -10.0 * x[0] - 0.2 * x[1] + F, 1e-13, "v1'", "dual-mass-oscillator");
    support_near_relative(dx[3], -20.0 * x[2] - 0.3 * x[3] - F, 1e-13, "v2'", "dual-mass-oscillator");
    assert_int_equal(system->n_bonds, 1);
    ms_system_destroy(&system);
}

/* The energy is a quadratic form, so that E(x + x') - E(x - x') is twice its rate. */
static void bonded_masses_lose_what_dampers_take(void **state)
{
    (void)state;
    ms_system *system = support_system("dual-mass-oscillator", "case=bonded");
    double x[5], dx[5], there[5], back[5];
    support_reference(system, 10.0, x);
    support_near(x[0], 0.051040814056552, 1e-13);
    support_near(x[2], 0.0316413383731974, 1e-13);
    support_near(x[4], x[2] - x[0], 1e-13);
    support_random_vector(x, 5);
    support_monolithic(system, x, dx);
    for (int j = 0; j < 5; j++) {
        there[j] = x[j] + dx[j];
        back[j] = x[j] - dx[j];
    }
    const double rate = 0.5 * (ms_system_energy(system, there) - ms_system_energy(system, back));
    const double v = x[3] - x[1];
    support_near(rate, -0.2 * x[1] * x[1] - 0.3 * x[3] * x[3] - 0.5 * v * v, 1e-12);
    assert_int_equal(system->n_bonds, 2);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dual_mass_follows_its_solution),
        cmocka_unit_test(bonded_masses_lose_what_dampers_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
