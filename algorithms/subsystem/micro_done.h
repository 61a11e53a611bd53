/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro_done.h - the end of a micro-step, where monitors are called and events are detected, and what all micro-solvers share
 * around it: their data, and pieces that need no micro-solver. */
#pragma once

#include "micro_step.h"

/* Called after each accepted micro-step from `from` to *to; order: see ms_monitor. Detects events: if there
 * is one, *to becomes its time, the states x the solution there, and the micro-solver stops.
 * Returns MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
int ms_micro_done(ms_instance *instance, int piece, double from, double *to, int order, ms_micro_dense *dense,
                  void *solver);

/* The solver's data: instance->solver_data is NULL, or what create() made. Returns what create() does, or MS_NO_MEMORY; destroy is safe
 * after each. */
int ms_solver_create(ms_instance *instance, const ms_solver_options *options, ms_error *error);
void ms_solver_destroy(ms_instance *instance);

/* advance() of adaptive solvers: integrate() with a history that restarts or continues, or what replaces it:
 *
 *     without states   only outputs are integrated, if asked for, by Gauss's formula over halved intervals until two levels agree
 *                      to round-off, with at most 1024 intervals (ms_micro_static_advance)
 *     a tiny piece     one Euler step (ms_micro_tiny), whose error h^2 x''/2 is far below round-off. The states of a
 *                      differential-algebraic subsystem stay unchanged. */
int ms_adaptive_advance(ms_instance *instance, int piece, double t0, double h);
int ms_micro_static_advance(ms_instance *instance, int piece, double t0, double h);
