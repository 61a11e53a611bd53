/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_ifosmondi.c - iterative coupling: `ifosmondi` with continuously differentiable inputs, `zoh-iterative` with held ones, and
 * `missiles`, which solves the same equations at once.
 *
 * The unknowns of a macro-step [T_n, T_n + h] are the inputs at its end and, for ifosmondi, their slopes there: z = (u, u'), or z = u.
 * Every call of
 *
 *     gamma(z) = z - (L y, L y')    y, y' at T_n + h under the input given by z                 (24)
 *
 * integrates all subsystems again from T_n. The input of ifosmondi is the cubic with value and slope of the last macro-step's input at
 * T_n and with u, u' at T_n + h (22); in the first macro-step the slope at T_n is free and the cubic is a parabola. That of zoh-iterative
 * is u throughout.
 *
 *     1. first call: the parabola with value and slope at T_n and the same value at T_n + h (20), in the
 *        first macro-step a constant; z = (L y, L y') of it is where the method starts;
 *     2. a method of nonlinear.h solves gamma(z) = 0 until each |gamma_i| < epsilon (|z_i| + 1) (27),
 *        the starting point included;
 *     3. last call, with the solution: it leaves the subsystems in the right state. The fixed point is
 *        there already.
 *
 * In the numbers of the paper: inputs and outputs of the subsystems (1) are concatenated (2), and found by offsets instead of the
 * matrices (3), (4), (5); macro-steps (6), (7) are those of run.c. The step of a subsystem (11), (12), with output derivatives (13),
 * under the input of z is zeta (19), in the first call (21) and later (23). L is the transpose of (14), u = L y is the dispatching (15);
 * |u - L y| (16) is zero where the coupling holds (17), and so is gamma. (18) is why inputs are cubics; the fixed-point iteration is
 * (25), (26).
 *
 * The accelerators of other couplings (relaxation, aitken, iqn-ils, iqn-imvj) start at the unknowns (20) of the first call and need no
 * last call: each call is one sweep and one iteration. Their memory across macro-steps is in aux. Groups of their preconditioners are the
 * values at one subsystem, or its slopes.
 *
 * With `sweep` gauss-seidel a call takes the subsystems in the order of `sequence`, and inputs fed only by earlier ones are L y, L y' of
 * this call; only the other inputs are unknowns. The solution is the same.
 *
 * With `rollback` estimated (COSTARICA) every call is an estimate from linearisations at T_n (output_estimate.c), and the last one
 * is a step: subsystems integrate once and never roll back. What it leaves between outputs and estimates is the defect.
 *
 * missiles has no iteration: under estimates gamma is affine in z, one linear system gives its root, with one correction for
 * round-off, and each subsystem steps once with that input. No rollback. On linear subsystems this is converged ifosmondi.
 *
 * fixed-point is classical IFOSMONDI, the other methods are IFOSMONDI-JFM. Iterations of the fixed point are calls of gamma, the first
 * one included; those of the others are the method's own. None starts after max-iterations of them. A macro-step that does not converge
 * is repeated with half its length (28), see run.c.
 *
 * Order of convergence: 4 with exact output derivatives and epsilon -> 0 (the error of cubic Hermite interpolation), 3 with differences,
 * whose slopes have order 1 in h and the inputs order 2..;
 * zoh-iterative 1. Estimates of nonlinear subsystems have an error of order h^3 at the end of a macro-step if outputs are linear in
 * states and inputs: order 3 with them and for missiles. Otherwise the error is of order h^2, and the order is 2 (measured on
 * double-pendulum, coupled-pendula). No order is claimed on nonlinear systems, since they do not declare whether outputs are linear. On
 * linear systems estimates are exact, and the order is 4.
 *
 * Capabilities: rollback of every subsystem, inputs of degree 3 and output derivatives of order 1
 * (ifosmondi); estimates instead of rollback and output derivatives: what output_estimate.c needs.
 *
 * Source: Eguillon, Lacabanne, Tromeur-Dervout (2021), 3.1-3.4; estimates and missiles after COSTARICA and MISSILES of the same.
 *
 * Departures: epsilon = 0 is ours (convergence.h): iterate until the residual stops falling or the method finds no smaller one; round-off
 * is that of the memory at T_n (differences: of y/h as well) and of the first guess. So are Gauss-Seidel sweeps and the accelerators of
 * other couplings, which the paper does not have. */
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/options.h>
#include "ifosmondi.h"
#include "ifosmondi_data.h"
#include "observation.h"
#include "time_events.h"

static bool converged(void *context, const double *z, const double *r)
{
    const ms_cosim *cosim = context;
    ifosmondi_data *data = cosim->scheme_data;
    return ms_convergence_reached(&data->iteration.convergence, z, r);
}

/* A macro-step ------------------------------------------------------------------------------------------- */

/* Has a subsystem announced a time event that the macro-step ends at? */
static bool has_event(const ms_cosim *cosim, double t)
{
    bool any = false;
    for (int i = 0; i < cosim->system->n; i++)
        any |= ms_time_events_coincide(t, cosim->due[i]);
    return any;
}

/* The largest entry of the memory, also divided by h if it enters differences. */
static double entries(const ms_cosim *cosim, double h)
{
    const bool differences = cosim->variant.initial.output_derivatives != MS_YDOT_EXACT;
    const double size = ms_convergence_largest(cosim->lin_size, cosim->lin);
    return differences ? fmax(size, ms_convergence_largest(cosim->system->ny, cosim->y) / h) : size;
}

int ms_ifosmondi_begin(ms_cosim *cosim, double t, double h, double *z)
{
    ifosmondi_data *data = cosim->scheme_data;
    ms_iteration *it = &data->iteration;
    const bool tightest = ms_iteration_is_tightest(it);
    ms_cosim_save(cosim, data->before);
    ms_iteration_begin(it);
    data->t = t;
    data->h = h;
    const double scale = tightest ? entries(cosim, h) : 0.0;
    int status = MS_OK;
    if (data->estimate != NULL)
        status = ms_output_estimate_begin(cosim, data->estimate, t, h, data->left);
    MS_THEN(status, ms_ifosmondi_call(cosim, data, NULL, z));
    const bool guessed = tightest && status == MS_OK;
    ms_convergence_begin(&it->convergence, guessed ? fmax(scale, ms_convergence_largest(it->n, z)) : scale);
    return status;
}

ms_nonlinear_problem ms_ifosmondi_problem(ms_cosim *cosim)
{
    const ifosmondi_data *data = cosim->scheme_data;
    return (ms_nonlinear_problem){.n = data->iteration.n,
                                  .residual = ms_ifosmondi_residual,
                                  .converged = converged,
                                  .context = cosim,
                                  .memory = data->iteration.memory};
}

/* The first call and the residual of its result, if the iterations allow for it: without coupling there is nothing
 * to be solved. */
static int guess(ms_cosim *cosim, ifosmondi_data *data, double t, double h)
{
    ms_iteration *it = &data->iteration;
    MS_TRY(ms_ifosmondi_begin(cosim, t, h, it->z));
    if (it->most < 0)
        return it->n > 0 ? MS_NOT_CONVERGED : MS_OK;
    if (!it->method->from_start)
        return ms_ifosmondi_residual(cosim, it->z, it->r);
    for (int k = 0; k < it->n; k++) { /* of the first call itself */
        const double image = it->z[k];
        it->z[k] = data->given[data->unknown[k]];
        it->r[k] = it->z[k] - image;
    }
    return MS_OK;
}

/* The only step of subsystems that are estimated, under the inputs of z. */
static int step_once(ms_cosim *cosim, ifosmondi_data *data)
{
    const size_t ny = (size_t)cosim->system->ny;
    const int estimated = ms_ifosmondi_call(cosim, data, data->iteration.z, data->iteration.r);
    memcpy(data->estimated, cosim->y_raw, sizeof(double) * ny);
    const int status = estimated == MS_OK ? ms_ifosmondi_advance(cosim, data, NULL) : estimated;
    cosim->no_return = status != MS_OK && !ms_cosim_can_roll_back(cosim, NULL);
    for (size_t j = 0; j < ny && status == MS_OK; j++)
        cosim->defect = fmax(cosim->defect, fabs(cosim->y_raw[j] - data->estimated[j]));
    return status;
}

/* gamma(z) = 0 of estimates, which are affine in z. */
static int solve_at_once(ms_cosim *cosim, ifosmondi_data *data, double t, double h)
{
    ms_iteration *it = &data->iteration;
    int status = ms_ifosmondi_begin(cosim, t, h, it->z);
    MS_THEN(status, ms_output_estimate_factor(cosim, data->estimate, *data->steps == 0.0));
    for (int pass = 0; pass < 2 && status == MS_OK; pass++) { /* the second one for round-off */
        status = ms_ifosmondi_residual(cosim, it->z, it->r);
        ms_output_estimate_solve(cosim, data->estimate, it->r);
        for (int k = 0; k < it->n; k++)
            it->z[k] -= it->r[k];
    }
    if (status == MS_NO_SOLUTION)
        return ms_fail(&cosim->error, status,
                       "%s: its equations are singular on the macro-step of %.3g s at %.6g s",
                       cosim->scheme->name, h, t);
    return status == MS_OK ? step_once(cosim, data) : status;
}

/* gamma(z) = 0 from the dispatched outputs of the first call; the subsystems end in the state of the
 * solution. */
static int iterate(ms_cosim *cosim, ifosmondi_data *data, double t, double h)
{
    const ms_nonlinear_problem problem = ms_ifosmondi_problem(cosim);
    ms_iteration *it = &data->iteration;
    ms_nonlinear_counts counts = {0};
    int status = guess(cosim, data, t, h);
    MS_THEN(status, ms_iteration_solve(it, &problem, &counts));
    long calls = it->calls;
    if (status == MS_OK && data->estimate != NULL) {
        status = step_once(cosim, data);
    } else if (status == MS_OK && it->most >= 0 &&
               (ms_iteration_is_tightest(it) || !it->method->counts_calls)) {
        status = ms_ifosmondi_residual(cosim, it->z, it->r);
        calls += it->method->from_start; /* which includes a sweep */
    }
    cosim->iterations += ms_iteration_count(it, &counts, calls);
    return status;
}

/* The same for observers, which see only the last sweep. */
static int solve(ms_cosim *cosim, ifosmondi_data *data, double t, double h)
{
    if (data->estimate == NULL)
        ms_observation_pause(cosim);
    int status = iterate(cosim, data, t, h);
    MS_THEN(status, ms_observation_repeat(cosim, data->before, t, h));
    ms_observation_resume(cosim);
    return status;
}

static int not_converged(ms_cosim *cosim, const ifosmondi_data *data, double t, double h)
{
    const ms_iteration *it = &data->iteration;
    const char *name = it->method->name;
    const int most = cosim->variant.iteration.max_iterations;
    if (it->most < 0)
        return ms_fail(&cosim->error, MS_NOT_CONVERGED,
                       "%s did not converge on the macro-step of %.3g s at %.6g s: `max-iterations` is %d, "
                       "but at least %d evaluations are needed",
                       name, h, t, most, most - it->most);
    const bool pairs = it->method->domain == MS_DOMAIN_ONE_EQUATION && data->sequence == NULL && it->n > 1;
    return ms_fail(&cosim->error, MS_NOT_CONVERGED,
                   "%s did not converge on the macro-step of %.3g s at %.6g s%s", name, h, t,
                   pairs ? ": one relaxation factor cannot reduce a pair of eigenvalues +-mu, as Jacobi "
                           "sweeps have; use `sweep` gauss-seidel or another `solver-nonlinear`"
                         : "");
}

static int iterative_step(ms_cosim *cosim, double t, double h)
{
    ifosmondi_data *data = cosim->scheme_data;
    const ms_system *s = cosim->system;
    cosim->no_return = false;
    const int status =
        data->iteration.method != NULL ? solve(cosim, data, t, h) : solve_at_once(cosim, data, t, h);
    if (status == MS_NOT_CONVERGED || status == MS_SOLVER_FAILED) {
        ms_cosim_restore(cosim, data->before);
        return status == MS_NOT_CONVERGED ? not_converged(cosim, data, t, h) : status;
    }
    if (status != MS_OK)
        return status;
    memcpy(data->left, data->given, sizeof(double) * (size_t)data->full);
    ms_iteration_accept(&data->iteration);
    memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)s->ny);
    /* across a jump a difference is not a slope: continue as in the first macro-step */
    const bool begins_anew =
        cosim->variant.initial.output_derivatives != MS_YDOT_EXACT && has_event(cosim, t + h);
    *data->steps = begins_anew ? 0.0 : *data->steps + 1.0;
    return MS_OK;
}

/* Consistent outputs and inputs. */
static int iterative_start(ms_cosim *cosim)
{
    const ifosmondi_data *data = cosim->scheme_data;
    return ms_cosim_start_inputs(cosim, cosim->variant.start_time, data->left);
}

/* Of estimates h^3 is left in a macro-step's outputs, and h^4 of their states. */
static int iterative_order(const ms_variant *variant)
{
    if (variant->scheme->slopes && ms_ifosmondi_is_estimated(variant))
        return 3;
    if (!variant->scheme->slopes)
        return 1;
    return variant->initial.output_derivatives == MS_YDOT_EXACT ? 4 : 3;
}

static int iterative_order_on(const ms_system *system, const ms_variant *variant, const ms_options *options,
                              int *work)
{
    (void)options, (void)work;
    if (!variant->scheme->slopes || !ms_ifosmondi_is_estimated(variant))
        return iterative_order(variant);
    if (!system->linear)
        return 0;
    const bool exact = variant->scheme->at_once || variant->initial.output_derivatives == MS_YDOT_EXACT;
    return exact ? 4 : 3; /* missiles takes slopes from its linearisations */
}

/* A macro-step that has converged does not know by which method. */
static const ms_modelled iterative_claims[] = {{"scheme", "ifosmondi zoh-iterative missiles"},
                                               {"rollback", "exact estimated"},
                                               {"solver-nonlinear", NULL},
                                               {"backend", NULL},
                                               {"sweep", NULL},
                                               {"sequence", NULL},
                                               {"start", NULL},
                                               {"initial-inputs", "consistent"},
                                               {"output-derivatives", "exact differences"},
                                               MS_CLAIMS_OF_ANY_SOLVER,
                                               {NULL, NULL}};

static const ms_option_id iterative_options[] = {MS_OPTION_SOLVER_NONLINEAR,
                                                 MS_OPTION_BACKEND,
                                                 MS_OPTION_RELAXATION,
                                                 MS_OPTION_REUSE,
                                                 MS_OPTION_MAX_COLUMNS,
                                                 MS_OPTION_FILTER,
                                                 MS_OPTION_FILTER_LIMIT,
                                                 MS_OPTION_PRECONDITIONER,
                                                 MS_OPTION_SWEEP,
                                                 MS_OPTION_SEQUENCE,
                                                 MS_OPTION_EPSILON,
                                                 MS_OPTION_MAX_ITERATIONS,
                                                 MS_OPTION_STEP_RULE,
                                                 MS_OPTION_MIN_STEP,
                                                 MS_OPTION_ROLLBACK,
                                                 MS_OPTIONS};

/* What all three schemes have. */
#define IFOSMONDI                                                                                            \
    .form = MS_FORM_CONVERGED, .memory = ms_ifosmondi_memory, .create = ms_ifosmondi_create,                 \
    .data = sizeof(ifosmondi_data), .start = iterative_start, .step = iterative_step,                        \
    .order = iterative_order, .claims = iterative_claims

const ms_scheme ms_scheme_ifosmondi = {
    .name = "ifosmondi",
    .summary = "iterated on values and slopes of continuously differentiable inputs",
    .source = "Eguillon et al. 2021",
    .slopes = true,
    .retries = true,
    .rolls_back = true,
    .knows = iterative_options,
    .defaults = ms_iteration_defaults,
    .order_on = iterative_order_on,
    IFOSMONDI};

const ms_scheme ms_scheme_zoh_iterative = {.name = "zoh-iterative",
                                           .summary = "iterated on held inputs",
                                           .source = "Eguillon et al. 2021, 3.2",
                                           .retries = true,
                                           .rolls_back = true,
                                           .knows = iterative_options,
                                           .defaults = ms_iteration_defaults,
                                           IFOSMONDI};

const ms_scheme ms_scheme_missiles = {
    .name = "missiles",
    .summary = "inputs as of ifosmondi by one linear system, one step, no rollback",
    .source = "after Eguillon, Lacabanne and Tromeur-Dervout, MISSILES",
    .slopes = true,
    .at_once = true,
    .knows = (const ms_option_id[]){MS_OPTIONS},
    .order_on = iterative_order_on,
    IFOSMONDI};
