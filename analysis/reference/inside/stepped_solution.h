/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepped_solution.h - the solution of the monolithic model from macro-step to macro-step of a run, for models whose
 * solutions are not smooth.
 *
 * A companion takes halved steps. The estimate of the error is the largest difference between both so far, except at
 * times at which only one of them has handled an event. */
#pragma once

#include <macrostep/system.h>

typedef struct ms_stepped_solution ms_stepped_solution;

/* Stands at the start values. n fractions in (0, 1], ascending: where each step is sampled. uneven: the lengths of
 * steps change all the time. Errors: those of ms_monolithic_create, MS_NO_MEMORY. */
int ms_stepped_solution_create(const ms_system *system, int n, const double *fractions, bool uneven,
                               ms_stepped_solution **solution, ms_error *error);
void ms_stepped_solution_destroy(ms_stepped_solution **solution); /* NULL-safe */

/* Back to the start values, as after creation. */
void ms_stepped_solution_start(ms_stepped_solution *solution);

/* Advances from the present time t to t + h. Returns MS_OK, MS_SOLVER_FAILED, MS_SPENT or MS_NO_MEMORY. */
int ms_stepped_solution_step(ms_stepped_solution *solution, double t, double h);

/* The states (nx) at the time reached, and at the fractions of the last step, one point behind the other. */
const double *ms_stepped_solution_state(const ms_stepped_solution *solution);
const double *ms_stepped_solution_samples(const ms_stepped_solution *solution);

/* The discrete variables (nz of the system) at the time reached, right limits at events. */
const double *ms_stepped_solution_discrete(const ms_stepped_solution *solution);

/* The estimate of the error at the ends of steps. */
double ms_stepped_solution_error(const ms_stepped_solution *solution);
