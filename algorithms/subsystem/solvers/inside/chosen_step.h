/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chosen_step.h - what methods that choose their steps share: the first step of a piece, its last one, and samples. */
#ifndef MS_CHOSEN_STEP_H
#define MS_CHOSEN_STEP_H

#include <macrostep/instance.h>

/* Where a step begins, and how exact a method of that order is to be. */
typedef struct ms_chosen_step {
    ms_instance *instance;
    int piece, order;
    double rtol, atol;
    double *scratch; /* (3 n_state) */
} ms_chosen_step;

/* A step from (t, instance->state), at most `length`, such that the error is near the tolerance, from x, x' and an estimate of x''.
 * 0 where f is not defined at the start.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4 (starting step). */
double ms_chosen_first_step(const ms_chosen_step *step, double t, double length);

/* Of the step h that is proposed at t: how long it is where the piece ends soon; t and it have no round-off in their sum. A step that
 * would leave less than its own length is half of what is left. */
double ms_chosen_cut(double t, double h, double end);

/* Fills the places *next up to last - 1 that lie within the micro-step to t, on a piece that ends at `end`, and moves *next on. The
 * state at t is instance->state. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_chosen_sample(const ms_instance *instance, double t, double end, ms_micro_dense *dense, void *solver,
                     int *next, int last);

#endif
