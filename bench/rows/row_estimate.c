/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_estimate.h"

#include <macrostep/status.h>
#include "growing.h"

enum { APART = 16, FEWEST = 2048 };

int ms_row_estimate_add(ms_row_estimate *estimate, long row, int group, bool new_stratum)
{
    if (!new_stratum && estimate->n > 0) {
        estimate->stratum[estimate->n - 1].rows++;
        return MS_OK;
    }
    MS_TRY_MEMORY(
        ms_grow(&estimate->stratum, &estimate->capacity, (size_t)estimate->n + 1, sizeof *estimate->stratum));
    estimate->stratum[estimate->n++] = (ms_row_stratum){.first = row, .rows = 1, .group = group};
    return MS_OK;
}

void ms_row_estimate_destroy(ms_row_estimate *estimate)
{
    free(estimate->stratum);
    *estimate = (ms_row_estimate){0};
}

/* The stratum of the row; NULL: none. */
static ms_row_stratum *find(const ms_row_estimate *estimate, long row)
{
    int low = 0, high = estimate->n; /* it is in [low, high) */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (estimate->stratum[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    ms_row_stratum *s = low < high ? &estimate->stratum[low] : NULL;
    return s != NULL && row >= s->first && row < s->first + s->rows ? s : NULL;
}

static long all_rows(const ms_row_estimate *estimate)
{
    const ms_row_stratum *last = estimate->n > 0 ? &estimate->stratum[estimate->n - 1] : NULL;
    return last != NULL ? last->first + last->rows - estimate->stratum[0].first : 0;
}

bool ms_row_estimate_samples(const ms_row_estimate *estimate, long row)
{
    const ms_row_stratum *s = find(estimate, row);
    if (s == NULL || all_rows(estimate) < FEWEST)
        return false;
    const long apart = s->rows < APART ? s->rows : APART - 1; /* odd: step sizes are the innermost list */
    return (row - s->first) % apart == apart / 2;
}

void ms_row_estimate_note(ms_row_estimate *estimate, long row, double seconds)
{
    ms_row_stratum *s = find(estimate, row);
    if (s == NULL)
        return;
    s->done++;
    s->seconds += seconds;
}

/* Mean time of the strata of a group, or of all (group < 0) [s]; `other` if none has been run. */
static double mean(const ms_row_estimate *estimate, int group, double other)
{
    double seconds = 0.0;
    long done = 0;
    for (int k = 0; k < estimate->n; k++)
        if (group < 0 || estimate->stratum[k].group == group) {
            seconds += estimate->stratum[k].seconds;
            done += estimate->stratum[k].done;
        }
    return done > 0 ? seconds / (double)done : other;
}

double ms_row_estimate_done(const ms_row_estimate *estimate)
{
    const double overall = mean(estimate, -1, 0.0);
    double done = 0.0, left = 0.0;
    for (int k = 0; k < estimate->n; k++) {
        const ms_row_stratum *s = &estimate->stratum[k];
        const double each = s->done > 0 ? s->seconds / (double)s->done : mean(estimate, s->group, overall);
        done += s->seconds;
        left += each * (double)(s->rows - s->done);
    }
    return done + left > 0.0 ? done / (done + left) : 0.0;
}
