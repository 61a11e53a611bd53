/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "events.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro_step.h"

static int events_allocate(ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    const size_t n = (size_t)sub->n_indicators, n_state = (size_t)instance->n_state, nz = (size_t)sub->nz;
    ms_events *events = calloc(1, sizeof *events);
    instance->events = events;
    if (events == NULL)
        return MS_NO_MEMORY;
    events->crossed = calloc(n + 1, sizeof *events->crossed);
    events->r0 = calloc(4 * n + n_state + nz + 1, sizeof *events->r0);
    events->brent = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (events->crossed == NULL || events->r0 == NULL || events->brent == NULL)
        return MS_NO_MEMORY;
    events->r1 = events->r0 + n;
    events->r = events->r1 + n;
    events->root = events->r + n;
    events->x = events->root + n;
    events->z = events->x + n_state;
    events->indicator_sign = instance->z + nz;
    events->earliest = -INFINITY;
    events->latest = INFINITY;
    return MS_OK;
}

int ms_events_create(ms_instance *instance, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const ms_solver *solver = instance->solver;
    if (!ms_subsystem_has_events(sub) || (solver->linear_only && !ms_subsystem_jumps(sub)))
        return MS_OK;
    if (!solver->events)
        return ms_fail(error, MS_UNSUPPORTED,
                       "solver %s does not stop at events and subsystem %s has some; cvode-bdf or another "
                       "solver fits",
                       solver->name, sub->name);
    gsl_set_error_handler_off();
    if (events_allocate(instance) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the events of %s", sub->name);
    return MS_OK;
}

void ms_events_destroy(ms_instance *instance)
{
    ms_events *events = instance->events;
    if (events == NULL)
        return;
    if (events->brent != NULL)
        gsl_root_fsolver_free(events->brent);
    free(events->crossed);
    free(events->r0);
    free(events);
    instance->events = NULL;
}

void ms_events_start(ms_events *events)
{
    events->n_events = 0;
    events->failure = NULL;
}

/* Handling ----------------------------------------------------------------------------------------------- */

/* Samples at the time of an event are right limits: those that were taken at t are taken again. */
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

/* The handler alone, for an event at t. */
static int call_handler(ms_instance *instance, int piece, double t, const ms_event *event)
{
    ms_events *events = instance->events;
    const ms_subsystem *sub = instance->sub;
    ms_point at;
    memcpy(events->x, instance->state, sizeof(double) * (size_t)sub->nx);
    memcpy(events->z, instance->z, sizeof(double) * (size_t)sub->nz);
    int status = ms_events_point(instance, piece, t, events->x, &at);
    at.z = events->z;
    if (status == 0)
        status = ms_subsystem_handle(instance->system, instance->index, &at, instance->w, event);
    if (status == 0 && ms_micro_finite(sub->nx, instance->state) && ms_micro_finite(sub->nz, instance->z))
        return MS_OK;
    events->failure = "the handler of an event failed";
    return MS_SOLVER_FAILED;
}

/* Makes algebraic variables consistent with what the handler has left, as the micro-solver does where it
 * goes on, and r0 with them. An indicator of such a variable that has crossed zero may be taken back by the
 * micro-solver's error: as long as it is no farther back than here the same root is not met again
 * (ms_events_indicators). */
static int make_consistent(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    const int n = instance->sub->n_indicators;
    if (instance->solver->make_consistent(instance, piece, t, instance->h) != MS_OK) {
        events->failure = "no consistent algebraic variables were found behind an event";
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

/* The event that the micro-solver has reached; t differs by round-off from where it stands where it is a time
 * event at the end of a piece. */
static int handle(ms_instance *instance, int piece, double t, bool time)
{
    ms_events *events = instance->events;
    const ms_subsystem *sub = instance->sub;
    const ms_event event = {.state = events->state,
                            .crossed = events->crossed,
                            .time = time,
                            .step = events->step,
                            .x = instance->state,
                            .z = instance->z};
    if (sub->handle == NULL)
        return MS_OK;
    if (++events->n_events > MS_EVENTS_MAX) {
        snprintf(events->failure_text, sizeof events->failure_text,
                 "it has over %d events there (chattering)", (int)MS_EVENTS_MAX);
        events->failure = events->failure_text;
        return MS_SOLVER_FAILED;
    }
    if (!events->state)
        memset(events->crossed, 0, sizeof *events->crossed * (size_t)sub->n_indicators);
    if (call_handler(instance, piece, t, &event) != MS_OK ||
        ms_events_indicators(instance, piece, t, instance->state, events->r0) != 0)
        return MS_SOLVER_FAILED;
    if (sub->residual != NULL && make_consistent(instance, piece, t) != MS_OK)
        return MS_SOLVER_FAILED;
    ms_events_signs(events, sub->n_indicators, events->r0);
    events->last = t;
    events->handled = true;
    instance->work.events++;
    if (instance->monitor.event != NULL)
        instance->monitor.event(instance->monitor.self, t, &event);
    return MS_OK;
}

/* From event to event ------------------------------------------------------------------------------------ */

/* The first time event behind `from`, where a piece may start: what lies within round-off behind that was
 * handled at the end of the piece before, and the equations are taken from behind it. (Where next_time()
 * depends on z alone it says the same time again as long as that event was not handled.) NaN where there
 * is none that lies behind. */
static double next_time(ms_instance *instance, double from, bool starts)
{
    const double due = ms_subsystem_next_time(instance->system, instance->index, from, instance->z);
    if (!(due > from)) {
        instance->events->failure = "the next time event that it names does not lie ahead";
        return NAN;
    }
    if (!starts || !isfinite(due) || !ms_micro_tiny(from, due - from))
        return due;
    const double later = ms_subsystem_next_time(instance->system, instance->index, due, instance->z);
    if (!(later > due))
        return due;
    instance->events->earliest = due;
    return later;
}

/* Has an indicator changed its sign at t, with the input or because of another subsystem? Reads r0. */
static int look_at_start(ms_instance *instance, int piece, double t, bool *event)
{
    ms_events *events = instance->events;
    const int n = instance->sub->n_indicators;
    if (ms_events_indicators(instance, piece, t, instance->state, events->r0) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < n; k++)
        if (events->r0[k] == 0.0)
            events->r0[k] = events->indicator_sign[k] * DBL_MIN;
    *event = events->state = ms_events_compare(events, n, events->indicator_sign, events->r0);
    events->step = false;
    if (!*event)
        ms_events_signs(events, n, events->r0);
    return MS_OK;
}

/* Advances from events->from to the next event, at most to `end`. Afterwards events->from is the time
 * reached, and *event whether there was one. */
static int advance(ms_instance *instance, int piece, double end, bool *event)
{
    ms_events *events = instance->events;
    const double from = events->from;
    events->earliest = -INFINITY;
    events->latest = INFINITY;
    const double due = next_time(instance, from, events->starts), start = ms_events_time(events, from);
    if (isnan(due) || look_at_start(instance, piece, start, event) != MS_OK)
        return MS_SOLVER_FAILED;
    events->to = end;
    events->ends = true;
    if (*event)
        return handle(instance, piece, start, false);

    const bool timed = due <= end || (isfinite(due) && ms_micro_tiny(end, due - end));
    events->ends = !timed || due >= end || ms_micro_tiny(due, end - due);
    events->to = events->ends ? end : due;
    if (timed)
        events->latest = nextafter(due, from);
    events->after_discontinuity = true;
    const int status = instance->solver->advance(instance, piece, from, events->to - from, true);
    events->handled = false;
    if (status != MS_OK && status != MS_STOPPED)
        return status;
    if (status == MS_OK)
        events->state = events->step = false;

    events->latest = INFINITY;
    /* A micro-solver reaches from + (to - from), which is `to` but for round-off. */
    const bool whole = status == MS_OK || events->t >= events->to || events->t >= from + (events->to - from);
    const double reached = whole ? events->to : events->t;
    *event = status == MS_STOPPED || timed;
    const int handled =
        *event ? handle(instance, piece, timed && whole ? due : reached, timed && whole) : MS_OK;
    if (*event && handled == MS_OK)
        sample_again(instance, piece, reached);
    events->from = reached;
    events->starts = false;
    return handled;
}

int ms_events_advance(ms_instance *instance, int piece, double t, double h)
{
    ms_events *events = instance->events;
    const double end = t + h;
    bool event = true;
    int status = MS_OK;
    events->from = t;
    events->starts = true;
    while (event && events->from < end && status == MS_OK)
        status = advance(instance, piece, end, &event);
    events->earliest = -INFINITY;
    events->latest = INFINITY;
    return status;
}
