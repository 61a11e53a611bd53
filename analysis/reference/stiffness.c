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

bool ms_stiffness_exceeds(ms_instance *instance, double t, double rate)
{
    const int n = instance->sub->nx;
    double *A = malloc(sizeof *A * ((size_t)n * (size_t)n + 2 * (size_t)n + 1));
    bool exceeds = false;
    if (A == NULL)
        return false;
    double *eigenvalue = A + n * n;
    if (ms_instance_jacobian(instance, 0, t, instance->x, A) == 0 && norm(n, A) > rate &&
        ms_matrix_eigenvalues(n, A, eigenvalue) == MS_OK)
        for (int k = 0; k < n; k++)
            exceeds = exceeds || eigenvalue[2 * k] < -rate;
    free(A);
    return exceeds;
}
