/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h - events of a subsystem while it is integrated: state, time and step events, and its switches.
 *
 * State events. After each micro-step the event indicators are compared with those at its start. If one has changed its sign, the root is
 * found on the micro-solver's dense output by Brent's method, and the micro-step ends at the upper end of the bracket, a few units in the
 * last place after the root: so the sign has changed when the handler is called, and integration continues from right limits with the same
 * input. Roots within round-off of each other are one event. Reaching zero exactly counts as crossing it;
 * staying there, or going on to the far side, does not count again. After an event, and whenever it starts near zero, an indicator is also
 * sampled closely after the start of the first micro-step, so that a ball that leaves the floor and falls back within one micro-step does
 * not fall through it. An indicator with the same sign at both ends is watched in between (event_watch.c), so that two changes of sign do
 * not hide each other; changes of sign that round-off explains are ignored there.
 *
 * The last side of each indicator is stored with the discrete variables (ms_subsystem_nz), and so saved and restored with them: if the
 * input, and with it an indicator, jumps at the start of a macro-step or of a piece, the event occurs there. After a handler the sides are
 * evaluated again.
 *
 * Switches (ms_subsystem.switches) are watched with the indicators, in the same searches. If one has changed its sign, the micro-step ends
 * and the method restarts with f and g on its other side; no handler is called, and only work.switches and work.slides are counted. If f
 * points towards it on both sides, the solution slides along it (event_sliding.h).
 *
 * Time events. An announced time is served when it is reached up to round-off: times beyond the end of a macro-step or piece by round-off
 * are served at its end, in turn, each at its own time. The last time served is stored after the discrete variables (ms_subsystem_served),
 * so it is saved and restored with them; times up to it are in the past. A time that the handler announces for the present is served again,
 * up to MS_EVENTS_MAX times. Work counts times due (announced) and handled (served): they are equal unless a macro-step fails.
 *
 * Step events. The handler is called after the micro-step that asks for it. If it leaves x, x', y, indicators and the next announced time
 * unchanged, the micro-solver continues, and schemes do not count it as an event.
 *
 * Outputs and samples at the time of an event are right limits. The handler of a differential-algebraic subsystem sets the differential
 * variables; the algebraic ones are made consistent with them.
 *
 * Sources: Andersson 2016, 8.3 and 8.4; Brent, Algorithms for Minimization without Derivatives (1973), ch. 4 and 5. */
#pragma once

#include <macrostep/instance.h>

/* For subsystems with events. Sets instance->events. Errors: MS_UNSUPPORTED (the solver does not stop at
 * events), MS_NO_MEMORY. */
int ms_events_create(ms_instance *instance, ms_error *error);
void ms_events_destroy(ms_instance *instance); /* NULL-safe */

/* At the start of each macro-step. */
void ms_events_start(ms_instance *instance);

/* Events handled in the last macro-step. */
static inline int ms_events_handled(const ms_instance *instance)
{
    return instance->events != NULL ? instance->events->n_events : 0;
}

/* Advances over [t, t + h] of a piece of the input, from event to event. Returns MS_OK or
 * MS_SOLVER_FAILED. */
int ms_events_advance(ms_instance *instance, int piece, double t, double h);

/* For ms_micro_done: looks for state and step events in a micro-step. Returns MS_OK, MS_STOPPED or
 * MS_SOLVER_FAILED. */
int ms_events_detect(ms_instance *instance, int piece, double from, double *to, ms_micro_dense *dense,
                     void *solver);

/* For ms_micro_done: handles the step event at events->t, unless a state or time event is there too. Returns MS_OK if it
 * has left x, x', y, indicators and the announced time unchanged, so that the micro-solver need not stop and the event is
 * not a switch; MS_STOPPED; or MS_SOLVER_FAILED. */
int ms_events_pass_step(ms_instance *instance, int piece);

/* Has an indicator changed its sign? */
static inline bool ms_events_crossed(double before, double after)
{
    return (before < 0.0 && after >= 0.0) || (before > 0.0 && after <= 0.0);
}

/* Notes in events->crossed the functions that have crossed, and their kinds in events->state and switched. Returns whether any has. */
bool ms_events_compare(ms_events *events, const double *before, const double *after);

/* Notes the sides of all functions; a zero takes the side to which it has crossed, if it has. A zero in r becomes the
 * smallest number of that side. */
void ms_events_signs(ms_events *events, double *r);
