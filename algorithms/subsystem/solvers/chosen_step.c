/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chosen_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "micro_step.h"

/* max_i |v_i| / (atol + rtol |x_i|), of a difference where `minus` is given. */
static double scaled_norm(const ms_chosen_step *step, const double *v, const double *minus)
{
    double norm = 0.0;
    for (int i = 0; i < step->instance->sub->nx; i++) {
        const double scale = step->atol + step->rtol * fabs(step->instance->state[i]) + DBL_MIN;
        norm = fmax(norm, fabs(v[i] - (minus != NULL ? minus[i] : 0.0)) / scale);
    }
    return norm;
}

double ms_chosen_first_step(const ms_chosen_step *step, double t, double length)
{
    ms_instance *instance = step->instance;
    const int nx = instance->sub->nx;
    double *f0 = step->scratch, *f1 = f0 + instance->n_state, *x = f1 + instance->n_state;
    if (ms_micro_state_rhs(instance, step->piece, t, instance->state, f0) != 0)
        return 0.0;
    const double d0 = scaled_norm(step, instance->state, NULL), d1 = scaled_norm(step, f0, NULL);
    const double h0 = fmin(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, length);
    for (int i = 0; i < nx; i++)
        x[i] = instance->state[i] + h0 * f0[i];
    if (ms_micro_state_rhs(instance, step->piece, t + h0, x, f1) != 0)
        return 0.01 * h0;
    const double larger = fmax(d1, scaled_norm(step, f1, f0) / h0);
    const double h1 = larger <= 1e-15 ? fmax(1e-6, 1e-3 * h0) : pow(0.01 / larger, 1.0 / (step->order + 1));
    return fmin(fmin(100.0 * h0, h1), length);
}

double ms_chosen_cut(double t, double h, double end)
{
    const double left = end - t;
    return h >= (1.0 - 1e-9) * left ? left : t + (h > 0.5 * left ? 0.5 * left : h) - t;
}

int ms_chosen_sample(const ms_instance *instance, double t, double end, ms_micro_dense *dense, void *solver,
                     int *next, int last)
{
    for (; *next < last; ++*next) {
        const double at = fmin(ms_micro_sample_time(instance, *next), end);
        double *x = ms_micro_sample(instance, *next);
        if (at > t)
            break;
        if (at >= t)
            memcpy(x, instance->state, sizeof *x * (size_t)instance->n_state);
        else if (dense(solver, at, x) != 0)
            return MS_SOLVER_FAILED;
    }
    return MS_OK;
}
