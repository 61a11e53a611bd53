/* SPDX-License-Identifier: GPL-3.0-or-later */
/* initialise.h - consistent outputs and inputs at a time, y = g(t, x, u), u = L y (5.1), by the methods of
 * Andersson (2016), chapter 5. Co-simulations start with ms_loop_start, which is MS_INITIALISE_REDUCED
 * for nonlinear systems. */
#pragma once

#include <macrostep/system.h>

typedef enum ms_initialise_method {
    MS_INITIALISE_REDUCED, /* in the order of Algorithm 2, each loop alone */
    MS_INITIALISE_TARJAN   /* in that of Algorithm 1 */
} ms_initialise_method;

typedef struct ms_initialisation {
    long evaluations; /* of g, of all subsystems together, those for partial derivatives left out */
    long iterations;  /* matrices of Newton's method */
} ms_initialisation;

/* x (nx): states; discrete variables have their start values. u (nu): starting values (zero: nothing is
 * known) before, the solution after; y (ny): the solution. work may be NULL. Errors: MS_NO_SOLUTION (the
 * line names the variables and the reason), MS_UNSUPPORTED (outputs that depend on u' where the method has
 * no place for them), MS_NO_MEMORY. */
int ms_initialise(const ms_system *system, ms_initialise_method method, double t, const double *x, double *u,
                  double *y, ms_initialisation *work, ms_error *error);
