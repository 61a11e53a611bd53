/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_exchange.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>

/* Workers ------------------------------------------------------------------------------------------------ */

static void destroy_worker(ms_exchange_worker *w)
{
    if (w == NULL)
        return;
    for (int k = 0; k < MS_FMU_SNAPSHOTS && w->component != NULL; k++)
        ms_fmu_free_state(w->component, &w->snapshot[k]);
    for (int k = 0; k < MS_EXCHANGE_PASTS; k++)
        ms_fmu_component_destroy(&w->other[k].component);
    ms_fmu_component_destroy(&w->component);
    MS_FREE(w->column, w);
}

void ms_exchange_end(void *object)
{
    ms_exchange *e = object;
    for (ms_exchange_worker *w = e->first, *next; w != NULL; w = next) {
        next = atomic_load(&w->next);
        destroy_worker(w);
    }
}

/* One that has been initialised. */
static int create_component(const ms_exchange *e, ms_exchange_worker *w, ms_error *error)
{
    const ms_fmu_places *at = e->at;
    MS_TRY(ms_fmu_component_create(e->fmu, &e->setup, &w->component, error));
    int status = ms_fmu_component_initialise(w->component, &at->u, e->u0);
    if (status == MS_OK)
        return MS_OK;
    return ms_fail(error, MS_SOLVER_FAILED, "%s: it cannot be initialised: %s", ms_fmu_path(e->fmu),
                   ms_fmu_component_said(w->component));
}

/* With a component; it is busy. */
static int create_worker(const ms_exchange *e, ms_exchange_worker **out, ms_error *error)
{
    const ms_fmu_places *at = e->at;
    ms_exchange_worker *w = *out = calloc(1, sizeof *w);
    if (w == NULL || (w->column = calloc((size_t)(at->nx + at->ny + at->nu) + 1, sizeof *w->column)) == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for a component", ms_fmu_path(e->fmu));
    w->told = w->column + at->nx + at->ny;
    atomic_flag_clear(&w->busy);
    atomic_flag_test_and_set(&w->busy);
    atomic_init(&w->next, NULL);
    return create_component(e, w, error);
}

ms_exchange_worker *ms_exchange_take(const ms_exchange *e)
{
    ms_exchange_worker *w = e->first;
    while (atomic_flag_test_and_set_explicit(&w->busy, memory_order_acquire)) {
        ms_exchange_worker *next = atomic_load(&w->next), *made = NULL;
        if (next == NULL && !e->events && create_worker(e, &made, NULL) == MS_OK &&
            atomic_compare_exchange_strong(&w->next, &next, made))
            return made;
        destroy_worker(made);
        w = next != NULL ? next : e->first;
        if (next == NULL)
            sched_yield();
    }
    return w;
}

int ms_exchange_give_back(ms_exchange_worker *w, int status)
{
    w->discards = status == MS_FMU_DISCARD;
    atomic_flag_clear_explicit(&w->busy, memory_order_release);
    return status != MS_OK;
}

int ms_exchange_start(ms_exchange *e, ms_error *error)
{
    return create_worker(e, &e->first, error);
}

/* Snapshots ---------------------------------------------------------------------------------------------- */

/* The first is that of the start; the others follow each other in a ring. */
static int place_of(double token)
{
    return token == 0.0 ? 0 : 1 + (int)fmod(token - 1.0, MS_FMU_SNAPSHOTS - 1);
}

int ms_exchange_keep(const ms_exchange *e, ms_exchange_worker *w, double token)
{
    const int k = place_of(token), status = e->keeps ? ms_fmu_save(w->component, &w->snapshot[k]) : MS_OK;
    w->token_of[k] = w->token = token;
    return status;
}

/* The run at the present point; otherwise the place for a new one, which replaces the least recently used. */
static ms_exchange_past *find_past(ms_exchange_worker *w, double token)
{
    ms_exchange_past *oldest = &w->other[0];
    for (ms_exchange_past *p = w->other; p < w->other + MS_EXCHANGE_PASTS; p++) {
        if (p->component != NULL && p->token == token)
            return p;
        if (p->left < oldest->left)
            oldest = p;
    }
    return oldest;
}

/* States cannot be saved: changes to the run at the present point, or begins a new one at the start. */
static int change_run(const ms_exchange *e, ms_exchange_worker *w, double token)
{
    ms_exchange_past *p = find_past(w, token);
    const bool found = p->component != NULL && p->token == token;
    w->stuck = !found && token != 0.0;
    if (w->stuck)
        return MS_SOLVER_FAILED;
    ms_fmu_component *next = found ? p->component : NULL;
    if (!found)
        ms_fmu_component_destroy(&p->component);
    *p = (ms_exchange_past){w->component, w->token, ++w->turn};
    w->component = next;
    w->token = token;
    return found ? MS_OK : create_component(e, w, NULL);
}

int ms_exchange_restore(const ms_exchange *e, ms_exchange_worker *w, double token)
{
    const int k = place_of(token);
    if (w->token == token)
        return MS_OK;
    if (!e->keeps)
        return change_run(e, w, token);
    if (w->token_of[k] != token || w->snapshot[k] == NULL)
        return MS_SOLVER_FAILED;
    w->token = token;
    return ms_fmu_restore(w->component, w->snapshot[k]);
}

const char *ms_exchange_said(const void *data)
{
    const ms_exchange *e = data;
    for (const ms_exchange_worker *w = e->first; w != NULL; w = atomic_load(&w->next)) {
        if (w->component == NULL)
            return "it cannot be initialised again";
        if (w->stuck)
            return "it cannot go back to a time before an event, or continue after one of another run, "
                   "because its state cannot be kept (canGetAndSetFMUState)";
        if (ms_fmu_component_is_lost(w->component) || w->discards)
            return ms_fmu_component_said(w->component);
    }
    return "";
}

bool ms_exchange_has_ended(const void *data)
{
    const ms_exchange *e = data;
    bool any = false;
    for (const ms_exchange_worker *w = e->first; w != NULL && !any; w = atomic_load(&w->next))
        any = w->component != NULL && ms_fmu_component_has_ended(w->component);
    return any;
}
