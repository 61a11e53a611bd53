/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_registry.h - all micro-solvers by name, in the order of inside/solver_list.h. */
#ifndef MS_SOLVER_REGISTRY_H
#define MS_SOLVER_REGISTRY_H

#include <stddef.h>

#include <macrostep/c_linkage.h>
#include <macrostep/solver.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_subsystem ms_subsystem;

extern const ms_solver *const ms_solvers[]; /* ends with NULL */

/* The solver of that name, or NULL. */
const ms_solver *ms_solver_find(const char *name);

/* The same, and for NULL a line (MS_INVALID) with the nearest name. */
const ms_solver *ms_solver_choose(const char *name, ms_error *error);

/* The same, where another option than `solver` names it. */
const ms_solver *ms_solver_choose_for(const char *option, const char *name, ms_error *error);

/* The first solver of that form, or NULL. */
const ms_solver *ms_solver_of_form(ms_steps_form form);

/* The first solver that takes differential-algebraic subsystems, or NULL. */
const ms_solver *ms_solver_of_residuals(void);

/* The first solver that chooses its steps, stiff subsystems or not, or NULL. */
const ms_solver *ms_solver_of_nonlinear(void);

/* The first solver that can keep its history where the input jumps, and correct it, or NULL. */
const ms_solver *ms_solver_of_history(void);

/* For an instance that serves evaluations and takes no steps, whichever solver takes the subsystem: of residuals where it is
 * differential-algebraic, else the first one with fixed steps. */
const ms_solver *ms_solver_for_evaluations(const ms_subsystem *subsystem);

/* Subsystems with solvers of their own, seen as if they had one: what is true of all of them, what some of them need, the lowest
 * order of those with fixed steps; `all` is what it was before `one` came to it. It cannot be created. */
void ms_solver_join(ms_solver *all, const ms_solver *one);

/* Those of a text SUBSYSTEM=NAME with commas between, and, unless it names all n subsystems (n is 0 where it is unknown), `solver`,
 * which may be NULL. Names that there are not count for nothing; returns whether there is none. *all is zero where there is no solver. */
bool ms_solver_together(const ms_solver *solver, const char *of, int n, ms_solver *all);

/* The names of the solvers that have a property, spaces between, in text. Returns text. */
const char *ms_solver_names(bool (*has)(const ms_solver *solver), char *text, size_t size);

MS_C_LINKAGE_END

#endif
