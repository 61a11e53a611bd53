/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_partials.c - what differences say of their errors is a bound, or large, however wrong the sizes of variables are. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "partials.h"
#include "support.h"
#include "unit_test.h"

/* Two functions of three variables, whose sizes are L: row 0 varies by all, row 1 by the second. */
typedef struct problem {
    double L[3];
    int calls;
    double domain; /* beyond this multiple of L they are not defined */
} problem;

static int function(void *self, const double *v, double *value)
{
    problem *p = self;
    const double a = v[0] / p->L[0], b = v[1] / p->L[1], c = v[2] / p->L[2];
    p->calls++;
    value[0] = exp(a) + 2.0 * sin(b) + c * c;
    value[1] = b * b * b;
    return fabs(a) > p->domain || fabs(b) > p->domain || fabs(c) > p->domain;
}

/* By hand, times L. */
static void exact(const double *v, const problem *p, double *M)
{
    const double a = v[0] / p->L[0], b = v[1] / p->L[1], c = v[2] / p->L[2];
    const double all[] = {exp(a), 2.0 * cos(b), 2.0 * c, 0.0, 3.0 * b * b, 0.0};
    for (int k = 0; k < 6; k++)
        M[k] = all[k] / p->L[k % 3];
}

static const bool pattern[] = {true, true, true, false, true, false};

/* The largest error over the size of each row, by the sizes that the estimate goes by. */
static double error_of(const double *M, const double *expected, const double *size)
{
    double worst = 0.0;
    for (int i = 0; i < 2; i++) {
        double largest = 0.0, off = 0.0;
        for (int j = 0; j < 3; j++) {
            largest = fmax(largest, fabs(M[3 * i + j]) * size[j]);
            off = fmax(off, fabs(M[3 * i + j] - expected[3 * i + j]) * size[j]);
        }
        worst = fmax(worst, off / largest);
    }
    return worst;
}

/* Sizes that are up to 1e10 too small or too large, those of one variable or of all. Forward and central. */
static void errors_are_bounds_or_large(void **state)
{
    (void)state;
    ms_compression *c;
    int good = 0, bad = 0;
    assert_int_equal(ms_compression_create(2, 3, pattern, &c), MS_OK);
    for (int kind = 0; kind < 2; kind++)
        for (int unit = -9; unit <= 9; unit += 3)
            for (int wrong = -10; wrong <= 10; wrong++)
                for (int which = 0; which < 4; which++) {
                    const double L = pow(10.0, unit), S = L * pow(10.0, wrong);
                    problem p = {{L, L, L}, 0, INFINITY};
                    double v[] = {0.7 * L, 0.9 * L, -1.3 * L}, size[3], M[6], expected[6], error;
                    long evaluations = 0, checks = 0;
                    for (int j = 0; j < 3; j++)
                        size[j] = which == 3 || which == j ? S : L;
                    assert_int_equal(ms_partials_estimate(c, (ms_differences)kind, function, &p, v, size, M,
                                                          &error, &evaluations, &checks),
                                     MS_OK);
                    exact(v, &p, expected);
                    const double off = error_of(M, expected, size);
                    if (!(off <= error) && error < MS_PARTIALS_ERROR_LARGE)
                        fail_msg("unit %d, size %d of %d: off by %g, stated %g", unit, wrong, which, off,
                                 error);
                    assert_int_equal(evaluations, ms_compression_cost(c, (ms_differences)kind));
                    assert_int_equal(evaluations + checks, p.calls);
                    assert_true(wrong != 0 || error < (kind == MS_DIFFERENCES_CENTRAL ? 1e-9 : 1e-6));
                    if (abs(wrong) <= 3 && kind == MS_DIFFERENCES_CENTRAL)
                        assert_true(error < 1e-6); /* a pair a thousand times as long finds it */
                    good += error < MS_PARTIALS_ERROR_LARGE;
                    bad += error >= MS_PARTIALS_ERROR_LARGE;
                }
    print_message("%d good, %d said to be bad\n", good, bad);
    assert_true(good > 100 && bad > 100);
    ms_compression_destroy(&c);
}

/* Steps that leave the domain are none: a shorter one does, and where none does there is no derivative. */
static void shorter_steps_stay_within_the_domain(void **state)
{
    (void)state;
    ms_compression *c;
    problem p = {{1.0, 1.0, 1.0}, 0, 1.0001};
    double v[] = {1.0, 0.5, 0.5}, M[6], expected[6], error;
    const double size[] = {100.0, 1.0, 1.0}; /* 6e-4 */
    assert_int_equal(ms_compression_create(2, 3, pattern, &c), MS_OK);
    assert_int_equal(
        ms_partials_estimate(c, MS_DIFFERENCES_CENTRAL, function, &p, v, size, M, &error, NULL, NULL), MS_OK);
    exact(v, &p, expected);
    assert_true(error < 1e-6);
    for (int k = 0; k < 6; k++)
        support_near(M[k], expected[k], 1e-6);
    v[0] = 2.0;
    assert_int_equal(
        ms_partials_estimate(c, MS_DIFFERENCES_CENTRAL, function, &p, v, size, M, &error, NULL, NULL),
        MS_SOLVER_FAILED);
    ms_compression_destroy(&c);
}

/* A value so large that x is lost beside it, and one that does not vary at all. */
static int hidden(void *self, const double *v, double *value)
{
    value[0] = *(const double *)self + v[0];
    value[1] = 1.0 + 0.0 * v[0];
    return 0;
}

static void lost_digits_are_said(void **state)
{
    (void)state;
    ms_compression *c;
    double v[] = {0.3}, M[2], error;
    const double size[] = {1.0};
    assert_int_equal(ms_compression_create(2, 1, NULL, &c), MS_OK);
    for (int k = 0; k <= 14; k++) {
        double large = pow(10.0, k);
        assert_int_equal(
            ms_partials_estimate(c, MS_DIFFERENCES_CENTRAL, hidden, &large, v, size, M, &error, NULL, NULL),
            MS_OK);
        /* over the value where x is beyond its last digits, whatever the step */
        assert_true(fabs(M[0] - 1.0) <= error * (k <= 12 ? fabs(M[0]) : large));
        assert_true(k > 5 || error < 1e-6);
        assert_true(k < 11 || k > 12 || error > 1e-6);
        support_near(M[1], 0.0, 0.0);
    }
    ms_compression_destroy(&c);
}

/* Values whose terms are larger than they are:
 *
 *     value i = (K_i + sum over j of a_ij s_j(v_j)) - K_i - P_i
 *
 * where s_j is linear, or a sine of the size of v_j, and P_i may cancel the sum at v. */
enum { ROWS = 3, COLUMNS = 4 };

typedef struct sums {
    double a[ROWS][COLUMNS], L[COLUMNS], K[ROWS], P[ROWS];
    bool sine[COLUMNS];
} sums;

static double sum_of(const sums *p, int row, const double *v)
{
    double sum = p->K[row];
    for (int j = 0; j < COLUMNS; j++)
        sum += p->a[row][j] * (p->sine[j] ? p->L[j] * sin(v[j] / p->L[j]) : v[j]);
    return sum - p->K[row];
}

static int sums_of(void *self, const double *v, double *value)
{
    const sums *p = self;
    for (int i = 0; i < ROWS; i++)
        value[i] = sum_of(p, i, v) - p->P[i];
    return 0;
}

static double uniform(unsigned long long *seed, double from, double to)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return from + (to - from) * (double)(*seed >> 11) * 0x1p-53;
}

/* Sizes from 1e-12 to 1e12. Some variables are zero and have no nominal value: their size is taken to be 1. */
static void draw(unsigned long long *seed, sums *p, double *v, double *size)
{
    for (int j = 0; j < COLUMNS; j++) {
        const bool zero = uniform(seed, 0.0, 1.0) < 0.4, nominal = uniform(seed, 0.0, 1.0) < 0.5;
        p->L[j] = pow(10.0, uniform(seed, -12.0, 12.0));
        p->sine[j] = uniform(seed, 0.0, 1.0) < 0.5;
        if (p->sine[j] && zero && !nominal)
            p->L[j] = fmax(p->L[j], 1.0);
        v[j] = zero ? 0.0 : p->L[j] * uniform(seed, 0.5, 1.5);
        size[j] = nominal ? fmax(p->L[j], fabs(v[j])) : zero ? 1.0 : fabs(v[j]);
    }
    for (int i = 0; i < ROWS; i++) {
        static const double offset[] = {0.0, 1e9, -1e9};
        p->K[i] = offset[(int)uniform(seed, 0.0, 3.0)];
        p->P[i] = 0.0;
        for (int j = 0; j < COLUMNS; j++)
            p->a[i][j] = uniform(seed, 0.0, 1.0) < 0.3 ? 0.0 : pow(10.0, uniform(seed, -3.0, 3.0));
        p->P[i] = uniform(seed, 0.0, 1.0) < 0.5 ? sum_of(p, i, v) : 0.0;
    }
}

/* Does each row change by several of its last digits where variables move by a thousandth of their sizes? Else it passes for constant. */
static bool are_rows_seen(const sums *p, const double *size)
{
    bool seen = true;
    for (int i = 0; i < ROWS; i++) {
        double change = 0.0;
        for (int j = 0; j < COLUMNS; j++)
            change += 1e-3 * fabs(p->a[i][j]) * size[j];
        seen = seen && change >= 8.0 * DBL_EPSILON * fabs(p->K[i]);
    }
    return seen;
}

/* Does value i change where variable j moves by its size? Else it counts as independent of it. */
static bool is_seen(const sums *p, const double *v, const double *size, int i, int j)
{
    double moved[COLUMNS];
    memcpy(moved, v, sizeof moved);
    moved[j] += size[j];
    return sum_of(p, i, moved) != sum_of(p, i, v);
}

/* The error as partials.h defines it, by the true derivatives. */
static double true_error(const sums *p, const double *v, const double *size, const double *M)
{
    double worst = 0.0, largest[COLUMNS] = {0.0}, off[COLUMNS] = {0.0};
    for (int i = 0; i < ROWS; i++) {
        double exact_row[COLUMNS], row = 0.0;
        for (int j = 0; j < COLUMNS; j++) {
            exact_row[j] = p->a[i][j] * (p->sine[j] ? cos(v[j] / p->L[j]) : 1.0);
            row = fmax(row, fabs(exact_row[j]) * size[j]);
        }
        for (int j = 0; j < COLUMNS && row > 0.0; j++) {
            const double e = is_seen(p, v, size, i, j) ? fabs(M[COLUMNS * i + j] - exact_row[j]) : 0.0;
            worst = fmax(worst, e * size[j] / row);
            largest[j] = fmax(largest[j], fabs(exact_row[j]) / row);
            off[j] = fmax(off[j], e / row);
        }
    }
    for (int j = 0; j < COLUMNS; j++)
        if (largest[j] > 0.0)
            worst = fmax(worst, off[j] / largest[j]);
    return worst;
}

static void round_off_of_terms_is_said(void **state)
{
    (void)state;
    unsigned long long seed = 7;
    ms_compression *c;
    int good = 0, under = 0;
    assert_int_equal(ms_compression_create(ROWS, COLUMNS, NULL, &c), MS_OK);
    for (int k = 0; k < 2000; k++) {
        sums p;
        double v[COLUMNS], size[COLUMNS], M[ROWS * COLUMNS], error;
        do
            draw(&seed, &p, v, size);
        while (!are_rows_seen(&p, size));
        assert_int_equal(
            ms_partials_estimate(c, (ms_differences)(k % 2), sums_of, &p, v, size, M, &error, NULL, NULL),
            MS_OK);
        const double off = true_error(&p, v, size, M);
        if (!(off <= 3.0 * error) && error < MS_PARTIALS_ERROR_LARGE) {
            under++;
            print_message("system %d: off by %g, stated %g\n", k, off, error);
        }
        good += error < MS_PARTIALS_ERROR_LARGE;
    }
    print_message("%d good, %d understated\n", good, under);
    assert_int_equal(under, 0);
    ms_compression_destroy(&c);
}

static void a_line_says_what_is_large(void **state)
{
    (void)state;
    char text[300];
    ms_partials_explain(0.9e-3, text, sizeof text);
    assert_string_equal(text, "");
    ms_partials_explain(0.25, text, sizeof text);
    assert_non_null(strstr(text, "0.25"));
    ms_partials_explain(INFINITY, text, sizeof text);
    assert_non_null(strstr(text, "two step sizes do not agree"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_bounds_or_large), cmocka_unit_test(shorter_steps_stay_within_the_domain),
        cmocka_unit_test(lost_digits_are_said),       cmocka_unit_test(round_off_of_terms_is_said),
        cmocka_unit_test(a_line_says_what_is_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
