/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "matrix.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "status.h"

void ms_matrix_product(int n, int k, int m, const double *A, const double *B, double *C)
{
    if (n <= MS_DENSE_SIZE_MAX && k <= MS_DENSE_SIZE_MAX && m <= MS_DENSE_SIZE_MAX)
        ms_dense_product(n, k, m, A, B, C);
    else if (k == 0)
        memset(C, 0, sizeof(double) * (size_t)n * (size_t)m);
    else if (n > 0 && m > 0)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, k, 1.0, A, k, B, m, 0.0, C, m);
}

size_t ms_matrix_exponential_work(int n)
{
    return 6 * (size_t)n * (size_t)n;
}

static double norm_1(int n, const double *A)
{
    double norm = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += fabs(A[i * n + j]);
        norm = sum > norm || isnan(sum) ? sum : norm;
    }
    return norm;
}

/* Z = c0 I + c[0] A[0] + c[1] A[1] + c[2] A[2], over even powers A of a matrix. */
static void combine(int n, double c0, const double c[3], double *const A[3], double *Z)
{
    const int size = n * n;
    for (int i = 0; i < size; i++)
        Z[i] = c[0] * A[0][i] + c[1] * A[1][i] + c[2] * A[2][i];
    for (int i = 0; i < n; i++)
        Z[i * n + i] += c0;
}

/* X = D^-1 E in place of E, for D and E that commute. D is overwritten. By rows, E' and D' are what LAPACK sees,
 * and E' = X' D' is D' X' = E' as well. */
static int solve_commuting(int n, double *D, double *E, int *pivots)
{
    if (n > MS_DENSE_SIZE_MAX)
        return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, n, D, n, pivots, E, n) == 0 ? MS_OK : MS_NO_SOLUTION;
    if (ms_dense_factor(n, D, pivots) != MS_OK)
        return MS_NO_SOLUTION;
    ms_dense_solve(n, n, D, pivots, E);
    return MS_OK;
}

int ms_matrix_exponential(int n, const double *A, double *E, double *work, int *pivots)
{
    /* clang-format off */
    static const double b[] = {64764752532480000.0, 32382376266240000.0, 7771770303897600.0,
                               1187353796428800.0, 129060195264000.0, 10559470521600.0, 670442572800.0,
                               33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0};
    /* clang-format on */
    const double theta = 5.371920351148152; /* Higham's theta_13 */
    if (n == 0)
        return MS_OK;
    const int size = n * n;
    double *As = work, *A2 = work + size, *A4 = work + 2 * size, *A6 = work + 3 * size;
    double *U = work + 4 * size, *V = work + 5 * size;

    const double norm = norm_1(n, A);
    if (!isfinite(norm))
        return MS_SOLVER_FAILED;
    int squarings = 0;
    if (norm > theta) {
        frexp(norm / theta, &squarings);
        if (squarings > 1000)
            return MS_SOLVER_FAILED;
    }
    const double scale = ldexp(1.0, -squarings);
    for (int i = 0; i < size; i++)
        As[i] = scale * A[i];

    double *const powers[] = {A2, A4, A6};
    ms_matrix_product(n, n, n, As, As, A2);
    ms_matrix_product(n, n, n, A2, A2, A4);
    ms_matrix_product(n, n, n, A4, A2, A6);

    combine(n, 0.0, (double[]){b[9], b[11], b[13]}, powers,
            E); /* U = A (A6 (b13 A6 + b11 A4 + b9 A2) + ...) */
    ms_matrix_product(n, n, n, A6, E, V);
    combine(n, b[1], (double[]){b[3], b[5], b[7]}, powers, E);
    for (int i = 0; i < size; i++)
        E[i] += V[i];
    ms_matrix_product(n, n, n, As, E, U);

    combine(n, 0.0, (double[]){b[8], b[10], b[12]}, powers, E); /* V = A6 (b12 A6 + b10 A4 + b8 A2) + ... */
    ms_matrix_product(n, n, n, A6, E, V);
    combine(n, b[0], (double[]){b[2], b[4], b[6]}, powers, E);
    for (int i = 0; i < size; i++)
        V[i] += E[i];

    for (int i = 0; i < size; i++) { /* (V - U) E = V + U */
        E[i] = V[i] + U[i];
        V[i] -= U[i];
    }
    if (solve_commuting(n, V, E, pivots) != MS_OK)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < squarings; k++) {
        ms_matrix_product(n, n, n, E, E, U);
        memcpy(E, U, sizeof(double) * (size_t)size);
    }
    return isfinite(norm_1(n, E)) ? MS_OK : MS_SOLVER_FAILED;
}

int ms_matrix_factor(int n, double *A, int *pivots)
{
    if (n == 0)
        return MS_OK;
    double largest = 0.0;
    for (int i = 0; i < n * n; i++) {
        if (!isfinite(A[i]))
            return MS_NO_SOLUTION;
        largest = fmax(largest, fabs(A[i]));
    }
    /* Above the size, the factors of A', which LAPACK sees; ms_matrix_solve solves with their transpose. */
    if (n <= MS_DENSE_SIZE_MAX ? ms_dense_factor(n, A, pivots) != MS_OK
                               : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots) != 0)
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

int ms_matrix_eigenvalues(int n, double *A, double *eigenvalues)
{
    if (n == 0)
        return MS_OK;
    double *re = malloc(sizeof(double) * 2 * (size_t)n);
    if (re == NULL)
        return MS_NO_MEMORY;
    double *im = re + n;
    const int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1);
    for (int i = 0; i < n; i++) {
        eigenvalues[2 * i] = re[i];
        eigenvalues[2 * i + 1] = im[i];
    }
    free(re);
    return info == 0 ? MS_OK : MS_NOT_CONVERGED;
}
