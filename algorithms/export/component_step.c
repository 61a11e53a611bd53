/* SPDX-License-Identifier: GPL-3.0-or-later */
/* component_step.c - an exported subsystem in co-simulation: inputs as polynomials, macro-steps, derivatives of outputs. */
#include <string.h>

#include <macrostep/instance_step.h>
#include "component_parts.h"
#include "input_fit.h"

/* Inputs ------------------------------------------------------------------------------------------------- */

int ms_component_input_degree(const ms_component *component)
{
    return component->instance->can.input_degree;
}

static int set_derivative(ms_component *c, unsigned reference, int order, double value)
{
    ms_exported_group group;
    int k;
    if (!ms_exported_find(&c->exported, reference, &group, &k) || group != MS_EXPORTED_INPUT)
        return ms_fail(&c->error, MS_INVALID, "value reference %u is not an input", reference);
    if (order < 1 || order > c->instance->can.input_degree)
        return ms_fail(&c->error, MS_INVALID, "derivative %d of an input cannot be set; 1 to %d can", order,
                       c->instance->can.input_degree);
    if (!isfinite(value))
        return ms_fail(&c->error, MS_STEP_REJECTED, "the derivative of an input is not finite");
    if (c->clock.moved != 0.0)
        ms_component_hold_inputs(c);
    c->u[order * c->exported.sub->nu + k] = value;
    c->clock.degree = fmax(c->clock.degree, order);
    ms_component_touch(c);
    return MS_OK;
}

int ms_component_set_input_derivatives(ms_component *component, size_t n, const unsigned *reference,
                                       const int *order, const double *value)
{
    for (size_t i = 0; i < n; i++)
        MS_TRY(set_derivative(component, reference[i], order[i], value[i]));
    return MS_OK;
}

int ms_component_fit_inputs(ms_component *component, double h, const double *middle, const double *end)
{
    ms_component *c = component;
    const int nu = c->exported.sub->nu;
    if (c->clock.moved != 0.0)
        ms_component_hold_inputs(c);
    for (int k = 0; k < nu; k++) {
        const double at[] = {c->u[k], middle[k], end[k]};
        double *slope = &c->u[nu + k], *curve = slope + nu;
        ms_input_fit(h, at, c->instance->can.input_degree > 1, slope, curve);
        c->clock.degree = fmax(c->clock.degree, *curve != 0.0 ? 2.0 : *slope != 0.0 ? 1.0 : 0.0);
    }
    ms_component_touch(c);
    return MS_OK;
}

/* Steps -------------------------------------------------------------------------------------------------- */

/* c_k = u^(k) / k!, over a step of length h. */
static void set_polynomials(ms_component *c, double h)
{
    const int nu = c->exported.sub->nu;
    ms_input *input = &c->instance->input;
    double factorial = 1.0;
    ms_input_set_single(input, (int)c->clock.degree, h);
    for (int k = 0; k <= input->degree; k++) {
        double *coefficients = ms_input_coefficients(input, 0, k);
        factorial *= k > 0 ? k : 1;
        for (int i = 0; i < nu; i++)
            coefficients[i] = c->u[k * nu + i] / factorial;
    }
}

/* Inputs and their derivatives at the end of the step, as left limits. */
static void move_inputs(ms_component *c)
{
    const ms_input *input = &c->instance->input;
    ms_input_left(input, c->u);
    for (int k = 1; k <= input->degree; k++)
        ms_input_left_derivative(input, k, c->u + k * c->exported.sub->nu);
    c->clock.moved = 1.0;
}

/* How many imposed steps a step is, at most a million; 0: of none. */
static long steps_of(double h, double imposed)
{
    if (imposed == 0.0)
        return 1;
    return h < 1e6 * imposed ? lround(h / imposed) : 0;
}

/* One step of the solver, or of the length that it takes alone. */
static int step_once(ms_component *c, double t, double h)
{
    set_polynomials(c, h);
    if (ms_instance_step(c->instance, t, h) != MS_OK)
        return MS_SOLVER_FAILED;
    move_inputs(c);
    return MS_OK;
}

/* A step that has failed leaves everything as it was. */
static int step_failed(ms_component *c, double t, double h)
{
    const ms_events *events = c->instance->events;
    return ms_fail(&c->error, MS_STEP_REJECTED, "solver %s failed between %.6g s and %.6g s: %s",
                   c->settings.solver.solver->name, t, t + h,
                   events != NULL && events->failure != NULL
                       ? events->failure
                       : "no convergence, not finite, or too many micro-steps");
}

int ms_component_step(ms_component *component, double t, double h)
{
    ms_component *c = component;
    const double imposed = c->instance->can.step;
    const long steps = steps_of(h, imposed);
    const ms_component_clock clock = c->clock;
    if (!(h > 0.0) || !isfinite(h))
        return ms_fail(&c->error, MS_INVALID, "the step of %g s is not positive", h);
    if (imposed != 0.0 && (steps < 1 || fabs(h - (double)steps * imposed) > 1e-9 * h))
        return ms_fail(&c->error, MS_INVALID, "the step of %g s must be a multiple of %g s", h, imposed);
    memcpy(c->undo, c->block, sizeof *c->block * c->size);
    if (c->clock.moved != 0.0)
        ms_component_hold_inputs(c);
    ms_component_touch(c);
    for (long k = 0; k < steps; k++)
        if (step_once(c, t + (double)k * imposed, steps == 1 ? h : imposed) != MS_OK) {
            memcpy(c->block, c->undo, sizeof *c->block * c->size);
            c->clock = clock;
            return step_failed(c, t, h);
        }
    c->clock.t = t + h;
    return MS_OK;
}

/* Outputs ------------------------------------------------------------------------------------------------ */

/* Derivatives of order 1, 2 of all outputs, with the present derivatives of inputs. */
static int output_derivatives(ms_component *component, int order)
{
    ms_component *c = component;
    const int nu = c->exported.sub->nu;
    const double *u = c->u, *du = u + nu, *ddu = du + nu;
    const int status =
        order == 1 ? ms_instance_output_derivative(c->instance, c->clock.t, u, du, c->dy[0])
                   : ms_instance_output_second_derivative(c->instance, c->clock.t, u, du, ddu, c->dy[1]);
    return status == MS_OK ? MS_OK
                           : ms_fail(&c->error, MS_STEP_REJECTED,
                                     "derivatives of outputs are not defined at %.17g s", c->clock.t);
}

static int get_derivative(ms_component *c, unsigned reference, int order, double *value)
{
    ms_exported_group group;
    int k;
    const int most = c->instance->can.output_derivatives;
    if (!ms_exported_find(&c->exported, reference, &group, &k) || group != MS_EXPORTED_OUTPUT)
        return ms_fail(&c->error, MS_INVALID, "value reference %u is not an output", reference);
    if (order < 1 || order > most)
        return ms_fail(&c->error, MS_INVALID,
                       "derivative %d of an output is not available; %d is the highest", order, most);
    MS_TRY(output_derivatives(c, order));
    *value = c->dy[order - 1][k];
    return MS_OK;
}

int ms_component_get_output_derivatives(ms_component *component, size_t n, const unsigned *reference,
                                        const int *order, double *value)
{
    int status = ms_component_refresh(component);
    for (size_t i = 0; i < n && status == MS_OK; i++)
        status = get_derivative(component, reference[i], order[i], &value[i]);
    return status;
}
