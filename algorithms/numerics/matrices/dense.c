/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dense.h"

#include <math.h>

#include <macrostep/status.h>

/* Two neighbours in a row. Each entry of a result has its own lane, so that its bits are those of plain loops. */
typedef double lane __attribute__((vector_size(16), aligned(8), may_alias));

static inline lane load(const double *a)
{
    return *(const lane *)a;
}

/* C = A B for a patch of up to 4 rows and 2 pairs of columns, known to the compiler and held in registers. */
static inline __attribute__((always_inline)) void patch(int rows, int pairs, int k, int m, const double *A,
                                                        const double *B, double *C)
{
    lane sum[4][2] = {{{0.0, 0.0}, {0.0, 0.0}},
                      {{0.0, 0.0}, {0.0, 0.0}},
                      {{0.0, 0.0}, {0.0, 0.0}},
                      {{0.0, 0.0}, {0.0, 0.0}}};
    for (int l = 0; l < k; l++, B += m) {
#pragma GCC unroll 4
        for (int i = 0; i < rows; i++) {
#pragma GCC unroll 2
            for (int j = 0; j < pairs; j++)
                sum[i][j] += A[i * k + l] * load(B + 2 * j);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++) {
#pragma GCC unroll 2
        for (int j = 0; j < pairs; j++)
            *(lane *)(C + i * m + 2 * j) = sum[i][j];
    }
}

/* The same for that many rows and all columns. */
static inline __attribute__((always_inline)) void strip(int rows, int k, int m, const double *A,
                                                        const double *B, double *C)
{
    int j = 0;
    for (; j + 4 <= m; j += 4)
        patch(rows, 2, k, m, A, B + j, C + j);
    if (j + 2 <= m) {
        patch(rows, 1, k, m, A, B + j, C + j);
        j += 2;
    }
    for (int i = 0; i < rows && j < m; i++) {
        double sum = 0.0;
        for (int l = 0; l < k; l++)
            sum += A[i * k + l] * B[l * m + j];
        C[i * m + j] = sum;
    }
}

void ms_dense_product(int n, int k, int m, const double *A, const double *B, double *C)
{
    int i = 0;
    if (n == 2 && k == 2) { /* the commonest order: its loops cost more than its sums */
        strip(2, 2, m, A, B, C);
        return;
    }
    for (; i + 4 <= n; i += 4)
        strip(4, k, m, A + i * k, B, C + i * m);
    if (i + 2 <= n) {
        strip(2, k, m, A + i * k, B, C + i * m);
        i += 2;
    }
    if (i < n)
        strip(1, k, m, A + i * k, B, C + i * m);
}

void ms_dense_combine(int size, const double c[5], double d, const double *M, const double *D, double *Z)
{
    const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4];
    const double *M1 = M + size, *M2 = M1 + size, *M3 = M2 + size, *M4 = M3 + size;
    int i = 0;
    for (; i + 2 <= size; i += 2)
        *(lane *)(Z + i) = c0 * load(M + i) + c1 * load(M1 + i) + c2 * load(M2 + i) + c3 * load(M3 + i) +
                           c4 * load(M4 + i) + d * load(D + i);
    if (i < size)
        Z[i] = c0 * M[i] + c1 * M1[i] + c2 * M2[i] + c3 * M3[i] + c4 * M4[i] + d * D[i];
}

/* y -= c x */
static inline void subtract(int n, double c, const double *x, double *y)
{
    int j = 0;
    for (; j + 2 <= n; j += 2)
        *(lane *)(y + j) = load(y + j) - c * load(x + j);
    if (j < n)
        y[j] -= c * x[j];
}

static void exchange(int n, double *a, double *b)
{
    for (int j = 0; j < n && a != b; j++) {
        const double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

static int largest_below(int n, const double *A, int column)
{
    int row = column;
    for (int i = column + 1; i < n; i++)
        if (fabs(A[i * n + column]) > fabs(A[row * n + column]))
            row = i;
    return row;
}

int ms_dense_factor(int n, double *A, int *pivots)
{
    for (int k = 0; k < n; k++) {
        double *pivot_row = A + k * n;
        pivots[k] = largest_below(n, A, k);
        exchange(n, pivot_row, A + pivots[k] * n);
        if (!(fabs(pivot_row[k]) > 0.0))
            return MS_NO_SOLUTION;
        for (int i = k + 1; i < n; i++) {
            double *row = A + i * n;
            row[k] /= pivot_row[k];
            if (row[k] != 0.0)
                subtract(n - k - 1, row[k], pivot_row + k + 1, row + k + 1);
        }
    }
    return MS_OK;
}

/* One column: the same operations, without the loops over columns. */
static void solve_one(int n, const double *LU, const int *pivots, double *b)
{
    for (int i = 0; i < n; i++)
        exchange(1, b + i, b + pivots[i]);
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++)
            b[i] -= LU[i * n + k] * b[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= LU[i * n + k] * b[k];
        b[i] /= LU[i * n + i];
    }
}

void ms_dense_solve(int n, int m, const double *LU, const int *pivots, double *B)
{
    if (m == 1) {
        solve_one(n, LU, pivots, B);
        return;
    }
    for (int i = 0; i < n; i++)
        exchange(m, B + i * m, B + pivots[i] * m);
    for (int i = 1; i < n; i++) /* L Y = P B */
        for (int k = 0; k < i; k++)
            subtract(m, LU[i * n + k], B + k * m, B + i * m);
    for (int i = n - 1; i >= 0; i--) { /* U X = Y */
        for (int k = i + 1; k < n; k++)
            subtract(m, LU[i * n + k], B + k * m, B + i * m);
        for (int j = 0; j < m; j++)
            B[i * m + j] /= LU[i * n + i];
    }
}
