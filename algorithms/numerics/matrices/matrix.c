/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "matrix.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include <macrostep/status.h>
#include "dense.h"
#include "long_call.h"

void ms_matrix_two_any(int rows, int n, const double *A, const double *x, int m, const double *B,
                       const double *u, double *restrict y)
{
    for (int i = 0; i < rows; i++, A += n, B += m)
        y[i] = ms_dot(n, A, x) + ms_dot(m, B, u);
}

void ms_matrix_product(int n, int k, int m, const double *A, const double *B, double *C)
{
    if (n <= MS_DENSE_SIZE_MAX && k <= MS_DENSE_SIZE_MAX && m <= MS_DENSE_SIZE_MAX)
        ms_dense_product(n, k, m, A, B, C);
    else if (k == 0)
        memset(C, 0, sizeof(double) * (size_t)n * (size_t)m);
    else if (n > 0 && m > 0) {
        const double operations = 2.0 * n * m * k;
        ms_long_call_begin(operations);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, k, 1.0, A, k, B, m, 0.0, C, m);
        ms_long_call_end(operations);
    }
}

/* Above the size, the factors of A', which LAPACK sees; ms_matrix_solve solves with their transpose. */
static bool factor(int n, double *A, int *pivots)
{
    const double operations = 2.0 / 3.0 * n * n * n;
    if (n <= MS_DENSE_SIZE_MAX)
        return ms_dense_factor(n, A, pivots) == MS_OK;
    ms_long_call_begin(operations);
    const int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots);
    ms_long_call_end(operations);
    return info == 0;
}

double ms_matrix_norm(int n, const double *A)
{
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(A[i * n + j]);
        norm = sum > norm || isnan(sum) ? sum : norm;
    }
    return norm;
}

int ms_matrix_factor(int n, double *A, int *pivots)
{
    if (n == 0)
        return MS_OK;
    double largest = 0.0;
    for (int i = 0; i < n * n; i++) {
        if (!isfinite(A[i]))
            return MS_NO_SOLUTION;
        largest = fabs(A[i]) > largest ? fabs(A[i]) : largest;
    }
    if (!factor(n, A, pivots))
        return MS_NO_SOLUTION;
    for (int i = 0; i < n; i++)
        if (fabs(A[i * n + i]) <= 1e-15 * largest)
            return MS_NO_SOLUTION;
    return MS_OK;
}

void ms_matrix_solve(int n, const double *A, const int *pivots, double *b)
{
    if (n <= MS_DENSE_SIZE_MAX)
        ms_dense_solve(n, 1, A, pivots, b);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, A, n, pivots, b, n);
}

/* What dgeev wants to work with, in doubles. */
static int eigenvalue_work(int n)
{
    double size = 0.0;
    const int info =
        LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, NULL, n, NULL, NULL, NULL, 1, NULL, 1, &size, -1);
    return info == 0 && size > 4.0 * n ? (int)size : 4 * n;
}

int ms_matrix_eigenvalues(int n, double *A, double *eigenvalues)
{
    if (n == 0)
        return MS_OK;
    for (int i = 0; i < n * n; i++)
        if (isnan(A[i]))
            return MS_NOT_CONVERGED;
    const int size = eigenvalue_work(n);
    double *re = malloc(sizeof(double) * (2 * (size_t)n + (size_t)size));
    MS_TRY_MEMORY(re);
    double *im = re + n;
    const double operations = 10.0 * n * n * n;
    ms_long_call_begin(operations);
    const int info =
        LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1, im + n, size);
    ms_long_call_end(operations);
    for (int i = 0; i < n; i++) {
        eigenvalues[2 * i] = re[i];
        eigenvalues[2 * i + 1] = im[i];
    }
    free(re);
    return info == 0 ? MS_OK : MS_NOT_CONVERGED;
}

int ms_matrix_eigenvalues_off(int n, double *A, double *eigenvalues, double *off)
{
    const size_t entries = (size_t)n * (size_t)n, work = 8 * (size_t)n; /* dgeevx takes 3 n at least */
    if (n == 0)
        return MS_OK;
    for (size_t i = 0; i < entries; i++)
        if (!isfinite(A[i]))
            return MS_NOT_CONVERGED;
    double *re = malloc(sizeof(double) * (2 * entries + 4 * (size_t)n + work)), norm = 0.0;
    MS_TRY_MEMORY(re);
    double *im = re + n, *scale = im + n, *of_vector = scale + n, *left = of_vector + n,
           *right = left + entries;
    int low, high, unused = 0;
    const double operations = 25.0 * n * n * n;
    ms_long_call_begin(operations);
    const int info =
        LAPACKE_dgeevx_work(LAPACK_COL_MAJOR, 'B', 'V', 'V', 'E', n, A, n, re, im, left, n, right, n, &low,
                            &high, scale, &norm, off, of_vector, right + entries, (int)work, &unused);
    ms_long_call_end(operations);
    for (int i = 0; i < n; i++) {
        eigenvalues[2 * i] = re[i];
        eigenvalues[2 * i + 1] = im[i];
        off[i] = 10.0 * DBL_EPSILON * norm / off[i];
    }
    free(re);
    return info == 0 ? MS_OK : MS_NOT_CONVERGED;
}
