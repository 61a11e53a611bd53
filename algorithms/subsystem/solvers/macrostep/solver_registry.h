/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_registry.h - all micro-solvers by name, in the order of inside/solver_list.h. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/solver.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_subsystem ms_subsystem;

extern const ms_solver *const ms_solvers[]; /* ends with NULL */

/* The solver of that name, or NULL. */
const ms_solver *ms_solver_find(const char *name);

/* The same; otherwise NULL and an error (MS_INVALID) with the most similar name. */
const ms_solver *ms_solver_choose(const char *name, ms_error *error);

/* The same if an option other than `solver` names it. */
const ms_solver *ms_solver_choose_for(const char *option, const char *name, ms_error *error);

/* The first solver of that form, or NULL. */
const ms_solver *ms_solver_of_form(ms_steps_form form);

/* The first solver that takes differential-algebraic subsystems, or NULL. */
const ms_solver *ms_solver_of_residuals(void);

/* The first solver with step-size control, for stiff subsystems or not, or NULL. */
const ms_solver *ms_solver_of_nonlinear(void);

/* The first solver that can keep its history when the input jumps, and correct it, or NULL. */
const ms_solver *ms_solver_of_history(void);

/* For an instance that only evaluates and takes no steps, any solver that fits the subsystem: one for residuals if it is
 * differential-algebraic, otherwise the first one with fixed steps. */
const ms_solver *ms_solver_for_evaluations(const ms_subsystem *subsystem);

/* The common description of subsystems with different solvers: properties that all have, needs that some have, the lowest
 * order of those with fixed steps; adds `one` to `all`. It cannot be created. */
void ms_solver_join(ms_solver *all, const ms_solver *one);

/* The solvers of a text SUBSYSTEM=NAME, separated by commas, and `solver` (may be NULL) unless the text names all n subsystems (n is 0 if unknown).
 * Unknown names are ignored; returns whether there are none. *all is zero if there is no solver. */
bool ms_solver_together(const ms_solver *solver, const char *of, int n, ms_solver *all);

/* The names of the solvers that have a property, separated by blanks, in text. Returns text. */
const char *ms_solver_names(bool (*has)(const ms_solver *solver), char *text, size_t size);

MS_C_LINKAGE_END
