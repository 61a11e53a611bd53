/* SPDX-License-Identifier: GPL-3.0-or-later */
/* krylov.c - columns are long and V is larger than any cache: all columns of a few rows at a time. */
#include "arnoldi_parts.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The same where squares leave the range of numbers. */
static double scaled_norm(int n, const double *v)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, isnan(v[i]) ? INFINITY : fabs(v[i]));
    if (largest < DBL_MIN)
        return 0.0;
    if (isinf(largest))
        return NAN;
    for (int i = 0; i < n; i++)
        sum += v[i] / largest * (v[i] / largest);
    return largest * sqrt(sum);
}

double ms_krylov_norm(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum > 1e-200 && sum < 1e200 ? sqrt(sum) : scaled_norm(n, v);
}

void ms_krylov_divide(int n, double divisor, double *v)
{
    for (int i = 0; i < n; i++)
        v[i] /= divisor;
}

/* h += V' w over this many rows; four columns at a time. */
static void add_products(int rows, int m, const double *V, size_t stride, const double *w, double *h)
{
    int j = 0;
    for (; j + 3 < m; j += 4, V += 4 * stride) {
        const double *a = V, *b = a + stride, *c = b + stride, *d = c + stride;
        double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
        for (int i = 0; i < rows; i++) {
            s0 += a[i] * w[i];
            s1 += b[i] * w[i];
            s2 += c[i] * w[i];
            s3 += d[i] * w[i];
        }
        h[j] += s0;
        h[j + 1] += s1;
        h[j + 2] += s2;
        h[j + 3] += s3;
    }
    for (; j < m; j++, V += stride)
        for (int i = 0; i < rows; i++)
            h[j] += V[i] * w[i];
}

/* w += factor V h over this many rows; four columns at a time. */
static void add_combination(int rows, int m, const double *V, size_t stride, double factor, const double *h,
                            double *w)
{
    int j = 0;
    for (; j + 3 < m; j += 4, V += 4 * stride) {
        const double *a = V, *b = a + stride, *c = b + stride, *d = c + stride;
        const double h0 = factor * h[j], h1 = factor * h[j + 1], h2 = factor * h[j + 2],
                     h3 = factor * h[j + 3];
        for (int i = 0; i < rows; i++)
            w[i] += h0 * a[i] + h1 * b[i] + h2 * c[i] + h3 * d[i];
    }
    for (; j < m; j++, V += stride)
        for (int i = 0; i < rows; i++)
            w[i] += factor * h[j] * V[i];
}

/* w -= V minus, products += V' w of the new w; either may be NULL. */
static void pass(int n, int m, const double *V, double *w, const double *minus, double *products)
{
    if (products != NULL)
        memset(products, 0, sizeof *products * (size_t)m);
    for (int first = 0; first < n; first += MS_KRYLOV_ROWS) {
        const int rows = n - first < MS_KRYLOV_ROWS ? n - first : MS_KRYLOV_ROWS;
        if (minus != NULL)
            add_combination(rows, m, V + first, (size_t)n, -1.0, minus, w + first);
        if (products != NULL)
            add_products(rows, m, V + first, (size_t)n, w + first, products);
    }
}

double ms_krylov_orthogonalise(int n, int m, const double *V, double *w, double *h, double *again)
{
    pass(n, m, V, w, NULL, h);
    pass(n, m, V, w, h, again);
    pass(n, m, V, w, again, NULL);
    for (int j = 0; j < m; j++)
        h[j] += again[j];
    return ms_krylov_norm(n, w);
}

void ms_krylov_rotate(int n, int m, int k, const double *Q, double *V, double *work)
{
    for (int first = 0; first < n; first += MS_KRYLOV_ROWS) {
        const int rows = n - first < MS_KRYLOV_ROWS ? n - first : MS_KRYLOV_ROWS;
        memset(work, 0, sizeof *work * MS_KRYLOV_ROWS * (size_t)k);
        for (int j = 0; j < k; j++)
            add_combination(rows, m, V + first, (size_t)n, 1.0, Q + (size_t)j * (size_t)m,
                            work + (size_t)j * MS_KRYLOV_ROWS);
        for (int j = 0; j < k; j++)
            memcpy(V + (size_t)j * (size_t)n + first, work + (size_t)j * MS_KRYLOV_ROWS,
                   sizeof *V * (size_t)rows);
    }
}

void ms_krylov_combine(int n, int m, const double *V, const double *y, double *x)
{
    memset(x, 0, sizeof *x * (size_t)n);
    for (int first = 0; first < n; first += MS_KRYLOV_ROWS) {
        const int rows = n - first < MS_KRYLOV_ROWS ? n - first : MS_KRYLOV_ROWS;
        add_combination(rows, m, V + first, (size_t)n, 1.0, y, x + first);
    }
}
