/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_round_off.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event_parts.h"
#include "micro_step.h"

/* The fraction of a macro-step over which the slope of an indicator is measured, and bound of the error of an event's time. */
static const double NEAR = 1e-7;

/* Of time: switches that are nearer to each other flip at one event (ms_micro_tiny). */
static const double TOGETHER = 16.0 * DBL_EPSILON;

/* Points that are kept until they are read. */
enum { MET_MAX = 16 };

struct ms_round_off {
    int n_met;
    double t_met[MET_MAX], *met;                /* (MET_MAX n_state) where switches were */
    double off;                                 /* uncertainty of the time of the event [s]; 0: none */
    double *moved;                              /* (nx) uncertainty of the states */
    double *x_before, *x_near;                  /* (n_state) at the event, and shortly before it */
    double *dx_before, *dx_behind, *dx_between; /* (n_state) */
    /* (n) of each function: maximum so far, and values at these points */
    double *largest, *at_event, *shortly_before;
};

int ms_events_keep_round_off(ms_instance *instance)
{
    if (instance->events == NULL || instance->sub->residual != NULL)
        return MS_OK;
    const size_t nx = (size_t)instance->n_state, n = (size_t)instance->events->n;
    ms_round_off *r = calloc(1, sizeof *r);
    double *block = calloc((6 + MET_MAX) * nx + 3 * n + 1, sizeof *block);
    if (r == NULL || block == NULL) {
        free(r);
        free(block);
        return MS_NO_MEMORY;
    }
    r->moved = block;
    r->x_before = r->moved + nx;
    r->x_near = r->x_before + nx;
    r->dx_before = r->x_near + nx;
    r->dx_behind = r->dx_before + nx;
    r->dx_between = r->dx_behind + nx;
    r->largest = r->dx_between + nx;
    r->at_event = r->largest + n;
    r->shortly_before = r->at_event + n;
    r->met = r->shortly_before + n;
    instance->events->round_off = r;
    return MS_OK;
}

void ms_round_off_destroy(ms_events *events)
{
    if (events->round_off != NULL)
        free(events->round_off->moved);
    free(events->round_off);
}

void ms_events_add_round_off(ms_instance *instance, double *x)
{
    double *moved = instance->events != NULL && instance->events->round_off != NULL
                        ? instance->events->round_off->moved
                        : NULL;
    for (int j = 0; moved != NULL && j < instance->sub->nx; j++) {
        x[j] += moved[j];
        moved[j] = 0.0;
    }
}

const double *ms_events_take_met(ms_instance *instance, double *t)
{
    ms_round_off *r = instance->events != NULL ? instance->events->round_off : NULL;
    if (r == NULL || r->n_met == 0)
        return NULL;
    *t = r->t_met[--r->n_met];
    return r->met + (size_t)r->n_met * (size_t)instance->n_state;
}

/* More than there is room for: the last place has the last one. */
static void keep_met(ms_round_off *r, int n, double t)
{
    r->n_met += r->n_met < MET_MAX;
    r->t_met[r->n_met - 1] = t;
    memcpy(r->met + (size_t)(r->n_met - 1) * (size_t)n, r->x_before, sizeof *r->met * (size_t)n);
}

void ms_round_off_note_sizes(ms_events *events, const double *r)
{
    for (int k = 0; k < events->n && events->round_off != NULL; k++)
        events->round_off->largest[k] = fmax(events->round_off->largest[k], fabs(r[k]));
}

static int functions_at(ms_instance *instance, int piece, double t, const double *x, double *r)
{
    ms_point at;
    const int status = ms_micro_point(instance, piece, t, x, &at);
    return status == 0 ? ms_events_functions(instance, piece, &at, r) : status;
}

/* Adds the contribution of each function that has crossed zero to the uncertainty of the time. */
static int add_crossings(ms_instance *instance, int piece, double t)
{
    const ms_events *events = instance->events;
    ms_round_off *r = events->round_off;
    const double near = NEAR * instance->h;
    memcpy(r->x_near, r->x_before, sizeof *r->x_near * (size_t)instance->n_state);
    for (int j = 0; j < instance->sub->nx; j++)
        r->x_near[j] -= near * r->dx_before[j];
    if (functions_at(instance, piece, t, r->x_before, r->at_event) != 0 ||
        functions_at(instance, piece, t - near, r->x_near, r->shortly_before) != 0)
        return 1;
    for (int k = 0; k < events->n; k++) {
        const double slope = fabs(r->at_event[k] - r->shortly_before[k]) / near;
        if (events->crossed[k] != 0)
            r->off += fmin(DBL_EPSILON * r->largest[k] / slope, near);
    }
    return 0;
}

void ms_round_off_note_before(ms_instance *instance, int piece, double t)
{
    const ms_events *events = instance->events;
    ms_round_off *r = events->round_off;
    if (r == NULL)
        return;
    memcpy(r->x_before, instance->state, sizeof *r->x_before * (size_t)instance->n_state);
    if (events->switched && !events->state)
        keep_met(r, instance->n_state, t);
    r->off = DBL_EPSILON * fabs(t);
    if (ms_micro_state_rhs(instance, piece, t, instance->state, r->dx_before) != 0 ||
        ((events->state || events->switched) && add_crossings(instance, piece, t) != 0))
        r->off = 0.0;
}

/* Switches that flip at one event do so in some order, within what time resolves: between two of them, as in a pulse of states of a few
 * numbers of double precision, x' may be large, though it is the same before and behind both. */
static void note_between(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_round_off *r = events->round_off;
    const double off = fmax(r->off, TOGETHER * fabs(t));
    for (int k = 0; k < events->n_sides; k++) {
        if (events->crossed[events->first_side + k] == 0)
            continue;
        events->sides[k] = -events->sides[k];
        const int status = ms_micro_state_rhs(instance, piece, t, instance->state, r->dx_between);
        events->sides[k] = -events->sides[k];
        for (int j = 0; j < instance->sub->nx && status == 0; j++) {
            const double moved = off * fabs(r->dx_between[j] - r->dx_behind[j]);
            r->moved[j] += isfinite(moved) ? moved : 0.0;
        }
    }
}

static int flips(const ms_events *events)
{
    int n = 0;
    for (int k = events->first_side; k < events->n; k++)
        n += events->crossed[k] != 0;
    return n;
}

/* If the event has set states, their sources are uncertain as well, and no difference counts as small. */
void ms_round_off_note_behind(ms_instance *instance, int piece, double t)
{
    ms_round_off *r = instance->events->round_off;
    const int nx = instance->sub->nx;
    if (r == NULL || !(r->off > 0.0) ||
        ms_micro_state_rhs(instance, piece, t, instance->state, r->dx_behind) != 0)
        return;
    const bool sets = memcmp(r->x_before, instance->state, sizeof *r->x_before * (size_t)nx) != 0;
    for (int j = 0; j < nx; j++) {
        const double before = r->dx_before[j], behind = r->dx_behind[j];
        r->moved[j] += r->off * (sets ? fabs(before) + fabs(behind) : fabs(behind - before));
    }
    if (flips(instance->events) > 1)
        note_between(instance, piece, t);
}
