/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_sample.h"

#include <string.h>

#include "json.h"
#include "row_names.h"
#include "sample_rows.h"

typedef struct sample_call {
    ms_call *call;
    ms_sample_rows rows;
} sample_call;

/* The axis of the picture -------------------------------------------------------------------------------- */

static bool is_number(const ms_axis *axis)
{
    const int option = ms_option_find(axis->name);
    return axis->setting >= 0 || (option >= 0 && ms_option_table[option].kind == MS_KIND_REAL);
}

/* The list against which quantiles are drawn: step sizes if given, otherwise the first list of numbers. NULL:
 * there is none. */
static const ms_axis *x_of(const ms_arguments *arguments)
{
    const ms_axis *x = NULL;
    for (int k = 0; k < arguments->n_axes; k++) {
        const ms_axis *axis = &arguments->axes[k];
        if (ms_axis_is(axis, MS_OPTION_STEP_SIZE))
            return axis;
        x = x == NULL && is_number(axis) ? axis : x;
    }
    return x;
}

int ms_sweep_sample_check(const ms_arguments *arguments, ms_error *error)
{
    const char *const *text = arguments->text;
    if (arguments->wide)
        return ms_fail(error, MS_INVALID, "--wide: --sample has its own columns");
    if (arguments->resume && arguments->shard.of == 0)
        return ms_fail(error, MS_INVALID,
                       "--resume: applies only to parts of a sample, --shard I/N; 1/1 has all rows");
    if (text[MS_ARGUMENT_PLOT] != NULL && x_of(arguments) == NULL &&
        arguments->options.given[MS_OPTION_STEP_SIZE])
        return ms_fail(
            error, MS_INVALID,
            "--plot %s: quantiles are drawn over a list of step sizes, or of values of a parameter; "
            "--step-size FROM:TO:log:COUNT is one",
            text[MS_ARGUMENT_PLOT]);
    return MS_OK;
}

/* {"name", "unit", "summary", "values"}. */
static json_t *describe_x(const ms_arguments *arguments, const ms_model *model)
{
    const ms_axis *x = x_of(arguments);
    const char *name = x != NULL ? x->name : "step-size", *unit = "", *summary = "";
    json_t *values = json_array();
    for (int k = 0; x != NULL && k < x->n; k++) {
        double value = 0.0;
        (void)ms_axis_number(x, k, &value); /* checked before */
        ms_json_append(&values, json_real(value));
    }
    for (int k = 0; k < model->n_parameters; k++)
        if (strcmp(model->parameters[k].name, name) == 0) {
            unit = model->parameters[k].unit;
            summary = model->parameters[k].summary;
        }
    return ms_json_object("name:s unit:s summary:s values:o", name, unit, summary, values);
}

/* Curves ------------------------------------------------------------------------------------------------- */

/* The name of the curve: the member, preceded by model and case if there are several. */
static json_t *curve_of(const json_t *row, const json_t *name, bool models, bool cases)
{
    const char *model = json_string_value(json_object_get(row, "model")),
               *of_case = json_string_value(json_object_get(row, "case"));
    return json_sprintf("%s%s%s%s%s", models ? model : "", models ? ", " : "", cases ? of_case : "",
                        cases ? ", " : "", json_string_value(name));
}

static bool differ(const json_t *rows, const char *key)
{
    bool same = true;
    for (size_t k = 1; k < json_array_size(rows); k++)
        same = same && json_equal(json_object_get(json_array_get(rows, 0), key),
                                  json_object_get(json_array_get(rows, k), key));
    return !same;
}

/* The rows as drawn: each with its curve and its abscissa. */
static json_t *curves_of(const ms_arguments *arguments, const json_t *rows)
{
    const ms_axis *x = x_of(arguments);
    const bool models = differ(rows, "model"), cases = differ(rows, "case"),
               parameter = x != NULL && x->setting >= 0;
    char key[64];
    snprintf(key, sizeof key, "%s", x != NULL ? x->name : "step_size");
    for (char *c = key; *c != '\0' && !parameter; c++)
        *c = *c == '-' ? '_' : *c;
    json_t *names = ms_row_names(rows, key), *curves = json_array();
    for (size_t k = 0; k < json_array_size(rows) && names != NULL; k++) {
        const json_t *row = json_array_get(rows, k),
                     *from = json_object_get(row, parameter ? "parameters" : "scheme");
        ms_json_append(&curves, ms_json_object("curve:o x:O? error:O growth_predicted:O",
                                               curve_of(row, json_array_get(names, k), models, cases),
                                               json_object_get(from, key), json_object_get(row, "error"),
                                               json_object_get(row, "growth_predicted")));
    }
    json_decref(names);
    return curves;
}

/* Rows --------------------------------------------------------------------------------------------------- */

static int take_row(void *self, long k, json_t *row, ms_error *error)
{
    return ms_sample_rows_take(&((sample_call *)self)->rows, k, row, error);
}

static int work(void *self, ms_row_job *job, ms_error *error)
{
    return ms_call_rows(((sample_call *)self)->call, job, error);
}

/* {"kc": "normal(1e4,1e3)", ..}. */
static json_t *distributions_of(const ms_arguments *arguments)
{
    json_t *texts = json_object();
    for (int k = 0; k < arguments->n_settings; k++)
        if (arguments->distributions[k].kind != MS_DISTRIBUTION_NONE)
            ms_json_set(&texts, arguments->settings[k].parameter,
                        ms_json_text(ms_arguments_setting_text(arguments, k)));
    return texts;
}

static void answer(sample_call *of, const ms_sweep *sweep)
{
    static const ms_column columns[] = {{"model", "model"},
                                        {"case", "case"},
                                        {"member", "member"},
                                        {"ended", "ended"},
                                        {"error.q05", "error 5 %"},
                                        {"error.median", "median"},
                                        {"error.q95", "95 %"},
                                        {"growth_predicted.q05", "growth 5 %"},
                                        {"growth_predicted.median", "median"},
                                        {"growth_predicted.q95", "95 %"},
                                        {"message", "message"},
                                        {0}};
    ms_call *call = of->call;
    const ms_arguments *arguments = &call->arguments;
    const bool whole = arguments->format == MS_FORMAT_JSON || arguments->format == MS_FORMAT_JSONL;
    json_t *rows = ms_sample_rows_answer(&of->rows, whole);
    if (arguments->text[MS_ARGUMENT_PLOT] != NULL && rows != NULL)
        call->plotted = ms_json_object(
            "x:o norm:s error_scale:s rows:o", describe_x(arguments, sweep->models[0]),
            ms_option_choice(&arguments->options, MS_OPTION_NORM),
            ms_option_choice(&arguments->options, MS_OPTION_ERROR_SCALE), curves_of(arguments, rows));
    call->answer.columns = columns;
    call->answer.value = ms_json_object(
        "sample:i seed:i sampling:s distributions:o norm:s error_scale:s", sweep->sample.n, arguments->seed,
        ms_argument_table[MS_ARGUMENT_SAMPLING].option.choices[arguments->sampling],
        distributions_of(arguments), ms_option_choice(&arguments->options, MS_OPTION_NORM),
        ms_option_choice(&arguments->options, MS_OPTION_ERROR_SCALE));
    if (whole)
        ms_json_set(&call->answer.value, "draws", ms_sample_draws(sweep));
    ms_json_set(&call->answer.value, "rows", rows);
}

int ms_sweep_sample_compute(ms_call *call, const ms_sweep *sweep, long rows, ms_error *error)
{
    sample_call of = {.call = call};
    const ms_sweep_options request = {.rows = rows,
                                      .threads = ms_arguments_threads(&call->arguments),
                                      .self = &of,
                                      .work = work,
                                      .deliver = take_row};
    int status = ms_sample_rows_create(sweep, rows, &of.rows, error);
    const bool created = status == MS_OK;
    MS_THEN(status, ms_sweep_run(sweep, &request, &(ms_row_plan){.stop = &ms_interrupted}, error));
    const bool interrupted = created && status == MS_INTERRUPTED && !call->written;
    if ((status == MS_OK || interrupted) && !call->written)
        answer(&of, sweep);
    ms_sample_rows_destroy(&of.rows);
    call->exit_status = interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
    return interrupted ? MS_OK : status;
}
