/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_round_off.h - the uncertainty of states after events and switches, whose times are known only up to round-off.
 *
 * It is computed only after ms_events_keep_round_off, as by the reference. The time of an event is uncertain by its round-off,
 * and by that of the terms of an indicator divided by its slope, which is large near a crest. */
#pragma once

#include <macrostep/instance.h>

/* Starts recording how far round-off of the times of events and switches moves the states of an instance that is not
 * differential-algebraic. Returns MS_OK or MS_NO_MEMORY. */
int ms_events_keep_round_off(ms_instance *instance);

/* Adds to x (nx) the uncertainty accumulated since the last call. */
void ms_events_add_round_off(ms_instance *instance, double *x);

/* Takes the last of the switches met that has not been taken: its time, and the states (nx) there. NULL: there is none, or they are not
 * kept. Of many the last one and the first ones are. */
const double *ms_events_take_met(ms_instance *instance, double *t);

/* Records the sizes of the functions r (events->n) at a point. */
void ms_round_off_note_sizes(ms_events *events, const double *r);

/* An event or switches at t: before it is handled, and after sides have been chosen. */
void ms_round_off_note_before(ms_instance *instance, int piece, double t);
void ms_round_off_note_behind(ms_instance *instance, int piece, double t);

void ms_round_off_destroy(ms_events *events);
