/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certificate_coordinates.c - coordinates in which a matrix is nearly triangular, where bounds of determinants by rows are close:
 * powers of 2 that balance rows and columns (Osborne 1960), and the orthogonal matrix of some steps of the QR algorithm without
 * shifts. They are computed in doubles; for any T the eigenvalues of T^-1 Psi T are those of Psi. */
#include <math.h>

#include "certificate_parts.h"

enum { BALANCINGS = 10, QR_STEPS = 40 };

static const double most_scale = 0x1p400; /* quotients and their squares stay doubles */

/* Sums of squares besides the diagonal of row and column i of M, scaled. */
static void sums(int n, const double *M, const double *scale, int i, double *row, double *column)
{
    *row = *column = 0.0;
    for (int j = 0; j < n; j++) {
        const double to = M[i * n + j] * scale[j] / scale[i];
        const double from = M[j * n + i] * scale[i] / scale[j];
        *row += j != i ? to * to : 0.0;
        *column += j != i ? from * from : 0.0;
    }
}

void ms_certificate_balance(int n, const double *M, double *scale)
{
    for (int i = 0; i < n; i++)
        scale[i] = 1.0;
    for (int k = 0; k < BALANCINGS * n; k++) {
        double row, column;
        sums(n, M, scale, k % n, &row, &column);
        if (row > 0.0 && column > 0.0 && isfinite(row / column))
            scale[k % n] = fmin(most_scale, fmax(1.0 / most_scale,
                                                 ldexp(scale[k % n], (int)lrint(0.25 * log2(row / column)))));
    }
}

/* v, 0 before v_k, so that the reflection I - 2 v v' takes column k of M, from row k on, to a multiple of the first unit vector. */
static void reflector(int n, const double *M, int k, double *v)
{
    double square = 0.0;
    for (int i = k; i < n; i++) {
        v[i] = M[i * n + k];
        square += v[i] * v[i];
    }
    v[k] += copysign(sqrt(square), v[k]);
    square = 0.0;
    for (int i = k; i < n; i++)
        square += v[i] * v[i];
    for (int i = k; i < n; i++)
        v[i] = square > 0.0 ? v[i] / sqrt(square) : 0.0;
}

/* M = (I - 2 v v') M */
static void reflect_rows(int n, double *M, int k, const double *v)
{
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = k; i < n; i++)
            sum += v[i] * M[i * n + j];
        for (int i = k; i < n; i++)
            M[i * n + j] -= 2.0 * sum * v[i];
    }
}

/* M = M (I - 2 v v') */
static void reflect_columns(int n, double *M, int k, const double *v)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = k; j < n; j++)
            sum += M[i * n + j] * v[j];
        for (int j = k; j < n; j++)
            M[i * n + j] -= 2.0 * sum * v[j];
    }
}

/* M = Q R becomes R Q, and T becomes T Q. */
static void qr_step(int n, double *M, double *T, double *v)
{
    for (int k = 0; k + 1 < n; k++) {
        reflector(n, M, k, v + k * n);
        reflect_rows(n, M, k, v + k * n);
    }
    for (int k = 0; k + 1 < n; k++) {
        reflect_columns(n, M, k, v + k * n);
        reflect_columns(n, T, k, v + k * n);
    }
}

void ms_certificate_triangularise(int n, double *M, double *T, double *work)
{
    double *scale = work;
    ms_certificate_balance(n, M, scale);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            M[i * n + j] *= scale[j] / scale[i];
            T[i * n + j] = i == j ? scale[i] : 0.0;
        }
    for (int k = 0; k < QR_STEPS; k++)
        qr_step(n, M, T, work);
}
