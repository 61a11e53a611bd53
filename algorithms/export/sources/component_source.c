/* SPDX-License-Identifier: GPL-3.0-or-later */
/* component_source.c - component.h for a subsystem that is data and functions (source_model.h): the source form of an FMU, which needs
 * libc and libm alone. Parameters are those of the export. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "component.h"
#include "input_fit.h"
#include "source_model.h"

enum { DEGREE = MS_SOURCE_DEGREE };

typedef enum group { TIME, INPUT, OUTPUT, STATE, DERIVATIVE, PARAMETER, GROUPS } group;

/* Contents of a state (FMUState) without the arrays. */
typedef struct clock {
    double t;
    double micro_step;
    int degree; /* the highest derivative of inputs that has been set */
    bool moved; /* inputs are at the end of a step, their derivatives are those there */
    bool initialised;
} clock;

struct ms_component {
    const ms_source_model *m;
    clock clock;
    double *x, *u; /* (nx), (DEGREE + 1, nu): inputs, then their derivatives: one block, the state */
    double *dx, *y, *of_x, *of_u;
    double *work;
    ms_error error;
};

/* Its present point, for the solvers. */
static ms_source source_of(const ms_component *c)
{
    return (ms_source){.m = c->m,
                       .t = c->clock.t,
                       .micro_step = c->clock.micro_step,
                       .degree = c->clock.degree,
                       .x = c->x,
                       .u = c->u,
                       .work = c->work};
}

/* Life --------------------------------------------------------------------------------------------------- */

static void start(ms_component *c)
{
    const ms_source_model *m = c->m;
    c->clock = (clock){0};
    for (int i = 0; i < m->nx; i++)
        c->x[i] = m->x0[i];
    for (int i = 0; i < (DEGREE + 1) * m->nu; i++)
        c->u[i] = i < m->nu ? m->u0[i] : 0.0;
}

int ms_component_create(const char *resources, const char *token, bool model_exchange,
                        ms_component **component, ms_error *error)
{
    const ms_source_model *m = &ms_source_model_data;
    const size_t nx = (size_t)m->nx, nu = (size_t)m->nu, ny = (size_t)m->ny;
    (void)resources, (void)model_exchange;
    *component = NULL;
    if (strcmp(token, m->token) != 0)
        return ms_fail(error, MS_INVALID, "the token (guid) is %s, but that of these sources is %s", token,
                       m->token);
    ms_component *c = calloc(1, sizeof *c);
    double *memory = calloc(3 * nx + (DEGREE + 2) * nu + ny + (size_t)ms_source_work(m) + 1, sizeof *memory);
    if (c == NULL || memory == NULL) {
        free(c);
        free(memory);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the FMU");
    }
    c->m = m;
    c->x = memory;
    c->u = c->x + nx;
    c->dx = c->u + (DEGREE + 1) * nu;
    c->y = c->dx + nx;
    c->of_x = c->y + ny;
    c->of_u = c->of_x + nx;
    c->work = c->of_u + nu;
    start(c);
    *component = c;
    return MS_OK;
}

void ms_component_destroy(ms_component **component)
{
    if (*component != NULL)
        free((*component)->x);
    free(*component);
    *component = NULL;
}

const ms_error *ms_component_error(const ms_component *component)
{
    return &component->error;
}

int ms_component_reset(ms_component *component)
{
    start(component);
    return MS_OK;
}

int ms_component_enter_initialisation(ms_component *component, double t)
{
    component->clock.t = t;
    return MS_OK;
}

int ms_component_exit_initialisation(ms_component *component)
{
    component->clock.initialised = true;
    return MS_OK;
}

static size_t block_size(const ms_component *c)
{
    return sizeof(double) * (size_t)(c->m->nx + (DEGREE + 1) * c->m->nu);
}

size_t ms_component_state_size(const ms_component *component)
{
    return sizeof component->clock + block_size(component);
}

int ms_component_save(ms_component *component, void *state)
{
    memcpy(state, &component->clock, sizeof component->clock);
    memcpy((char *)state + sizeof component->clock, component->x, block_size(component));
    return MS_OK;
}

int ms_component_restore(ms_component *component, const void *state)
{
    memcpy(&component->clock, state, sizeof component->clock);
    memcpy(component->x, (const char *)state + sizeof component->clock, block_size(component));
    return MS_OK;
}

/* Values ------------------------------------------------------------------------------------------------- */

/* Group of a value reference and index in it; GROUPS: there is no such reference. */
static group find(const ms_source_model *m, unsigned reference, int *k)
{
    const int n[GROUPS] = {1, m->nu, m->ny, m->nx, m->nx, m->np};
    int g = 0;
    unsigned first = 0;
    while (g < GROUPS && reference - first >= (unsigned)n[g])
        first += (unsigned)n[g++];
    *k = (int)(reference - first);
    return (group)g;
}

static int no_variable(ms_component *c, unsigned reference, const char *what)
{
    return ms_fail(&c->error, MS_INVALID, "value reference %u is no %s", reference, what);
}

int ms_component_get(ms_component *component, size_t n, const unsigned *reference, double *value)
{
    ms_component *c = component;
    const ms_source s = source_of(c);
    for (size_t i = 0; i < n; i++) {
        int k;
        const group of = find(c->m, reference[i], &k);
        if (of == GROUPS)
            return no_variable(c, reference[i], "variable");
        if (of == OUTPUT)
            ms_source_outputs(&s, c->y);
        if (of == DERIVATIVE)
            ms_source_derivatives(&s, c->dx);
        value[i] = of == TIME         ? c->clock.t
                   : of == INPUT      ? c->u[k]
                   : of == OUTPUT     ? c->y[k]
                   : of == STATE      ? c->x[k]
                   : of == DERIVATIVE ? c->dx[k]
                                      : c->m->p[k];
    }
    return MS_OK;
}

/* Inputs do not go on from the last step. */
static void hold_inputs(ms_component *c)
{
    if (!c->clock.moved)
        return;
    memset(c->u + c->m->nu, 0, sizeof(double) * (size_t)(DEGREE * c->m->nu));
    c->clock.degree = 0;
    c->clock.moved = false;
}

static int set_one(ms_component *c, unsigned reference, double value)
{
    int k;
    const group of = find(c->m, reference, &k);
    if (of == INPUT)
        c->u[k] = value;
    else if (of == STATE && !c->clock.initialised)
        c->x[k] = value;
    else if (of != PARAMETER)
        return no_variable(c, reference, "variable that can be set now");
    else if (value != c->m->p[k])
        return ms_fail(&c->error, MS_INVALID,
                       "these sources are for the parameter's value %.17g; export them for %.17g", c->m->p[k],
                       value);
    return MS_OK;
}

int ms_component_set(ms_component *component, size_t n, const unsigned *reference, const double *value)
{
    int status = MS_OK;
    for (size_t i = 0; i < n && status == MS_OK; i++)
        status = isfinite(value[i]) ? set_one(component, reference[i], value[i])
                                    : ms_fail(&component->error, MS_STEP_REJECTED,
                                              "the value for value reference %u is not finite", reference[i]);
    return status;
}

/* The direction in which variables are moved. */
static int set_seed(ms_component *c, size_t n, const unsigned *known, const double *seed)
{
    memset(c->of_x, 0, sizeof(double) * (size_t)(c->m->nx + c->m->nu));
    for (size_t j = 0; j < n; j++) {
        int k;
        const group by = find(c->m, known[j], &k);
        if (by != INPUT && by != STATE)
            return no_variable(c, known[j], "input and no state");
        (by == INPUT ? c->of_u : c->of_x)[k] += seed[j];
    }
    return MS_OK;
}

int ms_component_directional_derivative(ms_component *component, size_t n_unknowns, const unsigned *unknown,
                                        size_t n_knowns, const unsigned *known, const double *seed,
                                        double *sensitivity)
{
    ms_component *c = component;
    const ms_source s = source_of(c);
    if (set_seed(c, n_knowns, known, seed) != MS_OK)
        return MS_INVALID;
    ms_source_product(&s, c->of_x, c->of_u, c->dx, c->y);
    for (size_t i = 0; i < n_unknowns; i++) {
        int k;
        const group of = find(c->m, unknown[i], &k);
        if (of != OUTPUT && of != DERIVATIVE)
            return no_variable(c, unknown[i], "output and no derivative of a state");
        sensitivity[i] = of == OUTPUT ? c->y[k] : c->dx[k];
    }
    return MS_OK;
}

/* Co-simulation ------------------------------------------------------------------------------------------ */

int ms_component_input_degree(const ms_component *component)
{
    return component->m->degree;
}

int ms_component_set_input_derivatives(ms_component *component, size_t n, const unsigned *reference,
                                       const int *order, const double *value)
{
    ms_component *c = component;
    for (size_t i = 0; i < n; i++) {
        int k;
        if (find(c->m, reference[i], &k) != INPUT)
            return no_variable(c, reference[i], "input");
        if (order[i] < 1 || order[i] > c->m->degree || !isfinite(value[i]))
            return ms_fail(&c->error, MS_INVALID,
                           "derivative %d of an input: 1 to %d can be set, to finite values", order[i],
                           c->m->degree);
        hold_inputs(c);
        c->u[order[i] * c->m->nu + k] = value[i];
        c->clock.degree = order[i] > c->clock.degree ? order[i] : c->clock.degree;
    }
    return MS_OK;
}

int ms_component_fit_inputs(ms_component *component, double h, const double *middle, const double *end)
{
    const int nu = component->m->nu;
    hold_inputs(component);
    for (int k = 0; k < nu; k++) {
        const double at[] = {component->u[k], middle[k], end[k]};
        ms_input_fit(h, at, component->m->degree > 1, &component->u[nu + k], &component->u[2 * nu + k]);
    }
    component->clock.degree = component->m->degree > 1 ? 2 : 1;
    return MS_OK;
}

int ms_component_step(ms_component *component, double t, double h)
{
    ms_component *c = component;
    const ms_source_model *m = c->m;
    if (!(h > 0.0) || !isfinite(h))
        return ms_fail(&c->error, MS_INVALID, "the step of %g s is not positive", h);
    if (m->step != 0.0 && fabs(h - m->step) > 1e-9 * m->step)
        return ms_fail(&c->error, MS_INVALID, "the step of %g s must be %g s", h, m->step);
    const clock before = c->clock;
    hold_inputs(c);
    c->clock.t = t;
    ms_source s = source_of(c);
    memcpy(c->of_x, c->x, sizeof(double) * (size_t)m->nx);
    int status = ms_source_advance(&s, h, &c->error);
    for (int i = 0; i < m->nx && status == MS_OK; i++)
        if (!isfinite(c->x[i]))
            status = ms_fail(&c->error, MS_STEP_REJECTED, "a state is not finite at %.17g s", t + h);
    if (status != MS_OK) {
        memcpy(c->x, c->of_x, sizeof(double) * (size_t)m->nx);
        c->clock = before;
        return status;
    }
    for (int k = 0; k <= c->clock.degree; k++)
        ms_source_inputs(&s, k, h, c->u + k * m->nu); /* higher derivatives do not see lower ones */
    c->clock.moved = true;
    c->clock.micro_step = s.micro_step;
    c->clock.t = t + h;
    return MS_OK;
}

int ms_component_get_output_derivatives(ms_component *component, size_t n, const unsigned *reference,
                                        const int *order, double *value)
{
    ms_component *c = component;
    const ms_source s = source_of(c);
    for (size_t i = 0; i < n; i++) {
        int k;
        if (find(c->m, reference[i], &k) != OUTPUT)
            return no_variable(c, reference[i], "output");
        if (order[i] < 1 || order[i] > c->m->output_derivatives)
            return ms_fail(&c->error, MS_INVALID,
                           "derivative %d of an output is not available; %d is the highest", order[i],
                           c->m->output_derivatives);
        ms_source_output_derivative(&s, order[i], c->y);
        value[i] = c->y[k];
    }
    return MS_OK;
}

double ms_component_time(const ms_component *component)
{
    return component->clock.t;
}

/* Model exchange ----------------------------------------------------------------------------------------- */

int ms_component_n_states(const ms_component *component)
{
    return component->m->nx;
}

int ms_component_n_indicators(const ms_component *component)
{
    (void)component;
    return 0;
}

int ms_component_n_inputs(const ms_component *component)
{
    return component->m->nu;
}

unsigned ms_component_first_input(const ms_component *component)
{
    (void)component;
    return 1;
}

int ms_component_set_time(ms_component *component, double t)
{
    component->clock.t = t;
    return MS_OK;
}

int ms_component_set_states(ms_component *component, const double *x)
{
    memcpy(component->x, x, sizeof *x * (size_t)component->m->nx);
    return MS_OK;
}

int ms_component_get_states(ms_component *component, double *x)
{
    memcpy(x, component->x, sizeof *x * (size_t)component->m->nx);
    return MS_OK;
}

int ms_component_derivatives(ms_component *component, double *dx)
{
    const ms_source s = source_of(component);
    ms_source_derivatives(&s, dx);
    return MS_OK;
}

int ms_component_indicators(ms_component *component, double *r)
{
    (void)component, (void)r;
    return MS_OK;
}

int ms_component_completed_step(ms_component *component, bool *event)
{
    (void)component;
    *event = false;
    return MS_OK;
}

int ms_component_handle_events(ms_component *component, bool *states_changed, double *next_time)
{
    (void)component;
    *states_changed = false;
    *next_time = INFINITY;
    return MS_OK;
}
