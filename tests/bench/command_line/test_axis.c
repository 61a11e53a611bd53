/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists where one value stands: what is given stays as it is, points of ranges are the decimals that one means. */
#include <math.h>

#include "axis.h"
#include "unit_test.h"

static ms_axis axis_of(const char *text)
{
    ms_axis axis;
    ms_error error = {0};
    assert_int_equal(ms_axis_create("--step-size", "step-size", text, &axis, &error), MS_OK);
    return axis;
}

/* The range has these values, as doubles. */
static void has(const char *range, int n, const double *value)
{
    ms_axis axis = axis_of(range);
    assert_int_equal(axis.n, n);
    for (int k = 0; k < n; k++) {
        double found;
        assert_true(ms_axis_number(&axis, k, &found));
        if (found != value[k])
            fail_msg("%s: value %d is %.17g, not %.17g", range, k, found, value[k]);
    }
    ms_axis_destroy(&axis);
}

static void points_are_the_decimals_that_are_meant(void **state)
{
    (void)state;
    has("0.08:0.0025:log:6", 6, (const double[]){0.08, 0.04, 0.02, 0.01, 0.005, 0.0025});
    has("1e-6:1:log:7", 7, (const double[]){1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0});
    has("1e12:1e-12:log:9", 9, (const double[]){1e12, 1e9, 1e6, 1e3, 1.0, 1e-3, 1e-6, 1e-9, 1e-12});
    has("-0.2:0.4:lin:4", 4, (const double[]){-0.2, 0.0, 0.2, 0.4});
    has("-1:1:lin:5", 5, (const double[]){-1.0, -0.5, 0.0, 0.5, 1.0});
    has("0.1:0.7:lin:7", 7, (const double[]){0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7});
    has("1:1.000001:lin:3", 3, (const double[]){1.0, 1.0000005, 1.000001});
}

/* No decimal of few digits is near: the value is what the formula says. */
static void other_points_stay(void **state)
{
    (void)state;
    has("1:10:log:3", 3, (const double[]){1.0, exp(0.5 * log(10.0)), 10.0});
    has("0:1:lin:4", 4, (const double[]){0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0});
}

/* What is written is what is meant: ends, and every value of a list. */
static void what_is_given_is_exact(void **state)
{
    (void)state;
    ms_axis list = axis_of("0.039999999999999994,0.04,1e-3");
    assert_string_equal(ms_axis_value(&list, 0), "0.039999999999999994");
    assert_string_equal(ms_axis_value(&list, 1), "0.04");
    assert_string_equal(ms_axis_value(&list, 2), "1e-3");
    ms_axis_destroy(&list);
    has("0.039999999999999994:0.30000000000000004:lin:2", 2,
        (const double[]){0.039999999999999994, 0.30000000000000004});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_the_decimals_that_are_meant),
                                       cmocka_unit_test(other_points_stay),
                                       cmocka_unit_test(what_is_given_is_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
