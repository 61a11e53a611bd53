/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monolithic_round_off.c - by how much states are not known behind events and switches, whose times are known but for round-off. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "monolithic.h"
#include "monolithic_parts.h"

/* The part of a macro-step over which the slope of an indicator is measured; of it the time of an event is off at most. */
static const double NEAR = 1e-7;

int ms_monolithic_round_off_create(ms_monolith *m)
{
    ms_monolithic_events *events = &m->events;
    const size_t nx = (size_t)m->system->nx, n = (size_t)events->n + (size_t)events->n_switches;
    events->moved = calloc(4 * nx + 2 * n + 1, sizeof *events->moved);
    if (events->moved == NULL)
        return MS_NO_MEMORY;
    events->x_near = events->moved + nx;
    events->dx_before = events->x_near + nx;
    events->dx_behind = events->dx_before + nx;
    events->largest = events->dx_behind + nx;
    events->near = events->largest + n;
    return MS_OK;
}

void ms_monolithic_forget_round_off(ms_monolith *m)
{
    for (int j = 0; j < m->system->nx && m->events.moved != NULL; j++)
        m->events.moved[j] = 0.0;
}

void ms_monolithic_note_sizes(ms_monolith *m, const double *r)
{
    double *largest = m->events.largest;
    for (int k = 0; k < m->events.n + m->events.n_switches && m->events.moved != NULL; k++)
        largest[k] = fmax(largest[k], fabs(r[k]));
}

/* x' at the point where switches that have crossed zero are before it (side -1) or behind it (1). z is left as it was. */
static int slope_beside(ms_monolith *m, const ms_point *at, const ms_event *event, int side, double *dx)
{
    double *signs = event->z + m->system->nz + m->events.n, *kept = m->events.near;
    ms_point point = *at;
    point.z = event->z;
    for (int k = 0; k < m->events.n_switches; k++) {
        const int crossed = event->state ? event->crossed[m->events.n + k] : 0;
        kept[k] = signs[k];
        signs[k] = crossed != 0 ? side * crossed : signs[k];
    }
    const int status = ms_monolithic_f(&point, dx);
    memcpy(signs, kept, sizeof *signs * (size_t)m->events.n_switches);
    return status;
}

/* Those of the functions that cross zero are off by round-off of their terms, and the time by that over the slope: much near a crest. */
static int add_crossings(ms_monolith *m, const ms_point *at, const ms_event *event)
{
    ms_monolithic_events *events = &m->events;
    const double near = NEAR * m->system->step_size;
    ms_point before = *at;
    before.t -= near;
    before.x = events->x_near;
    for (int j = 0; j < m->system->nx; j++)
        events->x_near[j] = at->x[j] - near * events->dx_before[j];
    if (ms_monolithic_indicators(at, events->after) != 0 ||
        ms_monolithic_indicators(&before, events->near) != 0)
        return 1;
    for (int k = 0; k < events->n + events->n_switches; k++) {
        const double slope = fabs(events->after[k] - events->near[k]) / near;
        if (event->crossed[k] != 0)
            events->off += fmin(DBL_EPSILON * events->largest[k] / slope, near);
    }
    return 0;
}

void ms_monolithic_note_before(ms_monolith *m, const ms_point *at, const ms_event *event)
{
    ms_monolithic_events *events = &m->events;
    if (events->moved == NULL)
        return;
    events->off = DBL_EPSILON * fabs(at->t);
    if (slope_beside(m, at, event, -1, events->dx_before) != 0 ||
        (event->state && add_crossings(m, at, event) != 0))
        events->off = 0.0; /* a differential-algebraic one */
}

/* Where the event has set states, what they were set from moved as well, and no difference is small. */
void ms_monolithic_note_behind(ms_monolith *m, const ms_point *at, const ms_event *event)
{
    const ms_monolithic_events *events = &m->events;
    const size_t bytes = sizeof *event->x * (size_t)m->system->nx;
    ms_point behind = *at;
    behind.x = event->x;
    if (events->moved == NULL || !(events->off > 0.0) ||
        slope_beside(m, &behind, event, 1, events->dx_behind) != 0)
        return;
    const bool sets = bytes > 0 && memcmp(at->x, event->x, bytes) != 0;
    for (int j = 0; j < m->system->nx; j++) {
        const double before = events->dx_before[j], after = events->dx_behind[j];
        events->moved[j] += events->off * (sets ? fabs(before) + fabs(after) : fabs(after - before));
    }
}

void ms_monolithic_add_round_off(const ms_system *watched, double *x)
{
    ms_monolith *m = ms_monolith_of(watched->sub[0].data);
    for (int j = 0; j < m->system->nx && m->events.moved != NULL; j++)
        x[j] += m->events.moved[j];
    ms_monolithic_forget_round_off(m);
}
