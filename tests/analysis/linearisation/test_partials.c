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
        cmocka_unit_test(errors_are_bounds_or_large),
        cmocka_unit_test(shorter_steps_stay_within_the_domain),
        cmocka_unit_test(lost_digits_are_said),
        cmocka_unit_test(a_line_says_what_is_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
