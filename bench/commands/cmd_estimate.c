/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/series_read.h>
#include "call.h"
#include "nearest.h"
#include "plots.h"
#include "provenance.h"

/* The answer ---------------------------------------------------------------------------------------------- */

static const ms_column estimate_columns[] = {{"name", "parameter"},
                                             {"unit", "unit"},
                                             {"start", "start"},
                                             {"estimate", "estimate"},
                                             {"standard_error", "std. error"},
                                             {"lower", "95 % from"},
                                             {"upper", "to"},
                                             {"at_bound", "at bound"},
                                             {"identifiable", "identifiable"},
                                             {0}};

static json_t *rows(const ms_estimate_options *request, const ms_estimate *estimate)
{
    json_t *array = json_array();
    for (int i = 0; i < estimate->n; i++) {
        const ms_estimated *p = &estimate->parameter[i];
        const ms_parameter *parameter = &request->system->model->parameters[p->parameter];
        ms_json_append(
            &array,
            ms_json_object(
                "name:s unit:s start:r estimate:r standard_error:r lower:r upper:r at_bound:b identifiable:b",
                parameter->name, parameter->unit, p->start, p->value, p->standard_error, p->lower, p->upper,
                p->at_bound, p->identifiable));
    }
    return array;
}

static json_t *residuals(const ms_estimate *estimate)
{
    json_t *array = json_array();
    for (int k = 0; k < estimate->columns; k++) {
        const ms_estimate_column *column = &estimate->column[k];
        ms_json_append(&array, ms_json_object("column:s sigma:r rmse_start:r rmse:r", column->name,
                                              column->sigma, column->rmse_start, column->rmse));
    }
    return array;
}

/* Names of the parameters that the measurements do not identify. */
static json_t *unidentifiable(const ms_estimate_options *request, const ms_estimate *estimate)
{
    json_t *array = json_array();
    for (int i = 0; i < estimate->n; i++)
        if (!estimate->parameter[i].identifiable)
            ms_json_append(
                &array,
                json_string(request->system->model->parameters[estimate->parameter[i].parameter].name));
    return array;
}

/* The resolved options of the co-simulation, null for the monolithic form. */
static json_t *scheme(const ms_estimate_options *request)
{
    ms_options options = request->options;
    if (!request->cosimulated)
        return json_null();
    if (options.step_size == 0.0)
        options.step_size = request->system->step_size;
    options.stop_time = request->measurements->time[request->measurements->rows - 1];
    if (options.solver[0] == '\0')
        snprintf(options.solver, sizeof options.solver, "%s",
                 ms_cosim_default_solver(request->system, ms_scheme_find(options.scheme)));
    return ms_options_json(&options);
}

/* The micro-solver of the monolithic form, null for a co-simulation. */
static json_t *solver(const ms_estimate_options *request)
{
    const ms_options *o = &request->options;
    if (request->cosimulated)
        return json_null();
    return ms_solver_json(ms_cosim_solver(request->system, NULL, o), o);
}

/* The answer as bench/README.md prints it ("Recorded inputs and measurements"). NULL: no memory. */
static json_t *estimate_answer(const ms_estimate_options *request, const ms_estimate *estimate)
{
    return ms_json_object(
        "model:s case:s parameters:o form:s method:s scheme:o solver:o reason:s rows:o unidentifiable:o "
        "correlation:o residuals:o condition:r sum_of_squares_start:r sum_of_squares:r "
        "degrees_of_freedom:l residual_deviation:r measurements:I iterations:l simulations:l "
        "failed_simulations:l",
        request->system->model->name, request->system->case_name, ms_parameters_json(request->system),
        request->cosimulated ? "co-simulated" : "monolithic", ms_estimate_method_name(request->method),
        scheme(request), solver(request), ms_estimate_reason_name(estimate->reason), rows(request, estimate),
        unidentifiable(request, estimate),
        ms_json_of_matrix(estimate->n, estimate->n, estimate->n, estimate->correlation), residuals(estimate),
        estimate->condition, estimate->sum_start, estimate->sum, estimate->degrees_of_freedom,
        estimate->deviation, (json_int_t)estimate->rows * estimate->columns, estimate->iterations,
        estimate->simulations, estimate->failed);
}

/* Columns: time, and for each measurement the fitted output followed by the measured value. */
static void name_of_column(const void *self, int column, char *name, size_t size)
{
    const ms_estimate *estimate = self;
    const char *of = column > 0 ? estimate->column[(column - 1) / 2].name : "time";
    snprintf(name, size, "%s%s", of, column > 0 && column % 2 == 0 ? ".measured" : "");
}

static void write_row(const ms_estimate_options *request, const ms_estimate *estimate, long row, FILE *file)
{
    ms_csv_number(request->measurements->time[row], file);
    for (int k = 0; k < estimate->columns; k++) {
        fputc(',', file);
        ms_csv_number(estimate->fitted[row * estimate->columns + k], file);
        fputc(',', file);
        ms_csv_number(estimate->measured[row * estimate->columns + k], file);
    }
    fputc('\n', file);
}

/* Rows of time and, for each measured column, the fitted output and the measurement, with provenance; writes
 * nothing if the file is not open. Errors: MS_NO_MEMORY, MS_IO. */
static int estimate_write(const ms_estimate_options *request, const ms_estimate *estimate, const char *line,
                          ms_output *output, ms_error *error)
{
    const ms_series_table head = {
        .columns = 1 + 2 * estimate->columns, .of = estimate, .name = name_of_column};
    if (output->file == NULL)
        return MS_OK;
    MS_TRY(ms_series_file_begin(&head, ms_provenance(line), output, error));
    for (long row = 0; row < estimate->rows; row++)
        write_row(request, estimate, row, output->file);
    return ms_output_close(output, error);
}

/* The call ----------------------------------------------------------------------------------------------- */

typedef struct estimate_call {
    ms_call base; /* its system has the start values */
    ms_series *measurements;
    int *parameter; /* (request.n) */
    double *sigma;  /* (columns of the measurements) */
    ms_estimate_options request;
    ms_estimate estimate;
} estimate_call;

/* Parameters --------------------------------------------------------------------------------------------- */

static int unknown_parameter(const ms_model *model, const char *name, ms_error *error)
{
    if (model->n_parameters == 0)
        return ms_fail(error, MS_INVALID, "--parameters %s: model %s has no parameters", name, model->name);
    return ms_fail(error, MS_INVALID, "--parameters %s: model %s has no such parameter; the nearest is %s",
                   name[0] != '\0' ? name : "''", model->name,
                   MS_NEAREST_OF(name, model->parameters, model->n_parameters));
}

/* The index of a parameter, which takes its start value. */
static int read_parameter(estimate_call *call, const ms_pair *pair, ms_error *error)
{
    const ms_model *model = call->base.system->model;
    const int k = ms_model_parameter(model, pair->name);
    if (k < 0)
        return unknown_parameter(model, pair->name, error);
    call->parameter[call->request.n++] = k;
    if (pair->text == NULL)
        return MS_OK;
    ms_system *alone = NULL;
    ms_error why = {0};
    const ms_setting start = {pair->name, pair->value};
    const int status =
        ms_system_create(model, call->base.arguments.text[MS_ARGUMENT_CASE], &start, 1, &alone, &why);
    ms_system_destroy(&alone);
    if (status == MS_INVALID)
        return ms_fail(error, MS_INVALID, "--parameters %s=%s: %s", pair->name, pair->text, why.text);
    return MS_OK;
}

static int read_parameters(estimate_call *call, ms_error *error)
{
    const ms_pairs *given = &call->base.arguments.parameters;
    call->parameter = calloc((size_t)given->n, sizeof *call->parameter);
    MS_TRY_MEMORY_FOR(call->parameter != NULL, error, "the parameters");
    for (int k = 0; k < given->n; k++)
        MS_TRY(read_parameter(call, &given->pair[k], error));
    return MS_OK;
}

/* The system with the start values. */
static int bind(void *self, ms_error *error)
{
    estimate_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    const ms_pairs *given = &arguments->parameters;
    const ms_model *model = call->base.system->model;
    int n = arguments->n_settings;
    ms_setting *settings = calloc((size_t)(n + given->n), sizeof *settings);
    MS_TRY_MEMORY_FOR(settings != NULL, error, "the parameters");
    if (n > 0)
        memcpy(settings, arguments->settings, (size_t)n * sizeof *settings);
    for (int k = 0; k < given->n; k++)
        if (given->pair[k].text != NULL)
            settings[n++] = (ms_setting){given->pair[k].name, given->pair[k].value};
    ms_system_destroy(&call->base.system);
    int status =
        ms_system_create(model, arguments->text[MS_ARGUMENT_CASE], settings, n, &call->base.system, error);
    if (status == MS_OK && arguments->inputs != NULL)
        status = ms_system_bind_inputs(call->base.system, arguments->inputs, error);
    free(settings);
    return status;
}

/* Standard deviations ------------------------------------------------------------------------------------ */

static int read_sigma(const ms_series *series, const ms_pair *pair, double *sigma, ms_error *error)
{
    const int k = ms_series_find(series, pair->name);
    if (k < 0 || pair->text == NULL)
        return ms_fail(error, MS_INVALID,
                       "--sigma %s: must be a number, or COLUMN=X with columns of %s; the nearest is %s",
                       pair->name, series->path,
                       ms_nearest(pair->name, (const char *const *)series->name, series->columns));
    if (!(pair->value > 0.0))
        return ms_fail(error, MS_INVALID, "--sigma %s=%s: must be greater than 0", pair->name, pair->text);
    sigma[k] = pair->value;
    return MS_OK;
}

static int choose_sigma(estimate_call *call, ms_error *error)
{
    const ms_series *series = call->measurements;
    const ms_pairs *given = &call->base.arguments.sigma;
    if (given->n == 0)
        return MS_OK;
    const bool number = given->n == 1 && given->pair[0].text == NULL && !isnan(given->pair[0].value);
    const double all = given->pair[0].value;
    if (number && !(all > 0.0))
        return ms_fail(error, MS_INVALID, "--sigma %s: must be finite and greater than 0",
                       given->pair[0].name);
    call->sigma = calloc((size_t)series->columns, sizeof *call->sigma);
    call->request.sigma = call->sigma;
    MS_TRY_MEMORY_FOR(call->sigma != NULL, error, "the columns");
    for (int k = 0; k < series->columns; k++)
        call->sigma[k] = number ? all : NAN;
    for (int k = 0; k < given->n && !number; k++)
        MS_TRY(read_sigma(series, &given->pair[k], call->sigma, error));
    return MS_OK;
}

/* Options ------------------------------------------------------------------------------------------------ */

/* Is the model co-simulated? Options of the micro-solver and the start time do not decide it. */
static bool is_cosimulated(const ms_options *options)
{
    static const bool neutral[MS_OPTIONS] = {
        [MS_OPTION_SOLVER] = true,       [MS_OPTION_SOLVER_RTOL] = true, [MS_OPTION_SOLVER_ATOL] = true,
        [MS_OPTION_INPUT_CHANGE] = true, [MS_OPTION_MICRO_STEPS] = true, [MS_OPTION_START_TIME] = true};
    bool any = false;
    for (int k = 0; k < MS_OPTIONS; k++)
        any = any || (ms_option_asked(options, k) && !neutral[k]);
    return any;
}

static int read_arguments(void *self, ms_error *error)
{
    const ms_arguments *arguments = &((estimate_call *)self)->base.arguments;
    if (arguments->text[MS_ARGUMENT_MEASUREMENTS] == NULL)
        return ms_fail(error, MS_INVALID, "--measurements FILE.csv is missing");
    if (arguments->text[MS_ARGUMENT_PARAMETERS] == NULL)
        return ms_fail(error, MS_INVALID, "--parameters NAME[=START],.. is missing");
    return MS_OK;
}

/* Calls -------------------------------------------------------------------------------------------------- */

static int check(void *self, ms_error *error)
{
    estimate_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    ms_estimate_options *request = &call->request;
    MS_TRY(read_parameters(call, error));
    MS_TRY(ms_series_read(arguments->text[MS_ARGUMENT_MEASUREMENTS], &call->measurements, error));
    MS_TRY(choose_sigma(call, error));
    request->system = call->base.system;
    request->measurements = call->measurements;
    request->inputs = arguments->inputs;
    request->parameter = call->parameter;
    request->options = arguments->options;
    request->cosimulated = is_cosimulated(&arguments->options);
    request->method = (ms_estimate_method)arguments->method;
    request->tolerance = arguments->tolerance;
    request->max_simulations = arguments->max_simulations;
    request->stop = &ms_interrupted;
    return ms_estimate_check(request, error);
}

static int compute(void *self, ms_error *error)
{
    estimate_call *call = self;
    const ms_arguments *arguments = &call->base.arguments;
    ms_estimate_options *request = &call->request;
    request->system = call->base.system;
    request->options = arguments->options; /* with those of the file */
    request->cosimulated = is_cosimulated(&arguments->options);
    MS_TRY(ms_estimate_run(request, &call->estimate, error));
    MS_TRY(estimate_write(request, &call->estimate, arguments->line, &call->base.file[0], error));
    call->base.answer =
        (ms_answer){.value = estimate_answer(request, &call->estimate), .columns = estimate_columns};
    if (call->estimate.reason == MS_ESTIMATE_INTERRUPTED)
        call->base.exit_status = MS_EXIT_INTERRUPTED;
    return MS_OK;
}

static int plot(ms_drawing *drawing, ms_error *error)
{
    const estimate_call *call = ms_drawing_subject(drawing);
    (void)error;
    return ms_plot_estimate(drawing, &call->estimate, call->measurements->time);
}

static void destroy(void *self)
{
    estimate_call *call = self;
    ms_estimate_destroy(&call->estimate);
    ms_series_destroy(&call->measurements);
    free(call->parameter);
    free(call->sigma);
}

const ms_call_steps ms_command_estimate = {.size = sizeof(estimate_call),
                                           .binds = MS_BINDS_SYSTEM,
                                           .files = {MS_ARGUMENT_TRAJECTORY},
                                           .n_files = 1,
                                           .read = read_arguments,
                                           .check = check,
                                           .bind = bind,
                                           .compute = compute,
                                           .plot = plot,
                                           .destroy = destroy};
