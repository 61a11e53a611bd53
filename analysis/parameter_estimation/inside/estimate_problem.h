/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_problem.h - the sum of squares as a function of scaled parameters: what the files estimate*.c
 * share. */
#pragma once

#include <macrostep/estimate.h>
#include "simulated_output.h"

typedef struct ms_estimate_problem {
    const ms_estimate_options *request;
    const ms_model *model;
    ms_simulated_output simulated;
    ms_setting *settings; /* (n_parameters): all parameters of the model */
    int n;                /* parameters that are estimated */
    long m;               /* residuals: rows x columns */
    double *scale;        /* (n): p = scale q */
    double *low, *high;   /* (n): range of q */
    double *measured;     /* (m) */
    double *sigma;        /* (columns) */
    double *value;        /* (m): the last simulated output */
    double noise;         /* relative uncertainty of the simulated output */
    double step;          /* of difference quotients in q: balances noise / step and step^2 */
    const volatile sig_atomic_t *stop;
    double tolerance;
    long max_simulations;
    long iterations, simulations, failed;
    double *best;       /* (n): the point with the least sum so far */
    double *best_value; /* (m): the simulated output there */
    double best_sum;
    int ended;      /* MS_INTERRUPTED, or a negative status: the method must end */
    ms_error error; /* of the last run that failed */
} ms_estimate_problem;

/* Residuals r (m) at q (n). Returns MS_OK; MS_STEP_REJECTED (outside the range, or a run that failed);
 * others, which are in problem->ended, too. */
int ms_estimate_residuals(ms_estimate_problem *problem, const double *q, double *r);

/* J = dr/dq (m x columns) for the parameters free[0 .. columns - 1], by central differences, one-sided where
 * a neighbour is rejected. r: residuals at q. Returns as ms_estimate_residuals. */
int ms_estimate_jacobian(ms_estimate_problem *problem, const double *q, const double *r, int columns,
                         const int *free, double *J);

double ms_estimate_sum(long m, const double *r);

/* Iterations of a method of GSL until it has converged, does not get on, or the simulations are spent. Errors: those in problem->ended. */
int ms_estimate_iterate(ms_estimate_problem *problem, int iterate(void *method),
                        bool has_converged(const ms_estimate_problem *problem, void *method), void *method,
                        ms_estimate_reason *reason);

/* The methods. q: the start before, the answer after. Errors: MS_NO_MEMORY, and those in problem->ended. */
int ms_estimate_nelder_mead(ms_estimate_problem *problem, double *q, ms_estimate_reason *reason);
int ms_estimate_trust_region(ms_estimate_problem *problem, double *q, ms_estimate_reason *reason);

/* Which parameters are at a bound beyond which the sum falls (n). Errors as ms_estimate_residuals,
 * MS_NO_MEMORY. */
int ms_estimate_bounds(ms_estimate_problem *problem, const double *q, bool *at_bound);

/* Standard errors, intervals, correlation, identifiability of the parameters that are not at a bound; and
 * that nothing is known of them. */
void ms_estimate_no_quality(const ms_estimate_problem *problem, ms_estimate *estimate);
int ms_estimate_quality(ms_estimate_problem *problem, const double *q, ms_estimate *estimate);
