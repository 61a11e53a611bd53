/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_fixed_point.c - z <- z - gamma(z) = Psi(z), Eguillon et al. (2021), (26): classical IFOSMONDI.
 *
 * Converges, from near the solution, where the spectral radius of the Jacobian of Psi is below 1. An
 * iteration is one evaluation. A point without a value ends it. */
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

static int iterate(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                   ms_nonlinear_counts *counts, double *norm)
{
    const fixed_point *s = workspace;
    ms_nonlinear_step(s->n, z, -1.0, r, z);
    return ms_nonlinear_evaluate(problem, z, r, counts, norm);
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    const fixed_point *s = workspace;
    return ms_nonlinear_iterate(workspace, s->max_iterations, iterate, problem, z, r, counts);
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
