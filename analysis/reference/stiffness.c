/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stiffness.h"

#include <math.h>
#include <stdlib.h>

#include "matrix.h"

/* The largest sum of magnitudes of a row, which no eigenvalue exceeds. */
static double norm(int n, const double *A)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(A[i * n + j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

int ms_stiffness_exceeds(ms_instance *instance, double t, double rate, bool *exceeds)
{
    const int n = instance->sub->nx;
    double *A = malloc(sizeof *A * ((size_t)n * (size_t)n + 2 * (size_t)n + 1));
    *exceeds = false;
    if (A == NULL)
        return MS_NO_MEMORY;
    double *eigenvalue = A + n * n;
    const bool known = ms_instance_jacobian(instance, 0, t, instance->x, A) == 0 && norm(n, A) > rate;
    const int status = known ? ms_matrix_eigenvalues(n, A, eigenvalue) : MS_NOT_CONVERGED;
    for (int k = 0; k < n && status == MS_OK; k++)
        *exceeds = *exceeds || eigenvalue[2 * k] < -rate;
    free(A);
    return status == MS_NO_MEMORY ? MS_NO_MEMORY : MS_OK;
}
