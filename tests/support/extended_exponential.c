/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "extended_exponential.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TERMS = 25 };

static void multiply(int n, const long double *A, const long double *B, long double *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long double sum = 0.0L;
            for (int k = 0; k < n; k++)
                sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}

/* The number of halvings that bring the sum of all absolute values below 1/2. */
static int halvings(int size, const long double *A)
{
    long double sum = 0.0L;
    int exponent = 0;
    for (int i = 0; i < size; i++)
        sum += fabsl(A[i]);
    frexpl(sum, &exponent);
    return exponent < -1 ? 0 : exponent + 1;
}

void support_exponential_extended(int n, const long double *A, long double *E)
{
    const int size = n * n, squarings = halvings(size, A);
    long double *z = malloc(sizeof *z * 2 * (size_t)(size + 1)), *next = z + size;
    assert_non_null(z);
    for (int i = 0; i < size; i++)
        z[i] = ldexpl(A[i], -squarings);
    memset(E, 0, sizeof *E * (size_t)size);
    for (int k = TERMS; k >= 1; k--) { /* E = z/k (I + E) */
        for (int i = 0; i < n; i++)
            E[i * (n + 1)] += 1.0L;
        multiply(n, z, E, next);
        for (int i = 0; i < size; i++)
            E[i] = next[i] / k;
    }
    for (int i = 0; i < n; i++)
        E[i * (n + 1)] += 1.0L;
    for (int k = 0; k < squarings; k++) {
        multiply(n, E, E, next);
        memcpy(E, next, sizeof *E * (size_t)size);
    }
    free(z);
}

void support_exponential(int n, const double *A, double t, double *E)
{
    const int size = n * n;
    long double *At = malloc(sizeof *At * 2 * (size_t)(size + 1)), *X = At + size;
    assert_non_null(At);
    for (int i = 0; i < size; i++)
        At[i] = (long double)A[i] * t;
    support_exponential_extended(n, At, X);
    for (int i = 0; i < size; i++)
        E[i] = (double)X[i];
    free(At);
}
