/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>

#include "event_parts.h"
#include "event_round_off.h"
#include "micro_step.h"

/* r, or the smallest number of its side if the function is held on that side. */
static double hold(double indicator_sign, double r)
{
    const double far = fabs(indicator_sign) - 1.0;
    return far > 0.0 && r * indicator_sign <= 0.0 && fabs(r) <= far ? copysign(DBL_MIN, indicator_sign) : r;
}

int ms_events_indicators(ms_instance *instance, int piece, double t, const double *x, double *r)
{
    ms_point at;
    if (instance->events->n == 0)
        return 0;
    int status = ms_micro_point(instance, piece, t, x, &at);
    if (status == 0)
        status = ms_events_functions(instance, piece, &at, r);
    if (status != 0 || !ms_micro_finite(instance->events->n, r)) {
        instance->events->failure = "an event indicator is not defined or not finite";
        return 1;
    }
    ms_round_off_note_sizes(instance->events, r);
    for (int k = 0; k < instance->events->n; k++)
        r[k] = hold(instance->events->indicator_sign[k], r[k]);
    return 0;
}
