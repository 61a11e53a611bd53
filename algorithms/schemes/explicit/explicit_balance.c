/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explicit_balance.c - balance correction: the error of the extrapolation over a macro-step is fed back in the next
 * ones.
 *
 * Over a macro-step the output j of a subsystem is replaced by pbar(tau) = p(tau) + a phi(tau): the
 * extrapolation p of the Jacobi scheme, its smoothing included, and a hat phi of integral 1. With the
 * subsystem's own integral of its output,
 *
 *     e_n = int y dt - int p dt        raw:  the error of the extrapolation
 *     e_n = int y dt - int pbar dt     used: with the correction that was added to it
 *     a   = (e_{n-1} + .. + e_{n-N}) / N
 *
 * (13) is the error of pbar, E_n = int y dt - int pbar dt = r_n - a_n with r_n the raw error and a_n the correction
 * fed back. Table 2 is lost, and the text does not say whether only E_n of the last macro-step is fed back or the sum
 * so far:
 *
 *     alone            a_{n+1} = E_n = r_n - a_n                     this is `used`
 *     accumulated      a_{n+1} = E_1 + .. + E_n = a_n + E_n = r_n    this is `raw`, with N = 1
 *
 * The latter restores the balance, and agrees with the paper's description of figures 8 and 9.
 *
 * In a macro-step cut by a time event (time_events.h) a is scaled by the remaining fraction of the length, so that
 * inputs stay as small as in whole steps; the rest is carried over, and added to e_n if that is raw.
 *
 * Errors are counted for outputs; as u = L y is linear, that is the error of every input. Smoothing continues
 * p, not pbar: the hat alone decides whether the correction jumps.
 *
 * Source: Moshagen (2021), 2.1, Table 2, (13). With the error `used` the additional order reported in 6.1 is lost:
 * the correction of one macro-step then counts as an error of the next, and the balance is not restored. */
#include <string.h>

#include "explicit.h"

void ms_explicit_add_hats(const ms_cosim *cosim, explicit_data *data, double h)
{
    const ms_weights p = data->cache.weights[EXTRAPOLATED];
    data->balance.extrapolation = p;
    ms_weights_integral(&p, h, data->balance.integral);
    switch (cosim->variant.balance.hat) {
    case MS_HAT_TRIANGLE:
        data->cache.weights[EXTRAPOLATED] = ms_weights_triangle(p, h, 0);
        data->cache.weights[SECOND_PIECE] = ms_weights_triangle(p, h, 1);
        break;
    case MS_HAT_SMOOTH:
        data->cache.weights[EXTRAPOLATED] = ms_weights_smooth_hat(p, h);
        break;
    default:
        data->cache.weights[EXTRAPOLATED] = ms_weights_box(p, h);
        break;
    }
    const double alpha = cosim->variant.balance.alpha;
    for (int kind = EXTRAPOLATED; kind < KINDS && alpha != 1.0; kind++)
        for (int k = 0; k <= MS_WEIGHT_DEGREE; k++)
            data->cache.weights[kind].w[k][MS_SLOT_BALANCE] *= alpha;
}

void ms_explicit_feed_back(const ms_cosim *cosim, const explicit_data *data)
{
    const int ny = cosim->system->ny, steps = cosim->variant.balance.steps;
    for (int j = 0; j < ny; j++) {
        double sum = 0.0;
        for (int m = 0; m < steps; m++)
            sum += data->balance.errors[m * ny + j];
        data->balance.amount[j] = cosim->share * (sum / steps);
    }
}

void ms_explicit_hold(const ms_cosim *cosim, const explicit_data *data)
{
    const ms_system *s = cosim->system;
    const double *y = data->slot[EXTRAPOLATED][MS_SLOT_Y0];
    for (int l = 0; l < s->nu; l++)
        if (data->balance.held[l])
            *data->config.target[l].c = ms_system_coupled(s, l, y);
}

/* v = sum_s w_s (slot s), without the correction fed back. */
static void combine(const explicit_data *data, int ny, const double w[MS_WEIGHT_SLOTS], double *v)
{
    memset(v, 0, sizeof(double) * (size_t)ny);
    for (int s = 0; s < MS_SLOT_BALANCE; s++)
        for (int j = 0; j < ny && w[s] != 0.0; j++)
            v[j] += w[s] * data->slot[EXTRAPOLATED][s][j];
}

/* The newest error, before the others. */
static void count_errors(const ms_cosim *cosim, const explicit_data *data, double h)
{
    const ms_system *system = cosim->system;
    const int ny = system->ny, steps = cosim->variant.balance.steps;
    double *missed = data->balance.scratch;
    memmove(data->balance.errors + ny, data->balance.errors, sizeof(double) * (size_t)((steps - 1) * ny));
    combine(data, ny, data->balance.integral, missed);
    for (int j = 0; j < ny && data->balance.trapezoid; j++)
        data->balance.errors[j] =
            0.5 * h * (data->slot[EXTRAPOLATED][MS_SLOT_Y0][j] + data->y_new[j]) - missed[j];
    for (int i = 0; i < system->n && !data->balance.trapezoid; i++) {
        const double *integral = ms_instance_integrals(cosim->instance[i]);
        for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++)
            data->balance.errors[j] = integral[j - system->y_at[i]] - missed[j];
    }
    const bool used = cosim->variant.balance.error == MS_BALANCE_USED;
    const double owed = (1.0 - cosim->share) / cosim->share; /* carried over from the correction */
    for (int j = 0; j < ny && (used || owed > 0.0); j++)
        data->balance.errors[j] += used ? -data->balance.amount[j] : owed * data->balance.amount[j];
}

/* Left limits of p at the end of the macro-step. */
static void remember_left(const explicit_data *data, int ny, double h)
{
    double w[MS_WEIGHT_SLOTS], *value = data->balance.scratch, *slope = value + ny;
    double *const *slot = data->slot[EXTRAPOLATED];
    ms_weights_at(&data->balance.extrapolation, 0, h, w);
    combine(data, ny, w, value);
    ms_weights_at(&data->balance.extrapolation, 1, h, w);
    combine(data, ny, w, slope);
    memcpy(slot[MS_SLOT_LEFT], value, sizeof(double) * (size_t)ny);
    if (slot[MS_SLOT_LEFT_SLOPE] != NULL)
        memcpy(slot[MS_SLOT_LEFT_SLOPE], slope, sizeof(double) * (size_t)ny);
}

void ms_explicit_balance(const ms_cosim *cosim, const explicit_data *data, double h)
{
    count_errors(cosim, data, h);
    if (data->config.smoothing != MS_SMOOTHING_NONE)
        remember_left(data, cosim->system->ny, h);
}
