/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_surfaces.c - where a solution starts to slide along switches, and where it leaves them. */
#include <math.h>
#include <string.h>

#include "event_parts.h"
#include "event_sliding.h"
#include "micro_step.h"

/* Signs of a switch along which the solution slid, and of one that it has reached while sliding along others. */
static const double SLID = 0.5, REACHED = 0.25;

/* Tolerance for a solution on a surface, as a fraction of a macro-step: within it the solution still slides. */
static const double NEAR = 1e-12;

/* Gradients are parallel if the sine of their angle is at most this. If f is a sum, the relative remainder of its terms is below this. */
static const double PARALLEL = 1e-7, REST = 1e-6;

static double *sign_of(const ms_events *events, int k)
{
    return &events->indicator_sign[events->first_side + k];
}

/* Removes surface i; its switches keep their sides. */
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
    if (ms_micro_point(instance, piece, t, instance->state, &at) != 0)
        return 1;
    at.sides = instance->events->sides;
    return ms_subsystem_switches(instance->system, instance->index, &at, instance->w, r);
}

/* Puts switch k on one side. Its function is near zero and may still have the other sign, down to its present value. */
static void put(ms_events *events, int k, double side)
{
    *sign_of(events, k) = side * (1.0 + 2.0 * fabs(events->sliding->s[k]));
    events->sides[k] = side;
}

/* Leaves surface i; from here on f is the one behind it, or in front of it. */
static void leave_surface(ms_instance *instance, int i, bool behind)
{
    ms_events *events = instance->events;
    const ms_sliding *s = events->sliding;
    for (int k = 0; k < events->n_sides; k++)
        if (s->surface[k] == i)
            put(events, k, behind ? s->behind[k] : -s->behind[k]);
    remove_surface(instance, i);
}

/* Does the solution keep sliding along surface i? */
static bool holds(const ms_sliding *s, int i)
{
    return s->alpha[i] > 0.0 && s->alpha[i] < 1.0 && ms_sliding_attracts(s, i);
}

/* The surface that the solution leaves; -1: none. */
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

/* f is the sum of the contributions of the surfaces if this holds behind all of them. */
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

/* The gradient of the leader's function; and s->gradient of all functions: their squares and products with it, with time as a further state. */
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

/* Marks the candidate switches that share the leader's surface as surface i, with their sides behind it: the side
 * crossed to, or relative to the leader's. Returns 0 if the gradients are defined. */
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

/* Moves the state back to a surface that it has crossed by round-off. */
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

/* The solution slides along surface i from here on. */
static void take(ms_instance *instance, int i)
{
    ms_events *events = instance->events;
    instance->field = &ms_sliding_field;
    for (int k = 0; k < events->n_sides; k++)
        if (events->sliding->surface[k] == i) {
            *sign_of(events, k) = 1.0;
            events->crossed[events->first_side + k] = 0;
        }
}

/* Adds the surface of a switch that has crossed, with the other switches of that surface. Returns whether the solution slides along it. */
static bool add(ms_instance *instance, int piece, double t, int leader, const int *crossed)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    s->tried[leader] = false;
    if (s->n == MS_SURFACES_MAX || mark(instance, piece, t, leader, crossed) != 0)
        return false;
    s->leader[s->n++] = leader;
    bool slides = ms_sliding_fields(instance, piece, t, instance->state) == 0;
    for (int i = 0; i < s->n; i++)
        slides = slides && holds(s, i);
    if (!slides || !is_sum(instance, piece, t)) {
        remove_surface(instance, s->n - 1);
        return false;
    }
    project(instance, piece, t, leader);
    take(instance, s->n - 1);
    return true;
}

/* A solution that slides along some surfaces has reached others and does not slide along all of them: chooses how it continues. Surfaces near it
 * may be sums and differences of others. */
static void try_anew(ms_instance *instance, int piece, double t, const int *crossed)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    if (ms_sliding_fields(instance, piece, t, instance->state) != 0 ||
        functions_at(instance, piece, t, s->s) != 0)
        return;
    for (int k = 0; k < events->n_sides; k++)
        if (s->surface[k] < 0 && !ms_switch_sides_released(events, events->first_side + k) &&
            (crossed[k] != 0 || fabs(s->s[k]) <= NEAR * instance->h * fabs(s->rate[k])))
            *sign_of(events, k) = copysign(REACHED, events->sides[k]);
    ms_sliding_pause(instance);
    ms_sliding_resume(instance, piece, t);
    for (int k = 0; k < events->n_sides; k++)
        if (fabs(*sign_of(events, k)) == REACHED) /* no choice: keeps sliding along the previous surfaces */
            events->sides[k] = *sign_of(events, k) = copysign(1.0, *sign_of(events, k));
    if (s->n == 0)
        ms_sliding_resume(instance, piece, t);
}

void ms_sliding_begin(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    const int *crossed = events->crossed + events->first_side;
    if (s == NULL || instance->n_laws > 0)
        return;
    for (int k = 0; k < events->n_sides; k++) {
        s->tried[k] =
            crossed[k] != 0 && s->surface[k] < 0 && !ms_switch_sides_released(events, events->first_side + k);
        events->sides[k] = s->tried[k] ? crossed[k] : events->sides[k];
    }
    bool all = true;
    for (int k = 0; k < events->n_sides; k++)
        if (s->tried[k]) {
            const bool slides = add(instance, piece, t, k, crossed);
            instance->work.slides += slides;
            all = all && slides;
        }
    if (!all && s->n > 0)
        try_anew(instance, piece, t, crossed);
}

/* Where the solution is, or was -------------------------------------------------------------------------- */

/* Is the solution near surface i? */
static bool is_near(const ms_instance *instance, int i)
{
    const ms_sliding *s = instance->events->sliding;
    const double *rate = s->rate + s->leader[i];
    const double fastest = fmax(fabs(rate[0]), fabs(rate[(i + 1) * instance->events->n_sides]));
    return fabs(s->s[s->leader[i]]) <= NEAR * instance->h * fastest;
}

/* How the solution continues at a surface. */
enum { SLIDES, BEHIND, IN_FRONT, WAYS };

static int way_of(long choice, int surface)
{
    for (int i = 0; i < surface; i++)
        choice /= WAYS;
    return (int)(choice % WAYS);
}

/* Of n surfaces (leader; s->group of each switch) selects those along which it slides for this choice, and the sides of the others. */
static void choose(ms_events *events, long choice, int n, const int *leader)
{
    ms_sliding *s = events->sliding;
    int place[MS_SURFACES_MAX];
    s->n = 0;
    for (int i = 0; i < n; i++) {
        place[i] = way_of(choice, i) == SLIDES ? s->n : -1;
        if (place[i] >= 0)
            s->leader[s->n++] = leader[i];
    }
    for (int k = 0; k < events->n_sides; k++) {
        if (s->group[k] < 0)
            continue;
        s->surface[k] = place[s->group[k]];
        events->sides[k] = way_of(choice, s->group[k]) == BEHIND ? s->behind[k] : -s->behind[k];
    }
}

/* Is f consistent with the choice? */
static bool is_so(ms_instance *instance, int piece, double t, int n, const int *leader)
{
    const ms_events *events = instance->events;
    const ms_sliding *s = events->sliding;
    double *rate = s->gradient;
    bool so = ms_sliding_fields(instance, piece, t, instance->state) == 0 && s->solved;
    for (int i = 0; i < s->n; i++)
        so = so && holds(s, i);
    if (!so)
        return false;
    ms_sliding_sum(s, events->n_sides, s->rate, events->n_sides, rate);
    for (int i = 0; i < n; i++)
        so = so && (s->surface[leader[i]] >= 0 || rate[leader[i]] * events->sides[leader[i]] >= 0.0);
    return so && is_sum(instance, piece, t);
}

/* Collects the switches that slid when last seen, and those that are zero where the run starts. Returns whether there are any. */
static bool find_candidates(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    bool any = false;
    for (int k = 0; k < events->n_sides; k++) {
        s->tried[k] =
            fabs(*sign_of(events, k)) < 1.0 && !ms_switch_sides_released(events, events->first_side + k);
        any = any || s->tried[k];
    }
    if (!any || functions_at(instance, piece, t, s->s) != 0)
        return false;
    for (int k = 0; k < events->n_sides; k++)
        s->tried[k] = s->tried[k] && (*sign_of(events, k) != 0.0 || s->s[k] == 0.0);
    return true;
}

/* Leaves surfaces that are no longer near: their switches take the side of the solution. */
static void leave_far(ms_instance *instance, int piece, double t)
{
    const ms_sliding *s = instance->events->sliding;
    if (ms_sliding_fields(instance, piece, t, instance->state) != 0)
        return;
    for (int i = s->n - 1; i >= 0; i--)
        if (!is_near(instance, i))
            leave_surface(instance, i, s->s[s->leader[i]] * s->behind[s->leader[i]] > 0.0);
}

/* Notes the choice made and updates the counters. */
static void go_on(ms_instance *instance)
{
    ms_events *events = instance->events;
    const ms_sliding *s = events->sliding;
    for (int k = 0; k < events->n_sides; k++) {
        const bool slid = fabs(*sign_of(events, k)) == SLID,
                   leads = s->surface[k] >= 0 && s->leader[s->surface[k]] == k;
        if (s->group[k] < 0)
            continue;
        events->handled = events->handled || slid != (s->surface[k] >= 0);
        instance->work.switches += slid && s->surface[k] < 0;
        instance->work.slides += leads && !slid;
        if (s->surface[k] < 0)
            put(events, k, events->sides[k]);
    }
    for (int i = 0; i < s->n; i++)
        take(instance, i);
}

void ms_sliding_resume(ms_instance *instance, int piece, double t)
{
    ms_events *events = instance->events;
    ms_sliding *s = events->sliding;
    int leader[MS_SURFACES_MAX];
    long choices = 1, choice = 0;
    if (s == NULL || instance->n_laws > 0 || !find_candidates(instance, piece, t))
        return;
    for (int k = 0; k < events->n_sides; k++)
        if (s->tried[k] && s->n < MS_SURFACES_MAX && mark(instance, piece, t, k, NULL) == 0)
            s->leader[s->n++] = k;
    leave_far(instance, piece, t);
    instance->field = NULL;
    const int n = s->n;
    memcpy(leader, s->leader, sizeof leader);
    memcpy(s->group, s->surface, sizeof *s->group * (size_t)events->n_sides);
    for (int i = 0; i < n; i++)
        choices *= WAYS;
    do
        choose(events, choice, n, leader);
    while (!is_so(instance, piece, t, n, leader) && ++choice < choices);
    if (choice < choices)
        go_on(instance);
    while (s->n > 0 && choice == choices)
        remove_surface(instance, s->n - 1);
}
