/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "catalogue.h"
#include "commands.h"
#include "estimate_answer.h"
#include "nearest.h"
#include "provenance.h"
#include "series_read.h"

/* Everything that one call owns. */
typedef struct estimate_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system; /* with the start values */
    ms_series *measurements;
    int *parameter; /* (request.n) */
    double *sigma;  /* (columns of the measurements) */
    ms_estimate_options request;
    ms_output output, trajectory;
    ms_estimate estimate;
    ms_answer answer;
} estimate_call;

/* Lists of names ----------------------------------------------------------------------------------------- */

/* Cuts the next word of a comma list off; *value is what stands behind its '=', or NULL. */
static char *cut_word(char **next, char **value)
{
    char *word = *next, *comma = strchr(word, ',');
    *next = comma != NULL ? comma + 1 : NULL;
    if (comma != NULL)
        *comma = '\0';
    *value = strchr(word, '=');
    if (*value != NULL)
        *(*value)++ = '\0';
    return word;
}

static int count_words(const char *list)
{
    int n = 1;
    for (const char *c = strchr(list, ','); c != NULL; c = strchr(c + 1, ','))
        n++;
    return n;
}

static int read_number(const char *option, const char *name, const char *text, double *value, ms_error *error)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*value))
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--%s %s=%s: the value must be a finite number", option, name, text);
}

/* Parameters --------------------------------------------------------------------------------------------- */

static int unknown_parameter(const ms_model *model, const char *name, ms_error *error)
{
    if (model->n_parameters == 0)
        return ms_fail(error, MS_INVALID, "--parameters %s: model %s has no parameters", name, model->name);
    const char **names = calloc((size_t)model->n_parameters, sizeof *names);
    if (names == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory");
    for (int k = 0; k < model->n_parameters; k++)
        names[k] = model->parameters[k].name;
    const int status =
        ms_fail(error, MS_INVALID, "--parameters %s: model %s has no such parameter; the nearest is %s",
                name[0] != '\0' ? name : "''", model->name, ms_nearest(name, names, model->n_parameters));
    free(names);
    return status;
}

/* The indices, and the start values over the settings (n_settings before). */
static int read_parameters(estimate_call *call, const ms_model *model, char *list, ms_setting *settings,
                           int *n_settings, ms_error *error)
{
    for (char *next = list, *value; next != NULL;) {
        const char *name = cut_word(&next, &value);
        const int k = ms_model_parameter(model, name);
        if (k < 0)
            return unknown_parameter(model, name, error);
        call->parameter[call->request.n++] = k;
        if (value == NULL)
            continue;
        ms_setting *setting = &settings[(*n_settings)++];
        setting->parameter = name;
        const int status = read_number("parameters", name, value, &setting->value, error);
        if (status != MS_OK)
            return status;
        ms_system *alone = NULL;
        ms_error why = {0};
        if (ms_system_create(model, call->arguments.text[MS_ARGUMENT_CASE], setting, 1, &alone, &why) ==
            MS_INVALID)
            return ms_fail(error, MS_INVALID, "--parameters %s=%s: %s", name, value, why.text);
        ms_system_destroy(&alone);
    }
    return MS_OK;
}

/* The system with the start values, and which parameters are estimated. */
static int bind(estimate_call *call, ms_error *error)
{
    const ms_arguments *arguments = &call->arguments;
    const ms_model *model = call->system->model;
    const char *text = arguments->text[MS_ARGUMENT_PARAMETERS];
    const size_t words = (size_t)count_words(text);
    char *list = strdup(text);
    ms_setting *settings = calloc((size_t)arguments->n_settings + words, sizeof *settings);
    call->parameter = calloc(words, sizeof *call->parameter);
    int n = arguments->n_settings, status = MS_OK;
    if (list == NULL || settings == NULL || call->parameter == NULL) {
        ms_fail(error, MS_NO_MEMORY, "not enough memory for the parameters");
        status = MS_NO_MEMORY;
    }
    if (status == MS_OK) {
        for (int k = 0; k < n; k++)
            settings[k] = arguments->settings[k];
        status = read_parameters(call, model, list, settings, &n, error);
    }
    if (status == MS_OK) {
        ms_system_destroy(&call->system);
        status =
            ms_system_create(model, arguments->text[MS_ARGUMENT_CASE], settings, n, &call->system, error);
    }
    if (status == MS_OK && arguments->inputs != NULL)
        status = ms_system_bind_inputs(call->system, arguments->inputs, error);
    free(settings);
    free(list);
    return status;
}

/* Standard deviations ------------------------------------------------------------------------------------ */

static double largest(const ms_series *series, int column)
{
    double most = 0.0;
    for (long row = 0; row < series->rows; row++)
        most = fmax(most, fabs(series->value[row * series->columns + column]));
    return most > 0.0 ? most : 1.0;
}

static int read_sigmas(const ms_series *series, char *list, double *sigma, ms_error *error)
{
    for (char *next = list, *value; next != NULL;) {
        const char *name = cut_word(&next, &value);
        const int k = ms_series_find(series, name);
        if (k < 0 || value == NULL)
            return ms_fail(error, MS_INVALID,
                           "--sigma %s: must be a number, or COLUMN=X with columns of %s; the nearest is %s",
                           name, series->path,
                           ms_nearest(name, (const char *const *)series->name, series->columns));
        const int status = read_number("sigma", name, value, &sigma[k], error);
        if (status != MS_OK)
            return status;
        if (!(sigma[k] > 0.0))
            return ms_fail(error, MS_INVALID, "--sigma %s=%s: must be greater than 0", name, value);
    }
    return MS_OK;
}

static int choose_sigma(estimate_call *call, ms_error *error)
{
    const ms_series *series = call->measurements;
    const char *text = call->arguments.text[MS_ARGUMENT_SIGMA];
    char *end;
    if (text == NULL)
        return MS_OK;
    const double all = strtod(text, &end);
    const bool number = end != text && *end == '\0';
    if (number && !(all > 0.0 && isfinite(all)))
        return ms_fail(error, MS_INVALID, "--sigma %s: must be finite and greater than 0", text);
    char *list = strdup(text);
    call->sigma = calloc((size_t)series->columns, sizeof *call->sigma);
    call->request.sigma = call->sigma;
    int status = MS_OK;
    if (list == NULL || call->sigma == NULL) {
        ms_fail(error, MS_NO_MEMORY, "not enough memory for the columns");
        status = MS_NO_MEMORY;
    }
    for (int k = 0; k < series->columns && status == MS_OK; k++)
        call->sigma[k] = number ? all : largest(series, k);
    if (status == MS_OK && !number)
        status = read_sigmas(series, list, call->sigma, error);
    free(list);
    return status;
}

/* Options ------------------------------------------------------------------------------------------------ */

/* Is the model co-simulated? Options of the micro-solver and the start do not say so. */
static bool is_cosimulated(const ms_options *options)
{
    static const char *const neutral[] = {"solver",       "solver-rtol", "solver-atol",
                                          "input-change", "micro-steps", "start-time"};
    bool any = false;
    for (int k = 0; ms_option_table[k].name != NULL; k++) {
        bool is_neutral = false;
        for (size_t j = 0; j < sizeof neutral / sizeof *neutral; j++)
            is_neutral = is_neutral || strcmp(neutral[j], ms_option_table[k].name) == 0;
        any = any || (options->given[k] && !is_neutral);
    }
    return any;
}

/* Options of a run that have no meaning here. */
static int refuse_options(const ms_options *options, ms_error *error)
{
    if (options->given[MS_OPTION_STOP_TIME])
        return ms_fail(error, MS_INVALID,
                       "--stop-time: the run ends with the last measurement; leave it out");
    if (options->given[MS_OPTION_NORM])
        return ms_fail(error, MS_INVALID,
                       "--norm: an estimation has no errors against a reference; leave it out");
    return MS_OK;
}

static int read_method(const ms_arguments *arguments, ms_estimate_options *request, ms_error *error)
{
    const char *method = arguments->text[MS_ARGUMENT_METHOD],
               *tolerance = arguments->text[MS_ARGUMENT_TOLERANCE],
               *most = arguments->text[MS_ARGUMENT_MAX_SIMULATIONS];
    char *end;
    if (method != NULL && strcmp(method, "nelder-mead") == 0)
        request->method = MS_ESTIMATE_NELDER_MEAD;
    else if (method != NULL && strcmp(method, "trust-region") != 0)
        return ms_fail(error, MS_INVALID, "--method %s: must be trust-region or nelder-mead", method);
    request->tolerance = tolerance != NULL ? strtod(tolerance, &end) : 0.0;
    if (tolerance != NULL && (*end != '\0' || !(request->tolerance > 0.0 && request->tolerance < 1.0)))
        return ms_fail(error, MS_INVALID, "--tolerance %s: must be a number in (0, 1)", tolerance);
    request->max_simulations = most != NULL ? strtol(most, &end, 10) : 0;
    if (most != NULL &&
        (*end != '\0' || request->max_simulations < 1 || request->max_simulations > 1000000000))
        return ms_fail(error, MS_INVALID, "--max-simulations %s: must be a whole number in [1, 1000000000]",
                       most);
    return MS_OK;
}

static int check_arguments(const ms_arguments *arguments, ms_error *error)
{
    if (arguments->text[MS_ARGUMENT_MEASUREMENTS] == NULL)
        return ms_fail(error, MS_INVALID, "--measurements FILE.csv is missing");
    if (arguments->text[MS_ARGUMENT_PARAMETERS] == NULL)
        return ms_fail(error, MS_INVALID, "--parameters NAME[=START],.. is missing");
    return refuse_options(&arguments->options, error);
}

/* Calls -------------------------------------------------------------------------------------------------- */

static int prepare(int argc, char **argv, estimate_call *call, ms_error *error)
{
    ms_arguments *arguments = &call->arguments;
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, arguments, error);
    if (status == MS_OK)
        status = ms_arguments_refuse_lists(arguments, error);
    if (status == MS_OK)
        status = check_arguments(arguments, error);
    if (status == MS_OK)
        status = read_method(arguments, &call->request, error);
    if (status == MS_OK)
        status = ms_arguments_model(arguments, &model, &call->owned, error);
    if (status == MS_OK)
        status = ms_arguments_bind(arguments, model, &call->system, error);
    if (status == MS_OK)
        status = bind(call, error);
    if (status == MS_OK)
        status = ms_series_read(arguments->text[MS_ARGUMENT_MEASUREMENTS], &call->measurements, error);
    return status == MS_OK ? choose_sigma(call, error) : status;
}

/* Before the work is done, so that a folder that is missing costs none. */
static int open_files(estimate_call *call, ms_error *error)
{
    const char *rows = call->arguments.text[MS_ARGUMENT_TRAJECTORY];
    int status = ms_output_open(call->arguments.text[MS_ARGUMENT_OUTPUT], &call->output, error);
    if (status == MS_OK && rows != NULL)
        status = ms_output_open(rows, &call->trajectory, error);
    return status;
}

static int carry_out(estimate_call *call, ms_error *error)
{
    const ms_arguments *arguments = &call->arguments;
    ms_estimate_options *request = &call->request;
    request->system = call->system;
    request->measurements = call->measurements;
    request->inputs = arguments->inputs;
    request->parameter = call->parameter;
    request->options = arguments->options;
    request->cosimulated = is_cosimulated(&arguments->options);
    request->stop = &ms_interrupted;
    int status = ms_estimate_run(request, &call->estimate, error);
    if (status == MS_OK)
        status = ms_estimate_write(request, &call->estimate, arguments->line, &call->trajectory, error);
    if (status != MS_OK)
        return status;
    call->answer = (ms_answer){.value = ms_estimate_answer(request, &call->estimate),
                               .provenance = ms_provenance(arguments->line),
                               .columns = ms_estimate_columns};
    status = ms_answer_finish(&call->answer, arguments, &call->output, error);
    return status == MS_OK && call->estimate.reason == MS_ESTIMATE_INTERRUPTED ? MS_INTERRUPTED : status;
}

int ms_command_estimate(int argc, char **argv)
{
    estimate_call call = {0};
    ms_error error = {0};
    int status = prepare(argc, argv, &call, &error);
    if (status == MS_OK)
        status = open_files(&call, &error);
    if (status == MS_OK)
        status = carry_out(&call, &error);
    ms_output_discard(&call.trajectory);
    ms_output_discard(&call.output);
    ms_estimate_destroy(&call.estimate);
    ms_series_destroy(&call.measurements);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    free(call.parameter);
    free(call.sigma);
    ms_arguments_destroy(&call.arguments);
    if (status == MS_INTERRUPTED)
        return MS_EXIT_INTERRUPTED;
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
