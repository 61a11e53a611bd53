/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h - the draws of random parameters (--sample), a table computed once from the seed. */
#pragma once

#include "arguments.h"

typedef struct ms_sample {
    int n, dimensions; /* draws; random parameters, in the order of --set */
    double *value;     /* (n x dimensions), owned */
} ms_sample;

/* Points u of the unit cube, 0 < u < 1, (n x dimensions). MS_SAMPLING_SOBOL: the first n of Sobol's points, including the one at
 * zero, all shifted modulo 1 by one random vector: in each parameter 2^k points are 2^-k apart, and the first n of 2 n points are
 * those of n. MS_SAMPLING_LATIN: in each parameter one random point in each of n equal intervals, in random order (McKay, Beckman,
 * Conover 1979). Errors: MS_NO_MEMORY. */
int ms_sample_points(int sampling, int n, int dimensions, int seed, double *u, ms_error *error);

/* The draws of the call, by the inverse distribution functions; none without --sample. Errors: MS_INVALID if a draw is not
 * finite, MS_NO_MEMORY. Destroying is safe after them. */
int ms_sample_create(const ms_arguments *arguments, ms_sample *sample, ms_error *error);
void ms_sample_destroy(ms_sample *sample);

/* Puts draw k into the settings (arguments->n_settings). */
void ms_sample_apply(const ms_sample *sample, const ms_arguments *arguments, int k, ms_setting *settings);

/* The least and the largest draw of a random parameter. */
void ms_sample_range(const ms_sample *sample, int dimension, double range[2]);

/* The quantile at p of (n) ascending values, linear between the values at k / (n - 1); unknown values are infinities at the end.
 * Not finite if unknown. */
double ms_sample_quantile(int n, const double *ascending, double p);
