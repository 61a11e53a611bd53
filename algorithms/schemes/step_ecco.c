/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_ecco.c - energy-conservation based step control (ECCO): the energy that bonds lost or won in a macro-step decides the
 * length of the next one. No macro-step is rejected, so that no subsystem has to roll back.
 *
 * At the end of a macro-step of length h, with u the left limits of the inputs there and y the outputs before they are
 * exchanged, a bond with the ends a and b loses
 *
 *     dE = |P_a + P_b| h,     P     = gain u y, whose sum is zero if both ends agree,
 *     e  = sqrt(mean over the bonds of (dE/scale)^2),
 *
 * with scale = atol + rtol max dE over the bonds (`ecco-scale` code), or atol + rtol |E|, E the energy that the subsystems
 * store (`energy`). Then a PI controller gives
 *
 *     h_new = g h in [min-step, max-step],    g = safety e^(-gain_i - gain_p) e_last^gain_p in [rate-min, rate-max],
 *
 * from the second macro-step on; if e or e_last is 0, the length is kept. Steps may be rounded to multiples of `ecco-rounding`
 * nanoseconds. A cut by a time event or the end changes neither e_last nor the next length.
 *
 * Source: Sadjina, Kyllingstad, Skjong and Pedersen, Engineering with Computers 33 (2017) 607-620; the formulas are those of
 * libcosim's ecco_algorithm.cpp, which rounds to 1 ns and does not cut the last step. Scale `energy` follows the former, which
 * leaves the scale of the energy to the user. Chosen here: it can be used with all explicit schemes of Jacobi type. */

#include <macrostep/cosim_state.h>
#include <macrostep/scheme_registry.h>
#include "cosim_segments.h"
#include "step_control_method.h"
#include "time_events.h"

static bool steps_at_once(const ms_scheme *scheme)
{
    return scheme->form == MS_FORM_EXTRAPOLATED && !scheme->sequential;
}

/* The first subsystem with states whose energy is not declared, or -1. */
static int without_energy(const ms_system *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].nx > 0 && s->sub[i].energy == NULL)
            return i;
    return -1;
}

static int ecco_create(ms_step_control *control, ms_error *error)
{
    const ms_cosim *cosim = control->cosim;
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    const int silent = o->control.ecco_scale == MS_ECCO_ENERGY ? without_energy(s) : -1;
    char names[128];
    if (!steps_at_once(o->scheme))
        return ms_fail(error, MS_UNSUPPORTED,
                       "`error-controlled` ecco: scheme %s does not step all subsystems at once from known "
                       "inputs; these do: %s",
                       o->scheme->name, ms_scheme_names(steps_at_once, names, sizeof names));
    if (s->n_bonds == 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`error-controlled` ecco: model %s has no bonds of power ports; quarter-car with case "
                       "bonded has one",
                       s->model->name);
    if (silent >= 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`ecco-scale` energy: subsystem %s does not declare its energy; use `ecco-scale` code",
                       s->sub[silent].name);
    control->h = fmin(o->step_size, o->control.max_step);
    control->error = 0.0;
    return MS_OK;
}

/* Energy that bond b has lost or won in the macro-step of length h [J]. */
static double lost(const ms_cosim *cosim, int b, double h)
{
    const ms_bond *bond = &cosim->system->bond[b];
    double sum = 0.0;
    for (int end = 0; end < 2; end++)
        sum += bond->gain[end] * cosim->u_left[bond->input[end]] * cosim->y_raw[bond->output[end]];
    return fabs(sum) * h;
}

static double estimate(const ms_cosim *cosim, double h)
{
    const ms_variant *o = &cosim->variant;
    const int n = cosim->system->n_bonds;
    double level = 0.0, sum = 0.0;
    for (int b = 0; b < n; b++)
        level = fmax(level, lost(cosim, b, h));
    if (o->control.ecco_scale == MS_ECCO_ENERGY)
        level = fabs(ms_system_energy(cosim->system, cosim->x));
    for (int b = 0; b < n; b++) {
        const double part = lost(cosim, b, h) / (o->control.atol + o->control.rtol * level);
        sum += part * part;
    }
    return sqrt(sum / n);
}

/* The length after a macro-step of length h with error e [s]. */
static double next_length(const ms_step_control *control, double h, double e)
{
    const ms_variant *o = &control->cosim->variant;
    if (e == 0.0 || control->error == 0.0)
        return h;
    const double g = o->control.safety * pow(e, -o->control.gain_i - o->control.gain_p) *
                     pow(control->error, o->control.gain_p);
    const double asked = h * fmin(o->control.rate_max, fmax(o->control.rate_min, g)),
                 length = fmin(o->control.max_step, fmax(o->control.min_step, asked));
    control->cosim->held += asked < o->control.min_step;
    const double unit = 1e-9 * o->control.ecco_rounding;
    return unit > 0.0 ? fmax(unit, round(length / unit) * unit) : length;
}

static int ecco_attempt(ms_step_control *control, ms_step_attempt *attempt)
{
    ms_cosim *cosim = control->cosim;
    const double t = attempt->t, h = control->h, stop = ms_time_events_stop(cosim, t);
    const bool last = t + h * (1.0 + 1e-10) >= stop;
    attempt->h = last ? stop - t : h;
    attempt->next = last ? stop : t + attempt->h;
    cosim->share = last && stop < cosim->variant.stop_time ? fmin(1.0, attempt->h / h) : 1.0;
    const int status = ms_cosim_step(cosim, t, attempt->h);
    if (ms_cosim_records(cosim))
        ms_cosim_record_segment(cosim, 0, t, attempt->h);
    if (status != MS_OK || last)
        return status;
    attempt->judged = true;
    attempt->estimate = estimate(cosim, h);
    control->h = fmax(next_length(control, h, attempt->estimate), ms_step_smallest(cosim, t));
    control->error = attempt->estimate;
    return MS_OK;
}

const ms_step_method ms_step_ecco = {.watches = true, .create = ecco_create, .attempt = ecco_attempt};
