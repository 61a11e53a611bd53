/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_parts.h"

#include "event_sliding.h"

int ms_events_functions(ms_instance *instance, int piece, ms_point *at, double *r)
{
    const ms_events *events = instance->events;
    int status = ms_subsystem_indicators(instance->system, instance->index, at, instance->w, r);
    if (status == 0 && events->n_sides > 0)
        status =
            ms_subsystem_switches(instance->system, instance->index, at, instance->w, r + events->first_side);
    for (int k = events->first_side; k < events->n; k++)
        r[k] = ms_switch_sides_released(events, k) ? 1.0 : r[k];
    if (status == 0 && instance->field != NULL)
        status = ms_sliding_functions(instance, piece, at->t, at->x, r + events->first_side);
    return status;
}
