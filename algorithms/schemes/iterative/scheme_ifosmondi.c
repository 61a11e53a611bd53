/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_ifosmondi.c - iterative coupling: `ifosmondi` with continuously differentiable inputs,
 * `zoh-iterative` with held ones, and `missiles`, which solves the same equations at once.
 *
 * The unknowns of a macro-step [T_n, T_n + h] are the inputs at its end and, for ifosmondi, their slopes
 * there: z = (u, u'), or z = u. Every call of
 *
 *     gamma(z) = z - (L y, L y')    y, y' at T_n + h under the input that z stands for                 (24)
 *
 * integrates all subsystems anew from T_n. The input of ifosmondi is the cubic with value and slope of the
 * last macro-step's input at T_n and with u, u' at T_n + h (22); in the first macro-step nothing is asked of
 * the slope at T_n and the cubic is a parabola. That of zoh-iterative is u throughout.
 *
 *     1. first call: the parabola with value and slope at T_n and the same value at T_n + h (20), in the
 *        first macro-step a constant; z = (L y, L y') of it is where the method starts;
 *     2. a method of nonlinear.h solves gamma(z) = 0 until each |gamma_i| < epsilon (|z_i| + 1) (27),
 *        the starting point included;
 *     3. last call, with the solution: it leaves the subsystems in the right state. The fixed point stands
 *        there already.
 *
 * With `rollback` estimated (COSTARICA) every call is an estimate from linearisations at T_n (output_estimate.h), and the last one
 * is a step: subsystems integrate once and never roll back. What it leaves between outputs and estimates is the defect.
 *
 * missiles has no iteration: under estimates gamma is affine in z, one linear system gives its root, with one correction for
 * round-off, and each subsystem steps once with that input. No rollback. On linear subsystems that is ifosmondi, converged.
 *
 * fixed-point is classical IFOSMONDI, the other methods are IFOSMONDI-JFM. Iterations of the fixed point are
 * calls of gamma, the first one included; those of the others are the method's own. None starts after
 * max-iterations of them. A macro-step that does not converge is undone and tried again with half its length
 * (28), see run.c.
 *
 * Order of convergence: 4 with exact output derivatives and epsilon -> 0 (the error of cubic Hermite
 * interpolation), 3 with differences, whose slopes have order 1 in h and the inputs order 2..;
 * zoh-iterative 1. Estimates of nonlinear subsystems are off by h^3 at the end of a macro-step where outputs
 * are linear in states and inputs: order 3 with them and of missiles, as is claimed. Where outputs are not they are off by
 * h^2, and the order is 2 (measured on double-pendulum).
 *
 * Capabilities: rollback of every subsystem, inputs of degree 3 and output derivatives of order 1
 * (ifosmondi); estimates instead of rollback and output derivatives: what output_estimate.h needs.
 *
 * Source: Eguillon, Lacabanne, Tromeur-Dervout (2021), 3.1-3.4; estimates and missiles after COSTARICA and MISSILES of the same. epsilon = 0 is ours (convergence.h): iterate until the
 * residual stops falling or the method finds no smaller one; round-off is of the memory at T_n (differences: of y/h as
 * well) and of the first guess. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convergence.h"
#include "execution.h"
#include "hermite_inputs.h"
#include "ifosmondi.h"
#include "output_estimate.h"
#include "time_events.h"

typedef struct iterative_data {
    bool smooth;    /* ifosmondi */
    int n;          /* unknowns: 2 nu or nu */
    int most;       /* iterations of the method from the guess on; negative: not even the guess is judged */
    long calls;     /* of gamma in this macro-step */
    double *left;   /* unknowns at the start of the macro-step (n), in lin */
    double *steps;  /* accepted macro-steps, in aux */
    double *z, *r;  /* (n) each */
    double *dy;     /* (ny) */
    double *before; /* state of the co-simulation at T_n */
    double t, h;
    ms_convergence convergence;
    ms_output_estimate *estimate; /* instead of rollback; NULL: none */
    double *estimated;            /* outputs of the last one (ny) */
    void *workspace;
    const ms_nonlinear_method *method;
} iterative_data;

/* Inputs ------------------------------------------------------------------------------------------------- */

/* Input l for the unknowns z; NULL: the first call. */
static void input_polynomial(const iterative_data *data, int l, int nu, const double *z,
                             double c[HERMITE_DEGREE + 1])
{
    const double a = data->left[l], b = data->smooth ? data->left[nu + l] : 0.0;
    const bool first_step = *data->steps == 0.0;
    memset(c, 0, sizeof(double) * (HERMITE_DEGREE + 1));
    if (!data->smooth)
        c[0] = z != NULL ? z[l] : a;
    else if (z == NULL)
        ms_hermite_first_guess(a, first_step ? 0.0 : b, data->h, c);
    else if (first_step)
        ms_hermite_parabola(a, z[l], z[nu + l], data->h, c);
    else
        ms_hermite_cubic(a, b, z[l], z[nu + l], data->h, c);
}

static void give_inputs(const ms_cosim *cosim, const iterative_data *data, const double *z)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        input->pieces = 1;
        input->end[0] = data->h;
        input->degree = data->smooth ? HERMITE_DEGREE : 0;
        for (int l = 0; l < input->n; l++) {
            double c[HERMITE_DEGREE + 1];
            input_polynomial(data, s->u_at[i] + l, s->nu, z, c);
            for (int k = 0; k <= input->degree; k++)
                ms_input_coefficients(input, 0, k)[l] = c[k];
        }
    }
}

/* The callback ------------------------------------------------------------------------------------------- */

/* y' at the end of the macro-step as the difference over it. */
static void difference_derivatives(const ms_cosim *cosim, const iterative_data *data)
{
    for (int j = 0; j < cosim->system->ny; j++)
        data->dy[j] = (cosim->y_raw[j] - cosim->y[j]) / data->h;
}

/* A step of all subsystems under their inputs. */
static int advance(ms_cosim *cosim, const iterative_data *data, double *dy)
{
    const int status = ms_execution_advance(cosim, data->t, data->h, dy);
    if (status != MS_OK)
        return status;
    cosim->integrations += cosim->system->n;
    cosim->sweeps++;
    return MS_OK;
}

/* All subsystems over the macro-step under the inputs of z (NULL: the first call); `image` becomes
 * (L y, L y'). */
static int call(ms_cosim *cosim, iterative_data *data, const double *z, double *image)
{
    const ms_system *s = cosim->system;
    const bool exact =
        data->smooth && (cosim->scheme->at_once || cosim->variant.output_derivatives == MS_YDOT_EXACT);
    int status = MS_OK;
    data->calls++;
    give_inputs(cosim, data, z);
    if (data->estimate != NULL) {
        ms_output_estimate_outputs(cosim, data->estimate, exact ? data->dy : NULL);
    } else {
        ms_cosim_restore(cosim, data->before);
        status = advance(cosim, data, exact ? data->dy : NULL);
    }
    if (status != MS_OK)
        return status;
    if (data->smooth && !exact)
        difference_derivatives(cosim, data);
    ms_system_couple(s, cosim->y_raw, image);
    if (data->smooth)
        ms_system_couple(s, data->dy, image + s->nu);
    return MS_OK;
}

/* gamma for the methods. A subsystem that cannot be integrated under z leaves gamma without a value there. */
static int residual(void *context, const double *z, double *r)
{
    ms_cosim *cosim = context;
    iterative_data *data = cosim->scheme_data;
    const int status = call(cosim, data, z, r);
    for (int k = 0; k < data->n && status == MS_OK; k++)
        r[k] = z[k] - r[k];
    return status == MS_SOLVER_FAILED ? MS_NOT_CONVERGED : status;
}

static bool is_tightest(const iterative_data *data)
{
    return data->convergence.epsilon == 0.0;
}

static bool converged(void *context, const double *z, const double *r)
{
    const ms_cosim *cosim = context;
    iterative_data *data = cosim->scheme_data;
    return ms_convergence_reached(&data->convergence, z, r);
}

/* A macro-step ------------------------------------------------------------------------------------------- */

/* Has a subsystem announced a time event that the macro-step ends at? */
static bool meets_event(const ms_cosim *cosim, double t)
{
    bool any = false;
    for (int i = 0; i < cosim->system->n; i++)
        any |= ms_time_events_coincide(t, cosim->due[i]);
    return any;
}

/* The largest entry of the memory, and what it is where differences divide it by h. */
static double entries(const ms_cosim *cosim, double h)
{
    const bool differences = cosim->variant.output_derivatives == MS_YDOT_DIFFERENCES;
    const double size = ms_convergence_largest(cosim->lin_size, cosim->lin);
    return differences ? fmax(size, ms_convergence_largest(cosim->system->ny, cosim->y) / h) : size;
}

int ms_ifosmondi_begin(ms_cosim *cosim, double t, double h, double *z)
{
    iterative_data *data = cosim->scheme_data;
    ms_cosim_save(cosim, data->before);
    data->t = t;
    data->h = h;
    data->calls = 0;
    const double scale = is_tightest(data) ? entries(cosim, h) : 0.0;
    int status = MS_OK;
    if (data->estimate != NULL)
        status = ms_output_estimate_begin(cosim, data->estimate, t, h, data->left);
    if (status == MS_OK)
        status = call(cosim, data, NULL, z);
    const bool guessed = is_tightest(data) && status == MS_OK;
    ms_convergence_begin(&data->convergence,
                         guessed ? fmax(scale, ms_convergence_largest(data->n, z)) : scale);
    return status;
}

ms_nonlinear_problem ms_ifosmondi_problem(ms_cosim *cosim)
{
    const iterative_data *data = cosim->scheme_data;
    return (ms_nonlinear_problem){data->n, residual, converged, cosim};
}

int ms_ifosmondi_iterations_left(const ms_nonlinear_method *method, int max_iterations, bool last_call)
{
    return max_iterations - (method->counts_calls ? (last_call ? 3 : 2) : 0);
}

/* The first call and its residual, where the iterations allow for it: nothing is to be solved without it
 * where nothing is coupled. */
static int guess(ms_cosim *cosim, iterative_data *data, double t, double h)
{
    const int status = ms_ifosmondi_begin(cosim, t, h, data->z);
    if (status != MS_OK || data->most >= 0)
        return status == MS_OK ? residual(cosim, data->z, data->r) : status;
    return data->n > 0 ? MS_NOT_CONVERGED : MS_OK;
}

/* The only step of subsystems that are estimated, under the inputs of z. */
static int step_once(ms_cosim *cosim, iterative_data *data)
{
    const size_t ny = (size_t)cosim->system->ny;
    const int estimated = call(cosim, data, data->z, data->r);
    memcpy(data->estimated, cosim->y_raw, sizeof(double) * ny);
    const int status = estimated == MS_OK ? advance(cosim, data, NULL) : estimated;
    cosim->no_return = status != MS_OK && !ms_cosim_can_roll_back(cosim, NULL);
    for (size_t j = 0; j < ny && status == MS_OK; j++)
        cosim->defect = fmax(cosim->defect, fabs(cosim->y_raw[j] - data->estimated[j]));
    return status;
}

/* gamma(z) = 0 of estimates, which are affine in z. */
static int solve_at_once(ms_cosim *cosim, iterative_data *data, double t, double h)
{
    int status = ms_ifosmondi_begin(cosim, t, h, data->z);
    if (status == MS_OK)
        status = ms_output_estimate_factor(cosim, data->estimate, *data->steps == 0.0);
    for (int pass = 0; pass < 2 && status == MS_OK; pass++) { /* the second one for round-off */
        status = residual(cosim, data->z, data->r);
        ms_output_estimate_solve(cosim, data->estimate, data->r);
        for (int k = 0; k < data->n; k++)
            data->z[k] -= data->r[k];
    }
    if (status == MS_NO_SOLUTION)
        return ms_fail(&cosim->error, status,
                       "%s: its equations are singular on the macro-step of %.3g s at %.6g s",
                       cosim->scheme->name, h, t);
    return status == MS_OK ? step_once(cosim, data) : status;
}

/* gamma(z) = 0 from the dispatched outputs of the first call; the subsystems end in the state of the
 * solution. */
static int solve(ms_cosim *cosim, iterative_data *data, double t, double h)
{
    const ms_nonlinear_problem problem = ms_ifosmondi_problem(cosim);
    ms_nonlinear_counts counts = {0};
    int status = guess(cosim, data, t, h);
    if (status == MS_OK && data->n > 0 && (is_tightest(data) || !converged(cosim, data->z, data->r)))
        status = data->method->solve(data->workspace, &problem, data->z, data->r, &counts);
    if (is_tightest(data) && (status == MS_OK || status == MS_NOT_CONVERGED) &&
        ms_convergence_at_round_off(&data->convergence)) {
        memcpy(data->z, data->convergence.best, sizeof(double) * (size_t)data->n);
        status = MS_OK;
    }
    const long calls = data->calls;
    if (status == MS_OK && data->estimate != NULL)
        status = step_once(cosim, data);
    else if (status == MS_OK && data->most >= 0 && (is_tightest(data) || !data->method->counts_calls))
        status = residual(cosim, data->z, data->r);
    cosim->iterations += data->method->counts_calls ? calls : counts.iterations;
    return status;
}

static int not_converged(ms_cosim *cosim, const iterative_data *data, double t, double h)
{
    const char *name = data->method->name;
    const int most = cosim->variant.max_iterations;
    if (data->most < 0)
        return ms_fail(&cosim->error, MS_NOT_CONVERGED,
                       "%s did not converge on the macro-step of %.3g s at %.6g s: `max-iterations` %d, and "
                       "%d calls are the least",
                       name, h, t, most, most - data->most);
    return ms_fail(&cosim->error, MS_NOT_CONVERGED,
                   "%s did not converge on the macro-step of %.3g s at %.6g s", name, h, t);
}

static int iterative_step(ms_cosim *cosim, double t, double h)
{
    iterative_data *data = cosim->scheme_data;
    const ms_system *s = cosim->system;
    cosim->no_return = false;
    const int status = data->method != NULL ? solve(cosim, data, t, h) : solve_at_once(cosim, data, t, h);
    if (status == MS_NOT_CONVERGED || status == MS_SOLVER_FAILED) {
        ms_cosim_restore(cosim, data->before);
        return status == MS_NOT_CONVERGED ? not_converged(cosim, data, t, h) : status;
    }
    if (status != MS_OK)
        return status;
    memcpy(data->left, data->z, sizeof(double) * (size_t)data->n);
    memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)s->ny);
    /* over a jump a difference is no slope: what follows begins as the first macro-step */
    const bool begins_anew =
        cosim->variant.output_derivatives == MS_YDOT_DIFFERENCES && meets_event(cosim, t + h);
    *data->steps = begins_anew ? 0.0 : *data->steps + 1.0;
    return MS_OK;
}

/* Consistent outputs and inputs. */
static int iterative_start(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const iterative_data *data = cosim->scheme_data;
    const double t = cosim->variant.start_time;
    if (cosim->variant.initial_inputs != MS_INITIAL_ZERO)
        return ms_cosim_start_loop(cosim, t, cosim->y, data->left);
    const int status = ms_cosim_outputs_without_inputs(cosim, t, data->left, cosim->y);
    ms_system_couple(s, cosim->y, data->left);
    return status;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static bool is_smooth(const ms_cosim *cosim)
{
    return cosim->scheme->slopes;
}

/* Outputs, then inputs and, for ifosmondi, their slopes. */
static void iterative_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    *lin = cosim->system->ny + (is_smooth(cosim) ? 2 : 1) * cosim->system->nu;
    *aux = 1;
}

static void iterative_destroy(ms_cosim *cosim)
{
    iterative_data *data = cosim->scheme_data;
    if (data == NULL)
        return;
    if (data->method != NULL)
        data->method->destroy(&data->workspace);
    ms_output_estimate_destroy(&data->estimate);
    free(data->z);
    free(data);
    cosim->scheme_data = NULL;
}

/* Without rollback? */
static bool is_estimated(const ms_variant *o)
{
    return o->scheme->at_once || o->rollback == MS_ROLLBACK_ESTIMATED;
}

static int check_subsystem(const ms_instance *instance, const ms_variant *o, bool smooth, ms_error *error)
{
    const char *name = instance->sub->name;
    const bool estimated = is_estimated(o);
    if (!instance->can.rollback && !estimated)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s cannot roll back, which `scheme` %s needs; use a one-step solver or "
                       "`input-change` restart, no mask on rollback, `rollback` estimated, or f3ornits or an "
                       "explicit scheme",
                       name, o->scheme->name);
    if (smooth && instance->can.input_degree < HERMITE_DEGREE)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s takes inputs of degree %d at most and `scheme` %s gives degree 3; "
                       "zoh-iterative holds them",
                       name, instance->can.input_degree, o->scheme->name);
    if (smooth && !estimated && instance->can.output_derivatives < 1 &&
        o->output_derivatives == MS_YDOT_EXACT)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s gives no output derivatives, which `scheme` %s needs; take "
                       "`output-derivatives` differences",
                       name, o->scheme->name);
    if (instance->can.step != 0.0 && o->scheme->retries && o->step_rule != MS_STEP_RULE_FIXED)
        return ms_fail(error, MS_UNSUPPORTED, "subsystem %s imposes a step of %g s; take `step-rule` fixed",
                       name, instance->can.step);
    return MS_OK;
}

static int choose_method(iterative_data *data, const ms_variant *o, ms_error *error)
{
    const char *name = ms_nonlinear_name(o->solver_nonlinear), *backend = ms_backend_names[o->backend];
    data->method = ms_nonlinear_find(name, backend);
    if (data->method != NULL) {
        data->most = ms_ifosmondi_iterations_left(data->method, o->max_iterations, is_tightest(data));
        const ms_nonlinear_options options = {.max_iterations = data->most > 0 ? data->most : 0};
        if (data->n == 0) /* nothing is coupled, nothing to iterate on */
            return MS_OK;
        return data->method->create(data->n, &options, &data->workspace, error);
    }
    char backends[128];
    ms_nonlinear_backends(name, backends, sizeof backends);
    return ms_fail(error, MS_UNSUPPORTED, "`backend` %s: does not have %s here; take %s", backend, name,
                   backends);
}

static int iterative_create(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    iterative_data *data = calloc(1, sizeof *data);
    cosim->scheme_data = data;
    if (data == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for scheme %s", cosim->scheme->name);
    data->smooth = is_smooth(cosim);
    data->n = (data->smooth ? 2 : 1) * s->nu;
    data->convergence.n = data->n;
    data->convergence.epsilon = cosim->variant.epsilon;
    int status = ms_cosim_check_imposed_steps(cosim, error);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        status = check_subsystem(cosim->instance[i], &cosim->variant, data->smooth, error);
    if (status == MS_OK && is_estimated(&cosim->variant))
        status = ms_output_estimate_create(cosim, data->smooth ? HERMITE_DEGREE : 0, cosim->scheme->at_once,
                                           &data->estimate, error);
    if (status == MS_OK && !cosim->scheme->at_once)
        status = choose_method(data, &cosim->variant, error);
    if (status != MS_OK)
        return status;
    const size_t n = (size_t)data->n, ny = (size_t)s->ny;
    data->z = calloc(3 * n + 2 * ny + ms_cosim_state_size(cosim) + 1, sizeof *data->z);
    if (data->z == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for scheme %s", cosim->scheme->name);
    data->r = data->z + n;
    data->convergence.best = data->r + n;
    data->dy = data->convergence.best + n;
    data->estimated = data->dy + ny;
    data->before = data->estimated + ny;
    data->left = cosim->scheme_lin + s->ny;
    data->steps = cosim->scheme_aux;
    return MS_OK;
}

/* Of estimates h^3 is left in a macro-step's outputs, and h^4 of their states. */
static int iterative_order(const ms_variant *variant)
{
    if (variant->scheme->slopes && is_estimated(variant))
        return 3;
    if (!variant->scheme->slopes)
        return 1;
    return variant->output_derivatives == MS_YDOT_EXACT ? 4 : 3;
}

/* A macro-step that has converged does not know by which method. */
static const ms_modelled iterative_claims[] = {{"scheme", "ifosmondi zoh-iterative missiles"},
                                               {"rollback", "exact estimated"},
                                               {"solver-nonlinear", NULL},
                                               {"backend", NULL},
                                               {"start", NULL},
                                               {"initial-inputs", "consistent"},
                                               {"output-derivatives", "exact differences"},
                                               {"solver", NULL},
                                               {"input-change", "restart proceed correct-1 correct-2"},
                                               {"micro-steps", NULL},
                                               {"mask", NULL},
                                               {NULL, NULL}};

static const char *const iterative_options[] = {"solver-nonlinear", "backend",  "epsilon",  "max-iterations",
                                                "step-rule",        "min-step", "rollback", NULL};

const ms_scheme ms_scheme_ifosmondi = {
    .name = "ifosmondi",
    .summary = "iterated on values and slopes of continuously differentiable inputs",
    .source = "Eguillon et al. 2021",
    .form = MS_FORM_CONVERGED,
    .slopes = true,
    .retries = true,
    .options = iterative_options,
    .memory = iterative_memory,
    .create = iterative_create,
    .destroy = iterative_destroy,
    .start = iterative_start,
    .step = iterative_step,
    .order = iterative_order,
    .claims = iterative_claims};

const ms_scheme ms_scheme_zoh_iterative = {.name = "zoh-iterative",
                                           .summary = "iterated on held inputs",
                                           .source = "Eguillon et al. 2021, 3.2",
                                           .form = MS_FORM_CONVERGED,
                                           .retries = true,
                                           .options = iterative_options,
                                           .memory = iterative_memory,
                                           .create = iterative_create,
                                           .destroy = iterative_destroy,
                                           .start = iterative_start,
                                           .step = iterative_step,
                                           .order = iterative_order,
                                           .claims = iterative_claims};

const ms_scheme ms_scheme_missiles = {
    .name = "missiles",
    .summary = "inputs as of ifosmondi by one linear system, one step, no rollback",
    .source = "after Eguillon, Lacabanne and Tromeur-Dervout, MISSILES",
    .form = MS_FORM_CONVERGED,
    .slopes = true,
    .at_once = true,
    .options = (const char *const[]){NULL},
    .memory = iterative_memory,
    .create = iterative_create,
    .destroy = iterative_destroy,
    .start = iterative_start,
    .step = iterative_step,
    .order = iterative_order,
    .claims = iterative_claims};
