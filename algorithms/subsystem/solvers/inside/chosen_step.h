/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chosen_step.h - shared by methods with step-size control: the first step of a piece, its last one, and samples. */
#pragma once

#include <macrostep/instance.h>

/* Start of a step, and the tolerances and order of the method. */
typedef struct ms_chosen_step {
    ms_instance *instance;
    int piece, order;
    double rtol, atol;
    double *scratch; /* (3 n_state) */
} ms_chosen_step;

/* A step from (t, instance->state), at most `length`, with an error near the tolerance, from x, x' and an estimate of x''. 0: f is
 * not defined at the start.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4 (starting step). */
double ms_chosen_first_step(const ms_chosen_step *step, double t, double length);

/* Cuts the step h proposed at t near the end of the piece, so that t + h is exact. A step that would leave less than its length
 * becomes half of the remainder. */
double ms_chosen_cut(double t, double h, double end);

/* Fills the places *next up to last - 1 within the micro-step to t, on a piece that ends at `end`, and advances *next. The
 * state at t is instance->state. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_chosen_sample(const ms_instance *instance, double t, double end, ms_micro_dense *dense, void *solver,
                     int *next, int last);
