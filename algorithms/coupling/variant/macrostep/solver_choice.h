/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_choice.h - which micro-solver each subsystem of a co-simulation has. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/choices.h>
#include <macrostep/solver.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_solver_choice {
    const ms_solver *all; /* the one of `solver`, or `together` */
    ms_solver together;   /* common properties if they differ (ms_solver_join) */
    const ms_solver **of; /* (system->n) where they differ; NULL: all have `all` */
} ms_solver_choice;

/* From the options `solver` and `solver-of`, the first of which must be resolved. Errors: MS_INVALID (unknown names),
 * MS_UNSUPPORTED (a subsystem that brings its own solver; on ranks), MS_NO_MEMORY. */
int ms_solver_choice_create(const ms_system *system, const ms_options *options, ms_solver_choice *choice,
                            ms_error *error);

/* Are the names of `solver-of` those of subsystems and solvers? Errors: as above. */
int ms_solver_choice_check(const ms_system *system, const ms_options *options, ms_error *error);
/* The first one only for linear subsystems; NULL: there is none. */
const ms_solver *ms_solver_choice_linear_only(const ms_solver_choice *choice, const ms_system *system);

void ms_solver_choice_destroy(ms_solver_choice *choice);

static inline const ms_solver *ms_solver_choice_of(const ms_solver_choice *choice, int i)
{
    return choice->of != NULL ? choice->of[i] : choice->all;
}

/* Doubles of memory that the subsystems before `last` have. */
int ms_solver_choice_memory(const ms_solver_choice *choice, const ms_system *system, int last);

MS_C_LINKAGE_END
