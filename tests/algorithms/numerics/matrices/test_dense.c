/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dense.c - small dense matrices of our own against plain loops, LAPACK and identities. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include <macrostep/status.h>
#include "dense.h"
#include "matrix.h"
#include "support.h"
#include "unit_test.h"

enum { MOST = MS_DENSE_SIZE_MAX + 9 };

static double *random_matrix(int rows, int columns, unsigned long long *seed)
{
    double *M = malloc(sizeof(double) * ((size_t)rows * (size_t)columns + 1));
    assert_non_null(M);
    for (int i = 0; i < rows * columns; i++)
        M[i] = support_random(seed);
    return M;
}

static double *copy_of(size_t n, const double *M)
{
    double *copy = malloc(sizeof(double) * (n + 1));
    assert_non_null(copy);
    memcpy(copy, M, sizeof(double) * n);
    return copy;
}

/* The same sums in the same order: the same bits, for all remainders of rows and columns. */
static void test_product_is_the_plain_sum(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int n = 0; n <= 9; n++)
        for (int k = 0; k <= 9; k++)
            for (int m = 0; m <= 9; m++) {
                double *A = random_matrix(n, k, &seed), *B = random_matrix(k, m, &seed);
                double *C = random_matrix(n, m, &seed);
                ms_dense_product(n, k, m, A, B, C);
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < m; j++) {
                        double sum = 0.0;
                        for (int l = 0; l < k; l++)
                            sum += A[i * k + l] * B[l * m + j];
                        assert_memory_equal(&sum, &C[i * m + j], sizeof sum);
                    }
                free(A);
                free(B);
                free(C);
            }
}

/* |A X - B| <= 16 n eps |A| |X| for sizes on both sides of the limit, with one and several right sides. */
static void test_solutions_solve(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    for (int n = 1; n <= MOST; n += n < 12 ? 1 : 13) {
        double *A = random_matrix(n, n, &seed), *B = random_matrix(n, 3, &seed);
        double *LU = copy_of((size_t)(n * n), A), *X = copy_of((size_t)(3 * n), B),
               *AX = copy_of((size_t)(3 * n), B);
        double column[MOST], most = 0.0;
        int pivots[MOST];
        assert_int_equal(ms_dense_factor(n, LU, pivots), MS_OK);
        ms_dense_solve(n, 3, LU, pivots, X);
        for (int i = 0; i < 3 * n; i++)
            most = fmax(most, fabs(X[i]));
        ms_dense_product(n, n, 3, A, X, AX);
        support_near_all(3 * n, AX, B, 16.0 * n * DBL_EPSILON * n * most);

        memcpy(LU, A, sizeof(double) * (size_t)(n * n)); /* one right side, through matrix.h */
        assert_int_equal(ms_matrix_factor(n, LU, pivots), MS_OK);
        for (int i = 0; i < n; i++)
            column[i] = B[3 * i + 1];
        ms_matrix_solve(n, LU, pivots, column);
        ms_matrix_multiply(n, n, A, column, AX);
        for (int i = 0; i < n; i++)
            support_near(AX[i], B[3 * i + 1], 16.0 * n * DBL_EPSILON * n * most);
        free(A);
        free(B);
        free(LU);
        free(X);
        free(AX);
    }
}

static void test_singular_matrices_are_refused(void **state)
{
    (void)state;
    double singular[] = {1.0, 2.0, 2.0, 4.0}, nan[] = {NAN, 0.0, 0.0, 1.0}, zero[] = {0.0};
    int pivots[2];
    assert_int_equal(ms_dense_factor(2, singular, pivots), MS_NO_SOLUTION);
    assert_int_equal(ms_dense_factor(2, nan, pivots), MS_NO_SOLUTION);
    assert_int_equal(ms_dense_factor(1, zero, pivots), MS_NO_SOLUTION);
    assert_int_equal(ms_dense_factor(0, NULL, NULL), MS_OK);
}

/* The solution of least norm by LAPACK's singular values. A (rows x columns) by columns. */
static void least_norm(int rows, int columns, const double *A, const double *b, double *x)
{
    const int longest = rows > columns ? rows : columns;
    double *copy = copy_of((size_t)(rows * columns), A), *values = malloc(sizeof(double) * (size_t)longest);
    double *right = calloc((size_t)longest, sizeof(double));
    int rank;
    memcpy(right, b, sizeof(double) * (size_t)rows);
    assert_int_equal(
        LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, columns, 1, copy, rows, right, longest, values, 1e-10, &rank),
        0);
    memcpy(x, right, sizeof(double) * (size_t)columns);
    free(copy);
    free(values);
    free(right);
}

/* Tall, square and wide, of full rank and less: A = P Q of inner size `rank`. */
static void test_least_squares_of_any_rank(void **state)
{
    (void)state;
    unsigned long long seed = 4;
    for (int rows = 1; rows <= 12; rows += 2)
        for (int columns = 1; columns <= 9; columns++)
            for (int rank = 0; rank <= rows && rank <= columns; rank++) {
                double *P = random_matrix(columns, rank, &seed), *Q = random_matrix(rank, rows, &seed);
                double *A = random_matrix(columns, rows, &seed), *b = random_matrix(rows, 1, &seed);
                double x[9], expected[9],
                    *work = malloc(sizeof(double) * ms_dense_least_squares_work(columns));
                int pivots[9];
                double size = 1.0;
                ms_dense_product(columns, rank, rows, P, Q, A);
                least_norm(rows, columns, A, b, expected);
                for (int j = 0; j < columns; j++)
                    size = fmax(size, fabs(expected[j]));
                assert_int_equal(ms_dense_least_squares(rows, columns, A, b, 1e-12, x, work, pivots), MS_OK);
                support_near_all(columns, x, expected, 1e-9 * size * size);
                free(P);
                free(Q);
                free(A);
                free(b);
                free(work);
            }
}

static void test_least_squares_refuse_what_is_not_finite(void **state)
{
    (void)state;
    double A[] = {1.0, NAN}, b[] = {1.0, 1.0}, x[1], work[3];
    int pivots[1];
    assert_int_equal(ms_dense_least_squares(2, 1, A, b, 1e-12, x, work, pivots), MS_NO_SOLUTION);
    A[1] = 1.0;
    b[0] = INFINITY;
    assert_int_equal(ms_dense_least_squares(2, 1, A, b, 1e-12, x, work, pivots), MS_NO_SOLUTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product_is_the_plain_sum),
        cmocka_unit_test(test_solutions_solve),
        cmocka_unit_test(test_singular_matrices_are_refused),
        cmocka_unit_test(test_least_squares_of_any_rank),
        cmocka_unit_test(test_least_squares_refuse_what_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
