/* SPDX-License-Identifier: GPL-3.0-or-later */
/* distribution.h - the distribution of a random parameter: "normal(1e4,1e3)" in place of a number. */
#pragma once

#include <stdbool.h>

#include <macrostep/status.h>

typedef enum ms_distribution_kind {
    MS_DISTRIBUTION_NONE,
    MS_DISTRIBUTION_NORMAL,    /* mean, standard deviation */
    MS_DISTRIBUTION_LOGNORMAL, /* the same of the logarithm */
    MS_DISTRIBUTION_UNIFORM,   /* between its ends */
    MS_DISTRIBUTION_LOGUNIFORM /* its logarithm is uniform */
} ms_distribution_kind;

typedef struct ms_distribution {
    ms_distribution_kind kind;
    double of[2]; /* its two numbers, in the order of the text */
} ms_distribution;

/* Has the text the form NAME(..)? */
bool ms_distribution_is(const char *text);

/* `what` begins the line of an error: MS_INVALID. */
int ms_distribution_read(const char *what, const char *text, ms_distribution *distribution, ms_error *error);

/* The inverse of the cumulative distribution at p, 0 < p < 1. */
double ms_distribution_quantile(const ms_distribution *distribution, double p);
