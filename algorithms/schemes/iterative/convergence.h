/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convergence.h - when the coupling equations r(z) = 0 of a macro-step count as solved:
 *
 *     epsilon > 0    |r_i| < epsilon (|z_i| + 1) for all i (Eguillon et al. 2021, 27)
 *     epsilon = 0    the residual has stopped falling at round-off: the smallest one counts; it must be below
 *                    1e-12 of the largest entry of its z or of `scale`, for the solution may be 0; an entry beyond
 *                    1e10 times `scale` means that the equations are singular */
#pragma once

#include <stdbool.h>

typedef struct ms_convergence {
    int n; /* unknowns */
    double epsilon;
    double scale; /* the largest entry at the start of the macro-step; used if epsilon = 0 */
    double least; /* the smallest residual so far, */
    double *best; /* and the z at which it occurred (n); memory of the owner */
} ms_convergence;

/* max |v_k| of n values; infinite if one is not a number. */
double ms_convergence_largest(int n, const double *v);

/* A macro-step begins, from values whose largest is `scale`. */
void ms_convergence_begin(ms_convergence *c, double scale);

/* Is z with the residual r (n each) a solution? */
bool ms_convergence_reached(ms_convergence *c, const double *z, const double *r);

/* epsilon = 0: is the smallest residual round-off? */
bool ms_convergence_at_round_off(const ms_convergence *c);
