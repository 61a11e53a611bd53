/* SPDX-License-Identifier: GPL-3.0-or-later */
/* band.h - band matrices M, and (M - s I)^-1 v for real and complex s: LU with partial pivoting by LAPACK. */
#pragma once

#include <lapacke.h>
#include <stddef.h>

typedef struct ms_band {
    int n, width;   /* M_ij = 0 for |i - j| > width */
    double *value;  /* (n x (2 width + 1)): M_ij at ms_band_entry */
    double *factor; /* of M - s I, real, or its real form of 2 n rows */
    lapack_int *pivots;
    double *work; /* (2 n) */
    int parts;    /* of numbers: 1 if s is real, 2; 0: nothing is factorised */
    int room;     /* for how many there is memory */
} ms_band;

/* A band of zeros, or NULL without memory. */
ms_band *ms_band_create(int n, int width);
void ms_band_destroy(ms_band **band); /* NULL-safe */

static inline double *ms_band_entry(const ms_band *band, int i, int j)
{
    return band->value + (size_t)i * (size_t)(2 * band->width + 1) + (size_t)(band->width + j - i);
}

/* to = M v, both (n). */
void ms_band_multiply(const ms_band *band, const double *v, double *to);

/* Factors of M - (re + i im) I. Returns MS_OK, MS_NO_MEMORY, or MS_SOLVER_FAILED (singular). */
int ms_band_factor(ms_band *band, double re, double im);

/* to = Re((M - s I)^-1 v), both (n), for the s of the last factors. */
void ms_band_solve(const ms_band *band, const double *v, double *to);
