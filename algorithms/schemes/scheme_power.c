/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_power.c - negotiated power: subsystems agree on the power through their ports, and each computes the input of a port from it
 * and from its own output, at every evaluation of its right-hand side.
 *
 * Bonds join two ports (ms_bond), of powers P_k = g_k y_k u_k, k = 0, 1, into the subsystems. At a communication point, with inputs
 * and their derivatives updated, u = L y and u' = L y',
 *
 *     P_k  = g_k y_k u_k,       P_k' = g_k (y_k' u_k + y_k u_k')
 *     P    = (P_0 - P_1)/2 = -(the same at the other end)                                      (21)
 *     u_k(tau) = +-(P + P' tau) / d_k(tau),    d_k(tau) = g_k y_k(x(tau))                       (22), (23)
 *
 * over the macro-step (P' = 0 with order 0), see input_law.h; of a spring and a mass, (24), (25). All other inputs are extrapolated from value and derivative, as `jacobi`
 * does with analytic derivatives and consistent outputs.
 *
 * If d_k passes zero, there is no solution in a short interval before. Fallbacks, for each end separately:
 *
 *     step         |d_k| < theta H |d_k'| at the start of a macro-step: this input is extrapolated in it
 *     pointwise    |d_k(tau)| < threshold: u_k = +-P'/d_k' there (6.3.1), with the slopes at the start of the
 *                  macro-step; P' is that of (21), with order 0 as well
 *     through      by the law y^2 is a parabola where y' = a + c u,
 *
 *         q(tau) = y_0^2 + 2 y_0 y_0' tau + (a y_0' + c P'/g) tau^2,    c = dy'/du, a = y_0' - c u_0;
 *
 *                  y(H) = +-sqrt(q(H)), with the sign changed where both roots of q (their real part) lie within it, and
 *                  y(H) = 0 where it ends between them. There, and if |y_0| < 2 H |y_0'|, the input is the line from
 *                  u_0 that leads to y(H), otherwise the law, which leads there as well if a = 0: no threshold. Only order 1
 *
 * On an integrator d d' ~ P: with a constant power d^2 = d_0^2 + 2 d_0 d_0' tau reaches zero after half the time predicted by the
 * tangent, so that order 0 needs theta > 2 (default 2.5), order 1 has 1.5. For the same reason `pointwise` with order 0 has a solution
 * only if no macro-step crosses the whole band, about H |d'| < 2 threshold: beyond it P still has its sign from before the zero, and
 * the law drives d back.
 *
 * Order with the fallback `step`: H^2 with order 1. With order 0 the errors of the macro-steps around a zero of d, H^2/d each, add up
 * to H log(1/H): slopes over H stay below 1, 0.88 at H = 1e-5. The text does not describe its fallback; with `pointwise` the error of
 * the band remains, and the order may be lost. With `through` it is H^2 if a = 0, and the energy of such an end, y^2/(2 c), is exact
 * at each communication point.
 *
 * Capabilities: output derivatives of order 1, re-evaluation of outputs. Outputs of ports must not depend directly on inputs of ports.
 * The inputs are no polynomials: no micro-solver for linear subsystems, no propagation matrix.
 *
 * Source: Moshagen (2021), 4.1, 4.2, 6.3.1. The derivative y' must use updated inputs: with inputs before the update the order is kept
 * but the oscillator is damped.
 *
 * Departures: the fallbacks `step` and `through`, and both thresholds, which the text does not specify; `pointwise` takes P' from (21)
 * with order 0 as well. */
#include <math.h>
#include <string.h>

#include <macrostep/cosim_start.h>
#include <macrostep/execution.h>
#include <macrostep/options.h>
#include "cosim_capabilities.h"
#include "loop.h"

enum { ORDER_MAX = 1 };

typedef struct power_data {
    int order;
    double *dy;         /* derivatives of the outputs (ny), in the scheme's memory */
    double *u, *du;     /* updated inputs and their derivatives (nu) */
    ms_input_law **law; /* of the ends of all bonds (2 n_bonds) */
    double *B, *C;      /* of one subsystem (nx nu, ny nx); NULL: the fallback does not need them */
} power_data;

/* The mathematics ---------------------------------------------------------------------------------------- */

/* Power into the subsystem at one end, and its derivative. */
typedef struct power {
    double value, slope;
} power;

static power power_at(double gain, double y, double dy, double u, double du)
{
    return (power){gain * y * u, gain * (dy * u + y * du)};
}

/* (21): the power on which the end of `own` agrees with the end of `other`. */
static power negotiate(power own, power other)
{
    return (power){0.5 * (own.value - other.value), 0.5 * (own.slope - other.slope)};
}

/* Does the output reach zero within a macro-step of length h, so that the law cannot be used? */
static bool passes_zero(double d, double slope, double theta, double h)
{
    return d == 0.0 || fabs(d) < theta * h * fabs(slope);
}

/* The end of y^2 = q = y^2 + 2 y y' tau + c tau^2 over a macro-step of length h; false if no zero is near. */
static bool leads_past_zero(double y, double dy, double c, double h, double *end)
{
    const double q = y * y + 2.0 * y * dy * h + c * h * h, size = sqrt(fmax(q, 0.0));
    const double towards = -copysign(dy, y * dy), apart = sqrt(fmax(dy * dy - c, 0.0)); /* -|y|' */
    const bool real = dy * dy >= c, first = real && (towards + apart) * h >= fabs(y),
               both = real ? first && (towards - apart) * h >= fabs(y) : -y * dy > 0.0 && -y * dy < c * h;
    if (y == 0.0)
        *end = copysign(size, dy);
    else
        *end = both ? -copysign(size, y) : first ? 0.0 : copysign(size, y);
    return first || fabs(y) < 2.0 * h * fabs(dy);
}

/* A macro-step ------------------------------------------------------------------------------------------- */

/* c = dy'/du of an end, at the start of the macro-step. */
static int output_gain(const ms_cosim *cosim, const power_data *data, const ms_bond *bond, int k, double t,
                       double *gain)
{
    const int i = bond->subsystem[k];
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    const int nx = instance->sub->nx, nu = instance->sub->nu;
    const double *column = data->B + bond->input[k] - s->u_at[i],
                 *row = data->C + (bond->output[k] - s->y_at[i]) * nx;
    ms_point at = {
        .t = t, .x = instance->x, .u = data->u + s->u_at[i], .du = data->du + s->u_at[i], .z = instance->z};
    const int status =
        ms_subsystem_jacobian(s, i, &at, instance->w, instance->scratch,
                              &(ms_blocks){.B = data->B, .C = data->C}, &instance->work.rhs_evaluations);
    *gain = 0.0;
    for (int j = 0; j < nx && status == 0; j++)
        *gain += row[j] * column[j * nu];
    return status;
}

/* The input of an end that passes zero becomes the line from u that leads its output to where y^2 does. */
static int pass_through(ms_cosim *cosim, const power_data *data, const ms_bond *bond, int k, double t,
                        double h)
{
    ms_input_law *law = data->law[2 * (bond - cosim->system->bond) + k];
    const double y = cosim->y[bond->output[k]], dy = data->dy[bond->output[k]], u = data->u[bond->input[k]];
    double gain, end;
    if (output_gain(cosim, data, bond, k, t, &gain) != 0)
        return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                       "the derivatives of subsystem %s are not defined at %.6g s",
                       cosim->instance[bond->subsystem[k]]->sub->name, t);
    const double a = dy - gain * u;
    law->active = gain != 0.0;
    if (!law->active || !leads_past_zero(y, dy, a * dy + gain * law->power[1] / law->gain, h, &end))
        return MS_OK;
    law->active = false;
    const double mean = ((end - y) / h - a) / gain;
    ms_input_coefficients(&cosim->instance[bond->subsystem[k]]->input, 0, 1)[law->input] =
        2.0 * (mean - u) / h;
    return MS_OK;
}

static void prepare_law(const ms_cosim *cosim, const power_data *data, ms_input_law *law, power agreed,
                        double dy, double y, double h)
{
    const ms_variant *o = &cosim->variant;
    const double d = law->gain * y, slope = law->gain * dy;
    law->power[0] = agreed.value;
    law->power[1] = data->order > 0 ? agreed.slope : 0.0;
    law->near_zero = agreed.slope / slope;
    if (o->extrapolation.fallback == MS_FALLBACK_STEP) {
        law->threshold = 0.0;
        law->active = !passes_zero(d, slope, o->extrapolation.fallback_threshold, h);
    } else if (o->extrapolation.fallback == MS_FALLBACK_POINTWISE) {
        law->threshold = o->extrapolation.fallback_threshold;
        law->active = slope != 0.0 || fabs(d) >= law->threshold;
    }
}

static int prepare_bond(ms_cosim *cosim, const power_data *data, int b, double t, double h)
{
    const ms_bond *bond = &cosim->system->bond[b];
    power seen[2];
    for (int k = 0; k < 2; k++)
        seen[k] = power_at(bond->gain[k], cosim->y[bond->output[k]], data->dy[bond->output[k]],
                           data->u[bond->input[k]], data->du[bond->input[k]]);
    for (int k = 0; k < 2; k++)
        prepare_law(cosim, data, data->law[2 * b + k], negotiate(seen[k], seen[1 - k]),
                    data->dy[bond->output[k]], cosim->y[bond->output[k]], h);
    int status = MS_OK;
    for (int k = 0; k < 2 && status == MS_OK && data->B != NULL; k++)
        status = pass_through(cosim, data, bond, k, t, h);
    return status;
}

/* Inputs for the next macro-step: polynomials for all, laws for those of ports. */
static int prepare(ms_cosim *cosim, const power_data *data, double t, double h)
{
    const ms_system *s = cosim->system;
    ms_system_couple(s, cosim->y, data->u);
    ms_system_couple(s, data->dy, data->du);
    for (int i = 0; i < s->n; i++) {
        ms_input *input = &cosim->instance[i]->input;
        const size_t bytes = sizeof(double) * (size_t)input->n;
        ms_input_set_single(input, data->order, h);
        memcpy(ms_input_coefficients(input, 0, 0), data->u + s->u_at[i], bytes);
        if (data->order > 0)
            memcpy(ms_input_coefficients(input, 0, 1), data->du + s->u_at[i], bytes);
    }
    for (int b = 0; b < s->n_bonds; b++)
        MS_TRY(prepare_bond(cosim, data, b, t, h));
    return MS_OK;
}

/* Outputs and derivatives at updated inputs, y = g(x, L y). */
static int update_outputs(ms_cosim *cosim, const power_data *data, double t)
{
    memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
    int status = ms_loop_outputs(cosim->loop, t, cosim->y, data->u);
    MS_THEN(status, ms_loop_derivative(cosim->loop, t, data->u, data->dy));
    return status == MS_OK ? MS_OK : ms_cosim_loop_failed(cosim, status, t);
}

static int power_step(ms_cosim *cosim, double t, double h)
{
    const power_data *data = cosim->scheme_data;
    MS_TRY(prepare(cosim, data, t, h));
    MS_TRY(ms_execution_advance(cosim, t, h, NULL));
    cosim->integrations += cosim->system->n;
    return update_outputs(cosim, data, t + h);
}

static int power_start(ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const power_data *data = cosim->scheme_data;
    const double t = cosim->variant.start_time;
    const bool zero = cosim->variant.initial.inputs != MS_INITIAL_CONSISTENT;
    int status = zero ? ms_cosim_start_inconsistent(cosim, t, data->u, cosim->y_raw)
                      : ms_cosim_start_loop(cosim, t, cosim->y_raw, data->u);
    memcpy(cosim->y, cosim->y_raw, sizeof(double) * (size_t)s->ny);
    if (status == MS_OK && !zero)
        status = update_outputs(cosim, data, t);
    if (cosim->variant.initial.history == MS_START_HOLD ||
        cosim->variant.initial.inputs != MS_INITIAL_CONSISTENT)
        memset(data->dy, 0, sizeof(double) * (size_t)s->ny);
    return status;
}

/* Creation ----------------------------------------------------------------------------------------------- */

static void power_defaults(ms_options *o)
{
    if (!o->given[MS_OPTION_FALLBACK_THRESHOLD])
        o->extrapolation.fallback_threshold = o->extrapolation.fallback == MS_FALLBACK_POINTWISE ? 0.01
                                              : o->extrapolation.order > 0                       ? 1.5
                                                                                                 : 2.5;
}

static void power_memory(const ms_cosim *cosim, int *lin, int *aux)
{
    *lin = 2 * cosim->system->ny; /* outputs and their derivatives */
    *aux = 0;
}

/* A parabola through zero is that of a power with a slope. */
static bool goes_through_without_slope(const ms_variant *o)
{
    return o->extrapolation.fallback == MS_FALLBACK_THROUGH && o->extrapolation.order < 1;
}

static bool power_has_variant(const ms_variant *variant)
{
    return variant->extrapolation.order <= ORDER_MAX && !goes_through_without_slope(variant) &&
           variant->initial.output_derivatives == MS_YDOT_EXACT;
}

static const ms_modelled power_claims[] = {{"scheme", "power"},
                                           {"extrapolation-order", "0 1"},
                                           {"fallback", "step"},
                                           {"fallback-threshold", NULL},
                                           {"start", NULL},
                                           {"initial-inputs", "consistent"},
                                           {"output-derivatives", "exact"},
                                           {"error-controlled", NULL},
                                           MS_CLAIMS_OF_ANY_SOLVER,
                                           {NULL, NULL}};

static int power_order(const ms_variant *variant)
{
    return variant->extrapolation.order + 1;
}

static int check_subsystem(const ms_instance *instance, int order, ms_error *error)
{
    const ms_subsystem *sub = instance->sub;
    MS_TRY(ms_cosim_check_degree(instance, order, "`extrapolation-order`", error));
    if (instance->can.output_derivatives < 1 || !instance->can.reevaluate_outputs)
        return ms_fail(
            error, MS_UNSUPPORTED, "subsystem %s gives no %s, which `scheme` power needs", sub->name,
            instance->can.reevaluate_outputs ? "output derivatives" : "outputs again for updated inputs");
    if (sub->n_ports > MS_INPUT_LAWS)
        return ms_fail(error, MS_UNSUPPORTED,
                       "subsystem %s has %d ports; `scheme` power takes %d of a subsystem", sub->name,
                       sub->n_ports, (int)MS_INPUT_LAWS);
    for (int a = 0; a < sub->n_ports; a++)
        for (int b = 0; b < sub->n_ports; b++) {
            const ms_port *of = &sub->ports[a], *by = &sub->ports[b];
            if (ms_subsystem_feeds_through(instance->system, instance->index, of->output, by->input))
                return ms_fail(
                    error, MS_UNSUPPORTED,
                    "output %s of port %s depends directly on input %s of port %s in subsystem %s: "
                    "`scheme` power cannot compute the input from the power",
                    sub->y[of->output].name, of->name, sub->u[by->input].name, by->name, sub->name);
            if (a != b && of->input == by->input)
                return ms_fail(
                    error, MS_UNSUPPORTED,
                    "ports %s and %s of subsystem %s share an input; `scheme` power needs one for each",
                    of->name, by->name, sub->name);
        }
    return MS_OK;
}

static int check(const ms_cosim *cosim, ms_error *error)
{
    const ms_variant *o = &cosim->variant;
    if (o->extrapolation.order > ORDER_MAX)
        return ms_fail(error, MS_INVALID, "`extrapolation-order` %d: scheme power takes 0 or 1",
                       o->extrapolation.order);
    if (goes_through_without_slope(o))
        return ms_fail(error, MS_INVALID, "`fallback` through takes `extrapolation-order` 1");
    if (o->initial.output_derivatives != MS_YDOT_EXACT)
        return ms_fail(error, MS_INVALID, "`output-derivatives` differences: scheme power takes exact ones");
    if (cosim->system->n_bonds == 0)
        return ms_fail(error, MS_UNSUPPORTED,
                       "model %s has no power ports, which `scheme` power needs; spring-mass has them",
                       cosim->system->model->name);
    for (int i = 0; i < cosim->system->n; i++)
        MS_TRY(check_subsystem(cosim->instance[i], o->extrapolation.order, error));
    return MS_OK;
}

/* One law for each end of a bond. */
static int place_laws(ms_cosim *cosim, const power_data *data)
{
    const ms_system *s = cosim->system;
    for (int i = 0; i < s->n; i++)
        if (s->sub[i].n_ports > 0 && ms_instance_allow_laws(cosim->instance[i]) != MS_OK)
            return MS_NO_MEMORY;
    for (int b = 0; b < s->n_bonds; b++)
        for (int k = 0; k < 2; k++) {
            const ms_bond *bond = &s->bond[b];
            const int i = bond->subsystem[k];
            ms_instance *instance = cosim->instance[i];
            ms_input_law *law = &instance->law[instance->n_laws++];
            *law = (ms_input_law){.input = bond->input[k] - s->u_at[i],
                                  .output = bond->output[k] - s->y_at[i],
                                  .gain = bond->gain[k]};
            data->law[2 * b + k] = law;
        }
    return MS_OK;
}

static int power_create(ms_cosim *cosim, ms_error *error)
{
    const size_t nu = (size_t)cosim->system->nu, ends = 2 * (size_t)cosim->system->n_bonds;
    const ms_variant *o = &cosim->variant;
    MS_TRY(check(cosim, error));
    power_data *data = cosim->scheme_data;
    data->order = o->extrapolation.order;
    data->dy = cosim->y + cosim->system->ny;
    data->u = ms_cosim_alloc(cosim, 2 * nu, sizeof *data->u);
    data->law = ms_cosim_alloc(cosim, ends, sizeof(ms_input_law *));
    MS_TRY_MEMORY(data->u != NULL && data->law != NULL);
    data->du = data->u + nu;
    if (o->extrapolation.fallback == MS_FALLBACK_THROUGH) {
        const size_t nx = (size_t)cosim->system->nx, ny = (size_t)cosim->system->ny;
        data->B = ms_cosim_alloc(cosim, nx * (nu + ny), sizeof *data->B);
        MS_TRY_MEMORY(data->B);
        data->C = data->B + nx * nu;
    }
    cosim->reading = MS_READING_LAWS;
    return place_laws(cosim, data);
}

const ms_scheme ms_scheme_power = {
    .name = "power",
    .summary = "subsystems agree on the power through their ports",
    .source = "Moshagen 2021, 4.1, 4.2",
    .nonlinear = true,
    .laws = true,
    .knows = (const ms_option_id[]){MS_OPTION_EXTRAPOLATION_ORDER, MS_OPTION_FALLBACK,
                                    MS_OPTION_FALLBACK_THRESHOLD, MS_OPTION_ERROR_CONTROLLED, MS_OPTION_RTOL,
                                    MS_OPTION_ATOL, MS_OPTION_MIN_STEP, MS_OPTION_MAX_STEP, MS_OPTIONS},
    .defaults = power_defaults,
    .memory = power_memory,
    .data = sizeof(power_data),
    .create = power_create,
    .start = power_start,
    .step = power_step,
    .has_variant = power_has_variant,
    .order = power_order,
    .claims = power_claims};
