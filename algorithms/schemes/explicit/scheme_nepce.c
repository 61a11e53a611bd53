/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_nepce.c - `nepce`, nearly energy preserving coupling element: inputs held over macro-steps, plus their error in the
 * last one.
 *
 * Over the macro-step from T_n of length H_n the output y is read as
 *
 *     ybar_n = y_n + alpha eps_{n-1} / H_n,     eps_n = int (y - y_n) dt over the macro-step,     eps_{-1} = 0,
 *
 * eps counted against the held value y_n, before it was corrected. The integral is the subsystem's own (`balance-integral`
 * exact), or by the trapezoidal rule from the values at both ends, eps_n = H_n (y_{n+1} - y_n)/2, which needs nothing from the
 * subsystem. With it and equal steps,
 *
 *     ybar_n = y_n + alpha (y_n - y_{n-1})/2,
 *
 * the first-order extrapolation at the middle of the macro-step for alpha = 1. Inputs that `wires` leaves out are held.
 *
 * With exact integrals it is `balance` of order 0 with the raw error, a box and one macro-step (explicit_balance.c), and it
 * shares all with that.
 *
 * Order of convergence: 2 with alpha = 1, else 1; by the trapezoidal rule 1 also if outputs depend directly on inputs, since y
 * then jumps with them at communication points.
 *
 * Capabilities: none; micro-solvers that integrate outputs for exact integrals.
 *
 * Source: after Benedikt, Watzenig, Zehetner and Hofer (2013), and Sadjina and Pedersen, Engineering with Computers 36 (2020),
 * who put it under energy-controlled steps (step_ecco.c).
 *
 * Departures: the error is distributed over the next macro-step as a box; alpha and the choice of wires are options here. */

#include <macrostep/options.h>
#include "explicit.h"

static int nepce_create(ms_cosim *cosim, ms_error *error)
{
    int status = ms_explicit_create(cosim, error);
    explicit_data *data = cosim->scheme_data;
    if (status != MS_OK || cosim->options->balance.wires[0] == '\0')
        return status;
    data->balance.held = ms_cosim_alloc(cosim, (size_t)cosim->system->nu, sizeof *data->balance.held);
    return data->balance.held != NULL
               ? ms_variant_inputs(cosim->system, cosim->options, data->balance.held, error)
               : MS_NO_MEMORY;
}

static int nepce_order_on(const ms_system *system, const ms_variant *v, const ms_options *options, int *work)
{
    (void)options, (void)work;
    return v->integrals || !ms_system_exchanges_feed_through(system) ? ms_explicit_claimed_order(v) : 1;
}

const ms_scheme ms_scheme_nepce = {
    .name = "nepce",
    .summary = "held inputs plus their error in the last macro-step",
    .source = "after Benedikt et al. 2013; Sadjina, Pedersen 2020",
    .form = MS_FORM_EXTRAPOLATED,
    .integrals = true,
    .trapezoid = true,
    .knows = (const ms_option_id[]){MS_OPTION_ALPHA, MS_OPTION_BALANCE_INTEGRAL, MS_OPTION_WIRES,
                                    MS_OPTION_PASSIVITY, MS_OPTION_PASSIVITY_LIMIT,
                                    MS_OPTION_ERROR_CONTROLLED, MS_OPTION_RTOL, MS_OPTION_ATOL,
                                    MS_OPTION_MIN_STEP, MS_OPTION_MAX_STEP, ECCO_OPTIONS, MS_OPTIONS},
    .memory = ms_explicit_memory,
    .room = ms_explicit_room,
    .create = nepce_create,
    .data = sizeof(explicit_data),
    .start = ms_explicit_start,
    .step = ms_explicit_step,
    .order = ms_explicit_claimed_order,
    .order_on = nepce_order_on,
    .claims = ms_explicit_claims};
