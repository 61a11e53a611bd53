/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_critical.c - intervals of stability on a line. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "region_field.h"

enum { STEPS = 2000, PER_DECADE = 40, SMALL = 133, GOLDEN = 40, CHANGES = 2 };

static const double smallest = 1e-6;   /* first point of the scan, of the end */
static const double accuracy = 1e-10;  /* of a change, relative to its place */
static const double vanishing = 1e-12; /* of the end: a change below this belongs to the start */
static const double flat = 1e-9;       /* an extremum this close to the level is round-off */

/* A stretch of the scan and the changes of stability in it. */
typedef struct stretch {
    double a, b; /* its ends */
    bool stable_a, extremum;
    int n;
    double change[CHANGES];
    long evaluations;
} stretch;

typedef struct scan {
    const ms_field *field;
    int n;             /* points */
    double *x, *value; /* (n) */
    int parts;
    stretch *part; /* (2 n) */
} scan;

static bool is_stable(double value)
{
    return value <= MS_REGION_LEVEL;
}

static int scan_point(void *job, void *context, int k, ms_error *error)
{
    scan *s = job;
    return s->field->value(context, s->x[k], 0.0, &s->value[k], error);
}

/* The change between a and b, of which only one is stable. */
static int bisect(const ms_field *field, void *context, double a, double b, bool stable_a, double least,
                  stretch *part, ms_error *error)
{
    int status = MS_OK;
    while (status == MS_OK && b - a > accuracy * b && b > least) {
        const double middle = 0.5 * (a + b);
        double value = NAN;
        status = field->value(context, middle, 0.0, &value, error);
        part->evaluations++;
        if (is_stable(value) == stable_a)
            a = middle;
        else
            b = middle;
    }
    part->change[part->n++] = b > least ? 0.5 * (a + b) : 0.0;
    return status;
}

/* Golden section towards the extremum of a stretch, until a point is stable where the ends are not, or the
 * reverse. */
static int find_other(const ms_field *field, void *context, stretch *part, bool stable_ends, double *other,
                      ms_error *error)
{
    const double ratio = 0.5 * (sqrt(5.0) - 1.0), sign = stable_ends ? -1.0 : 1.0;
    double a = part->a, b = part->b, x[2] = {b - ratio * (b - a), a + ratio * (b - a)}, value[2] = {NAN, NAN};
    int fresh = 2, status = MS_OK; /* which of the two is to be evaluated; 2: both */
    for (int k = 0; k < GOLDEN; k++) {
        for (int i = 0; i < 2 && status == MS_OK; i++) {
            if (fresh != 2 && fresh != i)
                continue;
            status = field->value(context, x[i], 0.0, &value[i], error);
            part->evaluations++;
            if (status == MS_OK && is_stable(value[i]) != stable_ends) {
                *other = x[i];
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

static int look_into(void *job, void *context, int k, ms_error *error)
{
    const scan *s = job;
    const ms_field *field = s->field;
    stretch *part = &s->part[k];
    double other = NAN;
    const double least = fmax(vanishing * s->x[s->n - 1], DBL_MIN);
    if (!part->extremum)
        return bisect(field, context, part->a, part->b, part->stable_a, least, part, error);
    int status = find_other(field, context, part, part->stable_a, &other, error);
    if (status == MS_OK && !isnan(other))
        status = bisect(field, context, part->a, other, part->stable_a, least, part, error);
    if (status == MS_OK && !isnan(other))
        status = bisect(field, context, other, part->b, !part->stable_a, least, part, error);
    return status;
}

static int create_scan(double end, scan *s, ms_error *error)
{
    const int most = 1 + SMALL + STEPS;
    s->x = calloc((size_t)most * 2, sizeof *s->x);
    s->part = calloc((size_t)most * 2, sizeof *s->part);
    if (s->x == NULL || s->part == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d step sizes", most);
    s->value = s->x + most;
    s->n = 1;
    for (int k = 0; k < SMALL; k++) {
        const double x = smallest * pow(10.0, (double)k / PER_DECADE);
        if (x < 1.0 / STEPS)
            s->x[s->n++] = x * end;
    }
    for (int k = 1; k <= STEPS; k++)
        s->x[s->n++] = k == STEPS ? end : end / STEPS * k;
    return MS_OK;
}

/* Stretches between points that differ, and around points that are local extrema towards the level. */
static void choose_stretches(scan *s)
{
    const double *v = s->value;
    for (int k = 0; k + 1 < s->n; k++) {
        const bool here = is_stable(v[k]), next = is_stable(v[k + 1]);
        if (here != next)
            s->part[s->parts++] = (stretch){.a = s->x[k], .b = s->x[k + 1], .stable_a = here};
        if (k == 0 || here != next || here != is_stable(v[k - 1]) || fabs(v[k] - MS_REGION_LEVEL) < flat)
            continue;
        const double sign = here ? -1.0 : 1.0;
        if (sign * v[k] < sign * v[k - 1] && sign * v[k] <= sign * v[k + 1])
            s->part[s->parts++] = (stretch){s->x[k - 1], s->x[k + 1], here, .extremum = true};
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Intervals from the changes: at each one stability begins or ends. */
static int assemble(const scan *s, ms_critical *critical, ms_error *error)
{
    double *change = calloc((size_t)s->parts * CHANGES + 1, sizeof *change);
    critical->interval = calloc((size_t)s->parts + 1, sizeof *critical->interval);
    if (change == NULL || critical->interval == NULL) {
        free(change);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d intervals", s->parts + 1);
    }
    int n = 0;
    for (int k = 0; k < s->parts; k++) {
        critical->evaluations += s->part[k].evaluations;
        for (int i = 0; i < s->part[k].n; i++)
            change[n++] = s->part[k].change[i];
    }
    qsort(change, (size_t)n, sizeof *change, ascending);
    change[n] = s->x[s->n - 1];
    for (int k = is_stable(s->value[0]) ? 0 : 1; k <= n; k += 2) {
        const double begin = k > 0 ? change[k - 1] : 0.0;
        if (change[k] > begin) {
            critical->interval[critical->n][0] = begin;
            critical->interval[critical->n++][1] = change[k];
        }
    }
    free(change);
    return MS_OK;
}

/* Drops an interval [0, b] at whose middle the radius exceeds 1 by more than round-off: with 1 + c x^p it is
 * tolerance/2^p, and 0 or less where the problem is conservative or damped up to b. */
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

int ms_region_critical(const ms_field *field, double end, const ms_effort *effort, ms_critical *critical,
                       ms_error *error)
{
    ms_thread_pool pool;
    scan s = {.field = field};
    *critical = (ms_critical){0};
    if (!(end > 0.0) || isinf(end))
        return ms_fail(error, MS_INVALID, "the end %g of the step sizes must be greater than 0", end);
    int status = ms_field_threads(field, effort, &pool, error);
    if (status == MS_OK)
        status = create_scan(end, &s, error);
    if (status == MS_OK)
        status = ms_thread_pool_work(&pool, s.n, 16, scan_point, &s, error);
    critical->evaluations = s.n;
    if (status == MS_OK) {
        if (isnan(s.value[0])) /* no limit: as at the smallest step */
            s.value[0] = s.value[1];
        choose_stretches(&s);
        status = ms_thread_pool_work(&pool, s.parts, 1, look_into, &s, error);
    }
    if (status == MS_OK)
        status = assemble(&s, critical, error);
    if (status == MS_OK)
        status = drop_growth(field, &pool, critical, end, error);
    ms_thread_pool_destroy(&pool);
    free(s.x);
    free(s.part);
    if (status != MS_OK)
        ms_critical_destroy(critical);
    return status;
}

void ms_critical_destroy(ms_critical *critical)
{
    free(critical->interval);
    *critical = (ms_critical){0};
}
