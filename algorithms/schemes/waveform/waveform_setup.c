/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waveform_setup.c - the waveform iteration before its first macro-step: checks, pieces of inputs, unknowns, memory. */

#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options.h>
#include "waveform.h"

/* No more columns than samples at the end, if only these are used. */
static ms_nonlinear_options method_options(const ms_cosim *cosim, int most)
{
    ms_nonlinear_options options = ms_iteration_nonlinear_options(&cosim->variant, most);
    const int ny = cosim->system->ny;
    options.n_data = cosim->system->n;
    if (cosim->variant.reduced_grid && options.max_columns > ny && ny > 0)
        options.max_columns = ny;
    return options;
}

/* Doubles that the method keeps for as many unknowns as there may be. */
static int method_memory(const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const ms_nonlinear_options options = method_options(cosim, 0);
    int most = 1;
    for (int m = 2; m <= MS_SPLINE_SAMPLES; m++)
        most = (cosim->variant.sample_counts >> m & 1U) != 0 ? m : most;
    return ms_iteration_kept(ms_iteration_method(&cosim->variant), most * s->ny, &options);
}

/* Outputs; in aux the memory of the method. */
void ms_waveform_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    *lin = cosim->system->ny;
    *aux = method_memory(cosim);
}

ms_input_room ms_waveform_room(const ms_variant *o)
{
    return (ms_input_room){.pieces = ms_spline_pieces(o->sample_counts, o->multirate.spline_degree, NULL),
                           .degree = ms_waveform_degree(o->sample_counts, o->multirate.spline_degree)};
}

/* Grids ------------------------------------------------------------------------------------------------- */

static int make_grid(ms_cosim *cosim, unsigned counts, int degree, waveform_grid *grid)
{
    *grid = (waveform_grid){.counts = counts,
                            .pieces = ms_spline_pieces(counts, degree, NULL),
                            .degree = ms_waveform_degree(counts, degree)};
    const size_t rows = (size_t)(grid->pieces * (grid->degree + 1));
    size_t size = (size_t)grid->pieces;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++)
        size += (counts >> m & 1U) != 0 ? rows * (size_t)(m + 1) : 0;
    grid->end = ms_cosim_alloc(cosim, size, sizeof *grid->end);
    MS_TRY_MEMORY(grid->end);
    ms_spline_pieces(counts, degree, grid->end);
    double *at = grid->end + grid->pieces;
    for (int m = 1; m <= MS_SPLINE_SAMPLES; m++)
        if ((counts >> m & 1U) != 0) {
            grid->weights[m] = at;
            ms_spline_weights(m, degree, grid->degree, grid->pieces, grid->end, at);
            at += rows * (size_t)(m + 1);
        }
    return MS_OK;
}

/* The numbers of samples that subsystem i reads, as a set of bits. */
static unsigned counts_of(const ms_system *s, const waveform_data *data, int i)
{
    unsigned counts = 0;
    for (int wire = s->row_at[s->u_at[i]]; wire < s->row_at[s->u_at[i + 1]]; wire++)
        counts |= 1U << data->samples.count[s->owner[s->wire_output[wire]]];
    return counts;
}

/* Readers of the same numbers share one. */
static int make_grids(ms_cosim *cosim, int degree, waveform_data *data)
{
    const ms_system *s = cosim->system;
    int status = MS_OK;
    for (int i = 0; i < s->n && status == MS_OK; i++) {
        const unsigned counts = counts_of(s, data, i);
        int g = 0;
        while (g < data->n_grids && data->grid[g].counts != counts)
            g++;
        data->grid_of[i] = g;
        if (g == data->n_grids)
            status = make_grid(cosim, counts, degree, &data->grid[data->n_grids++]);
    }
    return status;
}

/* Unknowns ---------------------------------------------------------------------------------------------- */

/* Is the output read before its owner has stepped? */
static bool is_unknown(const ms_system *s, const waveform_data *data, int output)
{
    for (int i = 0; i < s->n; i++)
        for (int wire = s->row_at[s->u_at[i]]; wire < s->row_at[s->u_at[i + 1]]; wire++)
            if (s->wire_output[wire] == output &&
                (!data->sequential || data->rank[i] <= data->rank[s->owner[output]]))
                return true;
    return false;
}

/* Sample j of the outputs of subsystem i that are unknown. */
static void add_unknowns(const ms_system *s, waveform_data *data, int i, int j, const bool *unknown)
{
    const bool judged = !data->reduced || j == data->samples.count[i];
    for (int output = s->y_at[i]; output < s->y_at[i + 1]; output++)
        if (unknown[output]) {
            data->datum[data->iteration.n] = judged ? i : -1;
            data->entry[data->iteration.n++] =
                data->values_at[i] + (j - 1) * s->sub[i].ny + output - s->y_at[i];
        }
}

static int list_unknowns(ms_cosim *cosim, waveform_data *data)
{
    const ms_system *s = cosim->system;
    const size_t total = (size_t)data->values_at[s->n];
    bool *unknown = ms_cosim_alloc(cosim, (size_t)s->ny, sizeof *unknown);
    data->entry = ms_cosim_alloc(cosim, 2 * total + 2 * (size_t)s->n, sizeof *data->entry);
    data->end_at = data->entry + total;
    data->datum = data->end_at + 2 * s->n;
    MS_TRY_MEMORY(unknown != NULL && data->entry != NULL);
    for (int output = 0; output < s->ny; output++)
        unknown[output] = is_unknown(s, data, output);
    for (int i = 0; i < s->n; i++) {
        for (int j = 1; j < data->samples.count[i]; j++)
            add_unknowns(s, data, i, j, unknown);
        const int first = data->iteration.n;
        add_unknowns(s, data, i, data->samples.count[i], unknown);
        if (data->iteration.n > first) {
            data->end_at[2 * data->n_data] = first;
            data->end_at[2 * data->n_data++ + 1] = data->iteration.n;
        }
    }
    return MS_OK;
}

/* Checks ------------------------------------------------------------------------------------------------ */

static int check_subsystem(const ms_instance *instance, const waveform_data *data, ms_error *error)
{
    const char *name = instance->sub->name;
    const int degree = data->grid[data->grid_of[instance->index]].degree;
    if (instance->can.input_degree < degree)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s takes inputs of degree %d at most and reads splines of degree %d; lower "
                       "`spline-degree`",
                       name, instance->can.input_degree, degree);
    return MS_OK;
}

/* If iterations are calls, they include the first sweep and, to round-off, the last one. */
static int choose_method(waveform_data *data, ms_cosim *cosim, ms_error *error)
{
    ms_iteration *it = &data->iteration;
    const bool counts_calls = it->method != NULL && it->method->counts_calls;
    it->most =
        cosim->variant.iteration.max_iterations - (counts_calls ? 1 + ms_iteration_is_tightest(it) : 0);
    ms_nonlinear_options options = method_options(cosim, it->most);
    options.datum = data->datum;
    return ms_iteration_create(it, cosim, &options, error);
}

/* Creation ---------------------------------------------------------------------------------------------- */

static int create_lists(ms_cosim *cosim, waveform_data *data, ms_error *error)
{
    const ms_system *s = cosim->system;
    const size_t n = (size_t)s->n;
    data->grid = ms_cosim_alloc(cosim, n, sizeof *data->grid);
    data->samples.count = ms_cosim_alloc(cosim, 5 * n + 1, sizeof *data->samples.count);
    MS_TRY_MEMORY(data->grid != NULL && data->samples.count != NULL);
    data->grid_of = data->samples.count + n;
    data->sequence = data->grid_of + n;
    data->rank = data->sequence + n;
    data->values_at = data->rank + n;
    data->reduced = cosim->variant.reduced_grid;
    data->sequential = cosim->variant.iteration.sweep == MS_SWEEP_GAUSS_SEIDEL;
    int status =
        ms_inner_outputs_create(cosim, "samples", cosim->options->multirate.samples, &data->samples, error);
    MS_THEN(status, ms_variant_sequence(s, cosim->options, data->sequence, data->rank, error));
    for (int i = 0; i < s->n; i++)
        data->values_at[i + 1] = data->values_at[i] + data->samples.count[i] * s->sub[i].ny;
    return status;
}

static int allocate(ms_cosim *cosim, waveform_data *data)
{
    ms_iteration *it = &data->iteration;
    data->values = ms_cosim_alloc(cosim, (size_t)data->values_at[cosim->system->n], sizeof *data->values);
    it->method = ms_iteration_method(&cosim->variant);
    it->convergence.epsilon = cosim->variant.iteration.epsilon;
    it->kept = method_memory(cosim);
    double *memory =
        ms_cosim_alloc(cosim, ms_iteration_room(it) + ms_cosim_state_size(cosim), sizeof *memory);
    MS_TRY_MEMORY(data->values != NULL && memory != NULL);
    data->before = ms_iteration_place(it, memory, cosim->scheme_aux);
    return MS_OK;
}

int ms_waveform_create(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    waveform_data *data = cosim->scheme_data;
    MS_TRY(create_lists(cosim, data, error));
    MS_TRY(make_grids(cosim, o->multirate.spline_degree, data));
    for (int i = 0; i < s->n; i++)
        MS_TRY(check_subsystem(cosim->instance[i], data, error));
    MS_TRY(list_unknowns(cosim, data));
    MS_TRY(allocate(cosim, data));
    return choose_method(data, cosim, error);
}

/* The start --------------------------------------------------------------------------------------------- */

int ms_waveform_start(ms_cosim *cosim)
{
    waveform_data *data = cosim->scheme_data;
    ms_inner_outputs_start(cosim, &data->samples);
    return ms_cosim_start_outputs(cosim, cosim->variant.start_time, cosim->u_left);
}

/* Orders ------------------------------------------------------------------------------------------------ */

int ms_waveform_claimed_order(const ms_variant *o)
{
    int least = 1;
    while (least < MS_SPLINE_SAMPLES && (o->sample_counts >> least & 1U) == 0)
        least++;
    const int degree = ms_spline_degree(least, o->multirate.spline_degree);
    return degree < 2 ? degree + 1 : 4;
}

/* Neither the method nor the sweep changes the solution to which a macro-step converges. Which subsystems a list of samples omits, with one sample
 * each, is unknown here. */
const ms_modelled ms_waveform_claims[] = {{"scheme", "waveform"},
                                          {"samples", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"},
                                          {"spline-degree", "0 1 2 3"},
                                          {"sweep", NULL},
                                          {"sequence", NULL},
                                          {"solver-nonlinear", NULL},
                                          {"backend", NULL},
                                          {"start", NULL},
                                          {"initial-inputs", "consistent"},
                                          {"output-derivatives", NULL},
                                          MS_CLAIMS_OF_ANY_SOLVER,
                                          {NULL, NULL}};
