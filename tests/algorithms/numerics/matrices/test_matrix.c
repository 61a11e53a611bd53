/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_matrix.c - what round-off may have done to eigenvalues, told and seen. */
#include <math.h>
#include <stdlib.h>

#include <macrostep/status.h>
#include "matrix.h"
#include "unit_test.h"

enum { MOST = 8 };

/* The companion matrix of (s + 1)^n, by rows: one eigenvalue, n times, with one eigenvector. */
static void companion(int n, double *A)
{
    double coefficient = 1.0; /* of s^j */
    for (int k = 0; k < n - 1; k++)
        for (int j = 0; j < n; j++)
            A[k * n + j] = j == k + 1;
    for (int j = 0; j < n; j++) {
        A[(n - 1) * n + j] = -coefficient;
        coefficient *= (double)(n - j) / (j + 1);
    }
}

static void multiple_eigenvalues_say_how_far_they_are_off(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        double A[MOST * MOST], eigenvalues[2 * MOST], off[MOST];
        companion(n, A);
        assert_int_equal(ms_matrix_eigenvalues_off(n, A, eigenvalues, off), MS_OK);
        for (int k = 0; k < n; k++)
            assert_true(hypot(eigenvalues[2 * k] + 1.0, eigenvalues[2 * k + 1]) <= off[k]);
    }
}

/* x'' + 2 d x' + x = 0: -d +- i sqrt(1 - d^2), the closer to each other the nearer d is to 1. */
static void pairs_are_told_from_round_off(void **state)
{
    (void)state;
    for (double apart = 0.1; apart > 1e-12; apart *= 0.1) {
        const double d = 1.0 - apart;
        double A[] = {0.0, 1.0, -1.0, -2.0 * d}, eigenvalues[4], off[2];
        const double im = sqrt((1.0 - d) * (1.0 + d));
        assert_int_equal(ms_matrix_eigenvalues_off(2, A, eigenvalues, off), MS_OK);
        assert_true(fabs(fabs(eigenvalues[1]) - im) <= off[0]);
        assert_true(off[0] < im);
    }
}

static void what_is_no_number_has_no_eigenvalues(void **state)
{
    (void)state;
    double A[] = {0.0, NAN, -1.0, 0.0}, eigenvalues[4], off[2];
    assert_int_equal(ms_matrix_eigenvalues_off(2, A, eigenvalues, off), MS_NOT_CONVERGED);
    assert_int_equal(ms_matrix_eigenvalues_off(0, NULL, NULL, NULL), MS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(multiple_eigenvalues_say_how_far_they_are_off),
                                       cmocka_unit_test(pairs_are_told_from_round_off),
                                       cmocka_unit_test(what_is_no_number_has_no_eigenvalues)};
    return cmocka_run_group_tests_name("matrices", tests, NULL, NULL);
}
