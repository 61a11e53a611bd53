/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fixed_step.h - one-step methods with equal micro-steps: a new one is a file with its step, and its line in
 * solver_list.h; an explicit Runge-Kutta method is a line in runge_kutta_list.h. */
#pragma once

#include "micro_step.h"
#include "newton_dense.h"

/* Of an instance: start of a step, and scratch. A step reads `before` and writes `after`, which becomes `before` of the next one. */
typedef struct ms_fixed_data {
    int micro_steps, carried;
    /* n_state each: start of a step, the state meanwhile, a stage; and solver->stages x n_state */
    double *start, *state, *stage, *slope;
    double *before, *after, *reached; /* carried each: solver->state_memory x nx */
    ms_newton_dense *newton;          /* for implicit methods: solves their equations */
    void *own;                        /* of the method; freed with the rest */
} ms_fixed_data;

/* x1 from x0 in one step from t to t + k (n_state each), with stage and slope of the instance's ms_fixed_data as
 * scratch. Returns what f returns. */
typedef int ms_fixed_step(ms_instance *instance, int piece, double t, double k, const double *x0, double *x1);

/* create and destroy of the solver (ms_solver). */
int ms_fixed_create(ms_instance *instance, const ms_solver_options *options, ms_error *error);
void ms_fixed_destroy(ms_instance *instance);

/* advance of the solver, by steps of the method. */
int ms_fixed_advance(ms_instance *instance, int piece, double t0, double h, ms_fixed_step *step);
