/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rounds.h"

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double ms_clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int take(ms_timing *timing, int round, ms_error *error)
{
    ms_error why = {""};
    const double taken = timing->take(timing->self, &why);
    timing->taken[round] = taken;
    if (isfinite(taken) && taken >= 0.0)
        return MS_OK;
    return ms_fail(error, MS_NOT_CONVERGED, "%s: %s", timing->name,
                   why.text[0] != '\0' ? why.text : "failed without a word");
}

int ms_rounds_take(int rounds, int n, ms_timing *const *timings, ms_error *error)
{
    int status = MS_OK;
    if (rounds < 1 || rounds > MS_ROUNDS_MAX)
        return ms_fail(error, MS_INVALID, "%d rounds are not within 1..%d", rounds, MS_ROUNDS_MAX);
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < n && status == MS_OK; k++) {
            ms_timing *timing = timings[r % 2 == 0 ? k : n - 1 - k];
            if (timing->take != NULL)
                status = take(timing, r, error);
        }
    return status;
}

double ms_rounds_quantile(int n, const double *values, double share)
{
    double sorted[MS_ROUNDS_MAX];
    memcpy(sorted, values, sizeof *sorted * (size_t)n);
    gsl_sort(sorted, 1, (size_t)n);
    const double place = share * (n - 1);
    const int below = (int)place;
    return below + 1 < n ? sorted[below] + (place - below) * (sorted[below + 1] - sorted[below])
                         : sorted[n - 1];
}

double ms_rounds_median(int n, const double *values)
{
    return ms_rounds_quantile(n, values, 0.5);
}

double ms_rounds_scatter(int n, const double *values)
{
    const double range = ms_rounds_quantile(n, values, 0.75) - ms_rounds_quantile(n, values, 0.25);
    return range > 0.0 ? 0.5 * range / fabs(ms_rounds_median(n, values)) : 0.0;
}
