/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: Bjorck, Numerical Methods for Least Squares Problems, SIAM 1996, 2.4. */
#include "fmu_fit.h"

#include <math.h>
#include <string.h>

static double dot(int samples, const double *a, int apart_a, const double *b, int apart_b)
{
    double sum = 0.0;
    for (int k = 0; k < samples; k++)
        sum += a[k * apart_a] * b[k * apart_b];
    return sum;
}

/* Orthogonalises column j to the columns before it and stores the coefficients in R. Returns the remaining fraction. */
static double orthogonalise(int samples, int n, double *in, int j, double *R)
{
    const double whole = sqrt(dot(samples, in + j, n, in + j, n));
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < j; i++) {
            const double part = dot(samples, in + i, n, in + j, n);
            R[i * n + j] += part;
            for (int k = 0; k < samples; k++)
                in[k * n + j] -= part * in[k * n + i];
        }
    const double left = sqrt(dot(samples, in + j, n, in + j, n));
    R[j * n + j] = left;
    for (int k = 0; k < samples && left > 0.0; k++)
        in[k * n + j] /= left;
    return whole > 0.0 ? left / whole : 1.0;
}

int ms_fmu_fit(int samples, int n, int needed, double *in, int rows, const double *out, double *R, double *M)
{
    memset(R, 0, sizeof *R * (size_t)n * (size_t)n);
    for (int j = 0; j < n; j++)
        if (!(orthogonalise(samples, n, in, j, R) > 1e-8) || (j < needed && R[j * n + j] == 0.0))
            return j;
    for (int i = 0; i < rows; i++)
        for (int j = n - 1; j >= 0; j--) { /* R M' = Q' out */
            double sum = dot(samples, in + j, n, out + i, rows);
            for (int m = j + 1; m < n; m++)
                sum -= R[j * n + m] * M[i * n + m];
            M[i * n + j] = R[j * n + j] > 0.0 ? sum / R[j * n + j] : 0.0;
        }
    return -1;
}

void ms_fmu_promise(int rows, int n, const double *M, const double *v, double *sum, double *terms)
{
    for (int i = 0; i < rows; i++) {
        sum[i] = terms[i] = 0.0;
        for (int j = 0; j < n; j++) {
            sum[i] += M[i * n + j] * v[j];
            terms[i] += fabs(M[i * n + j] * v[j]);
        }
    }
}

double ms_fmu_distance(int rows, const double *out, const double *base, const double *sum,
                       const double *terms)
{
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < rows; i++)
        largest = fmax(largest, terms[i]);
    for (int i = 0; i < rows && largest > 0.0; i++) {
        const double d = fabs(out[i] - base[i] - sum[i]) / (terms[i] + 1e-6 * largest);
        worst = isnan(d) ? INFINITY : fmax(worst, d);
    }
    return worst;
}
