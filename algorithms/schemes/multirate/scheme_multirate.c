/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_multirate.c - explicit co-simulation in which each subsystem has its own step: subsystem i takes a macro-step of length H
 * in m_i equal sub-steps (`substeps`), at each of which its micro-solver restarts.
 *
 * Outputs are known at points: with `points` micro at the ends of all sub-steps of their subsystem, H/m_i apart, with macro only at T_n.
 * With order k (`extrapolation-order`) the input from a subsystem that
 *
 *     has not stepped    is the polynomial of degree k through its k + 1 newest points, from T_n on;
 *     has stepped        is the interpolant of Gauss-Seidel between consecutive points: k = 0 holds the newer one, k = 1
 *                        is the line through both, k = 2 the parabola through the one before, too.
 *
 * `first` parallel: no subsystem has stepped when another one does. slow: subsystems with few sub-steps step first, then those with more;
 * fast: the reverse. Subsystems with equal numbers step in their given order.
 *
 * Subsystems communicate only at macro-points: two fast ones do not exchange outputs in between, except with `points` common, where inputs
 * are held and wires are updated where sub-steps of both ends coincide (multirate_common.c; order 0, parallel). With m = 1 throughout
 * parallel is `jacobi`, slow and fast are `gauss-seidel` of that order, to the bit. With macro-points and exact subsystems in parallel,
 * sub-steps change nothing.
 *
 * Order of convergence: k + 1; at most 2 with `start` hold, unless every wire leads to a subsystem that steps later.
 *
 * Capabilities: inputs of degree k; micro-points of subsystems without discrete variables that do not step themselves.
 *
 * Source: after Gear and Wells, BIT 24 (1984) 484-502 (slowest first, fastest first); common points are those of
 * libcosim's decimation.
 *
 * Departures: curves through micro-points, the start and the memory are chosen here. */

#include <macrostep/execution.h>
#include "multirate.h"

static int take(ms_cosim *cosim, multirate_data *data, int i)
{
    cosim->integrations += data->substeps[i];
    return ms_inner_outputs_read(cosim, &data->points, i, data->values + data->values_at[i]);
}

static int step_together(ms_cosim *cosim, multirate_data *data)
{
    const int n = cosim->system->n;
    for (int i = 0; i < n; i++)
        ms_multirate_give(cosim, data, i);
    int status = ms_execution_advance(cosim, data->t, data->h, NULL);
    for (int i = 0; i < n && status == MS_OK; i++)
        status = take(cosim, data, i);
    return status;
}

static int step_in_sequence(ms_cosim *cosim, multirate_data *data)
{
    int status = MS_OK;
    for (int k = 0; k < cosim->system->n && status == MS_OK; k++) {
        const int i = data->sequence[k];
        ms_multirate_give(cosim, data, i);
        status = ms_execution_advance_one(cosim, i, data->t, data->h, NULL);
        MS_THEN(status, take(cosim, data, i));
    }
    return status;
}

static int multirate_step(ms_cosim *cosim, double t, double h)
{
    multirate_data *data = cosim->scheme_data;
    data->t = t;
    data->h = h;
    ms_multirate_weigh(cosim, data);
    MS_TRY(data->in_sequence ? step_in_sequence(cosim, data)
           : data->base > 1  ? ms_multirate_step_common(cosim, data)
                             : step_together(cosim, data));
    for (int i = 0; i < cosim->system->n && data->base > 1; i++)
        MS_TRY(take(cosim, data, i));
    ms_multirate_remember(cosim, data);
    return MS_OK;
}

const ms_scheme ms_scheme_multirate = {
    .name = "multirate",
    .summary = "subsystems in their own sub-steps: all at once, slow or fast ones first",
    .source = "after Gear, Wells 1984",
    .form = MS_FORM_MULTIRATE,
    .knows = (const ms_option_id[]){MS_OPTION_SUBSTEPS, MS_OPTION_FIRST, MS_OPTION_POINTS,
                                    MS_OPTION_EXTRAPOLATION_ORDER, MS_OPTIONS},
    .memory = ms_multirate_memory,
    .room = ms_multirate_room,
    .create = ms_multirate_create,
    .data = sizeof(multirate_data),
    .start = ms_multirate_start,
    .step = multirate_step,
    .order = ms_multirate_claimed_order,
    .order_on = ms_multirate_claimed_order_on,
    .claims = ms_multirate_claims};
