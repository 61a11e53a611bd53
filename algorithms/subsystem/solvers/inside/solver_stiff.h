/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_stiff.h - shared by the files of the implicit methods of high order: an instance's data, and Newton's method on the stages of a step. */
#pragma once

#include "micro_step.h"
#include "stiff_method.h"

typedef struct ms_stiff_newton ms_stiff_newton;

typedef struct ms_stiff_data {
    ms_instance *instance;
    ms_stiff_method method;
    int nx, n; /* number of states, and with integrals of outputs (n_state) */
    double rtol, atol;
    int piece;
    double begin, end;             /* of the piece [s] */
    double from, taken;            /* start and length of the last micro-step [s]; 0: none */
    double *start;                 /* (n) state at its start; one block with the following */
    double *stage, *sample, *f0;   /* (n) */
    double *error, *scale, *noise; /* (nx): error of a step, its scale, and round-off of f in it */
    /* (stages x nx): of the current step, of the last one, and of Newton's method */
    double *z, *guess, *r, *increment;
    double *slope; /* (stages x n) */
    ms_stiff_newton *newton;
} ms_stiff_data;

/* Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_stiff_newton_create(ms_stiff_data *data);
void ms_stiff_newton_destroy(ms_stiff_data *data);

/* LU factors for steps of length h from (t, x); same: J is still valid. Fills data->noise. Returns MS_OK, or MS_NO_SOLUTION if J is not
 * defined or a matrix is singular. */
int ms_stiff_newton_factor(ms_stiff_data *data, double t, const double *x, double h, bool same);

/* Solves for data->z of the step from (t, x), which holds an initial guess, and for the slopes if there are integrals. Returns MS_OK or
 * MS_NOT_CONVERGED. */
int ms_stiff_newton_solve(ms_stiff_data *data, double t, double h, const double *x);

/* v (nx) := (I - gamma h J)^-1 v. */
void ms_stiff_newton_filter(ms_stiff_data *data, double h, double *v);
