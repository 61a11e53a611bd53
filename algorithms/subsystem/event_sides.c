/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_parts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Consecutive flips without progress, and micro-steps of the first release. */
enum { FLIPS_MAX = 10, REST = 32 };

/* A flip makes no progress if it follows the last one within this fraction of the micro-step in which it is found, or of the macro-step. */
static const double NEAR_MICRO = 1e-6, NEAR_MACRO = 1e-9;

struct ms_chatter {
    int flips;         /* consecutive flips */
    double last;       /* time of the last one [s] */
    long left;         /* remaining micro-steps of the release; 0: it is watched */
    long rest;         /* length of the last release in micro-steps; 0: none in this macro-step */
    double begin, end; /* of the last release [s] */
};

int ms_switch_sides_create(ms_instance *instance)
{
    ms_events *events = instance->events;
    const size_t n = (size_t)instance->sub->n_switches;
    events->n_sides = instance->sub->n_switches;
    events->first_side = instance->sub->n_indicators;
    events->sides = calloc(n + 1, sizeof *events->sides);
    events->chatter = calloc(n + 1, sizeof *events->chatter);
    events->woken = calloc(n + 1, sizeof *events->woken);
    return events->sides != NULL && events->chatter != NULL && events->woken != NULL ? MS_OK : MS_NO_MEMORY;
}

void ms_switch_sides_destroy(ms_events *events)
{
    MS_FREE(events->sides, events->chatter, events->woken);
}

void ms_switch_sides_start(ms_events *events)
{
    events->flips = 0;
    for (int k = 0; k < events->n_sides; k++)
        events->chatter[k] = (ms_chatter){.last = -INFINITY};
}

static void take(ms_events *events, int k)
{
    events->sides[k] = events->chatter[k].left == 0 ? events->indicator_sign[events->first_side + k] : 0.0;
}

void ms_switch_sides_take(ms_events *events)
{
    for (int k = 0; k < events->n_sides; k++)
        take(events, k);
}

void ms_switch_sides_take_others(ms_events *events)
{
    for (int k = 0; k < events->n_sides; k++)
        if (events->crossed[events->first_side + k] == 0)
            take(events, k);
}

bool ms_switch_sides_released(const ms_events *events, int k)
{
    return k >= events->first_side && events->chatter[k - events->first_side].left > 0;
}

bool ms_switch_sides_count(ms_events *events, double t)
{
    bool any = false;
    for (int k = 0; k < events->n_sides; k++) {
        ms_chatter *c = &events->chatter[k];
        events->woken[k] = c->left > 0 && --c->left == 0;
        c->end = events->woken[k] ? t : c->end;
        any = any || events->woken[k];
    }
    return any;
}

/* Releases a switch from t on, for longer than last time unless it has been watched for longer since. The method, unaware of the jump ahead,
 * begins with a step of its own estimate. */
static void release(ms_instance *instance, ms_chatter *c, double t, bool for_good)
{
    c->rest = c->rest > 0 && t - c->end <= c->end - c->begin ? 2 * c->rest : REST;
    c->left = for_good ? LONG_MAX : c->rest;
    c->begin = t;
    c->flips = 0;
    for (int k = 0; k < instance->solver->memory; k++)
        instance->memory[k] = 0.0;
}

/* Bounds the number of flips: at most as many per macro-step as it may have micro-steps. */
static void note_flip(ms_instance *instance, ms_chatter *c, double t)
{
    ms_events *events = instance->events;
    const double near = fmax(NEAR_MICRO * events->attempted, NEAR_MACRO * instance->h);
    const bool spent = ++events->flips > instance->micro_steps_max;
    c->flips = t - c->last > near ? 1 : c->flips + 1;
    c->last = t;
    if (c->flips > FLIPS_MAX || spent)
        release(instance, c, t, spent);
    instance->work.switches++;
}

void ms_switch_sides_count_flips(ms_instance *instance, double t)
{
    ms_events *events = instance->events;
    for (int k = 0; k < events->n_sides; k++)
        if (events->crossed[events->first_side + k] != 0)
            note_flip(instance, &events->chatter[k], t);
}
