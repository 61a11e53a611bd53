/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_stepping.h"

#include <math.h>
#include <string.h>

#include "common_step.h"

enum { RETURNS_MAX = 1000 }; /* of one step, before its end */

/* Variables ---------------------------------------------------------------------------------------------- */

/* The state whose derivative an unknown of ModelStructure is; NULL: it is no number. */
static const ms_fmu_variable *state_of(const ms_fmu_description *d, const ms_fmu_unknown *derivative)
{
    const int state = d->variables[derivative->variable].derivative_of;
    return state >= 0 && ms_fmu_type_is_real(d->variables[state].type) ? &d->variables[state] : NULL;
}

/* How many values outputs and states have. */
static void count(const ms_fmu_description *d, int *ny, int *nx)
{
    *ny = *nx = 0;
    for (int k = 0; k < d->n_outputs; k++)
        if (ms_fmu_can_be_wired(&d->variables[d->outputs[k].variable]))
            *ny += d->variables[d->outputs[k].variable].size;
    for (int k = 0; k < d->n_derivatives; k++)
        if (state_of(d, &d->derivatives[k]) != NULL)
            *nx += state_of(d, &d->derivatives[k])->size;
}

bool ms_fmu_has_arrays(const ms_fmu_description *d)
{
    bool any = false;
    for (int i = 0; i < d->n_inputs + d->n_discrete_inputs; i++)
        any = any || d->variables[d->inputs[i]].n_dimensions > 0;
    for (int k = 0; k < d->n_outputs; k++)
        any = any || d->variables[d->outputs[k].variable].n_dimensions > 0;
    for (int k = 0; k < d->n_derivatives; k++)
        any = any || d->variables[d->derivatives[k].variable].n_dimensions > 0;
    return any;
}

/* Numbers of the places, which are all of one size: references, orders, indices. */
static size_t numbers(size_t nu, size_t ny, size_t nx)
{
    return nu * (2 + 2 * MS_FMU_ORDERS) + 7 * ny + 3 * nx;
}

size_t ms_fmu_places_size(const ms_fmu *fmu)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    const size_t nu = (size_t)(d->n_inputs + d->n_discrete_inputs);
    int ny, nx;
    count(d, &ny, &nx);
    return sizeof(ms_fmu_places) + (size_t)ny * sizeof(ms_fmu_unknown *) +
           2 * (nu + (size_t)(ny + nx)) * sizeof(ms_fmu_group) +
           (numbers(nu, (size_t)ny, (size_t)nx) + 1) * sizeof(int);
}

/* Memory of the places as it is used up. */
typedef struct room {
    ms_fmu_group *group;
    unsigned *reference;
    int *number;
} room;

/* Appends a variable: to the last group if that has its type. */
static void add(ms_fmu_values *values, const ms_fmu_variable *v, room *r)
{
    if (values->n_groups == 0)
        values->group = r->group;
    if (values->n_groups == 0 || r->group[-1].type != v->type) {
        *r->group++ = (ms_fmu_group){.type = v->type, .reference = r->reference};
        values->n_groups++;
    }
    ms_fmu_group *last = r->group - 1;
    *r->reference++ = v->value_reference;
    last->n++;
    last->n_values += v->size;
}

static void add_inputs(const ms_fmu_description *d, int from, int to, ms_fmu_values *values, room *r)
{
    for (int i = from; i < to; i += d->variables[d->inputs[i]].size)
        add(values, &d->variables[d->inputs[i]], r);
}

static void fill_inputs(const ms_fmu_description *d, ms_fmu_places *at, room *r)
{
    const int nc = d->n_inputs, nu = nc + d->n_discrete_inputs;
    at->nu = nu;
    at->n_continuous = nc;
    add_inputs(d, 0, nc, &at->continuous, r);
    add_inputs(d, nc, nu, &at->discrete, r);
    at->u = (ms_fmu_values){at->continuous.n_groups + at->discrete.n_groups,
                            nc > 0 ? at->continuous.group : at->discrete.group};
    at->inputs = r->reference;
    at->order = r->number;
    for (int k = 0; k < MS_FMU_ORDERS * nc; k++) {
        *r->reference++ = d->variables[d->inputs[k % nc]].value_reference;
        *r->number++ = 1 + k / nc;
    }
}

static void fill_outputs(const ms_fmu_description *d, ms_fmu_places *at, const ms_fmu_unknown **unknown,
                         room *r)
{
    int *index = r->number;
    at->y_of = index;
    at->output = unknown;
    for (int k = 0; k < d->n_outputs; k++) {
        const ms_fmu_variable *v = &d->variables[d->outputs[k].variable];
        if (!ms_fmu_can_be_wired(v) || v->size == 0)
            continue;
        add(&at->y, v, r);
        for (int j = 0; j < v->size; j++, at->ny++) {
            index[at->ny] = d->outputs[k].variable;
            unknown[at->ny] = &d->outputs[k];
        }
    }
    r->number += at->ny;
}

static void fill_smooth(const ms_fmu_description *d, ms_fmu_places *at, room *r)
{
    at->smooth = r->reference;
    at->smooth_at = r->number;
    for (int j = 0; j < at->ny; j++)
        if (d->variables[at->y_of[j]].type == MS_FMU_FLOAT64) {
            *r->reference++ = d->variables[at->y_of[j]].value_reference;
            *r->number++ = j;
        }
    at->n_smooth = (int)(r->reference - at->smooth);
    at->smooth_order = r->number;
    for (int k = 0; k < 2 * at->n_smooth; k++)
        *r->number++ = 1 + k / at->n_smooth;
}

static void fill_states(const ms_fmu_description *d, ms_fmu_places *at, room *r)
{
    at->x_of = r->number;
    for (int k = 0; k < d->n_derivatives; k++) {
        const ms_fmu_variable *v = state_of(d, &d->derivatives[k]);
        if (v == NULL || v->size == 0)
            continue;
        add(&at->x, v, r);
        at->nx += v->size;
        for (int j = 0; j < v->size; j++)
            *r->number++ = (int)(v - d->variables);
    }
}

/* Of n values, whose variables these are. */
static void add_all(const ms_fmu_description *d, int n, const int *variables, ms_fmu_values *values, room *r)
{
    for (int k = 0; k < n; k += d->variables[variables[k]].size)
        add(values, &d->variables[variables[k]], r);
}

void ms_fmu_places_fill(const ms_fmu *fmu, ms_fmu_places *at)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    const int nu = d->n_inputs + d->n_discrete_inputs;
    int ny, nx;
    count(d, &ny, &nx);
    const ms_fmu_unknown **unknown = (const ms_fmu_unknown **)(void *)(at + 1);
    room r = {.group = (ms_fmu_group *)(void *)(unknown + ny)};
    r.reference = (unsigned *)(void *)(r.group + 2 * (nu + ny + nx));
    r.number = (int *)(r.reference + (1 + MS_FMU_ORDERS) * nu + 3 * ny + 2 * nx);
    fill_inputs(d, at, &r);
    fill_outputs(d, at, unknown, &r);
    fill_smooth(d, at, &r);
    fill_states(d, at, &r);
    add_all(d, at->ny, at->y_of, &at->all, &r);
    add_all(d, at->nx, at->x_of, &at->all, &r);
}

/* Maps --------------------------------------------------------------------------------------------------- */

void ms_fmu_places_wire(ms_fmu_places *at, const ms_fmu_wiring *wiring)
{
    const ms_fmu_map *const *map = wiring->map;
    ms_fmu_group *group = (ms_fmu_group *)at->discrete.group; /* which fill_inputs() has made */
    at->map = map;
    at->carried = wiring->carried;
    for (int g = 0, i = at->n_continuous; g < at->discrete.n_groups && map != NULL; i += group[g++].n_values)
        group[g].map = map + i;
}

double ms_fmu_places_carried(const ms_fmu_places *at, int i, double value)
{
    const ms_fmu_map *map = at->map != NULL ? at->map[i] : NULL;
    for (int k = 0; map != NULL && k < map->n; k++)
        if (map->image[k] == value)
            return map->value[k];
    return map != NULL ? map->value[0] : value;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* Continuous inputs at tau after the start of the step. */
static int set_inputs(const ms_fmu_stepping *s, double tau)
{
    const ms_stepper_step *step = s->step;
    if (step->degree == 0)
        return ms_fmu_write(s->component, &s->at->continuous, step->c);
    for (int i = 0; i < s->at->n_continuous; i++) {
        double sum = step->c[step->degree * step->nu + i];
        for (int k = step->degree - 1; k >= 0; k--)
            sum = sum * tau + step->c[k * step->nu + i];
        s->value[i] = sum;
    }
    return ms_fmu_write(s->component, &s->at->continuous, s->value);
}

/* Discrete ones, which are held. With event mode they may be set in that alone, which is an event: not where nothing changes. */
static int tell_discrete(const ms_fmu_stepping *s, const double *u)
{
    const ms_fmu_places *at = s->at;
    double *now = s->value + (MS_FMU_ORDERS * at->nu + at->ny);
    ms_fmu_events events;
    if (!ms_fmu_flags_of(s->fmu)->event_mode)
        return ms_fmu_write(s->component, &at->discrete, u + at->n_continuous);
    const int status = ms_fmu_read(s->component, &at->discrete, now);
    if (status != MS_OK || ms_fmu_is_written(&at->discrete, u + at->n_continuous, now))
        return status;
    return ms_fmu_handle_events(s->component, &at->discrete, u + at->n_continuous, &events);
}

int ms_fmu_stepping_tell(const ms_fmu_stepping *s, const double *u)
{
    const int status = s->at->discrete.n_groups > 0 ? tell_discrete(s, u) : MS_OK;
    return status == MS_OK ? ms_fmu_write(s->component, &s->at->continuous, u) : status;
}

/* Derivatives of all continuous inputs and orders at tau, k! sum_m (m over k) c_m tau^(m - k), in one call. */
static int set_derivatives(const ms_fmu_stepping *s, double tau)
{
    const ms_stepper_step *step = s->step;
    const int nc = s->at->n_continuous, n = step->degree * nc;
    double factorial = 1.0, *value = s->value;
    for (int k = 1; k <= step->degree; k++, value += nc) {
        factorial *= k;
        for (int i = 0; i < nc; i++) {
            double sum = 0.0, binomial = 1.0, power = 1.0; /* (m over k), tau^(m - k) */
            for (int m = k; m <= step->degree; m++) {
                sum += binomial * power * step->c[m * step->nu + i];
                binomial *= (double)(m + 1) / (m + 1 - k);
                power *= tau;
            }
            value[i] = factorial * sum;
        }
    }
    return n > 0 ? ms_fmu_set_input_derivatives(s->component, n, s->at->inputs, s->at->order, s->value)
                 : MS_OK;
}

static void at_internal_time(void *self, double t, bool may_set, bool may_get)
{
    const ms_fmu_stepping *s = self;
    (void)may_get;
    if (may_set && s->step != NULL)
        (void)set_inputs(s, t - s->step->t);
}

/* From t on over h, a part of the step. */
static int advance(ms_fmu_stepping *s, double t, double h)
{
    const ms_stepper_step *step = s->step;
    if (s->sums && fabs(s->end - t) <= 1e-3 * h)
        t = s->end;
    const double end = s->end = t + h;
    double reached = t, from;
    int status = set_inputs(s, t - step->t);
    if (status == MS_OK && !s->intermediate)
        status = set_derivatives(s, t - step->t);
    MS_THEN(status, ms_fmu_step(s->component, t, h, s->keep, &reached));
    for (int k = 0; status == MS_OK && reached < end && reached < end - 1e-12 * fmax(fabs(end), h);
         k++) { /* an early return */
        s->early = true;
        from = reached;
        status = set_inputs(s, from - step->t);
        MS_THEN(status, ms_fmu_step(s->component, from, end - from, s->keep, &reached));
        if (status == MS_OK && (reached <= from || k == RETURNS_MAX))
            status = MS_FMU_DISCARD;
    }
    return status;
}

int ms_fmu_stepping_step(ms_fmu_stepping *s, const ms_stepper_step *step)
{
    const double n = s->length > 0.0 ? fmax(ms_steps_within(s->length, step->h), 1.0) : 1.0;
    const double h = n == 1.0 ? step->h : step->h / n;
    int status = s->at->discrete.n_groups > 0 ? tell_discrete(s, step->c) : MS_OK;
    s->step = step;
    if (s->intermediate)
        ms_fmu_component_intermediate(s->component, step->degree > 0 ? at_internal_time : NULL, s);
    for (double k = 0.0; k < n && status == MS_OK; k++)
        status = advance(s, step->t + k * h, h);
    s->step = NULL;
    return status;
}

int ms_fmu_stepping_derivatives(ms_fmu_stepping *s, int order, double *dy)
{
    const ms_fmu_places *at = s->at;
    double *value = s->value;
    memset(dy, 0, sizeof *dy * (size_t)at->ny);
    const int status = ms_fmu_get_output_derivatives(s->component, at->n_smooth, at->smooth,
                                                     at->smooth_order + (order - 1) * at->n_smooth, value);
    for (int j = 0; j < at->n_smooth && status == MS_OK; j++) {
        if (!isfinite(value[j]))
            return MS_FMU_DISCARD;
        dy[at->smooth_at[j]] = value[j];
    }
    return status;
}

int ms_fmu_stepping_feed_through(ms_fmu_stepping *s, double *D)
{
    const ms_fmu_places *at = s->at;
    const int nc = at->n_continuous;
    double *column = s->value + nc;
    int status = MS_OK;
    memset(s->value, 0, sizeof *s->value * (size_t)nc);
    memset(D, 0, sizeof *D * (size_t)(at->ny * at->nu));
    for (int i = 0; i < nc && at->n_smooth > 0 && status == MS_OK; i++) {
        s->value[i] = 1.0;
        status = ms_fmu_directional_derivative(s->component, at->n_smooth, at->smooth, nc, at->inputs,
                                               s->value, column);
        s->value[i] = 0.0;
        for (int j = 0; j < at->n_smooth && status == MS_OK; j++)
            D[at->smooth_at[j] * at->nu + i] = column[j];
    }
    return status;
}
