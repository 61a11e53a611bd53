/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro_done.h - the end of a micro-step, where monitors are called and events are detected, and pieces that need no
 * micro-solver. */
#ifndef MS_MICRO_DONE_H
#define MS_MICRO_DONE_H

#include "micro_step.h"

/* Called after each accepted micro-step from `from` to *to; order: see ms_monitor. Detects events: if there
 * is one, *to becomes its time, the states x the solution there, and the micro-solver stops.
 * Returns MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
int ms_micro_done(ms_instance *instance, int piece, double from, double *to, int order, ms_micro_dense *dense,
                  void *solver);

/* A piece of a subsystem without states: only its outputs are integrated, if asked for, by Gauss's formula over
 * halved intervals until two levels agree to round-off, with at most 1024 intervals. */
int ms_micro_static_advance(ms_instance *instance, int piece, double t0, double h);

/* A tiny piece (ms_micro_tiny): one Euler step, whose error h^2 x''/2 is far below round-off. The states of a
 * differential-algebraic subsystem stay unchanged. */
int ms_micro_tiny_advance(ms_instance *instance, int piece, double t0, double h);

#endif
