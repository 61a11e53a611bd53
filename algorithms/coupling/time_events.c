/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_events.h"

#include <float.h>
#include <math.h>

#include "events.h"

void ms_time_events_start(ms_cosim *cosim)
{
    cosim->share = 1.0;
    for (int i = 0; i < cosim->system->n; i++)
        cosim->due[i] = INFINITY;
}

double ms_time_events_stop(ms_cosim *cosim, double t)
{
    const double end = cosim->variant.stop_time;
    double stop = INFINITY;
    if (cosim->variant.at_time_events == MS_TIME_EVENTS_IGNORE)
        return end;
    for (int i = 0; i < cosim->system->n; i++) {
        cosim->due[i] = ms_instance_next_time(cosim->instance[i], t);
        stop = fmin(stop, cosim->due[i]);
    }
    return stop < end && !ms_time_events_coincide(end, stop) ? stop : end;
}

double ms_time_events_before(const ms_cosim *cosim, double stop)
{
    return stop - 256.0 * DBL_EPSILON * fmax(fabs(stop), fabs(cosim->variant.stop_time));
}

bool ms_time_events_coincide(double t, double due)
{
    return t == due || ms_micro_tiny(fmin(t, due), fabs(due - t));
}

bool ms_time_events_had(const ms_cosim *cosim, int i, double t)
{
    return ms_events_handled(cosim->instance[i]) > 0 || ms_time_events_coincide(t, cosim->due[i]);
}
