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
 * The accelerators of other couplings (relaxation, aitken, iqn-ils, iqn-imvj) start where the first call was made, at the unknowns
 * of (20), and need no last call: each call is a sweep of theirs, and an iteration. What they keep over macro-steps lies in aux. A
 * datum of their preconditioners are the values at one subsystem, or the slopes.
 *
 * With `sweep` gauss-seidel a call takes the subsystems in the order of `order`, and inputs that only earlier ones feed are
 * L y, L y' of this call; unknown are the other inputs alone. The solution is the same.
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
#include "options.h"
#include "output_estimate.h"
#include "time_events.h"

typedef struct iterative_data {
    bool smooth;               /* ifosmondi */
    int full;                  /* 2 nu or nu: values and slopes of all inputs */
    int n;                     /* unknowns among them */
    int *unknown;              /* (n) where they are in (full) */
    int *datum;                /* (n) */
    bool *fed;                 /* (nu) Gauss-Seidel: inputs that only earlier subsystems feed */
    int *sequence, *rank;      /* (subsystems) Gauss-Seidel; NULL: Jacobi */
    double *given;             /* (full) values and slopes of the inputs of the last call */
    double *image;             /* (full) L y, L y' of it */
    int kept;                  /* doubles that the method keeps over macro-steps, */
    double *memory, *accepted; /* those of this macro-step, and of the last accepted one in aux */
    int most;       /* iterations of the method from the guess on; negative: not even the guess is judged */
    long calls;     /* of gamma in this macro-step */
    double *left;   /* values and slopes at the start of the macro-step (full), in lin */
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

/* Input l from the values and slopes that are given; guessed: of the first call. */
static void input_polynomial(const iterative_data *data, int l, int nu, bool guessed,
                             double c[HERMITE_DEGREE + 1])
{
    const double a = data->left[l], b = data->smooth ? data->left[nu + l] : 0.0, *z = data->given;
    const bool first_step = *data->steps == 0.0;
    memset(c, 0, sizeof(double) * (HERMITE_DEGREE + 1));
    if (!data->smooth)
        c[0] = z[l];
    else if (guessed)
        ms_hermite_first_guess(a, first_step ? 0.0 : b, data->h, c);
    else if (first_step)
        ms_hermite_parabola(a, z[l], z[nu + l], data->h, c);
    else
        ms_hermite_cubic(a, b, z[l], z[nu + l], data->h, c);
}

/* The inputs of subsystem i. */
static void give_inputs_of(const ms_cosim *cosim, const iterative_data *data, int i, bool first_call)
{
    const ms_system *s = cosim->system;
    ms_input *input = &cosim->instance[i]->input;
    input->pieces = 1;
    input->end[0] = data->h;
    input->degree = data->smooth ? HERMITE_DEGREE : 0;
    for (int l = 0; l < input->n; l++) {
        const int at = s->u_at[i] + l;
        double c[HERMITE_DEGREE + 1];
        input_polynomial(data, at, s->nu, first_call && !data->fed[at], c);
        for (int k = 0; k <= input->degree; k++)
            ms_input_coefficients(input, 0, k)[l] = c[k];
    }
}

static void give_inputs(const ms_cosim *cosim, const iterative_data *data, bool first_call)
{
    for (int i = 0; i < cosim->system->n; i++)
        give_inputs_of(cosim, data, i, first_call);
}

/* What the inputs of the first call have at its end: (20). */
static void guess_inputs(const ms_cosim *cosim, const iterative_data *data)
{
    const int nu = cosim->system->nu;
    memcpy(data->given, data->left, sizeof(double) * (size_t)data->full);
    for (int l = nu; l < data->full; l++)
        data->given[l] = *data->steps == 0.0 ? 0.0 : -data->left[l];
}

static void scatter(const iterative_data *data, const double *z)
{
    for (int k = 0; k < data->n; k++)
        data->given[data->unknown[k]] = z[k];
}

static void gather(const iterative_data *data, const double *from, double *z)
{
    for (int k = 0; k < data->n; k++)
        z[k] = from[data->unknown[k]];
}

/* The callback ------------------------------------------------------------------------------------------- */

/* y' of outputs [first, last) at the end of the macro-step as the difference over it. */
static void difference_derivatives(const ms_cosim *cosim, const iterative_data *data, int first, int last)
{
    for (int j = first; j < last; j++)
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

/* Input l as its wires have it. */
static double coupled(const ms_system *s, int l, const double *y)
{
    double sum = 0.0;
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
        sum += s->wire_gain[w] * y[s->wire_output[w]];
    return sum;
}

/* The inputs of subsystem i that earlier ones feed. */
static void take_newest(const ms_cosim *cosim, const iterative_data *data, int i)
{
    const ms_system *s = cosim->system;
    for (int l = s->u_at[i]; l < s->u_at[i + 1]; l++) {
        if (!data->fed[l])
            continue;
        data->given[l] = coupled(s, l, cosim->y_raw);
        if (data->smooth)
            data->given[s->nu + l] = coupled(s, l, data->dy);
    }
}

/* The same as advance, of one subsystem after the other, each with the newest outputs. */
static int advance_in_order(ms_cosim *cosim, const iterative_data *data, bool exact, bool first_call)
{
    const ms_system *s = cosim->system;
    for (int k = 0; k < s->n; k++) {
        const int i = data->sequence[k];
        cosim->instance[i]->t = data->t;
        cosim->instance[i]->h = data->h;
        take_newest(cosim, data, i);
        give_inputs_of(cosim, data, i, first_call);
        const int status = ms_execution_advance_one(cosim, i, exact ? data->dy : NULL);
        if (status != MS_OK)
            return status;
        if (data->smooth && !exact)
            difference_derivatives(cosim, data, s->y_at[i], s->y_at[i + 1]);
    }
    cosim->integrations += s->n;
    cosim->sweeps++;
    return MS_OK;
}

/* A sweep of subsystems that roll back. */
static int sweep(ms_cosim *cosim, const iterative_data *data, bool exact, bool first_call)
{
    ms_cosim_restore(cosim, data->before);
    if (data->sequence != NULL)
        return advance_in_order(cosim, data, exact, first_call);
    give_inputs(cosim, data, first_call);
    const int status = advance(cosim, data, exact ? data->dy : NULL);
    if (status == MS_OK && data->smooth && !exact)
        difference_derivatives(cosim, data, 0, cosim->system->ny);
    return status;
}

/* The same of estimates. */
static void estimate(ms_cosim *cosim, const iterative_data *data, bool exact, bool first_call)
{
    give_inputs(cosim, data, first_call);
    ms_output_estimate_outputs(cosim, data->estimate, exact ? data->dy : NULL);
    if (data->smooth && !exact)
        difference_derivatives(cosim, data, 0, cosim->system->ny);
}

/* All subsystems over the macro-step under the inputs of z (NULL: the first call); `image`, which may be z, becomes what
 * (L y, L y') has for the unknowns. */
static int call(ms_cosim *cosim, iterative_data *data, const double *z, double *image)
{
    const ms_system *s = cosim->system;
    const bool exact =
        data->smooth && (cosim->scheme->at_once || cosim->variant.output_derivatives == MS_YDOT_EXACT);
    int status = MS_OK;
    data->calls++;
    if (z == NULL)
        guess_inputs(cosim, data);
    else
        scatter(data, z);
    if (data->estimate != NULL)
        estimate(cosim, data, exact, z == NULL);
    else
        status = sweep(cosim, data, exact, z == NULL);
    if (status != MS_OK)
        return status;
    ms_system_couple(s, cosim->y_raw, data->image);
    if (data->smooth)
        ms_system_couple(s, data->dy, data->image + s->nu);
    gather(data, data->image, image);
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
    return (ms_nonlinear_problem){
        .n = data->n, .residual = residual, .converged = converged, .context = cosim, .memory = data->memory};
}

int ms_ifosmondi_iterations_left(const ms_nonlinear_method *method, int max_iterations, bool last_call)
{
    return max_iterations - (method->counts_calls ? (method->from_start ? 1 : 2) + last_call : 0);
}

/* The first call and the residual of what it led to, where the iterations allow for it: nothing is to be solved without it
 * where nothing is coupled. */
static int guess(ms_cosim *cosim, iterative_data *data, double t, double h)
{
    const int status = ms_ifosmondi_begin(cosim, t, h, data->z);
    if (status != MS_OK)
        return status;
    if (data->most < 0)
        return data->n > 0 ? MS_NOT_CONVERGED : MS_OK;
    if (!data->method->from_start)
        return residual(cosim, data->z, data->r);
    for (int k = 0; k < data->n; k++) { /* of the first call itself */
        const double image = data->z[k];
        data->z[k] = data->given[data->unknown[k]];
        data->r[k] = data->z[k] - image;
    }
    return MS_OK;
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
    memcpy(data->memory, data->accepted, sizeof(double) * (size_t)data->kept);
    int status = guess(cosim, data, t, h);
    if (status == MS_OK && data->n > 0 && (is_tightest(data) || !converged(cosim, data->z, data->r)))
        status = data->method->solve(data->workspace, &problem, data->z, data->r, &counts);
    if (is_tightest(data) && (status == MS_OK || status == MS_NOT_CONVERGED) &&
        ms_convergence_at_round_off(&data->convergence)) {
        memcpy(data->z, data->convergence.best, sizeof(double) * (size_t)data->n);
        status = MS_OK;
    }
    long calls = data->calls;
    if (status == MS_OK && data->estimate != NULL) {
        status = step_once(cosim, data);
    } else if (status == MS_OK && data->most >= 0 && (is_tightest(data) || !data->method->counts_calls)) {
        status = residual(cosim, data->z, data->r);
        calls += data->method->from_start; /* a sweep of it as well */
    }
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
    const bool pairs = data->method->reach == MS_REACH_ONE_EQUATION && data->sequence == NULL && data->n > 1;
    return ms_fail(
        &cosim->error, MS_NOT_CONVERGED, "%s did not converge on the macro-step of %.3g s at %.6g s%s", name,
        h, t,
        pairs
            ? ": the one factor of Aitken serves no pair of eigenvalues +-mu, which Jacobi sweeps have; take "
              "`sweep` gauss-seidel or iqn-ils"
            : "");
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
    memcpy(data->left, data->given, sizeof(double) * (size_t)data->full);
    memcpy(data->accepted, data->memory, sizeof(double) * (size_t)data->kept);
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

static const ms_nonlinear_method *find_method(int name, int backend)
{
    return ms_nonlinear_find(ms_nonlinear_name(name), ms_backend_names[backend]);
}

void ms_ifosmondi_defaults(ms_options *o)
{
    const ms_nonlinear_method *method = find_method(o->solver_nonlinear, o->backend);
    if (method == NULL)
        return;
    if (!o->given[MS_OPTION_RELAXATION] && ms_nonlinear_knows(method, "relaxation"))
        o->relaxation = method->relaxation;
    if (!o->given[MS_OPTION_REUSE] && ms_nonlinear_knows(method, "reuse"))
        o->reuse = method->reuse;
    if (!o->given[MS_OPTION_MAX_COLUMNS] && ms_nonlinear_knows(method, "max-columns"))
        o->max_columns = method->max_columns;
}

ms_nonlinear_options ms_ifosmondi_method_options(const ms_variant *o, int most)
{
    return (ms_nonlinear_options){.max_iterations = most > 0 ? most : 0,
                                  .relaxation = o->relaxation,
                                  .reuse = o->reuse,
                                  .max_columns = o->max_columns,
                                  .filter = o->filter,
                                  .preconditioner = o->preconditioner,
                                  .filter_limit = o->filter_limit};
}

/* Data are the values at each subsystem, then the slopes. */
static ms_nonlinear_options method_options(const ms_cosim *cosim, const int *datum, int most)
{
    ms_nonlinear_options options = ms_ifosmondi_method_options(&cosim->variant, most);
    options.n_data = 2 * cosim->system->n;
    options.datum = datum;
    return options;
}

/* Doubles that the method keeps for n unknowns. */
static size_t method_memory(const ms_cosim *cosim, int n)
{
    const ms_nonlinear_method *method =
        cosim->scheme->at_once ? NULL
                               : find_method(cosim->variant.solver_nonlinear, (int)cosim->variant.backend);
    const ms_nonlinear_options options = method_options(cosim, NULL, 0);
    return method != NULL && method->memory != NULL ? method->memory(n, &options) : 0;
}

/* Outputs, then inputs and, for ifosmondi, their slopes; the number of steps, and what the method keeps for as many
 * unknowns as there may be. */
static void iterative_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    const int full = (is_smooth(cosim) ? 2 : 1) * cosim->system->nu;
    *lin = cosim->system->ny + full;
    *aux = 1 + (int)method_memory(cosim, full);
}

static void iterative_destroy(ms_cosim *cosim)
{
    iterative_data *data = cosim->scheme_data;
    if (data == NULL)
        return;
    if (data->method != NULL)
        data->method->destroy(&data->workspace);
    ms_output_estimate_destroy(&data->estimate);
    free(data->unknown);
    free(data->fed);
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

int ms_ifosmondi_check_method(const ms_nonlinear_method *method, const ms_options *o, ms_error *error)
{
    for (int k = MS_OPTION_RELAXATION; k <= MS_OPTION_PRECONDITIONER; k++)
        if (o->given[k] && !ms_nonlinear_knows(method, ms_option_table[k].name))
            return ms_fail(
                error, MS_INVALID,
                "`%s`: `solver-nonlinear` %s does not have this option; iqn-ils and iqn-imvj have it%s",
                ms_option_table[k].name, method->name,
                k == MS_OPTION_RELAXATION       ? ", relaxation and aitken, too"
                : k == MS_OPTION_PRECONDITIONER ? ", and aitken"
                                                : "");
    return MS_OK;
}

static int choose_method(iterative_data *data, const ms_cosim *cosim, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    const char *name = ms_nonlinear_name(o->solver_nonlinear), *backend = ms_backend_names[o->backend];
    data->method = find_method(o->solver_nonlinear, (int)o->backend);
    if (data->method != NULL) {
        data->most = ms_ifosmondi_iterations_left(data->method, o->max_iterations, is_tightest(data));
        const ms_nonlinear_options options = method_options(cosim, data->datum, data->most);
        const int status = ms_ifosmondi_check_method(data->method, cosim->options, error);
        if (status != MS_OK || data->n == 0) /* nothing is coupled, nothing to iterate on */
            return status;
        return data->method->create(data->n, &options, &data->workspace, error);
    }
    char backends[128];
    ms_nonlinear_backends(name, backends, sizeof backends);
    return ms_fail(error, MS_UNSUPPORTED, "`backend` %s: does not have %s here; take %s", backend, name,
                   backends);
}

/* The subsystem that output j is of. */
static int owner(const ms_system *s, int j)
{
    int i = 0;
    while (s->y_at[i + 1] <= j)
        i++;
    return i;
}

/* Do only subsystems that are earlier in the order feed input l of subsystem i? */
static bool is_fed(const ms_system *s, const int *rank, int i, int l)
{
    for (int w = s->row_at[l]; w < s->row_at[l + 1]; w++)
        if (rank[owner(s, s->wire_output[w])] >= rank[i])
            return false;
    return true;
}

static int order_subsystems(const ms_cosim *cosim, iterative_data *data, int *memory, ms_error *error)
{
    const ms_system *s = cosim->system;
    const ms_variant *o = &cosim->variant;
    if (o->sweep == MS_SWEEP_JACOBI)
        return cosim->options->given[MS_OPTION_ORDER]
                   ? ms_fail(error, MS_INVALID, "`order`: goes with `sweep` gauss-seidel")
                   : MS_OK;
    if (is_estimated(o))
        return ms_fail(
            error, MS_INVALID,
            "`sweep` gauss-seidel: with `rollback` estimated all subsystems are estimated at once; "
            "take jacobi");
    data->sequence = memory;
    data->rank = memory + s->n;
    const int status = ms_variant_sequence(s, cosim->options, data->sequence, data->rank, error);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        for (int l = s->u_at[i]; l < s->u_at[i + 1]; l++)
            data->fed[l] = is_fed(s, data->rank, i, l);
    return status;
}

/* The unknown values of inputs, then the slopes, and which datum each is of. */
static void list_unknowns(const ms_cosim *cosim, iterative_data *data)
{
    const ms_system *s = cosim->system;
    for (int part = 0; part < (data->smooth ? 2 : 1); part++)
        for (int i = 0; i < s->n; i++)
            for (int l = s->u_at[i]; l < s->u_at[i + 1]; l++)
                if (!data->fed[l]) {
                    data->unknown[data->n] = part * s->nu + l;
                    data->datum[data->n++] = part * s->n + i;
                }
    data->convergence.n = data->n;
}

static int choose_unknowns(const ms_cosim *cosim, iterative_data *data, ms_error *error)
{
    const ms_system *s = cosim->system;
    const size_t full = (size_t)data->full;
    data->unknown = calloc(2 * full + 2 * (size_t)s->n + 1, sizeof *data->unknown);
    data->fed = calloc((size_t)s->nu + 1, sizeof *data->fed);
    if (data->unknown == NULL || data->fed == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for scheme %s", cosim->scheme->name);
    data->datum = data->unknown + full;
    const int status = order_subsystems(cosim, data, data->datum + full, error);
    if (status == MS_OK)
        list_unknowns(cosim, data);
    return status;
}

static int allocate(ms_cosim *cosim, iterative_data *data, ms_error *error)
{
    const size_t n = (size_t)data->n, full = (size_t)data->full, ny = (size_t)cosim->system->ny;
    data->kept = (int)method_memory(cosim, data->n);
    data->z = calloc(3 * n + 2 * full + 2 * ny + (size_t)data->kept + ms_cosim_state_size(cosim) + 1,
                     sizeof *data->z);
    if (data->z == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for scheme %s", cosim->scheme->name);
    data->r = data->z + n;
    data->convergence.best = data->r + n;
    data->given = data->convergence.best + n;
    data->image = data->given + full;
    data->dy = data->image + full;
    data->estimated = data->dy + ny;
    data->memory = data->estimated + ny;
    data->before = data->memory + data->kept;
    data->left = cosim->scheme_lin + cosim->system->ny;
    data->steps = cosim->scheme_aux;
    data->accepted = cosim->scheme_aux + 1;
    return MS_OK;
}

static int iterative_create(ms_cosim *cosim, ms_error *error)
{
    const ms_system *s = cosim->system;
    iterative_data *data = calloc(1, sizeof *data);
    cosim->scheme_data = data;
    if (data == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for scheme %s", cosim->scheme->name);
    data->smooth = is_smooth(cosim);
    data->full = (data->smooth ? 2 : 1) * s->nu;
    data->convergence.epsilon = cosim->variant.epsilon;
    int status = ms_cosim_check_imposed_steps(cosim, error);
    for (int i = 0; i < s->n && status == MS_OK; i++)
        status = check_subsystem(cosim->instance[i], &cosim->variant, data->smooth, error);
    if (status == MS_OK)
        status = choose_unknowns(cosim, data, error);
    if (status == MS_OK && is_estimated(&cosim->variant))
        status = ms_output_estimate_create(cosim, data->smooth ? HERMITE_DEGREE : 0, cosim->scheme->at_once,
                                           &data->estimate, error);
    if (status == MS_OK && !cosim->scheme->at_once)
        status = choose_method(data, cosim, error);
    return status == MS_OK ? allocate(cosim, data, error) : status;
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
                                               {"sweep", NULL},
                                               {"order", NULL},
                                               {"start", NULL},
                                               {"initial-inputs", "consistent"},
                                               {"output-derivatives", "exact differences"},
                                               {"solver", NULL},
                                               {"input-change", "restart proceed correct-1 correct-2"},
                                               {"micro-steps", NULL},
                                               {"mask", NULL},
                                               {NULL, NULL}};

static const char *const iterative_options[] = {
    "solver-nonlinear", "backend",        "relaxation", "reuse", "max-columns", "filter",
    "filter-limit",     "preconditioner", "sweep",      "order", "epsilon",     "max-iterations",
    "step-rule",        "min-step",       "rollback",   NULL};

const ms_scheme ms_scheme_ifosmondi = {
    .name = "ifosmondi",
    .summary = "iterated on values and slopes of continuously differentiable inputs",
    .source = "Eguillon et al. 2021",
    .form = MS_FORM_CONVERGED,
    .slopes = true,
    .retries = true,
    .options = iterative_options,
    .defaults = ms_ifosmondi_defaults,
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
                                           .defaults = ms_ifosmondi_defaults,
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
