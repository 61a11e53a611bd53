/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_probe.c - the propagation matrix probed from the implementation: what one macro-step of the engine
 * does to unit vectors. */
#include "propagation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "nonlinear.h"
#include "options.h"
#include "scheme_registry.h"
#include "solver_registry.h"
#include "spectrum.h"

/* Macro-steps after which the step history is full, whatever the start. */
enum { WARM_UP = 4 };

/* Of an iterated scheme in a macro-step. On a linear system each leaves the error of its linear equations, a
 * factor of about 1e-5. */
enum { ITERATIONS = 50 };

/* What an iteration that has converged to round-off may leave of an entry, in units of the largest one. */
static const double LEFT_OVER = 1e-12;

/* The first nonlinear method that solves linear equations whatever their iterations do. */
static int newton(void)
{
    int k = 0;
    while (ms_nonlinear_methods[k + 1] != NULL && !ms_nonlinear_methods[k]->newton)
        k++;
    return ms_nonlinear_index(ms_nonlinear_methods[k]->name);
}

ms_options ms_propagation_options(const ms_system *system, const ms_options *options, double h)
{
    ms_options steady = *options;
    steady.step_size = h != 0.0 ? h : system->step_size;
    steady.start_time = 0.0;
    steady.stop_time = steady.step_size;
    steady.given[MS_OPTION_STOP_TIME] = true;
    steady.at_time_events = MS_TIME_EVENTS_IGNORE;
    const ms_scheme *scheme = ms_scheme_find(options->scheme);
    if (scheme != NULL && scheme->retries) { /* linear only where the iteration has converged to round-off */
        steady.epsilon = 0.0;
        steady.step_rule = MS_STEP_RULE_FIXED;
        steady.solver_nonlinear = newton();
        steady.backend = MS_BACKEND_NATIVE;
        steady.max_iterations = ITERATIONS;
    }
    return steady;
}

/* "exact, euler and rk4": the micro-solvers whose steps are linear. */
static void list_linear(char *text, size_t size)
{
    const char *name[2] = {"", ""}; /* the last ones, not written yet */
    size_t length = 0;
    text[0] = '\0';
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++) {
        if (!(*solver)->linear_map)
            continue;
        if (name[0][0] != '\0')
            length += (size_t)snprintf(text + length, size - length, "%s, ", name[0]);
        name[0] = name[1];
        name[1] = (*solver)->name;
    }
    snprintf(text + length, size - length, "%s and %s", name[0], name[1]);
}

static int create(const ms_system *system, const ms_options *options, double h, ms_cosim **cosim,
                  ms_error *error)
{
    const ms_options steady = ms_propagation_options(system, options, h);
    *cosim = NULL;
    if (!system->linear) {
        ms_fail(error, MS_UNSUPPORTED, "model %s is nonlinear: only linear models have a propagation matrix",
                system->model->name);
        return MS_UNSUPPORTED;
    }
    if (options->error_controlled != MS_CONTROL_NONE) {
        ms_fail(error, MS_UNSUPPORTED,
                "`error-controlled` %s: only equal macro-steps have a propagation matrix",
                ms_option_choice(options, MS_OPTION_ERROR_CONTROLLED));
        return MS_UNSUPPORTED;
    }
    const int status = ms_cosim_of_options(system, &steady, cosim, error);
    if (status != MS_OK || ((*cosim)->solver->linear_map && !(*cosim)->scheme->nonlinear))
        return status;
    if ((*cosim)->scheme->nonlinear)
        ms_fail(error, MS_UNSUPPORTED,
                "`scheme` %s: its macro-steps are not linear, so there is no propagation matrix",
                options->scheme);
    else {
        char names[256];
        list_linear(names, sizeof names);
        ms_fail(error, MS_UNSUPPORTED,
                "`solver` %s: its steps are not linear, so there is no propagation matrix; %s have one",
                (*cosim)->solver->name, names);
    }
    ms_cosim_destroy(cosim);
    return MS_UNSUPPORTED;
}

int ms_propagation_exists(const ms_system *system, const ms_options *options, ms_error *error)
{
    ms_cosim *cosim;
    const int status = create(system, options, options->step_size, &cosim, error);
    ms_cosim_destroy(&cosim);
    return status;
}

/* lin after one macro-step from `lin` with aux as it was frozen. Iterated schemes see 2^-60 times that: the
 * method takes directional derivatives over distances of sqrt(eps) sqrt(1 + |z|), which for linear equations
 * are as good as exact where z is much smaller. */
static int propagate(ms_cosim *cosim, const double *lin, const double *aux, double t, double h)
{
    const int n = cosim->lin_size, exponent = cosim->scheme->retries ? -60 : 0;
    for (int i = 0; i < n; i++)
        cosim->lin[i] = ldexp(lin[i], exponent);
    memcpy(cosim->aux, aux, sizeof(double) * (size_t)cosim->aux_size);
    const int status = ms_cosim_step(cosim, t, h);
    for (int i = 0; i < n; i++)
        cosim->lin[i] = ldexp(cosim->lin[i], -exponent);
    return status;
}

/* Does the macro-step map v = (1, -1/2, 1/3, ..) as the columns say, up to the round-off of entries that
 * cancel? A scheme whose update is not linear does not. */
static int check_linear(ms_cosim *cosim, const double *psi, double *v, const double *aux, double t, double h,
                        ms_error *error)
{
    const int n = cosim->lin_size;
    const double left = cosim->scheme->retries ? LEFT_OVER : 0.0;
    double largest = 0.0;
    for (int j = 0; j < n; j++)
        v[j] = (j % 2 == 0 ? 1.0 : -1.0) / (1 + j);
    if (propagate(cosim, v, aux, t, h) != MS_OK)
        return ms_fail(error, MS_SOLVER_FAILED, "%s", cosim->error.text);
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        largest = fmax(largest, fabs(psi[i]));
    for (int i = 0; i < n; i++) {
        double sum = 0.0, size = 0.0;
        for (int j = 0; j < n; j++) {
            const double term = psi[(size_t)i * (size_t)n + (size_t)j] * v[j];
            sum += term;
            size += fabs(term);
        }
        if (!(fabs(sum - cosim->lin[i]) <= 1e-6 * size + 1e-9 * largest + left))
            return ms_fail(error, MS_UNSUPPORTED,
                           "scheme %s does not update its memory linearly: it has no propagation matrix",
                           cosim->scheme->name);
    }
    return MS_OK;
}

static int probe(ms_cosim *cosim, double h, double *psi, double *lin, double *aux, ms_error *error)
{
    const int n = cosim->lin_size;
    const double t = WARM_UP * h;
    int status = ms_cosim_start(cosim);
    memset(cosim->lin, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < WARM_UP && status == MS_OK; k++)
        status = ms_cosim_step(cosim, k * h, h);
    memcpy(aux, cosim->aux, sizeof(double) * (size_t)cosim->aux_size);
    memset(lin, 0, sizeof(double) * (size_t)n);
    for (int j = 0; j < n && status == MS_OK; j++) {
        lin[j] = 1.0;
        status = propagate(cosim, lin, aux, t, h);
        lin[j] = 0.0;
        for (int i = 0; i < n; i++)
            psi[(size_t)i * (size_t)n + (size_t)j] = cosim->lin[i];
    }
    if (status != MS_OK)
        return ms_fail(error, status, "%s", cosim->error.text);
    return check_linear(cosim, psi, lin, aux, t, h, error);
}

int ms_propagation_probe(const ms_system *system, const ms_options *options, double h, int *n, double **psi,
                         ms_error *error)
{
    ms_system homogeneous = *system;
    ms_cosim *cosim;
    homogeneous.homogeneous = true;
    *psi = NULL;
    int status = create(&homogeneous, options, h, &cosim, error);
    if (status != MS_OK)
        return status;
    const size_t size = (size_t)cosim->lin_size;
    double *lin = malloc(sizeof(double) * (size + (size_t)cosim->aux_size + 1));
    *n = cosim->lin_size;
    *psi = malloc(sizeof(double) * (size * size + 1));
    if (lin == NULL || *psi == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a matrix of %d rows", *n);
    else
        status = probe(cosim, h, *psi, lin, lin + size, error);
    free(lin);
    ms_cosim_destroy(&cosim);
    if (status != MS_OK) {
        free(*psi);
        *psi = NULL;
    }
    return status;
}

static double radius_by_formula(ms_analytic_propagation *formula, double h)
{
    const int n = ms_analytic_propagation_dimension(formula);
    const size_t size = (size_t)n * (size_t)n;
    double radius = NAN, *psi = malloc(sizeof(double) * (size + (size_t)ms_spectrum_work(n) + 1));
    if (psi != NULL && ms_analytic_propagation_evaluate(formula, h, psi) == MS_OK)
        radius = ms_spectrum_radius(n, psi, psi + size);
    free(psi);
    return radius;
}

static double radius_by_probe(const ms_system *system, const ms_options *options, double h, int largest)
{
    int n = 0;
    double radius = NAN, *psi = NULL;
    if (system->nx + system->ny > largest ||
        ms_propagation_probe(system, options, h, &n, &psi, NULL) != MS_OK || n > largest) {
        free(psi);
        return NAN;
    }
    double *work = malloc(sizeof(double) * (size_t)ms_spectrum_work(n));
    if (work != NULL)
        radius = ms_spectrum_radius(n, psi, work);
    free(work);
    free(psi);
    return radius;
}

double ms_propagation_radius(const ms_system *system, const ms_options *options, double h, int largest)
{
    ms_analytic_propagation *formula;
    if (!system->linear || options->error_controlled != MS_CONTROL_NONE || !(h >= 0.0))
        return NAN;
    if (system->nx + system->ny > largest)
        return NAN;
    const int status = ms_analytic_propagation_create(system, options, &formula, NULL);
    if (status == MS_UNSUPPORTED && h > 0.0)
        return radius_by_probe(system, options, h, largest);
    if (status != MS_OK)
        return NAN;
    const double radius =
        ms_analytic_propagation_dimension(formula) <= largest ? radius_by_formula(formula, h) : NAN;
    ms_analytic_propagation_destroy(&formula);
    return radius;
}
