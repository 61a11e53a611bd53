/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/stability.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/analytic_propagation.h>
#include <macrostep/options.h>
#include <macrostep/propagation.h>
#include <macrostep/spectrum.h>
#include "dense.h"
#include "matrix.h"

/* Data of a thread: the system of the last parameter values, and the formula. */
typedef struct point {
    ms_stability *at;
    ms_setting *setting; /* (n_settings + 2): those of the coordinates come last */
    int n_settings;
    double parameter[2];        /* values for which the system was made */
    bool bound;                 /* has the system been made? */
    bool solved;                /* does the loop have a solution? */
    bool checked;               /* has it been checked that the scheme has a propagation matrix? */
    bool probed;                /* is there no formula? */
    double abscissa;            /* with order_star: of the coupled system */
    ms_system *system, *linear; /* linear: of a nonlinear one, its linearisation */
    ms_analytic_propagation *formula;
    size_t size; /* size of psi and work, in doubles */
    double *psi, *work;
} point;

static void destroy_systems(ms_system **system, ms_system **linear)
{
    ms_system_destroy(linear); /* refers to names of the system */
    ms_system_destroy(system);
}

static void point_close(void **context)
{
    point *p = *context;
    if (p == NULL)
        return;
    ms_analytic_propagation_destroy(&p->formula);
    destroy_systems(&p->system, &p->linear);
    MS_FREE(p->setting, p->psi, p);
    *context = NULL;
}

static int point_open(void *self, void **context, ms_error *error)
{
    ms_stability *at = self;
    point *p = calloc(1, sizeof *p);
    *context = p;
    if (p != NULL) {
        p->at = at;
        p->setting = calloc((size_t)at->n_settings + 2, sizeof *p->setting);
    }
    MS_TRY_MEMORY_FOR(p != NULL && p->setting != NULL, error, "a map of stability");
    for (int k = 0; k < at->n_settings; k++)
        p->setting[p->n_settings++] = at->settings[k];
    for (int k = 0; k < 2; k++)
        if (at->axis[k] >= 0)
            p->setting[p->n_settings++].parameter = at->model->parameters[at->axis[k]].name;
    return MS_OK;
}

/* Allocates psi (n x n) and the workspace of its radius. */
static int reserve(point *p, int n, ms_error *error)
{
    const size_t matrix = (size_t)n * (size_t)n, size = matrix + (size_t)ms_spectrum_work(n);
    if (size > p->size) {
        free(p->psi);
        p->psi = calloc(size + 1, sizeof *p->psi);
        p->size = p->psi != NULL ? size : 0;
    }
    MS_TRY_MEMORY_FOR(p->psi != NULL, error, "a propagation matrix of %d rows", n);
    p->work = p->psi + matrix;
    return MS_OK;
}

/* Called concurrently by threads. */
static void note_error(ms_stability *at, double error)
{
#pragma omp critical(ms_partials_error)
    at->partials_error = fmax(at->partials_error, error);
}

/* Small deviations of a nonlinear system from its point. */
static int linearise(const point *p, const ms_system *system, ms_system **linear, ms_error *error)
{
    const ms_linearisation_point *linearised_at = &p->at->linearised_at;
    double *x = calloc((size_t)system->nx + 1, sizeof *x);
    if (x == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory to linearise model %s", system->model->name);
    int status = ms_linearisation_point_state(system, linearised_at, p->at->stop, x, NULL, error);
    MS_THEN(status, ms_linearisation_system(system, linearised_at->t, x, linear, error));
    if (status == MS_OK)
        note_error(p->at, (*linear)->partials_error);
    free(x);
    return status;
}

/* The formula for a system; the previous one is reused if its shape fits. Without a formula the matrix is probed. */
static int bind_formula(point *p, const ms_system *system, ms_error *error)
{
    int status = MS_OK;
    if (!p->checked) /* capabilities do not depend on parameters */
        status = ms_propagation_exists(system, p->at->options, error);
    p->checked = p->checked || status == MS_OK;
    if (status != MS_OK)
        return status;
    if (p->formula != NULL) {
        status = ms_analytic_propagation_bind(p->formula, system, error);
        if (status != MS_INVALID)
            return status;
        ms_analytic_propagation_destroy(&p->formula);
    }
    status = ms_analytic_propagation_create(system, p->at->options, &p->formula, error);
    if (status == MS_OK)
        return reserve(p, ms_analytic_propagation_dimension(p->formula), error);
    p->probed = status == MS_UNSUPPORTED;
    return p->probed ? MS_OK : status;
}

/* The largest real part of the eigenvalues of the coupled system; linearised at its start if it has no matrices. */
static int find_abscissa(const ms_system *system, double *abscissa, ms_error *error)
{
    const size_t n = (size_t)system->nx;
    double *A = calloc(n * n + 3 * n + 1, sizeof *A);
    MS_TRY_MEMORY_FOR(A != NULL, error, "a matrix of %d rows", system->nx);
    double *values = A + n * n;
    int status = ms_linearisation_monolithic(system, 0.0, values + 2 * n, A, error);
    if (status == MS_OK && ms_matrix_eigenvalues(system->nx, A, values) != MS_OK)
        status = ms_fail(error, MS_SOLVER_FAILED, "the eigenvalues of the coupled model were not found");
    *abscissa = -INFINITY;
    for (size_t k = 0; k < n; k++)
        *abscissa = fmax(*abscissa, values[2 * k]);
    free(A);
    return status;
}

/* Are there several systems? Then one that cannot be solved is a gap in the map, otherwise an error. */
static bool varies(const ms_stability *at)
{
    return at->axis[0] >= 0 || at->axis[1] >= 0;
}

/* The system for these parameter values. */
static int bind_point(point *p, const double parameter[2], ms_error *error)
{
    const ms_stability *at = p->at;
    ms_system *system = NULL, *linear = NULL;
    int n = at->n_settings;
    p->bound = false;
    for (int k = 0; k < 2; k++) {
        p->parameter[k] = parameter[k];
        if (at->axis[k] >= 0)
            p->setting[n++].value = parameter[k];
    }
    int status = ms_system_create(at->model, at->case_name, p->setting, p->n_settings, &system, error);
    if (status == MS_OK && !system->linear)
        status = linearise(p, system, &linear, error);
    MS_THEN(status, ms_propagation_fits(system, error));
    MS_THEN(status, bind_formula(p, linear != NULL ? linear : system, error));
    if (status == MS_OK && at->order_star)
        status = find_abscissa(linear != NULL ? linear : system, &p->abscissa, error);
    destroy_systems(&p->system, &p->linear);
    p->system = system;
    p->linear = linear;
    p->solved = status == MS_OK;
    p->bound = p->solved || (varies(at) && (status == MS_NO_SOLUTION || status == MS_SOLVER_FAILED));
    return p->bound ? MS_OK : status;
}

/* Probes Psi(h) into p->psi; *n: its rows. */
static int probe(point *p, double h, int *n, ms_error *error)
{
    ms_options options = *p->at->options;
    double *psi = NULL;
    if (h <= 0.0)
        return MS_OK;
    options.step_size = h;
    int status = ms_propagation_probe(p->linear != NULL ? p->linear : p->system, &options, h, n, &psi, error);
    MS_THEN(status, reserve(p, *n, error));
    if (status == MS_OK)
        memcpy(p->psi, psi, sizeof *psi * (size_t)*n * (size_t)*n);
    free(psi);
    return status;
}

static double step_size(const ms_stability *at, double x, double y)
{
    return at->axis[0] == MS_AXIS_STEP_SIZE ? x : at->axis[1] == MS_AXIS_STEP_SIZE ? y : at->step_size;
}

/* Psi at a point into p->psi; *n: its rows, -1 if there is none. */
static int fill_matrix(point *p, double x, double y, int *n, ms_error *error)
{
    const ms_stability *at = p->at;
    const double h = step_size(at, x, y);
    const double parameter[] = {at->axis[0] >= 0 ? x : 0.0, at->axis[1] >= 0 ? y : 0.0};
    int status = MS_OK;
    *n = -1;
    if (!p->bound || parameter[0] != p->parameter[0] || parameter[1] != p->parameter[1])
        status = bind_point(p, parameter, error);
    if (status != MS_OK || !p->solved)
        return status;
    status =
        p->formula == NULL ? probe(p, h, n, error) : ms_analytic_propagation_evaluate(p->formula, h, p->psi);
    if (status == MS_OK && p->formula != NULL)
        *n = ms_analytic_propagation_dimension(p->formula);
    if (status != MS_OK)
        *n = -1;
    return status == MS_SOLVER_FAILED || status == MS_NO_SOLUTION ? MS_OK : status;
}

static int evaluate(point *p, double x, double y, double *value, ms_error *error)
{
    int n;
    const int status = fill_matrix(p, x, y, &n, error);
    *value = status == MS_OK && n >= 0 ? ms_spectrum_radius(n, p->psi, p->work) : NAN;
    if (p->at->order_star)
        *value *= exp(-p->abscissa * step_size(p->at, x, y));
    return status;
}

/* Is a coordinate between integers for a parameter that must be an integer? */
static bool lies_between(const ms_stability *at, int axis, double coordinate)
{
    return axis >= 0 && at->model->parameters[axis].integer && coordinate != floor(coordinate);
}

static int point_value(void *context, double x, double y, double *value, ms_error *error)
{
    point *p = context;
    *value = NAN;
    return lies_between(p->at, p->at->axis[0], x) || lies_between(p->at, p->at->axis[1], y)
               ? MS_OK
               : evaluate(p, x, y, value, error);
}

static int point_eigenvalues(void *context, double x, double y, int *n, double *values, ms_error *error)
{
    point *p = context;
    const int status = fill_matrix(p, x, y, n, error);
    const bool exist = status == MS_OK && *n > 0 && *n <= MS_DENSE_EIGENVALUES_MAX;
    if (!exist || ms_dense_eigenvalues(*n, MS_DENSE_QR_STEPS, p->psi, p->work, p->work + *n) != MS_OK)
        *n = 0;
    for (int k = 0; k < *n; k++) {
        values[2 * k] = p->work[k];
        values[2 * k + 1] = p->work[*n + k];
    }
    return status;
}

ms_field ms_stability_field(ms_stability *stability)
{
    _Static_assert((int)MS_FIELD_EIGENVALUES_MAX == (int)MS_DENSE_EIGENVALUES_MAX,
                   "the room that eigenvalues have");
    return (ms_field){.self = stability,
                      .open = point_open,
                      .close = point_close,
                      .value = point_value,
                      .eigenvalues = point_eigenvalues};
}

int ms_stability_check(ms_stability *stability, double x, double y, bool *by_formula, ms_error *error)
{
    void *context = NULL;
    double value;
    int status = point_open(stability, &context, error);
    point *p = context;
    MS_THEN(status, evaluate(p, x, y, &value, error));
    if (status == MS_OK && p->solved && p->formula != NULL)
        status = ms_propagation_check(p->linear != NULL ? p->linear : p->system, stability->options,
                                      step_size(stability, x, y), error);
    if (status == MS_OK && by_formula != NULL)
        *by_formula = !p->probed;
    point_close(&context);
    return status;
}
