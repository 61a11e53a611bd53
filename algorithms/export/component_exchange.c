/* SPDX-License-Identifier: GPL-3.0-or-later */
/* component_exchange.c - an exported subsystem in model exchange: the master integrates it, and it handles its events.
 *
 * On which side of zero an indicator was seen last comes after the discrete variables, where the micro-solvers of
 * co-simulation keep it (events.h); an event is a change of sign since the last handling. */
#include <math.h>
#include <string.h>

#include "component_parts.h"
#include "events.h"

int ms_component_set_time(ms_component *component, double t)
{
    component->clock.t = t;
    ms_component_touch(component);
    return MS_OK;
}

int ms_component_set_states(ms_component *component, const double *x)
{
    memcpy(component->instance->x, x, sizeof *x * (size_t)component->exported.sub->nx);
    ms_component_touch(component);
    return MS_OK;
}

int ms_component_get_states(ms_component *component, double *x)
{
    MS_TRY(ms_component_refresh(component));
    memcpy(x, component->instance->x, sizeof *x * (size_t)component->exported.sub->nx);
    return MS_OK;
}

/* Events ------------------------------------------------------------------------------------------------- */

/* Sides of indicators r; those that are zero are on that one to which they have crossed. */
static void note_signs(ms_component *c, const double *r)
{
    double *sign = c->instance->z + c->exported.sub->nz;
    for (int k = 0; k < c->exported.sub->n_indicators; k++)
        if (r[k] != 0.0)
            sign[k] = r[k] > 0.0 ? 1.0 : -1.0;
        else if (c->crossed[k] != 0)
            sign[k] = c->crossed[k];
}

/* Which indicators have changed their sign. */
static int look(ms_component *c, bool *any)
{
    const double *sign = c->instance->z + c->exported.sub->nz;
    const int status = ms_component_indicators(c, c->r);
    *any = false;
    for (int k = 0; k < c->exported.sub->n_indicators && status == MS_OK; k++) {
        const bool crossed = ms_events_crossed(sign[k], c->r[k]);
        c->crossed[k] = !crossed ? 0 : sign[k] < 0.0 ? 1 : -1;
        *any = *any || crossed;
    }
    return status;
}

int ms_component_completed_step(ms_component *component, bool *event)
{
    ms_component *c = component;
    ms_point at = ms_component_point(c);
    *event = false;
    if (c->exported.sub->step_event != NULL)
        *event = ms_subsystem_step_event(c->exported.system, c->exported.index, &at, c->instance->w);
    c->clock.step_event = *event;
    return MS_OK;
}

/* Is the announced time reached? */
static bool is_due(const ms_component *c)
{
    const double due = c->clock.due, t = c->clock.t;
    return isfinite(due) && (t >= due || ms_micro_tiny(t, due - t));
}

static int call_handler(ms_component *c, const ms_event *event)
{
    const size_t nx = (size_t)c->exported.sub->nx, nz = (size_t)c->exported.sub->nz;
    ms_point at = ms_component_point(c);
    at.t = event->time ? c->clock.due : at.t;
    at.x = c->before;
    at.z = c->before + nx;
    memcpy(c->before, c->instance->x, sizeof(double) * nx);
    memcpy(c->before + nx, c->instance->z, sizeof(double) * nz);
    ms_component_touch(c);
    if (ms_subsystem_handle(c->exported.system, c->exported.index, &at, c->instance->w, event) != 0)
        return ms_fail(&c->error, MS_STEP_REJECTED, "the handler of an event failed at %.17g s", at.t);
    return MS_OK;
}

static int handle(ms_component *c, bool state, bool time, bool *changed)
{
    const ms_event event = {.state = state,
                            .crossed = c->crossed,
                            .time = time,
                            .step = c->clock.step_event != 0.0,
                            .x = c->instance->x,
                            .z = c->instance->z};
    if (c->exported.sub->handle == NULL || !(state || time || event.step))
        return MS_OK;
    int status = call_handler(c, &event);
    MS_THEN(status, ms_component_indicators(c, c->r));
    *changed = memcmp(c->before, c->instance->x, sizeof(double) * (size_t)c->exported.sub->nx) != 0;
    return status;
}

int ms_component_handle_events(ms_component *component, bool *states_changed, double *next_time)
{
    ms_component *c = component;
    const bool time = is_due(c);
    bool state = false;
    *states_changed = false;
    if (time && ms_subsystem_announces(c->exported.sub))
        *ms_subsystem_served(c->exported.sub, c->instance->z) =
            fmax(c->clock.due, *ms_subsystem_served(c->exported.sub, c->instance->z));
    MS_TRY(look(c, &state));
    MS_TRY(handle(c, state, time, states_changed));
    note_signs(c, c->r);
    c->clock.step_event = 0.0;
    const double from = time ? fmax(c->clock.t, c->clock.due) : c->clock.t;
    c->clock.due = ms_next_announced_time(c->exported.system, c->exported.index, from, c->instance->z);
    *next_time = c->clock.due;
    return MS_OK;
}
