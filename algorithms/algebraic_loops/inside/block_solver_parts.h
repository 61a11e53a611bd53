/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block_solver_parts.h - shared by the files of the block solver: block_solver.c evaluates and solves,
 * block_solver_setup.c creates the steps. Private to these files. */
#pragma once

#include "block_solver.h"

/* What is done with input, subsystem, output or loop number `index`. */
typedef enum ms_block_solver_action {
    MS_BLOCK_SOLVER_SET,      /* u = L y of one input */
    MS_BLOCK_SOLVER_EVALUATE, /* g of one subsystem */
    MS_BLOCK_SOLVER_READ,     /* one output of that evaluation */
    MS_BLOCK_SOLVER_SOLVE     /* one loop */
} ms_block_solver_action;

typedef struct ms_block_solver_step {
    ms_block_solver_action action;
    int index;
} ms_block_solver_step;

typedef struct ms_block_solver_loop {
    ms_block_solver *block_solver;
    int number;
    int n, n_inputs, n_subsystems;
    int *output, *input, *subsystem; /* indices in y, in u, subsystems */
    bool slopes;                     /* does one of them read u'? */
    double *v;                       /* (n) */
    double *near, *pair;             /* (n), (2 n): scratch of differences */
    ms_newton_dense *newton;
} ms_block_solver_loop;

struct ms_block_solver {
    const ms_system *system;
    ms_instance *const *instance;
    int n_steps, n_loops;
    ms_block_solver_step *step;
    ms_block_solver_loop *loop;
    int *loop_of, *position; /* (ny): loop of each output (or -1) and its index there */
    int *feeder_at, *feeder; /* of each subsystem that reads u': those that feed it */
    double *raw;             /* (ny): outputs as they were evaluated last */
    double *D;               /* the largest ny_i x nu_i */
    double *y_slope, *slope; /* (ny), (nu): y' of feeders, u' */
    double t, *y, *u;        /* of the solve that is going on */
    long evaluations;
    /* why the last solve failed */
    int failed_subsystem, failed_output, failed_loop; /* -1: not that */
    int *integers;
    double *reals;
};

/* The residual v - g(x, L v) of a loop and its matrix, for ms_newton_dense. */
int ms_block_solver_residual(void *loop, const double *v, double *r);
int ms_block_solver_matrix(void *loop, const double *v, double *M);
