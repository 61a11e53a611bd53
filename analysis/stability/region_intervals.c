/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_intervals.c - intervals of stability between nodes whose values are known. */
#include <stdlib.h>

#include "region_parts.h"

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
    bool stable = ms_scan_stable(known[node(n, x, 0)]);
    for (int k = 1; k < n && status == MS_OK; k++) {
        const int here = node(n, x, k), before = node(n, x, k - 1);
        if (effort != NULL && effort->stop != NULL && *effort->stop != 0)
            return ms_fail(error, MS_INTERRUPTED, "interrupted");
        if (ms_scan_stable(known[here]) == stable)
            continue;
        ms_change change = {.a = x[before], .b = x[here], .stable_a = stable};
        status = ms_change_find(field, context, -INFINITY, &change, error);
        critical->evaluations += change.evaluations;
        if (stable) {
            critical->interval[critical->n][0] = begin;
            critical->interval[critical->n++][1] = change.place;
        }
        begin = change.place;
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
