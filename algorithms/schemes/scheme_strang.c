/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_strang.c - `strang`: subsystems one after the other and back over halves of the macro-step, inputs held.
 *
 * Of two subsystems a and b in their order, over the macro-step from T_n of length H:
 *
 *     a over H/2 with u_a = L y_b(T_n),   b over H with u_b = L y_a(T_n + H/2),   a over H/2 with u_a = L y_b(T_n + H)
 *
 * With more subsystems each steps over H/2 in their order, then over H/2 in the opposite order, always with the newest outputs.
 * Those at the end of the order that are not connected with each other step once, over H: a `sequence` with one group followed by
 * the other is Strang's exchange of two groups. The macro-step is symmetric: its inverse is the macro-step with -H.
 *
 * Order of convergence: 2; 1 if an exchanged output depends directly on an input, which is held, unless the feeder of that input,
 * the subsystem and the reader of the output follow each other in the order, or in its reverse: then it has been recomputed before
 * it is read (wire_order.h); 1 also if a subsystem reads an output of its own, which is held from the start of each half. A linear
 * undamped model conserves its energy up to a bounded error as long as the macro-step is stable.
 *
 * Capabilities: none, except that no subsystem imposes a step; each call of a micro-solver is a separate step, also if two halves
 * follow each other.
 *
 * Source: Strang, SIAM J. Numer. Anal. 5 (1968) 506-517, for the splitting; as an exchange of subsystems it is the
 * program's.
 *
 * Departures: more than two operators, each over its own half steps; the paper has two. */
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/execution.h>
#include "cosim_capabilities.h"
#include "cosim_segments.h"
#include "wire_order.h"

typedef struct strang_data {
    int *sequence, *rank; /* (n): the order, and its inverse */
    int twice;            /* number of subsystems, the first ones, that step twice */
    double *u;            /* (nu): at the start */
} strang_data;

static ms_input_room strang_room(const ms_variant *variant)
{
    (void)variant;
    return (ms_input_room){.pieces = 1, .degree = 0};
}

/* Does a wire go from subsystem i to k? */
static bool feeds(const ms_system *s, int i, int k)
{
    for (int w = s->row_at[s->u_at[k]]; w < s->row_at[s->u_at[k + 1]]; w++)
        if (ms_system_owner(s, s->wire_output[w]) == i)
            return true;
    return false;
}

/* Is there a wire between subsystem k of the order, or within it, and those after it? */
static bool is_connected(const ms_system *s, const int *sequence, int k)
{
    for (int m = k; m < s->n; m++)
        if (feeds(s, sequence[k], sequence[m]) || feeds(s, sequence[m], sequence[k]))
            return true;
    return false;
}

static int strang_check_steps(const ms_cosim *cosim, int i, ms_error *error)
{
    const ms_instance *instance = cosim->instance[i];
    return instance->can.step != 0.0
               ? ms_cosim_refuse_step(instance, "scheme strang takes halves of macro-steps", error)
               : ms_cosim_check_steps(cosim, i, error);
}

static int strang_create(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    strang_data *data = cosim->scheme_data;
    data->sequence = ms_cosim_alloc(cosim, 2 * (size_t)s->n, sizeof *data->sequence);
    data->u = ms_cosim_alloc(cosim, (size_t)s->nu, sizeof *data->u);
    MS_TRY_MEMORY(data->sequence != NULL && data->u != NULL);
    data->rank = data->sequence + s->n;
    cosim->reading = MS_READING_LEFT;
    cosim->asynchronous = true;
    int status = ms_variant_sequence(s, cosim->options, data->sequence, data->rank, error);
    data->twice = s->n - 1;
    while (status == MS_OK && data->twice > 0 && !is_connected(s, data->sequence, data->twice - 1))
        data->twice--;
    return status;
}

static int strang_start(ms_cosim *cosim)
{
    const strang_data *data = cosim->scheme_data;
    return ms_cosim_start_outputs(cosim, cosim->variant.start_time, data->u);
}

/* Subsystem i from t over h with inputs held at the newest outputs. */
static int advance(ms_cosim *cosim, int i, double t, double h, bool second)
{
    const ms_system *s = cosim->system;
    ms_input *input = &cosim->instance[i]->input;
    ms_input_set_single(input, 0, h);
    for (int l = 0; l < input->n; l++)
        ms_input_coefficients(input, 0, 0)[l] = ms_system_coupled(s, s->u_at[i] + l, cosim->y);
    const int status = ms_execution_advance_one(cosim, i, t, h, NULL);
    cosim->integrations++;
    memcpy(cosim->y + s->y_at[i], cosim->y_raw + s->y_at[i], sizeof(double) * (size_t)s->sub[i].ny);
    if (ms_cosim_records(cosim))
        ms_cosim_record_stretch(cosim, i, second ? 1 : 0);
    return status;
}

static int strang_step(ms_cosim *cosim, double t, double h)
{
    const strang_data *data = cosim->scheme_data;
    int status = MS_OK;
    cosim->n_segments = 0;
    for (int k = 0; k < data->twice && status == MS_OK; k++)
        status = advance(cosim, data->sequence[k], t, 0.5 * h, false);
    for (int k = data->twice; k < cosim->system->n && status == MS_OK; k++)
        status = advance(cosim, data->sequence[k], t, h, false);
    for (int k = data->twice - 1; k >= 0 && status == MS_OK; k--)
        status = advance(cosim, data->sequence[k], t + 0.5 * h, 0.5 * h, true);
    return status;
}

static int strang_order(const ms_variant *variant)
{
    (void)variant;
    return 2;
}

static int strang_order_on(const ms_system *system, const ms_variant *variant, const ms_options *options,
                           int *work)
{
    int *rank = work + system->n;
    if (ms_variant_sequence(system, options, work, rank, NULL) != MS_OK)
        return 0;
    const bool symmetric = ms_feed_through_runs_straight(system, rank) && !ms_wires_turn_back(system);
    return symmetric ? strang_order(variant) : 1;
}

static const ms_modelled claims[] = {{"scheme", "strang"},
                                     {"sequence", NULL},
                                     {"start", NULL},
                                     {"initial-inputs", "consistent zero"},
                                     {"output-derivatives", NULL},
                                     MS_CLAIMS_OF_ANY_SOLVER,
                                     {NULL, NULL}};

const ms_scheme ms_scheme_strang = {
    .name = "strang",
    .summary = "held inputs; one after the other over half a macro-step, then in reverse",
    .source = "after Strang 1968",
    .form = MS_FORM_SPLIT,
    .sequential = true,
    .knows = (const ms_option_id[]){MS_OPTION_SEQUENCE, MS_OPTIONS},
    .room = strang_room,
    .data = sizeof(strang_data),
    .check_steps = strang_check_steps,
    .create = strang_create,
    .start = strang_start,
    .step = strang_step,
    .order = strang_order,
    .order_on = strang_order_on,
    .claims = claims};
