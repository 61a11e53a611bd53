/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_anderson.c - Anderson mixing with m = 30 past points, mixing parameter 1, no restart.
 *
 *     z_{k+1} = sum_i theta_i (z_i - gamma_i),   sum_i theta_i = 1,   |sum_i theta_i gamma_i|_2 least
 *
 * over i = k and the up to m points before. The least-squares problem is solved on the differences gamma_i -
 * gamma_k (nonlinear_shared.h), so that the iteration can be carried to round-off. An iteration is one
 * evaluation. A point without a value ends it.
 *
 * Source: Anderson (1965), J. ACM 12; the parameters are those of Eguillon et al. (2021), Table 4. The
 * shortest theta - e_k is taken where there are more points than dimensions, as PETSc's SNESANDERSON does. */
#include "nonlinear_shared.h"

enum { CAPACITY = 30 };

typedef struct anderson {
    int n, max_iterations;
    double *mixed; /* (n) z - gamma(z) */
    ms_nonlinear_history history;
} anderson;

static int create(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    anderson *s = workspace;
    (void)error;
    s->n = setup->n;
    s->max_iterations = setup->options->max_iterations;
    s->mixed = ms_structure_alloc(setup->memory, (size_t)setup->n, sizeof *s->mixed);
    return s->mixed != NULL ? ms_nonlinear_history_create(&s->history, setup, CAPACITY) : MS_NO_MEMORY;
}

static int iterate(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                   ms_nonlinear_counts *counts, double *norm)
{
    anderson *s = workspace;
    ms_nonlinear_step(s->n, z, -1.0, r, s->mixed);
    MS_TRY(ms_nonlinear_history_combine(&s->history, s->mixed, r, z));
    ms_nonlinear_history_add(&s->history, s->mixed, r);
    return ms_nonlinear_evaluate(problem, z, r, counts, norm);
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    anderson *s = workspace;
    ms_nonlinear_history_clear(&s->history);
    return ms_nonlinear_iterate(s, s->max_iterations, iterate, problem, z, r, counts);
}

const ms_nonlinear_method ms_nonlinear_anderson = {
    .name = "anderson",
    .backend = "native",
    .evaluations = 1,
    .summary = "Anderson mixing of 30 points, least squares to full accuracy",
    .source = "Anderson (1965); Eguillon et al. (2021), Table 4",
    .workspace = sizeof(anderson),
    .create = create,
    .solve = solve,
};
