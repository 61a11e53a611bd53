/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_model_exchange.h"

#include <float.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_subsystem.h"
#include "structure.h"

enum { TOKEN, NEXT_TIME, DISCRETE };
enum { PASTS = 7 };   /* where states cannot be kept */
#define NEVER DBL_MAX /* discrete variables are finite */

/* A run that waits while another one, as that of a reference, goes on: its component, where it stands, when it was left. */
typedef struct past {
    ms_fmu_component *component;
    double token;
    long left;
} past;

/* A component, of one thread at a time. */
typedef struct worker {
    atomic_flag busy;
    struct worker *_Atomic next;
    ms_fmu_component *component;
    double token;                            /* where it stands */
    ms_fmu_state snapshot[MS_FMU_SNAPSHOTS]; /* [0] of the start */
    double token_of[MS_FMU_SNAPSHOTS];       /* whose it is */
    double last;                             /* the token of the last one that was made */
    bool stuck;                              /* it was to go back where it cannot */
    past other[PASTS];                       /* other runs, between which it changes */
    long turn;                               /* counts the changes */
    double *column;                          /* (nx + ny) a directional derivative */
} worker;

/* ms_subsystem.data */
typedef struct exchange {
    const ms_fmu *fmu;
    const ms_fmu_places *at;
    ms_fmu_setup setup;
    const double *u0;
    bool driven; /* inputs are external ones */
    int n_indicators;
    const unsigned *unknown; /* (nx + ny): derivatives, outputs */
    bool events;             /* one worker, with snapshots ... */
    bool keeps;              /* ... where its state can be kept; else only the start can be gone back to */
    worker *first;
} exchange;

/* Workers ------------------------------------------------------------------------------------------------ */

static void destroy_worker(worker *w)
{
    if (w == NULL)
        return;
    for (int k = 0; k < MS_FMU_SNAPSHOTS && w->component != NULL; k++)
        ms_fmu_free_state(w->component, &w->snapshot[k]);
    for (int k = 0; k < PASTS; k++)
        ms_fmu_component_destroy(&w->other[k].component);
    ms_fmu_component_destroy(&w->component);
    free(w->column);
    free(w);
}

static void destroy_workers(void *object)
{
    exchange *e = object;
    for (worker *w = e->first, *next; w != NULL; w = next) {
        next = atomic_load(&w->next);
        destroy_worker(w);
    }
}

/* One that has been initialised. */
static int create_component(const exchange *e, worker *w, ms_error *error)
{
    const ms_fmu_places *at = e->at;
    int status = ms_fmu_component_create(e->fmu, &e->setup, &w->component, error);
    if (status != MS_OK)
        return status;
    status = ms_fmu_component_initialise(w->component, at->nu, at->u, e->u0);
    if (status == MS_OK)
        return MS_OK;
    return ms_fail(error, MS_SOLVER_FAILED, "%s: it cannot be initialised: %s", ms_fmu_path(e->fmu),
                   ms_fmu_component_said(w->component));
}

/* With a component; it is busy. */
static int create_worker(const exchange *e, worker **out, ms_error *error)
{
    const ms_fmu_places *at = e->at;
    worker *w = *out = calloc(1, sizeof *w);
    if (w == NULL || (w->column = calloc((size_t)(at->nx + at->ny) + 1, sizeof *w->column)) == NULL)
        return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory for a component", ms_fmu_path(e->fmu));
    atomic_flag_clear(&w->busy);
    atomic_flag_test_and_set(&w->busy);
    atomic_init(&w->next, NULL);
    return create_component(e, w, error);
}

/* A worker that nobody else uses: one that is there, else a new one; the first that gets free where there is to be one, or where
 * there cannot be another. */
static worker *take(const exchange *e)
{
    worker *w = e->first;
    while (atomic_flag_test_and_set_explicit(&w->busy, memory_order_acquire)) {
        worker *next = atomic_load(&w->next), *made = NULL;
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

static int give_back(worker *w, int status)
{
    atomic_flag_clear_explicit(&w->busy, memory_order_release);
    return status != MS_OK;
}

/* Snapshots ---------------------------------------------------------------------------------------------- */

/* The first is that of the start; the others follow each other in a ring. */
static int place_of(double token)
{
    return token == 0.0 ? 0 : 1 + (int)fmod(token - 1.0, MS_FMU_SNAPSHOTS - 1);
}

static int keep_snapshot(const exchange *e, worker *w, double token)
{
    const int k = place_of(token), status = e->keeps ? ms_fmu_save(w->component, &w->snapshot[k]) : MS_OK;
    w->token_of[k] = w->token = token;
    return status;
}

/* The run that stands there; none: the place of a new one, which is that of the one that was left longest ago. */
static past *find_past(worker *w, double token)
{
    past *oldest = &w->other[0];
    for (past *p = w->other; p < w->other + PASTS; p++) {
        if (p->component != NULL && p->token == token)
            return p;
        if (p->left < oldest->left)
            oldest = p;
    }
    return oldest;
}

/* States cannot be kept: changes to the run that stands there, or begins a new one at the start. */
static int change_run(const exchange *e, worker *w, double token)
{
    past *p = find_past(w, token);
    const bool found = p->component != NULL && p->token == token;
    w->stuck = !found && token != 0.0;
    if (w->stuck)
        return MS_SOLVER_FAILED;
    ms_fmu_component *next = found ? p->component : NULL;
    if (!found)
        ms_fmu_component_destroy(&p->component);
    *p = (past){w->component, w->token, ++w->turn};
    w->component = next;
    w->token = token;
    return found ? MS_OK : create_component(e, w, NULL);
}

static int restore_snapshot(const exchange *e, worker *w, double token)
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

/* Evaluation --------------------------------------------------------------------------------------------- */

static int go_to(const exchange *e, worker *w, const ms_point *at)
{
    if (w->component == NULL)
        return MS_SOLVER_FAILED;
    int status = e->events ? restore_snapshot(e, w, at->z[TOKEN]) : MS_OK;
    if (status == MS_OK)
        status = ms_fmu_set_time(w->component, at->t);
    if (status == MS_OK)
        status = ms_fmu_set_states(w->component, e->at->nx, at->x);
    return status == MS_OK ? ms_fmu_set(w->component, e->at->nu, e->at->u, e->driven ? at->w : at->u)
                           : status;
}

/* Takes a worker and goes there; *status says whether it could. */
static worker *enter(const ms_point *at, int *status)
{
    worker *w = take(at->data);
    *status = go_to(at->data, w, at);
    return w;
}

static int check_finite(int status, int n, const double *value)
{
    for (int k = 0; k < n && status == MS_OK; k++)
        status = isfinite(value[k]) ? MS_OK : MS_SOLVER_FAILED;
    return status;
}

static int f(const ms_point *at, double *dx)
{
    int status;
    const int nx = ((const exchange *)at->data)->at->nx;
    worker *w = enter(at, &status);
    if (status == MS_OK)
        status = ms_fmu_get_derivatives(w->component, nx, dx);
    return give_back(w, check_finite(status, nx, dx));
}

static int g(const ms_point *at, double *y)
{
    int status;
    const ms_fmu_places *places = ((const exchange *)at->data)->at;
    worker *w = enter(at, &status);
    if (status == MS_OK)
        status = ms_fmu_get(w->component, places->ny, places->y, y);
    return give_back(w, check_finite(status, places->ny, y));
}

static int indicators(const ms_point *at, double *r)
{
    int status;
    const int n = ((const exchange *)at->data)->n_indicators;
    worker *w = enter(at, &status);
    if (status == MS_OK)
        status = ms_fmu_get_indicators(w->component, n, r);
    return give_back(w, check_finite(status, n, r));
}

/* Columns of two blocks one above the other: derivatives of x' and of y. */
static int differentiate(const exchange *e, worker *w, int n, const unsigned *known, double *above,
                         double *below)
{
    static const double one = 1.0;
    const int nx = e->at->nx, ny = e->at->ny;
    int status = MS_OK;
    for (int j = 0; j < n && (above != NULL || below != NULL) && status == MS_OK; j++) {
        status =
            ms_fmu_directional_derivative(w->component, nx + ny, e->unknown, 1, &known[j], &one, w->column);
        for (int i = 0; above != NULL && i < nx; i++)
            above[i * n + j] = w->column[i];
        for (int i = 0; below != NULL && i < ny; i++)
            below[i * n + j] = w->column[nx + i];
    }
    return status;
}

static int jacobian(const ms_point *at, const ms_blocks *m)
{
    int status;
    const exchange *e = at->data;
    worker *w = enter(at, &status);
    if (status == MS_OK)
        status = differentiate(e, w, e->at->nx, e->at->x, m->A, m->C);
    if (status == MS_OK)
        status = differentiate(e, w, e->driven ? 0 : e->at->nu, e->at->u, m->B, m->D);
    return give_back(w, status);
}

/* Events ------------------------------------------------------------------------------------------------- */

/* What was announced last; it may be t itself once more, or miss it by round-off. Times that are over are none. */
static double next_time(double t, const double *z, const double *p, const void *data)
{
    (void)p, (void)data;
    const double round_off = 16.0 * DBL_EPSILON * fabs(t);
    return z[NEXT_TIME] >= t - round_off && z[NEXT_TIME] < NEVER ? z[NEXT_TIME] : INFINITY;
}

static bool step_event(const ms_point *at)
{
    int status;
    bool event = false, terminate = false;
    worker *w = enter(at, &status);
    if (status == MS_OK)
        status = ms_fmu_completed_step(w->component, false, &event, &terminate);
    give_back(w, status);
    return status == MS_OK && event;
}

static int handle_there(const exchange *e, worker *w, const ms_event *event)
{
    ms_fmu_events left;
    int status = ms_fmu_handle_events(w->component, &left);
    if (status == MS_OK && left.states_changed)
        status = ms_fmu_get_states(w->component, e->at->nx, event->x);
    if (status != MS_OK)
        return status;
    event->z[TOKEN] = ++w->last;
    event->z[NEXT_TIME] = fmin(left.next_time, NEVER);
    return keep_snapshot(e, w, event->z[TOKEN]);
}

static int handle(const ms_point *at, const ms_event *event)
{
    int status;
    worker *w = enter(at, &status);
    return give_back(w, status == MS_OK ? handle_there(at->data, w, event) : status);
}

/* As they start; what a series drives is put in their place. */
static void external(double t, const double *p, const void *data, double *w)
{
    const exchange *e = data;
    (void)t, (void)p;
    memcpy(w, e->u0, sizeof *w * (size_t)e->at->nu);
}

/* Of the first component that is lost, or cannot go on. */
static const char *said(const void *data)
{
    const exchange *e = data;
    for (const worker *w = e->first; w != NULL; w = atomic_load(&w->next)) {
        if (w->component == NULL)
            return "it cannot be initialised again";
        if (w->stuck)
            return "it cannot go back to before an event, or on from one of another run, because its state "
                   "cannot be kept "
                   "(canGetAndSetFMUState)";
        if (ms_fmu_component_is_lost(w->component))
            return ms_fmu_component_said(w->component);
    }
    return "";
}

/* The subsystem ------------------------------------------------------------------------------------------ */

static int copy_settings(exchange *e, const ms_fmu_setup *setup, ms_structure *structure)
{
    const size_t n = (size_t)setup->n_settings;
    int *setting = ms_structure_alloc(structure, n + 1, sizeof *setting);
    const char **value = ms_structure_alloc(structure, n + 1, sizeof *value);
    e->setup = *setup;
    e->setup.setting = setting;
    e->setup.value = value;
    e->setup.stop_time = INFINITY;
    if (setting == NULL || value == NULL)
        return MS_NO_MEMORY;
    for (size_t k = 0; k < n; k++) {
        setting[k] = setup->setting[k];
        value[k] = ms_structure_name(structure, "%s", setup->value[k]);
        if (value[k] == NULL)
            return MS_NO_MEMORY;
    }
    return MS_OK;
}

/* Derivatives and outputs, for directional derivatives. */
static int list_unknowns(exchange *e, ms_structure *structure)
{
    const ms_fmu_description *d = ms_fmu_describe(e->fmu);
    const int nx = e->at->nx, ny = e->at->ny;
    unsigned *unknown = ms_structure_alloc(structure, (size_t)(nx + ny) + 1, sizeof *unknown);
    if (unknown == NULL)
        return MS_NO_MEMORY;
    for (int i = 0; i < nx; i++)
        unknown[i] = d->variables[d->derivatives[i].variable].value_reference;
    for (int j = 0; j < ny; j++)
        unknown[nx + j] = e->at->y[j];
    e->unknown = unknown;
    return MS_OK;
}

/* What there is of events, once the first component is initialised. */
static int find_events(exchange *e, ms_subsystem *sub, double *z0, ms_error *error)
{
    static const ms_variable discrete[] = {{"event", "1"}, {"next_time", "s"}};
    const ms_fmu_flags *flags = ms_fmu_flags_of(e->fmu);
    z0[NEXT_TIME] = fmin(ms_fmu_component_events(e->first->component)->next_time, NEVER);
    e->events = e->n_indicators > 0 || z0[NEXT_TIME] < NEVER || !flags->no_step_completion;
    e->keeps = flags->get_and_set_state;
    if (!e->events)
        return MS_OK;
    sub->nz = DISCRETE;
    sub->z = discrete;
    sub->z0 = z0;
    sub->n_indicators = e->n_indicators;
    sub->indicators = e->n_indicators > 0 ? indicators : NULL;
    sub->next_time = next_time;
    sub->step_event = flags->no_step_completion ? NULL : step_event;
    sub->asks_by_rule = e->n_indicators == 0 && z0[NEXT_TIME] == NEVER;
    sub->handle = handle;
    return keep_snapshot(e, e->first, 0.0) == MS_OK
               ? MS_OK
               : ms_fail(error, MS_SOLVER_FAILED, "%s: its state cannot be kept: %s", ms_fmu_path(e->fmu),
                         ms_fmu_component_said(e->first->component));
}

/* The first component, and what is known from it. */
static int start(exchange *e, ms_structure *structure, ms_subsystem *sub, ms_error *error)
{
    double *x0 = ms_structure_alloc(structure, (size_t)e->at->nx + 1, sizeof *x0);
    double *z0 = ms_structure_alloc(structure, DISCRETE, sizeof *z0);
    if (x0 == NULL || z0 == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for subsystem %s", sub->name);
    sub->x0 = x0;
    int status = create_worker(e, &e->first, error);
    if (status == MS_OK && ms_fmu_get_states(e->first->component, e->at->nx, x0) != MS_OK)
        status = ms_fail(error, MS_SOLVER_FAILED, "%s: its states cannot be read: %s", ms_fmu_path(e->fmu),
                         ms_fmu_component_said(e->first->component));
    if (status == MS_OK)
        status = find_events(e, sub, z0, error);
    if (e->first != NULL)
        atomic_flag_clear(&e->first->busy);
    return status;
}

int ms_fmu_model_exchange(const ms_fmu *fmu, const ms_fmu_setup *setup, bool driven, ms_structure *structure,
                          ms_subsystem *sub, ms_error *error)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    exchange *e = ms_structure_alloc(structure, 1, sizeof *e);
    ms_fmu_places *at = ms_structure_alloc(structure, 1, ms_fmu_places_size(fmu));
    int status = e != NULL && at != NULL ? ms_structure_own(structure, destroy_workers, e) : MS_NO_MEMORY;
    if (status == MS_OK) {
        ms_fmu_places_fill(fmu, at);
        *e = (exchange){.fmu = fmu, .at = at, .driven = driven, .n_indicators = d->n_event_indicators};
        if (at->nx != d->n_derivatives)
            return ms_fail(error, MS_UNSUPPORTED, "%s: some of its states are no scalars of type Float64",
                           ms_fmu_path(fmu));
        status = ms_fmu_fill(fmu, setup, at, driven, structure, sub);
    }
    if (status == MS_OK)
        status = copy_settings(e, setup, structure);
    if (status == MS_OK)
        status = list_unknowns(e, structure);
    if (status != MS_OK)
        return ms_fail(error, status, "not enough memory for subsystem %s", setup->instance_name);
    e->u0 = sub->u0;
    sub->f = f;
    sub->g = g;
    sub->jacobian = ms_fmu_flags_of(fmu)->directional_derivatives ? jacobian : NULL;
    sub->said = said;
    sub->external = sub->nw > 0 ? external : NULL;
    sub->data = e;
    return start(e, structure, sub, error);
}
