/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.h - events of a subsystem while it is integrated: state, time and step events, and its switches.
 *
 * State events. After each micro-step the event indicators are compared with those at its start. Where one
 * has changed its sign the root is found on the micro-solver's dense output by Brent's method, and the
 * micro-step ends at the upper end of the bracket, a few units in the last place behind the root: so the
 * sign has changed when the handler is called, and integration goes on from right limits on the same
 * input. Roots within round-off of each other are one event. Reaching zero exactly counts as crossing it;
 * staying there, or going on to the far side, does not count again. Behind an event, and wherever it
 * starts near zero, an indicator is also looked at closely behind the start of the first micro-step, so that
 * a ball that leaves the floor and falls back within one micro-step does not go through it. Where an indicator has the same
 * sign at both ends it is watched in between (event_watch.c), so that two changes of sign do not hide each other. A change of
 * sign that round-off may have made is none there.
 *
 * On which side each indicator was seen last is kept with the discrete variables (ms_subsystem_nz), and so
 * saved and restored with them: where the input jumps at the start of a macro-step or of a piece, and an
 * indicator with it, the event is there. After a handler the sides are read anew.
 *
 * Switches (ms_subsystem.switches) are watched with the indicators, in the same searches. Where one has changed its sign the micro-step ends
 * and the method starts anew with f and g on its other side; no handler is called, and nothing is counted but work.switches and
 * work.slides. Where f on both sides leads to it the solution slides along it (event_sliding.h).
 *
 * Time events. An announced time is served when it is reached, or missed by round-off: those up to round-off behind the end of a
 * macro-step or piece are served at its end, in turn, each at its own time. The last time that was served is kept behind the
 * discrete variables (ms_subsystem_served), so it is saved and restored with them, and times up to it are over. One that is
 * announced by the handler for the time it is at is served again, up to MS_EVENTS_MAX. Work counts what was due
 * (announced) and what was handled (served): they are equal unless a macro-step fails.
 *
 * Step events. The handler is called behind the micro-step that asks. Where it leaves x, x', y, indicators and the next announced
 * time as they were, the micro-solver goes on, and schemes do not count it as an event.
 *
 * Outputs and samples at the time of an event are right limits. The handler of a differential-algebraic
 * subsystem sees to the differential variables; the algebraic ones are made consistent with them.
 *
 * Sources: Andersson 2016, 8.3 and 8.4; Brent, Algorithms for Minimization without Derivatives (1973),
 * ch. 4 and 5. */
#ifndef MS_EVENTS_H
#define MS_EVENTS_H

#include <macrostep/instance.h>

/* For subsystems with events. Sets instance->events. Errors: MS_UNSUPPORTED (the solver does not stop at
 * events), MS_NO_MEMORY. */
int ms_events_create(ms_instance *instance, ms_error *error);
void ms_events_destroy(ms_instance *instance); /* safe where there is none */

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

/* For ms_micro_done: handles the step event at events->t, unless a state or time event is there too. Returns MS_OK where it
 * has left x, x', y, indicators and the announced time as they were, so that the micro-solver need not stop and the
 * event is no switch; MS_STOPPED; or MS_SOLVER_FAILED. */
int ms_events_pass_step(ms_instance *instance, int piece);

/* Has an indicator changed its sign? */
static inline bool ms_events_crossed(double before, double after)
{
    return (before < 0.0 && after >= 0.0) || (before > 0.0 && after <= 0.0);
}

/* Notes in events->crossed which have, and of what kind they are in events->state and switched. Returns whether any has. */
bool ms_events_compare(ms_events *events, const double *before, const double *after);

/* Notes the sides of all, for those that are zero that one to which they have crossed if they
 * have. A zero in r becomes the smallest number of that side. */
void ms_events_signs(ms_events *events, double *r);

#endif
