/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_balls_parts.h - the formula in balls: analytic_propagation_balls_setup.c makes it,
 * analytic_propagation_balls.c evaluates it. */
#pragma once

#include "analytic_propagation_balls.h"
#include "analytic_propagation_parts.h"

typedef struct subsystem_balls {
    ms_balls *A, *B, *C, *D, *hA, *hB, *E, *G[COEFFICIENTS];
} subsystem_balls;

struct ms_analytic_propagation_balls {
    const ms_plugin_balls *plugin;
    ms_analytic_propagation *f; /* weights, columns, sequence */
    const ms_system *s;
    subsystem_balls *sub; /* (n) */
    double *unit;         /* (nx) */
    ms_balls *identity;   /* n x n */
    ms_balls *loop, *R;   /* I - D L and its inverse */
    long bits;            /* those of R, and of what is evaluated */
    ms_balls *c, *u[3];   /* rows as in analytic_propagation_parts.h */
    ms_balls *raw, *solved, *dy, *ddy, *dx, *next;
    ms_balls *half, *half_h; /* 1 x 1 */
    bool memory;             /* is there enough? */
};
