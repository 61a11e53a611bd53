/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_rk4.c - the classical method of Runge and Kutta,
 *
 *     x+ = x + k/6 (f1 + 2 f2 + 2 f3 + f4),     order 4,
 *     f1 = f(t, x), f2 = f(t + k/2, x + k/2 f1), f3 = f(t + k/2, x + k/2 f2), f4 = f(t + k, x + k f3).
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1, table 1.2. */
#include "fixed_step.h"

static int rk4_step(ms_instance *instance, int piece, double t, double k, const double *x0, double *x1)
{
    static const double c[4] = {0.0, 0.5, 0.5, 1.0}; /* the only coefficient of a stage, too */
    const ms_fixed_data *data = instance->solver_data;
    const int n = instance->n_state;
    double *x = data->stage, *f = data->slope;
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < n; i++)
            x[i] = stage == 0 ? x0[i] : x0[i] + c[stage] * k * f[(stage - 1) * n + i];
        const int status = ms_micro_rhs(instance, piece, t + c[stage] * k, x, f + stage * n);
        if (status != 0)
            return status;
    }
    for (int i = 0; i < n; i++)
        x1[i] = x0[i] + k / 6.0 * (f[i] + 2.0 * f[n + i] + 2.0 * f[2 * n + i] + f[3 * n + i]);
    return 0;
}

static int rk4_advance(ms_instance *instance, int piece, double t0, double h, bool discontinuous)
{
    (void)discontinuous;
    return ms_fixed_advance(instance, piece, t0, h, rk4_step);
}

const ms_solver ms_solver_rk4 = {.name = "rk4",
                                 .summary = "classical Runge-Kutta of order 4 with equal micro-steps",
                                 .source = "Hairer, Norsett, Wanner 1993, II.1, table 1.2",
                                 .order = 4,
                                 .stages = 4,
                                 .form = MS_STEPS_CLASSICAL,
                                 .linear_map = true,
                                 .events = true,
                                 .create = ms_fixed_create,
                                 .destroy = ms_fixed_destroy,
                                 .advance = rk4_advance};
