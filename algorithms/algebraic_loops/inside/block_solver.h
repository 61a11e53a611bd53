/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block_solver.h - y = g(t, x, L y, L y') in an evaluation order: outputs are evaluated one after the other,
 * and Newton's method solves each algebraic loop alone (Andersson 2016, section 5.1).
 *
 * Outputs of subsystems that read u' are evaluated with u' = L y', y' = g_t + g_x f of the outputs that feed
 * them, which must have no feed-through. */
#pragma once

#include <macrostep/instance.h>
#include "evaluation_order.h"
#include "newton_dense.h"

typedef struct ms_block_solver ms_block_solver;

/* For the instances of a system; the order is copied. Errors: MS_UNSUPPORTED (outputs with feed-through feed
 * a subsystem that reads u'), MS_NO_MEMORY. */
int ms_block_solver_create(const ms_system *system, ms_instance *const *instance,
                           const ms_evaluation_order *order, ms_block_solver **block_solver, ms_error *error);
void ms_block_solver_destroy(ms_block_solver **block_solver); /* NULL-safe */

/* Solves at the current states. y (ny): on entry starting values of the loops' outputs, on exit the solution;
 * u (nu): on entry inputs for subsystems that are evaluated before these are known, on exit L y. Returns
 * MS_OK or MS_NO_SOLUTION. */
int ms_block_solver_solve(ms_block_solver *block_solver, double t, double *y, double *u);

/* The same without outputs to start from: those of loops start from what is said of them or of
 * the inputs that they feed (ms_subsystem.y0, u0), else from g at the loop's inputs in u. All outputs
 * must be finite. */
int ms_block_solver_start(ms_block_solver *block_solver, double t, double *y, double *u);

/* Why the last solve failed, with the variables concerned: a clause for an error's line. */
void ms_block_solver_explain(const ms_block_solver *block_solver, char *text, size_t size);

/* Evaluations of g since creation, of all subsystems together, without those of partial derivatives, and
 * matrices of Newton's method. */
long ms_block_solver_evaluations(const ms_block_solver *block_solver);
long ms_block_solver_iterations(const ms_block_solver *block_solver);
