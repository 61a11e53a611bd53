/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call.h"
#include "pareto.h"
#include "plots.h"
#include "row_names.h"
#include "run_variant_simulate.h"
#include "work_points.h"

typedef struct compare_call {
    ms_call base;
    json_t *rows; /* rows that have run, in grid order */
    bool fits;    /* at least one row fits; otherwise: */
    ms_error why; /* why the last one does not */
    ms_scheme_variants variants;
    ms_run_variants runs;
    ms_system *system; /* of the reference, which all rows share */
    ms_shared_reference *reference;
    bool interrupted;
} compare_call;

/* Rows ----------------------------------------------------------------------------------------------------- */

static int run_row(void *self, void *context, long k, json_t **record, ms_error *error)
{
    const compare_call *call = self;
    (void)context;
    return ms_run_variant_simulate(&call->base.arguments, call->base.model, &call->runs.variant[k],
                                   call->reference, 0.0, record, error);
}

static int take_row(void *self, long k, json_t *record, ms_error *error)
{
    compare_call *call = self;
    (void)k;
    const char *why = json_string_value(json_object_get(record, "why"));
    call->fits = call->fits || json_is_true(json_object_get(record, "fits"));
    ms_fail(&call->why, MS_INVALID, "%s", why != NULL ? why : "");
    return json_array_append(call->rows, json_object_get(record, "answer")) == 0
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the rows");
}

static void name_row(void *self, void *context, long k, char *text, size_t size)
{
    (void)context;
    snprintf(text, size, "%s", ((const compare_call *)self)->runs.variant[k].options.scheme);
}

/* A fault that all rows have is not blamed on the scheme. */
static int run_all(compare_call *call, ms_error *error)
{
    ms_row_job job = {.what = "compare",
                      .n = call->runs.n,
                      .threads = ms_arguments_threads(&call->base.arguments),
                      .self = call,
                      .compute = run_row,
                      .name = name_row,
                      .deliver = take_row};
    const int status = ms_call_rows(&call->base, &job, error);
    call->interrupted = status == MS_INTERRUPTED;
    if ((status != MS_OK && !call->interrupted) || call->base.written)
        return status;
    return call->fits || json_array_size(call->rows) == 0 ? MS_OK
                                                          : ms_fail(error, MS_INVALID, "%s", call->why.text);
}

/* In tables, variants with equal results share one line; pictures have all rows. */
static void shorten(ms_call *base)
{
    base->plotted = base->answer.value;
    json_t *rows = ms_row_ties(json_object_get(base->plotted, "rows"), base->answer.columns),
           *value = rows != NULL ? json_copy(base->plotted) : NULL;
    if (json_object_set(value, "rows", rows) != 0)
        json_decref(value), value = NULL;
    json_decref(rows);
    base->answer.value = value;
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
        ms_row_names_set(call->rows, NULL) == MS_OK)
        call->base.answer.value = ms_json_object(
            "model:s norm:s error_scale:s rows:O", call->base.model->name,
            ms_option_choice(&call->base.arguments.options, MS_OPTION_NORM),
            ms_option_choice(&call->base.arguments.options, MS_OPTION_ERROR_SCALE), call->rows);
    if (call->base.answer.value != NULL && call->base.arguments.format == MS_FORMAT_TABLE)
        shorten(&call->base);
}

static int bind(void *self, ms_error *error)
{
    compare_call *call = self;
    MS_TRY(ms_scheme_variants_create(&call->base.arguments, &call->variants, error));
    return ms_run_variants_of_schemes(&call->base.arguments, &call->variants, &call->runs, error);
}

static int compute(void *self, ms_error *error)
{
    compare_call *call = self;
    call->rows = json_array();
    if (call->base.given == NULL)
        ms_run_variant_reference(&call->base.arguments, call->base.model, &call->system, &call->reference);
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
    ms_run_variants_destroy(&call->runs);
    ms_shared_reference_destroy(&call->reference);
    ms_system_destroy(&call->system);
    ms_scheme_variants_destroy(&call->variants);
}

static int plot(ms_drawing *drawing, const json_t *answer)
{
    json_t *points = ms_work_points(json_object_get(answer, "rows")),
           *plotted = ms_json_object("points:o norm:O? error_scale:O?", points,
                                     json_object_get(answer, "norm"), json_object_get(answer, "error_scale"));
    const int status = plotted != NULL ? ms_plot_work(drawing, plotted) : MS_NO_MEMORY;
    json_decref(plotted);
    return status;
}

const ms_call_steps ms_command_compare = {.size = sizeof(compare_call),
                                          .binds = MS_BINDS_MODEL,
                                          .bind = bind,
                                          .compute = compute,
                                          .plot_answer = plot,
                                          .destroy = destroy};
