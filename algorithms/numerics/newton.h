/* newton.h - Newton's method for the small systems F(v) = 0 of algebraic loops: KINSOL's line search, then
 * plain Newton steps until the residual stops falling, so that two ways to the same solution agree to
 * round-off and not to a tolerance. */
#ifndef MS_NEWTON_H
#define MS_NEWTON_H

#include "status.h"

typedef struct ms_newton ms_newton;

/* Functions return 0, or a positive number where v lies outside their domain; a residual that is not finite
 * counts as that. */
typedef struct ms_newton_problem {
    int n;
    int (*residual)(void *user, const double *v, double *r); /* r = F(v) (n) */
    int (*matrix)(void *user, const double *v, double *M);   /* dF/dv (n x n), by rows */
    void *user;
} ms_newton_problem;

/* Why a solve ended without a solution. */
typedef enum ms_newton_reason {
    MS_NEWTON_SOLVED,
    MS_NEWTON_UNDEFINED, /* the residual is not defined or not finite at the starting values */
    MS_NEWTON_SINGULAR,  /* dF/dv is singular or not defined at the last values */
    MS_NEWTON_STALLED    /* no values with a small residual were found */
} ms_newton_reason;

/* Returns MS_OK or MS_NO_MEMORY. */
int ms_newton_create(const ms_newton_problem *problem, ms_newton **newton);
void ms_newton_destroy(ms_newton **newton); /* NULL-safe */

/* v: starting values before, the solution (max |F| <= 1e-8 (1 + max |v|), in general round-off) after,
 * which is also the last point that the residual was evaluated at. Returns MS_OK or MS_NO_SOLUTION. No
 * allocation of its own. */
int ms_newton_solve(ms_newton *newton, double *v);

ms_newton_reason ms_newton_last_reason(const ms_newton *newton);

/* Matrices set up since creation. */
long ms_newton_iterations(const ms_newton *newton);

#endif
