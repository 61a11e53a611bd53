/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "commands.h"
#include "progress.h"
#include "run_answer.h"
#include "scheme_variants.h"
#include "thread_pool.h"

/* A pair of model and scheme. */
typedef struct compare_row {
    ms_options options;
    ms_setting *settings; /* the call's, with this row's values */
    json_t *answer;       /* NULL: it has not run */
    int status;           /* MS_OK: it fits */
    ms_error why;
} compare_row;

typedef struct compare_call {
    ms_call base;
    json_t *rows;
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

static int run_row(void *job, void *context, int k, ms_error *error)
{
    (void)context;
    compare_call *call = job;
    compare_row *row = &call->row[k];
    const ms_simulation_options request = {
        .errors = true, .reference = call->reference, .stop = &ms_interrupted};
    ms_arguments arguments = call->base.arguments;
    ms_system *system = NULL;
    ms_simulation simulation = {0};
    arguments.settings = row->settings;
    int status = ms_arguments_bind(&arguments, call->base.model, &system, error);
    if (status != MS_OK)
        return status;
    row->status = ms_simulation_run(system, &row->options, &request, &simulation, &row->why);
    if (row->status == MS_OK) {
        row->answer = ms_run_answer(&simulation);
        if (simulation.result.reason == MS_REASON_INTERRUPTED)
            status = MS_INTERRUPTED;
    } else if (row->status == MS_INVALID || row->status == MS_UNSUPPORTED) {
        row->answer = ms_run_answer_incompatible(system, &row->options, row->why.text);
    } else {
        status = ms_fail(error, row->status, "%s", row->why.text);
    }
    if (status == MS_OK && row->answer == NULL)
        status = no_memory(error);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
    return status;
}

/* Those that have run, in grid order. What is wrong with all of them is no matter of the scheme. */
static int collect_rows(compare_call *call, ms_error *error)
{
    const compare_row *last = NULL;
    bool all_invalid = true;
    for (int k = 0; k < call->n; k++) {
        compare_row *row = &call->row[k];
        if (row->answer == NULL)
            continue;
        all_invalid = all_invalid && row->status == MS_INVALID;
        last = row;
        if (json_array_append(call->rows, row->answer) != 0)
            return no_memory(error);
    }
    return last != NULL && all_invalid ? ms_fail(error, MS_INVALID, "%s", last->why.text) : MS_OK;
}

static int run_all(compare_call *call, ms_error *error)
{
    static const ms_contexts alone = {0};
    ms_progress progress;
    ms_thread_pool pool;
    const ms_effort effort = {.threads = ms_arguments_threads(&call->base.arguments),
                              .stop = &ms_interrupted,
                              .progress = ms_progress_follow,
                              .self = &progress};
    ms_progress_begin(&progress, "compare", 1);
    json_object_seed(1); /* once, before threads make objects */
    int status = ms_thread_pool_create(&alone, &effort, &pool, error);
    if (status == MS_OK)
        status = ms_thread_pool_work(&pool, call->n, 1, run_row, call, error);
    ms_thread_pool_destroy(&pool);
    ms_progress_end(&progress);
    call->interrupted = status == MS_INTERRUPTED;
    return status == MS_OK || status == MS_INTERRUPTED ? collect_rows(call, error) : status;
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
    static const ms_column columns[] = {{"rank", "rank"},
                                        {"scheme.scheme", "scheme"},
                                        {"scheme.extrapolation_order", "order"},
                                        {"scheme.derivatives", "derivatives"},
                                        {"scheme.outputs", "outputs"},
                                        {"scheme.smooth_coupling", "smooth"},
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
    call->base.answer = (ms_answer){.columns = columns, .rank = "rank"};
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
    share_reference(call);
    const int status = run_all(call, error);
    if (status == MS_OK)
        answer(call);
    call->base.exit_status = call->interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
    return status;
}

static void destroy(void *self)
{
    compare_call *call = self;
    json_decref(call->rows);
    for (int k = 0; k < call->n; k++) {
        json_decref(call->row[k].answer);
        free(call->row[k].settings);
    }
    free(call->row);
    ms_shared_reference_destroy(&call->reference);
    ms_system_destroy(&call->system);
    ms_scheme_variants_destroy(&call->variants);
}

int ms_command_compare(int argc, char **argv)
{
    static const ms_call_steps steps = {
        .lists = true, .binds = MS_BINDS_MODEL, .bind = bind, .compute = compute, .destroy = destroy};
    compare_call call = {0};
    return ms_call_run(&steps, &call.base, argc, argv);
}
