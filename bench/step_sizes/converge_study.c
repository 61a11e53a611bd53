/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "converge_study.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <macrostep/solver_registry.h>
#include "json.h"
#include "provenance.h"
#include "run_answer.h"

enum { HALVINGS = 7, NUMBERS = 9 };

/* Errors above this multiple of their uncertainty are not affected by it; below it a low slope raises suspicion. */
static const double trusted = 50.0;

/* Steps -------------------------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left < right) - (left > right);
}

/* The list, or halvings of the largest step that divides the run and does not exceed the given one or the
 * case's. */
static int choose_steps(ms_converge_study *study, const ms_axis *axis, ms_error *error)
{
    const ms_options *options = &study->options;
    study->n = axis != NULL ? axis->n : HALVINGS;
    double *steps = calloc((size_t)study->n, sizeof *steps);
    study->steps = steps;
    study->rows = calloc((size_t)study->n, sizeof *study->rows);
    study->uncertain = calloc((size_t)study->n, sizeof *study->uncertain);
    study->floor = calloc((size_t)study->n, sizeof *study->floor);
    study->message = calloc((size_t)study->n, sizeof *study->message);
    MS_TRY_MEMORY_FOR(steps != NULL && study->rows != NULL && study->uncertain != NULL &&
                          study->floor != NULL && study->message != NULL,
                      error, "%d step sizes", study->n);
    const double length = ms_options_stop_time(options, study->system->stop_time) - options->start_time;
    const double largest = options->step_size > 0.0 ? options->step_size : study->system->step_size;
    for (int k = 0; k < study->n; k++) {
        const double count = fmax(1.0, ceil(length / largest * (1.0 - 1e-12)));
        steps[k] = largest > length ? largest /* the run refuses it and states the range */
                                    : length / (count * (double)(1L << k));
        if (axis != NULL)
            (void)ms_axis_number(axis, k, &steps[k]); /* checked before */
    }
    qsort(steps, (size_t)study->n, sizeof *steps, descending);
    return MS_OK;
}

/* Without a monolithic form the reference uses finer steps, the same for all rows: a sixteenth of the shortest. */
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
    *study =
        (ms_converge_study){.system = system, .options = *options, .order = {NAN, NAN, NAN}, .radius = NAN};
    study->iteration = ms_converge_iteration_of(options);
    MS_TRY(choose_steps(study, steps, error));
    choose_reference(study, arguments);
    return MS_OK;
}

void ms_converge_study_destroy(ms_converge_study *study)
{
    json_decref(study->scheme);
    MS_FREE(study->steps, study->rows, study->uncertain, study->floor, study->message);
    *study = (ms_converge_study){0};
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* Uncertainty of the error of a run, in the norm's unit. */
static ms_converge_uncertainty uncertainty_of(const ms_converge_study *study, const ms_simulation *simulation)
{
    const double scale = simulation->errors.reference_scale;
    const double unit = ms_error_norms_unit(&simulation->errors, simulation->options->norm);
    const ms_solver *solver = ms_solver_find(simulation->options->solver);
    ms_solver all;
    ms_solver_together(solver, simulation->options->solver_of, simulation->system->n, &all);
    return (ms_converge_uncertainty){
        .reference = unit * fmax(simulation->errors.reference_error, DBL_EPSILON * scale),
        .solver = all.adaptive
                      ? unit * (simulation->options->solver_rtol * scale + simulation->options->solver_atol)
                      : 0.0,
        .iteration = unit * ms_converge_iteration_error(&study->iteration, simulation),
        .epsilon = simulation->options->iteration.epsilon,
        .round_off = unit * DBL_EPSILON * scale * (double)simulation->result.macro_steps};
}

/* The error norm: infinite if the run diverged, NaN if the run, or the reference within its budget, otherwise ended early, at a time
 * that depends on the step size, or if steps were not equal. */
static double error_of(const ms_simulation *simulation)
{
    if (simulation->result.reason == MS_REASON_DIVERGED)
        return INFINITY;
    const bool equal = simulation->result.rejected_steps == 0;
    const bool complete = simulation->errors_valid && simulation->errors.status == MS_OK;
    return complete && equal ? ms_error_norms_of(&simulation->errors, simulation->options->norm) : NAN;
}

/* Explains why there is no error at that step size. */
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
    return ms_json_object("numbers:o message:s expected_order:i scheme:o", exact, message, expected_order,
                          scheme);
}

/* Everything that the answer needs of a run. */
static json_t *record_of(const ms_converge_study *study, double step_size, const ms_simulation *simulation)
{
    const ms_converge_uncertainty u = uncertainty_of(study, simulation);
    const double error = error_of(simulation);
    const double doubtful = trusted * fmax(fmax(u.reference, u.iteration), u.solver),
                 stalling = trusted * u.solver * (double)simulation->result.macro_steps;
    char message[512] = "";
    explain_failure(simulation, &message);
    const double numbers[NUMBERS] = {step_size, error,       doubtful,  stalling,   u.reference,
                                     u.solver,  u.iteration, u.epsilon, u.round_off};
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
    study->rows[k] =
        (ms_convergence_row){.step_size = n[0], .error = n[1], .doubtful = n[2], .stalling = n[3]};
    study->uncertain[k] = (ms_converge_uncertainty){n[4], n[5], n[6], n[7], n[8]};
    snprintf(study->message[k], sizeof study->message[k], "%s", message != NULL ? message : "");
    study->expected_order = (int)json_integer_value(json_object_get(record, "expected_order"));
    json_decref(study->scheme);
    study->scheme = json_incref(json_object_get(record, "scheme"));
}

/* A run of a row, and the data it needs. */
typedef struct row_run {
    ms_simulation_options request;
    ms_system *own; /* a copy of the study's system if a run may lose subsystems, otherwise NULL */
    ms_simulation simulation;
} row_run;

static void end(row_run *run)
{
    ms_simulation_destroy(&run->simulation);
    ms_system_destroy(&run->own);
}

/* Prepares a run with the step of row k. */
static int begin(const ms_converge_study *study, int k, const ms_options *options, const ms_against *against,
                 ms_converge_iteration *iteration, row_run *run, ms_error *error)
{
    ms_options here = *options;
    *run = (row_run){.request = {.errors = true,
                                 .reference = study->reference,
                                 .against = against->name != NULL ? against : NULL,
                                 .norm_only = true,
                                 .stop = &ms_interrupted}};
    here.step_size = study->steps[k];
    int status =
        ms_system_can_be_lost(study->system) ? ms_system_again(study->system, &run->own, error) : MS_OK;
    MS_THEN(status, ms_converge_iteration_run(iteration, run->own != NULL ? run->own : study->system, here,
                                              &run->request, &run->simulation, error));
    if (status != MS_OK)
        ms_system_destroy(&run->own);
    return status;
}

/* The iteration's settings pass from row to row; without iteration there are none. */
int ms_converge_study_run(ms_converge_study *study, int k, json_t **record, ms_error *error)
{
    row_run run;
    ms_converge_iteration *iteration = &study->iteration;
    int status = begin(study, k, &study->options, &study->against, iteration, &run, error);
    if (status != MS_OK)
        return status;
    if (run.simulation.result.reason == MS_REASON_INTERRUPTED)
        status = MS_INTERRUPTED;
    MS_THEN(status, ms_converge_iteration_measure(iteration, &run.simulation, &run.request, error));
    MS_THEN(status, ms_converge_iteration_seek(iteration, &run.simulation, &ms_interrupted, error));
    *record = run.simulation.options != NULL ? record_of(study, study->steps[k], &run.simulation) : NULL;
    end(&run);
    return status;
}

int ms_converge_study_again(const ms_converge_study *study, int k, const ms_options *options, double epsilon,
                            const ms_against *against, double *error_value, ms_error *error)
{
    row_run run;
    ms_converge_iteration fixed = study->iteration;
    fixed.chosen = false;
    fixed.epsilon = epsilon;
    *error_value = NAN;
    int status = begin(study, k, options, against, &fixed, &run, error);
    if (status == MS_OK) {
        status = run.simulation.result.reason == MS_REASON_INTERRUPTED ? MS_INTERRUPTED : MS_OK;
        *error_value = error_of(&run.simulation);
        end(&run);
    }
    return status == MS_INTERRUPTED || status == MS_NO_MEMORY ? status : MS_OK;
}
