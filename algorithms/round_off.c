/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "round_off.h"

#include <stdio.h>

#include <macrostep/input.h>
#include <macrostep/options.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/solver_registry.h>
#include <macrostep/variant.h>
#include "dense.h"

/* The largest matrix of a run: an augmented exponential with the highest degree and all outputs integrated, the stages of an
 * implicit step, or I - D L of all outputs with feed-through. */
static int largest_matrix(const ms_system *system, const ms_solver *solver)
{
    enum { STAGES = 3 };
    int largest = 0, loop = 0;
    for (int i = 0; i < system->n; i++) {
        const ms_subsystem *sub = &system->sub[i];
        const int augmented = sub->nx + (MS_INPUT_DEGREE + 1) * sub->nu + sub->nw + sub->ny;
        largest = augmented > largest ? augmented : largest;
        if (solver->stiff && solver->form != MS_STEPS_EXACT && STAGES * sub->nx > largest)
            largest = STAGES * sub->nx;
    }
    for (int j = 0; j < system->ny; j++)
        loop += system->feed_through[j];
    return loop > largest ? loop : largest;
}

bool ms_round_off_is_ours(const ms_system *system, const ms_options *options, char *why, size_t size)
{
    int order;
    ms_variant variant = {.scheme = NULL};
    ms_solver all;
    ms_variant_of_options(options, &variant, NULL);
    ms_solver_together(variant.solver, options->solver_of, system->n, &all);
    if (!all.linear_map || !system->linear)
        snprintf(why, size, "%s",
                 !system->linear                 ? "subsystems are nonlinear or have events"
                 : all.library != MS_LIBRARY_OWN ? "the micro-solver is from a library"
                                                 : "the micro-solver has more memory than the state");
    else if (variant.scheme != NULL && ms_scheme_knows(variant.scheme, MS_OPTION_BACKEND) &&
             variant.iteration.backend != MS_BACKEND_NATIVE)
        snprintf(why, size, "the nonlinear solver is from a library");
    else if ((order = largest_matrix(system, &all)) > MS_DENSE_SIZE_MAX)
        snprintf(why, size, "matrices may have order %d, and above %d LAPACK is used", order,
                 MS_DENSE_SIZE_MAX);
    else
        return true;
    return false;
}
