/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounds.h - repeated timings in turn, and their statistics.
 *
 * In a round each timing is taken once, in every second round in reverse order: slow drifts, such as of the
 * machine's frequency, affect all of them equally. Only numbers of one round are divided by each other. */
#pragma once

#include <stdbool.h>
#include <time.h>

#include <macrostep/status.h>

enum { MS_ROUNDS_MAX = 64 };

typedef struct ms_timing {
    const char *name;
    /* One call's time [s], or bytes; not finite or below zero: it failed. NULL: the program fills in `taken` itself. */
    double (*take)(void *self, ms_error *error);
    void *self;
    double per;       /* how many units one call is worth; 0: 1 */
    const char *unit; /* what one unit is: "macro-step"; NULL: the call */
    bool bytes;       /* not a time */
    double taken[MS_ROUNDS_MAX];
} ms_timing;

/* A time of calls that are worth `per` units each. */
static inline ms_timing ms_timing_of(const char *name, double (*take)(void *self, ms_error *error),
                                     void *self, double per, const char *unit)
{
    return (ms_timing){.name = name, .take = take, .self = self, .per = per, .unit = unit};
}

/* Takes all timings in each of the rounds. Errors: MS_INVALID (more than MS_ROUNDS_MAX rounds, or none),
 * MS_NOT_CONVERGED (a timing failed, which the line names). */
int ms_rounds_take(int rounds, int n, ms_timing *const *timings, ms_error *error);

/* Of n <= MS_ROUNDS_MAX numbers, which keep their order: the number below which a share of them lies, linear between
 * neighbours; the median; half the interquartile range over the median, 0 where all are 0. */
double ms_rounds_quantile(int n, const double *values, double share);
double ms_rounds_median(int n, const double *values);
double ms_rounds_scatter(int n, const double *values);

double ms_clock_seconds(clockid_t clock);
