/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_space_form.h - a differential-algebraic model as ordinary differential equations, for any micro-solver.
 *
 * For index 1, 0 = F(t, x, x') has one solution for x'_d and x_a at given x_d, the differential variables. f solves for both by
 * Newton's method; x'_a is 0, so that x_a is an initial guess outside the error test. Indicators and handlers of events, and
 * callers, use the solution.
 *
 * Source: Hairer, Wanner, Solving Ordinary Differential Equations II, VI.1 (state space form method). */
#pragma once

#include <macrostep/system.h>

typedef struct ms_state_space_form ms_state_space_form;

/* Of a monolithic model with a residual, which outlives it. Errors: MS_NO_MEMORY. */
int ms_state_space_form_create(const ms_system *whole, ms_state_space_form **form);
void ms_state_space_form_destroy(ms_state_space_form **form); /* NULL-safe */

/* The model with f in the place of the residual; it belongs to the form. */
const ms_system *ms_state_space_form_system(const ms_state_space_form *form);

/* Begins anew from the states x (nx), whose algebraic ones are the guess. */
void ms_state_space_form_start(ms_state_space_form *form, const double *x);

/* Makes the algebraic variables in x (nx) consistent at t, with discrete variables z (nz). Returns 0, or 1 if there is no
 * solution nearby. */
int ms_state_space_form_complete(ms_state_space_form *form, double t, double *x, const double *z);
