/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate_simplex.c - Nelder and Mead's method. */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>

#include "estimate_problem.h"

/* First edges of the simplex in scaled parameters, and of the second one, which starts from the answer of the
 * first: a simplex can collapse before it has reached a minimum. */
static const double edges[] = {0.1, 0.01};

typedef struct simplex {
    ms_estimate_problem *problem;
    double *r; /* (m) */
} simplex;

static double sum_of_squares(const gsl_vector *q, void *data)
{
    simplex *s = data;
    const int status = ms_estimate_residuals(s->problem, q->data, s->r);
    return status == MS_OK ? ms_estimate_sum(s->problem->m, s->r) : DBL_MAX; /* GSL wants finite values */
}

/* Edges within the range: shortened, and in the direction with more room. */
static void place(const ms_estimate_problem *problem, const double *q, double edge, gsl_vector *x,
                  gsl_vector *step)
{
    for (int i = 0; i < problem->n; i++) {
        gsl_vector_set(x, (size_t)i, q[i]);
        const double up = fmin(edge, problem->high[i] - q[i]), down = fmin(edge, q[i] - problem->low[i]);
        gsl_vector_set(step, (size_t)i, up >= down ? up : -down);
    }
}

static int iterate(void *minimizer)
{
    return gsl_multimin_fminimizer_iterate(minimizer);
}

static bool has_converged(const ms_estimate_problem *problem, void *minimizer)
{
    return gsl_multimin_fminimizer_size(minimizer) < problem->tolerance;
}

int ms_estimate_nelder_mead(ms_estimate_problem *problem, double *q, ms_estimate_reason *reason)
{
    const size_t n = (size_t)problem->n;
    simplex s = {.problem = problem, .r = malloc(sizeof(double) * (size_t)problem->m)};
    gsl_multimin_function function = {.f = sum_of_squares, .n = n, .params = &s};
    gsl_multimin_fminimizer *minimizer = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    gsl_vector *x = gsl_vector_alloc(n), *step = gsl_vector_alloc(n);
    int status = MS_OK;
    if (s.r == NULL || minimizer == NULL || x == NULL || step == NULL) {
        ms_fail(&problem->error, MS_NO_MEMORY, "not enough memory for a simplex");
        status = MS_NO_MEMORY;
    }
    *reason = MS_ESTIMATE_CONVERGED;
    for (size_t k = 0;
         k < sizeof edges / sizeof *edges && status == MS_OK && *reason == MS_ESTIMATE_CONVERGED; k++) {
        place(problem, q, edges[k], x, step);
        *reason = MS_ESTIMATE_NO_PROGRESS;
        const int set = gsl_multimin_fminimizer_set(minimizer, &function, x, step);
        status = problem->ended;
        if (status == MS_OK && set == GSL_SUCCESS)
            status = ms_estimate_iterate(problem, iterate, has_converged, minimizer, reason);
        for (size_t i = 0; i < n; i++)
            q[i] = problem->best[i];
    }
    gsl_vector_free(step);
    gsl_vector_free(x);
    if (minimizer != NULL)
        gsl_multimin_fminimizer_free(minimizer);
    free(s.r);
    return status;
}
