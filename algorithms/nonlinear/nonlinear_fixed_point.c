/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_fixed_point.c - z <- z - gamma(z) = Psi(z), Eguillon et al. (2021), (26): classical IFOSMONDI.
 *
 * Converges, from near the solution, where the spectral radius of the Jacobian of Psi is below 1. An
 * iteration is one evaluation. A point without a value ends it. */
#include <math.h>
#include <stdlib.h>

#include "nonlinear_shared.h"

typedef struct fixed_point {
    int n, max_iterations;
} fixed_point;

static int create(int n, const ms_nonlinear_options *options, void **workspace, ms_error *error)
{
    fixed_point *s = malloc(sizeof *s);
    *workspace = s;
    if (s == NULL)
        return ms_fail(error, MS_NO_MEMORY, "no memory for the fixed-point iteration");
    *s = (fixed_point){.n = n, .max_iterations = options->max_iterations};
    return MS_OK;
}

static void destroy(void **workspace)
{
    if (workspace == NULL)
        return;
    free(*workspace);
    *workspace = NULL;
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    const fixed_point *s = workspace;
    double norm = ms_nonlinear_norm(s->n, r);
    for (int k = 0; isfinite(norm); k++) {
        if (problem->converged(problem->context, z, r))
            return MS_OK;
        if (k == s->max_iterations)
            break;
        ms_nonlinear_step(s->n, z, -1.0, r, z);
        const int status = ms_nonlinear_evaluate(problem, z, r, counts, &norm);
        if (status != MS_OK)
            return status;
        counts->iterations++;
    }
    return MS_NOT_CONVERGED;
}

const ms_nonlinear_method ms_nonlinear_fixed_point = {
    .name = "fixed-point",
    .backend = "native",
    .reach = MS_REACH_CONTRACTIONS,
    .evaluations = 1,
    .summary = "z <- z - gamma(z)",
    .source = "Eguillon et al. (2021), (26)",
    .counts_calls = true,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
