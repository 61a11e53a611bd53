/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_fixed_point.c - z <- z - gamma(z) = Psi(z), Eguillon et al. (2021), (26): classical IFOSMONDI.
 *
 * Converges, from near the solution, where the spectral radius of the Jacobian of Psi is below 1. An
 * iteration is one evaluation. A point without a value ends it. */
#include <math.h>

#include "nonlinear_shared.h"

typedef struct fixed_point {
    int n, max_iterations;
} fixed_point;

static int create(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    (void)error;
    *(fixed_point *)workspace =
        (fixed_point){.n = setup->n, .max_iterations = setup->options->max_iterations};
    return MS_OK;
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
        MS_TRY(ms_nonlinear_evaluate(problem, z, r, counts, &norm));
        counts->iterations++;
    }
    return MS_NOT_CONVERGED;
}

const ms_nonlinear_method ms_nonlinear_fixed_point = {
    .name = "fixed-point",
    .backend = "native",
    .domain = MS_DOMAIN_CONTRACTIONS,
    .evaluations = 1,
    .summary = "z <- z - gamma(z)",
    .source = "Eguillon et al. (2021), (26)",
    .counts_calls = true,
    .workspace = sizeof(fixed_point),
    .create = create,
    .solve = solve,
};
