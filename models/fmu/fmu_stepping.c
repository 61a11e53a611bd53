/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fmu_stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static size_t references(const ms_fmu_description *d)
{
    return (size_t)d->n_inputs * (1 + MS_FMU_ORDERS) + (size_t)d->n_outputs + (size_t)d->n_derivatives;
}

size_t ms_fmu_places_size(const ms_fmu *fmu)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    const size_t orders = MS_FMU_ORDERS * (size_t)d->n_inputs + 2 * (size_t)d->n_outputs;
    return sizeof(ms_fmu_places) + references(d) * sizeof(unsigned) + (orders + 1) * sizeof(int);
}

void ms_fmu_places_fill(const ms_fmu *fmu, ms_fmu_places *at)
{
    const ms_fmu_description *d = ms_fmu_describe(fmu);
    unsigned *u = (unsigned *)(at + 1), *inputs = u + d->n_inputs, *y = inputs + MS_FMU_ORDERS * d->n_inputs,
             *x = y + d->n_outputs;
    int *order = (int *)(x + d->n_derivatives);
    at->nu = d->n_inputs;
    for (int k = 0; k < MS_FMU_ORDERS * at->nu; k++)
        inputs[k] = d->variables[d->inputs[k % at->nu]].value_reference;
    memcpy(u, inputs, sizeof *u * (size_t)at->nu);
    for (int k = 0; k < d->n_outputs; k++)
        if (is_real_scalar(&d->variables[d->outputs[k].variable]))
            y[at->ny++] = d->variables[d->outputs[k].variable].value_reference;
    for (int k = 0; k < d->n_derivatives; k++)
        if (state_of(d, &d->derivatives[k]) >= 0)
            x[at->nx++] = d->variables[state_of(d, &d->derivatives[k])].value_reference;
    for (int k = 0; k < MS_FMU_ORDERS * at->nu; k++)
        order[k] = 1 + k / at->nu;
    int *output_order = order + MS_FMU_ORDERS * at->nu;
    for (int k = 0; k < 2 * at->ny; k++)
        output_order[k] = 1 + k / at->ny;
    at->u = u;
    at->y = y;
    at->output_order = output_order;
    at->x = x;
    at->inputs = inputs;
    at->order = order;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* Inputs at tau after the start of the step. */
static int set_inputs(const ms_fmu_stepping *s, double tau)
{
    const ms_stepper_step *step = s->step;
    for (int i = 0; i < step->nu; i++) {
        double sum = step->c[step->degree * step->nu + i];
        for (int k = step->degree - 1; k >= 0; k--)
            sum = sum * tau + step->c[k * step->nu + i];
        s->value[i] = sum;
    }
    return step->nu > 0 ? ms_fmu_set(s->component, step->nu, s->at->u, s->value) : MS_OK;
}

/* k! c_k for all inputs and orders in one call. */
static int set_derivatives(const ms_fmu_stepping *s)
{
    const ms_stepper_step *step = s->step;
    const int n = step->degree * step->nu;
    double factorial = 1.0;
    for (int k = 1; k <= step->degree; k++) {
        factorial *= k;
        for (int i = 0; i < step->nu; i++)
            s->value[(k - 1) * step->nu + i] = factorial * step->c[k * step->nu + i];
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

int ms_fmu_stepping_step(ms_fmu_stepping *s, const ms_stepper_step *step)
{
    const double end = step->t + step->h, slack = 1e-12 * fmax(fabs(end), step->h);
    double reached = step->t, from;
    s->step = step;
    if (s->intermediate)
        ms_fmu_component_intermediate(s->component, step->degree > 0 ? at_internal_time : NULL, s);
    int status = set_inputs(s, 0.0);
    if (status == MS_OK && !s->intermediate)
        status = set_derivatives(s);
    if (status == MS_OK)
        status = ms_fmu_step(s->component, step->t, step->h, s->keep, &reached);
    for (int k = 0; status == MS_OK && reached < end - slack; k++) { /* an early return */
        from = reached;
        status = set_inputs(s, from - step->t);
        if (status == MS_OK)
            status = ms_fmu_step(s->component, from, end - from, s->keep, &reached);
        if (status == MS_OK && (reached <= from || k == RETURNS_MAX))
            status = MS_FMU_DISCARD;
    }
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
