/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_shared.h - shared by the methods for gamma(z) = 0: evaluations of gamma, norms, least squares. */
#pragma once

#include "nonlinear.h"

/* r = gamma(z), counted, and its 2-norm. Returns MS_OK, MS_NOT_CONVERGED if r is not finite (norm:
 * infinity), or what residual returned (norm: infinity). */
int ms_nonlinear_evaluate(const ms_nonlinear_problem *problem, const double *z, double *r,
                          ms_nonlinear_counts *counts, double *norm);

/* One iteration: a new z with its residual r, and the norm of that. Returns MS_OK, or the status with which the method ends. */
typedef int ms_nonlinear_iteration(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                                   ms_nonlinear_counts *counts, double *norm);

/* Iterations from z, r (n each), counted, until the problem accepts one, the residual is infinite, or there are `most`. Returns MS_OK,
 * MS_NOT_CONVERGED or what an iteration returned. */
int ms_nonlinear_iterate(void *workspace, int most, ms_nonlinear_iteration *next,
                         const ms_nonlinear_problem *problem, double *z, double *r,
                         ms_nonlinear_counts *counts);

/* Does the method have to return a status of ms_nonlinear_evaluate at once, without another try? */
bool ms_nonlinear_stops(int status);

/* Jv = J v by a difference from r = gamma(z): (gamma(z + h v) - r) / h with h = sqrt(eps) sqrt(1 + |z|) / |v|
 * (Pernice and Walker 1998, and PETSc's MATMFFD_WP); w: (n) scratch. One evaluation, none where v = 0.
 * Returns what ms_nonlinear_evaluate does. */
int ms_nonlinear_derivative(const ms_nonlinear_problem *problem, const double *z, const double *r,
                            const double *v, double *w, double *Jv, ms_nonlinear_counts *counts);

double ms_nonlinear_norm(int n, const double *v);                                     /* |v|_2 */
double ms_nonlinear_distance(int n, const double *a, const double *b);                /* |a - b|_2 */
void ms_nonlinear_step(int n, const double *z, double h, const double *v, double *w); /* w = z + h v */

/* Past points x_i with residuals f_i, the newest ones, in which z is combined with least residual. */
typedef struct ms_nonlinear_history {
    int n, capacity, size, next; /* stored are [0, size); the next one is written at `next` */
    double *x, *f;               /* (n x capacity) by columns */
    double *beta;                /* (capacity) of the last combination */
    double *A, *b, *work;        /* of the least-squares problem: (n x capacity), (n) */
    int *pivots;
} ms_nonlinear_history;

/* Memory is the setup's. Returns MS_OK or MS_NO_MEMORY. */
int ms_nonlinear_history_create(ms_nonlinear_history *history, const ms_nonlinear_setup *setup, int capacity);
void ms_nonlinear_history_clear(ms_nonlinear_history *history);
void ms_nonlinear_history_add(ms_nonlinear_history *history, const double *x, const double *f);

/* y = x + sum_i beta_i (x_i - x), with beta the shortest of those that minimise |f + sum_i beta_i (f_i -
 * f)|_2: a complete orthogonal decomposition of the differences themselves (dense.h), not of their
 * Gram matrix, whose condition number is the square. y may be x. Returns MS_OK, or MS_NOT_CONVERGED if y is not
 * finite. */
int ms_nonlinear_history_combine(ms_nonlinear_history *history, const double *x, const double *f, double *y);
