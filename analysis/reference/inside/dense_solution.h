/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense_solution.h - the solution of a smooth monolithic model as piecewise polynomials, with an estimate of its
 * error.
 *
 * The pieces follow each other from the start time on and are computed on request. Their lengths depend only on the model:
 * polynomials of degree MS_DENSE_DEGREE through Chebyshev points are accurate to round-off. So all readers of a solution read the
 * same bits, for any macro-steps.
 *
 * Linear models: Taylor's series of 25 terms, exponentials if they are stiff; solution_pair.h describes the rest, and the
 * companion. The estimate is its bound at the ends of pieces plus the error of the polynomials.
 *
 * Source of the polynomials: Trefethen, Approximation Theory and Approximation Practice (2013), ch. 3 and 8. */
#pragma once

#include <macrostep/system.h>

enum { MS_DENSE_DEGREE = 12, MS_DENSE_TIMES = 4 };

typedef struct ms_dense_solution ms_dense_solution;

/* The solution on [begin, end]: x_j(t) = sum_k c[j (MS_DENSE_DEGREE + 1) + k] s^k with
 * s = (t - middle) scale in [-1, 1]. */
typedef struct ms_dense_piece {
    double begin, end, middle, scale; /* [s], [1/s] */
    double error;                     /* the estimate, up to its end */
    double *c;                        /* (nx x (MS_DENSE_DEGREE + 1)), right behind */
} ms_dense_piece;

/* Is the solution smooth between announced breakpoints, at which pieces end: no events, nothing differential-algebraic, no inputs
 * of a file? Where external inputs vary the points of a piece are at most half the case's step size apart. */
bool ms_dense_solution_serves(const ms_system *system);

/* Stands at the start values and time 0; `system` must outlive it. Errors: those of ms_monolithic_create,
 * MS_NO_MEMORY. */
int ms_dense_solution_create(const ms_system *system, ms_dense_solution **solution, ms_error *error);
void ms_dense_solution_destroy(ms_dense_solution **solution); /* safe for a NULL in it */

/* Back to the start values, at time t. */
void ms_dense_solution_start(ms_dense_solution *solution, double t);

/* Bytes of a piece. */
size_t ms_dense_piece_size(const ms_system *system);

/* The next piece. Returns MS_OK, MS_SOLVER_FAILED, MS_SPENT or MS_NO_MEMORY. */
int ms_dense_solution_next(ms_dense_solution *solution, ms_dense_piece *piece);

/* The states (nx) at n <= MS_DENSE_TIMES times of a piece, one point behind the other. */
void ms_dense_piece_evaluate(const ms_dense_piece *piece, int nx, int n, const double *t, double *x);
