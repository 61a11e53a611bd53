/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timing.h - clocks and medians of the speed benchmarks. */
#ifndef MS_TIMING_H
#define MS_TIMING_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MS_ROUNDS_MAX = 64 };

static inline double ms_clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int ms_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of n <= MS_ROUNDS_MAX numbers, which keep their order. */
static inline double ms_median(int n, const double *values)
{
    double sorted[MS_ROUNDS_MAX];
    memcpy(sorted, values, sizeof(double) * (size_t)n);
    qsort(sorted, (size_t)n, sizeof *sorted, ms_ascending);
    return sorted[n / 2];
}

#endif
