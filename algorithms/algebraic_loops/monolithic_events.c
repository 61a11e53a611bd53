/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monolithic_events.c - events of all subsystems of a coupled model as those of the monolithic one. */
#include "monolithic_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "events.h"

enum { ROUNDS_MAX = 100 };

/* Time events that are that near to each other, relatively, are one. */
static const double ROUND_OFF = 64.0 * DBL_EPSILON;

int ms_monolithic_events_create(ms_monolith *m)
{
    const ms_system *system = m->system;
    ms_monolithic_events *events = &m->events;
    const size_t n = (size_t)system->n;
    int nw = 0, indicators = 0;
    events->r_at = calloc(n + 1, sizeof *events->r_at);
    MS_TRY_MEMORY(events->r_at);
    for (int i = 0; i < system->n; i++) {
        indicators += system->sub[i].n_indicators;
        events->n_switches += system->sub[i].n_switches;
        events->r_at[i + 1] = indicators;
        nw = nw > system->sub[i].nw ? nw : system->sub[i].nw;
    }
    events->n = indicators;
    events->crossed = calloc((size_t)indicators + 1, sizeof *events->crossed);
    events->concerned = calloc(2 * n, sizeof *events->concerned);
    const size_t known = (size_t)indicators;
    events->before =
        calloc(2 * known + n + (size_t)nw + (size_t)events->n_switches + 1, sizeof *events->before);
    MS_TRY_MEMORY(events->crossed != NULL && events->concerned != NULL && events->before != NULL);
    events->step = events->concerned + n;
    events->after = events->before + known;
    events->due = events->after + known;
    events->w = events->due + n;
    events->sides = events->w + nw;
    return MS_OK;
}

void ms_monolithic_events_destroy(ms_monolith *m)
{
    const ms_monolithic_events *events = &m->events;
    MS_FREE(events->r_at, events->crossed, events->concerned, events->before);
}

/* Indicators of all subsystems where the coupling has been solved. */
static int read_indicators(ms_monolith *m, double t, double *r)
{
    ms_monolithic_events *events = &m->events;
    const ms_system *s = m->system;
    int status = 0;
    for (int i = 0; i < s->n && status == 0; i++) {
        ms_point point = ms_monolithic_point(m, i, t);
        status = ms_subsystem_indicators(s, i, &point, events->w, r + events->r_at[i]);
    }
    return status;
}

int ms_monolithic_indicators(const ms_point *at, double *r)
{
    ms_monolith *m = ms_monolith_of(at->data);
    const int status = ms_monolithic_solve(m, at);
    return status == 0 ? read_indicators(m, at->t, r) : status;
}

int ms_monolithic_switches(const ms_point *at, double *r)
{
    ms_monolith *m = ms_monolith_of(at->data);
    const ms_system *s = m->system;
    int status = ms_monolithic_solve(m, at);
    for (int i = 0; i < s->n && status == 0; i++) {
        ms_point point = ms_monolithic_point(m, i, at->t);
        status = ms_subsystem_switches(s, i, &point, m->events.w, r);
        r += s->sub[i].n_switches;
    }
    return status;
}

int ms_monolithic_switch_rates(const ms_point *at, const ms_rates *r, double *dr)
{
    ms_monolith *m = ms_monolith_of(at->data);
    const ms_system *s = m->system;
    double *dy = m->v;
    int status = ms_monolithic_solve(m, at);
    if (status == 0 && ms_loop_linearise(m->loop, at->t, m->u) != MS_OK)
        status = 1;
    for (int i = 0; i < s->n && status == 0; i++)
        status = ms_instance_output_derivative_along(m->instance[i], at->t, m->u + s->u_at[i],
                                                     r->dx + s->x_at[i], dy + s->y_at[i]);
    if (status != 0)
        return 1;
    ms_loop_solve(m->loop, dy);
    ms_system_couple(s, dy, m->dv);
    for (int i = 0; i < s->n && status == 0; i++) {
        ms_point point = ms_monolithic_point(m, i, at->t);
        if (s->sub[i].n_switches > 0)
            status = ms_subsystem_switch_rates(s, i, &point, m->instance[i]->w, r->dx + s->x_at[i],
                                               m->dv + s->u_at[i], dr);
        dr += s->sub[i].n_switches;
    }
    return status;
}

double ms_monolithic_next_time(double t, const double *z, const double *p, const void *data)
{
    (void)p;
    const ms_monolith *m = ms_monolith_of(data);
    const ms_system *s = m->system;
    double due = INFINITY;
    for (int i = 0; i < s->n; i++) {
        const double own = ms_next_announced_time(s, i, t, z + s->z_at[i]);
        due = isnan(due) || own >= due ? due : own; /* NaN stays */
    }
    return due;
}

double ms_monolithic_time_round_off(double t, const double *z, const double *p, const void *data)
{
    (void)p;
    const ms_monolith *m = ms_monolith_of(data);
    const ms_system *s = m->system;
    double most = 0.0;
    for (int i = 0; i < s->n; i++)
        most = fmax(most, ms_subsystem_time_round_off(s, i, t, z + s->z_at[i]));
    return most;
}

/* Whose step events are there? The coupling has been solved. */
static bool read_steps(ms_monolith *m, double t)
{
    ms_monolithic_events *events = &m->events;
    const ms_system *s = m->system;
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        ms_point point = ms_monolithic_point(m, i, t);
        events->step[i] = ms_subsystem_step_event(s, i, &point, events->w);
        any |= events->step[i];
    }
    return any;
}

bool ms_monolithic_step_event(const ms_point *at)
{
    ms_monolith *m = ms_monolith_of(at->data);
    return ms_monolithic_solve(m, at) == 0 && read_steps(m, at->t);
}

/* Whose time event is the one at t? Those within round-off of it. From then on theirs are served. */
static void read_times(ms_monolith *m, double t, double *z)
{
    ms_monolithic_events *events = &m->events;
    const ms_system *s = m->system;
    const double round_off = ROUND_OFF * fabs(t);
    for (int i = 0; i < s->n; i++) {
        double *own = z + s->z_at[i];
        const double due = ms_next_announced_time(s, i, t - round_off, own);
        if (!(due <= t + round_off) || !ms_subsystem_announces(&s->sub[i]))
            continue;
        events->due[i] = due;
        events->concerned[i] = true;
        *ms_subsystem_served(&s->sub[i], own) = fmax(due, *ms_subsystem_served(&s->sub[i], own));
    }
}

/* Who is concerned by the first round? */
static void find_concerned(ms_monolith *m, const ms_point *at, const ms_event *event)
{
    ms_monolithic_events *events = &m->events;
    const ms_system *s = m->system;
    for (int i = 0; i < s->n; i++) {
        events->concerned[i] = events->step[i] = false;
        for (int k = events->r_at[i]; k < events->r_at[i + 1]; k++) {
            events->crossed[k] = event->state ? event->crossed[k] : 0;
            events->concerned[i] = events->concerned[i] || events->crossed[k] != 0;
        }
        events->due[i] = INFINITY;
    }
    if (event->time)
        read_times(m, at->t, event->z);
    if (event->step)
        read_steps(m, at->t);
    for (int i = 0; i < s->n; i++)
        events->concerned[i] = events->concerned[i] || events->step[i];
}

/* Calls the handlers of those concerned, each with its own causes. */
static int call_handlers(ms_monolith *m, double t, bool time, const ms_event *event)
{
    ms_monolithic_events *events = &m->events;
    const ms_system *s = m->system;
    int status = 0;
    for (int i = 0; i < s->n && status == 0; i++) {
        if (!events->concerned[i])
            continue;
        const bool due = time && isfinite(events->due[i]);
        ms_point point = ms_monolithic_point(m, i, due ? events->due[i] : t);
        ms_event own = {.crossed = events->crossed + events->r_at[i],
                        .time = due,
                        .step = events->step[i],
                        .x = event->x + s->x_at[i],
                        .z = event->z + s->z_at[i]};
        for (int k = events->r_at[i]; k < events->r_at[i + 1]; k++)
            own.state = own.state || events->crossed[k] != 0;
        status = ms_subsystem_handle(s, i, &point, events->w, &own);
    }
    return status;
}

/* Who of the others has changed its sign with its inputs? */
static bool find_others(ms_monolith *m)
{
    ms_monolithic_events *events = &m->events;
    const ms_system *s = m->system;
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        const bool handled = events->concerned[i];
        events->concerned[i] = events->step[i] = false;
        for (int k = events->r_at[i]; k < events->r_at[i + 1]; k++) {
            const double before = events->before[k], after = events->after[k];
            const bool crossed = !handled && ms_events_crossed(before, after);
            events->crossed[k] = !crossed ? 0 : before < 0.0 ? 1 : -1;
            events->concerned[i] = events->concerned[i] || crossed;
            events->before[k] = after;
        }
        any |= events->concerned[i];
    }
    return any;
}

int ms_monolithic_handle(const ms_point *at, const ms_event *event)
{
    ms_monolith *m = ms_monolith_of(at->data);
    ms_monolithic_events *events = &m->events;
    ms_point now = *at;
    bool more = true, time = event->time;
    int status = ms_monolithic_solve(m, at);
    if (status == 0)
        status = read_indicators(m, at->t, events->before);
    if (status == 0)
        find_concerned(m, at, event);
    now.x = event->x;
    now.z = event->z;
    for (int round = 0; more && status == 0; round++, time = false) {
        status = round < ROUNDS_MAX ? call_handlers(m, at->t, time, event) : 1;
        if (status == 0)
            status = ms_monolithic_solve(m, &now);
        if (status == 0)
            status = read_indicators(m, at->t, events->after);
        more = status == 0 && find_others(m);
    }
    return status;
}
