/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_detection.c - state events within one micro-step: which indicator changes its sign first, and when. */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <string.h>

#include "event_parts.h"
#include "events.h"
#include "micro_step.h"

enum { ITERATIONS_MAX = 200, CLOSE_EVALUATIONS = 9, WATCHES_MAX = 10 };

/* If an indicator at the start of a micro-step after a discontinuity is below this fraction of its value at the
 * end, its sign may change just after the start, truly or by round-off of the dense output. */
static const double NEAR_ZERO = 1e-6;

/* Sorts the crossed functions by cause. */
static bool note_causes(ms_events *events)
{
    events->state = events->switched = false;
    for (int k = 0; k < events->n; k++)
        if (events->crossed[k] != 0)
            *(k < events->first_side ? &events->state : &events->switched) = true;
    return events->state || events->switched;
}

bool ms_events_compare(ms_events *events, const double *before, const double *after)
{
    for (int k = 0; k < events->n; k++) {
        const bool crossed = ms_events_crossed(before[k], after[k]);
        events->crossed[k] = !crossed ? 0 : before[k] < 0.0 ? 1 : -1;
    }
    return note_causes(events);
}

void ms_events_signs(ms_events *events, double *r)
{
    for (int k = 0; k < events->n; k++) {
        if (ms_switch_sides_released(events, k)) {
            events->indicator_sign[k] = 0.0;
            continue;
        }
        if (fabs(r[k]) > DBL_MIN)
            events->indicator_sign[k] = r[k] > 0.0 ? 1.0 : -1.0;
        else if (r[k] * events->indicator_sign[k] > 0.0)
            continue;
        else if (events->crossed[k] != 0)
            events->indicator_sign[k] = events->crossed[k];
        if (r[k] == 0.0)
            r[k] = events->indicator_sign[k] * DBL_MIN;
    }
}

/* One indicator as a function of time on the dense output of a micro-step, which differs by round-off from
 * the states at its ends: at the ends of the bracket the values are given. */
typedef struct search {
    const ms_micro_span *in;
    ms_events *events;
    int k;
    double from, to; /* the bracket, ... */
    double r0, r1;   /* ... and the indicator there, of opposite signs */
} search;

static double indicator_at(double t, void *parameter)
{
    const search *s = parameter;
    if (t <= s->from)
        return s->r0;
    if (t >= s->to)
        return s->r1;
    return ms_events_evaluate(s->in, t) == 0 ? s->events->r[s->k] : NAN;
}

/* The upper end of a bracket of a few units in the last place around the root. NaN: the indicator is not
 * defined in between. */
static double locate(search *s)
{
    gsl_root_fsolver *brent = s->events->brent;
    gsl_function f = {.function = indicator_at, .params = s};
    /* Brent's method would stop at once; time does not resolve the step */
    if (s->r1 == 0.0 || s->from >= s->to)
        return s->to;
    if (gsl_root_fsolver_set(brent, &f, s->from, s->to) != GSL_SUCCESS)
        return NAN;
    const double resolution = 4.0 * DBL_EPSILON * fmax(fabs(s->from), fabs(s->to));
    double upper = s->to;
    for (int n = 0; n < ITERATIONS_MAX; n++) {
        if (gsl_root_fsolver_iterate(brent) != GSL_SUCCESS)
            return NAN;
        upper = gsl_root_fsolver_x_upper(brent);
        if (upper - gsl_root_fsolver_x_lower(brent) <= resolution)
            break;
    }
    return upper;
}

/* Tries the fractions 1e-9, 1e-8 .. 0.1 of the micro-step for the first change of sign, which becomes the
 * bracket. If it may be round-off, the next fractions must confirm it. Returns 1: found, 0: none, -1: the
 * indicator is not defined. */
static int find_near_start(search *s)
{
    const double from = s->from, length = s->to - s->from, end = s->to, r_end = s->r1;
    search doubtful = {.in = NULL};
    double fraction = 1e-9;
    for (int n = 0; n <= CLOSE_EVALUATIONS; n++, fraction *= 10.0) {
        const double t = n < CLOSE_EVALUATIONS ? from + fraction * length : end;
        if (t <= s->from)
            continue;
        if (n < CLOSE_EVALUATIONS && ms_events_evaluate(s->in, t) != 0)
            return -1;
        s->to = t;
        s->r1 = n < CLOSE_EVALUATIONS ? s->events->r[s->k] : r_end;
        if (s->r1 == 0.0 && fabs(s->r0) <= DBL_MIN)
            continue; /* it is still at zero */
        if (!ms_events_crossed(s->r0, s->r1)) {
            doubtful.in = NULL;
            s->from = t;
            s->r0 = s->r1;
            continue;
        }
        if (doubtful.in == NULL)
            doubtful = *s;
        if (ms_events_is_more(s->in, s->k, t, s->r1)) {
            *s = doubtful;
            return 1;
        }
    }
    return 0;
}

/* The time at which indicator k first changes its sign; INFINITY: never; NaN: it is not defined. If it started
 * at zero, events->r0 becomes an earlier value; if it is still zero up to round-off, it keeps its side. */
static double first_root(search *s)
{
    ms_events *events = s->events;
    s->r0 = events->r0[s->k];
    s->r1 = events->r1[s->k];
    if (events->after_discontinuity && s->r1 != 0.0 && fabs(s->r0) <= NEAR_ZERO * fabs(s->r1)) {
        const int found = find_near_start(s);
        if (found > 0)
            events->r0[s->k] = s->r0;
        else if (found == 0 && ms_events_crossed(events->r0[s->k], events->r1[s->k]))
            events->r1[s->k] = copysign(DBL_MIN, events->r0[s->k]);
        return found > 0 ? locate(s) : found == 0 ? INFINITY : NAN;
    }
    return ms_events_crossed(s->r0, s->r1) ? locate(s) : INFINITY;
}

/* The time of the first event in (from, to], including those within round-off of it; INFINITY: none,
 * NaN: an indicator is not defined. The indicators are r_start at `from` and r1 at `to`. */
static double first_event(const ms_micro_span *in, double from, double to)
{
    ms_events *events = in->instance->events;
    const int n = in->instance->events->n;
    double first = INFINITY;
    memcpy(events->r0, events->r_start, sizeof(double) * (size_t)n);
    for (int k = 0; k < n; k++) {
        search s = {in, events, k, .from = from, .to = to};
        events->root[k] = first_root(&s);
        if (isnan(events->root[k]))
            return NAN;
        first = fmin(first, events->root[k]);
    }
    double together = first;
    for (int k = 0; k < n; k++)
        if (isfinite(events->root[k]) && ms_micro_tiny(first, events->root[k] - first))
            together = fmax(together, events->root[k]);
    return together;
}

/* Indicators at the end `to` of the watched span: those that change their sign there count as still on their previous side.
 * Returns whether they are defined. */
static bool read_watch_end(const ms_micro_span *in, double to, double end)
{
    ms_events *events = in->instance->events;
    const double *r = events->r1;
    if (to < end) {
        if (ms_events_evaluate(in, to) != 0)
            return false;
        r = events->r;
    }
    for (int k = 0; k < in->instance->events->n; k++)
        events->r_end[k] =
            ms_events_crossed(events->r_start[k], r[k]) ? copysign(DBL_MIN, events->r_start[k]) : r[k];
    return true;
}

/* Stores the indicators at the end of the micro-step in r1; one that stays at zero keeps its side. */
static int read_end(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    const double time = ms_events_time(events, t);
    if (ms_events_indicators(instance, piece, time, instance->state, events->r1) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < instance->events->n; k++)
        if (events->r1[k] == 0.0 && fabs(events->r_start[k]) <= DBL_MIN)
            events->r1[k] = events->r_start[k];
    return MS_OK;
}

/* The first event in the micro-step judged by its ends; INFINITY: none, NaN: an indicator is not defined. */
static double seen_from_ends(const ms_micro_span *in, double from, double to)
{
    return read_end(in->instance, in->piece, to) == MS_OK ? first_event(in, from, to) : NAN;
}

/* Given the first event judged by the ends of the micro-step, at t (INFINITY: none): is there an earlier one, of a pair?
 * If an indicator is not defined in between, none is found. Returns the time of the first event. */
static double watch(const ms_micro_span *in, double from, double end, double t)
{
    ms_events *events = in->instance->events;
    const char *const failure = events->failure;
    for (int n = 0; n < WATCHES_MAX; n++) {
        const double to = fmin(t, end);
        const double between = read_watch_end(in, to, end) ? ms_events_watch(in, from, to) : INFINITY;
        if (!isfinite(between) || ms_events_evaluate(in, between) != 0)
            break;
        memcpy(events->r1, events->r, sizeof(double) * (size_t)in->instance->events->n);
        const double first = first_event(in, from, between);
        if (!(first < to))
            return seen_from_ends(in, from, end);
        t = first;
    }
    events->failure = failure;
    return t;
}

/* The state at an event at t inside the micro-step, and the functions that have crossed, at least one. */
static int stop_at(const ms_micro_span *in, double t)
{
    ms_instance *instance = in->instance;
    ms_events *events = instance->events;
    const double time = ms_events_time(events, t);
    if (in->dense(in->solver, t, instance->state) != 0 ||
        ms_events_indicators(instance, in->piece, time, instance->state, events->r1) != 0)
        return MS_SOLVER_FAILED;
    if (ms_events_compare(events, events->r0, events->r1))
        return MS_OK;
    for (int k = 0; k < events->n; k++) /* the dense output is not reproducible to the last bit */
        if (events->root[k] <= t)
            events->crossed[k] = events->r0[k] < 0.0 ? 1 : -1;
    note_causes(events);
    return MS_OK;
}

/* Switches watched again from the end of the micro-step, t, on. */
static int wake(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    if (!ms_switch_sides_count(events, t))
        return MS_OK;
    if (ms_events_indicators(instance, piece, ms_events_time(events, t), instance->state, events->r) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < events->n_sides; k++)
        if (events->woken[k])
            events->r0[events->first_side + k] = events->r[events->first_side + k];
    return MS_OK;
}

/* State events: lowers *to to the first one. */
static int detect_state_events(const ms_micro_span *in, double from, double *to)
{
    ms_instance *instance = in->instance;
    ms_events *events = instance->events;
    const int n = events->n;
    memcpy(events->r_start, events->r0, sizeof(double) * (size_t)n);
    events->attempted = *to - from;
    double t = seen_from_ends(in, from, *to);
    if (!isnan(t))
        t = watch(in, from, *to, t);
    events->after_discontinuity = false;
    if (isnan(t))
        return MS_SOLVER_FAILED;
    if (t < *to) {
        *to = t;
        if (stop_at(in, t) != MS_OK)
            return MS_SOLVER_FAILED;
    } else {
        ms_events_compare(events, events->r0, events->r1);
    }
    memcpy(events->r0, events->r1, sizeof(double) * (size_t)n);
    if (wake(instance, in->piece, *to) != MS_OK)
        return MS_SOLVER_FAILED;
    ms_events_signs(events, events->r0);
    ms_switch_sides_take_others(events);
    return MS_OK;
}

static int detect_step_event(ms_instance *instance, int piece, double t)
{
    ms_point at;
    if (instance->sub->step_event == NULL)
        return MS_OK;
    if (ms_micro_point(instance, piece, t, instance->state, &at) != 0)
        return MS_SOLVER_FAILED;
    instance->events->step = ms_subsystem_step_event(instance->system, instance->index, &at, instance->w);
    return MS_OK;
}

int ms_events_detect(ms_instance *instance, int piece, double from, double *to, ms_micro_dense *dense,
                     void *solver)
{
    ms_events *events = instance->events;
    int status = MS_OK;
    events->state = events->switched = events->step = false;
    if (events->n > 0)
        status = detect_state_events(&(ms_micro_span){instance, piece, dense, solver, from}, from, to);
    MS_THEN(status, detect_step_event(instance, piece, *to));
    events->t = *to;
    if (status != MS_OK)
        return status;
    return events->state || events->switched || events->step ? MS_STOPPED : MS_OK;
}
