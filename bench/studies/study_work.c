/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study_work.h"

#include <math.h>
#include <stdbool.h>

static const double ERROR_MAX = 0.5; /* above it nothing has been solved */

static bool counts(const double *work, const double *error, size_t k)
{
    return isfinite(work[k]) && error[k] > 0.0 && error[k] <= ERROR_MAX;
}

/* Has no other run less work and at most the same error, or the other way round? */
static bool is_unbeaten(size_t n, const double *work, const double *error, size_t k)
{
    for (size_t j = 0; j < n; j++)
        if (j != k && counts(work, error, j) && work[j] <= work[k] && error[j] <= error[k] &&
            (work[j] < work[k] || error[j] < error[k]))
            return false;
    return counts(work, error, k);
}

double ms_work_at(size_t n, const double *work, const double *error, double level)
{
    size_t below = n, above = n; /* the nearest points on the front; n: none */
    bool inside = false;
    for (size_t k = 0; k < n; k++) {
        inside = inside || (counts(work, error, k) && error[k] >= level);
        if (!is_unbeaten(n, work, error, k))
            continue;
        if (error[k] <= level && (below == n || error[k] > error[below]))
            below = k;
        if (error[k] >= level && (above == n || error[k] < error[above]))
            above = k;
    }
    if (below == n || !inside)
        return NAN;
    if (above == n || error[above] == error[below]) /* less work has a smaller error */
        return work[below];
    const double z = log(level / error[below]) / log(error[above] / error[below]);
    return work[below] * pow(work[above] / work[below], z);
}
