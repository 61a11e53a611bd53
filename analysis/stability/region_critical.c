/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_critical.c - intervals of stability on a line. */
#include <float.h>
#include <stdlib.h>

#include "region_parts.h"

enum { STEPS = 2000, PER_DECADE = 40, SMALL = 133, GOLDEN = 40 };

static const double smallest = 1e-6;   /* first point of the scan, as a fraction of the end */
static const double vanishing = 1e-12; /* fraction of the end: a change below this belongs to the start */
static const double flat = 1e-9;       /* an extremum this close to the level counts as round-off */

/* The scan ------------------------------------------------------------------------------------------------ */

static int scan_point(void *job, void *context, int k, ms_error *error)
{
    ms_scan *s = job;
    return s->field->value(context, s->point[k].x, 0.0, &s->point[k].value, error);
}

static int scan_radii(ms_scan *s, const ms_thread_pool *pool, ms_error *error)
{
    const int status = ms_thread_pool_work(pool, s->n, 16, scan_point, s, error);
    s->evaluations += s->n;
    ms_scan_begin(s);
    return status;
}

static int create_scan(double end, ms_scan *s, ms_error *error)
{
    const int most = 1 + SMALL + STEPS;
    s->point = calloc((size_t)most, sizeof *s->point);
    MS_TRY_MEMORY_FOR(s->point != NULL, error, "%d step sizes", most);
    s->n = 1;
    for (int k = 0; k < SMALL; k++) {
        const double x = smallest * pow(10.0, (double)k / PER_DECADE);
        if (x < 1.0 / STEPS)
            s->point[s->n++].x = x * end;
    }
    for (int k = 1; k <= STEPS; k++)
        s->point[s->n++].x = k == STEPS ? end : end / STEPS * k;
    return MS_OK;
}

static int ascending(const void *a, const void *b)
{
    const ms_scan_point *l = a, *r = b;
    return (l->x > r->x) - (l->x < r->x);
}

/* Merges the added points into the others. */
static int merge(ms_scan *s, ms_error *error)
{
    ms_scan_point *grown = realloc(s->point, sizeof *grown * (size_t)(s->n + s->more));
    MS_TRY_MEMORY_FOR(grown != NULL, error, "%d step sizes", s->n + s->more);
    s->point = grown;
    for (int k = 0; k < s->more; k++)
        s->point[s->n++] = s->added[k];
    s->more = 0;
    qsort(s->point, (size_t)s->n, sizeof *s->point, ascending);
    return MS_OK;
}

/* Extrema ------------------------------------------------------------------------------------------------- */

/* The points around a local extremum near the level, all on one side; and one on the other side, if found. */
typedef struct extremum {
    double a, b;
    bool stable;
    ms_scan_point other; /* at NaN: not found */
    long evaluations;
} extremum;

typedef struct extrema {
    const ms_field *field;
    int n;
    extremum *at; /* (of the scan's points) */
} extrema;

static void choose_extrema(const ms_scan *s, extrema *e)
{
    for (int k = 1; k + 1 < s->n; k++) {
        const ms_scan_point *p = s->point + k;
        const bool here = ms_scan_stable(p->value);
        if (here != ms_scan_stable(p[1].value) || here != ms_scan_stable(p[-1].value) ||
            fabs(p->value - MS_REGION_LEVEL) < flat)
            continue;
        const double sign = here ? -1.0 : 1.0;
        if (sign * p->value < sign * p[-1].value && sign * p->value <= sign * p[1].value)
            e->at[e->n++] = (extremum){p[-1].x, p[1].x, here, {NAN, NAN}, 0};
    }
}

/* Golden-section search for an extremum, until a point is on the other side. */
static int look_into(void *job, void *context, int k, ms_error *error)
{
    const extrema *all = job;
    extremum *e = &all->at[k];
    const double ratio = 0.5 * (sqrt(5.0) - 1.0), sign = e->stable ? -1.0 : 1.0;
    double a = e->a, b = e->b, x[2] = {b - ratio * (b - a), a + ratio * (b - a)}, value[2] = {NAN, NAN};
    int fresh = 2, status = MS_OK; /* which of the two is to be evaluated; 2: both */
    for (int round = 0; round < GOLDEN; round++) {
        for (int i = 0; i < 2 && status == MS_OK; i++) {
            if (fresh != 2 && fresh != i)
                continue;
            status = all->field->value(context, x[i], 0.0, &value[i], error);
            e->evaluations++;
            if (status == MS_OK && ms_scan_stable(value[i]) != e->stable) {
                e->other = (ms_scan_point){x[i], value[i]};
                return MS_OK;
            }
        }
        if (status != MS_OK)
            return status;
        fresh = sign * value[0] < sign * value[1] ? 0 : 1;
        if (fresh == 0) {
            b = x[1];
            x[1] = x[0];
            value[1] = value[0];
            x[0] = b - ratio * (b - a);
        } else {
            a = x[0];
            x[0] = x[1];
            value[0] = value[1];
            x[1] = a + ratio * (b - a);
        }
    }
    return MS_OK;
}

static int scan_extrema(ms_scan *s, const ms_thread_pool *pool, ms_error *error)
{
    extrema e = {.field = s->field, .at = calloc((size_t)s->n, sizeof *e.at)};
    MS_TRY_MEMORY_FOR(e.at != NULL, error, "%d step sizes", s->n);
    choose_extrema(s, &e);
    int status = ms_thread_pool_work(pool, e.n, 1, look_into, &e, error);
    for (int k = 0; k < e.n && status == MS_OK; k++) {
        s->evaluations += e.at[k].evaluations;
        if (!isnan(e.at[k].other.x))
            status = ms_scan_add(s, e.at[k].other.x, e.at[k].other.value, error);
    }
    free(e.at);
    return status;
}

/* Changes ------------------------------------------------------------------------------------------------- */

typedef struct changes {
    const ms_field *field;
    double least; /* a change at or below this is the start */
    int n;
    ms_change *at;
} changes;

int ms_change_find(const ms_field *field, void *context, double least, ms_change *c, ms_error *error)
{
    static const double accuracy = 1e-10; /* relative to the abscissa */
    double a = c->a, b = c->b;
    int status = MS_OK;
    while (status == MS_OK && b - a > accuracy * fmax(fabs(a), fabs(b)) && b > least) {
        const double middle = 0.5 * (a + b);
        double value = NAN;
        if (middle <= a || middle >= b)
            break;
        status = field->value(context, middle, 0.0, &value, error);
        c->evaluations++;
        if (ms_scan_stable(value) == c->stable_a)
            a = middle;
        else
            b = middle;
    }
    c->place = b > least ? 0.5 * (a + b) : 0.0;
    return status;
}

static int bisect(void *job, void *context, int k, ms_error *error)
{
    const changes *all = job;
    return ms_change_find(all->field, context, all->least, &all->at[k], error);
}

/* Intervals from the changes: at each change stability begins or ends. */
static void assemble(const ms_scan *s, const changes *c, ms_critical *critical)
{
    for (int k = ms_scan_stable(s->point[0].value) ? 0 : 1; k <= c->n; k += 2) {
        const double begin = k > 0 ? c->at[k - 1].place : 0.0;
        const double end = k < c->n ? c->at[k].place : s->point[s->n - 1].x;
        if (end > begin) {
            critical->interval[critical->n][0] = begin;
            critical->interval[critical->n++][1] = end;
        }
    }
}

static int scan_changes(ms_scan *s, const ms_thread_pool *pool, ms_critical *critical, ms_error *error)
{
    changes c = {.field = s->field,
                 .least = fmax(vanishing * s->point[s->n - 1].x, DBL_MIN),
                 .at = calloc((size_t)s->n, sizeof *c.at)};
    critical->interval = calloc((size_t)s->n, sizeof *critical->interval);
    if (c.at == NULL || critical->interval == NULL) {
        free(c.at);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d step sizes", s->n);
    }
    for (int k = 0; k + 1 < s->n; k++) {
        const ms_scan_point *p = s->point + k;
        if (ms_scan_stable(p[0].value) != ms_scan_stable(p[1].value))
            c.at[c.n++] = (ms_change){.a = p[0].x, .b = p[1].x, .stable_a = ms_scan_stable(p[0].value)};
    }
    const int status = ms_thread_pool_work(pool, c.n, 1, bisect, &c, error);
    for (int k = 0; k < c.n; k++)
        s->evaluations += c.at[k].evaluations;
    if (status == MS_OK)
        assemble(s, &c, critical);
    free(c.at);
    return status;
}

/* Drops an interval [0, b] if the radius at its middle exceeds 1 by more than round-off: with 1 + c x^p it is
 * tolerance/2^p, and 0 or less if the problem is conservative or damped up to b. */
static int drop_growth(const ms_field *field, const ms_thread_pool *pool, ms_critical *critical, double end,
                       ms_error *error)
{
    critical->first = critical->n > 0 && critical->interval[0][0] == 0.0 ? critical->interval[0][1] : 0.0;
    if (critical->first == end)
        critical->first = NAN;
    if (!(critical->first > 0.0))
        return MS_OK;
    double value = NAN;
    const int status = ms_field_value(field, pool, 0.5 * critical->first, 0.0, &value, error);
    critical->evaluations++;
    if (status == MS_OK && value - 1.0 > 1e-2 * MS_REGION_TOLERANCE) {
        critical->first = 0.0;
        critical->n--;
        for (int k = 0; k < critical->n; k++)
            for (int i = 0; i < 2; i++)
                critical->interval[k][i] = critical->interval[k + 1][i];
    }
    return status;
}

/* All together -------------------------------------------------------------------------------------------- */

static int search(ms_scan *s, double end, const ms_thread_pool *pool, ms_critical *critical, ms_error *error)
{
    int status = create_scan(end, s, error);
    MS_THEN(status,
            s->field->eigenvalues != NULL ? ms_scan_resonances(s, pool, error) : scan_radii(s, pool, error));
    MS_THEN(status, scan_extrema(s, pool, error));
    MS_THEN(status, merge(s, error));
    MS_THEN(status, scan_changes(s, pool, critical, error));
    critical->evaluations = s->evaluations;
    critical->crossings = s->follows ? s->crossings : (double)NAN;
    critical->looked_into = s->looked_into;
    return status;
}

int ms_region_critical(const ms_field *field, double end, const ms_effort *effort, ms_critical *critical,
                       ms_error *error)
{
    ms_thread_pool pool;
    ms_scan s = {.field = field};
    *critical = (ms_critical){0};
    if (!(end > 0.0) || isinf(end))
        return ms_fail(error, MS_INVALID, "the end %g of the step sizes must be greater than 0", end);
    int status = ms_field_threads(field, effort, &pool, error);
    MS_THEN(status, search(&s, end, &pool, critical, error));
    MS_THEN(status, drop_growth(field, &pool, critical, end, error));
    ms_thread_pool_destroy(&pool);
    MS_FREE(s.point, s.added);
    if (status != MS_OK)
        ms_critical_destroy(critical);
    return status;
}

void ms_critical_destroy(ms_critical *critical)
{
    free(critical->interval);
    *critical = (ms_critical){0};
}
