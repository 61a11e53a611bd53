/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multirate_setup.c - the multi-rate scheme before its first macro-step: checks, sequence, pieces of inputs, memory, past points. */
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/options.h>
#include "cosim_capabilities.h"
#include "multirate.h"
#include "wire_order.h"

/* Outputs at the newest points. */
void ms_multirate_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    *lin = (cosim->variant.extrapolation.order + 1) * cosim->system->ny;
    *aux = HISTORY_SIZE;
}

/* Sub-steps of the subsystem, and points of those before it. */
ms_input_room ms_multirate_room(const ms_variant *o)
{
    return (ms_input_room){.pieces = ms_spline_pieces(o->substep_counts, 1, NULL),
                           .degree = o->extrapolation.order};
}

/* Creation ---------------------------------------------------------------------------------------------- */

/* Slow first or fast first; equal ones in their given order. */
static void arrange(int n, bool fast_first, const int *substeps, int *sequence, int *rank)
{
    for (int k = 0; k < n; k++) {
        int at = k;
        const int m = substeps[k];
        for (; at > 0; at--) {
            const int before = substeps[sequence[at - 1]];
            if (fast_first ? before >= m : before <= m)
                break;
            sequence[at] = sequence[at - 1];
        }
        sequence[at] = k;
    }
    for (int k = 0; k < n; k++)
        rank[sequence[k]] = k;
}

/* Numbers of parts into which the inputs of subsystem i are divided. */
static unsigned divisions(const ms_system *s, const multirate_data *data, int i)
{
    unsigned counts = 1U << data->substeps[i];
    for (int wire = s->row_at[s->u_at[i]]; wire < s->row_at[s->u_at[i + 1]]; wire++) {
        const int owner = s->owner[s->wire_output[wire]];
        if (data->in_sequence && data->rank[owner] < data->rank[i])
            counts |= 1U << data->points.count[owner];
    }
    return counts;
}

static int make_pieces(ms_cosim *cosim, multirate_data *data)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++)
        data->pieces_at[i + 1] = data->pieces_at[i] + ms_spline_pieces(divisions(s, data, i), 1, NULL);
    data->end = ms_cosim_alloc(cosim, (size_t)data->pieces_at[s->n], sizeof *data->end);
    MS_TRY_MEMORY(data->end);
    for (int i = 0; i < s->n; i++)
        ms_spline_pieces(divisions(s, data, i), 1, data->end + data->pieces_at[i]);
    return MS_OK;
}

static int check_subsystem(const ms_instance *instance, const ms_variant *o, ms_error *error)
{
    MS_TRY(ms_cosim_check_degree(instance, o->extrapolation.order, "`extrapolation-order`", error));
    return o->extrapolation.order > 0 ? ms_cosim_check_start(instance, o, error) : MS_OK;
}

static int create_lists(ms_cosim *cosim, multirate_data *data, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    const size_t n = (size_t)s->n;
    const char *text = cosim->options->multirate.substeps;
    data->substeps = ms_cosim_alloc(cosim, 6 * n + 2, sizeof *data->substeps);
    MS_TRY_MEMORY(data->substeps);
    data->points.count = data->substeps + n;
    data->sequence = data->points.count + n;
    data->rank = data->sequence + n;
    data->values_at = data->rank + n;
    data->pieces_at = data->values_at + n + 1;
    int status = ms_variant_counts(s, "substeps", text, MS_INNER_MAX, data->substeps, error);
    MS_THEN(status,
            ms_inner_outputs_create(cosim, "substeps", o->multirate.points == MS_POINTS_MICRO ? text : "",
                                    &data->points, error));
    for (int i = 0; i < s->n; i++)
        data->values_at[i + 1] = data->values_at[i] + data->points.count[i] * s->sub[i].ny;
    return status;
}

static int complete(ms_cosim *cosim, multirate_data *data)
{
    const ms_system *s = cosim->system;
    arrange(s->n, cosim->variant.multirate.first == MS_FIRST_FAST, data->substeps, data->sequence,
            data->rank);
    data->values = ms_cosim_alloc(cosim, (size_t)data->values_at[s->n] + 2 * (size_t)(s->ny + s->nu),
                                  sizeof *data->values);
    MS_TRY_MEMORY(data->values);
    data->history = (multirate_history *)(void *)cosim->scheme_aux;
    for (int k = 0; k <= data->order; k++)
        data->past[k] = cosim->scheme_lin + k * s->ny;
    return make_pieces(cosim, data);
}

int ms_multirate_create(ms_cosim *cosim, ms_error *error)
{
    multirate_data *data = cosim->scheme_data;
    data->in_sequence = cosim->variant.multirate.first != MS_FIRST_PARALLEL;
    data->order = cosim->variant.extrapolation.order;
    for (int i = 0; i < cosim->system->n; i++)
        MS_TRY(check_subsystem(cosim->instance[i], &cosim->variant, error));
    MS_TRY(create_lists(cosim, data, error));
    MS_TRY(complete(cosim, data));
    if (cosim->variant.multirate.points == MS_POINTS_COMMON)
        MS_TRY(ms_multirate_common_create(cosim, data, error));
    return MS_OK;
}

/* The start --------------------------------------------------------------------------------------------- */

/* y' and y'' (ny each) at the start, zero if not needed. u: the inputs (nu), followed by workspace of the same
 * size. */
static int derivatives(ms_cosim *cosim, double t, double *u, double *dy, double *ddy)
{
    const ms_variant *o = &cosim->variant;
    if (o->initial.history == MS_START_HOLD || o->initial.inputs != MS_INITIAL_CONSISTENT ||
        o->extrapolation.order == 0)
        return MS_OK;
    return ms_cosim_start_derivatives(cosim, t, u, o->extrapolation.order, dy, u + cosim->system->nu, ddy);
}

/* Points before the start: y(-a) = y - a y' + a^2 y''/2. */
static void extend_back(const ms_cosim *cosim, multirate_data *data, const double *dy, const double *ddy)
{
    for (int k = 1; k <= data->order; k++)
        for (int j = 0; j < cosim->system->ny; j++) {
            const double back = -k * (data->history->h1 / data->points.count[cosim->system->owner[j]]);
            data->past[k][j] = data->past[0][j] + back * (dy[j] + 0.5 * back * ddy[j]);
        }
}

int ms_multirate_start(ms_cosim *cosim)
{
    multirate_data *data = cosim->scheme_data;
    const ms_variant *o = &cosim->variant;
    const ms_system *s = cosim->system;
    double *dy = data->values + data->values_at[s->n], *ddy = dy + s->ny, *u = ddy + s->ny;
    memset(dy, 0, sizeof *dy * 2 * (size_t)s->ny);
    ms_inner_outputs_start(cosim, &data->points);
    *data->history = (multirate_history){.h1 = o->step_size,
                                         .h2 = o->step_size,
                                         .known = o->initial.history == MS_START_HOLD ? 0.0 : data->order};
    MS_TRY(ms_cosim_start_outputs(cosim, o->start_time, u));
    MS_TRY(derivatives(cosim, o->start_time, u, dy, ddy));
    extend_back(cosim, data, dy, ddy);
    return MS_OK;
}

/* Orders ------------------------------------------------------------------------------------------------ */

int ms_multirate_claimed_order(const ms_variant *o)
{
    const int order = o->extrapolation.order + 1;
    return o->initial.history == MS_START_HOLD && order > 2 ? 2 : order;
}

/* Interpolants alone need only the last value. */
int ms_multirate_claimed_order_on(const ms_system *system, const ms_variant *o, const ms_options *options,
                                  int *work)
{
    const int n = system->n;
    int *sequence = work + n, *rank = sequence + n;
    if (o->multirate.first == MS_FIRST_PARALLEL)
        return ms_multirate_claimed_order(o);
    if (ms_variant_counts(system, "substeps", options->multirate.substeps, MS_INNER_MAX, work, NULL) != MS_OK)
        return 0;
    arrange(n, o->multirate.first == MS_FIRST_FAST, work, sequence, rank);
    return ms_wires_run_forward(system, rank) ? o->extrapolation.order + 1 : ms_multirate_claimed_order(o);
}

const ms_modelled ms_multirate_claims[] = {{"scheme", "multirate"},
                                           {"extrapolation-order", "0 1 2"},
                                           {"substeps", NULL},
                                           {"first", "parallel slow fast"},
                                           {"points", "micro macro common"},
                                           {"start", "derivatives hold"},
                                           {"initial-inputs", "consistent"},
                                           {"output-derivatives", NULL},
                                           MS_CLAIMS_OF_ANY_SOLVER,
                                           {NULL, NULL}};
