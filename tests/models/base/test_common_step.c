/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "common_step.h"
#include "support.h"
#include "unit_test.h"

static void multiples_are_counted(void **state)
{
    (void)state;
    assert_true(ms_steps_within(0.02, 0.1) == 5.0);
    assert_true(ms_steps_within(0.1, 0.3) == 3.0); /* 0.3/0.1 is less than 3 */
    assert_true(ms_steps_within(0.0166666666666667, 1.0 / 60.0) == 1.0);
    assert_true(ms_steps_within(0.0166666666666667, 0.1) == 6.0);
    assert_true(ms_steps_within(0.0166666667, 1.0 / 60.0) == 1.0);
    assert_true(ms_steps_within(0.0333333333, 2.0) == 60.0);
    assert_true(ms_steps_within(0.1, 0.02) == 0.0);
    assert_true(ms_steps_within(0.1, 0.25) == 0.0);
    assert_true(ms_steps_within(0.1, 0.1 * (1.0 + 1e-8)) == 0.0);
    assert_true(ms_steps_within(0.0166666667, 1e4) == 6e5);
    assert_true(ms_steps_within(1e-9, 0.123456789) == 123456789.0);
    assert_true(ms_steps_within(1e-9, 0.123456789123) == 0.0); /* 0.123 of a step is left */
    assert_true(ms_steps_within(1e-12, 0.3) == 3e11);
}

static void a_step_in_decimals_fits_the_whole(void **state)
{
    (void)state;
    assert_true(ms_fitted_step(0.0166666667, 2.0) == 2.0 / 120.0);
    assert_true(ms_fitted_step(0.1, 0.3) == 0.1);
    assert_true(ms_fitted_step(0.1, 0.25) == 0.1);
}

static void the_least_one_is_found(void **state)
{
    (void)state;
    static const double cases[][3] = {{0.1, 0.02, 0.1}, {0.02, 0.1, 0.1}, {0.04, 0.06, 0.12},
                                      {0.0, 0.3, 0.3},  {0.0, 0.0, 0.0},  {1e-3, 1.0 / 60.0, 0.05},
                                      {0.7, 0.3, 2.1}};
    for (int k = 0; k < MS_COUNT(cases); k++)
        support_near(ms_common_step(cases[k][0], cases[k][1]), cases[k][2], 1e-12);
    assert_true(isnan(ms_common_step(1.0, sqrt(2.0))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(multiples_are_counted),
                                       cmocka_unit_test(a_step_in_decimals_fits_the_whole),
                                       cmocka_unit_test(the_least_one_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
