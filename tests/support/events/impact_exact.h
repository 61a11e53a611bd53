/* SPDX-License-Identifier: GPL-3.0-or-later */
/* impact_exact.h - the monolithic solution of impact-oscillator in closed form: matrix exponentials from
 * event to event, written from the equations of the model's header and not from its code. And runs up to its
 * event. */
#ifndef IMPACT_EXACT_H
#define IMPACT_EXACT_H

#include "cosim.h"

enum { IMPACT_EVENTS_MAX = 8 };

typedef struct impact_exact {
    double x[4]; /* x1, v1, x2, v2 at the end */
    int n_events;
    double event[IMPACT_EVENTS_MAX]; /* their times [s] */
} impact_exact;

/* From 0 to `end`. */
impact_exact support_impact_exact(const ms_system *system, double end);

/* Its subsystems, and the states of the oscillator. */
enum { OSCILLATOR, LOAD };
enum { X, V };

/* A co-simulation that has taken n + 1 macro-steps; the caller destroys it. */
ms_cosim *support_impact_run(const ms_system *system, const ms_options *options, int n);

/* support_options with a step size. */
ms_options support_impact_options(const char *text, double step);

/* Number of the macro-step, from 0, in which an event lies. */
int support_impact_step(double event, double step);

#endif
