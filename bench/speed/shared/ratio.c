/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ratio.h"

#include <math.h>
#include <stddef.h>

static double by_unit(const ms_timing *timing, int round)
{
    return timing->taken[round] / (timing->per > 0.0 ? timing->per : 1.0);
}

double ms_ratio_of_round(const ms_ratio *ratio, int round)
{
    double value = by_unit(ratio->work, round);
    if (ratio->peer != NULL)
        value /= by_unit(ratio->peer, round);
    if (ratio->to_work != NULL)
        value *= by_unit(ratio->to_peer, round) / by_unit(ratio->to_work, round);
    return value;
}

ms_verdict ms_ratio_verdict(double median, double scatter, ms_wanted wanted, double bound)
{
    if (wanted == MS_WANTED_NOTHING)
        return MS_VERDICT_NONE;
    const double beyond = wanted == MS_WANTED_AT_MOST ? median - bound : bound - median;
    if (beyond <= 0.0)
        return MS_VERDICT_MET;
    return beyond <= scatter * median ? MS_VERDICT_UNDECIDED : MS_VERDICT_MISSED;
}

ms_change ms_ratio_change(double median, double scatter, double before, double scatter_before,
                          ms_wanted wanted)
{
    if (fabs(median - before) <= scatter * median + scatter_before * before)
        return MS_CHANGE_SAME;
    return (median > before) == (wanted == MS_WANTED_AT_LEAST) ? MS_CHANGE_BETTER : MS_CHANGE_WORSE;
}

ms_exit ms_ratio_exit(ms_verdict verdict, double scatter)
{
    if (verdict == MS_VERDICT_NONE)
        return MS_EXIT_MET;
    if (verdict == MS_VERDICT_MISSED)
        return MS_EXIT_MISSED;
    return verdict == MS_VERDICT_UNDECIDED || scatter > MS_SCATTER_MAX ? MS_EXIT_SCATTERED : MS_EXIT_MET;
}

/* A failure before a miss before scatter. */
ms_exit ms_exit_both(ms_exit a, ms_exit b)
{
    static const int weight[] = {
        [MS_EXIT_MET] = 0, [MS_EXIT_SCATTERED] = 1, [MS_EXIT_MISSED] = 2, [MS_EXIT_FAILED] = 3};
    return weight[a] >= weight[b] ? a : b;
}
