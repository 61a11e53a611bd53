/* SPDX-License-Identifier: GPL-3.0-or-later */
/* impact_exact.h - the monolithic solution of impact-oscillator in closed form: matrix exponentials from
 * event to event, written from the equations of the model's header and not from its code. And runs up to its
 * event. */
#pragma once

#include <macrostep/cosim.h>

enum { SUPPORT_IMPACT_EVENTS_MAX = 8 };

typedef struct support_impact_solution {
    double x[4]; /* x1, v1, x2, v2 at the end */
    int n_events;
    double event[SUPPORT_IMPACT_EVENTS_MAX]; /* their times [s] */
} support_impact_solution;

/* From 0 to `end`. */
support_impact_solution support_impact_exact(const ms_system *system, double end);

/* Its subsystems, and the states of the oscillator. */
enum { SUPPORT_IMPACT_OSCILLATOR, SUPPORT_IMPACT_LOAD };
enum { SUPPORT_IMPACT_X, SUPPORT_IMPACT_V };

/* A co-simulation that has taken n + 1 macro-steps; the caller destroys it. */
ms_cosim *support_impact_run(const ms_system *system, const ms_options *options, int n);

/* support_options with a step size. */
ms_options support_impact_options(const char *text, double step);

/* Number of the macro-step, from 0, in which an event lies. */
int support_impact_step(double event, double step);
