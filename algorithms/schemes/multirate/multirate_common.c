/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multirate_common.c - `points` common: held inputs, and wires updated where sub-steps of both their ends coincide.
 *
 * Between subsystems with m_i and m_j sub-steps that is gcd(m_i, m_j) times a macro-step, at equal distances. Two subsystems with
 * equal sub-steps exchange values after each sub-step, and a slow one does not see intermediate values of a fast one. In terms of
 * the base step H/M, M the least common multiple of all m_i: subsystem i steps d_i = M/m_i base steps at once when the counter is
 * a multiple of d_i, and a wire is updated when it is a multiple of lcm(d_i, d_j) (libcosim, fixed_step_algorithm.cpp). */

#include <macrostep/execution.h>
#include "cosim_segments.h"
#include "integers.h"
#include "multirate.h"

int ms_multirate_common_create(ms_cosim *cosim, multirate_data *data, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    if (o->extrapolation.order > 0 || o->multirate.first != MS_FIRST_PARALLEL)
        return ms_fail(error, MS_INVALID,
                       "`points` common: requires `extrapolation-order` 0 and `first` parallel");
    data->base = 1;
    for (int i = 0; i < s->n; i++) {
        data->base = ms_least_common_multiple(data->base, data->substeps[i]);
        if (data->substeps[i] > cosim->stretches)
            cosim->stretches = data->substeps[i];
    }
    data->seen = ms_cosim_alloc(cosim, (size_t)s->row_at[s->nu], sizeof *data->seen);
    data->starts = ms_cosim_alloc(cosim, (size_t)s->n, sizeof *data->starts);
    MS_TRY_MEMORY(data->seen != NULL && data->starts != NULL);
    cosim->asynchronous = data->base > 1;
    return MS_OK;
}

/* Wires that move at base step `at`. */
static void transfer(const ms_cosim *cosim, const multirate_data *data, int at, const double *y)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++)
        for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++) {
            const int output = s->wire_output[w];
            if (at % (data->base /
                      ms_greatest_common_divisor(data->substeps[i], data->substeps[s->owner[output]])) ==
                0)
                data->seen[w] = y[output];
        }
}

/* Prepares subsystem i to step from base step `at` on, with the inputs known to it. */
static void prepare(const ms_cosim *cosim, const multirate_data *data, int i, int at)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    ms_input *input = &instance->input;
    double *c = ms_input_coefficients(input, 0, 0);
    instance->t = data->t + data->h * ((double)at / data->base);
    instance->h = data->h / data->substeps[i];
    ms_input_set_single(input, 0, instance->h);
    for (int l = 0; l < input->n; l++) {
        c[l] = 0.0;
        for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
            c[l] += s->wire_gain[w] * data->seen[w];
    }
}

/* All whose sub-steps begin at base step `at`. Returns the next one at which some sub-step ends. */
static int begin(const ms_cosim *cosim, const multirate_data *data, int at)
{
    int next = data->base;
    for (int i = 0; i < cosim->system->n; i++) {
        const int length = data->base / data->substeps[i], end = (at / length + 1) * length;
        data->starts[i] = at % length == 0;
        if (data->starts[i])
            prepare(cosim, data, i, at);
        if (end < next)
            next = end;
    }
    return next;
}

static void record(ms_cosim *cosim, const multirate_data *data, int at)
{
    for (int i = 0; i < cosim->system->n && ms_cosim_records(cosim); i++)
        if (data->starts[i])
            ms_cosim_record_stretch(cosim, i, at * data->substeps[i] / data->base);
}

int ms_multirate_step_common(ms_cosim *cosim, multirate_data *data)
{
    int status = MS_OK;
    cosim->n_segments = 0;
    transfer(cosim, data, 0, cosim->y);
    for (int at = 0; at < data->base && status == MS_OK;) {
        const int next = begin(cosim, data, at);
        status = ms_execution_advance_some(cosim, data->starts, NULL);
        record(cosim, data, at);
        transfer(cosim, data, next, cosim->y_raw);
        at = next;
    }
    return status;
}
