/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of stability between nodes of a line, against roots that are known. */

#include <math.h>

#include <macrostep/region.h>
#include "unit_test.h"

/* 1 + sin(x): stable where sin(x) <= 0. */
static int wave(void *self, double x, double y, double *value, ms_error *error)
{
    (void)self, (void)y, (void)error;
    *value = 1.0 + sin(x);
    return MS_OK;
}

enum { N = 41 };

static ms_critical intervals(bool descending, double *x)
{
    const ms_field field = {.value = wave};
    ms_critical critical;
    ms_error error;
    double known[N];
    for (int k = 0; k < N; k++) {
        x[k] = -1.0 + 0.25 * (descending ? N - 1 - k : k);
        known[k] = 1.0 + sin(x[k]);
    }
    assert_int_equal(ms_region_intervals(&field, N, x, known, NULL, &critical, &error), MS_OK);
    return critical;
}

/* From -1 to 9: sin(x) <= 0 on [-1, 0], [pi, 2 pi]; at 9 > 2 pi it is positive. */
static void changes_are_the_roots(void **state)
{
    const double pi = acos(-1.0);
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        double x[N];
        ms_critical c = intervals(turn == 1, x);
        assert_int_equal(c.n, 2);
        assert_true(fabs(c.interval[0][0] - (-1.0)) <= 0.0);
        assert_true(fabs(c.interval[0][1] - (0.0)) <= 2e-10);
        assert_true(fabs(c.interval[1][0] - (pi)) <= 1e-8);
        assert_true(fabs(c.interval[1][1] - (2.0 * pi)) <= 1e-8);
        assert_true(fabs(c.first - (0.0)) <= 2e-10);
        ms_critical_destroy(&c);
    }
}

/* Stable all along, and nowhere. */
static void no_change(void **state)
{
    const ms_field field = {.value = wave};
    const double x[] = {1.0, 2.0}, low[] = {0.5, 0.5}, high[] = {2.0, NAN};
    ms_critical c;
    ms_error error;
    (void)state;
    assert_int_equal(ms_region_intervals(&field, 2, x, low, NULL, &c, &error), MS_OK);
    assert_int_equal(c.n, 1);
    assert_true(isnan(c.first));
    assert_int_equal(c.evaluations, 0);
    ms_critical_destroy(&c);
    assert_int_equal(ms_region_intervals(&field, 2, x, high, NULL, &c, &error), MS_OK);
    assert_int_equal(c.n, 0);
    assert_true(fabs(c.first - (0.0)) <= 0.0);
    ms_critical_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_the_roots), cmocka_unit_test(no_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
