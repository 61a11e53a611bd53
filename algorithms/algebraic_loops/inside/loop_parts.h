/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loop_parts.h - what the files of the algebraic loop share: loop.c solves for outputs, loop_derivative.c
 * for their time derivatives. Private to these files. */
#pragma once

#include "block_solver.h"
#include "loop.h"

struct ms_loop {
    const ms_system *system;
    ms_instance *const *instance;
    int n;         /* unknowns: outputs that may depend on inputs or their derivatives */
    int *unknown;  /* (n): their indices in y */
    int *position; /* (ny): index among the unknowns, or -1 */
    double **D;    /* (system->n): D of each subsystem (ny_i x nu_i); NULL without feed-through */
    double *D_memory;
    double *factors; /* of I - D L among the unknowns (n x n) */
    int *pivots;
    bool constant;                 /* D does not change: linear systems */
    double *y, *u, *r;             /* scratch: ny, nu, n */
    ms_block_solver *block_solver; /* of nonlinear systems: solves for the outputs */
    bool reads_slopes;             /* g of a subsystem reads u' */
};
