/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_quality.c - properties of the estimate from the Jacobian at the minimum. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "estimate_problem.h"

/* Singular values of J (columns of length 1) below this count as zero: Jacobians by differences are good to
 * 1e-7 or so. A parameter takes part in a direction where its component there is above `part`. */
static const double rank_tolerance = 1e-5, part = 0.05;

/* J = U S V^T of the columns that are free. */
typedef struct decomposition {
    int n;
    const int *free;
    double *length; /* (n) of the columns */
    gsl_matrix *U, *V;
    gsl_vector *S;
} decomposition;

/* || y / sigma ||, y the simulated output */
static double size_of_response(const ms_estimate_problem *problem)
{
    double sum = 0.0;
    for (long k = 0; k < problem->m; k++) {
        const double value = problem->value[k] / problem->sigma[k % problem->simulated.columns];
        sum += value * value;
    }
    return sqrt(sum);
}

/* Scales columns to length 1; columns not longer than the uncertainty of differences of the simulated output become
 * zero. */
static void normalise(decomposition *d, double uncertainty)
{
    for (size_t j = 0; j < (size_t)d->n; j++) {
        gsl_vector_view column = gsl_matrix_column(d->U, j);
        double sum = 0.0;
        for (size_t k = 0; k < d->U->size1; k++)
            sum += gsl_vector_get(&column.vector, k) * gsl_vector_get(&column.vector, k);
        d->length[j] = sqrt(sum) > uncertainty ? sqrt(sum) : 0.0;
        gsl_vector_scale(&column.vector, d->length[j] > 0.0 ? 1.0 / d->length[j] : 0.0);
    }
}

static int decompose(ms_estimate_problem *problem, const double *q, decomposition *d)
{
    const size_t m = (size_t)problem->m, n = (size_t)d->n;
    double *r = malloc(sizeof *r * m);
    gsl_vector *work = gsl_vector_alloc(n);
    d->length = calloc(n, sizeof *d->length);
    d->U = gsl_matrix_alloc(m, n);
    d->V = gsl_matrix_alloc(n, n);
    d->S = gsl_vector_alloc(n);
    int status = MS_OK;
    if (r == NULL || work == NULL || d->length == NULL || d->U == NULL || d->V == NULL || d->S == NULL) {
        ms_fail(&problem->error, MS_NO_MEMORY, "not enough memory for a Jacobian of %zu rows", m);
        status = MS_NO_MEMORY;
    }
    MS_THEN(status, ms_estimate_residuals(problem, q, r));
    MS_THEN(status, ms_estimate_jacobian(problem, q, r, d->n, d->free, d->U->data));
    if (status == MS_OK)
        normalise(d, 10.0 * problem->noise / problem->step * size_of_response(problem));
    if (status == MS_OK && gsl_linalg_SV_decomp(d->U, d->V, d->S, work) != 0)
        status = ms_fail(&problem->error, MS_SOLVER_FAILED,
                         "the singular values of the Jacobian cannot be computed");
    gsl_vector_free(work);
    free(r);
    return status;
}

static void release(decomposition *d)
{
    gsl_matrix_free(d->U);
    gsl_matrix_free(d->V);
    gsl_vector_free(d->S);
    free(d->length);
}

static bool is_zero(const decomposition *d, size_t k)
{
    return !(gsl_vector_get(d->S, k) > rank_tolerance * gsl_vector_get(d->S, 0));
}

/* Parameters in a direction along which no residual changes. */
static void mark(const decomposition *d, ms_estimate *estimate)
{
    for (int j = 0; j < d->n; j++) {
        bool *identifiable = &estimate->parameter[d->free[j]].identifiable;
        *identifiable = d->length[j] > 0.0;
        for (size_t k = 0; k < (size_t)d->n; k++)
            if (is_zero(d, k) && fabs(gsl_matrix_get(d->V, (size_t)j, k)) > part)
                *identifiable = false;
        estimate->identifiable = estimate->identifiable && *identifiable;
    }
}

/* Element (i, j) of (J^T J)^-1 by the singular values that are not zero. */
static double inverse(const decomposition *d, int i, int j)
{
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)d->n; k++)
        if (!is_zero(d, k))
            sum += gsl_matrix_get(d->V, (size_t)i, k) * gsl_matrix_get(d->V, (size_t)j, k) /
                   (gsl_vector_get(d->S, k) * gsl_vector_get(d->S, k));
    return sum / (d->length[i] * d->length[j]);
}

static void fill(const ms_estimate_problem *problem, const decomposition *d, ms_estimate *estimate)
{
    const double t = estimate->degrees_of_freedom > 0
                         ? gsl_cdf_tdist_Pinv(0.975, (double)estimate->degrees_of_freedom)
                         : NAN;
    for (int a = 0; a < d->n; a++) {
        const int i = d->free[a];
        ms_estimated *p = &estimate->parameter[i];
        if (!p->identifiable)
            continue;
        p->standard_error = estimate->deviation * problem->scale[i] * sqrt(inverse(d, a, a));
        p->lower = p->value - t * p->standard_error;
        p->upper = p->value + t * p->standard_error;
        for (int b = 0; b < d->n; b++) {
            const int j = d->free[b];
            if (estimate->parameter[j].identifiable)
                estimate->correlation[i * estimate->n + j] =
                    i == j ? 1.0 : inverse(d, a, b) / sqrt(inverse(d, a, a) * inverse(d, b, b));
        }
    }
}

void ms_estimate_no_quality(const ms_estimate_problem *problem, ms_estimate *estimate)
{
    for (int i = 0; i < estimate->n; i++) {
        ms_estimated *p = &estimate->parameter[i];
        p->standard_error = p->lower = p->upper = NAN;
        p->at_bound = false;
        p->identifiable = true;
    }
    for (int k = 0; k < estimate->n * estimate->n; k++)
        estimate->correlation[k] = NAN;
    estimate->identifiable = true;
    estimate->condition = NAN;
    estimate->degrees_of_freedom = problem->m - problem->n;
    estimate->deviation = NAN;
}

/* The parameters that are not at a bound, into the list. */
static int count_free(const ms_estimate *estimate, int *list)
{
    int n = 0;
    for (int i = 0; i < estimate->n; i++)
        if (!estimate->parameter[i].at_bound)
            list[n++] = i;
    return n;
}

int ms_estimate_quality(ms_estimate_problem *problem, const double *q, ms_estimate *estimate)
{
    bool at_bound[MS_ESTIMATE_PARAMETERS_MAX];
    int list[MS_ESTIMATE_PARAMETERS_MAX];
    decomposition d = {.free = list};
    int status = ms_estimate_bounds(problem, q, at_bound);
    for (int i = 0; i < problem->n && status == MS_OK; i++)
        estimate->parameter[i].at_bound = at_bound[i];
    d.n = count_free(estimate, list);
    estimate->degrees_of_freedom = problem->m - d.n;
    if (estimate->degrees_of_freedom > 0)
        estimate->deviation = sqrt(estimate->sum / (double)estimate->degrees_of_freedom);
    if (status == MS_OK && d.n > 0) {
        status = decompose(problem, q, &d);
        if (status == MS_OK) {
            const double least = gsl_vector_get(d.S, (size_t)d.n - 1);
            estimate->condition = is_zero(&d, (size_t)d.n - 1) ? INFINITY : gsl_vector_get(d.S, 0) / least;
            mark(&d, estimate);
            fill(problem, &d, estimate);
        }
        release(&d);
    }
    return status == MS_STEP_REJECTED ? MS_OK : status; /* no difference quotient: nothing is known */
}
