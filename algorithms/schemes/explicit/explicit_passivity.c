/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explicit_passivity.c - passivity observer and controller: a bond that has produced energy is damped until it has given it back.
 *
 * Power that leaves one end of a bond should enter the other one, so the bond itself produces the power P = P_0 + P_1, P_k = gain_k y_k u_k into the
 * subsystems. The observer integrates it by the trapezoidal rule, from the right limits of the inputs and the outputs at T_n,
 * and from the left limits and the raw outputs at T_n + H:
 *
 *     E_{n+1} = E_n + H/2 (P(T_n) + P(T_n + H)),     E_0 = 0.
 *
 * If E_n > 0, the input of one end over the whole macro-step is
 *
 *     u - sign(gain) alpha y_n,     alpha = min(E_n / (H |gain| y_n^2), limit),
 *
 * which takes H |gain| alpha y^2 from the bond, up to a change of y in the macro-step. While E_n <= 0 the inputs are those of the scheme,
 * bit for bit. With y_n = 0 there is nothing to damp. The end is the one that receives a force or a torque, by the unit of its input, N or
 * N m; the first one if none or both do. The limit must stay below the stability bound of a held damper, about 2 m/H at a mass m.
 *
 * Gauss-Seidel with held inputs is symplectic between two ends: the first one to step has the other's output of T_n, the second one that of
 * T_n + H, so that, where outputs of ports do not answer directly to inputs, P H = H/2 (Q_n - Q_{n+1}), Q the power into the first one by
 * outputs at communication points. That is energy in transit, which comes back; damping it would remove it from the oscillation
 * permanently. The observer excludes it:
 *
 *     E_{n+1} = E_n + H/2 (P(T_n) + P(T_n + H)) + H/2 (Q_{n+1} - Q_n).
 *
 * It requires that all subsystems step over the same macro-steps from right limits known at T_n: in strang the ends of a bond meet at half steps, in
 * multirate and f3ornits at different times, so that P at one time is undefined; `power` makes the ends agree on it, and iterations do so up to their
 * tolerance. Their energy is observed by the ledger (energy.h).
 *
 * Capabilities: none; the model declares its ports. Macro-steps are no longer linear: there is no propagation matrix.
 *
 * Source: after Hannaford and Ryu, IEEE Transactions on Robotics and Automation 18 (2002) 1-10. Departures: the trapezoidal rule instead of held
 * values, this limit instead of that of a torque, and power from the outputs of both ends. Its error per macro-step is of order H^3, of order H if
 * outputs of ports depend directly on inputs, since y then jumps with them. */
#include <math.h>
#include <string.h>

#include "explicit.h"

/* The damping coefficient of the input u - damping y_n. */
static double damping(double energy, double gain, double y, double h, double limit)
{
    if (energy <= 0.0 || y == 0.0)
        return 0.0;
    return copysign(fmin(energy / (h * fabs(gain) * y * y), limit), gain);
}

static bool receives_force(const ms_system *s, const ms_bond *bond, int end)
{
    const int i = bond->subsystem[end];
    const char *unit = s->sub[i].u[bond->input[end] - s->u_at[i]].unit;
    return unit != NULL && (strcmp(unit, "N") == 0 || strcmp(unit, "N m") == 0);
}

/* Does a macro-step leave energy in transit in the bond that the formula knows? */
static bool has_transit(const ms_system *s, const explicit_config *config, const ms_bond *bond)
{
    const bool jumps = s->feed_through[bond->output[0]] || s->feed_through[bond->output[1]];
    return config->gauss_seidel && config->order == 0 && config->smoothing == MS_SMOOTHING_NONE &&
           config->outputs == MS_OUTPUTS_INCONSISTENT && !jumps;
}

int ms_explicit_passivity_create(ms_cosim *cosim, explicit_data *data, ms_error *error)
{
    const ms_system *s = cosim->system;
    const int bonds = s->n_bonds;
    if (bonds == 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`passivity` on: model %s has no bonds of power ports; spring-mass has one",
                       s->model->name);
    data->passivity.power = ms_cosim_alloc(cosim, (size_t)bonds, sizeof *data->passivity.power);
    data->passivity.end = ms_cosim_alloc(cosim, (size_t)bonds, sizeof *data->passivity.end);
    data->passivity.transit = ms_cosim_alloc(cosim, (size_t)bonds, sizeof *data->passivity.transit);
    MS_TRY_MEMORY(data->passivity.power != NULL && data->passivity.end != NULL &&
                  data->passivity.transit != NULL);
    for (int b = 0; b < bonds; b++) {
        data->passivity.end[b] = !receives_force(s, &s->bond[b], 0) && receives_force(s, &s->bond[b], 1);
        data->passivity.transit[b] = has_transit(s, &data->config, &s->bond[b]);
    }
    data->passivity.energy = cosim->scheme_aux + HISTORY_SIZE + (data->events.drop ? 2 * s->n : 0);
    return MS_OK;
}

/* The power into that end of bond b whose subsystem steps first, by outputs y (ny). */
static double transit(const ms_cosim *cosim, const explicit_data *data, int b, const double *y)
{
    const ms_system *s = cosim->system;
    const ms_bond *bond = &s->bond[b];
    const int *rank = data->config.rank;
    const int end = rank[bond->subsystem[0]] < rank[bond->subsystem[1]] ? 0 : 1;
    const int wire = s->row_at[bond->input[end]]; /* its only one */
    return bond->gain[end] * y[bond->output[end]] * s->wire_gain[wire] * y[s->wire_output[wire]];
}

/* One end of bond b at the start of the macro-step: its input, damped, and the power that it gets. */
static void damp_end(const ms_cosim *cosim, const explicit_data *data, int b, int end, double h)
{
    const ms_bond *bond = &cosim->system->bond[b];
    const explicit_target target = data->config.target[bond->input[end]];
    const double y = data->slot[EXTRAPOLATED][MS_SLOT_Y0][bond->output[end]], gain = bond->gain[end];
    if (data->passivity.end[b] == end && data->passivity.energy[b] > 0.0) {
        const double d =
            damping(data->passivity.energy[b], gain, y, h, cosim->variant.balance.passivity_limit);
        for (int piece = 0; piece < data->config.pieces; piece++)
            target.c[piece * data->config.piece_stride * target.stride] -= d * y;
    }
    data->passivity.power[b] += gain * y * *target.c;
    if (data->passivity.end[b] == end && data->passivity.transit[b]) /* once for the bond */
        data->passivity.power[b] -= transit(cosim, data, b, data->slot[EXTRAPOLATED][MS_SLOT_Y0]);
}

void ms_explicit_damp(const ms_cosim *cosim, const explicit_data *data, int i, double h)
{
    for (int b = 0; b < cosim->system->n_bonds; b++)
        for (int end = 0; end < 2; end++)
            if (cosim->system->bond[b].subsystem[end] == i)
                damp_end(cosim, data, b, end, h);
}

void ms_explicit_produce(const ms_cosim *cosim, const explicit_data *data, double h)
{
    for (int b = 0; b < cosim->system->n_bonds; b++) {
        const ms_bond *bond = &cosim->system->bond[b];
        double power = data->passivity.power[b];
        for (int end = 0; end < 2; end++)
            power += bond->gain[end] * cosim->u_left[bond->input[end]] * cosim->y_raw[bond->output[end]];
        power += data->passivity.transit[b] ? transit(cosim, data, b, cosim->y_raw) : 0.0;
        data->passivity.energy[b] += 0.5 * h * power;
    }
}
