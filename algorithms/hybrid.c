#include "hybrid.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MAX = 200 };

int ms_hybrid_create(ms_instance *instance, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    const bool breakpoints = sub->n_indicators == 0 && sub->handle == NULL;
    if (!ms_subsystem_has_events(sub) || (breakpoints && instance->solver->linear_only))
        return MS_OK;
    if (!instance->solver->events)
        return ms_fail(error, MS_UNSUPPORTED,
                       "solver %s does not stop at events and %s has some; cvode-bdf or another solver fits",
                       instance->solver->name, sub->name);
    gsl_set_error_handler_off();
    const size_t n = (size_t)sub->n_indicators, nx = (size_t)sub->nx, nz = (size_t)sub->nz;
    ms_hybrid *hybrid = calloc(1, sizeof *hybrid);
    instance->hybrid = hybrid;
    if (hybrid != NULL) {
        hybrid->crossed = calloc(n + 1, sizeof *hybrid->crossed);
        hybrid->r0 = calloc(3 * n + nx + nz + 1, sizeof *hybrid->r0);
        hybrid->root = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    }
    if (hybrid == NULL || hybrid->crossed == NULL || hybrid->r0 == NULL || hybrid->root == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the events of %s", sub->name);
    hybrid->r1 = hybrid->r0 + n;
    hybrid->r = hybrid->r1 + n;
    hybrid->x = hybrid->r + n;
    hybrid->z = hybrid->x + nx;
    return MS_OK;
}

void ms_hybrid_destroy(ms_instance *instance)
{
    ms_hybrid *hybrid = instance->hybrid;
    if (hybrid == NULL)
        return;
    if (hybrid->root != NULL)
        gsl_root_fsolver_free(hybrid->root);
    free(hybrid->crossed);
    free(hybrid->r0);
    free(hybrid);
    instance->hybrid = NULL;
}

/* Finding events ----------------------------------------------------------------------------------------- */

/* The point (t, x) under a piece of the input. Returns what g returns. */
static int point(ms_instance *instance, int piece, double t, const double *x, ms_point *at)
{
    *at = (ms_point){.t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z};
    return ms_instance_inputs(instance, piece, t, x, instance->u);
}

/* Event indicators r at (t, x). Returns 0 where they are defined and finite. */
static int indicators(ms_instance *instance, int piece, double t, const double *x, double *r)
{
    ms_point at;
    if (instance->sub->n_indicators == 0)
        return 0;
    int status = point(instance, piece, t, x, &at);
    if (status == 0)
        status = ms_subsystem_indicators(instance->system, instance->index, &at, instance->w, r);
    return status == 0 && ms_micro_finite(instance->sub->n_indicators, r) ? 0 : 1;
}

static bool has_crossed(double before, double after)
{
    return (before < 0.0 && after >= 0.0) || (before > 0.0 && after <= 0.0);
}

/* One indicator as a function of time on the dense output of a micro-step. */
typedef struct search {
    ms_instance *instance;
    int piece, k;
    ms_micro_dense *dense;
    void *solver;
    double to; /* the end of the micro-step, ... */
    double r1; /* ... and the indicator there */
} search;

static double indicator_at(double t, void *parameter)
{
    const search *s = parameter;
    ms_hybrid *hybrid = s->instance->hybrid;
    if (t >= s->to)
        return s->r1;
    if (s->dense(s->solver, t, hybrid->x) != 0 ||
        indicators(s->instance, s->piece, t, hybrid->x, hybrid->r) != 0)
        return NAN;
    return hybrid->r[s->k];
}

/* The upper end of a bracket of a few units in the last place of a root in [from, to], where the indicator is
 * r0 and r1 of opposite signs. NaN where it is not defined between. */
static double locate(search *s, double from, double r0)
{
    gsl_root_fsolver *root = s->instance->hybrid->root;
    gsl_function f = {.function = indicator_at, .params = s};
    const double begin = indicator_at(from, s); /* where dense output differs by round-off */
    if (!isfinite(begin))
        return NAN;
    if (s->r1 == 0.0 || !has_crossed(begin, s->r1))
        return begin * r0 > 0.0 ? s->to : from;
    if (gsl_root_fsolver_set(root, &f, from, s->to) != GSL_SUCCESS)
        return NAN;
    double upper = s->to;
    for (int n = 0; n < ITERATIONS_MAX; n++) {
        if (gsl_root_fsolver_iterate(root) != GSL_SUCCESS)
            return NAN;
        const double lower = gsl_root_fsolver_x_lower(root);
        upper = gsl_root_fsolver_x_upper(root);
        if (upper - lower <= 4.0 * DBL_EPSILON * fmax(fabs(lower), fabs(upper)))
            break;
    }
    return upper;
}

/* The first time in (from, *to] at which an indicator has changed its sign goes to *to. */
static int locate_first(ms_instance *instance, int piece, double from, double *to, ms_micro_dense *dense,
                        void *solver)
{
    ms_hybrid *hybrid = instance->hybrid;
    double first = *to;
    for (int k = 0; k < instance->sub->n_indicators; k++) {
        search s = {instance, piece, k, dense, solver, .to = *to, .r1 = hybrid->r1[k]};
        if (!has_crossed(hybrid->r0[k], hybrid->r1[k]))
            continue;
        const double t = locate(&s, from, hybrid->r0[k]);
        if (isnan(t))
            return MS_SOLVER_FAILED;
        first = fmin(first, t);
    }
    if (first < *to) {
        if (dense(solver, first, instance->state) != 0 ||
            indicators(instance, piece, first, instance->state, hybrid->r1) != 0)
            return MS_SOLVER_FAILED;
        *to = first;
    }
    return MS_OK;
}

/* Notes in `crossed` who has changed its sign. Returns whether anyone has. */
static bool compare(ms_hybrid *hybrid, int n)
{
    bool any = false;
    for (int k = 0; k < n; k++) {
        const bool crossed = has_crossed(hybrid->r0[k], hybrid->r1[k]);
        hybrid->crossed[k] = !crossed ? 0 : hybrid->r0[k] < 0.0 ? 1 : -1;
        any |= crossed;
    }
    return any;
}

int ms_hybrid_look(ms_instance *instance, int piece, double from, double *to, ms_micro_dense *dense,
                   void *solver)
{
    ms_hybrid *hybrid = instance->hybrid;
    const ms_subsystem *sub = instance->sub;
    const int n = sub->n_indicators;
    ms_point at;
    if (indicators(instance, piece, *to, instance->state, hybrid->r1) != 0)
        return MS_SOLVER_FAILED;
    hybrid->state = compare(hybrid, n);
    hybrid->step = false;
    if (hybrid->state) {
        if (locate_first(instance, piece, from, to, dense, solver) != MS_OK)
            return MS_SOLVER_FAILED;
        compare(hybrid, n);
    } else if (sub->step_event != NULL) {
        if (point(instance, piece, *to, instance->state, &at) != 0)
            return MS_SOLVER_FAILED;
        at.p = instance->system->p;
        at.data = sub->data;
        at.w = instance->w;
        hybrid->step = sub->step_event(&at);
    }
    hybrid->t = *to;
    memcpy(hybrid->r0, hybrid->r1, sizeof(double) * (size_t)n);
    return hybrid->state || hybrid->step ? MS_STOPPED : MS_OK;
}

/* From event to event ------------------------------------------------------------------------------------ */

/* Calls the handler at t. */
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
    ms_point at;
    memcpy(hybrid->x, instance->state, sizeof(double) * (size_t)sub->nx);
    memcpy(hybrid->z, instance->z, sizeof(double) * (size_t)sub->nz);
    if (sub->handle == NULL)
        return MS_OK;
    if (++hybrid->n_events > MS_HYBRID_EVENTS_MAX)
        return MS_SOLVER_FAILED;
    int status = point(instance, piece, t, hybrid->x, &at);
    at.z = hybrid->z;
    if (status == 0)
        status = ms_subsystem_handle(instance->system, instance->index, &at, instance->w, &event);
    if (status != 0 || !ms_micro_finite(sub->nx, instance->state))
        return MS_SOLVER_FAILED;
    hybrid->last = t;
    instance->work.events++;
    if (instance->watch.event != NULL)
        instance->watch.event(instance->watch.self, t, &event);
    return MS_OK;
}

/* Advances from `from` to the next event, at most to `end`. Afterwards *reached is the time, and *event
 * whether there is one. */
static int advance(ms_instance *instance, int piece, double from, double end, double *reached, bool *event)
{
    ms_hybrid *hybrid = instance->hybrid;
    const double due = ms_subsystem_next_time(instance->system, instance->index, from, instance->z);
    const bool timed = due <= end;
    const double to = timed ? due : end;
    if (!(due > from) || indicators(instance, piece, from, instance->state, hybrid->r0) != 0)
        return MS_SOLVER_FAILED;
    hybrid->state = hybrid->step = false;
    const int status = instance->solver->advance(instance, piece, from, to - from, true);
    if (status != MS_OK && status != MS_STOPPED)
        return status;
    *reached = status == MS_STOPPED ? hybrid->t : to;
    *event = status == MS_STOPPED || timed;
    return *event ? handle(instance, piece, *reached, timed && *reached >= due) : MS_OK;
}

int ms_hybrid_advance(ms_instance *instance, int piece, double t, double h)
{
    ms_hybrid *hybrid = instance->hybrid;
    const double end = t + h;
    int status = MS_OK;
    for (double from = t, to = end; from < end && status == MS_OK; from = to) {
        bool event = false;
        hybrid->resumed = from > t ? from - instance->t : 0.0;
        status = advance(instance, piece, from, end, &to, &event);
        if (status == MS_OK && !event)
            break;
    }
    return status;
}
