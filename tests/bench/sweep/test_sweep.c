/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways through the grid of a sweep. */
#include <macrostep/model.h>
#include "sweep.h"
#include "unit_test.h"

/* Threads share the call: what one of them comes to is in its point, and nothing of it in the arguments. */
static void points_leave_the_arguments_as_they_are(void **state)
{
    char *argv[] = {"sweep",  "--models",  "spring-mass", "--scheme",
                    "jacobi", "--cases",   "first",       "--extrapolation-order",
                    "0",      "--outputs", "corrected",   "--set",
                    "c=1,2,3"};
    ms_arguments arguments;
    ms_sweep sweep;
    ms_error error;
    (void)state;
    assert_int_equal(ms_arguments_read(13, argv, &arguments, &error), MS_OK);
    assert_int_equal(ms_sweep_create(&arguments, &sweep, &error), MS_OK);
    ms_sweep_cursor cursor = {.sweep = &sweep};
    ms_sweep_point point = {0};
    bool more = true;
    int rows = 0;
    double sum = 0.0;
    while (more) {
        assert_int_equal(ms_sweep_next(&cursor, &point, &more, &error), MS_OK);
        assert_true(arguments.settings[0].value == 1.0);
        sum += more ? point.settings[0].value : 0.0;
        rows += more;
    }
    assert_int_equal(rows, 18); /* three values, kinds of smoothing, two step sizes */
    assert_true(sum == 36.0);
    ms_sweep_point_destroy(&point);
    ms_sweep_cursor_destroy(&cursor);
    ms_sweep_destroy(&sweep);
    ms_arguments_destroy(&arguments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_leave_the_arguments_as_they_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
