/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "converge_study.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "provenance.h"
#include "run_answer.h"
#include "solver_registry.h"

enum { HALVINGS = 7, NUMBERS = 9 };

/* Errors are trusted above this many times their own uncertainty, */
static const double trusted = 50.0;

/* and mean nothing below the error of the iteration or a tenth of the reference's, whatever their slopes: the
 * latter is that of a companion that is ten times as loose. In between it is the slopes that decide. */
static const double of_companion = 0.1;

/* Steps -------------------------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left < right) - (left > right);
}

/* The list, or halvings of the largest step that divides the run and is at most the one that was given or the
 * case's. */
static int choose_steps(ms_converge_study *study, const ms_axis *axis, ms_error *error)
{
    const ms_options *options = &study->options;
    study->n = axis != NULL ? axis->n : HALVINGS;
    double *steps = calloc((size_t)study->n, sizeof *steps);
    study->steps = steps;
    study->rows = calloc((size_t)study->n, sizeof *study->rows);
    study->uncertain = calloc((size_t)study->n, sizeof *study->uncertain);
    study->message = calloc((size_t)study->n, sizeof *study->message);
    if (steps == NULL || study->rows == NULL || study->uncertain == NULL || study->message == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d step sizes", study->n);
    const double length = ms_options_stop_time(options, study->system->stop_time) - options->start_time;
    const double largest = options->step_size > 0.0 ? options->step_size : study->system->step_size;
    for (int k = 0; k < study->n; k++) {
        const double count = fmax(1.0, ceil(length / largest * (1.0 - 1e-12)));
        steps[k] = largest > length ? largest /* refused by the run, with the range */
                                    : length / (count * (double)(1L << k));
        if (axis != NULL)
            (void)ms_axis_number(axis, k, &steps[k]); /* tried before */
    }
    qsort(steps, (size_t)study->n, sizeof *steps, descending);
    return MS_OK;
}

/* Without a monolithic form finer steps serve: of all rows the same, a sixteenth of the shortest. */
static void choose_reference(ms_converge_study *study, const ms_arguments *arguments)
{
    study->against = ms_run_against(arguments);
    if (study->against.name == NULL && ms_system_own_stepper(study->system) != NULL)
        study->against = (ms_against){.name = "finer", .finer = true};
    if (study->against.finer)
        study->against.step = study->steps[study->n - 1] / 16.0;
}

int ms_converge_study_create(const ms_arguments *arguments, const ms_system *system,
                             const ms_options *options, const ms_axis *steps, ms_converge_study *study,
                             ms_error *error)
{
    *study = (ms_converge_study){.system = system, .options = *options};
    study->iteration = ms_converge_iteration_of(options);
    const int status = choose_steps(study, steps, error);
    if (status == MS_OK)
        choose_reference(study, arguments);
    return status;
}

void ms_converge_study_destroy(ms_converge_study *study)
{
    json_decref(study->scheme);
    free(study->steps);
    free(study->rows);
    free(study->uncertain);
    free(study->message);
    *study = (ms_converge_study){0};
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* Of the error of a run, in the norm's unit. */
static ms_converge_uncertainty uncertainty_of(const ms_converge_study *study, const ms_simulation *simulation)
{
    const double scale = simulation->errors.reference_scale;
    const double unit = simulation->options->norm != MS_NORM_L2 ? 1.0 : scale > 0.0 ? 1.0 / scale : 0.0;
    const ms_solver *solver = ms_solver_find(simulation->options->solver);
    ms_solver all;
    ms_solver_together(solver, simulation->options->solver_of, simulation->system->n, &all);
    return (ms_converge_uncertainty){
        .reference = unit * fmax(simulation->errors.reference_error, DBL_EPSILON * scale),
        .solver = all.adaptive
                      ? unit * (simulation->options->solver_rtol * scale + simulation->options->solver_atol)
                      : 0.0,
        .iteration = unit * ms_converge_iteration_error(&study->iteration, simulation),
        .epsilon = simulation->options->epsilon};
}

/* Why there is no error at that step size. */
static void explain_failure(const ms_simulation *simulation, char (*message)[512])
{
    const ms_run_result *r = &simulation->result;
    if (r->reason != MS_REASON_END_TIME)
        snprintf(*message, sizeof *message, "%s: %.400s", ms_reason_name(r->reason), r->message);
    else if (r->rejected_steps > 0)
        snprintf(*message, sizeof *message,
                 "%ld macro-steps did not converge and were halved, so that they are not of equal length",
                 r->rejected_steps);
    else
        snprintf(*message, sizeof *message, "%s", simulation->note);
}

static json_t *pack_record(const double numbers[NUMBERS], const char *message, int expected_order,
                           const ms_options *options)
{
    json_t *scheme = ms_options_json(options), *exact = json_array();
    json_object_del(scheme, "step_size");
    json_object_del(scheme, "max_steps");
    for (int k = 0; k < NUMBERS; k++)
        ms_json_append(&exact, ms_json_exact(numbers[k]));
    return json_pack("{s:o, s:o, s:i, s:o}", "numbers", exact, "message", ms_json_text(message),
                     "expected_order", expected_order, "scheme", scheme);
}

/* All that the answer needs of a run. */
static json_t *record_of(const ms_converge_study *study, double step_size, const ms_simulation *simulation)
{
    const bool equal = simulation->result.rejected_steps == 0;
    const ms_converge_uncertainty u = uncertainty_of(study, simulation);
    const double error = simulation->errors_valid && equal
                             ? ms_errors_norm(&simulation->errors, simulation->options->norm)
                             : NAN;
    const double floor = fmax(of_companion * u.reference, u.iteration),
                 doubtful = trusted * fmax(fmax(u.reference, u.iteration), u.solver),
                 stalling = trusted * u.solver * (double)simulation->result.macro_steps;
    char message[512] = "";
    explain_failure(simulation, &message);
    const double numbers[NUMBERS] = {step_size,   error,    floor,       doubtful, stalling,
                                     u.reference, u.solver, u.iteration, u.epsilon};
    return pack_record(numbers, message, simulation->expected_order, simulation->options);
}

json_t *ms_converge_study_refused(const ms_converge_study *study, int k, const char *why)
{
    const double numbers[NUMBERS] = {study->steps[k], NAN};
    char message[512];
    snprintf(message, sizeof message, "incompatible: %.480s", why);
    return pack_record(numbers, message, 0, &study->options);
}

void ms_converge_study_take(ms_converge_study *study, const json_t *record)
{
    const int k = study->done++;
    const char *message = json_string_value(json_object_get(record, "message"));
    double n[NUMBERS] = {0};
    for (size_t i = 0; i < MS_COUNT(n); i++)
        n[i] = ms_json_exact_value(json_array_get(json_object_get(record, "numbers"), i));
    study->rows[k] = (ms_convergence_row){
        .step_size = n[0], .error = n[1], .floor = n[2], .doubtful = n[3], .stalling = n[4]};
    study->uncertain[k] = (ms_converge_uncertainty){n[5], n[6], n[7], n[8]};
    snprintf(study->message[k], sizeof study->message[k], "%s", message != NULL ? message : "");
    study->expected_order = (int)json_integer_value(json_object_get(record, "expected_order"));
    json_decref(study->scheme);
    study->scheme = json_incref(json_object_get(record, "scheme"));
}

/* The iteration goes from row to row; where nothing iterates, nothing does. */
int ms_converge_study_run(ms_converge_study *study, int k, json_t **record, ms_error *error)
{
    const ms_simulation_options request = {.errors = true,
                                           .reference = study->reference,
                                           .against = study->against.name != NULL ? &study->against : NULL,
                                           .stop = &ms_interrupted};
    ms_options options = study->options;
    ms_simulation simulation = {0};
    ms_system *own = NULL;
    options.step_size = study->steps[k];
    int status = ms_system_can_be_lost(study->system) ? ms_system_again(study->system, &own, error) : MS_OK;
    if (status == MS_OK)
        status = ms_converge_iteration_run(&study->iteration, own != NULL ? own : study->system, options,
                                           &request, &simulation, error);
    if (status != MS_OK) {
        ms_system_destroy(&own);
        return status;
    }
    if (simulation.result.reason == MS_REASON_INTERRUPTED)
        status = MS_INTERRUPTED;
    if (status == MS_OK)
        status = ms_converge_iteration_measure(&study->iteration, &simulation, &request, error);
    if (status == MS_OK)
        status = ms_converge_iteration_seek(&study->iteration, &simulation, &ms_interrupted, error);
    *record = record_of(study, study->steps[k], &simulation);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&own);
    return status;
}

/* What is said of it ------------------------------------------------------------------------------------- */

/* What has drowned an error that is at its floor. */
static int explain_floor(const ms_converge_study *study, int k, char *text, size_t size)
{
    const ms_converge_uncertainty *u = &study->uncertain[k];
    const ms_options *options = &study->options;
    const char *rather = study->iteration.chosen
                             ? "the iteration did not reach less: take more --max-iterations "
                               "or another --solver-nonlinear"
                             : "leave --epsilon out or lower it";
    const double error = study->rows[k].error;
    if (u->iteration >= fmin(error, fmax(u->reference, u->solver)))
        return snprintf(text, size, "epsilon %g leaves about %.2g; %s", u->epsilon, u->iteration,
                        u->epsilon > 1e-12 ? rather : "take larger steps");
    if (u->solver > u->reference && error > of_companion * u->reference)
        return snprintf(
            text, size,
            "--solver-rtol %g and --solver-atol %g may leave %.2g in each macro-step; lower them or take "
            "larger steps",
            options->solver_rtol, options->solver_atol, u->solver);
    return snprintf(text, size, "the reference's own error is about %.2g; take larger steps", u->reference);
}

/* Messages of the rows that the fit left out, and of failed ones which method converges instead. */
static void explain_rows(ms_converge_study *study)
{
    const ms_converge_iteration *iteration = &study->iteration;
    for (int k = 0; k < study->n; k++) {
        char *text = study->message[k];
        const size_t used = strlen(text), size = sizeof study->message[k];
        if (study->rows[k].note == MS_CONVERGENCE_ROUND_OFF)
            (void)explain_floor(study, k, text, size);
        else if (iteration->method[0] != '\0' && strncmp(text, "iteration-failed", 16) == 0)
            snprintf(text + used, size - used, "; --solver-nonlinear %s converges with steps of %g s",
                     iteration->method, iteration->step_size);
    }
}

/* The first row with that note, or -1. */
static int first_with(const ms_converge_study *study, ms_convergence_note note)
{
    int k = 0;
    while (k < study->n && study->rows[k].note != note)
        k++;
    return k < study->n ? k : -1;
}

/* Why there is no order; a row that is missing says more. */
static json_t *why_no_order(const ms_converge_study *study)
{
    const int failed = first_with(study, MS_CONVERGENCE_FAILED),
              at_floor = first_with(study, MS_CONVERGENCE_ROUND_OFF);
    char text[640];
    if (at_floor >= 0)
        snprintf(text, sizeof text, "an order takes two errors above their floor: %s",
                 study->message[at_floor]);
    else if (failed >= 0)
        snprintf(text, sizeof text, "an order takes two runs that end: %s", study->message[failed]);
    else
        snprintf(text, sizeof text, "an order takes two step sizes");
    return ms_json_text(text);
}

static json_t *rows_json(const ms_converge_study *study)
{
    json_t *rows = json_array();
    for (int k = 0; k < study->n; k++) {
        const ms_convergence_row *row = &study->rows[k];
        ms_json_append(&rows, json_pack("{s:f, s:o, s:o, s:s, s:o}", "step_size", row->step_size, "error",
                                        ms_json_real(row->error), "slope", ms_json_real(row->slope), "note",
                                        ms_convergence_note_name(row->note), "message",
                                        ms_json_text(study->message[k])));
    }
    return rows;
}

json_t *ms_converge_study_answer(ms_converge_study *study)
{
    study->n = study->done;
    const bool claimed = study->system->nu > 0 && study->expected_order > 0;
    const ms_convergence_order order = ms_convergence_fit_expected(
        study->n, study->rows, claimed ? (double)study->expected_order : (double)NAN);
    explain_rows(study);
    json_t *expected = claimed ? json_integer(study->expected_order) : json_null();
    return json_pack("{s:s, s:s, s:o, s:O, s:s, s:o, s:o, s:o, s:[o, o], s:o, s:o, s:o}", "model",
                     study->system->model->name, "case", study->system->case_name, "parameters",
                     ms_parameters_json(study->system), "scheme", study->scheme, "norm",
                     ms_option_choice(&study->options, MS_OPTION_NORM), "rows", rows_json(study), "order",
                     ms_json_real(order.order), "message",
                     isnan(order.order) ? why_no_order(study) : json_null(), "range",
                     ms_json_real(order.first), ms_json_real(order.last), "expected_order", expected,
                     "iteration", ms_converge_iteration_json(&study->iteration), "reference",
                     study->against.name != NULL ? ms_json_text(study->against.name) : json_null());
}
