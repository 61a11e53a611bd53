/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_region_failures.c - maps, boundary curves and critical steps of functions that fail, and calls that are wrong. */
#include <math.h>

#include <macrostep/region.h>
#include "plane_function.h"
#include "unit_test.h"

enum { LINES = 40 };

static double radius(double x, double y)
{
    return hypot(x, y);
}

static int fails(void *context, double x, double y, double *value, ms_error *error)
{
    (void)context;
    *value = hypot(x, y);
    return x > 1.0 ? ms_fail(error, MS_SOLVER_FAILED, "beyond 1") : MS_OK;
}

static int refuses_to_open(void *self, void **context, ms_error *error)
{
    (void)self;
    (void)context;
    return ms_fail(error, MS_NO_MEMORY, "not today");
}

static void test_failures(void **state)
{
    (void)state;
    support_plane_function *const f = radius;
    double x[LINES], y[LINES], value[LINES * LINES] = {0.0};
    ms_region_grid grid = {LINES, LINES, x, y};
    ms_field field = {.value = fails};
    ms_boundary b;
    ms_critical c;
    ms_error error = {0};
    const volatile sig_atomic_t stop = 1;
    for (int i = 0; i < LINES; i++)
        x[i] = y[i] = -1.5 + 3.0 * i / (LINES - 1);
    for (int threads = 1; threads <= 2; threads++) {
        const ms_effort effort = {.threads = threads};
        assert_int_equal(ms_region_map(&field, &grid, &effort, value, &error), MS_SOLVER_FAILED);
        assert_string_equal(error.text, "beyond 1");
        assert_int_equal(ms_region_trace(&field, &grid, 1.0, 1e-6, NULL, &effort, &b, &error),
                         MS_SOLVER_FAILED);
        assert_null(b.points);
        assert_int_equal(ms_region_critical(&field, 2.0, &effort, &c, &error), MS_SOLVER_FAILED);
        assert_null(c.interval);
    }
    field = (ms_field){.open = refuses_to_open, .value = fails};
    assert_int_equal(ms_region_map(&field, &grid, NULL, value, &error), MS_NO_MEMORY);
    field = (ms_field){.self = (void *)&f, .value = support_plane_value};
    assert_int_equal(ms_region_map(&field, &grid, &(ms_effort){.threads = 2, .stop = &stop}, value, &error),
                     MS_INTERRUPTED);
    x[3] = x[2];
    assert_int_equal(ms_region_trace(&field, &grid, 1.0, 1e-6, NULL, NULL, &b, &error), MS_INVALID);
    grid.ny = 1;
    assert_int_equal(ms_region_map(&field, &grid, NULL, value, &error), MS_INVALID);
    assert_int_equal(ms_region_critical(&field, 0.0, NULL, &c, &error), MS_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
