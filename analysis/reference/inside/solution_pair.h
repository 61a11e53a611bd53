/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution_pair.h - two solutions of the monolithic model, whose difference says how far the first can be trusted.
 *
 * Linear models: matrix exponentials, and Taylor's series where it serves and lengths of steps change. Others: Prince and Dormand's Runge-Kutta method of order 8 with
 * tight tolerances, which comes nearer to round-off than CVODE does, from event to event.
 * Differential-algebraic ones: IDA. The companion takes ten times looser tolerances, and halved steps where its
 * owner lets it. */
#ifndef MS_SOLUTION_PAIR_H
#define MS_SOLUTION_PAIR_H

#include "instance.h"
#include "instance_step.h"

/* The relative tolerance of nonlinear models. */
#define MS_SOLUTION_RTOL 1e-13

typedef struct ms_solution {
    double *x, *z, *memory; /* (nx), (nz), (of the solver): one block */
    ms_instance *instance;
} ms_solution;

typedef struct ms_solution_pair {
    ms_system *whole;
    ms_solution main, companion;
    double *block; /* memory of both */
    size_t size;   /* of each */
    bool changing; /* lengths of steps change all the time */
} ms_solution_pair;

/* Both stand at the start values. changing: the lengths of their steps do so all the time. Errors: those of ms_monolithic_create, MS_NO_MEMORY; then there is nothing to
 * destroy. */
int ms_solution_pair_create(const ms_system *system, bool changing, ms_solution_pair *pair, ms_error *error);
void ms_solution_pair_destroy(ms_solution_pair *pair); /* safe where it is all zero */

/* Back to the start values. */
void ms_solution_pair_start(ms_solution_pair *pair);

/* Advances one of them from t to t + h. Returns MS_OK or MS_SOLVER_FAILED. */
static inline int ms_solution_step(const ms_solution *solution, double t, double h)
{
    solution->instance->input.end[0] = h;
    return ms_instance_step(solution->instance, t, h);
}

/* The largest difference between both. */
double ms_solution_pair_difference(const ms_solution_pair *pair);

#endif
