/* SPDX-License-Identifier: GPL-3.0-or-later */
/* component_values.c - variables of an exported subsystem, read and set, and their partial derivatives. */
#include <math.h>
#include <string.h>

#include "component_parts.h"

ms_point ms_component_point(const ms_component *component)
{
    const ms_component *c = component;
    return (ms_point){.t = c->clock.t,
                      .x = c->instance->x,
                      .u = c->u,
                      .du = c->u + c->exported.sub->nu,
                      .z = c->instance->z};
}

void ms_component_hold_inputs(ms_component *component)
{
    const int nu = component->exported.sub->nu;
    memset(component->u + nu, 0, sizeof(double) * (size_t)(MS_INPUT_DEGREE * nu));
    component->clock.degree = component->clock.moved = 0.0;
    ms_component_touch(component);
}

int ms_component_n_states(const ms_component *component)
{
    return ms_exported_count(&component->exported, MS_EXPORTED_STATE);
}

int ms_component_n_indicators(const ms_component *component)
{
    return ms_exported_count(&component->exported, MS_EXPORTED_INDICATOR);
}

int ms_component_n_inputs(const ms_component *component)
{
    return ms_exported_count(&component->exported, MS_EXPORTED_INPUT);
}

unsigned ms_component_first_input(const ms_component *component)
{
    return component->exported.first[MS_EXPORTED_INPUT];
}

double ms_component_time(const ms_component *component)
{
    return component->clock.t;
}

/* Reading ------------------------------------------------------------------------------------------------ */

static int undefined(ms_component *c, const char *what)
{
    return ms_fail(&c->error, MS_STEP_REJECTED, "%s are not defined at %.17g s", what, c->clock.t);
}

/* A master may wire every output, also those that no wire carries here. */
static bool are_defined(const double *value, const double *end)
{
    while (value < end && isfinite(*value))
        value++;
    return value == end;
}

/* As a built-in subsystem gives them at a communication point; in model exchange the point is the master's. */
static int read_outputs(ms_component *c)
{
    if (c->has_y)
        return MS_OK;
    ms_point at = ms_component_point(c);
    const int status = c->model_exchange
                           ? ms_subsystem_g(c->exported.system, c->exported.index, &at, c->instance->w, c->y)
                           : ms_instance_outputs(c->instance, at.t, at.u, at.du, c->y);
    c->has_y = status == 0 && are_defined(c->y, c->y + c->exported.sub->ny);
    return c->has_y ? MS_OK : undefined(c, "the outputs");
}

int ms_component_derivatives(ms_component *component, double *dx)
{
    ms_component *c = component;
    MS_TRY(ms_component_refresh(c));
    ms_point at = ms_component_point(c);
    if (c->exported.sub->residual != NULL)
        return ms_fail(&c->error, MS_UNSUPPORTED, "a differential-algebraic subsystem gives no derivatives");
    if (ms_subsystem_f(c->exported.system, c->exported.index, &at, c->instance->w, dx) != 0)
        return undefined(c, "the derivatives");
    return MS_OK;
}

int ms_component_indicators(ms_component *component, double *r)
{
    ms_component *c = component;
    MS_TRY(ms_component_refresh(c));
    ms_point at = ms_component_point(c);
    if (c->exported.sub->n_indicators == 0)
        return MS_OK;
    if (ms_subsystem_indicators(c->exported.system, c->exported.index, &at, c->instance->w, r) != 0)
        return undefined(c, "the event indicators");
    return MS_OK;
}

/* The values of a group, up to date. */
static int evaluate(ms_component *c, ms_exported_group group, const double **values)
{
    const double *const of[MS_EXPORTED_GROUPS] = {
        [MS_EXPORTED_TIME] = &c->clock.t, [MS_EXPORTED_INPUT] = c->u,
        [MS_EXPORTED_OUTPUT] = c->y,      [MS_EXPORTED_STATE] = c->instance->x,
        [MS_EXPORTED_DERIVATIVE] = c->dx, [MS_EXPORTED_DISCRETE] = c->instance->z,
        [MS_EXPORTED_INDICATOR] = c->r,   [MS_EXPORTED_PARAMETER] = c->p};
    *values = of[group];
    return group == MS_EXPORTED_OUTPUT       ? read_outputs(c)
           : group == MS_EXPORTED_DERIVATIVE ? ms_component_derivatives(c, c->dx)
           : group == MS_EXPORTED_INDICATOR  ? ms_component_indicators(c, c->r)
                                             : MS_OK;
}

/* Is the reference one of the group? */
static inline bool is_of(const ms_component *c, ms_exported_group group, unsigned reference)
{
    return reference >= c->exported.first[group] && reference < c->exported.first[group + 1];
}

static int no_variable(ms_component *c, unsigned reference, const char *what)
{
    return ms_fail(&c->error, MS_INVALID, "value reference %u is no %s", reference, what);
}

/* References of one group mostly stand side by side. */
int ms_component_get(ms_component *component, size_t n, const unsigned *reference, double *value)
{
    ms_component *c = component;
    int status = ms_component_refresh(c);
    for (size_t i = 0; i < n && status == MS_OK;) {
        ms_exported_group group;
        const double *values;
        int k;
        if (!ms_exported_find(&c->exported, reference[i], &group, &k))
            return no_variable(c, reference[i], "variable");
        status = evaluate(c, group, &values);
        for (; i < n && status == MS_OK && is_of(c, group, reference[i]); i++)
            value[i] = values[reference[i] - c->exported.first[group]];
    }
    return status;
}

/* Setting ------------------------------------------------------------------------------------------------ */

static void set_input(ms_component *c, int k, double value)
{
    c->u[k] = value;
    if (c->clock.initialising && c->exported.sub->residual != NULL)
        c->clock.consistent = false;
    ms_component_touch(c);
}

static int set_parameter(ms_component *c, unsigned reference, int k, double value)
{
    if (c->clock.initialised)
        return ms_fail(&c->error, MS_INVALID, "parameter %s is fixed once the FMU is initialised",
                       c->settings.model->parameters[k].name);
    if (ms_exported_is_size(&c->exported, k))
        return no_variable(c, reference, "variable that can be set: it is a constant");
    c->p[k] = value;
    c->stale = true;
    return MS_OK;
}

static int set_one(ms_component *c, unsigned reference, ms_exported_group group, int k, double value)
{
    if (group == MS_EXPORTED_INPUT)
        set_input(c, k, value);
    else if (group == MS_EXPORTED_PARAMETER)
        return set_parameter(c, reference, k, value);
    else if (group == MS_EXPORTED_STATE && !c->clock.initialised) {
        c->x0_set[k] = true;
        c->x0[k] = c->instance->x[k] = value;
        c->clock.consistent = c->exported.sub->residual == NULL;
        ms_component_touch(c);
    } else
        return no_variable(c, reference, "variable that can be set now");
    return MS_OK;
}

int ms_component_set(ms_component *component, size_t n, const unsigned *reference, const double *value)
{
    ms_component *c = component;
    int status = c->exported.sub != NULL ? MS_OK : MS_INVALID;
    for (size_t i = 0; i < n; i++) /* a discarded call changes nothing */
        if (!isfinite(value[i]))
            return ms_fail(&c->error, MS_STEP_REJECTED, "the value for value reference %u is not finite",
                           reference[i]);
    for (size_t i = 0; i < n && status == MS_OK;) {
        ms_exported_group group;
        int k;
        if (!ms_exported_find(&c->exported, reference[i], &group, &k))
            return no_variable(c, reference[i], "variable");
        for (; i < n && status == MS_OK && is_of(c, group, reference[i]); i++)
            status =
                set_one(c, reference[i], group, (int)(reference[i] - c->exported.first[group]), value[i]);
    }
    return status;
}

/* Partial derivatives ------------------------------------------------------------------------------------ */

static int read_jacobian(ms_component *c)
{
    if (c->has_jacobian)
        return MS_OK;
    ms_point at = ms_component_point(c);
    ms_blocks wanted = c->jacobian;
    if (c->exported.sub->residual != NULL)
        wanted.A = wanted.B = NULL;
    const int status = ms_subsystem_jacobian(c->exported.system, c->exported.index, &at, c->instance->w,
                                             c->instance->scratch, &wanted, NULL);
    const ms_subsystem *sub = c->exported.sub;
    c->has_jacobian = status == 0 && are_defined(c->jacobian.A, c->jacobian.D + sub->ny * sub->nu);
    return c->has_jacobian ? MS_OK : undefined(c, "the partial derivatives");
}

/* The partial derivative of one variable with respect to another. A state is one of a whole model, whose outputs they are. */
static double entry(const ms_component *c, ms_exported_group of, int row, ms_exported_group by, int column)
{
    const bool state = by == MS_EXPORTED_STATE;
    if (of == MS_EXPORTED_STATE)
        return state && row == column ? 1.0 : 0.0;
    const int columns = state ? c->exported.sub->nx : c->exported.sub->nu;
    const double *block = of == MS_EXPORTED_DERIVATIVE ? (state ? c->jacobian.A : c->jacobian.B)
                                                       : (state ? c->jacobian.C : c->jacobian.D);
    return block[row * columns + column];
}

/* Is it a variable of one of two groups? */
static bool among(const ms_component *c, unsigned reference, ms_exported_group one, ms_exported_group other,
                  ms_exported_group *group, int *k)
{
    return ms_exported_find(&c->exported, reference, group, k) && (*group == one || *group == other);
}

int ms_component_directional_derivative(ms_component *component, size_t n_unknowns, const unsigned *unknown,
                                        size_t n_knowns, const unsigned *known, const double *seed,
                                        double *sensitivity)
{
    ms_component *c = component;
    int status = ms_component_refresh(c);
    MS_THEN(status, read_jacobian(c));
    for (size_t i = 0; i < n_unknowns && status == MS_OK; i++) {
        ms_exported_group of, by;
        int row, column;
        const ms_exported_group outputs = c->exported.whole != NULL ? MS_EXPORTED_STATE : MS_EXPORTED_OUTPUT;
        if (!among(c, unknown[i], outputs, MS_EXPORTED_DERIVATIVE, &of, &row))
            return no_variable(c, unknown[i], "output and no derivative of a state");
        sensitivity[i] = 0.0;
        for (size_t j = 0; j < n_knowns; j++) {
            if (!among(c, known[j], MS_EXPORTED_INPUT, MS_EXPORTED_STATE, &by, &column))
                return no_variable(c, known[j], "input and no state");
            sensitivity[i] += entry(c, of, row, by, column) * seed[j];
        }
    }
    return status;
}
