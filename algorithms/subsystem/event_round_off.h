/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_round_off.h - by how much states are not known behind events and switches, whose times are known but for round-off.
 *
 * It is kept where ms_events_keep_round_off asks for it, as the reference does; else nothing here does anything. The time of an
 * event is off by round-off of itself, and by that of the terms of an indicator over its slope, which is much near a crest. */
#ifndef MS_EVENT_ROUND_OFF_H
#define MS_EVENT_ROUND_OFF_H

#include <macrostep/instance.h>

/* From now on it is kept by how much round-off of the times of events and switches moves the states of an instance that is not
 * differential-algebraic. Returns MS_OK or MS_NO_MEMORY. */
int ms_events_keep_round_off(ms_instance *instance);

/* Adds to x (nx) by how much it has moved them since the last call. */
void ms_events_add_round_off(ms_instance *instance, double *x);

/* What the functions r (events->n) are at a point. */
void ms_round_off_note_sizes(ms_events *events, const double *r);

/* An event or switches at t, before anything is done about it, and when sides have been taken behind it. */
void ms_round_off_note_before(ms_instance *instance, int piece, double t);
void ms_round_off_note_behind(ms_instance *instance, int piece, double t);

void ms_round_off_destroy(ms_events *events);

#endif
