/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include <macrostep/propagation.h>
#include <macrostep/reference.h>
#include <macrostep/spectrum.h>
#include "certificate_answer.h"
#include "linearise_answer.h"
#include "plots.h"
#include "progress.h"
#include "provenance.h"
#include "row_names.h"
#include "run_variants.h"
#include "spectral_setup.h"

enum { ROWS_MAX = 1000 }; /* of --along */

static const double EXTREME_TOLERANCE = 1e-8; /* of residuals, relative to |lambda| */

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
}

/* Where to linearise ---------------------------------------------------------------------------------- */

static int find_state(spectral_call *call, ms_error *error)
{
    call->state = calloc((size_t)call->base.system->nx + 1, sizeof(double));
    return call->state != NULL ? ms_linearisation_point_state(call->base.system, &call->linearised_at,
                                                              &ms_interrupted, call->state, NULL, error)
                               : no_memory(error);
}

static int linearise(spectral_call *call, double t, const double *x, ms_error *error)
{
    if (call->linear != call->base.system)
        ms_system_destroy(&call->linear);
    if (call->base.system->linear) {
        call->linear = call->base.system;
        return MS_OK;
    }
    MS_TRY(ms_linearisation_system(call->base.system, t, x, &call->linear, error));
    call->partials_error = fmax(call->partials_error, call->linear->partials_error);
    return MS_OK;
}

/* One matrix ------------------------------------------------------------------------------------------ */

/* By formula; a scheme without one has only the probed matrix. */
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
        ms_fail(error, status, "--step-size %g: %s; use another step", h,
                ms_analytic_propagation_reason(status));
    return status;
}

static int find_matrices(spectral_call *call, ms_error *error)
{
    int status = ms_propagation_fits(call->base.system, error);
    MS_THEN(status, ms_propagation_exists(call->linear, &call->options, error));
    MS_THEN(status, form_matrix(call, error));
    const double h = call->options.step_size;
    if (status == MS_OK && h > 0.0)
        status = ms_propagation_probe(call->linear, &call->options, h, &call->n, &call->probe, error);
    if (status == MS_OK && call->formula != NULL && call->probe != NULL)
        status =
            ms_analytic_propagation_compare(call->formula_of, h, call->formula, call->n, call->probe, error);
    return status;
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

/* {"spectral_radius"} of one of the matrices, or null; s is the spectrum of psi. */
static json_t *radius_json(int n, const double *matrix, const double *psi, const ms_spectrum *s,
                           ms_error *error, int *status)
{
    ms_spectrum other = {0};
    if (matrix == NULL || *status != MS_OK)
        return json_null();
    if (matrix != psi)
        *status = ms_spectrum_create(n, matrix, &other, error);
    json_t *value = ms_json_object("spectral_radius:r", matrix == psi ? s->radius : other.radius);
    ms_spectrum_destroy(&other);
    return value;
}

/* What round-off may have done to each eigenvalue; null: any amount. */
static json_t *errors_json(const double *psi, const ms_spectrum *s, ms_error *error, int *status)
{
    double *errors = malloc(sizeof *errors * ((size_t)s->n + 1));
    if (*status == MS_OK)
        *status = errors != NULL ? ms_spectrum_errors(s, psi, errors) : MS_NO_MEMORY;
    if (*status == MS_NO_MEMORY)
        no_memory(error);
    else if (*status == MS_NOT_CONVERGED)
        ms_fail(error, *status, "the eigenvectors of a matrix of %d rows were not found: dgeev failed", s->n);
    json_t *value = *status == MS_OK ? ms_json_of_vector(s->n, errors) : json_null();
    free(errors);
    return value;
}

static json_t *head_json(const spectral_call *call)
{
    return ms_json_object("model:s case:s parameters:o scheme:o step_size:r", call->base.system->model->name,
                          call->base.system->case_name, ms_parameters_json(call->base.system),
                          ms_options_json(&call->options), call->options.step_size);
}

static void say_point(spectral_call *call)
{
    json_t **value = &call->base.answer.value;
    if (!call->base.system->linear) {
        ms_json_set(value, "time", ms_json_real(call->linearised_at.t));
        ms_json_set(value, "state", ms_json_of_vector(call->base.system->nx, call->state));
        ms_partials_say(value, call->base.system, call->partials_error);
    }
}

static int describe(spectral_call *call, ms_error *error)
{
    const double *psi = call->formula != NULL ? call->formula : call->probe;
    ms_spectrum s;
    int status = ms_spectrum_create(call->n, psi, &s, error);
    if (status != MS_OK)
        return status;
    json_t *formula = radius_json(call->n, call->formula, psi, &s, error, &status);
    json_t *probe = radius_json(call->n, call->probe, psi, &s, error, &status);
    json_t *errors = errors_json(psi, &s, error, &status);
    json_t *more = ms_json_object(
        "dimension:i spectral_radius:r eigenvalues:o errors:o formula:o probe:o max_difference:r stable:b "
        "defective:b",
        call->n, s.radius, ms_json_of_pairs(s.n, s.eigenvalues), errors, formula, probe, difference(call),
        s.stable, s.defective);
    ms_spectrum_destroy(&s);
    json_t **value = &call->base.answer.value;
    *value = head_json(call);
    ms_json_join(value, more);
    say_point(call);
    if (call->base.arguments.matrix)
        ms_json_set(value, "matrix", ms_json_of_matrix(call->n, call->n, call->n, psi));
    return status;
}

/* Proved bounds of the spectral radius. */
static int certify(spectral_call *call, ms_error *error)
{
    ms_certifier *certifier;
    double bounds[2];
    long bits;
    const double estimate = json_real_value(json_object_get(call->base.answer.value, "spectral_radius"));
    int status = ms_certifier_create(call->linear, &call->options, &certifier, error);
    MS_THEN(status, ms_certifier_radius(certifier, call->options.step_size, estimate, bounds, &bits, error));
    ms_certifier_destroy(&certifier);
    if (status == MS_OK)
        ms_json_set(&call->base.answer.value, "certify", ms_certified_radius_json(bounds, bits));
    return status;
}

/* The largest eigenvalues alone ----------------------------------------------------------------------- */

static json_t *known_json(int known)
{
    return known < 0 ? json_null() : json_boolean(known);
}

static json_t *extreme_json(const spectral_call *call)
{
    const ms_arnoldi *found = &call->extreme.found;
    return ms_json_object(
        "status:s k:i converged:i residuals:o conditions:o applications:l restarts:i shifts:i subspace:i "
        "complete:b",
        found->converged == found->n ? "converged" : "not-converged", call->base.arguments.extreme,
        found->converged, ms_json_of_vector(found->n, found->residuals),
        ms_json_of_vector(found->n, found->conditions), found->applications, found->restarts,
        call->extreme.shifts, found->subspace, found->complete);
}

static void describe_extreme(spectral_call *call)
{
    const ms_propagation_extreme *e = &call->extreme;
    const double *largest = e->found.eigenvalues;
    const double radius = e->n > 0 ? hypot(largest[0], largest[1]) : 0.0;
    json_t **value = &call->base.answer.value;
    *value = head_json(call);
    ms_json_join(
        value,
        ms_json_object(
            "dimension:i spectral_radius:r eigenvalues:o formula:n probe:o max_difference:n stable:o "
            "defective:o extreme:o",
            e->n, radius, ms_json_of_pairs(e->found.n, largest), ms_json_object("spectral_radius:r", radius),
            known_json(e->stable), known_json(e->defective), extreme_json(call)));
    say_point(call);
}

static int find_extreme(spectral_call *call, ms_error *error)
{
    const ms_arguments *a = &call->base.arguments;
    const ms_arnoldi_request request = {.k = a->extreme,
                                        .applications = a->max_applications,
                                        .tolerance = EXTREME_TOLERANCE,
                                        .stop = &ms_interrupted};
    const int status = ms_propagation_extreme_create(call->linear, &call->options, call->options.step_size,
                                                     &request, &call->extreme, error);
    if (status != MS_OK && status != MS_NOT_CONVERGED)
        return status;
    describe_extreme(call);
    return MS_OK;
}

/* One place ------------------------------------------------------------------------------------------- */

static int find(spectral_call *call, ms_error *error)
{
    if (call->base.arguments.extreme > 0)
        return find_extreme(call, error);
    int status = find_matrices(call, error);
    MS_THEN(status, describe(call, error));
    return status == MS_OK && call->base.arguments.certify ? certify(call, error) : status;
}

static int one_point(spectral_call *call, ms_error *error)
{
    int status = call->base.system->linear ? MS_OK : find_state(call, error);
    MS_THEN(status, linearise(call, call->linearised_at.t, call->state, error));
    MS_THEN(status, find(call, error));
    /* a fault of the point or the step size asked for */
    return status == MS_SOLVER_FAILED || status == MS_NO_SOLUTION ? MS_INVALID : status;
}

/* Along the reference --------------------------------------------------------------------------------- */

static int append_row(spectral_call *call, json_t **rows, double t, const double *x, ms_error *error)
{
    MS_TRY(linearise(call, t, x, error));
    MS_TRY(ms_propagation_check(call->linear, &call->options, call->options.step_size, error));
    const double radius =
        ms_propagation_radius(call->linear, &call->options, call->options.step_size, 100000);
    ms_json_append(rows,
                   ms_json_object("time:r spectral_radius:r stable:b", t, radius, radius <= 1.0 + 1e-8));
    return MS_OK;
}

/* At every macro-step, or at 1000 equidistant times if there are more. */
static int along(spectral_call *call, ms_error *error)
{
    const ms_options *o = &call->options;
    const double length = o->stop_time - o->start_time;
    const double step = o->step_size > 0.0 ? o->step_size : call->base.system->step_size;
    const int n = (int)fmax(1.0, fmin(ROWS_MAX, ceil(length / step * (1.0 - 1e-12))));
    ms_reference *reference = NULL;
    json_t *rows = json_array();
    int status = find_state(call, error);
    MS_THEN(status, linearise(call, call->linearised_at.t, call->state, error));
    MS_THEN(status, ms_propagation_exists(call->linear, o, error));
    MS_THEN(status, ms_reference_create(call->base.system, 0, NULL, &reference, error));
    for (int k = 0; k <= n && status == MS_OK; k++) {
        const double before = o->start_time + length * (k - 1) / n, t = o->start_time + length * k / n;
        if (ms_interrupted)
            status = ms_fail(error, MS_INTERRUPTED, "interrupted");
        else if (k > 0 && ms_reference_step(reference, before, t - before) != MS_OK)
            status = ms_fail(error, MS_SOLVER_FAILED, "the reference of model %s ends at %g s",
                             call->base.system->model->name, before);
        else
            status = append_row(call, &rows, t, ms_reference_state(reference), error);
    }
    ms_reference_destroy(&reference);
    if (status != MS_OK) {
        json_decref(rows);
        return status;
    }
    call->base.answer.value = head_json(call);
    ms_partials_say(&call->base.answer.value, call->base.system, call->partials_error);
    ms_json_set(&call->base.answer.value, "rows", rows);
    return MS_OK;
}

static void destroy(void *self)
{
    spectral_call *call = self;
    ms_analytic_propagation_destroy(&call->formula_of);
    ms_propagation_extreme_destroy(&call->extreme);
    MS_FREE(call->formula, call->probe, call->state);
    if (call->linear != call->base.system)
        ms_system_destroy(&call->linear);
}

/* Lists ----------------------------------------------------------------------------------------------- */

/* The answer of one variant, as if it were the only one. */
static int call_member(const spectral_call *whole, const ms_run_variant *variant, json_t **row,
                       ms_error *error)
{
    spectral_call one = {.base = {.arguments = whole->base.arguments, .model = whole->base.model}};
    one.base.arguments.options = variant->options;
    one.base.arguments.settings = variant->settings;
    int status = ms_arguments_bind(&one.base.arguments, one.base.model, &one.base.system, error);
    MS_THEN(status, ms_spectral_read(&one, error));
    MS_THEN(status, one_point(&one, error));
    *row = one.base.answer.value;
    if (status == MS_INVALID || status == MS_UNSUPPORTED)
        *row =
            ms_json_object("scheme:o step_size:r spectral_radius:n reason:s message:s",
                           ms_options_json(&one.options), one.options.step_size, "incompatible", error->text);
    destroy(&one);
    ms_system_destroy(&one.base.system);
    return status;
}

/* Rows for tables and CSV: without eigenvalues, whose number varies. */
static json_t *slim_rows(const json_t *rows)
{
    static const char *const shown[] = {"member",    "step_size", "spectral_radius", "stable",
                                        "defective", "dimension", "max_difference",  "message"};
    json_t *slim = json_array();
    for (size_t k = 0; k < json_array_size(rows); k++) {
        json_t *row = json_object();
        for (int i = 0; i < MS_COUNT(shown); i++) {
            json_t *value = json_object_get(json_array_get(rows, k), shown[i]);
            ms_json_set(&row, shown[i], value != NULL ? json_incref(value) : json_null());
        }
        ms_json_append(&slim, row);
    }
    return slim;
}

static int answer_lists(spectral_call *call, json_t *rows)
{
    ms_call *base = &call->base;
    const bool flat = base->arguments.format == MS_FORMAT_TABLE || base->arguments.format == MS_FORMAT_CSV;
    if (rows == NULL || ms_row_names_set(rows, "step_size") != MS_OK)
        return MS_OK; /* the caller, who finishes the answer, reports it */
    base->plotted = ms_json_object("rows:o", rows);
    base->answer.value = flat ? ms_json_object("rows:o", slim_rows(rows)) : json_incref(base->plotted);
    return MS_OK;
}

/* Variants that do not fit become rows with the reason, unless none fits. */
static int call_members(spectral_call *call, ms_error *error)
{
    ms_run_variants variants;
    ms_progress progress;
    json_t *rows = json_array();
    bool one = false;
    int status = ms_run_variants_of_lists(&call->base.arguments, MS_NO_OPTION, &variants, error);
    ms_progress_begin(&progress, "spectral", variants.n);
    for (int k = 0; k < variants.n && status == MS_OK; k++) {
        json_t *row = NULL;
        if (ms_interrupted)
            status = ms_fail(error, MS_INTERRUPTED, "interrupted");
        MS_THEN(status, call_member(call, &variants.variant[k], &row, error));
        one = one || status == MS_OK;
        if (status == MS_OK || row != NULL)
            ms_json_append(&rows, row);
        if (row != NULL && (status == MS_INVALID || status == MS_UNSUPPORTED))
            status = MS_OK;
        ms_progress_part(&progress, (double)(k + 1), 0.0);
        ms_progress_update(&progress, 0.0);
    }
    ms_progress_end(&progress);
    ms_run_variants_destroy(&variants);
    if (status == MS_OK && !one)
        status = MS_INVALID; /* with the message of the last one */
    if (status == MS_OK)
        return answer_lists(call, rows);
    json_decref(rows);
    return status;
}

/* The command ----------------------------------------------------------------------------------------- */

static int bind_point(void *self, ms_error *error)
{
    spectral_call *call = self;
    if (call->base.arguments.n_axes == 0)
        return ms_spectral_read(call, error);
    return call->base.arguments.along
               ? ms_fail(error, MS_INVALID, "--along: requires one scheme and one step size, not lists")
               : MS_OK;
}

static int compute(void *self, ms_error *error)
{
    spectral_call *call = self;
    if (call->base.arguments.n_axes > 0)
        return call_members(call, error);
    return call->base.arguments.along ? along(call, error) : one_point(call, error);
}

const ms_call_steps ms_command_spectral = {.size = sizeof(spectral_call),
                                           .binds = MS_BINDS_SYSTEM,
                                           .bind = bind_point,
                                           .compute = compute,
                                           .plot_answer = ms_plot_spectral,
                                           .destroy = destroy};
