/* hybrid_look.c - state events within one micro-step: who has changed its sign first, and when. */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <string.h>

#include "hybrid.h"
#include "micro_step.h"

enum { ITERATIONS_MAX = 200, CLOSE_LOOKS = 9 };

/* An indicator whose value at the start of a fresh micro-step is below this part of that at its end may
 * change its sign close behind the start, in truth or by round-off of the dense output. */
static const double NEAR_ZERO = 1e-6;

int ms_hybrid_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at)
{
    *at = (ms_point){.t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z};
    return ms_instance_inputs(instance, piece, t, x, instance->u);
}

/* r, or the smallest number of its side where the side holds it. */
static double hold(double side, double r)
{
    const double far = fabs(side) - 1.0;
    return far > 0.0 && r * side <= 0.0 && fabs(r) <= far ? copysign(DBL_MIN, side) : r;
}

int ms_hybrid_indicators(ms_instance *instance, int piece, double t, const double *x, double *r)
{
    ms_point at;
    if (instance->sub->n_indicators == 0)
        return 0;
    int status = ms_hybrid_point(instance, piece, t, x, &at);
    if (status == 0)
        status = ms_subsystem_indicators(instance->system, instance->index, &at, instance->w, r);
    if (status != 0 || !ms_micro_finite(instance->sub->n_indicators, r)) {
        instance->hybrid->failure = "an event indicator is not defined or not finite";
        return 1;
    }
    for (int k = 0; k < instance->sub->n_indicators; k++)
        r[k] = hold(instance->hybrid->side[k], r[k]);
    return 0;
}

bool ms_hybrid_compare(ms_hybrid *hybrid, int n, const double *before, const double *after)
{
    bool any = false;
    for (int k = 0; k < n; k++) {
        const bool crossed = ms_hybrid_crossed(before[k], after[k]);
        hybrid->crossed[k] = !crossed ? 0 : before[k] < 0.0 ? 1 : -1;
        any |= crossed;
    }
    return any;
}

void ms_hybrid_sides(ms_hybrid *hybrid, int n, double *r)
{
    for (int k = 0; k < n; k++) {
        if (fabs(r[k]) > DBL_MIN)
            hybrid->side[k] = r[k] > 0.0 ? 1.0 : -1.0;
        else if (r[k] * hybrid->side[k] > 0.0)
            continue;
        else if (hybrid->crossed[k] != 0)
            hybrid->side[k] = hybrid->crossed[k];
        if (r[k] == 0.0)
            r[k] = hybrid->side[k] * DBL_MIN;
    }
}

/* One indicator as a function of time on the dense output of a micro-step, which differs by round-off from
 * the states at both ends of it: at the ends of the bracket the values are given. */
typedef struct search {
    ms_instance *instance;
    int piece, k;
    ms_micro_dense *dense;
    void *solver;
    double from, to; /* the bracket, ... */
    double r0, r1;   /* ... and the indicator there, of opposite signs */
} search;

/* All indicators on the dense output go to hybrid->r. */
static int look_inside(const search *s, double t)
{
    ms_hybrid *hybrid = s->instance->hybrid;
    return s->dense(s->solver, t, hybrid->x) != 0 ||
           ms_hybrid_indicators(s->instance, s->piece, ms_hybrid_time(hybrid, t), hybrid->x, hybrid->r) != 0;
}

static double indicator_at(double t, void *parameter)
{
    const search *s = parameter;
    if (t <= s->from)
        return s->r0;
    if (t >= s->to)
        return s->r1;
    return look_inside(s, t) == 0 ? s->instance->hybrid->r[s->k] : NAN;
}

/* The upper end of a bracket of a few units in the last place around the root. NaN where the indicator is not
 * defined between. */
static double locate(search *s)
{
    gsl_root_fsolver *brent = s->instance->hybrid->brent;
    gsl_function f = {.function = indicator_at, .params = s};
    if (s->r1 == 0.0 || s->from >= s->to) /* Brent would stop there at once; time does not resolve the step */
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

/* Looks at fractions 1e-9, 1e-8 .. 0.1 of the micro-step for the first change of sign: it becomes the
 * bracket. Returns 1: there is one, 0: none, -1: the indicator is not defined. */
static int look_closely(search *s)
{
    const double from = s->from, length = s->to - s->from, end = s->to, r_end = s->r1;
    double fraction = 1e-9;
    for (int n = 0; n <= CLOSE_LOOKS; n++, fraction *= 10.0) {
        const double t = n < CLOSE_LOOKS ? from + fraction * length : end;
        if (t <= s->from)
            continue;
        if (n < CLOSE_LOOKS && look_inside(s, t) != 0)
            return -1;
        s->to = t;
        s->r1 = n < CLOSE_LOOKS ? s->instance->hybrid->r[s->k] : r_end;
        if (s->r1 == 0.0 && fabs(s->r0) <= DBL_MIN)
            continue; /* it has not left zero */
        if (ms_hybrid_crossed(s->r0, s->r1))
            return 1;
        s->from = t;
        s->r0 = s->r1;
    }
    return 0;
}

/* When indicator k changes its sign first; INFINITY: it does not; NaN: it is not defined. Where it started
 * at zero, hybrid->r0 becomes a value from before. */
static double first_root(search *s)
{
    const ms_hybrid *hybrid = s->instance->hybrid;
    s->r0 = hybrid->r0[s->k];
    s->r1 = hybrid->r1[s->k];
    if (hybrid->fresh && s->r1 != 0.0 && fabs(s->r0) <= NEAR_ZERO * fabs(s->r1)) {
        const int found = look_closely(s);
        if (found > 0)
            hybrid->r0[s->k] = s->r0;
        return found > 0 ? locate(s) : found == 0 ? INFINITY : NAN;
    }
    return ms_hybrid_crossed(s->r0, s->r1) ? locate(s) : INFINITY;
}

/* The time of the first event in (from, to], those within round-off of it included: INFINITY where there is
 * none, NaN where an indicator is not defined. */
static double first_event(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                          void *solver)
{
    const ms_hybrid *hybrid = instance->hybrid;
    const int n = instance->sub->n_indicators;
    double first = INFINITY;
    for (int k = 0; k < n; k++) {
        search s = {instance, piece, k, dense, solver, .from = from, .to = to};
        hybrid->root[k] = first_root(&s);
        if (isnan(hybrid->root[k]))
            return NAN;
        first = fmin(first, hybrid->root[k]);
    }
    double together = first;
    for (int k = 0; k < n; k++)
        if (isfinite(hybrid->root[k]) && ms_micro_tiny(first, hybrid->root[k] - first))
            together = fmax(together, hybrid->root[k]);
    return together;
}

/* Indicators at the end of the micro-step go to r1; one that stays at zero stays on its side. */
static int read_end(ms_instance *instance, int piece, double t)
{
    ms_hybrid *hybrid = instance->hybrid;
    const double time = ms_hybrid_time(hybrid, t);
    if (ms_hybrid_indicators(instance, piece, time, instance->state, hybrid->r1) != 0)
        return MS_SOLVER_FAILED;
    for (int k = 0; k < instance->sub->n_indicators; k++)
        if (hybrid->r1[k] == 0.0 && fabs(hybrid->r0[k]) <= DBL_MIN)
            hybrid->r1[k] = hybrid->r0[k];
    return MS_OK;
}

/* The state at an event at t, inside the micro-step: who has crossed? At least one has. */
static int stop_at(ms_instance *instance, int piece, double t, ms_micro_dense *dense, void *solver)
{
    ms_hybrid *hybrid = instance->hybrid;
    const int n = instance->sub->n_indicators;
    const double time = ms_hybrid_time(hybrid, t);
    if (dense(solver, t, instance->state) != 0 ||
        ms_hybrid_indicators(instance, piece, time, instance->state, hybrid->r1) != 0)
        return MS_SOLVER_FAILED;
    if (ms_hybrid_compare(hybrid, n, hybrid->r0, hybrid->r1))
        return MS_OK;
    for (int k = 0; k < n; k++) /* the solution does not repeat itself to the last bit */
        if (hybrid->root[k] <= t)
            hybrid->crossed[k] = hybrid->r0[k] < 0.0 ? 1 : -1;
    return MS_OK;
}

/* State events: lowers *to to the first one. */
static int look_at_states(ms_instance *instance, int piece, double from, double *to, ms_micro_dense *dense,
                          void *solver)
{
    ms_hybrid *hybrid = instance->hybrid;
    const int n = instance->sub->n_indicators;
    if (read_end(instance, piece, *to) != MS_OK)
        return MS_SOLVER_FAILED;
    const double t = first_event(instance, piece, from, *to, dense, solver);
    hybrid->fresh = false;
    if (isnan(t))
        return MS_SOLVER_FAILED;
    hybrid->state = t <= *to;
    if (t < *to) {
        *to = t;
        if (stop_at(instance, piece, t, dense, solver) != MS_OK)
            return MS_SOLVER_FAILED;
    } else {
        ms_hybrid_compare(hybrid, n, hybrid->r0, hybrid->r1);
    }
    memcpy(hybrid->r0, hybrid->r1, sizeof(double) * (size_t)n);
    ms_hybrid_sides(hybrid, n, hybrid->r0);
    return MS_OK;
}

static int look_at_step(ms_instance *instance, int piece, double t)
{
    ms_point at;
    if (instance->sub->step_event == NULL)
        return MS_OK;
    if (ms_hybrid_point(instance, piece, t, instance->state, &at) != 0)
        return MS_SOLVER_FAILED;
    instance->hybrid->step = ms_subsystem_step_event(instance->system, instance->index, &at, instance->w);
    return MS_OK;
}

int ms_hybrid_look(ms_instance *instance, int piece, double from, double *to, ms_micro_dense *dense,
                   void *solver)
{
    ms_hybrid *hybrid = instance->hybrid;
    int status = MS_OK;
    hybrid->state = hybrid->step = false;
    if (instance->sub->n_indicators > 0)
        status = look_at_states(instance, piece, from, to, dense, solver);
    if (status == MS_OK)
        status = look_at_step(instance, piece, *to);
    hybrid->t = *to;
    if (status != MS_OK)
        return status;
    return hybrid->state || hybrid->step ? MS_STOPPED : MS_OK;
}
