/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.h - the solution of the monolithic model, with an estimate of its own error.
 *
 * Linear models: matrix exponentials. Others: Prince and Dormand's Runge-Kutta method of order 8 with
 * tight tolerances, which comes nearer to round-off than CVODE does, from event to event.
 * Differential-algebraic ones: IDA. A companion takes halved steps, with ten times looser tolerances. The
 * estimate is the largest difference between both so far, but for times at which one of them has handled an
 * event that the other one is about to. */
#ifndef MS_REFERENCE_H
#define MS_REFERENCE_H

#include "system.h"

typedef struct ms_reference ms_reference;

/* Stands at the start values. n fractions in (0, 1], ascending: where each step is sampled. Errors: those of
 * ms_monolithic_create, MS_INVALID (too many fractions), MS_NO_MEMORY. */
int ms_reference_create(const ms_system *system, int n, const double *fractions, ms_reference **reference,
                        ms_error *error);
void ms_reference_destroy(ms_reference **reference); /* NULL-safe */

/* Back to the start values, as after creation. */
void ms_reference_start(ms_reference *reference);

/* Advances from where it stands (t) to t + h. Returns MS_OK or MS_SOLVER_FAILED. */
int ms_reference_step(ms_reference *reference, double t, double h);

/* The states (nx) at the time reached, and at fraction k of the last step. */
const double *ms_reference_state(const ms_reference *reference);
const double *ms_reference_sample(const ms_reference *reference, int k);

/* The discrete variables (nz of the system) at the time reached, right limits at events. */
const double *ms_reference_discrete(const ms_reference *reference);

/* The largest absolute difference to the companion at the ends of steps. */
double ms_reference_error(const ms_reference *reference);

#endif
