/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_surfaces.c - where a solution begins to slide along switches, and where it leaves them. */
#include <math.h>
#include <string.h>

#include "event_functions.h"
#include "event_sides.h"
#include "event_sliding.h"
#include "event_sliding_parts.h"
#include "micro_step.h"

/* A sign of a switch along which the solution slid. */
static const double SLID = 0.5;

/* So much of a macro-step the solution may be away from a surface along which it still slides. */
static const double NEAR = 1e-9;

/* Gradients whose angle has this sine at most are parallel. Terms that are left of f where it is a sum are below this, relatively. */
static const double PARALLEL = 1e-7, REST = 1e-6;

static double *sign_of(const ms_events *events, int k)
{
    return &events->indicator_sign[events->first_side + k];
}

/* Removes surface i; its switches stay where they are. */
static void remove_surface(ms_instance *instance, int i)
{
    ms_sliding *s = instance->events->sliding;
    const int last = --s->n;
    s->leader[i] = s->leader[last];
    s->alpha[i] = s->alpha[last];
    for (int k = 0; k < instance->events->n_sides; k++)
        s->surface[k] = s->surface[k] == i ? -1 : s->surface[k] == last ? i : s->surface[k];
    instance->field = s->n > 0 ? &ms_sliding_field : NULL;
}

/* The functions themselves. */
static int functions_at(ms_instance *instance, int piece, double t, double *r)
{
    ms_point at;
    if (ms_events_point(instance, piece, t, instance->state, &at) != 0)
        return 1;
    at.sides = instance->events->sides;
    return ms_subsystem_switches(instance->system, instance->index, &at, instance->w, r);
}

/* Switch k is on a side from now on. It is near its surface, and may be in front of it as far as it is now. */
static void put(ms_events *events, int k, double side)
{
    *sign_of(events, k) = side * (1.0 + 2.0 * fabs(events->sliding->s[k]));
    events->sides[k] = side;
}

/* f behind surface i, or in front of it, is what goes on from here. */
static void leave_surface(ms_instance *instance, int i, bool behind)
{
    ms_events *events = instance->events;
    const ms_sliding *s = events->sliding;
    for (int k = 0; k < events->n_sides; k++)
        if (s->surface[k] == i)
            put(events, k, behind ? s->behind[k] : -s->behind[k]);
    remove_surface(instance, i);
}

/* Does the solution slide on along surface i? */
static bool holds(const ms_sliding *s, int i)
{
    return s->alpha[i] > 0.0 && s->alpha[i] < 1.0 && ms_sliding_attracts(s, i);
}

/* Which surface does the solution leave? -1: none. */
static int left(const ms_events *events)
{
    const ms_sliding *s = events->sliding;
    for (int i = 0; i < s->n; i++)
        if (!holds(s, i) || events->crossed[events->first_side + s->leader[i]] != 0)
            return i;
    return -1;
}

void ms_sliding_leave(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    while (s != NULL && s->n > 0) {
        const int status =
            ms_sliding_fields(instance, piece, t, instance->state) | functions_at(instance, piece, t, s->s);
        const int i = status == 0 ? left(events) : s->n - 1;
        if (i < 0)
            return;
        const int leader = s->leader[i];
        events->crossed[events->first_side + leader] = 0;
        leave_surface(instance, i, s->solved ? s->alpha[i] > 0.5 : s->rate[leader] * s->behind[leader] > 0.0);
        instance->work.switches++;
    }
}

void ms_sliding_pause(ms_instance *instance)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    if (s == NULL)
        return;
    for (int k = 0; k < events->n_sides; k++)
        if (s->surface[k] >= 0)
            *sign_of(events, k) = SLID * s->behind[k];
    while (s->n > 0)
        remove_surface(instance, s->n - 1);
}

/* Beginning ------------------------------------------------------------------------------------------------ */

/* f is a sum of what each surface adds where this is so behind all of them. */
static bool is_sum(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    const ms_vector_field *field = instance->field;
    double rest = 0.0, size = 0.0;
    if (s->n == 1)
        return true;
    for (int k = 0; k < events->n_sides; k++)
        events->sides[k] = s->surface[k] >= 0 ? s->behind[k] : events->sides[k];
    instance->field = NULL;
    const int status = ms_instance_rhs(instance, piece, t, instance->state, s->near);
    instance->field = field;
    if (status != 0)
        return false;
    for (int j = 0; j < instance->sub->nx; j++) {
        double sum = s->dx[j];
        for (int i = 0; i < s->n; i++) {
            const double more = s->dx[(i + 1) * instance->n_state + j] - s->dx[j];
            sum += more;
            size = fmax(size, fabs(more));
        }
        rest = fmax(rest, fabs(s->near[j] - sum));
    }
    return rest <= REST * size;
}

/* The gradient of the leader's function, and s->gradient: of all, their squares and products with it, time taken for a state more. */
static int look_at_gradients(ms_instance *instance, int piece, double t, int leader)
{
    ms_sliding *s = instance->events->sliding;
    const int n = instance->events->n_sides, nx = instance->sub->nx;
    double *square = s->gradient, *product = square + n, *constant = product + n, *rate = s->rate;
    memset(s->gradient, 0, sizeof *s->gradient * 3 * (size_t)n);
    for (int j = -1; j < nx; j++) {
        for (int i = 0; i < nx; i++)
            s->near[i] = i == j;
        if (ms_sliding_rates(instance, piece, t, instance->state, s->near, rate) != 0)
            return 1;
        for (int k = 0; k < n; k++) {
            square[k] += (rate[k] - constant[k]) * (rate[k] - constant[k]);
            product[k] += (rate[k] - constant[k]) * (rate[leader] - constant[leader]);
        }
        if (j < 0)
            memcpy(constant, rate, sizeof *constant * (size_t)n);
        else
            s->normal[j] = rate[leader] - constant[leader];
    }
    return 0;
}

/* Marks of the switches that are tried those which have the surface of the leader as the next one, with their sides behind it: where they
 * have crossed to, or seen from the leader's. Returns 0 where the gradients are defined. */
static int mark(ms_instance *instance, int piece, double t, int leader, const int *crossed)
{
    ms_sliding *s = instance->events->sliding;
    const int n = instance->events->n_sides;
    const double *square = s->gradient, *product = square + n;
    bool alone = true;
    for (int k = 0; k < n; k++)
        alone = alone && (!s->tried[k] || k == leader);
    if (!alone && look_at_gradients(instance, piece, t, leader) != 0)
        return 1;
    for (int k = 0; k < n; k++) {
        const double size = alone ? 0.0 : sqrt(square[k] * square[leader]);
        const bool same = s->tried[k] && size > 0.0 && fabs(product[k]) >= (1.0 - PARALLEL * PARALLEL) * size;
        if (k != leader && !same)
            continue;
        s->surface[k] = s->n;
        s->behind[k] = crossed != NULL ? crossed[k] : k == leader || product[k] > 0.0 ? 1 : -1;
        s->tried[k] = false;
    }
    return 0;
}

/* Moves the state to a surface that it has crossed by round-off. */
static void project(ms_instance *instance, int piece, double t, int leader)
{
    ms_sliding *s = instance->events->sliding;
    const int nx = instance->sub->nx;
    double square = 0.0;
    if (look_at_gradients(instance, piece, t, leader) != 0 || functions_at(instance, piece, t, s->s) != 0)
        return;
    for (int j = 0; j < nx; j++)
        square += s->normal[j] * s->normal[j];
    for (int j = 0; j < nx && square > 0.0; j++)
        instance->state[j] -= s->s[leader] * s->normal[j] / square;
}

/* Is the solution near the last surface? */
static bool is_near(const ms_instance *instance)
{
    const ms_sliding *s = instance->events->sliding;
    const int last = s->n - 1;
    const double *rate = s->rate + s->leader[last];
    const double fastest = fmax(fabs(rate[0]), fabs(rate[s->n * instance->events->n_sides]));
    return fabs(s->s[s->leader[last]]) <= NEAR * instance->h * fastest;
}

/* Adds the surface of this switch and of those that are tried and have the same. Where the solution does not slide along it it is
 * removed, and without crossings its switches take the side to which f leads, or where the solution is. Returns whether it slides. */
static bool add(ms_instance *instance, int piece, double t, int leader, const int *crossed)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    if (s->n == MS_SURFACES_MAX || instance->n_laws > 0 || mark(instance, piece, t, leader, crossed) != 0) {
        s->tried[leader] = false;
        return false;
    }
    s->rate[leader] = NAN;
    s->leader[s->n++] = leader;
    const int status = ms_sliding_fields(instance, piece, t, instance->state);
    const double in_front = s->rate[leader], behind = s->rate[s->n * events->n_sides + leader];
    const bool near = crossed != NULL || is_near(instance);
    bool slides = status == 0 && near;
    for (int i = 0; i < s->n; i++)
        slides = slides && holds(s, i);
    if (slides && is_sum(instance, piece, t)) {
        if (crossed != NULL)
            project(instance, piece, t, leader);
        for (int k = 0; k < events->n_sides; k++)
            if (s->surface[k] == s->n - 1) {
                *sign_of(events, k) = 1.0;
                events->crossed[events->first_side + k] = 0;
            }
        instance->field = &ms_sliding_field;
        return true;
    }
    if (crossed != NULL || isnan(in_front))
        remove_surface(instance, s->n - 1);
    else if (near)
        leave_surface(instance, s->n - 1, in_front > 0.0 || (in_front == 0.0 && behind >= 0.0));
    else
        leave_surface(instance, s->n - 1, s->s[leader] > 0.0);
    return false;
}

void ms_sliding_begin(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    const int *crossed = events->crossed + events->first_side;
    for (int k = 0; k < events->n_sides && s != NULL; k++) {
        s->tried[k] =
            crossed[k] != 0 && s->surface[k] < 0 && !ms_sides_released(events, events->first_side + k);
        events->sides[k] = s->tried[k] ? crossed[k] : events->sides[k];
    }
    for (int k = 0; k < events->n_sides && s != NULL; k++)
        if (s->tried[k] && add(instance, piece, t, k, crossed))
            instance->work.slides++;
}

void ms_sliding_resume(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    bool any = false;
    for (int k = 0; k < events->n_sides && s != NULL; k++) {
        s->tried[k] = fabs(*sign_of(events, k)) < 1.0 && !ms_sides_released(events, events->first_side + k);
        any = any || s->tried[k];
    }
    if (!any || functions_at(instance, piece, t, s->s) != 0)
        return;
    for (int k = 0; k < events->n_sides; k++)
        s->tried[k] = s->tried[k] && (*sign_of(events, k) != 0.0 || s->s[k] == 0.0);
    for (int k = 0; k < events->n_sides; k++) {
        const bool slid = *sign_of(events, k) != 0.0;
        if (!s->tried[k])
            continue;
        const bool slides = add(instance, piece, t, k, NULL);
        events->handled = events->handled || slides != slid;
        instance->work.slides += slides && !slid;
        instance->work.switches += slid && !slides;
    }
}
