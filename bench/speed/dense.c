/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense.c - small dense matrices of our own against OpenBLAS and LAPACK, by order: what MS_DENSE_SIZE_MAX and
 * MS_DENSE_EIGENVALUES_MAX rest on.
 *
 *   product   ms_dense_product / cblas_dgemm
 *   solve     ms_dense_factor, ms_dense_solve with one right side / dgetrf, dgetrs
 *   values    ms_dense_eigenvalues / dgeev, of full matrices, where nothing is deflated
 *
 * Ratios are above 1 where the library is faster. They depend on the kernels that OpenBLAS takes
 * (OPENBLAS_CORETYPE=Prescott .. SkylakeX), which the JSON has as blas_core; nothing is wanted of them. */
#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/model.h>
#include "benchmark.h"
#include "dense.h"

enum { ROUNDS = 7, ORDER_MAX = 384 };

static double A[ORDER_MAX * ORDER_MAX], B[ORDER_MAX * ORDER_MAX], C[ORDER_MAX * ORDER_MAX], right[ORDER_MAX];
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
    ms_dense_solve(n, 1, C, pivots, right);
}

static void solve_library(int n)
{
    memcpy(C, A, sizeof(double) * (size_t)(n * n));
    LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, C, n, pivots);
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, C, n, pivots, right, n);
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

/* Timings ------------------------------------------------------------------------------------------------- */

typedef struct subject {
    void (*work)(int order);
    int order, repeats;
} subject;

static double take(void *self, ms_error *error)
{
    const subject *s = self;
    const double begin = ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    (void)error;
    for (int i = 0; i < s->repeats; i++)
        s->work(s->order);
    return ms_clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

static void measure(ms_benchmark *b, const char *what, void (*ours)(int), void (*library)(int), int n)
{
    const int repeats = 1 + ms_benchmark_count(b, 10000000, 1) / (n * n * n + 100);
    subject own = {ours, n, repeats}, other = {library, n, repeats};
    ms_timing a = {.name = "own", .take = take, .self = &own, .per = repeats},
              c = {.name = "library", .take = take, .self = &other, .per = repeats};
    ms_timing *const timings[] = {&a, &c};
    const ms_ratio ratio = {"own / library", &a, &c, .wanted = MS_WANTED_NOTHING};
    char name[64];
    snprintf(name, sizeof name, "%s, order %d", what, n);
    ms_benchmark_measure(b, name, ROUNDS, 2, timings, 1, &ratio);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, MS_DENSE_SIZE_MAX, 256, ORDER_MAX};
    ms_benchmark b;
    if (!ms_benchmark_begin(&b, "dense", &argc, argv))
        return (int)b.exit;
    for (int i = 0; i < ORDER_MAX * ORDER_MAX; i++) {
        A[i] = (double)rand() / RAND_MAX - 0.5;
        B[i] = (double)rand() / RAND_MAX - 0.5;
    }
    for (int k = 0; k < ms_benchmark_count(&b, MS_COUNT(sizes), 6); k++) {
        measure(&b, "product", product_ours, product_library, sizes[k]);
        measure(&b, "solve", solve_ours, solve_library, sizes[k]);
        if (sizes[k] <= MS_DENSE_EIGENVALUES_MAX)
            measure(&b, "eigenvalues", values_ours, values_library, sizes[k]);
    }
    return ms_benchmark_end(&b);
}
