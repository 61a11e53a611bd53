/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_relaxation.c - z <- z - w gamma(z) with a constant factor w in (0, 1], and with Aitken's.
 *
 *     aitken    d = r - r_old,  w <- -w (r_old . d)/(d . d)    in all iterations of a macro-step but the first,
 *               w = sign(w_last) min(w_0, |w_last|)            in the first, w_last the last one of the macro-step before
 *
 * The products use entries scaled by the preconditioner (nonlinear_weights.h); if d is 0, the factor is kept. For one affine
 * equation the second update is exact. Several equations share one factor: if eigenvalues of z - gamma(z) come in pairs +-mu, as for
 * a Jacobi sweep of two subsystems, it suits neither and the iteration may stagnate.
 *
 * An iteration is one evaluation. A point without a value ends it.
 *
 * Source: Irons and Tuck (1969); Kuettler and Wall (2008); preCICE, AitkenAcceleration. (EMPIRE begins each macro-step with w_0.) */
#include <math.h>
#include <string.h>

#include "nonlinear_shared.h"
#include "nonlinear_weights.h"

typedef struct relaxation {
    int n, max_iterations;
    double first, factor; /* w_0, w */
    bool begins;          /* no iteration of the macro-step has been made */
    double *old;          /* r of the iteration before (n); NULL: the factor is constant */
    ms_nonlinear_weights weights;
} relaxation;

static const double initial = 0.5;

static int create(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    relaxation *s = workspace;
    const double given = setup->options->relaxation;
    (void)error;
    s->n = setup->n;
    s->max_iterations = setup->options->max_iterations;
    s->first = given > 0.0 ? given : initial;
    return MS_OK;
}

static int create_aitken(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    relaxation *s = workspace;
    (void)create(setup, workspace, error);
    s->old = ms_structure_alloc(setup->memory, (size_t)setup->n, sizeof *s->old);
    return s->old != NULL ? ms_nonlinear_weights_create(&s->weights, setup) : MS_NO_MEMORY;
}

/* The last factor (0: none yet), then the preconditioner's. */
static size_t aitken_memory(int n, const ms_nonlinear_options *options)
{
    (void)n;
    return 1 + ms_nonlinear_weights_memory(options);
}

static double first_factor(const relaxation *s, double last)
{
    return last != 0.0 ? copysign(fmin(s->first, fabs(last)), last) : s->first;
}

/* The factor after w, from the residuals r and that before it. */
static double next_factor(const relaxation *s, double w, const double *r)
{
    double product = 0.0, square = 0.0;
    for (int i = 0; i < s->n; i++) {
        const double scale = ms_nonlinear_weight(&s->weights, i), d = scale * (r[i] - s->old[i]);
        product += scale * s->old[i] * d;
        square += d * d;
    }
    const double next = -w * product / square;
    return isfinite(next) ? next : w;
}

static int iterate(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                   ms_nonlinear_counts *counts, double *norm)
{
    relaxation *s = workspace;
    if (s->old != NULL) {
        ms_nonlinear_weights_update(&s->weights, z, r);
        s->factor = s->begins ? s->factor : next_factor(s, s->factor, r);
        memcpy(s->old, r, sizeof(double) * (size_t)s->n);
        s->begins = false;
    }
    ms_nonlinear_step(s->n, z, -s->factor, r, z);
    return ms_nonlinear_evaluate(problem, z, r, counts, norm);
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    relaxation *s = workspace;
    s->factor = s->first;
    return ms_nonlinear_iterate(s, s->max_iterations, iterate, problem, z, r, counts);
}

static int solve_aitken(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                        ms_nonlinear_counts *counts)
{
    relaxation *s = workspace;
    double *last = problem->memory;
    s->factor = first_factor(s, *last);
    s->begins = true;
    ms_nonlinear_weights_begin(&s->weights, problem->memory + 1);
    const long before = counts->iterations;
    const int status = ms_nonlinear_iterate(s, s->max_iterations, iterate, problem, z, r, counts);
    ms_nonlinear_weights_end(&s->weights);
    if (counts->iterations > before)
        *last = s->factor;
    return status;
}

/* What constant and adapted relaxation have. */
#define RELAXATION                                                                                           \
    .backend = "native", .evaluations = 1, .relaxation = 0.5, .counts_calls = true, .from_start = true,      \
    .workspace = sizeof(relaxation)

const ms_nonlinear_method ms_nonlinear_relaxation = {.name = "relaxation",
                                                     .domain = MS_DOMAIN_DOWNHILL,
                                                     .summary = "z <- z - w gamma(z), w constant",
                                                     .source = "Kuettler and Wall (2008); preCICE",
                                                     .takes = MS_TAKES_RELAXATION,
                                                     .create = create,
                                                     .solve = solve,
                                                     RELAXATION};

const ms_nonlinear_method ms_nonlinear_aitken = {
    .name = "aitken",
    .domain = MS_DOMAIN_ONE_EQUATION,
    .summary = "z <- z - w gamma(z), w from the last two residuals",
    .source = "Irons and Tuck (1969); Kuettler and Wall (2008); preCICE",
    .takes = MS_TAKES_RELAXATION | MS_TAKES_PRECONDITIONER,
    .memory = aitken_memory,
    .create = create_aitken,
    .solve = solve_aitken,
    RELAXATION};
