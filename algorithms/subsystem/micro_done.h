/* SPDX-License-Identifier: GPL-3.0-or-later */
/* micro_done.h - the end of a micro-step, where monitors hear of it and events are looked for, and pieces that are done without a
 * micro-solver. */
#ifndef MS_MICRO_DONE_H
#define MS_MICRO_DONE_H

#include "micro_step.h"

/* After each accepted micro-step from `from` to *to, order: see ms_monitor. Looks for events in it: where
 * there is one, *to becomes its time, the states x the solution there, and the micro-solver stops.
 * Returns MS_OK, MS_STOPPED or MS_SOLVER_FAILED. */
int ms_micro_done(ms_instance *instance, int piece, double from, double *to, int order, ms_micro_dense *dense,
                  void *solver);

/* A piece of a subsystem without states: its outputs are integrated, where it integrates, and nothing else.
 * By Gauss's formula over halved intervals until two levels agree to round-off, or until there are 1024. */
int ms_micro_static_advance(ms_instance *instance, int piece, double t0, double h);

/* A tiny piece (ms_micro_tiny): one Euler step, whose error h^2 x''/2 is far below round-off. A
 * differential-algebraic subsystem stands still. */
int ms_micro_tiny_advance(ms_instance *instance, int piece, double t0, double h);

#endif
