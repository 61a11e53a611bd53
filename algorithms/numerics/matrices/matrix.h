/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.h - dense matrices by rows: the few operations that the schemes need.
 *
 * Up to MS_DENSE_SIZE_MAX they are those of dense.h, with the same bits on every machine; above it OpenBLAS's and
 * LAPACK's, whose round-off depends on the processor. Eigenvalues are LAPACK's at any size. */
#pragma once

#include <stddef.h>

/* a . b, two products at a time: rows of subsystem matrices are short, and loops over them cost more than the
 * sums. Rows of two, the most frequent, need no loop; the zero in front is the loop's. */
static inline double ms_dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    int j = 0;
    if (n == 2)
        return sum + (a[0] * b[0] + a[1] * b[1]);
    for (; j + 1 < n; j += 2)
        sum += a[j] * b[j] + a[j + 1] * b[j + 1];
    return j < n ? sum + a[j] * b[j] : sum;
}

/* y = M x, y += M x, for M (rows x columns). */
static inline void ms_matrix_multiply(int rows, int columns, const double *M, const double *x, double *y)
{
    for (int i = 0; i < rows; i++)
        y[i] = ms_dot(columns, M + i * columns, x);
}

static inline void ms_matrix_add(int rows, int columns, const double *M, const double *x, double *y)
{
    for (int i = 0; i < rows; i++)
        y[i] += ms_dot(columns, M + i * columns, x);
}

/* y = A x + B u for A (rows x n), B (rows x m); y must not overlap the others. */
void ms_matrix_two_any(int rows, int n, const double *A, const double *x, int m, const double *B,
                       const double *u, double *restrict y);

/* Two rows of it, with sizes that the compiler knows. */
static inline void ms_matrix_two_rows(int n, const double *A, const double *x, int m, const double *B,
                                      const double *u, double *restrict y)
{
    y[0] = ms_dot(n, A, x) + ms_dot(m, B, u);
    y[1] = ms_dot(n, A + n, x) + ms_dot(m, B + m, u);
}

/* The same bits, faster for the most frequent sizes. */
static inline __attribute__((always_inline)) void ms_matrix_two(int rows, int n, const double *A,
                                                                const double *x, int m, const double *B,
                                                                const double *u, double *restrict y)
{
    if (rows != 2 || n != 2)
        ms_matrix_two_any(rows, n, A, x, m, B, u, y);
    else if (m == 0)
        ms_matrix_two_rows(2, A, x, 0, B, u, y);
    else if (m == 2)
        ms_matrix_two_rows(2, A, x, 2, B, u, y);
    else if (m == 4)
        ms_matrix_two_rows(2, A, x, 4, B, u, y);
    else
        ms_matrix_two_any(2, 2, A, x, m, B, u, y);
}

/* C = A B for A (n x k), B (k x m). */
void ms_matrix_product(int n, int k, int m, const double *A, const double *B, double *C);

/* The largest sum of absolute values in a row of A (n x n); infinite or not a number where an entry is. */
double ms_matrix_norm(int n, const double *A);

/* LU factors of A (n x n, overwritten) with partial pivoting, and the solution of A x = b in place.
 * Returns MS_OK or MS_NO_SOLUTION (not finite, or a pivot below 1e-15 of the largest entry). */
int ms_matrix_factor(int n, double *A, int *pivots);
void ms_matrix_solve(int n, const double *A, const int *pivots, double *b);

/* Eigenvalues of A (n x n, overwritten) as pairs (re, im), 2 n doubles, by LAPACK's dgeev.
 * Returns MS_OK, MS_NO_MEMORY or MS_NOT_CONVERGED. */
int ms_matrix_eigenvalues(int n, double *A, double *eigenvalues);

/* The same by LAPACK's dgeevx, and how far round-off may have moved each (n): 10 eps |A|_1 / s, s the reciprocal condition number of
 * the eigenvalue, |A|_1 after balancing. Of multiple defective eigenvalues that is much. */
int ms_matrix_eigenvalues_off(int n, double *A, double *eigenvalues, double *off);
