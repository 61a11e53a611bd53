#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "order.h"
#include "progress.h"
#include "provenance.h"
#include "run_answer.h"

enum { HALVINGS = 7 };

/* Errors below this many times their own uncertainty mean nothing. */
static const double trusted = 50.0;

/* Everything that one call owns. */
typedef struct converge_call {
    ms_arguments arguments;
    ms_model *owned;
    ms_system *system;
    ms_output output;
    int n;
    ms_order_row *rows;
    char (*message)[512]; /* why a run did not end */
    int expected_order;
    json_t *scheme; /* resolved options of the last run */
    bool interrupted;
} converge_call;

static int check(const ms_arguments *arguments, ms_error *error)
{
    for (int k = 0; k < arguments->n_axes; k++)
        if (arguments->axes[k].setting >= 0 || strcmp(arguments->axes[k].name, "step-size") != 0)
            return ms_fail(error, MS_INVALID, "--%s%s: converge takes a list for --step-size only",
                           arguments->axes[k].setting >= 0 ? "set " : "", arguments->axes[k].name);
    if (arguments->options.error_controlled != MS_CONTROL_NONE)
        return ms_fail(error, MS_INVALID, "--error-controlled %s: converge needs macro-steps of equal length",
                       ms_option_choice(&arguments->options, "error-controlled"));
    return MS_OK;
}

static int descending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left < right) - (left > right);
}

/* The list, or halvings of the largest step that divides the run and is at most the one that was given or the
 * case's. */
static int choose_steps(converge_call *call, ms_error *error)
{
    const ms_options *options = &call->arguments.options;
    const ms_axis *axis = call->arguments.n_axes > 0 ? &call->arguments.axes[0] : NULL;
    call->n = axis != NULL ? axis->n : HALVINGS;
    double *steps = calloc((size_t)call->n, sizeof *steps);
    call->rows = calloc((size_t)call->n, sizeof *call->rows);
    call->message = calloc((size_t)call->n, sizeof *call->message);
    if (steps == NULL || call->rows == NULL || call->message == NULL) {
        free(steps);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d step sizes", call->n);
    }
    const double stop = options->given[ms_option_find("stop-time")]
                            ? options->stop_time
                            : options->start_time + call->system->stop_time;
    const double length = stop - options->start_time;
    const double largest = options->step_size > 0.0 ? options->step_size : call->system->step_size;
    for (int k = 0; k < call->n; k++) {
        const double count = fmax(1.0, ceil(length / largest * (1.0 - 1e-12)));
        steps[k] = axis != NULL       ? strtod(ms_axis_value(axis, k), NULL)
                   : largest > length ? largest /* refused by the run, with the range */
                                      : length / (count * (double)(1L << k));
    }
    qsort(steps, (size_t)call->n, sizeof *steps, descending);
    for (int k = 0; k < call->n; k++)
        call->rows[k].step_size = steps[k];
    free(steps);
    return MS_OK;
}

/* What the error cannot be trusted below: the reference's own error, round-off, the micro-solver's
 * tolerances. */
static double floor_of(const ms_trial *trial)
{
    const double scale = trial->errors.reference_scale;
    const ms_solver *solver = ms_solver_find(trial->options.solver);
    double below = fmax(trial->errors.reference_error, DBL_EPSILON * scale);
    if (solver != NULL && solver->adaptive)
        below = fmax(below, trial->options.solver_rtol * scale + trial->options.solver_atol);
    if (trial->options.norm == MS_NORM_L2)
        below = scale > 0.0 ? below / scale : 0.0;
    return trusted * below;
}

static int run_one(converge_call *call, int k, ms_progress *progress, ms_error *error)
{
    const ms_observer observer = ms_progress_observer(progress);
    const ms_trial_wants wants = {
        .errors = true, .observers = &observer, .n_observers = 1, .stop = &ms_interrupted};
    ms_options options = call->arguments.options;
    ms_order_row *row = &call->rows[k];
    ms_trial trial = {0};
    options.step_size = row->step_size;
    const int status = ms_trial_run(call->system, &options, &wants, &trial, error);
    if (status != MS_OK)
        return status;
    row->error = trial.errors_valid ? ms_errors_norm(&trial.errors, options.norm) : NAN;
    row->floor = floor_of(&trial);
    if (trial.result.reason != MS_REASON_END_TIME)
        snprintf(call->message[k], sizeof call->message[k], "%s: %.400s", ms_reason_name(trial.result.reason),
                 trial.result.message);
    call->interrupted = trial.result.reason == MS_REASON_INTERRUPTED;
    call->expected_order = trial.expected_order;
    json_decref(call->scheme);
    call->scheme = ms_options_json(&trial.options);
    json_object_del(call->scheme, "step_size");
    ms_trial_destroy(&trial);
    return MS_OK;
}

static int run_all(converge_call *call, ms_error *error)
{
    ms_progress progress;
    int status = MS_OK;
    ms_progress_begin(&progress, "converge", call->n);
    for (int k = 0; k < call->n && status == MS_OK && !call->interrupted; k++) {
        ms_progress_part(&progress, k, 1.0);
        status = run_one(call, k, &progress, error);
        if (call->interrupted)
            call->n = k + 1;
    }
    ms_progress_end(&progress);
    return status;
}

static json_t *rows_json(const converge_call *call)
{
    json_t *rows = json_array();
    int status = rows != NULL ? 0 : -1;
    for (int k = 0; k < call->n && status == 0; k++) {
        const ms_order_row *row = &call->rows[k];
        status = json_array_append_new(
            rows, json_pack("{s:f, s:o, s:o, s:s, s:o}", "step_size", row->step_size, "error",
                            ms_json_real(row->error), "slope", ms_json_real(row->slope), "note",
                            ms_order_note_name(row->note), "message", ms_json_text(call->message[k])));
    }
    if (status == 0)
        return rows;
    json_decref(rows);
    return NULL;
}

static int answer(converge_call *call, ms_error *error)
{
    static const ms_column columns[] = {{"step_size", "step size"}, {"error", "error"},
                                        {"slope", "slope"},         {"note", "note"},
                                        {"message", "message"},     {0}};
    const ms_order order = ms_order_fit(call->n, call->rows);
    ms_answer answer = {.provenance = ms_provenance(call->arguments.line), .columns = columns};
    json_t *expected = call->system->nu > 0 ? json_integer(call->expected_order) : json_null();
    answer.value =
        json_pack("{s:s, s:s, s:o, s:O, s:s, s:o, s:o, s:[o, o], s:o}", "model", call->system->model->name,
                  "case", call->system->case_name, "parameters", ms_parameters_json(call->system), "scheme",
                  call->scheme, "norm", ms_option_choice(&call->arguments.options, "norm"), "rows",
                  rows_json(call), "order", ms_json_real(order.order), "range", ms_json_real(order.first),
                  ms_json_real(order.last), "expected_order", expected);
    return ms_answer_finish(&answer, &call->arguments, &call->output, error);
}

static int converge(int argc, char **argv, converge_call *call, ms_error *error)
{
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, &call->arguments, error);
    if (status == MS_OK)
        status = check(&call->arguments, error);
    if (status == MS_OK)
        status = ms_arguments_model(&call->arguments, &model, &call->owned, error);
    if (status == MS_OK)
        status = ms_arguments_bind(&call->arguments, model, &call->system, error);
    if (status == MS_OK)
        status = choose_steps(call, error);
    if (status == MS_OK)
        status = ms_output_open(call->arguments.text[MS_ARGUMENT_OUTPUT], &call->output, error);
    if (status == MS_OK)
        status = run_all(call, error);
    if (status == MS_OK)
        status = answer(call, error);
    return status;
}

int ms_command_converge(int argc, char **argv)
{
    converge_call call = {0};
    ms_error error = {0};
    const int status = converge(argc, argv, &call, &error);
    const bool interrupted = call.interrupted;
    ms_output_discard(&call.output);
    json_decref(call.scheme);
    free(call.rows);
    free(call.message);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    ms_arguments_destroy(&call.arguments);
    if (status != MS_OK)
        return ms_command_fail(status, &error);
    return interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
}
