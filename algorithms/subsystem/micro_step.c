/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "micro_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Equations ---------------------------------------------------------------------------------------------- */

int ms_micro_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at)
{
    *at = (ms_point){.t = t, .x = x, .u = instance->u, .du = instance->du, .z = instance->z};
    return ms_instance_inputs(instance, piece, t, x, instance->u);
}

int ms_micro_smooth_point(ms_instance *instance, int piece, double t, const double *x, ms_point *at)
{
    const int status = ms_micro_point(instance, piece, ms_events_time(instance->events, t), x, at);
    at->sides = instance->sides;
    return status;
}

bool ms_micro_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

int ms_micro_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx)
{
    MS_TRY(ms_instance_rhs(instance, piece, t, x, dx));
    return ms_micro_finite(instance->n_state, dx) ? 0 : 1;
}

int ms_micro_state_rhs(ms_instance *instance, int piece, double t, const double *x, double *dx)
{
    if (instance->field != NULL)
        return instance->field->rhs(instance, piece, t, x, instance->sub->nx, dx) == 0 &&
                       ms_micro_finite(instance->sub->nx, dx)
                   ? 0
                   : 1;
    instance->work.rhs_evaluations++;
    ms_point at;
    int status = ms_micro_smooth_point(instance, piece, t, x, &at);
    if (status == 0)
        status = ms_subsystem_f(instance->system, instance->index, &at, instance->w, dx);
    if (status != 0)
        return status;
    return ms_micro_finite(instance->sub->nx, dx) ? 0 : 1;
}

int ms_micro_outputs(ms_instance *instance, int piece, double t, const double *x, double *y)
{
    if (instance->field != NULL)
        return instance->field->outputs(instance, piece, t, x, y);
    ms_point at;
    int status = ms_micro_smooth_point(instance, piece, t, x, &at);
    if (status == 0)
        status = ms_subsystem_g(instance->system, instance->index, &at, instance->w, y);
    if (status != 0)
        return status;
    return ms_micro_finite(instance->sub->ny, y) ? 0 : 1;
}

/* Quadrature --------------------------------------------------------------------------------------------- */

const double ms_micro_gauss_nodes[MS_MICRO_GAUSS] = {0.0469100770306680, 0.2307653449471584, 0.5,
                                                     0.7692346550528416, 0.9530899229693320};
const double ms_micro_gauss_weights[MS_MICRO_GAUSS] = {
    0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832, 0.1184634425280945};

int ms_micro_integrate(ms_instance *instance, int piece, double from, double to, ms_micro_dense *dense,
                       void *solver, double *q)
{
    double *x = instance->scratch, *y = x + instance->sub->nx;
    for (int k = 0; k < MS_MICRO_GAUSS; k++) {
        const double t = from + ms_micro_gauss_nodes[k] * (to - from);
        const double weight = ms_micro_gauss_weights[k] * (to - from);
        if (dense(solver, t, x) != 0 || ms_micro_outputs(instance, piece, t, x, y) != 0)
            return MS_SOLVER_FAILED;
        ms_instance_fill_undefined(instance, y);
        for (int j = 0; j < instance->n_integrals; j++)
            q[j] += weight * y[j];
    }
    return MS_OK;
}

/* Samples ------------------------------------------------------------------------------------------------ */

void ms_micro_samples(const ms_instance *instance, int piece, int *first, int *last)
{
    const ms_input *input = &instance->input;
    const ms_events *events = instance->events;
    const double begin = ms_input_begin(input, piece), end = input->end[piece];
    int k = 0;
    while (k < instance->n_places && ms_micro_sample_after(instance, k) <= begin)
        k++;
    while (k < instance->n_places && events != NULL && !events->starts &&
           ms_micro_sample_time(instance, k) <= events->from)
        k++;
    *first = k;
    while (k < instance->n_places && ms_micro_sample_after(instance, k) <= end &&
           (events == NULL || events->ends || ms_micro_sample_time(instance, k) <= events->to))
        k++;
    *last = k;
}
