/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_gsl_within.c - the solution of a GSL solver within a micro-step, for samples, events and integrals.
 *
 *     explicit           one step of Prince and Dormand's 8(7) from the start of the micro-step to that time
 *     implicit one-step  one step of the same method
 *     gsl-msbdf          the polynomial through the last p + 1 points at order p
 *
 * all of them outside error control.
 *
 * Integrals q of outputs: an explicit one-step method integrates them as additional states. gsl-msadams does not:
 * after each of its micro-steps one step of rk8pd integrates x and q together, and only q is kept. (As states of
 * Adams they would have order 1 wherever x is linear in t, since steps are unbounded there.) For implicit methods g
 * is integrated by Gauss's formula on the solution within the micro-step.
 *
 * Source: Prince and Dormand, J. Comput. Appl. Math. 7 (1981). */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "solver_gsl.h"

enum { HALVINGS_MAX = 6 };

/* The fraction of the piece over which x''' is negligible. */
static const double CLOSE = 1e-5;

void ms_gsl_remember(ms_gsl *data, double t)
{
    const ms_instance *instance = data->instance;
    const size_t nx = (size_t)instance->sub->nx;
    if (data->sampler != NULL)
        return;
    const int kept = data->n_past < MS_GSL_PAST ? data->n_past : MS_GSL_PAST - 1;
    memmove(data->past + nx, data->past, sizeof(double) * nx * (size_t)kept);
    memmove(data->past_t + 1, data->past_t, sizeof(double) * (size_t)kept);
    memcpy(data->past, instance->state, sizeof(double) * nx);
    data->past_t[0] = t;
    data->n_past = kept + 1;
}

/* Lagrange's polynomial through the last points, the newest first. */
static void interpolate(const ms_gsl *data, double t, double *x)
{
    const int nx = data->instance->sub->nx, order = (int)gsl_odeiv2_step_order(data->driver->s);
    const int n = order + 1 < data->n_past ? order + 1 : data->n_past;
    memset(x, 0, sizeof(double) * (size_t)nx);
    for (int k = 0; k < n; k++) {
        double weight = 1.0;
        for (int j = 0; j < n; j++)
            if (j != k)
                weight *= (t - data->past_t[j]) / (data->past_t[k] - data->past_t[j]);
        for (int i = 0; i < nx; i++)
            x[i] += weight * data->past[k * nx + i];
    }
}

/* The state at t from the start of the micro-step, in `parts` steps. */
static int sample_steps(const ms_gsl *data, double t, int parts, double *state)
{
    const double h = (t - data->from) / parts;
    int code = GSL_SUCCESS;
    memcpy(state, data->start, sizeof(double) * data->within.dimension);
    for (int i = 0; i < parts && code == GSL_SUCCESS; i++) {
        code = gsl_odeiv2_step_apply(data->sampler, data->from + i * h, h, state, data->error, NULL, NULL,
                                     &data->within);
        if (!ms_micro_finite((int)data->within.dimension, data->error)) /* bsimp: the step is too long */
            code = GSL_FAILURE;
    }
    return code;
}

/* GSL's Newton iteration does not converge for a step that changes the state by little more than round-off, as just after a start at
 * rest: there a step of the explicit midpoint rule is accurate enough. Elsewhere it has failed. */
static int close_to_start(const ms_gsl *data, double t, double *state)
{
    ms_instance *instance = data->instance;
    const double h = t - data->from;
    if (h > CLOSE * (data->end - data->from) ||
        ms_micro_rhs(instance, data->piece, data->from, data->start, instance->dx) != 0)
        return 1;
    for (size_t i = 0; i < data->within.dimension; i++)
        state[i] = data->start[i] + 0.5 * h * instance->dx[i];
    if (ms_micro_rhs(instance, data->piece, data->from + 0.5 * h, state, instance->dx) != 0)
        return 1;
    for (size_t i = 0; i < data->within.dimension; i++)
        state[i] = data->start[i] + h * instance->dx[i];
    return 0;
}

int ms_gsl_dense(void *solver, double t, double *state)
{
    const ms_gsl *data = solver;
    int code = GSL_FAILURE;
    if (data->sampler == NULL) {
        interpolate(data, t, state);
        return 0;
    }
    if (t <= data->from) {
        memcpy(state, data->start, sizeof(double) * data->within.dimension);
        return 0;
    }
    for (int k = 0; k < HALVINGS_MAX && code != GSL_SUCCESS; k++)
        code = sample_steps(data, t, 1 << k, state);
    return code == GSL_SUCCESS ? 0 : close_to_start(data, t, state);
}

/* q at t of an implicit method. */
static int integrate_within(ms_gsl *data, double t, double *q)
{
    ms_instance *instance = data->instance;
    memcpy(q, data->start + instance->sub->nx, sizeof(double) * (size_t)instance->n_integrals);
    return ms_micro_integrate(instance, data->piece, data->from, t, ms_gsl_dense, data, q);
}

int ms_gsl_whole(void *solver, double t, double *state)
{
    ms_gsl *data = solver;
    const ms_instance *instance = data->instance;
    if (ms_gsl_dense(data, t, state) != 0)
        return 1;
    return data->implicit && instance->n_integrals > 0 ? integrate_within(data, t, state + instance->sub->nx)
                                                       : 0;
}

int ms_gsl_integrate(ms_gsl *data, double t)
{
    const ms_instance *instance = data->instance;
    const size_t nx = (size_t)instance->sub->nx;
    if (instance->n_integrals == 0 || data->system.dimension > nx)
        return MS_OK;
    if (data->implicit)
        return integrate_within(data, t, instance->state + nx);
    const int status = ms_gsl_dense(data, t, data->scratch);
    memcpy(instance->state + nx, data->scratch + nx, sizeof(double) * (size_t)instance->n_integrals);
    return status == 0 ? MS_OK : MS_SOLVER_FAILED;
}
