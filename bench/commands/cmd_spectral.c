/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "answer.h"
#include "commands.h"
#include "linearisation_jacobian.h"
#include "propagation.h"
#include "provenance.h"
#include "reference.h"
#include "spectrum.h"

enum { ROWS_MAX = 1000 }; /* of --along */

/* Everything that one call owns. */
typedef struct spectral_call {
    ms_arguments arguments;
    ms_options options; /* resolved */
    ms_model *owned;
    ms_system *system; /* the model */
    ms_system *linear; /* what the matrix belongs to: the same, or its linearisation (owned) */
    ms_linearisation_point linearised_at; /* where it was linearised */
    double *state;                        /* (nx) there */
    int n;
    ms_analytic_propagation *formula_of; /* NULL: there is none */
    double *formula, *probe;             /* matrices; NULL: none */
    ms_output output;
    ms_answer answer;
} spectral_call;

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
}

/* As ms_cosim_create does it, for the linear system. */
static void resolve(spectral_call *call)
{
    ms_options *o = &call->options;
    *o = call->arguments.options;
    ms_options_resolve_times(o, call->system->step_size, call->system->stop_time);
    if (o->given[MS_OPTION_STEP_SIZE]) /* 0 is the limit */
        o->step_size = call->arguments.options.step_size;
    if (o->solver[0] == '\0')
        snprintf(o->solver, sizeof o->solver, "exact");
}

static int read_point(spectral_call *call, ms_error *error)
{
    const char *at = call->arguments.text[MS_ARGUMENT_AT];
    const bool along = call->arguments.along;
    if (call->system->linear && along)
        return ms_fail(error, MS_INVALID,
                       "--along: model %s is linear, its matrix is the same everywhere; leave the option out",
                       call->system->model->name);
    if (at != NULL && along)
        return ms_fail(error, MS_INVALID,
                       "--along: goes along the reference from the start; give it without --at %s", at);
    if (along && call->arguments.matrix)
        return ms_fail(error, MS_INVALID, "--along: gives spectral radii only; --matrix goes with one place");
    return ms_linearisation_point_read(at, call->system, &call->options, &call->linearised_at, error);
}

/* Where to linearise ---------------------------------------------------------------------------------- */

static int find_state(spectral_call *call, ms_error *error)
{
    call->state = calloc((size_t)call->system->nx + 1, sizeof(double));
    return call->state != NULL ? ms_linearisation_point_state(call->system, &call->linearised_at,
                                                              &ms_interrupted, call->state, NULL, error)
                               : no_memory(error);
}

static int linearise(spectral_call *call, double t, const double *x, ms_error *error)
{
    if (call->linear != call->system)
        ms_system_destroy(&call->linear);
    if (!call->system->linear)
        return ms_linearisation_system(call->system, t, x, &call->linear, error);
    call->linear = call->system;
    return MS_OK;
}

/* One matrix ------------------------------------------------------------------------------------------ */

/* By formula; without one of its own a scheme has only the probe. */
static int form_matrix(spectral_call *call, ms_error *error)
{
    const double h = call->options.step_size;
    int status = ms_analytic_propagation_create(call->linear, &call->options, &call->formula_of, error);
    if (status == MS_UNSUPPORTED && h > 0.0)
        return MS_OK;
    if (status != MS_OK)
        return status;
    const size_t n = (size_t)ms_analytic_propagation_dimension(call->formula_of);
    call->n = (int)n;
    call->formula = malloc(sizeof(double) * (n * n + 1));
    status = call->formula != NULL ? ms_analytic_propagation_evaluate(call->formula_of, h, call->formula)
                                   : no_memory(error);
    if (status == MS_SOLVER_FAILED || status == MS_NO_SOLUTION)
        ms_fail(error, status, "--step-size %g: %s; take another step", h,
                ms_analytic_propagation_reason(status));
    return status;
}

static int find_matrices(spectral_call *call, ms_error *error)
{
    int status = ms_propagation_exists(call->linear, &call->options, error);
    if (status == MS_OK)
        status = form_matrix(call, error);
    const double h = call->options.step_size;
    if (status == MS_OK && h > 0.0)
        status = ms_propagation_probe(call->linear, &call->options, h, &call->n, &call->probe, error);
    if (status == MS_OK && call->formula != NULL && call->probe != NULL)
        status =
            ms_analytic_propagation_compare(call->formula_of, h, call->formula, call->n, call->probe, error);
    return status;
}

static json_t *matrix_json(int n, const double *psi)
{
    json_t *rows = json_array();
    int status = rows != NULL ? 0 : -1;
    for (int i = 0; i < n && status == 0; i++) {
        json_t *row = json_array();
        for (int j = 0; j < n && status == 0; j++)
            status = json_array_append_new(row, ms_json_real(psi[(size_t)i * (size_t)n + (size_t)j]));
        status |= json_array_append_new(rows, row);
    }
    if (status != 0) {
        json_decref(rows);
        rows = NULL;
    }
    return rows;
}

static json_t *vector_json(int n, const double *v)
{
    json_t *values = json_array();
    int status = values != NULL ? 0 : -1;
    for (int i = 0; i < n && status == 0; i++)
        status = json_array_append_new(values, ms_json_real(v[i]));
    if (status != 0) {
        json_decref(values);
        values = NULL;
    }
    return values;
}

static json_t *eigenvalues_json(const ms_spectrum *s)
{
    json_t *rows = json_array();
    int status = rows != NULL ? 0 : -1;
    for (int k = 0; k < s->n && status == 0; k++)
        status = json_array_append_new(rows, vector_json(2, s->eigenvalues + 2 * k));
    if (status != 0) {
        json_decref(rows);
        rows = NULL;
    }
    return rows;
}

/* ||formula - probe|| / ||probe|| in the Frobenius norm. */
static double difference(const spectral_call *call)
{
    double off = 0.0, norm = 0.0;
    if (call->formula == NULL || call->probe == NULL)
        return NAN;
    for (size_t i = 0; i < (size_t)call->n * (size_t)call->n; i++) {
        off += (call->formula[i] - call->probe[i]) * (call->formula[i] - call->probe[i]);
        norm += call->probe[i] * call->probe[i];
    }
    return norm > 0.0 ? sqrt(off / norm) : sqrt(off);
}

/* {"spectral_radius"} of one of the matrices, or null. */
static json_t *radius_json(int n, const double *psi, ms_error *error, int *status)
{
    ms_spectrum spectrum;
    if (psi == NULL || *status != MS_OK)
        return json_null();
    *status = ms_spectrum_create(n, psi, &spectrum, error);
    json_t *value = json_pack("{s:o}", "spectral_radius", ms_json_real(spectrum.radius));
    ms_spectrum_destroy(&spectrum);
    return value;
}

static json_t *head_json(const spectral_call *call)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "model", call->system->model->name, "case",
                     call->system->case_name, "parameters", ms_parameters_json(call->system), "scheme",
                     ms_options_json(&call->options), "step_size", ms_json_real(call->options.step_size));
}

static int describe(spectral_call *call, ms_error *error)
{
    const double *psi = call->formula != NULL ? call->formula : call->probe;
    ms_spectrum s;
    int status = ms_spectrum_create(call->n, psi, &s, error);
    if (status != MS_OK)
        return status;
    json_t *formula = radius_json(call->n, call->formula, error, &status);
    json_t *probe = radius_json(call->n, call->probe, error, &status);
    json_t *more = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "dimension", call->n,
                             "spectral_radius", ms_json_real(s.radius), "eigenvalues", eigenvalues_json(&s),
                             "formula", formula, "probe", probe, "max_difference",
                             ms_json_real(difference(call)), "stable", s.stable, "defective", s.defective);
    ms_spectrum_destroy(&s);
    call->answer.value = head_json(call);
    int failed = json_object_update(call->answer.value, more);
    json_decref(more);
    if (!call->system->linear) {
        failed |= json_object_set_new(call->answer.value, "time", ms_json_real(call->linearised_at.t));
        failed |=
            json_object_set_new(call->answer.value, "state", vector_json(call->system->nx, call->state));
    }
    if (call->arguments.matrix)
        failed |= json_object_set_new(call->answer.value, "matrix", matrix_json(call->n, psi));
    return status == MS_OK && failed != 0 ? no_memory(error) : status;
}

static int one_place(spectral_call *call, ms_error *error)
{
    int status = call->system->linear ? MS_OK : find_state(call, error);
    if (status == MS_OK)
        status = linearise(call, call->linearised_at.t, call->state, error);
    if (status == MS_OK)
        status = find_matrices(call, error);
    if (status == MS_SOLVER_FAILED || status == MS_NO_SOLUTION) /* of the place or the step size that was
                                                                   asked for */
        status = MS_INVALID;
    return status == MS_OK ? describe(call, error) : status;
}

/* Along the reference --------------------------------------------------------------------------------- */

static int append_row(spectral_call *call, json_t *rows, double t, const double *x, ms_error *error)
{
    int status = linearise(call, t, x, error);
    if (status == MS_OK)
        status = ms_propagation_check(call->linear, &call->options, call->options.step_size, error);
    if (status != MS_OK)
        return status;
    const double radius =
        ms_propagation_radius(call->linear, &call->options, call->options.step_size, 100000);
    json_t *row = json_pack("{s:o, s:o, s:b}", "time", ms_json_real(t), "spectral_radius",
                            ms_json_real(radius), "stable", radius <= 1.0 + 1e-8);
    return json_array_append_new(rows, row) == 0 ? MS_OK : no_memory(error);
}

/* At every macro-step, or at 1000 equal distances where there are more. */
static int along(spectral_call *call, ms_error *error)
{
    const ms_options *o = &call->options;
    const double length = o->stop_time - o->start_time;
    const double step = o->step_size > 0.0 ? o->step_size : call->system->step_size;
    const int n = (int)fmax(1.0, fmin(ROWS_MAX, ceil(length / step * (1.0 - 1e-12))));
    ms_reference *reference = NULL;
    json_t *rows = json_array();
    int status = rows != NULL ? find_state(call, error) : no_memory(error);
    if (status == MS_OK)
        status = linearise(call, call->linearised_at.t, call->state, error);
    if (status == MS_OK)
        status = ms_propagation_exists(call->linear, o, error);
    if (status == MS_OK)
        status = ms_reference_create(call->system, 0, NULL, &reference, error);
    for (int k = 0; k <= n && status == MS_OK; k++) {
        const double before = o->start_time + length * (k - 1) / n, t = o->start_time + length * k / n;
        if (ms_interrupted)
            status = ms_fail(error, MS_INTERRUPTED, "interrupted");
        else if (k > 0 && ms_reference_step(reference, before, t - before) != MS_OK)
            status = ms_fail(error, MS_SOLVER_FAILED, "the reference of model %s ends at %g s",
                             call->system->model->name, before);
        else
            status = append_row(call, rows, t, ms_reference_state(reference), error);
    }
    ms_reference_destroy(&reference);
    call->answer.value = head_json(call);
    if (json_object_set_new(call->answer.value, "rows", rows) != 0 && status == MS_OK)
        status = no_memory(error);
    return status;
}

/* The command ----------------------------------------------------------------------------------------- */

static int answer(int argc, char **argv, spectral_call *call, ms_error *error)
{
    ms_arguments *arguments = &call->arguments;
    const ms_model *model = NULL;
    int status = ms_arguments_read(argc, argv, arguments, error);
    if (status == MS_OK)
        status = ms_arguments_refuse_lists(arguments, error);
    if (status == MS_OK)
        status = ms_arguments_model(arguments, &model, &call->owned, error);
    if (status == MS_OK)
        status = ms_arguments_bind(arguments, model, &call->system, error);
    if (status == MS_OK) {
        resolve(call);
        status = read_point(call, error);
    }
    if (status == MS_OK) /* before the work is done, so that a folder that is missing costs none */
        status = ms_output_open(arguments->text[MS_ARGUMENT_OUTPUT], &call->output, error);
    if (status == MS_OK)
        status = arguments->along ? along(call, error) : one_place(call, error);
    if (status == MS_OK) {
        call->answer.provenance = ms_provenance(arguments->line);
        status = ms_answer_finish(&call->answer, arguments, &call->output, error);
    }
    return status;
}

int ms_command_spectral(int argc, char **argv)
{
    spectral_call call = {0};
    ms_error error = {0};
    const int status = answer(argc, argv, &call, &error);
    ms_answer_discard(&call.answer);
    ms_output_discard(&call.output);
    ms_analytic_propagation_destroy(&call.formula_of);
    free(call.formula);
    free(call.probe);
    free(call.state);
    if (call.linear != call.system)
        ms_system_destroy(&call.linear);
    ms_system_destroy(&call.system);
    ms_model_destroy(&call.owned);
    ms_arguments_destroy(&call.arguments);
    return status != MS_OK ? ms_command_fail(status, &error) : MS_EXIT_DONE;
}
