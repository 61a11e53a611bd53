/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "map_powers.h"

#include <math.h>
#include <string.h>

#include <macrostep/status.h>
#include "matrix.h"

/* Relative to the sum of moduli of a row, and to the largest entry of the memory: also covers the error of linear
 * equations solved by iteration. */
static const double OF_ROW = 1e-6, OF_MEMORY = 1e-9;

int ms_map_powers_create(int n, double *psi, ms_map_powers *powers)
{
    const size_t size = (size_t)n * (size_t)n;
    *powers = (ms_map_powers){.n = n, .M = psi, .stride = 1};
    powers->square = malloc(sizeof(double) * (size + 1));
    powers->v = malloc(sizeof(double) * ((size_t)n + 1));
    if (powers->square != NULL && powers->v != NULL)
        return MS_OK;
    ms_map_powers_destroy(powers);
    return MS_NO_MEMORY;
}

void ms_map_powers_destroy(ms_map_powers *powers)
{
    MS_FREE(powers->M, powers->square, powers->v);
    *powers = (ms_map_powers){0};
}

static double largest_of(size_t n, const double *x)
{
    double largest = 0.0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(x[k]));
    return largest;
}

bool ms_map_powers_confirm(const ms_map_powers *powers, const double *before, const double *after)
{
    const int n = powers->n;
    const double memory = largest_of((size_t)n, before);
    for (int i = 0; i < n; i++) {
        const double *row = powers->M + (size_t)i * (size_t)n;
        double sum = 0.0, size = 0.0;
        for (int j = 0; j < n; j++) {
            sum += row[j] * before[j];
            size += fabs(row[j] * before[j]);
        }
        if (!(fabs(sum - after[i]) <= OF_ROW * size + OF_MEMORY * memory))
            return false;
    }
    return true;
}

void ms_map_powers_square(ms_map_powers *powers)
{
    const int n = powers->n;
    const size_t size = (size_t)n * (size_t)n;
    int exponent = 0;
    ms_matrix_product(n, n, n, powers->M, powers->M, powers->square);
    double *square = powers->square;
    const double largest = largest_of(size, square);
    if (largest > 0.0 && isfinite(largest))
        (void)frexp(largest, &exponent);
    for (size_t k = 0; k < size; k++)
        square[k] = ldexp(square[k], -exponent);
    powers->square = powers->M;
    powers->M = square;
    powers->exponent = 2.0 * powers->exponent + exponent;
    powers->stride *= 2;
}

void ms_map_powers_apply(ms_map_powers *powers, double *v)
{
    memcpy(powers->v, v, sizeof *v * (size_t)powers->n);
    ms_matrix_multiply(powers->n, powers->n, powers->M, powers->v, v);
}
