/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop.h - the algebraic loop y = g(t, x, L y, L y') over all subsystems.
 *
 * Only outputs with feed-through can be part of a loop: they alone are unknowns. Linear systems are solved
 * by one LU factorisation of I - D L; nonlinear ones in the reduced evaluation order, each loop of scalar
 * variables alone (block_solver.h). */
#pragma once

#include <macrostep/instance.h>

typedef struct ms_loop ms_loop;

/* For the instances of a system. Errors: MS_NO_SOLUTION (linear, det(I - D L) = 0), MS_UNSUPPORTED (outputs
 * with feed-through feed a subsystem that reads u'), MS_NO_MEMORY. */
int ms_loop_create(const ms_system *system, ms_instance *const *instance, ms_loop **loop, ms_error *error);
void ms_loop_destroy(ms_loop **loop); /* NULL-safe */

/* Solves y = g(t, x, L y, L y') at the current states; y holds the guess before and the solution after,
 * u (nu) becomes L y. Returns MS_OK or MS_NO_SOLUTION. */
int ms_loop_outputs(ms_loop *loop, double t, double *y, double *u);

/* The same without a guess for the outputs: loops start from the inputs u0 of their subsystems, zero unless
 * the model says otherwise, and nothing else is evaluated before its inputs are known. All outputs must be
 * finite. */
int ms_loop_start(ms_loop *loop, double t, double *y, double *u);

/* Why the last solve failed, with the variables concerned: a clause for an error's line. */
void ms_loop_explain(const ms_loop *loop, char *text, size_t size);

/* D at the current states and the inputs u, and the factors of I - D L. Cheap for linear systems.
 * Returns MS_OK or MS_NO_SOLUTION. */
int ms_loop_linearise(ms_loop *loop, double t, const double *u);

/* y += sign * D u with the D of the last ms_loop_linearise. */
void ms_loop_feed_through(const ms_loop *loop, double sign, const double *u, double *y);

/* Solves (I - D L) y = z in place, with the D of the last ms_loop_linearise. */
void ms_loop_solve(const ms_loop *loop, double *y);

/* Time derivative of the solved outputs: (I - D L) y' = g_t + g_x f at consistent inputs u, and a forward
 * difference along the monolithic solution where a subsystem reads u' (start values only). Linearises. x is
 * restored. Returns MS_OK or a negative status. */
int ms_loop_derivative(ms_loop *loop, double t, const double *u, double *dy);

/* The second one, behind the first at the same place: exact where all subsystems have rates, else a central difference of y' along
 * the monolithic solution (start values only). du (nu) must be L y'. x is restored.
 * Returns MS_OK or a negative status. */
int ms_loop_second_derivative(ms_loop *loop, double t, const double *u, const double *du, double *ddy);
