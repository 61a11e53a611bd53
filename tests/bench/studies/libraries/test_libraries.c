/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_libraries.c - values that other programs publish: all are reproduced. */

#include "figure_run.h"
#include "unit_test.h"

static void manipulator_is_reproduced(void **state)
{
    (void)state;
    support_figure_expect_verdicts("libraries:lim-manipulator", 10, 0, NULL);
}

static void dual_mass_oscillator_is_reproduced(void **state)
{
    (void)state;
    support_figure_expect_verdicts("libraries:dual-mass-oscillator", 2, 0, NULL);
}

static void precice_oscillator_is_reproduced(void **state)
{
    (void)state;
    support_figure_expect_verdicts("libraries:precice-oscillator", 12, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(manipulator_is_reproduced),
                                       cmocka_unit_test(dual_mass_oscillator_is_reproduced),
                                       cmocka_unit_test(precice_oscillator_is_reproduced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
