/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimate_problem.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double ms_estimate_sum(long m, const double *r)
{
    double sum = 0.0;
    for (long k = 0; k < m; k++)
        sum += r[k] * r[k];
    return sum;
}

/* The simulated output with the settings. */
static int respond(ms_estimate_problem *problem)
{
    const ms_estimate_options *request = problem->request;
    ms_system *system = NULL;
    problem->simulations++;
    int status = ms_system_create(problem->model, request->system->case_name, problem->settings,
                                  problem->model->n_parameters, &system, &problem->error);
    if (status == MS_INVALID || status == MS_NO_SOLUTION)
        status = MS_STEP_REJECTED;
    if (status == MS_OK && request->inputs != NULL)
        status = ms_system_bind_inputs(system, request->inputs, &problem->error);
    MS_THEN(status, ms_simulated_output_run(&problem->simulated, system, problem->stop, problem->value,
                                            &problem->error));
    ms_system_destroy(&system);
    problem->failed += status == MS_STEP_REJECTED;
    if (status != MS_OK && status != MS_STEP_REJECTED)
        problem->ended = status;
    return status;
}

int ms_estimate_residuals(ms_estimate_problem *problem, const double *q, double *r)
{
    const int columns = problem->simulated.columns;
    if (problem->ended != MS_OK)
        return problem->ended;
    for (int i = 0; i < problem->n; i++) {
        if (!(q[i] >= problem->low[i] && q[i] <= problem->high[i]))
            return MS_STEP_REJECTED;
        problem->settings[problem->request->parameter[i]].value = problem->scale[i] * q[i];
    }
    MS_TRY(respond(problem));
    for (long k = 0; k < problem->m; k++)
        r[k] = (problem->value[k] - problem->measured[k]) / problem->sigma[k % columns];
    const double sum = ms_estimate_sum(problem->m, r);
    if (!isfinite(sum))
        return MS_STEP_REJECTED;
    if (sum < problem->best_sum) {
        problem->best_sum = sum;
        memmove(problem->best, q, sizeof(double) * (size_t)problem->n);
        memcpy(problem->best_value, problem->value, sizeof(double) * (size_t)problem->m);
    }
    return MS_OK;
}

/* dr/dq_i into a column of J: central, or one-sided where a neighbour is rejected. near: scratch (m). */
static int differentiate(ms_estimate_problem *problem, double *q, int i, const double *r, double *near,
                         int columns, double *J)
{
    const double at = q[i], delta = problem->step * fmax(fabs(at), 0.1), up = at + delta, down = at - delta;
    const long m = problem->m;
    double span = up - down;
    q[i] = up;
    int status = ms_estimate_residuals(problem, q, near);
    if (status == MS_STEP_REJECTED) {
        span = at - down;
        memcpy(near, r, sizeof(double) * (size_t)m);
    }
    for (long k = 0; k < m; k++)
        J[k * columns] = near[k];
    q[i] = down;
    if (status == MS_OK || status == MS_STEP_REJECTED) {
        const bool one_sided = status == MS_STEP_REJECTED;
        status = ms_estimate_residuals(problem, q, near);
        if (status == MS_STEP_REJECTED && !one_sided) {
            span = up - at;
            memcpy(near, r, sizeof(double) * (size_t)m);
            status = MS_OK;
        }
    }
    q[i] = at;
    for (long k = 0; k < m; k++)
        J[k * columns] = (J[k * columns] - near[k]) / span;
    return status;
}

int ms_estimate_jacobian(ms_estimate_problem *problem, const double *q, const double *r, int columns,
                         const int *free_list, double *J)
{
    double *copy = malloc(sizeof *copy * (size_t)(problem->n + problem->m));
    if (copy == NULL)
        return problem->ended = ms_fail(&problem->error, MS_NO_MEMORY, "not enough memory for a Jacobian");
    memcpy(copy, q, sizeof(double) * (size_t)problem->n);
    int status = MS_OK;
    for (int j = 0; j < columns && status == MS_OK; j++)
        status = differentiate(problem, copy, free_list[j], r, copy + problem->n, columns, J + j);
    free(copy);
    return status;
}

int ms_estimate_iterate(ms_estimate_problem *problem, int iterate(void *method),
                        bool has_converged(const ms_estimate_problem *problem, void *method), void *method,
                        ms_estimate_reason *reason)
{
    while (problem->simulations < problem->max_simulations) {
        const int status = iterate(method);
        problem->iterations++;
        if (problem->ended != MS_OK)
            return problem->ended;
        if (status != GSL_SUCCESS || has_converged(problem, method)) {
            *reason = status != GSL_SUCCESS ? MS_ESTIMATE_NO_PROGRESS : MS_ESTIMATE_CONVERGED;
            return MS_OK;
        }
    }
    *reason = MS_ESTIMATE_MAX_SIMULATIONS;
    return MS_OK;
}
