/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iteration.h - common to all schemes that repeat a macro-step until gamma(z) = 0: the method of nonlinear.h that solves it, its
 * memory across macro-steps, and when it stops (convergence.h). The scheme defines z and gamma. */
#pragma once

#include <macrostep/cosim.h>
#include "convergence.h"
#include "nonlinear.h"

typedef struct ms_iteration {
    const ms_nonlinear_method *method; /* NULL: the equations are solved without one */
    void *workspace;
    int n;         /* unknowns */
    double *z, *r; /* and their gamma (n) each */
    int most;      /* iterations of the method from the guess on; negative: not even the guess is judged */
    long calls;    /* of gamma in this macro-step; the scheme counts them */
    ms_convergence convergence;
    int kept;                  /* doubles that the method keeps over macro-steps, */
    double *memory, *accepted; /* memory of this macro-step, and of the last accepted one, in aux */
} ms_iteration;

/* Options ------------------------------------------------------------------------------------------------ */

/* The method's own options, where none are given. */
void ms_iteration_defaults(ms_options *options);

/* The method that the variant names, or NULL where its backend is not here. */
const ms_nonlinear_method *ms_iteration_method(const ms_variant *variant);

/* The method's options for `most` iterations (negative: none), without data. */
ms_nonlinear_options ms_iteration_nonlinear_options(const ms_variant *variant, int most);

/* Setup -------------------------------------------------------------------------------------------------- */

/* Doubles that the method keeps for n unknowns, with these options; method NULL: none. */
int ms_iteration_kept(const ms_nonlinear_method *method, int n, const ms_nonlinear_options *options);

/* Memory of the scheme: ms_iteration_room doubles for `n` and `kept` at `at`, initially zero; and the accepted memory, in aux.
 * Returns the address after them. */
size_t ms_iteration_room(const ms_iteration *iteration);
double *ms_iteration_place(ms_iteration *iteration, double *at, double *accepted);

/* The method for the unknowns (0: none is made); it goes with the co-simulation. Errors: MS_UNSUPPORTED (no method: the backend is not here), MS_INVALID (options
 * that were given and that it does not have), those of its create. */
int ms_iteration_create(ms_iteration *iteration, ms_cosim *cosim, const ms_nonlinear_options *options,
                        ms_error *error);

/* A macro-step ------------------------------------------------------------------------------------------- */

/* epsilon = 0: down to round-off? */
bool ms_iteration_is_tightest(const ms_iteration *iteration);

/* The method starts from the memory of the last accepted macro-step; and its present memory is accepted. */
void ms_iteration_begin(ms_iteration *iteration);
void ms_iteration_accept(ms_iteration *iteration);

/* Iterates from z with its r, which may already be the solution, to one that `problem` accepts; or, down to round-off, to the best one found.
 * Returns MS_OK, MS_NOT_CONVERGED, or the status of its residual. */
int ms_iteration_solve(ms_iteration *iteration, const ms_nonlinear_problem *problem,
                       ms_nonlinear_counts *counts);

/* The macro-step of length h at t from the initial guess z, for schemes whose gamma is a sweep of all subsystems: problem->residual has
 * the co-simulation as context, and its calls are counted here. The co-simulation ends at the solution, accepted, or else in the state
 * `before`. Adds to cosim->iterations. Returns as ms_iteration_solve, with a line where it does not converge. */
int ms_iteration_step(ms_iteration *iteration, ms_cosim *cosim, const ms_nonlinear_problem *problem,
                      const double *before, double t, double h);

/* Iterations of a macro-step: of the method, or `calls` where they are calls of gamma. */
long ms_iteration_count(const ms_iteration *iteration, const ms_nonlinear_counts *counts, long calls);
