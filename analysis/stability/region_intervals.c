/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_intervals.c - intervals of stability between nodes whose values are known. */
#include <math.h>
#include <stdlib.h>

#include "region_parts.h"

static const double accuracy = 1e-10; /* of a change, relative to its abscissa */

static bool is_stable(double value)
{
    return value <= MS_REGION_LEVEL;
}

/* The change between a < b, exactly one of which is stable. */
static int bisect(const ms_field *field, void *context, double a, double b, bool stable_a,
                  ms_critical *critical, double *change, ms_error *error)
{
    int status = MS_OK;
    while (status == MS_OK && b - a > accuracy * fmax(fabs(a), fabs(b))) {
        const double middle = 0.5 * (a + b);
        double value = NAN;
        if (middle <= a || middle >= b)
            break;
        status = field->value(context, middle, 0.0, &value, error);
        critical->evaluations++;
        if (is_stable(value) == stable_a)
            a = middle;
        else
            b = middle;
    }
    *change = 0.5 * (a + b);
    return status;
}

/* Node k in ascending order. */
static int node(int n, const double *x, int k)
{
    return n > 1 && x[0] > x[1] ? n - 1 - k : k;
}

static int walk(const ms_field *field, void *context, int n, const double *x, const double *known,
                const ms_effort *effort, ms_critical *critical, ms_error *error)
{
    int status = MS_OK;
    double begin = x[node(n, x, 0)];
    bool stable = is_stable(known[node(n, x, 0)]);
    for (int k = 1; k < n && status == MS_OK; k++) {
        const int here = node(n, x, k), before = node(n, x, k - 1);
        double change;
        if (effort != NULL && effort->stop != NULL && *effort->stop != 0)
            return ms_fail(error, MS_INTERRUPTED, "interrupted");
        if (is_stable(known[here]) == stable)
            continue;
        status = bisect(field, context, x[before], x[here], stable, critical, &change, error);
        if (stable) {
            critical->interval[critical->n][0] = begin;
            critical->interval[critical->n++][1] = change;
        }
        begin = change;
        stable = !stable;
    }
    if (stable) {
        critical->interval[critical->n][0] = begin;
        critical->interval[critical->n++][1] = x[node(n, x, n - 1)];
    }
    return status;
}

int ms_region_intervals(const ms_field *field, int n, const double *x, const double *known,
                        const ms_effort *effort, ms_critical *critical, ms_error *error)
{
    void *context = field->self;
    *critical = (ms_critical){.interval = calloc((size_t)n + 1, sizeof *critical->interval)};
    MS_TRY_MEMORY_FOR(critical->interval != NULL, error, "%d intervals", n);
    int status = field->open != NULL ? field->open(field->self, &context, error) : MS_OK;
    MS_THEN(status, walk(field, context, n, x, known, effort, critical, error));
    if (field->open != NULL && field->close != NULL)
        field->close(&context);
    const double low = x[node(n, x, 0)], high = x[node(n, x, n - 1)];
    const bool begins = critical->n > 0 && critical->interval[0][0] == low;
    critical->first = !begins                            ? 0.0
                      : critical->interval[0][1] == high ? (double)NAN
                                                         : critical->interval[0][1];
    return status;
}
