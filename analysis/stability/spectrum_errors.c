/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectrum_errors.c - what round-off may have done to eigenvalues.
 *
 * With right and left eigenvectors x, y of length 1, A x = lambda x + r, lambda is an eigenvalue of a matrix that is as near to A as r is long,
 * and a change of A by E moves it by |E| / |y^H x| at most, to the first order (Golub, Van Loan, Matrix Computations, 7.2.2). */
#include <macrostep/spectrum.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "long_call.h"
#include "matrix.h"

/* Eigenvalues and vectors of the balanced matrix as LAPACK sees it, the transpose: rows are vectors, pairs have two. */
typedef struct vectors {
    int n, n_work;
    double *balanced, *product; /* (n x n) */
    double *re, *im;            /* (n) */
    double *left, *right;       /* (n x n) */
    double *work;               /* (n_work) */
} vectors;

static int allocate(int n, vectors *v)
{
    const size_t size = (size_t)n, square = size * size;
    double work = 0.0;
    *v = (vectors){.n = n};
    const int info =
        LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'V', 'V', n, NULL, n, NULL, NULL, NULL, n, NULL, n, &work, -1);
    v->n_work = info == 0 && work > 4.0 * n ? (int)work : 4 * n;
    v->balanced = malloc(sizeof *v->balanced * (4 * square + 2 * size + (size_t)v->n_work + 1));
    MS_TRY_MEMORY(v->balanced);
    v->product = v->balanced + square;
    v->left = v->product + square;
    v->right = v->left + square;
    v->re = v->right + square;
    v->im = v->re + size;
    v->work = v->im + size;
    return MS_OK;
}

static int find_vectors(const double *psi, vectors *v)
{
    const size_t bytes = sizeof *psi * (size_t)v->n * (size_t)v->n;
    const double operations = 27.0 * v->n * v->n * v->n;
    lapack_int low, high;
    memcpy(v->balanced, psi, bytes);
    if (LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'S', v->n, v->balanced, v->n, &low, &high, v->work) != 0)
        return MS_NOT_CONVERGED;
    memcpy(v->product, v->balanced, bytes);
    ms_long_call_begin(operations);
    const int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'V', 'V', v->n, v->product, v->n, v->re, v->im,
                                        v->left, v->n, v->right, v->n, v->work, v->n_work);
    ms_long_call_end(operations);
    return info == 0 ? MS_OK : MS_NOT_CONVERGED;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* |y^H x| of eigenvalue k: of a pair its first one. */
static double cosine(const vectors *v, int k)
{
    const int n = v->n;
    const double *x = v->right + (size_t)k * (size_t)n, *y = v->left + (size_t)k * (size_t)n;
    if (v->im[k] == 0.0)
        return fabs(dot(n, y, x));
    return hypot(dot(n, y, x) + dot(n, y + n, x + n), dot(n, y, x + n) - dot(n, y + n, x));
}

/* |A x - lambda x|, likewise. */
static double residual(const vectors *v, int k)
{
    const int n = v->n;
    const bool pair = v->im[k] != 0.0;
    const double *x = v->right + (size_t)k * (size_t)n, *Ax = v->product + (size_t)k * (size_t)n;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double re = Ax[i] - v->re[k] * x[i] + (pair ? v->im[k] * x[n + i] : 0.0),
                     im = pair ? Ax[n + i] - v->re[k] * x[n + i] - v->im[k] * x[i] : 0.0;
        sum += re * re + im * im;
    }
    return sqrt(sum);
}

/* Terms of the second order: of 27,000 eigenvalues that are known exactly, none was off by more than 1.4 times what the first says
 * (tests/analysis/stability/test_spectrum.c). */
static const double SAFETY = 2.0;

static void fill_errors(const vectors *v, double *of)
{
    const int n = v->n;
    const double round_off = DBL_EPSILON * sqrt(dot(n * n, v->balanced, v->balanced));
    for (int k = 0; k < n; k++)
        of[k] = v->im[k] < 0.0 ? of[k - 1] : SAFETY * (residual(v, k) + round_off) / cosine(v, k);
}

/* The error of the nearest one of theirs, and the distance from it. */
static double error_at(const vectors *v, const double *of, const double *eigenvalue)
{
    double distance = INFINITY, error = INFINITY;
    for (int k = 0; k < v->n; k++) {
        const double away = hypot(eigenvalue[0] - v->re[k], eigenvalue[1] - v->im[k]);
        if (away < distance) {
            distance = away;
            error = of[k];
        }
    }
    return error + distance;
}

int ms_spectrum_errors(const ms_spectrum *s, const double *psi, double *errors)
{
    const int n = s->n;
    vectors v;
    if (n == 0)
        return MS_OK;
    MS_TRY(allocate(n, &v));
    const int status = find_vectors(psi, &v);
    if (status == MS_OK) {
        double *of = v.work; /* 4 n at least */
        ms_matrix_product(n, n, n, v.right, v.balanced, v.product);
        fill_errors(&v, of);
        for (int k = 0; k < n; k++)
            errors[k] = error_at(&v, of, s->eigenvalues + 2 * k);
    }
    free(v.balanced);
    return status;
}
