/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ifosmondi_callback.c - gamma of the iterated schemes: inputs from unknowns, a sweep over all subsystems or estimates of it, and the
 * resulting unknowns. scheme_ifosmondi.c has the formulas. */
#include <string.h>

#include <macrostep/cosim_state.h>
#include "ifosmondi_data.h"

/* Inputs ------------------------------------------------------------------------------------------------- */

/* Input l from the values and slopes that are given; guessed: of the first call. */
static void input_polynomial(const ifosmondi_data *data, int l, int nu, bool guessed,
                             double c[HERMITE_DEGREE + 1])
{
    const double a = data->left[l], b = data->smooth ? data->left[nu + l] : 0.0, *z = data->given;
    const bool first_step = *data->steps == 0.0;
    memset(c, 0, sizeof(double) * (HERMITE_DEGREE + 1));
    if (!data->smooth)
        c[0] = z[l];
    else if (guessed)
        ms_hermite_first_guess(a, first_step ? 0.0 : b, data->h, c);
    else if (first_step)
        ms_hermite_parabola(a, z[l], z[nu + l], data->h, c);
    else
        ms_hermite_cubic(a, b, z[l], z[nu + l], data->h, c);
}

/* The inputs of subsystem i. */
static void give_inputs_of(const ms_cosim *cosim, const ifosmondi_data *data, int i, bool first_call)
{
    const ms_system *s = cosim->system;
    ms_input *input = &cosim->instance[i]->input;
    ms_input_set_single(input, data->smooth ? HERMITE_DEGREE : 0, data->h);
    for (int l = 0; l < input->n; l++) {
        const int at = s->u_at[i] + l;
        double c[HERMITE_DEGREE + 1];
        input_polynomial(data, at, s->nu, first_call && !data->fed[at], c);
        for (int k = 0; k <= input->degree; k++)
            ms_input_coefficients(input, 0, k)[l] = c[k];
    }
}

static void give_inputs(const ms_cosim *cosim, const ifosmondi_data *data, bool first_call)
{
    for (int i = 0; i < cosim->system->n; i++)
        give_inputs_of(cosim, data, i, first_call);
}

/* The inputs of the first call at its end: (20). */
static void guess_inputs(const ms_cosim *cosim, const ifosmondi_data *data)
{
    const int nu = cosim->system->nu;
    memcpy(data->given, data->left, sizeof(double) * (size_t)data->full);
    for (int l = nu; l < data->full; l++)
        data->given[l] = *data->steps == 0.0 ? 0.0 : -data->left[l];
}

static void scatter(const ifosmondi_data *data, const double *z)
{
    for (int k = 0; k < data->iteration.n; k++)
        data->given[data->unknown[k]] = z[k];
}

static void gather(const ifosmondi_data *data, const double *from, double *z)
{
    for (int k = 0; k < data->iteration.n; k++)
        z[k] = from[data->unknown[k]];
}

/* The callback ------------------------------------------------------------------------------------------- */

/* y' of outputs [first, last) at the end of the macro-step as the difference over it. */
static void difference_derivatives(const ms_cosim *cosim, const ifosmondi_data *data, int first, int last)
{
    for (int j = first; j < last; j++)
        data->dy[j] = (cosim->y_raw[j] - cosim->y[j]) / data->h;
}

int ms_ifosmondi_advance(ms_cosim *cosim, const ifosmondi_data *data, double *dy)
{
    MS_TRY(ms_execution_advance(cosim, data->t, data->h, dy));
    cosim->integrations += cosim->system->n;
    cosim->sweeps++;
    return MS_OK;
}

/* The inputs of subsystem i that earlier ones feed. */
static void take_newest(const ms_cosim *cosim, const ifosmondi_data *data, int i)
{
    const ms_system *s = cosim->system;
    for (int l = s->u_at[i]; l < s->u_at[i + 1]; l++) {
        if (!data->fed[l])
            continue;
        data->given[l] = ms_system_coupled(s, l, cosim->y_raw);
        if (data->smooth)
            data->given[s->nu + l] = ms_system_coupled(s, l, data->dy);
    }
}

/* The same as advance, for one subsystem after the other, each with the newest outputs. */
static int advance_in_order(ms_cosim *cosim, const ifosmondi_data *data, bool exact, bool first_call)
{
    const ms_system *s = cosim->system;
    for (int k = 0; k < s->n; k++) {
        const int i = data->sequence[k];
        take_newest(cosim, data, i);
        give_inputs_of(cosim, data, i, first_call);
        MS_TRY(ms_execution_advance_one(cosim, i, data->t, data->h, exact ? data->dy : NULL));
        if (data->smooth && !exact)
            difference_derivatives(cosim, data, s->y_at[i], s->y_at[i + 1]);
    }
    cosim->integrations += s->n;
    cosim->sweeps++;
    return MS_OK;
}

/* A sweep of subsystems that roll back. */
static int sweep(ms_cosim *cosim, const ifosmondi_data *data, bool exact, bool first_call)
{
    ms_cosim_restore(cosim, data->before);
    if (data->sequence != NULL)
        return advance_in_order(cosim, data, exact, first_call);
    give_inputs(cosim, data, first_call);
    const int status = ms_ifosmondi_advance(cosim, data, exact ? data->dy : NULL);
    if (status == MS_OK && data->smooth && !exact)
        difference_derivatives(cosim, data, 0, cosim->system->ny);
    return status;
}

/* The same of estimates. */
static void estimate(ms_cosim *cosim, const ifosmondi_data *data, bool exact, bool first_call)
{
    give_inputs(cosim, data, first_call);
    ms_output_estimate_outputs(cosim, data->estimate, exact ? data->dy : NULL);
    if (data->smooth && !exact)
        difference_derivatives(cosim, data, 0, cosim->system->ny);
}

int ms_ifosmondi_call(ms_cosim *cosim, ifosmondi_data *data, const double *z, double *image)
{
    const ms_system *s = cosim->system;
    const bool exact = data->smooth &&
                       (cosim->scheme->at_once || cosim->variant.initial.output_derivatives == MS_YDOT_EXACT);
    int status = MS_OK;
    data->iteration.calls++;
    if (z == NULL)
        guess_inputs(cosim, data);
    else
        scatter(data, z);
    if (data->estimate != NULL)
        estimate(cosim, data, exact, z == NULL);
    else
        status = sweep(cosim, data, exact, z == NULL);
    if (status != MS_OK)
        return status;
    ms_system_couple(s, cosim->y_raw, data->image);
    if (data->smooth)
        ms_system_couple(s, data->dy, data->image + s->nu);
    gather(data, data->image, image);
    return MS_OK;
}

int ms_ifosmondi_residual(void *context, const double *z, double *r)
{
    ms_cosim *cosim = context;
    ifosmondi_data *data = cosim->scheme_data;
    const int status = ms_ifosmondi_call(cosim, data, z, r);
    for (int k = 0; k < data->iteration.n && status == MS_OK; k++)
        r[k] = z[k] - r[k];
    return status == MS_SOLVER_FAILED ? MS_NOT_CONVERGED : status;
}
