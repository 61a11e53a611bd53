/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stiff_method.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { S = MS_STIFF_STAGES, SCAN = 400 };

/* Nodes -------------------------------------------------------------------------------------------------- */

/* P_s(x) - P_{s-1}(x) at x = 2 c - 1, or P_s(x) - P_{s-2}(x). */
static long double node_polynomial(ms_stiff_family family, long double c)
{
    const long double x = 2.0L * c - 1.0L;
    long double earlier = 0.0L, before = 1.0L, now = x;
    for (int k = 1; k < S; k++) {
        earlier = before;
        before = now;
        now = ((2 * k + 1) * x * now - k * earlier) / (k + 1);
    }
    return now - (family == MS_STIFF_RADAU_IIA ? before : earlier);
}

static long double bisect(ms_stiff_family family, long double low, long double high)
{
    const bool rising = node_polynomial(family, high) > 0.0L;
    for (int k = 0; k < 80; k++) {
        const long double middle = 0.5L * (low + high);
        if ((node_polynomial(family, middle) > 0.0L) == rising)
            high = middle;
        else
            low = middle;
    }
    return 0.5L * (low + high);
}

/* All are simple and further apart than 1/SCAN; those at the ends of [0, 1] are known. */
static void fill_nodes(ms_stiff_family family, long double c[S])
{
    int n = 0;
    if (family == MS_STIFF_LOBATTO_IIIC)
        c[n++] = 0.0L;
    for (int k = 1; k + 2 < 2 * SCAN && n < S - 1; k += 2) {
        const long double low = (long double)k / (2 * SCAN), high = (long double)(k + 2) / (2 * SCAN);
        if ((node_polynomial(family, low) > 0.0L) != (node_polynomial(family, high) > 0.0L))
            c[n++] = bisect(family, low, high);
    }
    c[S - 1] = 1.0L;
}

/* Coefficients ------------------------------------------------------------------------------------------- */

/* Coefficients of prod_{k != j, k >= first} (x - c_k)/(c_j - c_k). */
static void lagrange(const long double c[S], int first, int j, long double p[S])
{
    memset(p, 0, sizeof *p * S);
    p[0] = 1.0L;
    for (int k = first, degree = 0; k < S; k++) {
        if (k == j)
            continue;
        degree++;
        for (int i = degree; i >= 0; i--)
            p[i] = ((i > 0 ? p[i - 1] : 0.0L) - c[k] * p[i]) / (c[j] - c[k]);
    }
}

/* int_0^x p. */
static long double integral(const long double p[S], long double x)
{
    long double sum = 0.0L;
    for (int k = S - 1; k >= 0; k--)
        sum = (sum + p[k] / (k + 1)) * x;
    return sum;
}

static void fill_matrix(ms_stiff_family family, const long double c[S], long double a[S][S])
{
    const int first = family == MS_STIFF_LOBATTO_IIIC;
    long double p[S];
    lagrange(c, 0, 0, p);
    const long double b1 = first > 0 ? integral(p, 1.0L) : 0.0L;
    for (int i = 0; i < S && first > 0; i++)
        a[i][0] = b1;
    for (int j = first; j < S; j++) {
        lagrange(c, first, j, p);
        for (int i = 0; i < S; i++)
            a[i][j] = integral(p, c[i]) - b1 * p[0];
    }
}

/* B = A^-1 by Gauss and Jordan with row pivots; A is overwritten. */
static void invert(long double a[S][S], long double b[S][S])
{
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            b[i][j] = i == j ? 1.0L : 0.0L;
    for (int k = 0; k < S; k++) {
        int pivot = k;
        for (int i = k + 1; i < S; i++)
            if (fabsl(a[i][k]) > fabsl(a[pivot][k]))
                pivot = i;
        for (int j = 0; j < S; j++) {
            const long double x = a[k][j], y = b[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = x;
            b[k][j] = b[pivot][j];
            b[pivot][j] = y;
        }
        for (int i = 0; i < S; i++) {
            const long double factor = i == k ? 0.0L : a[i][k] / a[k][k];
            for (int j = 0; j < S && i != k; j++) {
                a[i][j] -= factor * a[k][j];
                b[i][j] -= factor * b[k][j];
            }
        }
    }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            b[i][j] /= a[i][i];
}

/* Eigenvalues -------------------------------------------------------------------------------------------- */

/* Vectors of one eigenvalue, scaled to u v = 1. dgeev's left ones are conjugate. */
static void scale_vectors(double complex v[S], double complex u[S])
{
    double complex product = 0.0;
    for (int i = 0; i < S; i++) {
        u[i] = conj(u[i]);
        product += u[i] * v[i];
    }
    for (int i = 0; i < S; i++)
        u[i] /= product;
}

/* Columns j and j + 1 of dgeev's vectors. */
static void take_vectors(const double columns[S * S], int j, bool real, double complex v[S])
{
    for (int i = 0; i < S; i++)
        v[i] = real ? columns[j * S + i] : columns[j * S + i] + I * columns[(j + 1) * S + i];
}

static int fill_eigenvalues(ms_stiff_method *method)
{
    double A[S * S], re[S], im[S], left[S * S], right[S * S], work[16 * S];
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            A[j * S + i] = method->inverse[i][j];
    if (LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'V', 'V', S, A, S, re, im, left, S, right, S, work, 16 * S) != 0)
        return MS_NOT_CONVERGED;
    for (int j = 0, pairs = 0; j < S; j++) {
        double complex v[S], u[S];
        if (im[j] < 0.0)
            continue;
        take_vectors(right, j, im[j] == 0.0, v);
        take_vectors(left, j, im[j] == 0.0, u);
        scale_vectors(v, u);
        if (im[j] > 0.0) {
            method->pair[pairs] = re[j] + I * im[j];
            memcpy(method->pair_v[pairs], v, sizeof v);
            memcpy(method->pair_u[pairs++], u, sizeof u);
            continue;
        }
        method->real = re[j];
        for (int i = 0; i < S; i++) {
            method->real_v[i] = creal(v[i]);
            method->real_u[i] = creal(u[i]);
        }
    }
    return MS_OK;
}

/* d with sum_i d_i c_i^k = -gamma where k = 0, else 0, k < s, is -gamma l_i(0); e = d A^-1. */
static void fill_error(const long double c[S], const long double inverse[S][S], ms_stiff_method *method)
{
    for (int i = 0; i < S; i++) {
        long double sum = 0.0L;
        for (int j = 0; j < S; j++) {
            long double p[S];
            lagrange(c, 0, j, p);
            sum -= p[0] * inverse[j][i];
        }
        method->e[i] = method->gamma * (double)sum;
    }
}

static void fill_weights(const long double c[S], ms_stiff_method *method)
{
    const bool radau = c[0] > 0.0L; /* then the polynomial goes through 0 as well: x/c_i times l_i */
    for (int i = 0; i < S; i++) {
        long double p[S];
        lagrange(c, 0, i, p);
        for (int k = 0; k < S; k++)
            method->weight[k][i] = (double)(radau ? p[k] / c[i] : k + 1 < S ? p[k + 1] : 0.0L);
    }
}

int ms_stiff_method_fill(ms_stiff_family family, ms_stiff_method *method)
{
    long double c[S], a[S][S], inverse[S][S];
    fill_nodes(family, c);
    fill_matrix(family, c, a);
    for (int i = 0; i < S; i++) {
        method->c[i] = (double)c[i];
        for (int j = 0; j < S; j++)
            method->a[i][j] = (double)a[i][j];
    }
    fill_weights(c, method);
    invert(a, inverse);
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++)
            method->inverse[i][j] = (double)inverse[i][j];
    const int status = fill_eigenvalues(method);
    method->order = family == MS_STIFF_RADAU_IIA ? 2 * S - 1 : 2 * S - 2;
    method->gamma = 1.0 / method->real;
    fill_error(c, (const long double(*)[S])inverse, method);
    return status;
}

double ms_stiff_method_basis(const ms_stiff_method *method, int i, double s)
{
    double sum = 0.0;
    for (int k = S - 1; k >= 0; k--)
        sum = (sum + method->weight[k][i]) * s;
    return sum;
}
