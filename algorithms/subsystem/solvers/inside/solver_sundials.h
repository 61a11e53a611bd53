/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_sundials.h - shared by the solvers of SUNDIALS: context, vectors, matrix, callbacks, samples. */
#pragma once

#include <sunlinsol/sunlinsol_dense.h>

#include "micro_step.h"
#include "sundials_memory.h"

typedef struct ms_sundials {
    ms_instance *instance;
    ms_sundials_memory memory; /* one per instance, used by one thread at a time, with its context */
    int n;                     /* integrated entries of instance->state: nx, or n_state */
    N_Vector x, sample;        /* (n) views of instance->state and of a sample, without their own storage */
    SUNMatrix J;               /* (n x n) */
    double *A;                 /* (nx x nx) scratch: the Jacobian by rows */
    bool known;                /* A is the Jacobian at the start of the piece, the next one needed */
    double *q;                 /* (n_integrals) at the start of the micro-step */
    SUNLinearSolver linear;
    int piece;         /* piece of the right-hand side, ... */
    double begin, end; /* ... and times between which it is evaluated [s] */
    int next, last;    /* remaining samples: [next, last) */
} ms_sundials;

/* A multistep solver: its history (solver.h), what it shares, the solver's memory, and how that advances. */
typedef int ms_sundials_dense(void *solver, realtype t, int derivative, N_Vector x);
typedef struct ms_sundials_multistep {
    ms_history history;
    ms_sundials common;
    void *solver;
    ms_sundials_dense *dense;
    int (*restart)(struct ms_sundials_multistep *data,
                   double t0);               /* at the start of the piece; 0 if that is possible */
    int (*stop)(void *solver, realtype end); /* f is not evaluated beyond that time; 0 if so */
    /* One micro-step to *t, at most to the end of the piece, of *order. Returns a code of the library, negative where it failed. */
    int (*step)(struct ms_sundials_multistep *data, double *t, int *order);
    void (*count)(const struct ms_sundials_multistep *data,
                  ms_work *work); /* adds what was done since the last restart */
} ms_sundials_multistep;

/* n: nx or n_state. `implicit`: with matrix and linear solver. Returns MS_OK or MS_NO_MEMORY; destroy is safe
 * after both. */
int ms_sundials_create(ms_sundials *common, ms_instance *instance, int n, bool implicit);
void ms_sundials_destroy(ms_sundials *common);

/* Before each piece: piece, times, samples, and the view of x. */
void ms_sundials_begin(ms_sundials *common, int piece, double t0, double h);

/* Right-hand side (x', 0) and its Jacobian (user data: `ms_sundials *`), and a silent error handler. */
int ms_sundials_rhs(realtype t, N_Vector x, N_Vector dx, void *common);
int ms_sundials_jacobian(realtype t, N_Vector x, N_Vector dx, SUNMatrix J, void *common, N_Vector a,
                         N_Vector b, N_Vector c);
void ms_sundials_silent(int code, const char *module, const char *function, char *text, void *common);

/* t, moved inside the piece if it is outside by round-off. */
double ms_sundials_within(const ms_sundials *common, double t);

/* After a micro-step of the solver from `from` to *to, of that order: looks for events (ms_micro_done, which
 * may lower *to), integrates the outputs over it by Gauss's formula on the dense output if the solver integrates only
 * x (n = nx), and takes the samples up to *to, all remaining ones at the end of the piece. Returns MS_OK, MS_STOPPED
 * or MS_SOLVER_FAILED. */
int ms_sundials_accept(ms_sundials *common, void *solver, ms_sundials_dense *dense, double from, double *to,
                       int order);

/* The piece that ms_sundials_begin has announced, from the solver's present state or from a restart; from a restart, too, where the
 * present state leads to no micro-step at all. Returns MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
int ms_sundials_advance(ms_sundials_multistep *data, double t0, bool restart);
