/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <macrostep/status.h>
#include "dense.h"

static double length(int n, const double *x)
{
    double scale = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++)
        scale = fmax(scale, fabs(x[i]));
    if (scale == 0.0 || !isfinite(scale))
        return scale;
    for (int i = 0; i < n; i++)
        sum += (x[i] / scale) * (x[i] / scale);
    return scale * sqrt(sum);
}

/* Householder's reflection I - tau v v', v_0 = 1, that takes x to (r, 0, ..). v_1 .. and r replace x. */
static double reflection(int n, double *x)
{
    const double size = length(n, x);
    if (size == 0.0 || length(n - 1, x + 1) == 0.0)
        return 0.0;
    const double r = x[0] > 0.0 ? -size : size, v0 = x[0] - r;
    for (int i = 1; i < n; i++)
        x[i] /= v0;
    x[0] = r;
    return -v0 / r;
}

/* x -= tau v (v' x), where v_0 = 1 is not stored. */
static void reflect(int n, const double *v, double tau, double *x)
{
    double sum = x[0];
    for (int i = 1; i < n; i++)
        sum += v[i] * x[i];
    sum *= tau;
    x[0] -= sum;
    for (int i = 1; i < n; i++)
        x[i] -= sum * v[i];
}

/* Brings the longest of the columns from k on, each from row k on, to place k. */
static void pivot(int rows, int columns, int k, double *A, int *pivots)
{
    int longest = k;
    double most = -1.0;
    for (int j = k; j < columns; j++) {
        const double size = length(rows - k, A + j * rows + k);
        if (size > most) {
            most = size;
            longest = j;
        }
    }
    const int kept = pivots[k];
    pivots[k] = pivots[longest];
    pivots[longest] = kept;
    for (int i = 0; i < rows && longest != k; i++) {
        const double entry = A[k * rows + i];
        A[k * rows + i] = A[longest * rows + i];
        A[longest * rows + i] = entry;
    }
}

/* A = Q R, or with pivoting A P = Q R, until a diagonal entry is within the tolerance of the first one.
 * Returns the number of steps. */
static int factor(int rows, int columns, double *A, double *tau, int *pivots, double tolerance)
{
    const int steps = rows < columns ? rows : columns;
    for (int k = 0; k < steps; k++) {
        double *column = A + k * rows + k;
        if (pivots != NULL)
            pivot(rows, columns, k, A, pivots);
        tau[k] = reflection(rows - k, column);
        if (column[0] == 0.0 || fabs(column[0]) <= tolerance * fabs(A[0]))
            return k;
        for (int j = k + 1; j < columns; j++)
            reflect(rows - k, column, tau[k], A + j * rows + k);
    }
    return steps;
}

/* y (columns) of least norm with R y = c for the first `rank` rows of R: R' = Z S, S' w = c, y = Z w.
 * T (columns x rank), tau (rank). */
static void solve_wide(int rows, int columns, int rank, const double *R, const double *c, double *T,
                       double *tau, double *y)
{
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < columns; j++)
            T[i * columns + j] = j < i ? 0.0 : R[j * rows + i];
    factor(columns, rank, T, tau, NULL, 0.0);
    memset(y, 0, sizeof(double) * (size_t)columns);
    for (int i = 0; i < rank; i++) {
        double sum = c[i];
        for (int k = 0; k < i; k++)
            sum -= T[i * columns + k] * y[k];
        y[i] = sum / T[i * columns + i];
    }
    for (int k = rank - 1; k >= 0; k--)
        reflect(columns - k, T + k * columns + k, tau[k], y + k);
}

/* R y = c by back substitution, R upper triangular (n x n, columns of length `rows`). */
static void solve_square(int rows, int n, const double *R, const double *c, double *y)
{
    for (int i = n - 1; i >= 0; i--) {
        double sum = c[i];
        for (int j = i + 1; j < n; j++)
            sum -= R[j * rows + i] * y[j];
        y[i] = sum / R[i * rows + i];
    }
}

size_t ms_dense_least_squares_work(int columns)
{
    return (size_t)columns * ((size_t)columns + 2);
}

int ms_dense_least_squares(int rows, int columns, double *A, double *b, double tolerance, double *x,
                           double *work, int *pivots)
{
    double *tau = work, *y = work + columns, *T = y + columns;
    for (int i = 0; i < rows * columns; i++)
        if (!isfinite(A[i]))
            return MS_NO_SOLUTION;
    for (int j = 0; j < columns; j++)
        pivots[j] = j;
    const int rank = factor(rows, columns, A, tau, pivots, tolerance);
    for (int k = 0; k < rank; k++)
        reflect(rows - k, A + k * rows + k, tau[k], b + k);
    if (rank == columns)
        solve_square(rows, rank, A, b, y);
    else
        solve_wide(rows, columns, rank, A, b, T, tau, y);
    bool finite = true;
    for (int j = 0; j < columns; j++) {
        x[pivots[j]] = y[j];
        finite = finite && isfinite(y[j]);
    }
    return finite ? MS_OK : MS_NO_SOLUTION;
}
