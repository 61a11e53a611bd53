/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws of random parameters: how evenly they lie, their moments and quantiles against closed forms, and the quantiles of a
 * sample against those of the GSL. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "unit_test.h"

enum { DIMENSIONS = 40 };

static int ascending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double *points_of(int sampling, int n, int dimensions, int seed)
{
    ms_error error;
    double *u = malloc(sizeof *u * (size_t)n * (size_t)dimensions);
    assert_non_null(u);
    assert_int_equal(ms_sample_points(sampling, n, dimensions, seed, u, &error), MS_OK);
    return u;
}

/* One parameter of all points, ascending. */
static void take_sorted(const double *u, int n, int dimensions, int d, double *one)
{
    for (int k = 0; k < n; k++)
        one[k] = u[k * dimensions + d];
    qsort(one, (size_t)n, sizeof *one, ascending);
    assert_true(one[0] > 0.0 && one[n - 1] < 1.0);
}

/* 2^k points of Sobol, shifted modulo 1, are 2^-k apart in each parameter. */
static void sobol_points_are_evenly_apart(void **state)
{
    double one[256];
    (void)state;
    for (int n = 1; n <= 256; n *= 4)
        for (int seed = 1; seed < 4; seed++) {
            double *u = points_of(MS_SAMPLING_SOBOL, n, DIMENSIONS, seed);
            for (int d = 0; d < DIMENSIONS; d++) {
                take_sorted(u, n, DIMENSIONS, d, one);
                for (int k = 1; k < n; k++)
                    assert_true(fabs(one[k] - one[k - 1] - 1.0 / n) <= 1e-15);
            }
            free(u);
        }
}

/* The integral of a product over the unit cube of three parameters, 1/8; points at random would be off by 2e-3. */
static void sobol_points_fill_the_cube(void **state)
{
    enum { N = 4096 };
    double *u = points_of(MS_SAMPLING_SOBOL, N, 3, 7), sum = 0.0;
    (void)state;
    for (int k = 0; k < N; k++)
        sum += u[3 * k] * u[3 * k + 1] * u[3 * k + 2];
    assert_true(fabs(sum / N - 0.125) < 2e-4);
    free(u);
}

static void more_sobol_points_begin_with_fewer(void **state)
{
    double *few = points_of(MS_SAMPLING_SOBOL, 50, 3, 2), *many = points_of(MS_SAMPLING_SOBOL, 100, 3, 2);
    (void)state;
    assert_memory_equal(few, many, sizeof *few * 150);
    free(few);
    free(many);
}

static void a_hypercube_has_a_point_in_each_interval(void **state)
{
    enum { N = 37, MORE = 60 }; /* more than Sobol's */
    double one[N];
    double *u = points_of(MS_SAMPLING_LATIN, N, MORE, 3);
    (void)state;
    for (int d = 0; d < MORE; d++) {
        take_sorted(u, N, MORE, d, one);
        for (int k = 0; k < N; k++)
            assert_true((int)floor(one[k] * N) == k);
        assert_true(d == 0 || u[d] != u[d - 1]);
    }
    free(u);
}

static void the_seed_alone_says_what_is_drawn(void **state)
{
    (void)state;
    for (int sampling = MS_SAMPLING_SOBOL; sampling <= MS_SAMPLING_LATIN; sampling++) {
        double *a = points_of(sampling, 64, 4, 5), *b = points_of(sampling, 64, 4, 5),
               *c = points_of(sampling, 64, 4, 6);
        assert_memory_equal(a, b, sizeof *a * 256);
        for (int k = 0; k < 256; k++)
            assert_true(a[k] != c[k]);
        free(a);
        free(b);
        free(c);
    }
}

/* Draws of a normal distribution, one in each of n intervals of equal share: a quantile has at most 2/n more or less below it.
 * Mean and variance are off by less than the variation of x and x^2 over inner intervals, 2 z and 2 z^2 with z = 3.1 the
 * quantile at 1 - 1/n, and what an outermost draw may be beyond, up to 6.4, divided by n. */
static void draws_have_moments_and_quantiles(void **state)
{
    enum { N = 1024 };
    char *argv[] = {"sweep",      "--sample", "1024", "--set", "a=normal(10,2),b=uniform(0,1)",
                    "--sampling", NULL};
    static char *const samplings[] = {"sobol", "latin-hypercube"};
    (void)state;
    for (int s = 0; s < 2; s++) {
        ms_arguments arguments;
        ms_sample sample;
        ms_error error;
        double value[N];
        argv[6] = samplings[s];
        assert_int_equal(ms_arguments_read(7, argv, &arguments, &error), MS_OK);
        assert_int_equal(ms_sample_create(&arguments, &sample, &error), MS_OK);
        assert_true(sample.n == N && sample.dimensions == 2);
        for (int k = 0; k < N; k++) {
            ms_setting settings[2] = {{"a", 0.0}, {"b", 0.0}};
            ms_sample_apply(&sample, &arguments, k, settings);
            assert_true(settings[1].value > 0.0 && settings[1].value < 1.0);
            value[k] = settings[0].value;
        }
        assert_true(fabs(gsl_stats_mean(value, 1, N) - 10.0) < 2.0 * 2.0 * 6.4 / N);
        assert_true(fabs(gsl_stats_sd(value, 1, N) - 2.0) < 2.0 * 6.4 * 6.4 / N);
        qsort(value, N, sizeof value[0], ascending);
        for (double p = 0.05; p < 1.0; p += 0.05)
            assert_true(fabs(0.5 * erfc((10.0 - ms_sample_quantile(N, value, p)) / (2.0 * sqrt(2.0))) - p) <=
                        2.0 / N);
        ms_sample_destroy(&sample);
        ms_arguments_destroy(&arguments);
    }
}

static void quantiles_are_those_of_the_gsl(void **state)
{
    const double value[] = {-3.0, -1.0, 0.5, 0.5, 2.0, 7.0, 7.5};
    (void)state;
    for (int n = 1; n <= 7; n++)
        for (double p = 0.0; p <= 1.0; p += 0.03125)
            assert_true(fabs(ms_sample_quantile(n, value, p) -
                             gsl_stats_quantile_from_sorted_data(value, 1, (size_t)n, p)) < 1e-14);
    /* What is not known is larger than all else. */
    const double some[] = {1.0, 2.0, 3.0, INFINITY, INFINITY};
    assert_true(ms_sample_quantile(5, some, 0.5) == 3.0);
    assert_true(!isfinite(ms_sample_quantile(5, some, 0.51)));
    assert_true(!isfinite(ms_sample_quantile(5, some, 0.9)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sobol_points_are_evenly_apart),
                                       cmocka_unit_test(sobol_points_fill_the_cube),
                                       cmocka_unit_test(more_sobol_points_begin_with_fewer),
                                       cmocka_unit_test(a_hypercube_has_a_point_in_each_interval),
                                       cmocka_unit_test(the_seed_alone_says_what_is_drawn),
                                       cmocka_unit_test(draws_have_moments_and_quantiles),
                                       cmocka_unit_test(quantiles_are_those_of_the_gsl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
