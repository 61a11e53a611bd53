/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_model_exchange.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "fmu_exchange.h"
#include "fmu_subsystem.h"
#include "structure.h"

enum {
    TOKEN,
    NEXT_TIME,
    TOLD
};                    /* discrete variables; from TOLD on the discrete inputs as of the last event */
#define NEVER DBL_MAX /* discrete variables are finite */

/* Evaluation --------------------------------------------------------------------------------------------- */

static const double *inputs_of(const ms_exchange *e, const ms_point *at)
{
    return e->driven ? at->w : at->u;
}

/* Discrete input i: where difference quotients move a whole number it stays. */
static double discrete_input(const ms_exchange *e, const ms_point *at, int i)
{
    const double u = inputs_of(e, at)[e->at->n_continuous + i];
    return e->signal[e->at->n_continuous + i] >= MS_SIGNAL_INTEGER ? nearbyint(u) : u;
}

/* Are discrete inputs other than at the last event? They can be set in event mode alone. */
static bool is_told_anew(const ms_exchange *e, const ms_point *at)
{
    int i = 0;
    while (i < e->n_discrete && discrete_input(e, at, i) == at->z[TOLD + i])
        i++;
    return i < e->n_discrete;
}

/* An event, at which they are set. */
static int tell_discrete(const ms_exchange *e, ms_exchange_worker *w, const ms_point *at, ms_fmu_events *left)
{
    for (int i = 0; i < e->n_discrete; i++)
        w->told[i] = discrete_input(e, at, i);
    return ms_fmu_handle_events(w->component, e->n_discrete > 0 ? &e->at->discrete : NULL, w->told, left);
}

/* The values after the event that these inputs will cause: the event is carried out here, and undone by the next
 * user. */
static int look_ahead(const ms_exchange *e, ms_exchange_worker *w, const ms_point *at)
{
    ms_fmu_events left;
    w->token = e->keeps ? NAN : w->token;
    return tell_discrete(e, w, at, &left);
}

static int go_to(const ms_exchange *e, ms_exchange_worker *w, const ms_point *at)
{
    if (w->component == NULL)
        return MS_SOLVER_FAILED;
    int status = e->events ? ms_exchange_restore(e, w, at->z[TOKEN]) : MS_OK;
    MS_THEN(status, ms_fmu_set_time(w->component, at->t));
    MS_THEN(status, ms_fmu_set_states(w->component, e->at->nx, at->x));
    MS_THEN(status, ms_fmu_write(w->component, &e->at->continuous, inputs_of(e, at)));
    return status;
}

/* Takes a worker and goes there; *status says whether it could. */
static ms_exchange_worker *enter_as_told(const ms_point *at, int *status)
{
    ms_exchange_worker *w = ms_exchange_take(at->data);
    *status = go_to(at->data, w, at);
    return w;
}

/* The same, with the discrete inputs as they are. */
static ms_exchange_worker *enter(const ms_point *at, int *status)
{
    ms_exchange_worker *w = enter_as_told(at, status);
    if (*status == MS_OK && is_told_anew(at->data, at))
        *status = look_ahead(at->data, w, at);
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
    const int nx = ((const ms_exchange *)at->data)->at->nx;
    ms_exchange_worker *w = enter(at, &status);
    MS_THEN(status, ms_fmu_get_derivatives(w->component, nx, dx));
    return ms_exchange_give_back(w, check_finite(status, nx, dx));
}

static int g(const ms_point *at, double *y)
{
    int status;
    const ms_fmu_places *places = ((const ms_exchange *)at->data)->at;
    ms_exchange_worker *w = enter(at, &status);
    MS_THEN(status, ms_fmu_read(w->component, &places->y, y));
    for (int j = 0; j < places->ny && status == MS_OK; j++)
        if (!isfinite(y[j]) && ms_fmu_output_is_carried(places, j))
            status = MS_SOLVER_FAILED;
    return ms_exchange_give_back(w, status);
}

/* Those of the FMU, and behind them one that falls where discrete inputs are others than at the last event, and rises with that. */
static int indicators(const ms_point *at, double *r)
{
    int status = MS_OK;
    const ms_exchange *e = at->data;
    const int n = e->n_indicators;
    if (e->n_discrete > 0)
        r[n] = is_told_anew(e, at) ? -1.0 : 1.0;
    if (n == 0)
        return 0;
    ms_exchange_worker *w = enter_as_told(at, &status);
    MS_THEN(status, ms_fmu_get_indicators(w->component, n, r));
    return ms_exchange_give_back(w, check_finite(status, n, r));
}

/* Columns of two blocks one above the other: derivatives of x' and of y, in rows of `row` entries. */
static int differentiate(const ms_exchange *e, ms_exchange_worker *w, int n, const unsigned *known, int row,
                         double *above, double *below)
{
    static const double one = 1.0;
    const ms_fmu_places *at = e->at;
    const int nx = at->nx, ny = at->n_smooth;
    int status = MS_OK;
    for (int j = 0; j < n && (above != NULL || below != NULL) && status == MS_OK; j++) {
        status =
            ms_fmu_directional_derivative(w->component, nx + ny, e->unknown, 1, &known[j], &one, w->column);
        for (int i = 0; above != NULL && i < nx; i++)
            above[i * row + j] = w->column[i];
        for (int i = 0; below != NULL && i < ny; i++)
            below[at->smooth_at[i] * row + j] = w->column[nx + i];
    }
    return status;
}

static int jacobian(const ms_point *at, const ms_blocks *m)
{
    int status;
    const ms_exchange *e = at->data;
    const ms_fmu_places *places = e->at;
    ms_exchange_worker *w = enter(at, &status);
    MS_THEN(status,
            differentiate(e, w, places->nx, places->x.n_groups > 0 ? places->x.group->reference : NULL,
                          places->nx, m->A, m->C));
    if (status == MS_OK && !e->driven)
        status = differentiate(e, w, places->n_continuous, places->inputs, places->nu, m->B, m->D);
    return ms_exchange_give_back(w, status);
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
    ms_exchange_worker *w = enter(at, &status);
    MS_THEN(status, ms_fmu_completed_step(w->component, false, &event, &terminate));
    ms_exchange_give_back(w, status);
    return status == MS_OK && event;
}

static int handle_there(const ms_exchange *e, ms_exchange_worker *w, const ms_point *at,
                        const ms_event *event)
{
    ms_fmu_events left;
    MS_TRY(tell_discrete(e, w, at, &left));
    if (left.states_changed)
        MS_TRY(ms_fmu_get_states(w->component, e->at->nx, event->x));
    event->z[TOKEN] = ++w->last;
    event->z[NEXT_TIME] = fmin(left.next_time, NEVER);
    if (e->n_discrete > 0)
        memcpy(event->z + TOLD, w->told, sizeof(double) * (size_t)e->n_discrete);
    return ms_exchange_keep(e, w, event->z[TOKEN]);
}

static int handle(const ms_point *at, const ms_event *event)
{
    int status;
    ms_exchange_worker *w = enter_as_told(at, &status);
    return ms_exchange_give_back(w, status == MS_OK ? handle_there(at->data, w, at, event) : status);
}

/* Start values; a series replaces the values that it drives. */
static void external(double t, const double *p, const void *data, double *w)
{
    const ms_exchange *e = data;
    (void)t, (void)p;
    memcpy(w, e->u0, sizeof *w * (size_t)e->at->nu);
}

/* The subsystem ------------------------------------------------------------------------------------------ */

static int copy_settings(ms_exchange *e, const ms_fmu_setup *setup, ms_structure *structure)
{
    const size_t n = (size_t)setup->n_settings;
    int *setting = ms_structure_alloc(structure, n + 1, sizeof *setting);
    const char **value = ms_structure_alloc(structure, n + 1, sizeof *value);
    e->setup = *setup;
    e->setup.setting = setting;
    e->setup.value = value;
    e->setup.stop_time = INFINITY;
    MS_TRY_MEMORY(setting != NULL && value != NULL);
    for (size_t k = 0; k < n; k++) {
        setting[k] = setup->setting[k];
        value[k] = ms_structure_name(structure, "%s", setup->value[k]);
        MS_TRY_MEMORY(value[k]);
    }
    return MS_OK;
}

/* Derivatives and outputs, for directional derivatives. */
static int list_unknowns(ms_exchange *e, ms_structure *structure)
{
    const ms_fmu_description *d = ms_fmu_describe(e->fmu);
    const int nx = e->at->nx, ny = e->at->n_smooth;
    unsigned *unknown = ms_structure_alloc(structure, (size_t)(nx + ny) + 1, sizeof *unknown);
    MS_TRY_MEMORY(unknown);
    for (int i = 0; i < d->n_derivatives && i < nx; i++) /* if there are no arrays */
        unknown[i] = d->variables[d->derivatives[i].variable].value_reference;
    for (int j = 0; j < ny; j++)
        unknown[nx + j] = e->at->smooth[j];
    e->unknown = unknown;
    return MS_OK;
}

/* Can discrete inputs change: by a series, or a wire that is not an offset? */
static bool changes_discrete(const ms_exchange *e, const ms_structure *structure, const ms_subsystem *sub)
{
    bool any = e->driven && e->at->nu > e->at->n_continuous;
    for (int k = 0; k < structure->n_wires && !any; k++) {
        const ms_wire *w = &structure->wires[k];
        any = &structure->subsystems[w->to] == sub && w->input >= e->at->n_continuous &&
              !structure->subsystems[w->from].gives_offsets;
    }
    return any;
}

/* Names of discrete variables, and those at the start. */
static int name_discrete(const ms_exchange *e, const ms_variable *inputs, ms_structure *structure,
                         ms_subsystem *sub, double *z0)
{
    ms_variable *z = ms_structure_alloc(structure, (size_t)(TOLD + e->n_discrete), sizeof *z);
    MS_TRY_MEMORY(z);
    z[TOKEN] = (ms_variable){"event", "1"};
    z[NEXT_TIME] = (ms_variable){"next_time", "s"};
    for (int i = 0; i < e->n_discrete; i++) {
        z[TOLD + i] = inputs[e->at->n_continuous + i];
        z0[TOLD + i] = e->u0[e->at->n_continuous + i];
    }
    sub->z = z;
    sub->z0 = z0;
    sub->nz = TOLD + e->n_discrete;
    return MS_OK;
}

/* Finds its kinds of events, once the first component is initialised. */
static int find_events(ms_exchange *e, ms_structure *structure, ms_subsystem *sub, double *z0,
                       ms_error *error)
{
    const ms_fmu_flags *flags = ms_fmu_flags_of(e->fmu);
    z0[NEXT_TIME] = fmin(ms_fmu_component_events(e->first->component)->next_time, NEVER);
    e->n_discrete = changes_discrete(e, structure, sub) ? e->at->nu - e->at->n_continuous : 0;
    e->events =
        e->n_discrete > 0 || e->n_indicators > 0 || z0[NEXT_TIME] < NEVER || !flags->no_step_completion;
    e->keeps = flags->get_and_set_state;
    if (!e->events)
        return MS_OK;
    MS_TRY_MEMORY_FOR(name_discrete(e, e->driven ? sub->w : sub->u, structure, sub, z0) == MS_OK, error,
                      "subsystem %s", sub->name);
    sub->n_indicators = e->n_indicators + (e->n_discrete > 0);
    sub->indicators = sub->n_indicators > 0 ? indicators : NULL;
    sub->next_time = next_time;
    sub->step_event = flags->no_step_completion ? NULL : step_event;
    sub->asks_by_rule = sub->n_indicators == 0 && z0[NEXT_TIME] == NEVER;
    sub->handle = handle;
    return ms_exchange_keep(e, e->first, 0.0) == MS_OK
               ? MS_OK
               : ms_fail(error, MS_SOLVER_FAILED, "%s: its state cannot be kept: %s", ms_fmu_path(e->fmu),
                         ms_fmu_component_said(e->first->component));
}

/* The first component, and what is known from it. */
static int start(ms_exchange *e, ms_structure *structure, ms_subsystem *sub, ms_error *error)
{
    double *x0 = ms_structure_alloc(structure, (size_t)e->at->nx + 1, sizeof *x0);
    double *z0 = ms_structure_alloc(structure, (size_t)(TOLD + e->at->nu), sizeof *z0);
    MS_TRY_MEMORY_FOR(x0 != NULL && z0 != NULL, error, "subsystem %s", sub->name);
    sub->x0 = x0;
    int status = ms_exchange_start(e, error);
    if (status == MS_OK && ms_fmu_get_states(e->first->component, e->at->nx, x0) != MS_OK)
        status = ms_fail(error, MS_SOLVER_FAILED, "%s: its states cannot be read: %s", ms_fmu_path(e->fmu),
                         ms_fmu_component_said(e->first->component));
    MS_THEN(status, find_events(e, structure, sub, z0, error));
    if (e->first != NULL)
        atomic_flag_clear(&e->first->busy);
    return status;
}

int ms_fmu_model_exchange(const ms_fmu *fmu, const ms_fmu_setup *setup, const ms_fmu_wiring *wiring,
                          ms_structure *structure, ms_subsystem *sub, ms_error *error)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    ms_exchange *e = ms_structure_alloc(structure, 1, sizeof *e);
    ms_fmu_places *at = ms_structure_alloc(structure, 1, ms_fmu_places_size(fmu));
    int status = e != NULL && at != NULL ? ms_structure_own(structure, ms_exchange_end, e) : MS_NO_MEMORY;
    if (status == MS_OK) {
        ms_fmu_places_fill(fmu, at);
        ms_fmu_places_wire(at, wiring);
        *e = (ms_exchange){
            .fmu = fmu, .at = at, .driven = wiring->driven, .n_indicators = d->n_event_indicators};
        status = ms_fmu_fill(fmu, setup, at, wiring->driven, structure, sub);
    }
    MS_THEN(status, copy_settings(e, setup, structure));
    MS_THEN(status, list_unknowns(e, structure));
    if (status != MS_OK)
        return ms_fail(error, status, "not enough memory for subsystem %s", setup->instance_name);
    e->u0 = sub->u0;
    e->signal = wiring->driven ? sub->w_signal : sub->u_signal;
    sub->f = f;
    sub->g = g;
    sub->jacobian = ms_fmu_flags_of(fmu)->directional_derivatives && !ms_fmu_has_arrays(d) ? jacobian : NULL;
    sub->said = ms_exchange_said;
    sub->ended = ms_exchange_has_ended;
    sub->external = sub->nw > 0 ? external : NULL;
    sub->data = e;
    return start(e, structure, sub, error);
}
