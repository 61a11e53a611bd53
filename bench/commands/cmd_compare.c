/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "commands.h"
#include "run_answer.h"
#include "scheme_variants.h"
#include "shared_reference.h"

/* A pair of model and scheme. */
typedef struct compare_row {
    ms_options options;
    ms_setting *settings; /* the call's, with this row's values */
} compare_row;

typedef struct compare_call {
    ms_call base;
    json_t *rows; /* those that have run, in grid order */
    bool fits;    /* one of them at least; else: */
    ms_error why; /* why the last one does not */
    ms_scheme_variants variants;
    compare_row *row;
    int n, capacity;
    ms_system *system; /* that of the reference, which all rows share */
    ms_shared_reference *reference;
    bool interrupted;
} compare_call;

/* The grid ------------------------------------------------------------------------------------------------ */

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
}

static int add_row(compare_call *call, const ms_options *options, ms_error *error)
{
    const ms_arguments *arguments = &call->base.arguments;
    const size_t settings = (size_t)arguments->n_settings;
    if (call->n == call->capacity) {
        const int capacity = 2 * call->capacity + 64;
        compare_row *grown = realloc(call->row, sizeof *grown * (size_t)capacity);
        if (grown == NULL)
            return no_memory(error);
        call->row = grown;
        call->capacity = capacity;
    }
    ms_setting *own = malloc(sizeof *own * (settings + 1));
    if (own == NULL)
        return no_memory(error);
    if (settings > 0)
        memcpy(own, arguments->settings, sizeof *own * settings);
    call->row[call->n++] = (compare_row){.options = *options, .settings = own};
    return MS_OK;
}

/* All rows of a family. */
static int add_scheme(compare_call *call, const char *scheme, ms_error *error)
{
    ms_grid g;
    int status = ms_scheme_variants_grid(&call->variants, &call->base.arguments, scheme, &g, error);
    for (bool more = true; more && status == MS_OK; more = ms_grid_advance(&g)) {
        ms_options options = call->base.arguments.options;
        status = ms_options_set(&options, "scheme", scheme, error);
        for (int k = 0; k < g.n && status == MS_OK; k++)
            status = ms_arguments_apply(&call->base.arguments, g.axis[k], g.at[k], &options, error);
        if (status == MS_OK && !ms_scheme_variants_skip(&call->base.arguments, &options))
            status = add_row(call, &options, error);
    }
    return status;
}

/* Rows ----------------------------------------------------------------------------------------------------- */

/* The answer of a row, and whether it fits, or why not. */
static json_t *record_of(json_t *answer, int status, const ms_error *why)
{
    return json_pack("{s:o, s:b, s:o}", "answer", answer, "fits", status != MS_INVALID, "why",
                     ms_json_text(status == MS_OK ? "" : why->text));
}

static int run_row(void *self, void *context, long k, json_t **record, ms_error *error)
{
    (void)context;
    compare_call *call = self;
    const compare_row *row = &call->row[k];
    const ms_against against = ms_run_against(&call->base.arguments);
    const ms_simulation_options request = {.errors = true,
                                           .reference = call->reference,
                                           .against = against.name != NULL ? &against : NULL,
                                           .stop = &ms_interrupted};
    ms_arguments arguments = call->base.arguments;
    ms_system *system = NULL;
    ms_simulation simulation = {0};
    arguments.settings = row->settings;
    int status = ms_arguments_bind(&arguments, call->base.model, &system, error);
    if (status != MS_OK)
        return status;
    status = ms_simulation_run(system, &row->options, &request, &simulation, error);
    if (status == MS_OK) {
        *record = record_of(ms_run_answer(&simulation), status, error);
        if (simulation.result.reason == MS_REASON_INTERRUPTED)
            status = MS_INTERRUPTED;
    } else if (status == MS_INVALID || status == MS_UNSUPPORTED) {
        *record = record_of(ms_run_answer_incompatible(system, &row->options, error->text), status, error);
        status = MS_OK;
    }
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
    return status;
}

static int take_row(void *self, long k, json_t *record, ms_error *error)
{
    compare_call *call = self;
    (void)k;
    const char *why = json_string_value(json_object_get(record, "why"));
    call->fits = call->fits || json_is_true(json_object_get(record, "fits"));
    ms_fail(&call->why, MS_INVALID, "%s", why != NULL ? why : "");
    return json_array_append(call->rows, json_object_get(record, "answer")) == 0 ? MS_OK : no_memory(error);
}

/* What is wrong with all rows is no matter of the scheme. */
static int run_all(compare_call *call, ms_error *error)
{
    ms_row_job job = {.what = "compare",
                      .n = call->n,
                      .threads = ms_arguments_threads(&call->base.arguments),
                      .self = call,
                      .compute = run_row,
                      .deliver = take_row};
    const int status = ms_call_rows(&call->base, &job, error);
    call->interrupted = status == MS_INTERRUPTED;
    if ((status != MS_OK && !call->interrupted) || call->base.written)
        return status;
    return call->fits || json_array_size(call->rows) == 0 ? MS_OK
                                                          : ms_fail(error, MS_INVALID, "%s", call->why.text);
}

/* Rank 1 for the smallest error; equal errors share a rank, rows without one have none. */
static int rank_rows(json_t *rows)
{
    int status = 0;
    for (size_t i = 0; i < json_array_size(rows) && status == 0; i++) {
        json_t *row = json_array_get(rows, i);
        const json_t *error = json_object_get(row, "error");
        json_int_t rank = 1;
        for (size_t k = 0; k < json_array_size(rows); k++) {
            const json_t *other = json_object_get(json_array_get(rows, k), "error");
            rank += json_is_number(other) && json_number_value(other) < json_number_value(error);
        }
        status = json_object_set_new(row, "rank", json_is_number(error) ? json_integer(rank) : json_null());
    }
    return status;
}

static void answer(compare_call *call)
{
    static const ms_column columns[] = {{"scheme.as", "as"}, /* where presets are compared */
                                        {"rank", "rank"},
                                        {"scheme.scheme", "scheme"},
                                        {"scheme.extrapolation_order", "order"},
                                        {"scheme.derivatives", "derivatives"},
                                        {"scheme.outputs", "outputs"},
                                        {"scheme.smooth_coupling", "smooth"},
                                        {"scheme.input_degree", "degree"},
                                        {"scheme.step_size", "step size"},
                                        {"error", "error"},
                                        {"energy.drift", "energy drift"},
                                        {"energy.residual", "energy residual"},
                                        {"spectral_radius", "rho"},
                                        {"macro_steps", "steps"},
                                        {"integrations", "integrations"},
                                        {"reason", "reason"},
                                        {"message", "message"},
                                        {0}};
    const bool presets = call->base.arguments.options.given[MS_OPTION_AS];
    call->base.answer = (ms_answer){.columns = columns + (presets ? 0 : 1), .rank = "rank"};
    if (rank_rows(call->rows) == 0)
        call->base.answer.value =
            json_pack("{s:s, s:s, s:O}", "model", call->base.model->name, "norm",
                      ms_option_choice(&call->base.arguments.options, MS_OPTION_NORM), "rows", call->rows);
}

static int bind(void *self, ms_error *error)
{
    compare_call *call = self;
    int status = ms_scheme_variants_create(&call->base.arguments, &call->variants, error);
    for (int k = 0; k < call->variants.schemes.n && status == MS_OK; k++)
        status = add_scheme(call, ms_axis_value(&call->variants.schemes, k), error);
    return status;
}

/* Where it fails each row says why. */
static void share_reference(compare_call *call)
{
    const ms_options *options = &call->base.arguments.options;
    ms_error why;
    if (options->errors == MS_AGAINST_REFERENCE &&
        ms_arguments_bind(&call->base.arguments, call->base.model, &call->system, &why) == MS_OK)
        ms_shared_reference_create(call->system, options->start_time, MS_SHARED_REFERENCE_BYTES,
                                   &call->reference, &why);
}

static int compute(void *self, ms_error *error)
{
    compare_call *call = self;
    call->rows = json_array();
    if (call->base.given == NULL && call->base.arguments.text[MS_ARGUMENT_REFERENCE] == NULL)
        share_reference(call);
    const int status = run_all(call, error);
    if (status == MS_OK && !call->base.written)
        answer(call);
    call->base.exit_status = call->interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
    return status;
}

static void destroy(void *self)
{
    compare_call *call = self;
    json_decref(call->rows);
    for (int k = 0; k < call->n; k++)
        free(call->row[k].settings);
    free(call->row);
    ms_shared_reference_destroy(&call->reference);
    ms_system_destroy(&call->system);
    ms_scheme_variants_destroy(&call->variants);
}

int ms_compare_with(ms_parts *given, int argc, char **argv)
{
    static const ms_call_steps steps = {.lists = true,
                                        .shares = true,
                                        .binds = MS_BINDS_MODEL,
                                        .bind = bind,
                                        .compute = compute,
                                        .destroy = destroy};
    compare_call call = {.base.given = given};
    return ms_call_run(&steps, &call.base, argc, argv);
}

int ms_command_compare(int argc, char **argv)
{
    return ms_compare_with(NULL, argc, argv);
}
