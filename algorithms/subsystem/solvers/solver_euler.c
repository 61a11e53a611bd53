/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_euler.c - the explicit method of Euler,
 *
 *     x+ = x + k f(t, x),     order 1.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1. */
#include "fixed_step.h"

static int euler_step(ms_instance *instance, int piece, double t, double k, const double *x0, double *x1)
{
    const ms_fixed_data *data = instance->solver_data;
    const int n = instance->n_state;
    double *slope = data->slope;
    const int status = ms_micro_rhs(instance, piece, t, x0, slope);
    for (int i = 0; i < n && status == 0; i++)
        x1[i] = x0[i] + k * slope[i];
    return status;
}

static int euler_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    return ms_fixed_advance(instance, piece, t0, h, euler_step);
}

const ms_solver ms_solver_euler = {.name = "euler",
                                   .summary = "explicit Euler with equal micro-steps",
                                   .source = "Hairer, Norsett, Wanner 1993, II.1",
                                   .order = 1,
                                   .stages = 1,
                                   .form = MS_STEPS_EULER,
                                   .linear_map = true,
                                   .events = true,
                                   .create = ms_fixed_create,
                                   .destroy = ms_fixed_destroy,
                                   .advance = euler_advance};
