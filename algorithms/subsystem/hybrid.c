#include "hybrid.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "micro_step.h"

static int hybrid_allocate(ms_instance *instance)
{
    const ms_subsystem *sub = instance->sub;
    const size_t n = (size_t)sub->n_indicators, n_state = (size_t)instance->n_state, nz = (size_t)sub->nz;
    ms_hybrid *hybrid = calloc(1, sizeof *hybrid);
    instance->hybrid = hybrid;
    if (hybrid == NULL)
        return MS_NO_MEMORY;
    hybrid->crossed = calloc(n + 1, sizeof *hybrid->crossed);
    hybrid->r0 = calloc(4 * n + n_state + nz + 1, sizeof *hybrid->r0);
    hybrid->brent = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (hybrid->crossed == NULL || hybrid->r0 == NULL || hybrid->brent == NULL)
        return MS_NO_MEMORY;
    hybrid->r1 = hybrid->r0 + n;
    hybrid->r = hybrid->r1 + n;
    hybrid->root = hybrid->r + n;
    hybrid->x = hybrid->root + n;
    hybrid->z = hybrid->x + n_state;
    hybrid->side = instance->z + nz;
    hybrid->earliest = -INFINITY;
    hybrid->latest = INFINITY;
    return MS_OK;
}

int ms_hybrid_create(ms_instance *instance, ms_error *error)
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
    if (hybrid_allocate(instance) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the events of %s", sub->name);
    return MS_OK;
}

void ms_hybrid_destroy(ms_instance *instance)
{
    ms_hybrid *hybrid = instance->hybrid;
    if (hybrid == NULL)
        return;
    if (hybrid->brent != NULL)
        gsl_root_fsolver_free(hybrid->brent);
    free(hybrid->crossed);
    free(hybrid->r0);
    free(hybrid);
    instance->hybrid = NULL;
}

void ms_hybrid_start(ms_hybrid *hybrid)
{
    hybrid->n_events = 0;
    hybrid->failure = NULL;
}

/* Handling ----------------------------------------------------------------------------------------------- */

/* Samples at the time of an event are right limits: those that were taken at t are taken again. */
static void sample_again(ms_instance *instance, int piece, double t)
{
    const ms_hybrid *hybrid = instance->hybrid;
    const bool end = hybrid->ends && t >= hybrid->to;
    for (int k = 0; k < instance->n_samples; k++) {
        const bool here = end ? instance->sample_at[k] * instance->h == instance->input.end[piece]
                              : ms_instance_sample_time(instance, k) == t;
        if (here)
            memcpy(ms_micro_sample(instance, k), instance->state, sizeof(double) * (size_t)instance->n_state);
    }
}

/* The handler alone, for an event at t. */
static int call_handler(ms_instance *instance, int piece, double t, const ms_event *event)
{
    ms_hybrid *hybrid = instance->hybrid;
    const ms_subsystem *sub = instance->sub;
    ms_point at;
    memcpy(hybrid->x, instance->state, sizeof(double) * (size_t)sub->nx);
    memcpy(hybrid->z, instance->z, sizeof(double) * (size_t)sub->nz);
    int status = ms_hybrid_point(instance, piece, t, hybrid->x, &at);
    at.z = hybrid->z;
    if (status == 0)
        status = ms_subsystem_handle(instance->system, instance->index, &at, instance->w, event);
    if (status == 0 && ms_micro_finite(sub->nx, instance->state) && ms_micro_finite(sub->nz, instance->z))
        return MS_OK;
    hybrid->failure = "the handler of an event failed";
    return MS_SOLVER_FAILED;
}

/* Makes algebraic variables consistent with what the handler has left, as the micro-solver does where it
 * goes on, and r0 with them. An indicator of such a variable that has crossed zero may be taken back by the
 * micro-solver's error: as long as it is no farther back than here the same root is not met again
 * (ms_hybrid_indicators). */
static int make_consistent(ms_instance *instance, int piece, double t)
{
    ms_hybrid *hybrid = instance->hybrid;
    const int n = instance->sub->n_indicators;
    if (instance->solver->make_consistent(instance, piece, t, instance->h) != MS_OK) {
        hybrid->failure = "no consistent algebraic variables were found behind an event";
        return MS_SOLVER_FAILED;
    }
    if (ms_hybrid_indicators(instance, piece, t, instance->state, hybrid->r1) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < n; k++) {
        const bool back =
            hybrid->crossed[k] * hybrid->r0[k] > 0.0 && ms_hybrid_crossed(hybrid->r0[k], hybrid->r1[k]);
        hybrid->r0[k] = back ? hybrid->crossed[k] * DBL_MIN : hybrid->r1[k];
        if (back)
            hybrid->side[k] = hybrid->crossed[k] * (1.0 + 2.0 * fabs(hybrid->r1[k]));
    }
    return MS_OK;
}

/* The event that the micro-solver has reached; t differs by round-off from where it stands where it is a time
 * event at the end of a piece. */
static int handle(ms_instance *instance, int piece, double t, bool time)
{
    ms_hybrid *hybrid = instance->hybrid;
    const ms_subsystem *sub = instance->sub;
    const ms_event event = {.state = hybrid->state,
                            .crossed = hybrid->crossed,
                            .time = time,
                            .step = hybrid->step,
                            .x = instance->state,
                            .z = instance->z};
    if (sub->handle == NULL)
        return MS_OK;
    if (++hybrid->n_events > MS_HYBRID_EVENTS_MAX) {
        snprintf(hybrid->told, sizeof hybrid->told, "it has over %d events there (chattering)",
                 (int)MS_HYBRID_EVENTS_MAX);
        hybrid->failure = hybrid->told;
        return MS_SOLVER_FAILED;
    }
    if (!hybrid->state)
        memset(hybrid->crossed, 0, sizeof *hybrid->crossed * (size_t)sub->n_indicators);
    if (call_handler(instance, piece, t, &event) != MS_OK ||
        ms_hybrid_indicators(instance, piece, t, instance->state, hybrid->r0) != 0)
        return MS_SOLVER_FAILED;
    if (sub->residual != NULL && make_consistent(instance, piece, t) != MS_OK)
        return MS_SOLVER_FAILED;
    ms_hybrid_sides(hybrid, sub->n_indicators, hybrid->r0);
    hybrid->last = t;
    hybrid->handled = true;
    instance->work.events++;
    if (instance->watch.event != NULL)
        instance->watch.event(instance->watch.self, t, &event);
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
        instance->hybrid->failure = "the next time event that it names does not lie ahead";
        return NAN;
    }
    if (!starts || !isfinite(due) || !ms_micro_tiny(from, due - from))
        return due;
    const double later = ms_subsystem_next_time(instance->system, instance->index, due, instance->z);
    if (!(later > due))
        return due;
    instance->hybrid->earliest = due;
    return later;
}

/* Has an indicator changed its sign at t, with the input or because of another subsystem? Reads r0. */
static int look_at_start(ms_instance *instance, int piece, double t, bool *event)
{
    ms_hybrid *hybrid = instance->hybrid;
    const int n = instance->sub->n_indicators;
    if (ms_hybrid_indicators(instance, piece, t, instance->state, hybrid->r0) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < n; k++)
        if (hybrid->r0[k] == 0.0)
            hybrid->r0[k] = hybrid->side[k] * DBL_MIN;
    *event = hybrid->state = ms_hybrid_compare(hybrid, n, hybrid->side, hybrid->r0);
    hybrid->step = false;
    if (!*event)
        ms_hybrid_sides(hybrid, n, hybrid->r0);
    return MS_OK;
}

/* Advances from hybrid->from to the next event, at most to `end`. Afterwards hybrid->from is the time
 * reached, and *event whether there was one. */
static int advance(ms_instance *instance, int piece, double end, bool *event)
{
    ms_hybrid *hybrid = instance->hybrid;
    const double from = hybrid->from;
    hybrid->earliest = -INFINITY;
    hybrid->latest = INFINITY;
    const double due = next_time(instance, from, hybrid->starts), start = ms_hybrid_time(hybrid, from);
    if (isnan(due) || look_at_start(instance, piece, start, event) != MS_OK)
        return MS_SOLVER_FAILED;
    hybrid->to = end;
    hybrid->ends = true;
    if (*event)
        return handle(instance, piece, start, false);

    const bool timed = due <= end || (isfinite(due) && ms_micro_tiny(end, due - end));
    hybrid->ends = !timed || due >= end || ms_micro_tiny(due, end - due);
    hybrid->to = hybrid->ends ? end : due;
    if (timed)
        hybrid->latest = nextafter(due, from);
    hybrid->fresh = true;
    const int status = instance->solver->advance(instance, piece, from, hybrid->to - from, true);
    hybrid->handled = false;
    if (status != MS_OK && status != MS_STOPPED)
        return status;
    if (status == MS_OK)
        hybrid->state = hybrid->step = false;

    hybrid->latest = INFINITY;
    /* A micro-solver reaches from + (to - from), which is `to` but for round-off. */
    const bool whole = status == MS_OK || hybrid->t >= hybrid->to || hybrid->t >= from + (hybrid->to - from);
    const double reached = whole ? hybrid->to : hybrid->t;
    *event = status == MS_STOPPED || timed;
    const int handled =
        *event ? handle(instance, piece, timed && whole ? due : reached, timed && whole) : MS_OK;
    if (*event && handled == MS_OK)
        sample_again(instance, piece, reached);
    hybrid->from = reached;
    hybrid->starts = false;
    return handled;
}

int ms_hybrid_advance(ms_instance *instance, int piece, double t, double h)
{
    ms_hybrid *hybrid = instance->hybrid;
    const double end = t + h;
    bool event = true;
    int status = MS_OK;
    hybrid->from = t;
    hybrid->starts = true;
    while (event && hybrid->from < end && status == MS_OK)
        status = advance(instance, piece, end, &event);
    hybrid->earliest = -INFINITY;
    hybrid->latest = INFINITY;
    return status;
}
