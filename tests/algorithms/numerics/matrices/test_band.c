/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_band.c - band matrices against their definition, and x = Re((M - s I)^-1 v) by its equation
 * ((M - re)^2 + im^2) x = (M - re) v; for real s (M - s) x = v. The seed is fixed. */
#include <math.h>
#include <stdlib.h>

#include <macrostep/status.h>
#include "band.h"
#include "support.h"
#include "unit_test.h"

enum { MOST = 40 };

static ms_band *random_band(int n, int width, unsigned long long *seed)
{
    ms_band *band = ms_band_create(n, width);
    assert_non_null(band);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (abs(i - j) <= width)
                *ms_band_entry(band, i, j) = support_random(seed) + (i == j ? 3.0 : 0.0);
    return band;
}

static void minus(const ms_band *band, double re, const double *v, double *to)
{
    ms_band_multiply(band, v, to);
    for (int i = 0; i < band->n; i++)
        to[i] -= re * v[i];
}

static void multiplies(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    for (int n = 1; n < MOST; n += 3)
        for (int width = 0; width < 6; width++) {
            double v[MOST], to[MOST];
            ms_band *band = random_band(n, width, &seed);
            for (int i = 0; i < n; i++)
                v[i] = support_random(&seed);
            ms_band_multiply(band, v, to);
            for (int i = 0; i < n; i++) {
                double sum = 0.0;
                for (int j = 0; j < n; j++)
                    sum += abs(i - j) <= width ? *ms_band_entry(band, i, j) * v[j] : 0.0;
                support_near(to[i], sum, 1e-14);
            }
            ms_band_destroy(&band);
        }
}

static void solves_for_real_and_complex_shifts(void **state)
{
    (void)state;
    static const double shifts[][2] = {{0.0, 0.0}, {7.5, 0.0}, {-1.0, 0.5}, {2.0, -3.0}, {9.0, 0.0}};
    unsigned long long seed = 11;
    for (int n = 1; n < MOST; n += 4) {
        ms_band *band = random_band(n, n % 5, &seed);
        double v[MOST], x[MOST], left[MOST], right[MOST], w[MOST];
        for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
            const double re = shifts[k][0], im = shifts[k][1];
            for (int i = 0; i < n; i++)
                v[i] = support_random(&seed);
            assert_int_equal(ms_band_factor(band, re, im), MS_OK);
            ms_band_solve(band, v, x);
            minus(band, re, x, w);
            minus(band, re, w, left);
            minus(band, re, v, right);
            for (int i = 0; i < n; i++)
                support_near(left[i] + im * im * x[i], right[i], 1e-9);
        }
        ms_band_destroy(&band);
    }
}

static void says_what_is_singular(void **state)
{
    (void)state;
    ms_band *band = ms_band_create(5, 1);
    assert_non_null(band);
    for (int i = 0; i < 5; i++)
        *ms_band_entry(band, i, i) = 2.0;
    assert_int_equal(ms_band_factor(band, 2.0, 0.0), MS_SOLVER_FAILED);
    assert_int_equal(ms_band_factor(band, 2.0, 1.0), MS_OK);
    ms_band_destroy(&band);
    ms_band_destroy(&band);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiplies),
        cmocka_unit_test(solves_for_real_and_complex_shifts),
        cmocka_unit_test(says_what_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
