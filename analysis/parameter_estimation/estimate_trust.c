/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_trust.c - Levenberg-Marquardt as a trust-region method, with bounds. */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate_problem.h"

/* Within this distance (scaled) of a bound a parameter that is pushed outwards counts as being there. */
static const double near_bound = 1e-3;

/* The least-squares problem in the parameters that are free. */
typedef struct face {
    ms_estimate_problem *problem;
    int n;       /* that are free */
    int *free;   /* (n) */
    double *q;   /* all of them (problem->n) */
    double *at;  /* (problem->n) where r belongs to */
    double *r;   /* (m) the last residuals */
    bool known;  /* at and r are set */
    double high; /* the residual of points that are rejected */
} face;

static void spread(const face *f, const gsl_vector *x)
{
    for (int j = 0; j < f->n; j++)
        f->q[f->free[j]] = gsl_vector_get(x, (size_t)j);
}

/* Residuals at f->q, those of the last point again where it is the same. */
static int evaluate(face *f)
{
    const size_t size = sizeof(double) * (size_t)f->problem->n;
    if (f->known && memcmp(f->at, f->q, size) == 0)
        return MS_OK;
    f->known = false;
    MS_TRY(ms_estimate_residuals(f->problem, f->q, f->r));
    memcpy(f->at, f->q, size);
    f->known = true;
    return MS_OK;
}

static int residuals(const gsl_vector *x, void *data, gsl_vector *r)
{
    face *f = data;
    spread(f, x);
    const int status = evaluate(f);
    if (status == MS_STEP_REJECTED) {
        gsl_vector_set_all(r, f->high);
        return GSL_SUCCESS;
    }
    for (long k = 0; k < f->problem->m && status == MS_OK; k++)
        gsl_vector_set(r, (size_t)k, f->r[k]);
    return status == MS_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

static int jacobian(const gsl_vector *x, void *data, gsl_matrix *J)
{
    face *f = data;
    spread(f, x);
    int status = evaluate(f);
    if (status == MS_OK)
        status = ms_estimate_jacobian(f->problem, f->q, f->r, f->n, f->free, J->data); /* by rows: tda = n */
    return status == MS_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

static int iterate(void *w)
{
    return gsl_multifit_nlinear_iterate(w);
}

static bool has_converged(const ms_estimate_problem *problem, void *w)
{
    int test = 0;
    gsl_multifit_nlinear_test(problem->tolerance, 0.0, 0.0, &test, w);
    return test != 0;
}

/* The minimum over the free parameters, into f->q. */
static int descend(face *f, ms_estimate_reason *reason)
{
    ms_estimate_problem *problem = f->problem;
    const size_t m = (size_t)problem->m, n = (size_t)f->n;
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf function = {.f = residuals, .df = jacobian, .n = m, .p = n, .params = f};
    gsl_multifit_nlinear_workspace *w =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, m, n);
    gsl_vector *x = gsl_vector_alloc(n);
    int status = MS_OK;
    if (w == NULL || x == NULL) {
        ms_fail(&problem->error, MS_NO_MEMORY, "not enough memory for %zu measurements", m);
        status = MS_NO_MEMORY;
    }
    for (size_t j = 0; j < n && status == MS_OK; j++)
        gsl_vector_set(x, j, f->q[f->free[j]]);
    if (status == MS_OK && gsl_multifit_nlinear_init(x, &function, w) != GSL_SUCCESS) {
        status = problem->ended; /* else no difference quotient could be formed at the start */
        *reason = MS_ESTIMATE_NO_PROGRESS;
    } else if (status == MS_OK) {
        status = ms_estimate_iterate(problem, iterate, has_converged, w, reason);
        spread(f, w->x);
    }
    gsl_vector_free(x);
    if (w != NULL)
        gsl_multifit_nlinear_free(w);
    return status;
}

/* Bounds ------------------------------------------------------------------------------------------------- */

int ms_estimate_bounds(ms_estimate_problem *problem, const double *q, bool *at_bound)
{
    const int n = problem->n;
    const long m = problem->m;
    int list[MS_ESTIMATE_PARAMETERS_MAX], columns = 0;
    memset(at_bound, 0, sizeof *at_bound * (size_t)n);
    for (int i = 0; i < n; i++)
        if (q[i] - problem->low[i] < near_bound || problem->high[i] - q[i] < near_bound)
            list[columns++] = i;
    if (columns == 0)
        return MS_OK;
    double *r = malloc(sizeof *r * (size_t)m * (size_t)(1 + columns));
    if (r == NULL)
        return problem->ended = ms_fail(&problem->error, MS_NO_MEMORY, "not enough memory for a gradient");
    double *J = r + m;
    int status = ms_estimate_residuals(problem, q, r);
    MS_THEN(status, ms_estimate_jacobian(problem, q, r, columns, list, J));
    for (int j = 0; j < columns && status == MS_OK; j++) {
        double gradient = 0.0;
        for (long k = 0; k < m; k++)
            gradient += J[k * columns + j] * r[k];
        const int i = list[j];
        at_bound[i] = q[i] - problem->low[i] < near_bound ? gradient > 0.0 : gradient < 0.0;
    }
    free(r);
    return status;
}

/* Puts parameter i on the bound that it is near to, where the sum does not grow there. */
static void put_on_bound(face *f, int i)
{
    ms_estimate_problem *problem = f->problem;
    const double before = problem->best_sum, at = f->q[i];
    f->q[i] = at - problem->low[i] < near_bound ? problem->low[i] : problem->high[i];
    if (evaluate(f) != MS_OK || ms_estimate_sum(problem->m, f->r) > before)
        f->q[i] = at;
}

/* Frees all parameters but those at a bound; *changed: others are free than before. */
static int choose_face(face *f, bool *changed)
{
    bool at_bound[MS_ESTIMATE_PARAMETERS_MAX];
    const int before = f->n;
    unsigned long long was_free = 0; /* bit i: parameter i */
    const int status = ms_estimate_bounds(f->problem, f->q, at_bound);
    for (int j = 0; j < before; j++)
        was_free |= 1ULL << f->free[j];
    f->n = 0;
    *changed = false;
    for (int i = 0; i < f->problem->n && status == MS_OK; i++) {
        if (!at_bound[i])
            f->free[f->n++] = i;
        *changed = *changed || at_bound[i] == ((was_free >> i & 1ULL) != 0);
        if (at_bound[i] && (was_free >> i & 1ULL) != 0)
            put_on_bound(f, i);
    }
    return status;
}

int ms_estimate_trust_region(ms_estimate_problem *problem, double *q, ms_estimate_reason *reason)
{
    const size_t n = (size_t)problem->n;
    int list[MS_ESTIMATE_PARAMETERS_MAX];
    face f = {.problem = problem, .n = problem->n, .free = list, .q = q};
    bool changed = true;
    int status = MS_OK;
    f.at = malloc(sizeof *f.at * (n + (size_t)problem->m));
    MS_TRY_MEMORY_FOR(f.at != NULL, &problem->error, "%ld residuals", problem->m);
    f.r = f.at + n;
    f.high = 1e3 * sqrt(problem->best_sum / (double)problem->m) + DBL_MIN;
    for (int i = 0; i < problem->n; i++)
        list[i] = i;
    *reason = MS_ESTIMATE_CONVERGED;
    for (int round = 0; round <= 2 * problem->n && changed && f.n > 0 && status == MS_OK; round++) {
        status = descend(&f, reason);
        memcpy(q, problem->best, sizeof *q * n);
        changed = false;
        if (status == MS_OK && *reason != MS_ESTIMATE_MAX_SIMULATIONS)
            status = choose_face(&f, &changed);
    }
    free(f.at);
    return status == MS_STEP_REJECTED ? MS_OK : status;
}
