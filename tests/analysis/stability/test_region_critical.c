/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_region_critical.c - critical step sizes of functions whose stable intervals are known. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/region.h>
#include "plane_function.h"
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

/* Two motions and their mirror images: frequencies 76 apart, decay 5e-5 a unit, coupling 1e-4. Apart from their meetings no
 * eigenvalue feels another, so that nothing of the tongues shows between them. */
static const double fast = 82.5, slow = 6.5, decay = 5e-5, coupling = 1e-4, turn = 6.283185307179586;

static int coupled(void *context, double x, double y, int *n, double *values, ms_error *error)
{
    (void)context, (void)y, (void)error;
    const double phase = remainder((fast - slow) * x, turn),
                 apart = coupling * coupling - 0.25 * phase * phase;
    const double half = 0.5 * ((fast - slow) * x - phase); /* turns */
    for (int k = 0; k < 2; k++) {
        const double sign = k == 0 ? 1.0 : -1.0, push = apart > 0.0 ? sign * sqrt(apart) : 0.0;
        const double angle = 0.5 * (fast + slow) * x + half + (apart < 0.0 ? sign * sqrt(-apart) : 0.0);
        for (int mirror = 0; mirror < 2; mirror++) {
            values[4 * k + 2 * mirror] = exp(push - decay * x) * cos(angle);
            values[4 * k + 2 * mirror + 1] = exp(push - decay * x) * sin(angle) * (mirror == 0 ? 1.0 : -1.0);
        }
    }
    *n = 4;
    return MS_OK;
}

static int coupled_radius(void *context, double x, double y, double *value, ms_error *error)
{
    double values[8];
    int n;
    const int status = coupled(context, x, y, &n, values, error);
    *value = fmax(hypot(values[0], values[1]), hypot(values[4], values[5]));
    return status;
}

/* Unstable where coupling^2 - (rate (x - middle))^2/4 > (decay x)^2, an interval between the roots of a quadratic. */
static void expect_tongue(double middle, double from, double to)
{
    const double rate = 0.25 * (fast - slow) * (fast - slow), a = rate + decay * decay, b = -rate * middle;
    const double c = rate * middle * middle - coupling * coupling, root = sqrt(b * b - a * c);
    assert_true(fabs(from - (-b - root) / a) <= 1e-9 && fabs(to - (-b + root) / a) <= 1e-9);
}

static void test_resonances(void **state)
{
    (void)state;
    ms_critical c, again;
    const ms_field field = {.value = coupled_radius, .eigenvalues = coupled},
                   blind = {.value = coupled_radius};
    const int tongues = (int)((fast - slow) * coupling / decay / turn); /* decay x < coupling */
    assert_int_equal(ms_region_critical(&field, 2.5, NULL, &c, NULL), MS_OK);
    assert_int_equal(c.n, tongues + 1);
    for (int k = 0; k < tongues; k++)
        expect_tongue((k + 1) * turn / (fast - slow), c.interval[k][1], c.interval[k + 1][0]);
    assert_true(c.looked_into > 0 && (double)c.looked_into == c.crossings);
    assert_int_equal(ms_region_critical(&field, 2.5, &(ms_effort){.threads = 3}, &again, NULL), MS_OK);
    assert_true(again.n == c.n && again.evaluations == c.evaluations);
    assert_memory_equal(again.interval, c.interval, sizeof *c.interval * (size_t)c.n);
    ms_critical_destroy(&again);
    assert_int_equal(ms_region_critical(&blind, 2.5, NULL, &again, NULL), MS_OK);
    assert_true(again.n < c.n / 2 && isnan(again.crossings)); /* the scan alone */
    ms_critical_destroy(&again);
    ms_critical_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_critical),
        cmocka_unit_test(test_resonances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
