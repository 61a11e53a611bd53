/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_series.h - steps of a linear model, x' = A x + b, by Taylor's series; and vectors of states. */
#pragma once

#include <string.h>

#include "solution_pair.h"
#include "sparse.h"

/* So many states are taken at a time, whose numbers stay near: one vector, each of its numbers for itself. */
enum { MS_WIDE = 2 };
typedef double ms_wide __attribute__((vector_size(MS_WIDE * sizeof(double))));

/* n rows, nx each, of states j .. j + MS_WIDE - 1, zero behind the last state. */
static inline void ms_wide_gather(int n, int nx, const double *from, int j, ms_wide *to)
{
    for (int i = 0; i < n; i++, from += nx)
        if (j + MS_WIDE <= nx)
            memcpy(&to[i], from + j, sizeof *to);
        else
            for (int w = 0; w < MS_WIDE; w++)
                to[i][w] = j + w < nx ? from[j + w] : 0.0;
}

/* Those that there are. */
static inline void ms_wide_scatter(int nx, ms_wide from, int j, double *to)
{
    if (j + MS_WIDE <= nx)
        memcpy(to + j, &from, sizeof from);
    else
        for (int w = 0; w < MS_WIDE && j + w < nx; w++)
            to[j + w] = from[w];
}

/* The larger one, a where b is not a number. */
static inline double ms_larger(double a, double b)
{
    return a < b ? b : a;
}

/* So many terms served over a length. */
typedef struct ms_served_terms {
    double length;
    int n;
} ms_served_terms;

typedef struct ms_linear_series {
    ms_solution_pair *pair;
    ms_sparse *A;              /* of one of many states; NULL: there are few, or a loop */
    double *constant;          /* (nx) x' at x = 0, if there is no dense matrix */
    double *term;              /* (terms, nx); NULL: it does not serve */
    ms_served_terms served[2]; /* of many states: the main solution, the companion */
} ms_linear_series;

/* Of a linear system, whose pair outlives it. Is b known? */
bool ms_linear_series_create(const ms_system *system, ms_solution_pair *pair, ms_linear_series *series);
void ms_linear_series_destroy(ms_linear_series *series); /* safe where it is all zero */

/* Before the first step. Without memory it does not serve. */
void ms_linear_series_start(ms_linear_series *series);

/* From now on it does not serve. */
void ms_linear_series_leave(ms_linear_series *series);

/* Takes one of the pair from t to t + h, with samples where its instance has them. smallest: what is round-off of it does not count. Does
 * the series hold over the step? */
bool ms_linear_series_step(ms_linear_series *series, const ms_solution *of, double t, double h,
                           double smallest);
