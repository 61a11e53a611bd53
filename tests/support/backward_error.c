/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backward_error.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "spectrum.h"
#include "status.h"

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

void support_radius_bounds(int n, const double *psi, double *lower, double *radius, double *upper)
{
    const size_t size = (size_t)n * (size_t)n;
    double *A = malloc(sizeof *A * (3 * size + 2 * (size_t)n + 1)), *left = A + size, *right = left + size;
    double *re = right + size, *im = re + n, square = 0.0;
    *lower = *radius = *upper = A != NULL ? 0.0 : NAN;
    if (A == NULL)
        return;
    memcpy(A, psi, sizeof *A * size);
    for (size_t i = 0; i < size; i++)
        square += psi[i] * psi[i];
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', n, A, n, re, im, left, n, right, n) != 0)
        *lower = *radius = *upper = NAN;
    for (int k = 0; k < n; k += im[k] != 0.0 ? 2 : 1) {
        const double modulus = hypot(re[k], im[k]);
        const double off = n * DBL_EPSILON * sqrt(square) * condition(n, left + k * n, right + k * n, im[k]);
        *lower = fmax(*lower, modulus - off);
        *radius = fmax(*radius, modulus);
        *upper = fmax(*upper, modulus + off);
    }
    free(A);
}
