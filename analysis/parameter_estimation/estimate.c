/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/estimate.h>

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/solver_registry.h>
#include "estimate_problem.h"

enum { SIMULATIONS = 5000 };

const char *ms_estimate_reason_name(ms_estimate_reason reason)
{
    static const char *const names[] = {"converged", "no-progress", "max-simulations", "interrupted"};
    return names[reason];
}

const char *ms_estimate_method_name(ms_estimate_method method)
{
    static const char *const names[] = {"trust-region", "nelder-mead"};
    return names[method];
}

/* Problems ----------------------------------------------------------------------------------------------- */

static int check_parameters(const ms_estimate_options *request, ms_error *error)
{
    const ms_model *model = request->system->model;
    if (request->n < 1 || request->n > MS_ESTIMATE_PARAMETERS_MAX)
        return ms_fail(error, MS_INVALID, "%d parameters: 1 to %d can be estimated", request->n,
                       MS_ESTIMATE_PARAMETERS_MAX);
    for (int i = 0; i < request->n; i++) {
        const ms_parameter *parameter = &model->parameters[request->parameter[i]];
        if (parameter->integer)
            return ms_fail(error, MS_INVALID, "parameter %s takes whole numbers and cannot be estimated",
                           parameter->name);
        for (int j = 0; j < i; j++)
            if (request->parameter[j] == request->parameter[i])
                return ms_fail(error, MS_INVALID, "parameter %s is named twice", parameter->name);
    }
    return MS_OK;
}

static int check_number(long measurements, int n, ms_error *error)
{
    return measurements >= n
               ? MS_OK
               : ms_fail(error, MS_INVALID,
                         "%ld measurements cannot determine %d parameters; at least as many are needed",
                         measurements, n);
}

int ms_estimate_check(const ms_estimate_options *request, ms_error *error)
{
    ms_simulated_output simulated;
    MS_TRY(check_parameters(request, error));
    MS_TRY(ms_simulated_output_create(request->system, request->measurements, &request->options,
                                      request->cosimulated, &simulated, error));
    const long measurements = simulated.rows * simulated.columns;
    ms_simulated_output_destroy(&simulated);
    return check_number(measurements, request->n, error);
}

/* What the simulated output is uncertain by, relative: tolerances of what is adaptive or iterated. */
static double noise(const ms_estimate_problem *problem)
{
    const ms_options *o = &problem->simulated.options;
    const ms_solver *solver =
        ms_solver_find(ms_simulated_output_solver(&problem->simulated, problem->request->system));
    double most = solver != NULL && solver->adaptive ? o->solver_rtol : DBL_EPSILON;
    const ms_scheme *scheme = problem->simulated.scheme;
    if (scheme != NULL && ms_scheme_knows(scheme, MS_OPTION_EPSILON))
        most = fmax(most, o->iteration.epsilon);
    if (scheme != NULL && (scheme->next_time != NULL || o->control.error_controlled != MS_CONTROL_NONE))
        most = fmax(most, o->control.rtol);
    return most;
}

static void scale_parameters(ms_estimate_problem *problem)
{
    const ms_system *system = problem->request->system;
    for (int i = 0; i < problem->n; i++) {
        const ms_parameter *parameter = &problem->model->parameters[problem->request->parameter[i]];
        const double start = system->p[problem->request->parameter[i]],
                     width = parameter->max - parameter->min;
        const double scale = start != 0.0 ? fabs(start) : isfinite(width) && width > 0.0 ? width : 1.0;
        const double low = parameter->min_excluded ? nextafter(parameter->min, INFINITY) : parameter->min;
        problem->scale[i] = scale;
        problem->low[i] = low / scale;
        problem->high[i] = parameter->max / scale;
    }
}

/* The columns of the series that the simulated output has, and their scales. */
static int take_measurements(ms_estimate_problem *problem, ms_error *error)
{
    const ms_estimate_options *request = problem->request;
    const ms_series *series = request->measurements;
    const ms_simulated_output *simulated = &problem->simulated;
    for (int k = 0; k < simulated->columns; k++) {
        double largest = 0.0;
        for (long row = 0; row < simulated->rows; row++) {
            const double value = series->value[row * series->columns + simulated->column[k]];
            problem->measured[row * simulated->columns + k] = value;
            largest = fmax(largest, fabs(value));
        }
        const double given = request->sigma != NULL ? request->sigma[simulated->column[k]] : NAN;
        const double sigma = !isnan(given) ? given : largest > 0.0 ? largest : 1.0;
        if (!(sigma > 0.0) || !isfinite(sigma))
            return ms_fail(error, MS_INVALID,
                           "standard deviation %g of column %s: must be finite and greater than 0", sigma,
                           simulated->name[k]);
        problem->sigma[k] = sigma;
    }
    return MS_OK;
}

static int allocate(ms_estimate_problem *problem, ms_error *error)
{
    const size_t n = (size_t)problem->n, m = (size_t)problem->m;
    problem->settings = calloc((size_t)problem->model->n_parameters + 1, sizeof *problem->settings);
    problem->scale = calloc(4 * n + 3 * m + (size_t)problem->simulated.columns, sizeof *problem->scale);
    MS_TRY_MEMORY_FOR(problem->settings != NULL && problem->scale != NULL, error, "%zu measurements", m);
    problem->low = problem->scale + n;
    problem->high = problem->low + n;
    problem->best = problem->high + n;
    problem->measured = problem->best + n;
    problem->value = problem->measured + m;
    problem->best_value = problem->value + m;
    problem->sigma = problem->best_value + m;
    for (int k = 0; k < problem->model->n_parameters; k++)
        problem->settings[k] =
            (ms_setting){problem->model->parameters[k].name, problem->request->system->p[k]};
    return MS_OK;
}

static int create(const ms_estimate_options *request, ms_estimate_problem *problem, ms_error *error)
{
    *problem = (ms_estimate_problem){
        .request = request,
        .stop = request->stop,
        .model = request->system->model,
        .n = request->n,
        .tolerance = request->tolerance,
        .max_simulations = request->max_simulations > 0 ? request->max_simulations : SIMULATIONS,
        .best_sum = INFINITY};
    MS_TRY(check_parameters(request, error));
    MS_TRY(ms_simulated_output_create(request->system, request->measurements, &request->options,
                                      request->cosimulated, &problem->simulated, error));
    problem->m = problem->simulated.rows * problem->simulated.columns;
    MS_TRY(check_number(problem->m, problem->n, error));
    if (problem->tolerance == 0.0)
        problem->tolerance = request->method == MS_ESTIMATE_NELDER_MEAD ? 1e-6 : 1e-8;
    problem->noise = noise(problem);
    problem->step = fmin(cbrt(problem->noise), 0.05);
    MS_TRY(allocate(problem, error));
    MS_TRY(take_measurements(problem, error));
    scale_parameters(problem);
    return MS_OK;
}

static void destroy(ms_estimate_problem *problem)
{
    ms_simulated_output_destroy(&problem->simulated);
    free(problem->settings);
    free(problem->scale);
}

/* Answers ------------------------------------------------------------------------------------------------ */

static int allocate_answer(const ms_estimate_problem *problem, ms_estimate *estimate, ms_error *error)
{
    const size_t n = (size_t)problem->n, columns = (size_t)problem->simulated.columns, m = (size_t)problem->m;
    *estimate = (ms_estimate){
        .n = problem->n, .columns = problem->simulated.columns, .rows = problem->simulated.rows};
    estimate->parameter = calloc(n, sizeof *estimate->parameter);
    estimate->correlation = calloc(n * n, sizeof *estimate->correlation);
    estimate->column = calloc(columns, sizeof *estimate->column);
    estimate->measured = calloc(2 * m, sizeof *estimate->measured);
    MS_TRY_MEMORY_FOR(estimate->parameter != NULL && estimate->correlation != NULL &&
                          estimate->column != NULL && estimate->measured != NULL,
                      error, "the answer");
    estimate->fitted = estimate->measured + m;
    memcpy(estimate->measured, problem->measured, sizeof(double) * m);
    for (size_t k = 0; k < columns; k++)
        estimate->column[k] =
            (ms_estimate_column){.name = problem->simulated.name[k], .sigma = problem->sigma[k]};
    for (size_t i = 0; i < n; i++) {
        const int parameter = problem->request->parameter[i];
        estimate->parameter[i] = (ms_estimated){
            .parameter = parameter, .start = problem->request->system->p[parameter], .identifiable = true};
    }
    return MS_OK;
}

/* Root mean squares of the last simulated output, by column. */
static void measure_columns(const ms_estimate_problem *problem, ms_estimate *estimate, bool start)
{
    for (int k = 0; k < estimate->columns; k++) {
        double sum = 0.0;
        for (long row = 0; row < estimate->rows; row++) {
            const long at = row * estimate->columns + k;
            sum +=
                (problem->value[at] - problem->measured[at]) * (problem->value[at] - problem->measured[at]);
        }
        *(start ? &estimate->column[k].rmse_start : &estimate->column[k].rmse) =
            sqrt(sum / (double)estimate->rows);
    }
}

/* The run with the start values, which must succeed. */
static int begin(ms_estimate_problem *problem, double *q, double *r, ms_estimate *estimate, ms_error *error)
{
    for (int i = 0; i < problem->n; i++)
        q[i] = estimate->parameter[i].start / problem->scale[i];
    const int status = ms_estimate_residuals(problem, q, r);
    if (status == MS_STEP_REJECTED)
        return ms_fail(error, MS_INVALID, "the start values of the parameters: %s",
                       problem->error.text[0] != '\0' ? problem->error.text : "the residuals are not finite");
    if (status != MS_OK)
        return status < 0 ? ms_fail(error, status, "%s", problem->error.text) : status;
    estimate->sum_start = problem->best_sum;
    measure_columns(problem, estimate, true);
    return MS_OK;
}

/* The best point with all that is said of it; after an interruption without its quality, which takes many
 * runs. */
static int conclude(ms_estimate_problem *problem, ms_estimate *estimate)
{
    memcpy(problem->value, problem->best_value, sizeof(double) * (size_t)problem->m);
    estimate->sum = problem->best_sum;
    memcpy(estimate->fitted, problem->value, sizeof(double) * (size_t)problem->m);
    measure_columns(problem, estimate, false);
    for (int i = 0; i < problem->n; i++)
        estimate->parameter[i].value = problem->scale[i] * problem->best[i];
    ms_estimate_no_quality(problem, estimate);
    if (estimate->reason == MS_ESTIMATE_INTERRUPTED)
        return MS_OK;
    problem->ended = MS_OK;
    const int status = ms_estimate_quality(problem, problem->best, estimate);
    if (status != MS_INTERRUPTED)
        return status;
    estimate->reason = MS_ESTIMATE_INTERRUPTED;
    ms_estimate_no_quality(problem, estimate);
    return MS_OK;
}

static int minimise(ms_estimate_problem *problem, double *q, ms_estimate *estimate)
{
    ms_estimate_reason reason = MS_ESTIMATE_CONVERGED;
    const int status = problem->request->method == MS_ESTIMATE_NELDER_MEAD
                           ? ms_estimate_nelder_mead(problem, q, &reason)
                           : ms_estimate_trust_region(problem, q, &reason);
    estimate->reason = problem->ended == MS_INTERRUPTED ? MS_ESTIMATE_INTERRUPTED : reason;
    return problem->ended == MS_INTERRUPTED ? MS_OK : status;
}

int ms_estimate_run(const ms_estimate_options *request, ms_estimate *estimate, ms_error *error)
{
    ms_estimate_problem problem;
    double *q = NULL, *r = NULL;
    *estimate = (ms_estimate){0};
    gsl_set_error_handler_off();
    int status = create(request, &problem, error);
    MS_THEN(status, allocate_answer(&problem, estimate, error));
    if (status == MS_OK) {
        q = calloc((size_t)problem.n, sizeof *q);
        r = calloc((size_t)problem.m, sizeof *r);
        if (q == NULL || r == NULL) {
            ms_fail(error, MS_NO_MEMORY, "not enough memory for %ld residuals", problem.m);
            status = MS_NO_MEMORY;
        }
    }
    MS_THEN(status, begin(&problem, q, r, estimate, error));
    if (status == MS_OK) {
        status = minimise(&problem, q, estimate);
        MS_THEN(status, conclude(&problem, estimate));
        if (status != MS_OK)
            ms_fail(error, status, "%s", problem.error.text);
    }
    estimate->iterations = problem.iterations;
    estimate->simulations = problem.simulations;
    estimate->failed = problem.failed;
    free(q);
    free(r);
    destroy(&problem);
    if (status != MS_OK)
        ms_estimate_destroy(estimate);
    return status;
}

void ms_estimate_destroy(ms_estimate *estimate)
{
    MS_FREE(estimate->parameter, estimate->correlation, estimate->column, estimate->measured);
    *estimate = (ms_estimate){0};
}
