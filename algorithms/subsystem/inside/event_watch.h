/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_watch.h - events between the ends of a micro-step at which an indicator has the same sign. event_detection.c asks for
 * them; no other file includes it. */
#ifndef MS_EVENT_WATCH_H
#define MS_EVENT_WATCH_H

#include <macrostep/instance.h>

/* The solution within a micro-step. */
typedef struct ms_micro_span {
    ms_instance *instance;
    int piece;
    ms_micro_dense *dense;
    void *solver;
    double from; /* its start [s] */
} ms_micro_span;

/* All indicators at t within the micro-step go to events->r, the state there to events->x. Returns 0 where they are defined. */
int ms_events_look(const ms_micro_span *in, double t);

/* Is r, of indicator k at t, more than what the round-off of time, states and inputs may make of zero? */
bool ms_events_is_more(const ms_micro_span *in, int k, double t, double r);

/* A time between `from` and `to` at which an indicator has another sign than at `from`, and none has changed its sign before that
 * this could tell; INFINITY: none. The indicators are events->r_start at `from` and events->r_end at `to`, of the same signs. Each is
 * looked at in between, as densely as it bends, and where it turns away from zero it is followed down to its extremum. A sign
 * that the round-off of states and time may have made is none. */
double ms_events_watch(const ms_micro_span *in, double from, double to);

#endif
