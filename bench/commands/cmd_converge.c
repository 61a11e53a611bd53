/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "commands.h"
#include "converge_iteration.h"
#include "convergence_order.h"
#include "provenance.h"
#include "run_answer.h"
#include "shared_reference.h"
#include "solver_registry.h"

enum { HALVINGS = 7 };

/* Errors are trusted above this many times their own uncertainty, */
static const double trusted = 50.0;

/* and mean nothing below the error of the iteration or a tenth of the reference's, whatever their slopes: the
 * latter is that of a companion that is ten times as loose. In between it is the slopes that decide. */
static const double of_companion = 0.1;

/* What an error may owe to something other than the step size, in its own unit. */
typedef struct uncertainty {
    double reference; /* its own error, and round-off */
    double solver;    /* tolerances of the micro-solver in one macro-step */
    double iteration; /* epsilon */
    double epsilon;   /* of the run */
} uncertainty;

typedef struct converge_call {
    ms_call base;
    int n, done;   /* rows, and those that have been computed */
    double *steps; /* (n) descending [s] */
    ms_convergence_row *rows;
    uncertainty *uncertain;
    char (*message)[512]; /* why a run did not end, or what its error is lost in */
    ms_converge_iteration iteration;
    ms_shared_reference *reference; /* of all runs */
    ms_against against;             /* instead; name NULL: none */
    int expected_order;
    json_t *scheme; /* resolved options of the last run */
    bool interrupted;
} converge_call;

static int check(void *self, ms_error *error)
{
    const ms_arguments *arguments = &((converge_call *)self)->base.arguments;
    for (int k = 0; k < arguments->n_axes; k++)
        if (!ms_axis_is(&arguments->axes[k], MS_OPTION_STEP_SIZE))
            return ms_fail(error, MS_INVALID, "--%s%s: converge takes a list for --step-size only",
                           arguments->axes[k].setting >= 0 ? "set " : "", arguments->axes[k].name);
    if (arguments->options.error_controlled != MS_CONTROL_NONE)
        return ms_fail(error, MS_INVALID, "--error-controlled %s: converge needs macro-steps of equal length",
                       ms_option_choice(&arguments->options, MS_OPTION_ERROR_CONTROLLED));
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
    const ms_options *options = &call->base.arguments.options;
    const ms_axis *axis = call->base.arguments.n_axes > 0 ? &call->base.arguments.axes[0] : NULL;
    call->n = axis != NULL ? axis->n : HALVINGS;
    double *steps = calloc((size_t)call->n, sizeof *steps);
    call->steps = steps;
    call->rows = calloc((size_t)call->n, sizeof *call->rows);
    call->uncertain = calloc((size_t)call->n, sizeof *call->uncertain);
    call->message = calloc((size_t)call->n, sizeof *call->message);
    if (steps == NULL || call->rows == NULL || call->uncertain == NULL || call->message == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d step sizes", call->n);
    const double length = ms_options_stop_time(options, call->base.system->stop_time) - options->start_time;
    const double largest = options->step_size > 0.0 ? options->step_size : call->base.system->step_size;
    for (int k = 0; k < call->n; k++) {
        const double count = fmax(1.0, ceil(length / largest * (1.0 - 1e-12)));
        steps[k] = largest > length ? largest /* refused by the run, with the range */
                                    : length / (count * (double)(1L << k));
        if (axis != NULL)
            (void)ms_axis_number(axis, k, &steps[k]); /* tried before */
    }
    qsort(steps, (size_t)call->n, sizeof *steps, descending);
    return MS_OK;
}

/* Of the error of a run, in the norm's unit. */
static uncertainty uncertainty_of(const converge_call *call, const ms_simulation *simulation)
{
    const double scale = simulation->errors.reference_scale;
    const double unit = simulation->options->norm != MS_NORM_L2 ? 1.0 : scale > 0.0 ? 1.0 / scale : 0.0;
    const ms_solver *solver = ms_solver_find(simulation->options->solver);
    const bool adaptive = solver != NULL && solver->adaptive;
    return (uncertainty){.reference = unit * fmax(simulation->errors.reference_error, DBL_EPSILON * scale),
                         .solver = adaptive ? unit * (simulation->options->solver_rtol * scale +
                                                      simulation->options->solver_atol)
                                            : 0.0,
                         .iteration = unit * ms_converge_iteration_error(&call->iteration, simulation),
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
}

/* All that the answer needs of a run. */
static json_t *record_of(const converge_call *call, double step_size, const ms_simulation *simulation)
{
    const bool equal = simulation->result.rejected_steps == 0;
    const uncertainty u = uncertainty_of(call, simulation);
    const double error = simulation->errors_valid && equal
                             ? ms_errors_norm(&simulation->errors, simulation->options->norm)
                             : NAN;
    const double floor = fmax(of_companion * u.reference, u.iteration),
                 doubtful = trusted * fmax(fmax(u.reference, u.iteration), u.solver),
                 stalling = trusted * u.solver * (double)simulation->result.macro_steps;
    char message[512] = "";
    explain_failure(simulation, &message);
    json_t *scheme = ms_options_json(simulation->options);
    json_object_del(scheme, "step_size");
    json_object_del(scheme, "max_steps");
    const double numbers[] = {step_size,   error,    floor,       doubtful, stalling,
                              u.reference, u.solver, u.iteration, u.epsilon};
    json_t *exact = json_array();
    for (int k = 0; k < MS_COUNT(numbers); k++)
        ms_json_append(&exact, ms_json_exact(numbers[k]));
    return json_pack("{s:o, s:o, s:i, s:o}", "numbers", exact, "message", ms_json_text(message),
                     "expected_order", simulation->expected_order, "scheme", scheme);
}

static int take_row(void *self, long at, json_t *record, ms_error *error)
{
    converge_call *call = self;
    const int k = call->done++;
    const char *message = json_string_value(json_object_get(record, "message"));
    (void)at, (void)error;
    double n[9];
    for (size_t i = 0; i < MS_COUNT(n); i++)
        n[i] = ms_json_exact_value(json_array_get(json_object_get(record, "numbers"), i));
    call->rows[k] = (ms_convergence_row){
        .step_size = n[0], .error = n[1], .floor = n[2], .doubtful = n[3], .stalling = n[4]};
    call->uncertain[k] = (uncertainty){n[5], n[6], n[7], n[8]};
    snprintf(call->message[k], sizeof call->message[k], "%s", message != NULL ? message : "");
    call->expected_order = (int)json_integer_value(json_object_get(record, "expected_order"));
    json_decref(call->scheme);
    call->scheme = json_incref(json_object_get(record, "scheme"));
    return MS_OK;
}

/* The iteration goes from row to row; where nothing iterates, nothing does. */
static int run_row(void *self, void *context, long k, json_t **record, ms_error *error)
{
    converge_call *call = self;
    const ms_simulation_options request = {.errors = true,
                                           .reference = call->reference,
                                           .against = call->against.name != NULL ? &call->against : NULL,
                                           .stop = &ms_interrupted};
    ms_options options = call->base.arguments.options;
    ms_simulation simulation = {0};
    (void)context;
    options.step_size = call->steps[k];
    int status =
        ms_converge_iteration_run(&call->iteration, call->base.system, options, &request, &simulation, error);
    if (status != MS_OK)
        return status;
    if (simulation.result.reason == MS_REASON_INTERRUPTED)
        status = MS_INTERRUPTED;
    if (status == MS_OK)
        status = ms_converge_iteration_measure(&call->iteration, &simulation, &request, error);
    if (status == MS_OK)
        status = ms_converge_iteration_seek(&call->iteration, &simulation, &ms_interrupted, error);
    *record = record_of(call, call->steps[k], &simulation);
    ms_simulation_destroy(&simulation);
    return status;
}

static int run_all(converge_call *call, ms_error *error)
{
    ms_row_job job = {.what = "converge",
                      .n = call->n,
                      .alone = call->iteration.iterates,
                      .costly_last = true,
                      .threads = ms_arguments_threads(&call->base.arguments),
                      .self = call,
                      .compute = run_row,
                      .deliver = take_row};
    const int status = ms_call_rows(&call->base, &job, error);
    call->interrupted = status == MS_INTERRUPTED && !call->base.written;
    call->n = call->done;
    return call->interrupted ? MS_OK : status;
}

/* What has drowned an error that is at its floor. */
static int explain_floor(const converge_call *call, int k, char *text, size_t size)
{
    const uncertainty *u = &call->uncertain[k];
    const ms_options *options = &call->base.arguments.options;
    const char *rather = call->iteration.chosen
                             ? "the iteration did not reach less: take more --max-iterations "
                               "or another --solver-nonlinear"
                             : "leave --epsilon out or lower it";
    const double error = call->rows[k].error;
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
static void explain_rows(converge_call *call)
{
    const ms_converge_iteration *iteration = &call->iteration;
    for (int k = 0; k < call->n; k++) {
        char *text = call->message[k];
        const size_t used = strlen(text), size = sizeof call->message[k];
        if (call->rows[k].note == MS_CONVERGENCE_ROUND_OFF)
            (void)explain_floor(call, k, text, size);
        else if (iteration->method[0] != '\0' && strncmp(text, "iteration-failed", 16) == 0)
            snprintf(text + used, size - used, "; --solver-nonlinear %s converges with steps of %g s",
                     iteration->method, iteration->step_size);
    }
}

/* The first row with that note, or -1. */
static int first_with(const converge_call *call, ms_convergence_note note)
{
    int k = 0;
    while (k < call->n && call->rows[k].note != note)
        k++;
    return k < call->n ? k : -1;
}

/* Why there is no order; a row that is missing says more. */
static json_t *why_no_order(const converge_call *call)
{
    const int failed = first_with(call, MS_CONVERGENCE_FAILED),
              at_floor = first_with(call, MS_CONVERGENCE_ROUND_OFF);
    char text[640];
    if (at_floor >= 0)
        snprintf(text, sizeof text, "an order takes two errors above their floor: %s",
                 call->message[at_floor]);
    else if (failed >= 0)
        snprintf(text, sizeof text, "an order takes two runs that end: %s", call->message[failed]);
    else
        snprintf(text, sizeof text, "an order takes two step sizes");
    return ms_json_text(text);
}

static json_t *rows_json(const converge_call *call)
{
    json_t *rows = json_array();
    for (int k = 0; k < call->n; k++) {
        const ms_convergence_row *row = &call->rows[k];
        ms_json_append(&rows, json_pack("{s:f, s:o, s:o, s:s, s:o}", "step_size", row->step_size, "error",
                                        ms_json_real(row->error), "slope", ms_json_real(row->slope), "note",
                                        ms_convergence_note_name(row->note), "message",
                                        ms_json_text(call->message[k])));
    }
    return rows;
}

static void answer(converge_call *call)
{
    static const ms_column columns[] = {{"step_size", "step size"}, {"error", "error"},
                                        {"slope", "slope"},         {"note", "note"},
                                        {"message", "message"},     {0}};
    const bool claimed = call->base.system->nu > 0 && call->expected_order > 0;
    const ms_convergence_order order = ms_convergence_fit_expected(
        call->n, call->rows, claimed ? (double)call->expected_order : (double)NAN);
    explain_rows(call);
    call->base.answer.columns = columns;
    json_t *expected = claimed ? json_integer(call->expected_order) : json_null();
    call->base.answer.value = json_pack(
        "{s:s, s:s, s:o, s:O, s:s, s:o, s:o, s:o, s:[o, o], s:o, s:o, s:o}", "model",
        call->base.system->model->name, "case", call->base.system->case_name, "parameters",
        ms_parameters_json(call->base.system), "scheme", call->scheme, "norm",
        ms_option_choice(&call->base.arguments.options, MS_OPTION_NORM), "rows", rows_json(call), "order",
        ms_json_real(order.order), "message", isnan(order.order) ? why_no_order(call) : json_null(), "range",
        ms_json_real(order.first), ms_json_real(order.last), "expected_order", expected, "iteration",
        ms_converge_iteration_json(&call->iteration), "reference",
        call->against.name != NULL ? ms_json_text(call->against.name) : json_null());
}

/* Without a monolithic form finer steps serve: of all rows the same, a sixteenth of the shortest. */
static void choose_reference(converge_call *call)
{
    call->against = ms_run_against(&call->base.arguments);
    if (call->against.name == NULL && ms_system_own_stepper(call->base.system) != NULL)
        call->against = (ms_against){.name = "finer", .finer = true};
    if (call->against.finer)
        call->against.step = call->steps[call->n - 1] / 16.0;
}

static int bind(void *self, ms_error *error)
{
    converge_call *call = self;
    call->iteration = ms_converge_iteration_of(&call->base.arguments.options);
    call->base.alone = call->iteration.iterates;
    call->base.why_alone =
        "a scheme that iterates takes epsilon from one step size to the next; its rows go together";
    const int status = choose_steps(call, error);
    if (status == MS_OK)
        choose_reference(call);
    return status;
}

static int compute(void *self, ms_error *error)
{
    converge_call *call = self;
    int status = MS_OK;
    if (call->base.given == NULL && call->against.name == NULL)
        status = ms_shared_reference_create(call->base.system, call->base.arguments.options.start_time,
                                            MS_SHARED_REFERENCE_BYTES, &call->reference, error);
    if (status == MS_OK)
        status = run_all(call, error);
    if (status == MS_OK && !call->base.written)
        answer(call);
    call->base.exit_status = call->interrupted ? MS_EXIT_INTERRUPTED : MS_EXIT_DONE;
    return status;
}

static void destroy(void *self)
{
    converge_call *call = self;
    json_decref(call->scheme);
    free(call->steps);
    free(call->rows);
    free(call->uncertain);
    free(call->message);
    ms_shared_reference_destroy(&call->reference);
}

int ms_converge_with(ms_parts *given, int argc, char **argv)
{
    static const ms_call_steps steps = {.lists = true,
                                        .shares = true,
                                        .binds = MS_BINDS_SYSTEM,
                                        .read = check,
                                        .bind = bind,
                                        .compute = compute,
                                        .destroy = destroy};
    converge_call call = {.base.given = given};
    return ms_call_run(&steps, &call.base, argc, argv);
}

int ms_command_converge(int argc, char **argv)
{
    return ms_converge_with(NULL, argc, argv);
}
