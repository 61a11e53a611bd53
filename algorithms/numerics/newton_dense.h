/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newton_dense.h - Newton's method for the small systems F(v) = 0 of algebraic loops: plain steps, or KINSOL's line search,
  * then plain steps, until the residual stops falling, so that two ways to the same solution agree to
 * round-off and not to a tolerance. */
#pragma once

#include <macrostep/status.h>

typedef struct ms_newton_dense ms_newton_dense;

/* Functions return 0, or a positive number where v lies outside their domain; a residual that is not finite
 * counts as that. */
typedef struct ms_newton_dense_problem {
    int n;
    int (*residual)(void *user, const double *v, double *r); /* r = F(v) (n) */
    int (*matrix)(void *user, const double *v, double *M);   /* dF/dv (n x n), by rows */
    void *user;
} ms_newton_dense_problem;

/* Why a solve ended without a solution. */
typedef enum ms_newton_dense_reason {
    MS_NEWTON_DENSE_SOLVED,
    MS_NEWTON_DENSE_UNDEFINED, /* the residual is not defined or not finite at the starting values */
    MS_NEWTON_DENSE_SINGULAR,  /* dF/dv is singular or not defined at the last values */
    MS_NEWTON_DENSE_STALLED    /* no values with a small residual were found */
} ms_newton_dense_reason;

/* Returns MS_OK or MS_NO_MEMORY. */
int ms_newton_dense_create(const ms_newton_dense_problem *problem, ms_newton_dense **newton);
void ms_newton_dense_destroy(ms_newton_dense **newton); /* NULL-safe */

/* v: starting values before, the solution (max |F| <= 1e-8 (1 + max |v|), a few units in the last place where the problem is well conditioned) after,
 * which is also the last point that the residual was evaluated at. Returns MS_OK or MS_NO_SOLUTION. No
 * allocation of its own. */
int ms_newton_dense_solve(ms_newton_dense *newton, double *v);

ms_newton_dense_reason ms_newton_dense_last_reason(const ms_newton_dense *newton);

/* Matrices set up since creation. */
long ms_newton_dense_iterations(const ms_newton_dense *newton);
