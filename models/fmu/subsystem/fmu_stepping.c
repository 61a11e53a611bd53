/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common_step.h"

enum { RETURNS_MAX = 1000 }; /* of one step, before its end */

/* Variables ---------------------------------------------------------------------------------------------- */

static bool is_real_scalar(const ms_fmu_variable *v)
{
    return v->type == MS_FMU_FLOAT64 && v->n_dimensions == 0;
}

/* The state whose derivative an unknown of ModelStructure is, or -1. */
static int state_of(const ms_fmu_description *d, const ms_fmu_unknown *derivative)
{
    const int state = d->variables[derivative->variable].derivative_of;
    return state >= 0 && is_real_scalar(&d->variables[state]) ? state : -1;
}

/* Numbers of the places, which are all of one size: references, orders, indices. */
static size_t numbers(const ms_fmu_description *d)
{
    const size_t nu = (size_t)(d->n_inputs + d->n_discrete_inputs), ny = (size_t)d->n_outputs,
                 nx = (size_t)d->n_derivatives;
    return nu * (1 + 2 * MS_FMU_ORDERS) + 4 * ny + 2 * nx;
}

size_t ms_fmu_places_size(const ms_fmu *fmu)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    return sizeof(ms_fmu_places) + (size_t)d->n_outputs * sizeof(ms_fmu_unknown *) +
           (numbers(d) + 1) * sizeof(int);
}

static void fill_inputs(const ms_fmu *fmu, ms_fmu_places *at, unsigned *u, unsigned *inputs, int *order)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    at->nu = ms_fmu_n_inputs(fmu);
    at->n_continuous = d->n_inputs;
    for (int i = 0; i < at->nu; i++)
        u[i] = d->variables[d->inputs[i]].value_reference;
    for (int k = 0; k < MS_FMU_ORDERS * at->n_continuous; k++) {
        inputs[k] = u[k % at->n_continuous];
        order[k] = 1 + k / at->n_continuous;
    }
    at->u = u;
    at->inputs = inputs;
    at->order = order;
}

static void fill_outputs(const ms_fmu_description *d, ms_fmu_places *at, unsigned *y, int *index,
                         const ms_fmu_unknown **unknown)
{
    for (int k = 0; k < d->n_outputs; k++) {
        const int variable = d->outputs[k].variable;
        if (!is_real_scalar(&d->variables[variable]))
            continue;
        y[at->ny] = d->variables[variable].value_reference;
        index[at->ny] = variable;
        unknown[at->ny++] = &d->outputs[k];
    }
    at->y = y;
    at->y_of = index;
    at->output = unknown;
}

static void fill_states(const ms_fmu_description *d, ms_fmu_places *at, unsigned *x, int *index)
{
    for (int k = 0; k < d->n_derivatives; k++) {
        const int state = state_of(d, &d->derivatives[k]);
        if (state < 0)
            continue;
        x[at->nx] = d->variables[state].value_reference;
        index[at->nx++] = state;
    }
    at->x = x;
    at->x_of = index;
}

void ms_fmu_places_fill(const ms_fmu *fmu, ms_fmu_places *at)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    const int nu = d->n_inputs + d->n_discrete_inputs, ny = d->n_outputs, nx = d->n_derivatives;
    const ms_fmu_unknown **unknown = (const ms_fmu_unknown **)(void *)(at + 1);
    unsigned *u = (unsigned *)(void *)(unknown + ny), *inputs = u + nu, *y = inputs + MS_FMU_ORDERS * nu,
             *x = y + ny;
    int *order = (int *)(x + nx), *output_order = order + MS_FMU_ORDERS * nu, *y_of = output_order + 2 * ny;
    fill_inputs(fmu, at, u, inputs, order);
    fill_outputs(d, at, y, y_of, unknown);
    fill_states(d, at, y + at->ny, y_of + ny);
    for (int k = 0; k < 2 * at->ny; k++)
        output_order[k] = 1 + k / at->ny;
    at->output_order = output_order;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* The first n inputs at tau after the start of the step. */
static int set_inputs(const ms_fmu_stepping *s, int n, double tau)
{
    const ms_stepper_step *step = s->step;
    if (step->degree == 0)
        return n > 0 ? ms_fmu_set(s->component, n, s->at->u, step->c) : MS_OK;
    for (int i = 0; i < n; i++) {
        double sum = step->c[step->degree * step->nu + i];
        for (int k = step->degree - 1; k >= 0; k--)
            sum = sum * tau + step->c[k * step->nu + i];
        s->value[i] = sum;
    }
    return n > 0 ? ms_fmu_set(s->component, n, s->at->u, s->value) : MS_OK;
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
        (void)set_inputs(s, s->at->n_continuous, t - s->step->t);
}

/* From t on over h, a part of the step. */
static int advance(ms_fmu_stepping *s, double t, double h)
{
    const ms_stepper_step *step = s->step;
    const double end = t + h;
    double reached = t, from;
    int status = set_inputs(s, step->nu, t - step->t);
    if (status == MS_OK && !s->intermediate)
        status = set_derivatives(s, t - step->t);
    if (status == MS_OK)
        status = ms_fmu_step(s->component, t, h, s->keep, &reached);
    for (int k = 0; status == MS_OK && reached < end && reached < end - 1e-12 * fmax(fabs(end), h);
         k++) { /* an early return */
        from = reached;
        status = set_inputs(s, step->nu, from - step->t);
        if (status == MS_OK)
            status = ms_fmu_step(s->component, from, end - from, s->keep, &reached);
        if (status == MS_OK && (reached <= from || k == RETURNS_MAX))
            status = MS_FMU_DISCARD;
    }
    return status;
}

int ms_fmu_stepping_step(ms_fmu_stepping *s, const ms_stepper_step *step)
{
    const double n = s->length > 0.0 ? fmax(ms_steps_within(s->length, step->h), 1.0) : 1.0;
    int status = MS_OK;
    s->step = step;
    if (s->intermediate)
        ms_fmu_component_intermediate(s->component, step->degree > 0 ? at_internal_time : NULL, s);
    const double h = step->h / n;
    for (double k = 0.0; k < n && status == MS_OK; k++)
        status = advance(s, step->t + k * h, h);
    s->step = NULL;
    return status;
}

int ms_fmu_stepping_derivatives(ms_fmu_stepping *s, int order, double *dy)
{
    const int ny = s->at->ny;
    const int *orders = s->at->output_order + (order - 1) * ny;
    const int status = ms_fmu_get_output_derivatives(s->component, ny, s->at->y, orders, dy);
    for (int j = 0; j < ny && status == MS_OK; j++)
        if (!isfinite(dy[j]))
            return MS_FMU_DISCARD;
    return status;
}

int ms_fmu_stepping_feed_through(ms_fmu_stepping *s, double *D)
{
    const int nu = s->at->nu, ny = s->at->ny;
    double *column = s->value + nu;
    int status = MS_OK;
    memset(s->value, 0, sizeof *s->value * (size_t)nu);
    for (int i = 0; i < nu && status == MS_OK; i++) {
        s->value[i] = 1.0;
        status = ms_fmu_directional_derivative(s->component, ny, s->at->y, nu, s->at->u, s->value, column);
        s->value[i] = 0.0;
        for (int j = 0; j < ny && status == MS_OK; j++)
            D[j * nu + i] = column[j];
    }
    return status;
}
