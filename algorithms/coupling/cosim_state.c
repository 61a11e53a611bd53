/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/cosim_state.h>

#include <string.h>

#include <macrostep/instance_step.h>
#include "equal_rows.h"

void ms_cosim_hold(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    for (int l = 0; l < s->nu; l++)
        cosim->hold[l] = s->u_held[l] ? ms_system_coupled(s, l, cosim->y) : NAN;
}

size_t ms_cosim_state_size(const ms_cosim *cosim)
{
    return (size_t)(cosim->lin_size + cosim->aux_size);
}

void ms_cosim_save(const ms_cosim *cosim, double *state)
{
    memcpy(state, cosim->lin, sizeof(double) * (size_t)cosim->lin_size);
    memcpy(state + cosim->lin_size, cosim->aux, sizeof(double) * (size_t)cosim->aux_size);
    for (int i = 0; i < cosim->system->n; i++)
        (void)ms_instance_keep(
            cosim->instance[i]); /* a failure is reported when the instance is to be restored */
    if (cosim->executor->state != NULL)
        cosim->executor->state->save(cosim);
}

void ms_cosim_restore(ms_cosim *cosim, const double *state)
{
    memcpy(cosim->lin, state, sizeof(double) * (size_t)cosim->lin_size);
    memcpy(cosim->aux, state + cosim->lin_size, sizeof(double) * (size_t)cosim->aux_size);
    if (cosim->executor->state != NULL)
        cosim->executor->state->restore(cosim);
}

bool ms_cosim_can_roll_back(const ms_cosim *cosim, const char **who)
{
    for (int i = 0; i < cosim->system->n; i++)
        if (!cosim->instance[i]->can.rollback) {
            if (who != NULL)
                *who = cosim->instance[i]->sub->name;
            return false;
        }
    return true;
}

void ms_cosim_observe(ms_cosim *cosim, bool observed)
{
    if (cosim->executor->state != NULL)
        cosim->executor->state->observe(cosim, observed);
}

void ms_cosim_show(ms_cosim *cosim)
{
    if (cosim->executor->state != NULL)
        cosim->executor->state->show(cosim);
    ms_equal_rows_settle(cosim);
}

double ms_cosim_coupling_residual(const ms_cosim *cosim)
{
    return cosim->executor->state != NULL
               ? cosim->executor->state->residual(cosim)
               : ms_system_coupling_residual(cosim->system, cosim->u_left, cosim->y_raw);
}

/* Sum of n absolute values, eight at a time. */
static double sum_abs(int n, const double *v)
{
    double sum[8] = {0.0};
    int j = 0;
    for (; j + 8 <= n; j += 8)
        for (int k = 0; k < 8; k++)
            sum[k] += fabs(v[j + k]);
    for (; j < n; j++)
        sum[0] += fabs(v[j]);
    return (sum[0] + sum[1] + sum[2] + sum[3]) + (sum[4] + sum[5] + sum[6] + sum[7]);
}

static bool each_within(int n, const double *v, double limit)
{
    bool all = true;
    for (int j = 0; j < n; j++)
        all &= fabs(v[j]) <= limit;
    return all;
}

/* Outputs that no wire carries need not be finite. */
static bool outputs_within(const ms_cosim *cosim, double limit)
{
    int j = 0;
    while (j < cosim->system->ny &&
           (fabs(cosim->y[j]) <= limit || (!cosim->system->carried[j] && !isfinite(cosim->y[j]))))
        j++;
    return j == cosim->system->ny;
}

/* The sum decides almost always. */
bool ms_cosim_many_within(const ms_cosim *cosim, double limit)
{
    if (cosim->executor->state != NULL)
        return cosim->executor->state->largest(cosim) <= limit;
    const ms_system *s = cosim->system;
    const int n = s->nx + s->ny;
    if (sum_abs(n, cosim->x) + sum_abs(s->nu, cosim->u_left) <= limit)
        return true;
    return each_within(s->nx, cosim->x, limit) && outputs_within(cosim, limit) &&
           each_within(s->nu, cosim->u_left, limit);
}
