/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_weights.h - preconditioners: weights by which the entries of residuals are scaled, one for each datum.
 *
 * A datum is a group of unknowns of one kind (ms_nonlinear_options). With the residual r of an iteration and its parts
 * r_k:
 *
 *     constant       1
 *     value          1/|H_k|, H = z - gamma(z), once a macro-step, in its first iteration
 *     residual       1/|r_k|, in each iteration
 *     residual-sum   1/s_k, s_k the sum of |r_k|/|r| over the iterations of the macro-step: in each iteration of the first
 *                    macro-step, later only where a weight changes by more than a factor 10
 *
 * 2-norms. A datum whose norm is 0 keeps its weight.
 *
 * Source: preCICE, acceleration/impl; Uekermann (2016). */
#pragma once

#include "nonlinear.h"

typedef struct ms_nonlinear_weights {
    int n, n_data, kind; /* kind: ms_preconditioner */
    int *datum;          /* (n) of each unknown */
    double *sum, *norm;  /* (n_data) over the macro-step; of the parts */
    bool begins;         /* no iteration of the macro-step has been seen */
    double *memory;      /* macro-steps seen, then weights (n_data), 0: none yet */
} ms_nonlinear_weights;

/* Doubles that are kept over macro-steps. */
size_t ms_nonlinear_weights_memory(const ms_nonlinear_options *options);

/* Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_nonlinear_weights_create(ms_nonlinear_weights *weights, const ms_nonlinear_setup *setup);

/* A macro-step begins, with that memory, and ends. */
void ms_nonlinear_weights_begin(ms_nonlinear_weights *weights, double *memory);
void ms_nonlinear_weights_end(ms_nonlinear_weights *weights);

/* An iteration from z, r = gamma(z), (n) each. */
void ms_nonlinear_weights_update(ms_nonlinear_weights *weights, const double *z, const double *r);

/* The weight of unknown i. */
static inline double ms_nonlinear_weight(const ms_nonlinear_weights *weights, int i)
{
    if (weights->datum[i] < 0)
        return 0.0;
    const double weight = weights->memory[1 + weights->datum[i]];
    return weight != 0.0 ? weight : 1.0;
}
