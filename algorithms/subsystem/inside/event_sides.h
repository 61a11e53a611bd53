/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_sides.h - switches of a subsystem (ms_subsystem.switches) while it is integrated: on which side of zero f and g are taken,
 * and what ends their chattering. What detects events and what handles them ask for it; no other file includes it.
 *
 * A solution that would slide along a switch, and for which there is no sliding (event_sliding.h), crosses it again as soon as it has
 * turned round, and time stands still. So a switch that flips FLIPS_MAX times in a row without progress is released: for some micro-steps
 * it is where its operands say, and error control is all there is. Then it is watched again. Where it chatters still the next release
 * takes twice as many. */
#ifndef MS_EVENT_SIDES_H
#define MS_EVENT_SIDES_H

#include <macrostep/instance.h>

/* Returns MS_OK or MS_NO_MEMORY; destroy is safe after both. */
int ms_sides_create(ms_instance *instance);
void ms_sides_destroy(ms_events *events);

/* At the start of each macro-step: all switches are watched. */
void ms_sides_start(ms_events *events);

/* The sides in force become those that were noted last (indicator_sign). */
void ms_sides_take(ms_events *events);

/* The same, but for those that have just crossed: the solution in the micro-step is the one on their side of before. */
void ms_sides_take_others(ms_events *events);

/* Is watched function k a released switch? */
bool ms_sides_released(const ms_events *events, int k);

/* A micro-step has been taken up to t. Notes in events->woken the switches that are watched again from its end on. Returns whether there are
 * some. */
bool ms_sides_count(ms_events *events, double t);

/* Those of events->crossed flip at t: counts them, and releases those that chatter. */
void ms_sides_count_flips(ms_instance *instance, double t);

#endif
