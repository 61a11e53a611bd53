/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stiffness.h"

#include <stdlib.h>

#include "matrix.h"

int ms_stiffness_exceeds(ms_instance *instance, double t, double rate, bool *exceeds)
{
    const int n = instance->sub->nx;
    double *A = malloc(sizeof *A * ((size_t)n * (size_t)n + 2 * (size_t)n + 1));
    *exceeds = false;
    MS_TRY_MEMORY(A);
    double *eigenvalue = A + n * n;
    const bool known =
        ms_instance_jacobian(instance, 0, t, instance->x, A) == 0 && ms_matrix_norm(n, A) > rate;
    const int status = known ? ms_matrix_eigenvalues(n, A, eigenvalue) : MS_NOT_CONVERGED;
    for (int k = 0; k < n && status == MS_OK; k++)
        *exceeds = *exceeds || eigenvalue[2 * k] < -rate;
    free(A);
    return status == MS_NO_MEMORY ? MS_NO_MEMORY : MS_OK;
}
