/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backward_error.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/spectrum.h>
#include <macrostep/status.h>

static bool all_finite(int n, const double *psi)
{
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        if (!isfinite(psi[k]))
            return false;
    return true;
}

double support_backward_error(int n, const double *psi, double re, double im)
{
    double error = NAN, *values = malloc(sizeof *values * (2 * (size_t)n + 1));
    if (values != NULL && n > 0 && all_finite(n, psi) &&
        ms_spectrum_singular_values(n, psi, 0.0, 0.0, values) == MS_OK &&
        ms_spectrum_singular_values(n, psi, re, im, values + n) == MS_OK)
        error = values[0] > 0.0 ? values[2 * n - 1] / values[0] : hypot(re, im);
    free(values);
    return error;
}

/* 1/|y^H x| of eigenvalue k, from unit vectors as dgeev stores them: pairs as real and imaginary parts. */
static double condition(int n, const double *left, const double *right, double im)
{
    double re_product = 0.0, im_product = 0.0;
    for (int i = 0; i < n; i++) {
        re_product += left[i] * right[i] + (im != 0.0 ? left[n + i] * right[n + i] : 0.0);
        im_product += im != 0.0 ? left[i] * right[n + i] - left[n + i] * right[i] : 0.0;
    }
    return 1.0 / hypot(re_product, im_product);
}

/* Modulus and condition of each eigenvalue (n), by LAPACK. */
static bool find_moduli(int n, const double *psi, double *modulus, double *conditions)
{
    const size_t size = (size_t)n * (size_t)n;
    double *A = malloc(sizeof *A * (3 * size + 2 * (size_t)n + 1));
    if (A == NULL)
        return false;
    double *left = A + size, *right = left + size, *re = right + size, *im = re + n;
    memcpy(A, psi, sizeof *A * size);
    const bool found = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', n, A, n, re, im, left, n, right, n) == 0;
    for (int k = 0; k < n && found; k++) {
        const bool second = im[k] < 0.0; /* of a pair */
        modulus[k] = hypot(re[k], im[k]);
        conditions[k] = second ? conditions[k - 1] : condition(n, left + k * n, right + k * n, im[k]);
    }
    free(A);
    return found;
}

void support_radius_bounds(int n, const double *psi, double *lower, double *radius, double *upper)
{
    double *modulus = malloc(sizeof *modulus * (2 * (size_t)n + 1)), *conditions = modulus + n, square = 0.0;
    const bool found = modulus != NULL && find_moduli(n, psi, modulus, conditions);
    *lower = *radius = *upper = found ? 0.0 : NAN;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        square += psi[i] * psi[i];
    for (int k = 0; k < n && found; k++) {
        const double off = n * DBL_EPSILON * sqrt(square) * conditions[k];
        *lower = fmax(*lower, modulus[k] - off);
        *radius = fmax(*radius, modulus[k]);
        *upper = fmax(*upper, modulus[k] + off);
    }
    free(modulus);
}

int support_descending(const void *a, const void *b)
{
    const double l = *(const double *)a, r = *(const double *)b;
    return l < r ? 1 : l > r ? -1 : 0;
}

void support_modulus_bounds(int n, const double *psi, double r, double *lower, double *upper)
{
    const bool found = find_moduli(n, psi, lower, upper);
    for (int k = 0; k < n; k++) {
        const double modulus = lower[k], off = 2.0 * r * upper[k];
        lower[k] = found ? modulus - off : NAN;
        upper[k] = found ? modulus + off : NAN;
    }
    qsort(lower, (size_t)n, sizeof *lower, support_descending);
    qsort(upper, (size_t)n, sizeof *upper, support_descending);
}
