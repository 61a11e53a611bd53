/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backward_error.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

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
