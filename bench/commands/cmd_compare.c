/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "commands.h"
#include "progress.h"
#include "run_answer.h"
#include "scheme_variants.h"

typedef struct compare_call {
    ms_call base;
    json_t *rows;
    ms_scheme_variants variants;
    ms_system *system; /* that of the reference, which all rows share */
    ms_shared_reference *reference;
    int ran;          /* rows that fit */
    bool all_invalid; /* no row ran, and all because of the call */
    ms_error last;    /* why the last one did not */
    bool interrupted;
} compare_call;

static int run_row(compare_call *call, const ms_options *options, ms_progress *progress, json_t **row,
                   ms_error *error)
{
    const ms_observer observer = ms_progress_observer(progress);
    const ms_simulation_options request = {.errors = true,
                                           .reference = call->reference,
                                           .observers = &observer,
                                           .n_observers = 1,
                                           .stop = &ms_interrupted};
    ms_system *system = NULL;
    ms_simulation simulation = {0};
    int status = ms_arguments_bind(&call->base.arguments, call->base.model, &system, error);
    if (status != MS_OK)
        return status;
    status = ms_simulation_run(system, options, &request, &simulation, &call->last);
    if (status == MS_OK) {
        *row = ms_run_answer(&simulation);
        call->ran++;
        call->interrupted = simulation.result.reason == MS_REASON_INTERRUPTED;
    } else if (status == MS_INVALID || status == MS_UNSUPPORTED) {
        call->all_invalid = call->all_invalid && status == MS_INVALID;
        *row = ms_run_answer_incompatible(system, options, call->last.text);
        status = MS_OK;
    } else {
        ms_fail(error, status, "%s", call->last.text);
    }
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
    return status;
}

/* All rows of one family, which are `part` of `parts` of the work. */
static int run_scheme(compare_call *call, int part, ms_progress *progress, ms_error *error)
{
    ms_grid g;
    const char *scheme = ms_axis_value(&call->variants.schemes, part);
    int status = ms_scheme_variants_grid(&call->variants, &call->base.arguments, scheme, &g, error);
    const double size = ms_grid_size(&g);
    bool more = status == MS_OK;
    for (double done = 0.0; more && status == MS_OK && !call->interrupted; done++) {
        ms_options options = call->base.arguments.options;
        json_t *row = NULL;
        status = ms_options_set(&options, "scheme", scheme, error);
        for (int k = 0; k < g.n && status == MS_OK; k++)
            status = ms_arguments_apply(&call->base.arguments, g.axis[k], g.at[k], &options, error);
        ms_progress_part(progress, part + done / size, 1.0 / size);
        if (status == MS_OK && !ms_scheme_variants_skip(&call->base.arguments, &options)) {
            status = run_row(call, &options, progress, &row, error);
            if (status == MS_OK && json_array_append_new(call->rows, row) != 0)
                status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
        }
        more = ms_grid_advance(&g);
    }
    return status;
}

static int run_all(compare_call *call, ms_error *error)
{
    ms_progress progress;
    int status = MS_OK;
    ms_progress_begin(&progress, "compare", call->variants.schemes.n);
    for (int k = 0; k < call->variants.schemes.n && status == MS_OK && !call->interrupted; k++)
        status = run_scheme(call, k, &progress, error);
    ms_progress_end(&progress);
    if (status == MS_OK && call->ran == 0 && call->all_invalid) /* what is wrong is no matter of the scheme */
        status = ms_fail(error, MS_INVALID, "%s", call->last.text);
    return status;
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
    return ms_scheme_variants_create(&call->base.arguments, &call->variants, error);
}

/* Where it fails each row says why. */
static void share_reference(compare_call *call)
{
    const ms_options *options = &call->base.arguments.options;
    ms_error why;
    if (options->errors == MS_AGAINST_REFERENCE &&
        ms_arguments_bind(&call->base.arguments, call->base.model, &call->system, &why) == MS_OK)
        ms_shared_reference_create(call->system, options->start_time, &call->reference, &why);
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
    ms_shared_reference_destroy(&call->reference);
    ms_system_destroy(&call->system);
    ms_scheme_variants_destroy(&call->variants);
}

int ms_command_compare(int argc, char **argv)
{
    static const ms_call_steps steps = {
        .lists = true, .binds = MS_BINDS_MODEL, .bind = bind, .compute = compute, .destroy = destroy};
    compare_call call = {.all_invalid = true};
    return ms_call_run(&steps, &call.base, argc, argv);
}
