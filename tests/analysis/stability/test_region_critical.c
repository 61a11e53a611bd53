/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_region_critical.c - critical step sizes of functions whose stable intervals are known. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plane_function.h"
#include "region.h"
#include "unit_test.h"

static double at_half(double x, double y)
{
    (void)y;
    return x <= 0.0 ? 1.0 : exp(x * (x - 0.5));
}

static double regained(double x, double y) /* stable in [0, 1], [2, 3], and to the end from 4 on */
{
    (void)y;
    return 1.0 + 0.1 * (x < 1.0 ? -x * (1.0 - x) : x * (x - 1.0) * (x - 2.0) * (x - 3.0) * (4.0 - x));
}

static double narrow(double x, double y) /* stable in [0, 1] and for 1e-4 around 1.2345 */
{
    (void)y;
    return x < 1.0 ? 0.9 : 1.0 - 1e-4 + fmin(fabs(x - 1.2345), 0.1);
}

static double conservative(double x, double y)
{
    (void)y;
    return x < 0.7 ? 1.0 + 3e-14 * sin(1e5 * x) : x;
}

static double growing(double x, double y)
{
    (void)y;
    return 1.0 + 2.0 * x * x;
}

static double blow_up(double x, double y) /* NaN counts as unstable */
{
    (void)y;
    return x < 0.25 ? 0.5 : NAN;
}

static double always(double x, double y)
{
    (void)y;
    return exp(-x);
}

static ms_critical find(support_plane_function *f, double end)
{
    ms_critical c, again;
    ms_field field = {.self = &f, .value = support_plane_value};
    assert_int_equal(ms_region_critical(&field, end, NULL, &c, NULL), MS_OK);
    assert_int_equal(ms_region_critical(&field, end, &(ms_effort){.threads = 3}, &again, NULL), MS_OK);
    assert_int_equal(c.n, again.n);
    assert_int_equal(c.evaluations, again.evaluations);
    assert_int_equal(memcmp(c.interval, again.interval, sizeof *c.interval * (size_t)c.n), 0);
    ms_critical_destroy(&again);
    return c;
}

static void expect(support_plane_function *f, double end, double first, int n, const double (*interval)[2])
{
    ms_critical c = find(f, end);
    assert_int_equal(c.n, n);
    if (isnan(first))
        assert_true(isnan(c.first));
    else
        assert_true(fabs(c.first - first) <= 2e-9 * first);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2; i++)
            assert_true(fabs(c.interval[k][i] - interval[k][i]) <= 2e-9 * interval[k][i]);
    ms_critical_destroy(&c);
}

static void test_critical(void **state)
{
    (void)state;
    expect(at_half, 10.0, 0.5, 1, (const double[][2]){{0.0, 0.5}});
    expect(at_half, 1000.0, 0.5, 1, (const double[][2]){{0.0, 0.5}});
    expect(regained, 5.0, 1.0, 3, (const double[][2]){{0.0, 1.0}, {2.0, 3.0}, {4.0, 5.0}});
    expect(narrow, 4.0, 1.0, 2, (const double[][2]){{0.0, 1.0}, {1.2344, 1.2346}});
    expect(conservative, 3.0, 1.0, 1, (const double[][2]){{0.0, 1.0}});
    expect(growing, 3.0, 0.0, 0, NULL);
    expect(blow_up, 1.0, 0.25, 1, (const double[][2]){{0.0, 0.25}});
    expect(always, 7.0, NAN, 1, (const double[][2]){{0.0, 7.0}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_critical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
