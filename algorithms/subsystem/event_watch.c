/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_watch.c - events that come in pairs: an indicator that passes zero and comes back within one micro-step has the same sign at
 * both ends of it.
 *
 * A panel is five points in time, with v = s r for each indicator r, s its sign at the start: v >= 0 at both ends. If v stays far
 * from zero compared with its variation, there is no root. If the cubic through four of the points misses the fifth, the panel is
 * too coarse and each of its parts becomes a panel, down to a few levels. A point below its neighbours, or an end from which v
 * falls, encloses a minimum, which Brent's method follows until v is negative, or until no convex function through the bracket can
 * reach zero. The points are unevenly spaced, so that no oscillation is sampled at constant phase.
 *
 * Source: Brent, Algorithms for Minimization without Derivatives (1973), ch. 5. */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

#include "event_parts.h"
#include "micro_step.h"

enum { POINTS = 5, INSIDE = POINTS - 2, LEVELS = 4, ITERATIONS_MAX = 60, MIDDLE = 2 };

static const double fraction[POINTS] = {0.0, 0.24, 0.53, 0.77, 1.0};

/* v at the middle minus the cubic through the other points. */
static const double misfit[POINTS] = {0.177012987012987, -0.6184210526315789, 1.0, -0.7696216826651611,
                                      0.21102974828375287};

/* A misfit above this fraction of the variation of v is too coarse; a misfit explained by round-off of r does not
 * count. */
static const double COARSE = 0.05, NOISE = 100.0;

/* At this distance from an end of a panel v shows whether it falls or rises there. */
static const double CLOSE = 1e-4;

/* Relative perturbation of states and time that measures the effect of their round-off on r. */
static const double CHANGE = 1e-8;

typedef struct panel {
    double t[POINTS];
    double *v[POINTS]; /* (n) each */
} panel;

_Static_assert(2 + LEVELS * INSIDE == MS_EVENTS_WATCHED,
               "the ends, and the points inside of a panel of each level");

/* The sign of indicator k at the start; 0: zero. */
static double side(const ms_events *events, int k)
{
    return events->r_start[k] < 0.0 ? -1.0 : events->r_start[k] > 0.0;
}

int ms_events_evaluate(const ms_micro_span *in, double t)
{
    ms_events *events = in->instance->events;
    return in->dense(in->solver, t, events->x) != 0 ||
           ms_events_indicators(in->instance, in->piece, ms_events_time(events, t), events->x, events->r) !=
               0;
}

/* v of all indicators at t. */
static int sample(const ms_micro_span *in, double t, double *v)
{
    const ms_events *events = in->instance->events;
    const int status = ms_events_evaluate(in, t);
    for (int k = 0; k < in->instance->events->n && status == 0; k++)
        v[k] = side(events, k) * events->r[k];
    return status;
}

/* Round-off ----------------------------------------------------------------------------------------------- */

/* Perturbs each value by a different relative amount, so that differences of equal values do not cancel. */
static void change(int n, double *values)
{
    static const double golden = 0.6180339887498949;
    for (int i = 0; i < n; i++)
        values[i] *= 1.0 + CHANGE * (0.5 + fmod((i + 1) * golden, 1.0));
}

/* The effect of round-off of time, states and inputs at t on indicator k. */
static double round_off(const ms_micro_span *in, int k, double t)
{
    ms_instance *instance = in->instance;
    ms_events *events = instance->events;
    ms_point at;
    if (ms_events_evaluate(in, t) != 0 ||
        ms_micro_point(instance, in->piece, ms_events_time(events, t), events->x, &at) != 0)
        return INFINITY;
    const double r = events->r[k];
    change(instance->sub->nx, events->x);
    change(instance->sub->nu, instance->u);
    at.t = ms_events_time(events, t * (1.0 + CHANGE));
    if (ms_events_functions(instance, in->piece, &at, events->r) != 0)
        return INFINITY;
    const double larger = fabs(events->r_start[k]) + fabs(events->r1[k]);
    return 64.0 * DBL_EPSILON * (fabs(events->r[k] - r) / CHANGE + larger);
}

typedef struct curve {
    const ms_micro_span *in;
    int k;
} curve;

static double value_at(double t, void *parameter)
{
    const curve *of = parameter;
    const ms_events *events = of->in->instance->events;
    return ms_events_evaluate(of->in, t) == 0 ? side(events, of->k) * events->r[of->k] : NAN;
}

bool ms_events_is_more(const ms_micro_span *in, int k, double t, double r)
{
    return fabs(r) > round_off(in, k, t);
}

/* Is v < 0 at t a true change of sign? Not if round-off explains it, nor if the dense output, which differs
 * from the consistent state at the start by the error of the method, differs from it by as much. */
static bool is_real(const ms_micro_span *in, int k, double t, double v)
{
    if (!(v < 0.0) || !ms_events_is_more(in, k, t, v))
        return false;
    const double start = value_at(in->from, &(curve){in, k});
    return -v > fabs(start - fabs(in->instance->events->r_start[k]));
}

/* Minima -------------------------------------------------------------------------------------------------- */

/* Three points, the middle one the lowest: can no convex function through them reach zero? It lies above the extensions of its
 * chords. */
static bool stays(const double *t, const double *v)
{
    const double left = (v[0] - v[1]) / (t[1] - t[0]), right = (v[2] - v[1]) / (t[2] - t[1]);
    return v[1] > fmax(left * (t[2] - t[1]), right * (t[1] - t[0]));
}

/* Follows v down from t[1], which is below both ends. Returns a time at which it is negative, or INFINITY. */
static double search_minimum(const ms_micro_span *in, int k, const double *t, const double *v)
{
    gsl_min_fminimizer *brent = in->instance->events->minimum;
    curve of = {in, k};
    gsl_function f = {.function = value_at, .params = &of};
    if (gsl_min_fminimizer_set_with_values(brent, &f, t[1], v[1], t[0], v[0], t[2], v[2]) != GSL_SUCCESS)
        return INFINITY;
    for (int n = 0; n < ITERATIONS_MAX; n++) {
        const double lowest = gsl_min_fminimizer_f_minimum(brent), at = gsl_min_fminimizer_x_minimum(brent);
        if (lowest < 0.0)
            return is_real(in, k, at, lowest) ? at : INFINITY;
        if (stays((double[]){gsl_min_fminimizer_x_lower(brent), at, gsl_min_fminimizer_x_upper(brent)},
                  (double[]){gsl_min_fminimizer_f_lower(brent), lowest, gsl_min_fminimizer_f_upper(brent)}) ||
            gsl_min_fminimizer_iterate(brent) != GSL_SUCCESS)
            break;
    }
    return INFINITY;
}

/* Between point a at an end of the panel and its neighbour b, followed by c: if v falls from a but does not fall on to b, the minimum
 * in between is followed. */
static double search_minimum_near_end(const ms_micro_span *in, const panel *p, int k, int a, int b, int c)
{
    const double h = p->t[b] - p->t[a], va = p->v[a][k], vb = p->v[b][k];
    const double slope = (vb - va) / h, next = (p->v[c][k] - vb) / (p->t[c] - p->t[b]);
    const double bend = (next - slope) / (p->t[c] - p->t[a]) * h * h;
    if (va > fmax(fabs(bend), fabs(vb - va)))
        return INFINITY;
    const double t = p->t[a] + CLOSE * h, v = value_at(t, &(curve){in, k});
    if (v < 0.0)
        return is_real(in, k, t, v) ? t : INFINITY;
    if (!(v < va && v < vb))
        return INFINITY;
    const int lower = a < b ? a : b, upper = a < b ? b : a;
    return search_minimum(in, k, (double[]){p->t[lower], t, p->t[upper]},
                          (double[]){p->v[lower][k], v, p->v[upper][k]});
}

/* The first time in the panel at which indicator k is found to have changed its sign. */
static double first_sign_change(const ms_micro_span *in, const panel *p, int k)
{
    double first = search_minimum_near_end(in, p, k, 0, 1, 2);
    for (int i = 1; i <= INSIDE && isinf(first); i++) {
        const double v[] = {p->v[i - 1][k], p->v[i][k], p->v[i + 1][k]};
        if (v[1] < v[0] && v[1] < v[2] && !stays(&p->t[i - 1], v))
            first = search_minimum(in, k, &p->t[i - 1], v);
    }
    return isinf(first) ? search_minimum_near_end(in, p, k, POINTS - 1, POINTS - 2, POINTS - 3) : first;
}

/* Panels -------------------------------------------------------------------------------------------------- */

/* Bounds of indicator k over some points of a panel. */
static void bounds(const panel *p, int k, int stride, double *least, double *most)
{
    *least = *most = p->v[0][k];
    for (int i = stride; i < POINTS; i += stride) {
        *least = fmin(*least, p->v[i][k]);
        *most = fmax(*most, p->v[i][k]);
    }
}

/* Is it too far from zero, for its variation, to reach it? */
static bool is_far(const panel *p, int k, int stride)
{
    double least, most;
    bounds(p, k, stride, &least, &most);
    return least > 2.0 * (most - least);
}

static bool are_far(const panel *p, int n, int stride)
{
    for (int k = 0; k < n; k++)
        if (!is_far(p, k, stride))
            return false;
    return true;
}

static bool is_coarse(const ms_micro_span *in, const panel *p, int k)
{
    double least, most, sum = 0.0;
    bounds(p, k, 1, &least, &most);
    for (int i = 0; i < POINTS; i++)
        sum += misfit[i] * p->v[i][k];
    return fabs(sum) > COARSE * (most - least) && fabs(sum) > NOISE * round_off(in, k, p->t[MIDDLE]);
}

/* The first interior point at which an indicator has changed its sign; 0: none. */
static int changed_at(const ms_micro_span *in, const panel *p)
{
    for (int i = 1; i <= INSIDE; i++)
        for (int k = 0; k < in->instance->events->n; k++)
            if (is_real(in, k, p->t[i], p->v[i][k]))
                return i;
    return 0;
}

/* Part i of a panel; its interior points are in v. */
static panel part_of(const panel *p, int i, int n, double *v)
{
    const double from = p->t[i], length = p->t[i + 1] - from;
    panel part = {.t = {from}, .v = {p->v[i]}};
    for (int j = 1; j <= INSIDE; j++) {
        part.t[j] = from + fraction[j] * length;
        part.v[j] = v + (j - 1) * n;
    }
    part.t[POINTS - 1] = p->t[i + 1];
    part.v[POINTS - 1] = p->v[i + 1];
    return part;
}

/* NaN: an indicator is not defined at some point. */
static double search(const ms_micro_span *in, panel *p, int level, double *room)
{
    const int n = in->instance->events->n;
    bool coarse = false;
    double first = INFINITY;
    if (sample(in, p->t[MIDDLE], p->v[MIDDLE]) != 0)
        return NAN;
    if (are_far(p, n, MIDDLE))
        return INFINITY;
    if (sample(in, p->t[1], p->v[1]) != 0 || sample(in, p->t[INSIDE], p->v[INSIDE]) != 0)
        return NAN;
    const int changed = changed_at(in, p);
    if (changed > 0)
        return p->t[changed];
    for (int k = 0; k < n; k++) {
        if (is_far(p, k, 1))
            continue;
        coarse = coarse || (level + 1 < LEVELS && is_coarse(in, p, k));
        first = fmin(first, first_sign_change(in, p, k));
    }
    for (int i = 0; i < POINTS - 1 && coarse; i++) {
        panel part = part_of(p, i, n, room);
        const double t = search(in, &part, level + 1, room + INSIDE * n);
        if (!isinf(t))
            return isnan(t) ? t : fmin(t, first);
    }
    return first;
}

double ms_events_watch(const ms_micro_span *in, double from, double to)
{
    ms_events *events = in->instance->events;
    const int n = in->instance->events->n;
    double *start = events->watched, *end = start + n;
    if (ms_micro_tiny(from, 0.25 * (to - from)))
        return INFINITY;
    for (int k = 0; k < n; k++) {
        start[k] = fabs(events->r_start[k]);
        end[k] = fmax(side(events, k) * events->r_end[k], 0.0);
    }
    const panel whole = {.t = {from, to}, .v = {start, end}};
    panel first = part_of(&whole, 0, n, end + n);
    const double t = search(in, &first, 0, end + (1 + INSIDE) * n);
    return t > from && t < to ? t : INFINITY;
}
