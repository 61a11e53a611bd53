/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_stiff.h - what the files of the implicit methods of high order share: an instance's data, and Newton's method on the stages of a step. */
#ifndef MS_SOLVER_STIFF_H
#define MS_SOLVER_STIFF_H

#include "micro_step.h"
#include "stiff_method.h"

typedef struct ms_stiff_newton ms_stiff_newton;

typedef struct ms_stiff_data {
    ms_instance *instance;
    ms_stiff_method method;
    int nx, n; /* states, and with integrals of outputs behind them (n_state) */
    double rtol, atol;
    int piece;
    double begin, end;  /* of the piece [s] */
    double from, taken; /* where the last micro-step began and how long it was [s]; 0: there is none */
    double *start;      /* (n) its start; one block with what follows */
    double *stage, *sample, *f0;   /* (n) */
    double *error, *scale, *noise; /* (nx): of a step, what its error may be, and round-off of f in it */
    double *z, *guess, *r,
        *increment; /* (stages x nx): of the step that is tried, of the last one, and of Newton's method */
    double *slope;  /* (stages x n) */
    ms_stiff_newton *newton;
} ms_stiff_data;

/* Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_stiff_newton_create(ms_stiff_data *data);
void ms_stiff_newton_destroy(ms_stiff_data *data);

/* LU factors for steps of length h from (t, x); same: J stands. Fills data->noise. Returns MS_OK, or MS_NO_SOLUTION where J is not defined or a matrix
 * is singular. */
int ms_stiff_newton_factor(ms_stiff_data *data, double t, const double *x, double h, bool same);

/* Solves for data->z of the step from (t, x), from a guess in it, and for the slopes where there are integrals. Returns MS_OK or
 * MS_NOT_CONVERGED. */
int ms_stiff_newton_solve(ms_stiff_data *data, double t, double h, const double *x);

/* v (nx) := (I - gamma h J)^-1 v. */
void ms_stiff_newton_filter(ms_stiff_data *data, double h, double *v);

#endif
