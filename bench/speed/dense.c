/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.c - small dense matrices of our own against OpenBLAS and LAPACK, by order: what MS_DENSE_SIZE_MAX and
 * MS_DENSE_EIGENVALUES_MAX rest on.
 *
 *   product   ms_dense_product / cblas_dgemm
 *   solve     ms_dense_factor, ms_dense_solve with one right side / dgetrf, dgetrs
 *   values    ms_dense_eigenvalues / dgeev, of full matrices, where nothing is deflated
 *
 * Both are timed in turn within one run; ratios are medians over the rounds, above 1 where the library is faster. They
 * depend on the kernels that OpenBLAS takes (OPENBLAS_CORETYPE=Prescott .. SkylakeX), which are printed. */
#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "model.h"
#include "timing.h"

enum { ROUNDS = 7, ORDER_MAX = 384 };

static double A[ORDER_MAX * ORDER_MAX], B[ORDER_MAX * ORDER_MAX], C[ORDER_MAX * ORDER_MAX], b[ORDER_MAX];
static double eigenvalues[64 * MS_DENSE_EIGENVALUES_MAX];
static int pivots[ORDER_MAX];

static void product_ours(int n)
{
    ms_dense_product(n, n, n, A, B, C);
}

static void product_library(int n)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, A, n, B, n, 0.0, C, n);
}

static void solve_ours(int n)
{
    memcpy(C, A, sizeof(double) * (size_t)(n * n));
    ms_dense_factor(n, C, pivots);
    ms_dense_solve(n, 1, C, pivots, b);
}

static void solve_library(int n)
{
    memcpy(C, A, sizeof(double) * (size_t)(n * n));
    LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, C, n, pivots);
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, C, n, pivots, b, n);
}

static void values_ours(int n)
{
    memcpy(C, A, sizeof(double) * (size_t)(n * n));
    ms_dense_eigenvalues(n, MS_DENSE_QR_STEPS, C, eigenvalues, eigenvalues + n);
}

static void values_library(int n)
{
    memcpy(C, A, sizeof(double) * (size_t)(n * n));
    LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, C, n, eigenvalues, eigenvalues + n, NULL, 1, NULL, 1,
                       eigenvalues + 2 * n, MS_COUNT(eigenvalues) - 2 * n);
}

/* Seconds of one call. */
static double time_of(void (*work)(int), int n, int repeats)
{
    const double begin = ms_clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < repeats; i++)
        work(n);
    return (ms_clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) / repeats;
}

static double ratio(void (*ours)(int), void (*library)(int), int n, double *nanoseconds)
{
    const int repeats = 1 + 10000000 / (n * n * n + 100);
    double ratios[ROUNDS], times[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        times[r] = time_of(ours, n, repeats);
        ratios[r] = times[r] / time_of(library, n, repeats);
    }
    *nanoseconds = 1e9 * ms_median(ROUNDS, times);
    return ms_median(ROUNDS, ratios);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, MS_DENSE_SIZE_MAX, 256, ORDER_MAX};
    for (int i = 0; i < ORDER_MAX * ORDER_MAX; i++) {
        A[i] = (double)rand() / RAND_MAX - 0.5;
        B[i] = (double)rand() / RAND_MAX - 0.5;
    }
    printf("kernels of %s; own code up to order %d\n", openblas_get_corename(), MS_DENSE_SIZE_MAX);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double product, solve;
        const double products = ratio(product_ours, product_library, sizes[k], &product);
        const double solves = ratio(solve_ours, solve_library, sizes[k], &solve);
        printf("order %3d  product %10.0f ns, own/library %.2f  solve %10.0f ns, own/library %.2f", sizes[k],
               product, products, solve, solves);
        if (sizes[k] <= MS_DENSE_EIGENVALUES_MAX) {
            const double values = ratio(values_ours, values_library, sizes[k], &solve);
            printf("  values %10.0f ns, own/library %.2f", solve, values);
        }
        printf("\n");
    }
    return 0;
}
