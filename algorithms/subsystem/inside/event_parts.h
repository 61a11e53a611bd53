/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_parts.h - what detects events, and what handles them, ask for. No other file includes it. */
#pragma once

#include <macrostep/instance.h>

/* event_functions.c: the functions that are watched for changes of sign, at a point. */

/* Event indicators and switches r (n) at a point under a piece of the input; those that are released are 1, and those along which
 * the solution slides what tells that it leaves. Returns what they return. */
int ms_events_functions(ms_instance *instance, int piece, ms_point *at, double *r);

/* The same at (t, x), those that their side holds as the smallest number of that side. Returns 0
 * where they are defined and finite. */
int ms_events_indicators(ms_instance *instance, int piece, double t, const double *x, double *r);

/* event_sides.c: switches of a subsystem (ms_subsystem.switches) while it is integrated: on which side of zero f and g are taken,
 * and what ends their chattering. What detects events and what handles them ask for it; no other file includes it.
 *
 * A solution that would slide along a switch, and for which there is no sliding (event_sliding.h), crosses it again as soon as it has
 * turned round, and time stands still. So a switch that flips FLIPS_MAX times in a row without progress is released: for some micro-steps
 * it is where its operands say, and error control is all there is. Then it is watched again. Where it chatters still the next release
 * takes twice as many. */

/* Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_switch_sides_create(ms_instance *instance);
void ms_switch_sides_destroy(ms_events *events);

/* At the start of each macro-step: all switches are watched. */
void ms_switch_sides_start(ms_events *events);

/* The sides in force become those that were noted last (indicator_sign). */
void ms_switch_sides_take(ms_events *events);

/* The same, but for those that have just crossed: the solution in the micro-step is the one on their side of before. */
void ms_switch_sides_take_others(ms_events *events);

/* Is watched function k a released switch? */
bool ms_switch_sides_released(const ms_events *events, int k);

/* A micro-step has been taken up to t. Notes in events->woken the switches that are watched again from its end on. Returns whether there are
 * some. */
bool ms_switch_sides_count(ms_events *events, double t);

/* Those of events->crossed flip at t: counts them, and releases those that chatter. */
void ms_switch_sides_count_flips(ms_instance *instance, double t);

/* event_watch.c: events between the ends of a micro-step at which an indicator has the same sign. event_detection.c asks for
 * them; no other file includes it. */

/* The solution within a micro-step. */
typedef struct ms_micro_span {
    ms_instance *instance;
    int piece;
    ms_micro_dense *dense;
    void *solver;
    double from; /* its start [s] */
} ms_micro_span;

/* All indicators at t within the micro-step go to events->r, the state there to events->x. Returns 0 where they are defined. */
int ms_events_evaluate(const ms_micro_span *in, double t);

/* Is r, of indicator k at t, more than what the round-off of time, states and inputs may make of zero? */
bool ms_events_is_more(const ms_micro_span *in, int k, double t, double r);

/* A time between `from` and `to` at which an indicator has another sign than at `from`, and none has changed its sign before that
 * this could tell; INFINITY: none. The indicators are events->r_start at `from` and events->r_end at `to`, of the same signs. Each is
 * looked at in between, as densely as it bends, and where it turns away from zero it is followed down to its extremum. A sign
 * that the round-off of states and time may have made is none. */
double ms_events_watch(const ms_micro_span *in, double from, double to);
