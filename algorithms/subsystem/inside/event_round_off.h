/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_round_off.h - by how much states are not known behind events and switches, whose times are known but for round-off.
 *
 * It is kept where ms_events_keep_round_off (events.h) asks for it, as the reference does; else nothing here does anything. The time of an
 * event is off by round-off of itself, and by that of the terms of an indicator over its slope, which is much near a crest. */
#ifndef MS_EVENT_ROUND_OFF_H
#define MS_EVENT_ROUND_OFF_H

#include "instance.h"

/* What the functions r (events->n) are at a point. */
void ms_round_off_note_sizes(ms_events *events, const double *r);

/* An event or switches at t, before anything is done about it, and when handlers have been called. */
void ms_round_off_note_before(ms_instance *instance, int piece, double t);
void ms_round_off_note_behind(ms_instance *instance, int piece, double t);

void ms_round_off_destroy(ms_events *events);

#endif
