/* SPDX-License-Identifier: GPL-3.0-or-later */
/* component.c - an exported subsystem is made, gets its start values, and goes. */
#include "component.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include "component_parts.h"

/* Creation ----------------------------------------------------------------------------------------------- */

static size_t doubles(int n)
{
    return sizeof(double) * (size_t)n;
}

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the FMU");
}

/* What the next system needs; sizes stay what they were when it was made for the first time. */
static int allocate(ms_component *c, ms_error *error)
{
    const ms_subsystem *sub = c->exported.sub;
    const size_t nx = (size_t)sub->nx, nu = (size_t)sub->nu, ny = (size_t)sub->ny;
    const size_t nz = (size_t)ms_subsystem_nz(sub), nr = (size_t)sub->n_indicators;
    c->size =
        nx + nz + (size_t)ms_solver_memory(c->settings.solver.solver, sub->nx) + (MS_INPUT_DEGREE + 1) * nu;
    c->block = calloc(2 * c->size + 1, sizeof *c->block);
    c->nx = sub->nx;
    c->memory = calloc(3 * ny + 3 * nx + nr + nz + (nx + ny) * (nx + nu) + 1, sizeof *c->memory);
    c->crossed = calloc(nr + 1, sizeof *c->crossed);
    c->x0_set = calloc(nx + 1, sizeof *c->x0_set);
    MS_TRY_MEMORY_OR(c->block != NULL && c->memory != NULL && c->crossed != NULL && c->x0_set != NULL,
                     no_memory(error));
    c->undo = c->block + c->size;
    c->u = c->block + c->size - (MS_INPUT_DEGREE + 1) * nu;
    c->y = c->memory;
    c->dy[0] = c->y + ny;
    c->dy[1] = c->dy[0] + ny;
    c->dx = c->dy[1] + ny;
    c->x0 = c->dx + nx;
    c->r = c->x0 + nx;
    c->before = c->r + nr;
    c->jacobian.A = c->before + nx + nz;
    c->jacobian.B = c->jacobian.A + nx * nx;
    c->jacobian.C = c->jacobian.B + nx * nu;
    c->jacobian.D = c->jacobian.C + ny * nx;
    return MS_OK;
}

static int bind(ms_component *c, ms_error *error)
{
    const ms_model *model = c->settings.model;
    ms_setting *settings = calloc((size_t)model->n_parameters + 1, sizeof *settings);
    MS_TRY_MEMORY_OR(settings != NULL, no_memory(error));
    for (int k = 0; k < model->n_parameters; k++)
        settings[k] = (ms_setting){model->parameters[k].name, c->p[k]};
    int status =
        ms_system_create(model, c->settings.case_name, settings, model->n_parameters, &c->base, error);
    free(settings);
    MS_THEN(status, ms_exported_create(c->base, c->settings.subsystem, &c->exported, error));
    return status;
}

static int create_instance(ms_component *c, ms_error *error)
{
    const ms_export_solver *s = &c->settings.solver;
    const ms_solver_options options = {.rtol = s->rtol, .atol = s->atol, .micro_steps = s->micro_steps};
    const int nx = c->exported.sub->nx;
    const ms_instance_parts parts = {.system = c->exported.system,
                                     .index = c->exported.index,
                                     .solver = s->solver,
                                     .options = &options,
                                     .x = c->block,
                                     .z = c->block + nx,
                                     .memory = c->block + nx + ms_subsystem_nz(c->exported.sub),
                                     .room = {.pieces = 1, .degree = MS_INPUT_DEGREE}};
    return ms_instance_create(&parts, &c->instance, error);
}

static void discard_system(ms_component *c)
{
    ms_instance_destroy(&c->instance);
    ms_exported_destroy(&c->exported);
    ms_system_destroy(&c->base);
}

/* Start values of the system, and over them those that were set. */
static int start(ms_component *c, ms_error *error)
{
    const ms_system *system = c->exported.system;
    const int i = c->exported.index, nx = c->exported.sub->nx;
    double *x = calloc((size_t)(system->nx + system->nz) + 1, sizeof *x);
    MS_TRY_MEMORY_OR(x != NULL, no_memory(error));
    double *z = x + system->nx;
    ms_system_start(system, x);
    ms_system_start_discrete(system, z);
    memcpy(c->block, x + system->x_at[i], doubles(nx));
    memcpy(c->block + nx, z + system->z_at[i], doubles(ms_subsystem_nz(c->exported.sub)));
    memset(c->instance->memory, 0, doubles(ms_solver_memory(c->settings.solver.solver, c->exported.sub->nx)));
    for (int j = 0; j < nx; j++)
        if (c->x0_set[j])
            c->block[j] = c->x0[j];
    free(x);
    c->clock.consistent = c->exported.sub->residual == NULL;
    ms_component_touch(c);
    return MS_OK;
}

static void start_inputs(ms_component *c)
{
    const ms_subsystem *sub = c->exported.sub;
    memset(c->u, 0, doubles((MS_INPUT_DEGREE + 1) * sub->nu));
    if (sub->u0 != NULL)
        memcpy(c->u, sub->u0, doubles(sub->nu));
}

static int create(ms_component *c, const char *resources, const char *token, ms_error *error)
{
    int status = ms_export_settings_read(resources, &c->settings, error);
    c->clock = (ms_component_clock){.due = INFINITY};
    if (status != MS_OK)
        return status;
    if (strcmp(token, c->settings.token) != 0)
        return ms_fail(error, MS_INVALID,
                       "the token (guid) is %s, but that of these resources and this binary is %s", token,
                       c->settings.token);
    c->p = calloc((size_t)c->settings.model->n_parameters + 1, sizeof *c->p);
    MS_TRY_MEMORY_OR(c->p != NULL, no_memory(error));
    memcpy(c->p, c->settings.p, doubles(c->settings.model->n_parameters));
    MS_TRY(bind(c, error));
    memcpy(c->first, c->exported.first, sizeof c->first);
    status = allocate(c, error);
    MS_THEN(status, create_instance(c, error));
    MS_THEN(status, start(c, error));
    if (status == MS_OK)
        start_inputs(c);
    return status;
}

int ms_component_create(const char *resources, const char *token, bool model_exchange,
                        ms_component **component, ms_error *error)
{
    *component = calloc(1, sizeof **component);
    MS_TRY_MEMORY_OR(*component != NULL, no_memory(error));
    (*component)->model_exchange = model_exchange;
    openblas_set_num_threads(1); /* bits must not depend on the number of processors */
    int status = create(*component, resources, token, error);
    const char *why =
        status == MS_OK && model_exchange ? ms_exported_no_model_exchange(&(*component)->exported) : NULL;
    if (why != NULL)
        status = ms_fail(error, MS_UNSUPPORTED, "this FMU has no model exchange: %s", why);
    if (status != MS_OK)
        ms_component_destroy(component);
    return status;
}

void ms_component_destroy(ms_component **component)
{
    ms_component *c = *component;
    if (c == NULL)
        return;
    discard_system(c);
    MS_FREE(c->block, c->memory, c->crossed, c->x0_set, c->p);
    ms_export_settings_free(&c->settings);
    free(c);
    *component = NULL;
}

const ms_error *ms_component_error(const ms_component *component)
{
    return &component->error;
}

/* Initialisation ----------------------------------------------------------------------------------------- */

/* The system of parameters that were set. */
static int make_anew(ms_component *c)
{
    discard_system(c);
    MS_TRY(bind(c, &c->error));
    if (memcmp(c->first, c->exported.first, sizeof c->first) != 0)
        return ms_fail(&c->error, MS_INVALID, "parameters were set that change the number of variables");
    MS_TRY(create_instance(c, &c->error));
    return start(c, &c->error);
}

/* Algebraic variables for the present inputs, held over a step of the model's length. */
static int make_consistent(ms_component *c)
{
    ms_instance *instance = c->instance;
    const double h = c->base->step_size;
    instance->t = c->clock.t;
    instance->h = h;
    ms_input_set_single(&instance->input, 0, h);
    for (int k = 0; k < c->exported.sub->nu; k++)
        ms_input_coefficients(&instance->input, 0, 0)[k] = c->u[k];
    if (ms_instance_make_consistent(instance, c->clock.t, h) != MS_OK)
        return ms_fail(&c->error, MS_STEP_REJECTED,
                       "no start values were found that are consistent with the "
                       "algebraic equations");
    c->clock.consistent = true;
    ms_component_touch(c);
    return MS_OK;
}

int ms_component_refresh(ms_component *component)
{
    ms_component *c = component;
    int status = MS_OK;
    if (c->exported.sub == NULL) /* parameters that it did not take */
        return MS_INVALID;
    if (c->stale)
        status = make_anew(c);
    c->stale = false;
    if (status == MS_OK && !c->clock.consistent && c->clock.initialising)
        status = make_consistent(c);
    return status;
}

int ms_component_reset(ms_component *component)
{
    ms_component *c = component;
    memcpy(c->p, c->settings.p, doubles(c->settings.model->n_parameters));
    for (int j = 0; j < c->nx; j++)
        c->x0_set[j] = false;
    c->clock = (ms_component_clock){.due = INFINITY};
    discard_system(c);
    int status = bind(c, &c->error);
    MS_THEN(status, create_instance(c, &c->error));
    MS_THEN(status, start(c, &c->error));
    if (status == MS_OK)
        start_inputs(c);
    c->stale = false;
    return status;
}

int ms_component_enter_initialisation(ms_component *component, double t)
{
    component->clock.t = t;
    component->clock.initialising = true;
    ms_component_touch(component);
    return ms_component_refresh(component);
}

int ms_component_exit_initialisation(ms_component *component)
{
    const int status = ms_component_refresh(component);
    component->clock.initialising = false;
    component->clock.initialised = status == MS_OK;
    return status;
}

/* State -------------------------------------------------------------------------------------------------- */

size_t ms_component_state_size(const ms_component *component)
{
    const size_t n = (size_t)component->settings.model->n_parameters;
    return sizeof component->clock + sizeof(double) * (n + component->size);
}

int ms_component_save(ms_component *component, void *state)
{
    const size_t clock = sizeof component->clock, p = doubles(component->settings.model->n_parameters);
    const int status = ms_component_refresh(component);
    memcpy(state, &component->clock, clock);
    memcpy((char *)state + clock, component->p, p);
    memcpy((char *)state + clock + p, component->block, sizeof(double) * component->size);
    return status;
}

int ms_component_restore(ms_component *component, const void *state)
{
    const size_t clock = sizeof component->clock, p = doubles(component->settings.model->n_parameters);
    int status = MS_OK;
    if (memcmp(component->p, (const char *)state + clock, p) != 0 || component->stale) {
        memcpy(component->p, (const char *)state + clock, p);
        status = make_anew(component);
        component->stale = false;
    }
    if (status != MS_OK)
        return status;
    memcpy(&component->clock, state, clock);
    memcpy(component->block, (const char *)state + clock + p, sizeof(double) * component->size);
    ms_component_touch(component);
    return MS_OK;
}
