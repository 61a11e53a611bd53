/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "commands.h"
#include "members.h"
#include "pareto.h"
#include "plots.h"
#include "run_answer.h"
#include "scheme_members.h"
#include "shared_reference.h"

typedef struct compare_call {
    ms_call base;
    json_t *rows; /* those that have run, in grid order */
    bool fits;    /* one of them at least; else: */
    ms_error why; /* why the last one does not */
    ms_scheme_variants variants;
    ms_scheme_members members;
    ms_system *system; /* that of the reference, which all rows share */
    ms_shared_reference *reference;
    bool interrupted;
} compare_call;

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
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
    const ms_scheme_member *row = &call->members.member[k];
    const ms_against against = ms_run_against(&call->base.arguments);
    const ms_simulation_options request = {.errors = true,
                                           .reference = call->reference,
                                           .against = against.name != NULL ? &against : NULL,
                                           .stop = &ms_interrupted};
    ms_system *system = NULL;
    ms_simulation simulation = {0};
    int status = ms_scheme_member_bind(&call->base.arguments, row, call->base.model, &system, error);
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
                      .n = call->members.n,
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

static void answer(compare_call *call)
{
    static const ms_column columns[] = {{"rank", "rank"},
                                        {"member", "member"},
                                        {"error", "error"},
                                        {"cost", "cost"},
                                        {"energy.drift", "energy drift"},
                                        {"energy.residual", "energy residual"},
                                        {"spectral_radius", "rho"},
                                        {"macro_steps", "steps"},
                                        {"reason", "reason"},
                                        {"message", "message"},
                                        {0}};
    call->base.answer = (ms_answer){.columns = columns, .rank = "rank"};
    if (ms_pareto_rank(call->rows, call->base.arguments.rank) == MS_OK &&
        ms_members_name(call->rows, NULL) == MS_OK)
        call->base.answer.value =
            json_pack("{s:s, s:s, s:O}", "model", call->base.model->name, "norm",
                      ms_option_choice(&call->base.arguments.options, MS_OPTION_NORM), "rows", call->rows);
}

static int bind(void *self, ms_error *error)
{
    compare_call *call = self;
    int status = ms_scheme_variants_create(&call->base.arguments, &call->variants, error);
    if (status == MS_OK)
        status = ms_scheme_members_of_variants(&call->base.arguments, &call->variants, &call->members, error);
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
    ms_scheme_members_destroy(&call->members);
    ms_shared_reference_destroy(&call->reference);
    ms_system_destroy(&call->system);
    ms_scheme_variants_destroy(&call->variants);
}

static int plot(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    return ms_plot_compare(drawing, ms_call_plotted(drawing));
}

int ms_compare_with(ms_parts *given, int argc, char **argv)
{
    static const ms_call_steps steps = {.lists = true,
                                        .shares = true,
                                        .binds = MS_BINDS_MODEL,
                                        .bind = bind,
                                        .compute = compute,
                                        .plot = plot,
                                        .destroy = destroy};
    compare_call call = {.base.given = given};
    return ms_call_run(&steps, &call.base, argc, argv);
}

int ms_command_compare(int argc, char **argv)
{
    return ms_compare_with(NULL, argc, argv);
}
