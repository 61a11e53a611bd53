/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "events.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_parts.h"
#include "event_round_off.h"
#include "event_sliding.h"
#include "micro_step.h"

static int events_allocate(ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    const size_t n = (size_t)ms_subsystem_watched(sub), n_state = (size_t)instance->n_state,
                 nz = (size_t)sub->nz;
    ms_events *events = calloc(1, sizeof *events);
    instance->events = events;
    MS_TRY_MEMORY(events);
    events->crossed = calloc(n + 1, sizeof *events->crossed);
    const size_t seen = sub->step_event != NULL ? (size_t)(sub->nx + sub->ny) : 0;
    const size_t watched = MS_EVENTS_WATCHED * n;
    events->r0 = calloc(6 * n + n_state + nz + 2 * seen + watched + 1, sizeof *events->r0);
    events->brent = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    events->minimum = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    MS_TRY_MEMORY(events->crossed != NULL && events->r0 != NULL && events->brent != NULL &&
                  events->minimum != NULL);
    events->r1 = events->r0 + n;
    events->r = events->r1 + n;
    events->root = events->r + n;
    events->r_start = events->root + n;
    events->r_end = events->r_start + n;
    events->x = events->r_end + n;
    events->z = events->x + n_state;
    events->seen[0] = events->z + nz;
    events->seen[1] = events->seen[0] + seen;
    events->watched = events->seen[1] + seen;
    events->indicator_sign = instance->z + nz;
    events->n = (int)n;
    events->earliest = -INFINITY;
    events->latest = INFINITY;
    events->pending = NAN;
    return ms_switch_sides_create(instance) == MS_OK ? ms_sliding_create(instance) : MS_NO_MEMORY;
}

int ms_events_create(ms_instance *instance, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const ms_solver *solver = instance->solver;
    if (!ms_subsystem_has_events(sub) || (solver->linear_only && !ms_subsystem_jumps(sub)))
        return MS_OK;
    if (!solver->events)
        return ms_fail(error, MS_UNSUPPORTED,
                       "solver %s does not stop at events, but subsystem %s has events; use cvode-bdf or "
                       "another solver",
                       solver->name, sub->name);
    gsl_set_error_handler_off();
    MS_TRY_MEMORY_FOR(events_allocate(instance) == MS_OK, error, "the events of %s", sub->name);
    return MS_OK;
}

void ms_events_destroy(ms_instance *instance)
{
    ms_events *events = instance->events;
    if (events == NULL)
        return;
    if (events->brent != NULL)
        gsl_root_fsolver_free(events->brent);
    if (events->minimum != NULL)
        gsl_min_fminimizer_free(events->minimum);
    ms_switch_sides_destroy(events);
    ms_sliding_destroy(events);
    ms_round_off_destroy(events);
    MS_FREE(events->crossed, events->r0, events);
    instance->events = NULL;
}

/* Withdraws the announced time counted before: a run has gone back, or another time replaces it. */
static void withdraw(ms_instance *instance)
{
    if (!isnan(instance->events->pending))
        instance->work.announced--;
    instance->events->pending = NAN;
}

void ms_events_start(ms_instance *instance)
{
    withdraw(instance);
    instance->events->n_events = instance->events->n_jumps = 0;
    ms_switch_sides_start(instance->events);
    instance->events->failure = NULL;
}

/* Handling ----------------------------------------------------------------------------------------------- */

/* Samples at the time of an event are right limits: those at t are taken again. */
static void sample_again(ms_instance *instance, int piece, double t)
{
    const ms_events *events = instance->events;
    const bool end = events->ends && t >= events->to;
    for (int k = 0; k < instance->n_places; k++) {
        const bool here = end ? ms_micro_sample_after(instance, k) == instance->input.end[piece]
                              : ms_micro_sample_time(instance, k) == t;
        if (here)
            memcpy(ms_micro_sample(instance, k), instance->state, sizeof(double) * (size_t)instance->n_state);
    }
}

/* Calls only the handler, for an event at t. */
static int call_handler(ms_instance *instance, int piece, double t, const ms_event *event)
{
    ms_events *events = instance->events;
    const ms_subsystem *sub = instance->sub;
    ms_point at;
    memcpy(events->x, instance->state, sizeof(double) * (size_t)sub->nx);
    memcpy(events->z, instance->z, sizeof(double) * (size_t)sub->nz);
    int status = ms_micro_point(instance, piece, t, events->x, &at);
    at.z = events->z;
    if (status == 0)
        status = ms_subsystem_handle(instance->system, instance->index, &at, instance->w, event);
    if (status == 0 && ms_micro_finite(sub->nx, instance->state) && ms_micro_finite(sub->nz, instance->z))
        return MS_OK;
    events->failure = "the handler of an event failed";
    return MS_SOLVER_FAILED;
}

/* Makes algebraic variables consistent after the handler, as the micro-solver does when it continues, and updates
 * r0. An indicator of such a variable that has crossed zero may return by the micro-solver's error: unless it
 * returns farther than here, the same root is not found again (ms_events_indicators). */
static int make_consistent(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    const int n = events->n;
    if (instance->solver->make_consistent(instance, piece, t, instance->h) != MS_OK) {
        events->failure = "no consistent algebraic variables were found after an event";
        return MS_SOLVER_FAILED;
    }
    if (ms_events_indicators(instance, piece, t, instance->state, events->r1) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < n; k++) {
        const bool back =
            events->crossed[k] * events->r0[k] > 0.0 && ms_events_crossed(events->r0[k], events->r1[k]);
        events->r0[k] = back ? events->crossed[k] * DBL_MIN : events->r1[k];
        if (back)
            events->indicator_sign[k] = events->crossed[k] * (1.0 + 2.0 * fabs(events->r1[k]));
    }
    return MS_OK;
}

/* Are there more events than possible? A step event takes a whole micro-step, and micro-steps are bounded already. */
static bool is_chattering(ms_instance *instance, bool time)
{
    ms_events *events = instance->events;
    if (!events->state && !time)
        return ++events->n_events > instance->micro_steps_max;
    events->n_events++;
    return ++events->n_jumps > MS_EVENTS_MAX;
}

/* The time announced for t has been reached. It is served again only if announced again. */
static void serve(ms_instance *instance, double t)
{
    double *served = ms_subsystem_served(instance->sub, instance->z);
    *served = fmax(*served, t);
    instance->work.served++;
    instance->events->pending = NAN;
}

/* Calls the handler and updates the counters. */
static int handle_event(ms_instance *instance, int piece, double t, const ms_event *event)
{
    ms_events *events = instance->events;
    if (event->time)
        serve(instance, t);
    if (is_chattering(instance, event->time)) {
        const bool announced = event->time, again = announced && t == events->last;
        snprintf(events->failure_text, sizeof events->failure_text,
                 "it has over %ld events there%s (chattering)",
                 events->state || announced ? (long)MS_EVENTS_MAX : instance->micro_steps_max,
                 again ? ", a time event at the same time again" : "");
        events->failure = events->failure_text;
        return MS_SOLVER_FAILED;
    }
    instance->work.events++;
    return call_handler(instance, piece, t, event);
}

/* Keeps only relevant crossings: indicators if there are state events, switches if they flip. */
static void forget_others(ms_events *events)
{
    const int first = events->state ? events->first_side : 0,
              end = events->switched ? events->first_side : events->n;
    for (int k = first; k < end; k++)
        events->crossed[k] = 0;
}

/* Evaluates functions and sides after an event or switches. */
static int read_anew(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    if (ms_events_indicators(instance, piece, t, instance->state, events->r0) != 0)
        return MS_SOLVER_FAILED;
    if (events->n_sides > 0) {
        ms_events_signs(events, events->r0);
        ms_switch_sides_take(events);
    }
    if (instance->sub->residual != NULL && make_consistent(instance, piece, t) != MS_OK)
        return MS_SOLVER_FAILED;
    ms_events_signs(events, events->r0);
    ms_switch_sides_take(events);
    return MS_OK;
}

/* Flips the switches that have crossed. If `may_slide`, the solution slides along those that it cannot cross. */
static void flip(ms_instance *instance, int piece, double t, bool may_slide)
{
    ms_sliding_leave(instance, piece, t);
    ms_switch_sides_count_flips(instance, t);
    if (!may_slide)
        return;
    ms_sliding_begin(instance, piece, t);
    ms_sliding_leave(instance, piece, t);
}

/* Handles the event, or the switches, that the micro-solver has reached; for a time event at the end of a piece, t differs by round-off from
 * the solver's time. */
static int handle(ms_instance *instance, int piece, double t, bool time)
{
    ms_events *events = instance->events;
    const ms_event event = {.state = events->state,
                            .crossed = events->crossed,
                            .time = time && ms_subsystem_announces(instance->sub),
                            .step = events->step,
                            .x = instance->state,
                            .z = instance->z};
    const bool handles = instance->sub->handle != NULL && (event.time || event.state || event.step);
    int status = MS_OK;
    if (!handles && !events->switched) /* a breakpoint */
        return MS_OK;
    forget_others(events);
    ms_round_off_note_before(instance, piece, t);
    if (events->switched)
        flip(instance, piece, t, !handles);
    if (handles) {
        ms_sliding_pause(instance);
        status = handle_event(instance, piece, t, &event);
        ms_sliding_resume(instance, piece, t);
    }
    MS_THEN(status, read_anew(instance, piece, t));
    if (status == MS_OK)
        ms_round_off_note_behind(instance, piece, t);
    if (status != MS_OK)
        return status;
    events->last = t;
    events->handled = true;
    if (handles && instance->monitor.event != NULL)
        instance->monitor.event(instance->monitor.self, t, &event);
    return MS_OK;
}

/* Step events -------------------------------------------------------------------------------------------- */

/* x' and y at (t, state). */
static int look_behind(ms_instance *instance, int piece, double t, double *seen)
{
    if (ms_micro_state_rhs(instance, piece, t, instance->state, seen) != 0 ||
        ms_micro_outputs(instance, piece, t, instance->state, seen + instance->sub->nx) != 0)
        return MS_SOLVER_FAILED;
    return MS_OK;
}

/* Is a time event also due at t, the end of a micro-step? */
static bool meets_time(const ms_events *events, double t)
{
    return isfinite(events->latest) && t >= fmin(events->to, events->from + (events->to - events->from));
}

/* Has the handler left x, x', y, the indicators and the announced time unchanged? */
static bool is_same(const ms_instance *instance, double due)
{
    const ms_subsystem *sub = instance->sub;
    const ms_events *events = instance->events;
    return memcmp(instance->state, events->x, sizeof(double) * (size_t)sub->nx) == 0 &&
           memcmp(events->seen[0], events->seen[1], sizeof(double) * (size_t)(sub->nx + sub->ny)) == 0 &&
           memcmp(events->r0, events->r, sizeof(double) * (size_t)events->n) == 0 &&
           ms_next_announced_time(instance->system, instance->index, events->t, instance->z) == due;
}

int ms_events_pass_step(ms_instance *instance, int piece)
{
    ms_events *events = instance->events;
    const ms_subsystem *sub = instance->sub;
    const double t = events->t, last = events->last;
    const double due = ms_next_announced_time(instance->system, instance->index, t, instance->z);
    if (!events->step || events->state || events->switched || sub->residual != NULL || meets_time(events, t))
        return MS_STOPPED;
    memcpy(events->r, events->r0, sizeof(double) * (size_t)events->n);
    if (look_behind(instance, piece, t, events->seen[0]) != MS_OK ||
        handle(instance, piece, t, false) != MS_OK ||
        look_behind(instance, piece, t, events->seen[1]) != MS_OK)
        return MS_SOLVER_FAILED;
    events->step_handled = !is_same(instance, due);
    if (events->step_handled)
        return MS_STOPPED;
    events->n_events--;
    events->last = last;
    events->handled = events->step = false;
    return MS_OK;
}

/* From event to event ------------------------------------------------------------------------------------ */

/* The next breakpoint. One that lies behind by round-off counts as passed: the equations are right limits there. */
static double next_breakpoint(ms_instance *instance, double due, double from)
{
    if (!ms_micro_tiny(from, due - from))
        return due;
    const double later = ms_subsystem_next_time(instance->system, instance->index, due, instance->z);
    if (!(later > due))
        return due;
    instance->events->earliest = due;
    return later;
}

/* The next announced time or breakpoint once the subsystem has reached `from`; NaN if there is no valid one. Announced times may
 * equal `from`. */
static double next_time(ms_instance *instance, double from)
{
    const bool announces = ms_subsystem_announces(instance->sub);
    const double due = ms_next_announced_time(instance->system, instance->index, from, instance->z);
    if (announces ? due >= from || ms_micro_tiny(due, from - due) : due > from)
        return announces ? due : next_breakpoint(instance, due, from);
    instance->events->failure = "its next time event is not in the future";
    return NAN;
}

/* Counts an announced time once. */
static void note_announced(ms_instance *instance, double due, bool timed)
{
    ms_events *events = instance->events;
    if (timed && due == events->pending)
        return;
    withdraw(instance);
    if (!timed || !ms_subsystem_announces(instance->sub))
        return;
    events->pending = due;
    instance->work.announced++;
}

/* Has an indicator changed its sign at t, because of the input or another subsystem? Reads r0. */
static int look_at_start(ms_instance *instance, int piece, double t, bool *event)
{
    ms_events *events = instance->events;
    if (ms_events_indicators(instance, piece, t, instance->state, events->r0) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < events->n; k++)
        if (events->r0[k] == 0.0)
            events->r0[k] = events->indicator_sign[k] * DBL_MIN;
    *event = ms_events_compare(events, events->indicator_sign, events->r0);
    events->attempted = 0.0;
    events->step = false;
    if (!*event) {
        ms_events_signs(events, events->r0);
        ms_switch_sides_take(events);
    }
    return MS_OK;
}

/* The earliest time at which the equations are evaluated, from `from` on: the last announced time if it lies
 * behind by round-off. */
static void set_earliest(ms_instance *instance, double from)
{
    ms_events *events = instance->events;
    events->earliest = -INFINITY;
    events->latest = INFINITY;
    if (!ms_subsystem_announces(instance->sub))
        return;
    const double served = *ms_subsystem_served(instance->sub, instance->z);
    if (served > from && ms_micro_tiny(from, served - from))
        events->earliest = served;
}

/* Serves a time event that is due now, at events->from or by round-off earlier. */
static int serve_here(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    const int status = handle(instance, piece, t, true);
    if (status == MS_OK && !events->starts)
        sample_again(instance, piece, events->from);
    return status;
}

/* Integrates from events->from to the next event, at most to `end`; due: the next announced time. */
static int integrate(ms_instance *instance, int piece, double end, double due, bool *event)
{
    ms_events *events = instance->events;
    const double from = events->from;
    const bool timed = due <= end || (isfinite(due) && ms_micro_tiny(end, due - end));
    events->to = end;
    events->ends = !timed || due >= end || ms_micro_tiny(due, end - due);
    events->to = events->ends ? end : due;
    if (timed)
        events->latest = nextafter(due, from);
    events->after_discontinuity = true;
    events->step_handled = false;
    const int status = instance->solver->advance(instance, piece, from, events->to - from);
    events->handled = events->step_handled;
    if (status != MS_OK && status != MS_STOPPED)
        return status;
    if (status == MS_OK)
        events->state = events->switched = events->step = false;

    events->latest = INFINITY;
    /* A micro-solver reaches from + (to - from), which equals `to` up to round-off. */
    const bool whole = status == MS_OK || events->t >= events->to || events->t >= from + (events->to - from);
    const double reached = whole ? events->to : events->t;
    *event = status == MS_STOPPED || timed;
    const int handled = *event && !events->step_handled
                            ? handle(instance, piece, timed && whole ? due : reached, timed && whole)
                            : MS_OK;
    if (*event && handled == MS_OK)
        sample_again(instance, piece, reached);
    events->from = reached;
    events->starts = false;
    return handled;
}

/* Advances from events->from to the next event, at most to `end`. Afterwards events->from is the time
 * reached, and *event whether there may be another one. */
static int advance(ms_instance *instance, int piece, double end, bool *event)
{
    ms_events *events = instance->events;
    const double from = events->from;
    const bool over = from >= end;
    *event = false;
    if (over && !ms_subsystem_announces(instance->sub))
        return MS_OK;
    set_earliest(instance, from);
    const double due = next_time(instance, from), start = ms_events_time(events, from);
    if (isnan(due))
        return MS_SOLVER_FAILED;
    const bool here =
        ms_subsystem_announces(instance->sub) && (due <= start || (over && ms_micro_tiny(from, due - from)));
    note_announced(instance, due, here || due <= end || ms_micro_tiny(end, due - end));
    *event = here;
    if (over && !here)
        return MS_OK;
    bool crossed = false;
    if (look_at_start(instance, piece, start, &crossed) != MS_OK)
        return MS_SOLVER_FAILED;
    *event = here || crossed;
    if (here)
        return serve_here(instance, piece, due);
    return crossed ? handle(instance, piece, start, false) : integrate(instance, piece, end, due, event);
}

int ms_events_advance(ms_instance *instance, int piece, double t, double h)
{
    ms_events *events = instance->events;
    const double end = t + h;
    bool event = true;
    int status = MS_OK;
    events->from = t;
    events->starts = true;
    ms_switch_sides_take(events);
    instance->sides = events->sides;
    ms_sliding_resume(instance, piece, t);
    while (event && status == MS_OK)
        status = advance(instance, piece, end, &event);
    events->earliest = -INFINITY;
    events->latest = INFINITY;
    ms_sliding_pause(instance);
    instance->sides = NULL;
    return status;
}
