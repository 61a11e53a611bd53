/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_stabilised.c - `stabilised`: a macro-step with held inputs, repeated until its outputs are close to those of the previous
 * pass, at most a few times, and then accepted in any case.
 *
 *     u_0 = L y_n,   y_{k+1} = outputs at T_n + h after all subsystems have stepped from T_n under u_k held,   u_{k+1} = L y_{k+1}
 *
 * Passes end when |v_{k+1} - v_k| <= atol + rtol |v_{k+1}| for every connected output v and every input, the first pass being
 * compared with the values exchanged at T_n (y_0 = y_n); at the latest after `max-iterations` passes. The subsystems keep the
 * state of the last pass, and y_{k+1} is transmitted.
 *
 * Order of convergence: 1, since inputs are held; the fixed point of the passes is that of `zoh-iterative`. Small changes between
 * passes imply neither.
 *
 * Capabilities: rollback of every subsystem.
 *
 * Source: maestro (INTO-CPS), StabilisationBuilder.java. Departure: when its passes are exhausted, the tool has reset the states
 * of its FMUs to T_n but continues from T_n + h, so that the intention is unclear; here the last pass is accepted. */
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>

typedef struct stabilised_data {
    bool *carried;    /* by a wire (ny) */
    double *before;   /* the state at T_n (ms_cosim_state_size) */
    double *y;        /* outputs of the pass before (ny) */
    double *u, *next; /* inputs of this pass, and of the coming one (nu each) */
} stabilised_data;

static ms_input_room stabilised_room(const ms_variant *variant)
{
    (void)variant;
    return (ms_input_room){.pieces = 1, .degree = 0};
}

static int stabilised_create(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    const size_t state = ms_cosim_state_size(cosim), ny = (size_t)s->ny, nu = (size_t)s->nu;
    stabilised_data *data = cosim->scheme_data;
    (void)error;
    data->carried = ms_cosim_alloc(cosim, ny, sizeof *data->carried);
    data->before = ms_cosim_alloc(cosim, state + ny + 2 * nu, sizeof *data->before);
    MS_TRY_MEMORY(data->carried != NULL && data->before != NULL);
    data->y = data->before + state;
    data->u = data->y + ny;
    data->next = data->u + nu;
    for (int w = 0; w < s->row_at[s->nu]; w++)
        data->carried[s->wire_output[w]] = true;
    cosim->reading = MS_READING_LEFT;
    return MS_OK;
}

static int stabilised_start(ms_cosim *cosim)
{
    const stabilised_data *data = cosim->scheme_data;
    return ms_cosim_start_outputs(cosim, cosim->variant.start_time, data->u);
}

static bool close(const ms_variant *o, double old, double new)
{
    return fabs(new - old) <= o->control.atol + o->control.rtol * fabs(new);
}

/* Have outputs and inputs stayed where they were in the pass before? Sets the inputs of the next one. */
static bool settled(const ms_cosim *cosim, const stabilised_data *data)
{
    const ms_system *s = cosim->system;
    bool all = true;
    for (int j = 0; j < s->ny; j++)
        all = all && (!data->carried[j] || close(&cosim->variant, data->y[j], cosim->y_raw[j]));
    ms_system_couple(s, cosim->y_raw, data->next);
    for (int l = 0; l < s->nu; l++)
        all = all && close(&cosim->variant, data->u[l], data->next[l]);
    return all;
}

/* All subsystems from t over h under data->u, held. */
static int pass(ms_cosim *cosim, const stabilised_data *data, double t, double h)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        ms_input_set_single(input, 0, h);
        for (int l = 0; l < input->n; l++)
            ms_input_coefficients(input, 0, 0)[l] = data->u[s->u_at[i] + l];
    }
    cosim->integrations += s->n;
    cosim->iterations++;
    cosim->sweeps++;
    return ms_execution_advance(cosim, t, h, NULL);
}

static int stabilised_step(ms_cosim *cosim, double t, double h)
{
    const stabilised_data *data = cosim->scheme_data;
    const ms_system *s = cosim->system;
    const size_t outputs = sizeof(double) * (size_t)s->ny, inputs = sizeof(double) * (size_t)s->nu;
    const int most = cosim->variant.iteration.max_iterations;
    ms_cosim_save(cosim, data->before);
    memcpy(data->y, cosim->y, outputs);
    ms_system_couple(s, data->y, data->u);
    int status = pass(cosim, data, t, h);
    for (int k = 1; k < most && status == MS_OK && !settled(cosim, data); k++) {
        memcpy(data->y, cosim->y_raw, outputs);
        memcpy(data->u, data->next, inputs);
        ms_cosim_restore(cosim, data->before);
        status = pass(cosim, data, t, h);
    }
    memcpy(cosim->y, cosim->y_raw, outputs);
    return status;
}

static int stabilised_order(const ms_variant *variant)
{
    (void)variant;
    return 1;
}

/* Whatever it ends with, inputs have been held. */
static const ms_modelled claims[] = {{"scheme", "stabilised"},         {"start", NULL},
                                     {"initial-inputs", "consistent"}, {"output-derivatives", NULL},
                                     MS_CLAIMS_OF_ANY_SOLVER,          {NULL, NULL}};

const ms_scheme ms_scheme_stabilised = {
    .name = "stabilised",
    .summary = "held inputs; passes repeated until outputs change little, a few times at most",
    .source = "maestro (INTO-CPS)",
    .form = MS_FORM_OTHER,
    .nonlinear = true,
    .rolls_back = true,
    .compares = true,
    .knows = (const ms_option_id[]){MS_OPTION_MAX_ITERATIONS, MS_OPTION_RTOL, MS_OPTION_ATOL, MS_OPTIONS},
    .room = stabilised_room,
    .data = sizeof(stabilised_data),
    .create = stabilised_create,
    .start = stabilised_start,
    .step = stabilised_step,
    .order = stabilised_order,
    .claims = claims};
