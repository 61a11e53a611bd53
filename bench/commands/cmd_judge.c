/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include <macrostep/options.h>
#include <macrostep/series_read.h>
#include "call.h"
#include "progress.h"
#include "provenance.h"
#include "run_answer.h"
#include "series_order.h"
#include "shared_reference.h"

/* The answer ---------------------------------------------------------------------------------------------- */

static const ms_column judge_columns[] = {{"file", "file"},
                                          {"points", "points"},
                                          {"step_size", "step size"},
                                          {"errors.over", "errors of"},
                                          {"errors.compared", "compared"},
                                          {"errors.of", "of"},
                                          {"error", "error"},
                                          {"errors.max", "max"},
                                          {"errors.rmse", "rmse"},
                                          {"errors.end", "at end"},
                                          {"energy.drift", "energy drift"},
                                          {"slope", "slope"},
                                          {"note", "note"},
                                          {0}};

static json_t *per_variable(const ms_series_errors *errors)
{
    json_t *object = json_object();
    for (int k = 0; k < errors->variables.n; k++) {
        char name[MS_VARIABLE_NAME_SIZE];
        ms_series_variable_name(errors->system, errors->variables.variable[k], name);
        ms_json_set(&object, name, ms_state_errors_json(&errors->each[k], &errors->scale, k));
    }
    return object;
}

static json_t *errors_json(const ms_series_errors *errors)
{
    static const char *const over[] = {
        [MS_VARIABLE_STATE] = "states", [MS_VARIABLE_INPUT] = "inputs", [MS_VARIABLE_OUTPUT] = "outputs"};
    return ms_json_object("max:r rmse:r l2_normalized_mean:r end:r over:s compared:i of:i per_variable:o",
                          errors->total.max, errors->total.rmse, errors->total.l2, errors->total.end,
                          over[errors->over], errors->compared, errors->of, per_variable(errors));
}

static json_t *energy_json(const ms_series_energy *energy)
{
    if (!energy->known)
        return json_null();
    return ms_json_object("start:r end:r drift:r", energy->start, energy->end, energy->drift);
}

/* Columns that are not variables of the model, and states without a column. */
static json_t *ignored(const ms_series_errors *errors)
{
    json_t *names = json_array();
    for (int k = 0; k < errors->variables.n_ignored; k++)
        ms_json_append(&names, ms_json_text(errors->series->name[errors->variables.ignored[k]]));
    return names;
}

static json_t *missing(const ms_series_errors *errors)
{
    json_t *names = json_array();
    for (int j = 0; j < errors->system->nx; j++) {
        char name[MS_VARIABLE_NAME_SIZE];
        ms_series_variable_name(errors->system, j, name);
        if (!ms_series_variables_have(&errors->variables, j))
            ms_json_append(&names, json_string(name));
    }
    return names;
}

static json_t *row_json(const ms_series_errors *errors, const ms_convergence_row *row)
{
    const ms_series *series = errors->series;
    return ms_json_object(
        "file:s points:l start_time:f end_time:f step_size:r errors:o error:r slope:r note:s "
        "reference_error:r reference_known_until:r energy:o ignored:o missing:o",
        series->path, series->rows, series->time[0], series->time[series->rows - 1], errors->largest_step,
        errors_json(errors), row->error, row->slope, ms_convergence_note_name(row->note),
        errors->reference_error * ms_error_scale_unit(&errors->scale), errors->known_until,
        energy_json(&errors->energy), ignored(errors), missing(errors));
}

/* The answer for n > 0 results of one system; options: those of the call, with the norm. NULL: no memory. */
static json_t *judge_answer(int n, const ms_series_errors *errors, const ms_options *options)
{
    const ms_system *system = errors[0].system;
    ms_convergence_order order;
    const char *why;
    ms_convergence_row *row = calloc((size_t)n, sizeof *row);
    json_t *rows = NULL;
    if (row != NULL && ms_series_order(n, errors, options->norm, row, &order, &why) == MS_OK) {
        rows = json_array();
        for (int k = 0; k < n; k++)
            ms_json_append(&rows, row_json(&errors[k], &row[k]));
    }
    free(row);
    if (rows == NULL)
        return NULL;
    return ms_json_object("model:s case:s parameters:o norm:s error_scale:s rows:o order:r message:o range:o",
                          system->model->name, system->case_name, ms_parameters_json(system),
                          ms_option_choice(options, MS_OPTION_NORM),
                          ms_option_choice(options, MS_OPTION_ERROR_SCALE), rows, order.order,
                          why != NULL ? json_string(why) : json_null(),
                          json_pack("[o, o]", ms_json_real(order.first), ms_json_real(order.last)));
}

/* The call ----------------------------------------------------------------------------------------------- */

typedef struct judge_call {
    ms_call base;
    int n;              /* files */
    ms_series **series; /* (n) */
    ms_series_errors *errors;
    ms_shared_reference *reference; /* shared by all of them */
} judge_call;

static int read_files(void *self, ms_error *error)
{
    judge_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    const int n = arguments->n_operands;
    int status = MS_OK;
    if (n == 0)
        return ms_fail(error, MS_INVALID, "judge: a result is missing: macrostep judge RESULT.csv.. MODEL");
    call->series = calloc((size_t)n, sizeof(ms_series *));
    call->errors = calloc((size_t)n, sizeof *call->errors);
    MS_TRY_MEMORY_FOR(call->series != NULL && call->errors != NULL, error, "%d files", n);
    for (; call->n < n && status == MS_OK; call->n++)
        status = ms_series_read(arguments->operands[call->n], &call->series[call->n], error);
    return status;
}

static int check(void *self, ms_error *error)
{
    const judge_call *call = self;
    int status = MS_OK;
    for (int k = 0; k < call->n && status == MS_OK; k++)
        status = ms_series_errors_check(call->base.system, call->series[k],
                                        call->base.arguments.options.start_time, error);
    return status;
}

static int measure(judge_call *call, ms_error *error)
{
    const ms_system *system = call->base.system;
    const double start = call->base.arguments.options.start_time;
    ms_progress progress;
    int status =
        ms_shared_reference_create(system, start, MS_SHARED_REFERENCE_BYTES, &call->reference, error);
    ms_progress_begin(&progress, "judge", call->n);
    for (int k = 0; k < call->n && status == MS_OK; k++) {
        ms_progress_part(&progress, k, 1.0);
        status =
            ms_series_errors_measure(system, call->series[k], start, call->base.arguments.options.error_scale,
                                     call->reference, &ms_interrupted, &call->errors[k], error);
    }
    ms_progress_end(&progress);
    return status;
}

/* Digests of the files behind each row. */
static int add_digests(judge_call *call, ms_error *error)
{
    json_t *rows = json_object_get(call->base.answer.value, "rows");
    int status = MS_OK;
    for (int k = 0; k < call->n && status == MS_OK && rows != NULL; k++)
        status =
            ms_provenance_digest(json_array_get(rows, (size_t)k), "digest", call->series[k]->path, error);
    return status;
}

static int compute(void *self, ms_error *error)
{
    judge_call *call = self;
    MS_TRY(measure(call, error));
    call->base.answer.columns = judge_columns;
    call->base.answer.value = judge_answer(call->n, call->errors, &call->base.arguments.options);
    return add_digests(call, error);
}

static void destroy(void *self)
{
    judge_call *call = self;
    for (int k = 0; k < call->n; k++) {
        ms_series_errors_destroy(&call->errors[k]);
        ms_series_destroy(&call->series[k]);
    }
    free(call->errors);
    free(call->series);
    ms_shared_reference_destroy(&call->reference);
}

const ms_call_steps ms_command_judge = {.size = sizeof(judge_call),
                                        .binds = MS_BINDS_SYSTEM,
                                        .read = read_files,
                                        .check = check,
                                        .compute = compute,
                                        .destroy = destroy};
