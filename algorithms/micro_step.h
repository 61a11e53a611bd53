/* micro_step.h - what the micro-solvers share. */
#ifndef MS_MICRO_STEP_H
#define MS_MICRO_STEP_H

#include <stdbool.h>

#include "instance.h"

/* Bound on the micro-steps of one piece: a solver that needs more has failed. Unstable couplings drive subsystems
 * ever faster long before their values count as diverged; this keeps such runs short. */
enum { MS_MICRO_STEPS_MAX = 100000 };

/* x' at (t, x) on a piece. Returns 0, or a positive number where f is not defined or not finite
 * (an adaptive solver then tries a smaller step). */
int ms_micro_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx);

bool ms_micro_finite(int n, const double *x);

/* Index range [*first, *last) of the samples inside a piece: s_piece < fraction * h <= end[piece], a
 * comparison that is the same whatever the time, so that each sample belongs to exactly one piece. */
void ms_micro_samples(const ms_instance *instance, int piece, int *first, int *last);

/* Where the state of sample k goes (nx). */
static inline double *ms_micro_sample(const ms_instance *instance, int k)
{
    return instance->samples + (size_t)k * (size_t)instance->sub->nx;
}

/* Pieces of a few units in the last place of t, which adaptive solvers refuse: one Euler step, whose error
 * h^2 x''/2 is far below round-off. */
bool ms_micro_tiny(double t0, double h);
int ms_micro_tiny_advance(ms_instance *instance, int piece, double t0, double h);

#endif
