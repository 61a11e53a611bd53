/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ratio.h - the ratio of a work to its peer, its target, and the decision from the rounds.
 *
 * A round gives work / peer, or (work / peer) / (to_work / to_peer); a ratio is the median of these over the rounds, and its
 * scatter half their interquartile range over that median. A wanted ratio is
 *
 *     met         the median keeps to the bound
 *     missed      the median is beyond it by more than the scatter times the median
 *     undecided   beyond it by less
 *
 * and it scatters where the scatter is above MS_SCATTER_MAX. A program's exit status (ms_exit) is 1 where one is missed,
 * however much others scatter: what misses by more than its scatter does so in a quiet moment too. Otherwise 3 where one
 * is undecided or scatters: to be repeated. Ratios without a target have no influence. */
#pragma once

#include "rounds.h"

#define MS_SCATTER_MAX 0.2

typedef enum ms_wanted { MS_WANTED_NOTHING, MS_WANTED_AT_MOST, MS_WANTED_AT_LEAST } ms_wanted;

typedef enum ms_exit {
    MS_EXIT_MET = 0,
    MS_EXIT_MISSED = 1,
    MS_EXIT_FAILED = 2, /* wrong call, a program that fails, peers that come to other results */
    MS_EXIT_SCATTERED = 3
} ms_exit;

typedef struct ms_ratio {
    const char *name;
    const ms_timing *work, *peer;       /* by unit each; peer NULL: the work's bytes alone */
    const ms_timing *to_work, *to_peer; /* NULL: none */
    ms_wanted wanted;
    double bound;
} ms_ratio;

/* The ratio of one round. */
double ms_ratio_of_round(const ms_ratio *ratio, int round);

typedef enum ms_verdict {
    MS_VERDICT_NONE,
    MS_VERDICT_MET,
    MS_VERDICT_MISSED,
    MS_VERDICT_UNDECIDED
} ms_verdict;

ms_verdict ms_ratio_verdict(double median, double scatter, ms_wanted wanted, double bound);

/* Comparison of a ratio with an earlier one: they differ if they are apart by more than both scatters together. */
typedef enum ms_change { MS_CHANGE_SAME, MS_CHANGE_BETTER, MS_CHANGE_WORSE } ms_change;

/* Larger is better where at least something is wanted, else worse. */
ms_change ms_ratio_change(double median, double scatter, double before, double scatter_before,
                          ms_wanted wanted);

/* Of one ratio, and of several. */
ms_exit ms_ratio_exit(ms_verdict verdict, double scatter);
ms_exit ms_exit_both(ms_exit a, ms_exit b);
