/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_region_trace_place.c - points of boundaries whose curves are known: within the tolerance, at any number of lines, or named. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/model.h>
#include <macrostep/region.h>
#include "plane_function.h"
#include "unit_test.h"

enum { LINES_MAX = 400 };

typedef struct axes {
    double x[LINES_MAX], y[LINES_MAX];
    ms_region_grid grid;
} axes;

static double between(double from, double to, bool logarithmic, double part)
{
    return logarithmic ? from * pow(to / from, part) : from + part * (to - from);
}

static void fill(axes *a, int n, double from, double to, bool logarithmic)
{
    for (int k = 0; k < n; k++)
        a->x[k] = a->y[k] = between(from, to, logarithmic, (double)k / (n - 1));
    a->grid = (ms_region_grid){n, n, a->x, a->y};
}

static ms_boundary trace(const axes *a, support_plane_function *f, double tolerance, int threads)
{
    ms_boundary b;
    ms_field field = {.self = &f, .value = support_plane_value};
    assert_int_equal(ms_region_trace(&field, &a->grid, MS_REGION_LEVEL, tolerance, NULL,
                                     &(ms_effort){.threads = threads}, &b, NULL),
                     MS_OK);
    assert_true(b.begin[b.n] > 0);
    return b;
}

/* Smooth: xy = 1 -------------------------------------------------------------------------------------------- */

static double hyperbola(double x, double y) /* over three decades of values */
{
    return pow(x * y, 1.5);
}

static double far_off(double x, double y) /* bent, and huge on one side */
{
    return exp(20.0 * (x * y - 1.0));
}

static double tamed(double x, double y) /* a secant hardly moves */
{
    const double d = x * y - 1.0;
    return 1.0 + d / (1e-3 + fabs(d));
}

/* On a line of the grid one coordinate is exact, and the other is off by at most the tolerance. */
static void check_smooth(const axes *a, support_plane_function *f, double tolerance)
{
    ms_boundary b = trace(a, f, tolerance, 1);
    for (int k = 0; k < b.begin[b.n]; k++) {
        assert_true(fabs(b.points[2 * k] * b.points[2 * k + 1] - 1.0) <= tolerance + 1e-9);
        assert_int_equal(b.kind[k], MS_CROSSING_REGULAR);
    }
    assert_true(b.width <= tolerance);
    assert_true(b.residual <= 1e4 * tolerance);
    ms_boundary_destroy(&b);
}

static void any_grid_has_the_tolerance(void **state)
{
    (void)state;
    static support_plane_function *const functions[] = {hyperbola, far_off, tamed};
    static const int lines[] = {3, 80, 120, 200, 400};
    static axes a;
    for (int f = 0; f < MS_COUNT(functions); f++)
        for (int n = 0; n < MS_COUNT(lines); n++)
            for (double tolerance = 1e-2; tolerance > 1e-9; tolerance *= 1e-2) {
                fill(&a, lines[n], 0.02, 30.0, true);
                check_smooth(&a, functions[f], tolerance);
                fill(&a, lines[n], 30.0, 0.02, false);
                check_smooth(&a, functions[f], tolerance);
            }
}

static void the_curve_costs_a_few_evaluations_a_point(void **state)
{
    (void)state;
    static axes a;
    fill(&a, 120, 0.02, 30.0, true);
    ms_boundary wide = trace(&a, hyperbola, 1.0, 1), fine = trace(&a, hyperbola, 1e-6, 1);
    const int points = fine.begin[fine.n];
    assert_int_equal(points, wide.begin[wide.n]);
    assert_true(fine.evaluations - wide.evaluations <= 5 * points); /* bisection takes 16 */
    ms_boundary_destroy(&wide);
    ms_boundary_destroy(&fine);
}

/* What has no slope, or no value ---------------------------------------------------------------------------- */

static double flat(double x, double y)
{
    (void)y;
    return 1.0 + MS_REGION_TOLERANCE + pow(x - 1.2345, 3.0);
}

static double steep(double x, double y) /* eigenvalues that meet */
{
    (void)y;
    return x < 1.2345 ? 1.0 : 1.0 + sqrt(x - 1.2345);
}

static double jump(double x, double y)
{
    (void)y;
    return x < 1.2345 ? 0.9 : 1.2;
}

static double ends(double x, double y) /* nothing from there on but at the nodes */
{
    (void)y;
    return x < 1.2345 ? 0.9 : x == 1.4 ? 1.2 : NAN;
}

static double whole_numbers(double x, double y)
{
    (void)y;
    return x == 1.0 ? 0.9 : x == 1.4 ? 1.2 : NAN;
}

static double lost(double x, double y)
{
    (void)y;
    return x < 1.2345 ? 0.9 : INFINITY;
}

static void points_are_named(void **state)
{
    (void)state;
    static const struct {
        support_plane_function *f;
        ms_crossing_kind kind;
        double off; /* of the place */
    } rows[] = {{flat, MS_CROSSING_FLAT, 1e-5},      {steep, MS_CROSSING_STEEP, 2e-6},
                {jump, MS_CROSSING_JUMP, 2e-6},      {ends, MS_CROSSING_UNDEFINED, 2e-6},
                {lost, MS_CROSSING_UNDEFINED, 2e-6}, {whole_numbers, MS_CROSSING_UNDEFINED, 0.4}};
    static const double x[] = {1.0, 1.4}, y[] = {1.0, 2.0, 3.0};
    for (int k = 0; k < MS_COUNT(rows); k++) {
        const axes a = {.grid = {2, 3, x, y}};
        ms_boundary b = trace(&a, rows[k].f, 1e-6, 1);
        assert_int_equal(b.n, 1);
        assert_int_equal(b.begin[1], 3);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(b.kind[i], rows[k].kind);
            assert_true(fabs(b.points[2 * i] - 1.2345) <= rows[k].off);
        }
        assert_int_equal(b.kinds[rows[k].kind], 3);
        assert_true(b.width <= 1e-6);
        ms_boundary_destroy(&b);
    }
}

/* On edges that hold 0 the tolerance is that of the edge. */
static double off_centre(double x, double y)
{
    (void)y;
    return 1.0 + x - 1e-12;
}

static void zero_is_a_place(void **state)
{
    (void)state;
    static const double x[] = {-0.01, 0.02}, y[] = {1.0, 2.0};
    const axes a = {.grid = {2, 2, x, y}};
    ms_boundary b = trace(&a, off_centre, 1e-6, 1);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(b.points[2 * i]) <= 0.02 * 1e-6);
    assert_true(b.evaluations < 24);
    ms_boundary_destroy(&b);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    static axes a;
    fill(&a, 150, 0.02, 30.0, true);
    ms_boundary one = trace(&a, tamed, 1e-6, 1), three = trace(&a, tamed, 1e-6, 3);
    const size_t points = (size_t)one.begin[one.n];
    assert_int_equal(one.n, three.n);
    assert_memory_equal(one.points, three.points, sizeof(double) * 2 * points);
    assert_memory_equal(one.kind, three.kind, points);
    assert_true(one.width == three.width && one.residual == three.residual);
    assert_int_equal(one.evaluations, three.evaluations);
    ms_boundary_destroy(&one);
    ms_boundary_destroy(&three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_grid_has_the_tolerance),
        cmocka_unit_test(the_curve_costs_a_few_evaluations_a_point),
        cmocka_unit_test(points_are_named),
        cmocka_unit_test(zero_is_a_place),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
