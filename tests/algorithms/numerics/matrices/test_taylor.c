/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_taylor.c - series against closed forms and against exponentials and phi-functions. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/status.h>
#include "exponential.h"
#include "support.h"
#include "taylor.h"
#include "unit_test.h"

enum { MOST = 7, DEGREE = 3 };

typedef struct problem {
    ms_taylor series;
    double memory[2000];
} problem;

static void prepare(problem *of, int n, const double *A)
{
    assert_true(ms_taylor_size(n, DEGREE) <= sizeof of->memory / sizeof *of->memory);
    ms_taylor_prepare(&of->series, n, DEGREE, A, of->memory);
}

/* f (degree + 1, n) */
static bool expand(problem *of, int degree, const double *f, double h, const double *x)
{
    for (int k = 0; k <= degree; k++)
        memcpy(of->series.f + k * of->series.lanes, f + k * of->series.n,
               sizeof(double) * (size_t)of->series.n);
    return ms_taylor_expand(&of->series, degree, h, x);
}

static double largest(int n, const double *x)
{
    double most = 0.0;
    for (int j = 0; j < n; j++)
        most = fmax(most, fabs(x[j]));
    return most;
}

/* x(h) = e^{Ah} x + sum_k k! h^{k+1} phi_{k+1}(Ah) f_k */
static void by_exponential(int n, const double *A, int degree, const double *f, double h, const double *x,
                           double *at)
{
    double one[MOST * MOST] = {0.0}, E[MOST * MOST], W[(DEGREE + 1) * MOST * MOST], factor = h;
    double *memory = malloc(sizeof *memory * ms_exponential_size(n, n));
    ms_exponential exponential;
    for (int j = 0; j < n; j++)
        one[j * n + j] = 1.0;
    ms_exponential_prepare(&exponential, n, n, A, one, memory);
    assert_int_equal(ms_exponential_evaluate(&exponential, h, degree + 1, E, W), MS_OK);
    for (int i = 0; i < n; i++) {
        at[i] = 0.0;
        for (int j = 0; j < n; j++)
            at[i] += E[i * n + j] * x[j];
    }
    for (int k = 0; k <= degree; factor *= ++k * h)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                at[i] += factor * W[(k * n + i) * n + j] * f[k * n + j];
    free(memory);
}

/* All sizes, with pairs and a last one alone; degrees of f; several theta of one series, and one length after another. */
static void agrees_with_exponentials(void **state)
{
    (void)state;
    static const double theta[] = {0.112, 0.5, 0.887, 1.0}, lengths[] = {1e-6, 0.01, 0.3, 1.0, 0.02};
    unsigned long long seed = 1;
    static problem of;
    for (int n = 1; n <= MOST; n++)
        for (int degree = 0; degree <= DEGREE; degree++) {
            double A[MOST * MOST], f[(DEGREE + 1) * MOST], x[MOST], wanted[MOST], got[MOST];
            for (int j = 0; j < n * n; j++)
                A[j] = 1.5 * support_random(&seed) / n;
            for (int j = 0; j < (degree + 1) * n; j++)
                f[j] = support_random(&seed);
            for (int j = 0; j < n; j++)
                x[j] = support_random(&seed);
            prepare(&of, n, A);
            for (int l = 0; l < MS_COUNT(lengths); l++) {
                assert_true(expand(&of, degree, f, lengths[l], x));
                for (int k = 0; k < MS_COUNT(theta); k++) {
                    by_exponential(n, A, degree, f, theta[k] * lengths[l], x, wanted);
                    ms_taylor_sum(&of.series, theta[k], got);
                    support_near_all(n, got, wanted, 2e-15 * (1.0 + largest(n, wanted)));
                }
            }
        }
}

/* What polynomials drive, by Gauss's formula of three points on many intervals instead of by the series itself. */
static void moments_are_quadratures(void **state)
{
    (void)state;
    enum { INTERVALS = 128, POINTS = 3 };
    static const double node[POINTS] = {0.1127016653792583, 0.5, 0.8872983346207417},
                        weight[POINTS] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0}, lengths[] = {1e-3, 0.2, 1.0};
    unsigned long long seed = 7;
    static problem of, against;
    for (int n = 1; n <= MOST; n++)
        for (int l = 0; l < MS_COUNT(lengths); l++) {
            const double h = lengths[l], none[MOST] = {0.0};
            double A[MOST * MOST], f[(DEGREE + 1) * MOST], pilot[MOST], wanted[MOST], got[MOST];
            for (int j = 0; j < n * n; j++)
                A[j] = 1.5 * support_random(&seed) / n;
            for (int j = 0; j < (DEGREE + 1) * n; j++)
                f[j] = support_random(&seed);
            for (int j = 0; j < n; j++)
                pilot[j] = 1.0;
            prepare(&against, n, A);
            assert_true(expand(&against, DEGREE, f, h, none));
            ms_taylor_sum(&against.series, 1.0, wanted);
            prepare(&of, n, A);
            assert_true(expand(&of, 0, pilot, h, none));
            ms_taylor_clear_moments(&of.series);
            for (int i = 0; i < INTERVALS; i++)
                for (int k = 0; k < POINTS; k++) {
                    const double eta = h / INTERVALS, s = (i + node[k]) * eta;
                    double v[MOST];
                    for (int j = 0; j < n; j++)
                        v[j] =
                            weight[k] * eta * (f[j] + s * (f[n + j] + s * (f[2 * n + j] + s * f[3 * n + j])));
                    ms_taylor_add_moments(&of.series, h - s, v);
                }
            ms_taylor_sum_moments(&of.series, got);
            support_near_all(n, got, wanted, 1e-14 * (h + largest(n, wanted)));
        }
}

/* x1' = x2, x2' = -w^2 x1 in units that differ by w: cos and -w sin, each to round-off of its own. */
static void oscillates(void **state)
{
    (void)state;
    const double w = 1e4, A[] = {0.0, 1.0, -w * w, 0.0}, x[] = {1.0, 0.0}, f[] = {0.0, 0.0};
    static problem of;
    double got[2];
    prepare(&of, 2, A);
    assert_true(expand(&of, 0, f, 1.0 / w, x));
    ms_taylor_sum(&of.series, 0.5, got);
    support_near(got[0], cos(0.5), 4.0 * DBL_EPSILON);
    support_near(got[1], -w * sin(0.5), 4.0 * DBL_EPSILON * w);
}

/* Entries that stay zero for several terms are waited for: x1 = t^5/120 through a chain of integrators, and what
 * drives it late. */
static void late_terms_count(void **state)
{
    (void)state;
    enum { N = 6 };
    double A[N * N] = {0.0}, x[N] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}, f[4 * N] = {0.0}, got[N];
    static problem of;
    for (int j = 0; j + 1 < N; j++)
        A[j * N + j + 1] = 1.0;
    prepare(&of, N, A);
    assert_true(expand(&of, 0, f, 2.0, x));
    ms_taylor_sum(&of.series, 1.0, got);
    support_near(got[0], 32.0 / 120.0, DBL_EPSILON);
    x[5] = 0.0;
    f[3 * N + 5] = 1.0; /* x6 = t^4/4, x5 = t^5/20 */
    assert_true(expand(&of, 3, f, 2.0, x));
    ms_taylor_sum(&of.series, 1.0, got);
    support_near(got[5], 4.0, 4.0 * DBL_EPSILON);
    support_near(got[4], 1.6, 4.0 * DBL_EPSILON);
}

/* Where terms do not reach round-off there is no series: stiff, and not finite. */
static void long_steps_are_refused(void **state)
{
    (void)state;
    const double stiff[] = {-1e3, 0.0, 0.0, -1.0}, full[] = {-1.0, -1.0, -1.0, -1.0}, x[] = {1.0, 1.0},
                 f[] = {0.0, 0.0}, none[] = {NAN, INFINITY};
    static problem of;
    prepare(&of, 2, stiff);
    assert_true(expand(&of, 0, f, 1e-3, x));
    assert_false(expand(&of, 0, f, 1e-2, x));
    assert_false(expand(&of, 0, f, 1e300, x));
    assert_false(expand(&of, 0, f, INFINITY, x));
    assert_false(expand(&of, 0, f, NAN, x));
    assert_false(expand(&of, 0, none, 1e-3, x));
    assert_false(expand(&of, 0, f, 1e-3, none));
    assert_true(expand(&of, 0, f, 0.0, x));
    prepare(&of, 2, full);
    assert_false(expand(&of, 0, f, 1e300, x)); /* all terms are infinite */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_exponentials),
                                       cmocka_unit_test(moments_are_quadratures),
                                       cmocka_unit_test(oscillates), cmocka_unit_test(late_terms_count),
                                       cmocka_unit_test(long_steps_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
