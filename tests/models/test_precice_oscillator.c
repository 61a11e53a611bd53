/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_precice_oscillator.c - precice-oscillator against its closed form and the values that are printed with it. */
#include <math.h>

#include "coupled.h"
#include "support.h"
#include "unit_test.h"

enum { STATES = 4 };

static void closed_form_has_the_printed_values(void **state)
{
    (void)state;
    const double printed[STATES] = {0.25, -2.5519133267298, -0.559016994374948, 8.52757765621291};
    double x[STATES];
    support_precice_oscillator(0.7, x);
    support_near_all(STATES, x, printed, 1e-13);
}

static void coupled_system_follows_the_closed_form(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", NULL);
    for (int k = 0; k <= 10; k++) {
        double x[STATES], expected[STATES];
        support_reference(system, 0.1 * k, x);
        support_precice_oscillator(0.1 * k, expected);
        support_near_all(STATES, x, expected, 1e-11);
    }
    ms_system_destroy(&system);
}

/* The middle spring as a line: the same motion, its elongation, and energies that stay. */
static void as_a_line_it_is_the_same(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "case=line");
    for (int k = 0; k <= 10; k++) {
        double x[STATES + 1], expected[STATES];
        support_reference(system, 0.1 * k, x);
        support_precice_oscillator(0.1 * k, expected);
        support_near_all(STATES, x, expected, 1e-11);
        support_near(x[STATES], expected[2] - expected[0], 1e-11);
        support_near(ms_system_energy(system, x), 10.0 * acos(-1.0) * acos(-1.0), 1e-9);
    }
    assert_int_equal(system->n_lines, 1);
    ms_system_destroy(&system);
}

/* Unequal masses and springs: forces written by hand. */
static void forces_are_those_of_three_springs(void **state)
{
    (void)state;
    ms_system *system = support_system("precice-oscillator", "m1=2 m2=3 k_left=5 k_middle=7 k_right=11");
    const double x[STATES] = {0.3, -2.0, 0.5, 4.0};
    const double expected[STATES] = {-2.0, (-5.0 * 0.3 + 7.0 * (0.5 - 0.3)) / 2.0, 4.0,
                                     (-11.0 * 0.5 + 7.0 * (0.3 - 0.5)) / 3.0};
    double dx[STATES];
    support_monolithic(system, x, dx);
    support_near_all(STATES, dx, expected, 1e-14);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_has_the_printed_values),
        cmocka_unit_test(coupled_system_follows_the_closed_form),
        cmocka_unit_test(as_a_line_it_is_the_same),
        cmocka_unit_test(forces_are_those_of_three_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
