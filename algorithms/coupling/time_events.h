/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_events.h - communication at announced time events (--at-time-events communicate).
 *
 * A subsystem announces the first time event or breakpoint after the time reached (next_time of ms_subsystem). All
 * subsystems communicate at the earliest one: a macro-step beyond it is cut there, and the next steps are as long as
 * before. A macro-step that would end after the event by round-off, or before it by less than a billionth of its
 * length, ends at the event, to avoid a tiny step. An event that lies after a communication point by round-off has
 * been handled there.
 *
 * Outputs at the event are right limits, as after every event. The iterative schemes, whose inputs end at the outputs
 * of the macro-step's end, also communicate just before the event: before it they couple by left limits, and the
 * inputs jump in between.
 *
 * The history from which a scheme extrapolates is kept over the event or dropped as --at-events says, whose `drop`
 * treats an announced time that was reached as an event whether or not the micro-solver had to stop there. A cut
 * macro-step shorter than half of the previous one gives no additional point for extrapolation: its end replaces the
 * last point, since a difference over it would be extrapolated over many times its length, with the errors of both
 * points. Two such steps do not follow each other, so that events denser than macro-steps keep a history.
 *
 * With `ignore`, time events are handled inside macro-steps, and other subsystems see them only at the end. */
#pragma once

#include <macrostep/cosim.h>

/* Nothing has been announced, and no macro-step is cut. */
void ms_time_events_start(ms_cosim *cosim);

/* The earliest time announced by a subsystem at t, or the end of the run if none is earlier; stores all of
 * them in cosim->due. */
double ms_time_events_stop(ms_cosim *cosim, double t);

/* The communication point just before an event at `stop`, for left limits [s]. */
double ms_time_events_before(const ms_cosim *cosim, double stop);

/* By how much a macro-step of length h may be made longer to end at an event [s]. */
static inline double ms_time_events_slack(double h)
{
    return 1e-9 * h;
}

/* Do t and the announced time differ by round-off? */
bool ms_time_events_coincide(double t, double due);

/* Has subsystem i had an event in its macro-step to t: handled one, or announced it for t? */
bool ms_time_events_had(const ms_cosim *cosim, int i, double t);

/* Shall the end of a macro-step of length h take the place of the last point of a history? h1: length of the
 * one before; joined: has it done so? */
static inline bool ms_time_events_join(double share, double h, double h1, bool joined)
{
    return share < 1.0 && !joined && h < 0.5 * h1;
}
