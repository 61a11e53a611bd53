/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_balls.h - the propagation matrix of explicit schemes by the formula of analytic_propagation.c once more,
 * in balls: the result holds Psi(H) for all H of a ball. The entries of A, B, C, D, L count as the doubles that they are, and
 * so do the weights of the scheme, which are sums of powers of 2.
 *
 * The matrix is similar to that of analytic_propagation.h: states are scaled by powers of 2 so that A has rows and columns of
 * similar size, and derivatives of order j are stored as H^j y^(j), so that Psi is an entire function of H with [I 0] in the
 * rows of the states at H = 0. */
#pragma once

#include <macrostep/choices.h>
#include <macrostep/system.h>
#include "plugin_balls.h"

typedef struct ms_analytic_propagation_balls ms_analytic_propagation_balls;

/* The plug-in and the system are kept. Errors: those of ms_analytic_propagation_create, MS_UNSUPPORTED for schemes that are
 * neither explicit nor strang, or correct balances. */
int ms_analytic_propagation_balls_create(const ms_plugin_balls *plugin, const ms_system *system,
                                         const ms_options *options, ms_analytic_propagation_balls **balls,
                                         ms_error *error);
void ms_analytic_propagation_balls_destroy(ms_analytic_propagation_balls **balls); /* NULL-safe */
int ms_analytic_propagation_balls_dimension(const ms_analytic_propagation_balls *balls);

/* psi (n x n) for h (1 x 1). Returns MS_OK, MS_SOLVER_FAILED (not finite), or MS_NO_SOLUTION (I - D L may be singular). */
int ms_analytic_propagation_balls_evaluate(ms_analytic_propagation_balls *balls, const ms_balls *h, long bits,
                                           ms_balls *psi);

/* The largest norm of a subsystem's scaled A: the rate at which Psi changes with H [1/s]. */
double ms_analytic_propagation_balls_rate(const ms_analytic_propagation_balls *balls);
