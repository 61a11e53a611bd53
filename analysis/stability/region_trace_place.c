/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_trace_place.c - each crossing of a boundary, located on its grid edge to within the tolerance.
 *
 * ITP (Oliveira and Takahashi, ACM Trans. Math. Softw. 47 (2021) 5): the secant through the ends, truncated towards
 * the middle and projected onto what bisection could reach, so that no function takes more than one evaluation more than
 * bisection. Departure: the tolerance is relative to the place, so the interval may be narrow enough before ITP's own
 * criterion. ITP's k1 is 0.02 over the edge, since functions are nearly linear on an edge: among 0.2, 0.05, 0.02, 0.01,
 * 0.005 it takes the fewest evaluations for the two-mass oscillator. */

#include "region_parts.h"

enum { CHUNK = 32, CLOSER = 20, LAST = 10, SUSPICIOUS = 16 };

const char *const ms_crossing_names[MS_CROSSING_KINDS] = {"regular", "flat", "steep", "jump", "undefined"};

/* An edge along one coordinate, and the bracket of the crossing; ends in order of the edge. */
typedef struct edge_search {
    const ms_field *field;
    void *context;
    double level, fixed; /* the other coordinate */
    bool upwards, stable_first;
    double at[2], value[2];
    /* 0: the tolerance is relative to the place; otherwise the unit of places, on an edge that contains 0 */
    double unit;
    int evaluations;
} edge_search;

static double width_of(const edge_search *s)
{
    const double unit = s->unit > 0.0 ? s->unit : fmax(fabs(s->at[0]), fabs(s->at[1]));
    return fabs(s->at[1] - s->at[0]) / unit;
}

static int evaluate(edge_search *s, double at, double *value, ms_error *error)
{
    s->evaluations++;
    return s->upwards ? s->field->value(s->context, s->fixed, at, value, error)
                      : s->field->value(s->context, at, s->fixed, value, error);
}

/* One evaluation inside the bracket; a value that is not a number counts as unstable. */
static int narrow(edge_search *s, double at, ms_error *error)
{
    double value = NAN;
    const int status = evaluate(s, at, &value, error);
    const int end = (value <= s->level) == s->stable_first ? 0 : 1;
    s->at[end] = at;
    s->value[end] = value;
    return status;
}

static double middle(const edge_search *s)
{
    return s->at[0] + 0.5 * (s->at[1] - s->at[0]);
}

/* The zero of the chord through the ends; their midpoint if an end is not finite. */
static double chord(const edge_search *s)
{
    const double part = (s->level - s->value[0]) / (s->value[1] - s->value[0]);
    return isfinite(part) && isfinite(s->value[1]) && isfinite(s->value[0])
               ? s->at[0] + part * (s->at[1] - s->at[0])
               : middle(s);
}

/* ITP's next place; reach: allowed distance from the midpoint. whole: the length of the edge. */
static double next_place(const edge_search *s, double reach, double whole)
{
    const double half = middle(s), secant = chord(s), length = fabs(s->at[1] - s->at[0]);
    const double sign = half > secant ? 1.0 : -1.0, truncation = 0.02 * length * length / whole;
    const double truncated = truncation <= fabs(half - secant) ? secant + sign * truncation : half;
    return fabs(truncated - half) <= reach ? truncated : half - sign * fmax(reach, 0.0);
}

static bool within(const edge_search *s, double at)
{
    return at > fmin(s->at[0], s->at[1]) && at < fmax(s->at[0], s->at[1]);
}

static int close_in(edge_search *s, double tolerance, ms_error *error)
{
    const double whole = fabs(s->at[1] - s->at[0]);
    const double unit = s->unit > 0.0 ? s->unit : fmin(fabs(s->at[0]), fabs(s->at[1]));
    /* ITP's slack of 1: twice what bisection leaves of half the edge */
    double most = 0.5 * tolerance * unit;
    while (most < whole)
        most *= 2.0;
    int status = MS_OK;
    while (status == MS_OK && width_of(s) > tolerance) {
        double at = next_place(s, most - 0.5 * fabs(s->at[1] - s->at[0]), whole);
        if (!within(s, at))
            at = middle(s);
        if (!within(s, at)) /* adjacent floating-point numbers */
            break;
        status = narrow(s, at, error);
        most *= 0.5;
    }
    return status;
}

/* The power of the width with which the difference of the values shrinks in the last of some further halvings. */
static int measure_power(edge_search *s, double *power, ms_error *error)
{
    double rise[CLOSER + 1];
    int status = MS_OK, n = 0;
    for (; n <= CLOSER && status == MS_OK; n++) {
        rise[n] = fabs(s->value[1] - s->value[0]);
        if (n == CLOSER || !within(s, middle(s)))
            break;
        status = narrow(s, middle(s), error);
    }
    const int from = n > LAST ? n - LAST : 0;
    *power = n - from < 4 ? 1.0 : isfinite(rise[n]) ? log2(rise[from] / rise[n]) / (n - from) : 0.0;
    return status;
}

/* Classifies an edge whose values differ nearly as much as before although its ends are close: a jump, an
 * unbounded slope, as that of a spectral radius where eigenvalues meet, or a smooth but steep function. */
static int name_steep(edge_search *s, ms_crossing_kind *kind, ms_error *error)
{
    double power = 1.0;
    const int status = measure_power(s, &power, error);
    *kind = power < 0.1 ? MS_CROSSING_JUMP : power < 0.75 ? MS_CROSSING_STEEP : MS_CROSSING_REGULAR;
    return status;
}

/* slope: of the values over the whole edge, by the coordinate. */
static int name_crossing(edge_search *s, double tolerance, double slope, ms_crossing_kind *kind,
                         ms_error *error)
{
    const double rise = fabs(s->value[1] - s->value[0]), width = width_of(s);
    *kind = MS_CROSSING_REGULAR;
    if (!isfinite(rise))
        *kind = MS_CROSSING_UNDEFINED;
    else if (rise * tolerance < MS_REGION_TOLERANCE * width)
        *kind = MS_CROSSING_FLAT;
    else if (rise > SUSPICIOUS * slope * fabs(s->at[1] - s->at[0]))
        return name_steep(s, kind, error);
    return MS_OK;
}

/* The place and its value: on the chord, if that is nearer to the level than both ends. */
static int settle(edge_search *s, double *at, double *value, ms_error *error)
{
    const int nearer = fabs(s->value[0] - s->level) <= fabs(s->value[1] - s->level) ? 0 : 1;
    const int best = isnan(s->value[0]) ? 1 : isnan(s->value[1]) ? 0 : nearer;
    const double between = chord(s);
    double there = NAN;
    *at = s->at[best];
    *value = s->value[best];
    if (!within(s, between))
        return MS_OK;
    const int status = evaluate(s, between, &there, error);
    if (fabs(there - s->level) < fabs(*value - s->level)) {
        *at = between;
        *value = there;
    }
    return status;
}

static edge_search search_of(const trace *t, const trace_crossing *c, void *context)
{
    const int nx = t->grid->nx, node = c->edge / 2, upwards = c->edge % 2, other = node + (upwards ? nx : 1);
    const double *x = t->grid->x + node % nx, *y = t->grid->y + node / nx, *along = upwards ? y : x;
    const double most = fmax(fabs(along[0]), fabs(along[1]));
    return (edge_search){.field = t->field,
                         .context = context,
                         .level = t->level,
                         .fixed = upwards ? x[0] : y[0],
                         .upwards = upwards,
                         .stable_first = ms_trace_stable(t, node),
                         .at = {along[0], along[1]},
                         .value = {t->value[node], t->value[other]},
                         .unit =
                             fmax(along[0], along[1]) < 0.0 || fmin(along[0], along[1]) > 0.0 ? 0.0 : most};
}

/* The place of a crossing that is undefined or a jump: no place in the bracket is better than another. If nothing is
 * known between the nodes, the bracket is the edge. */
static void place_between(edge_search *s, const edge_search *edge, trace_crossing *c)
{
    const int evaluations = s->evaluations, stable = s->stable_first ? 0 : 1;
    if (c->kind == MS_CROSSING_UNDEFINED && s->at[stable] == edge->at[stable])
        *s = *edge;
    s->evaluations = evaluations;
    c->place = c->kind == MS_CROSSING_UNDEFINED ? chord(s) : middle(s);
    c->residual = INFINITY;
}

static int find_place(const trace *t, edge_search *s, trace_crossing *c, ms_error *error)
{
    const edge_search edge = *s;
    const double slope = fabs((s->value[1] - s->value[0]) / (s->at[1] - s->at[0]));
    double value = NAN;
    MS_TRY(close_in(s, t->tolerance, error));
    MS_TRY(name_crossing(s, t->tolerance, isfinite(slope) ? slope : 0.0, &c->kind, error));
    if (c->kind == MS_CROSSING_UNDEFINED || c->kind == MS_CROSSING_JUMP) {
        place_between(s, &edge, c);
        return MS_OK;
    }
    int status = settle(s, &c->place, &value, error);
    c->residual = fabs(value - s->level);
    return status;
}

/* A node exactly on the level is the crossing. */
static int place_crossing(void *job, void *context, int k, ms_error *error)
{
    trace *t = job;
    trace_crossing *c = &t->crossing[k];
    edge_search s = search_of(t, c, context);
    int status = MS_OK;
    for (int end = 1; end >= 0; end--)
        if (s.value[end] == s.level) {
            s.at[1 - end] = s.at[end];
            c->place = s.at[end];
        }
    if (s.at[0] != s.at[1]) {
        status = find_place(t, &s, c, error);
        c->width = width_of(&s);
    }
    c->evaluations = s.evaluations;
    return status;
}

void ms_trace_place(trace *t)
{
    if (t->status == MS_OK)
        t->status = ms_thread_pool_work(t->pool, t->n, CHUNK, place_crossing, t, t->error);
    for (int k = 0; k < t->n; k++)
        t->evaluations += t->crossing[k].evaluations;
}
