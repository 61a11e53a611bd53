/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coupled_outputs.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>

int ms_evaluations_create(const ms_system *s, double *x, double *z, double *memory, ms_instance **instance,
                          ms_error *error)
{
    const ms_solver_options options = {.rtol = 1e-6, .atol = 1e-6, .micro_steps = 1};
    int status = MS_OK;
    for (int i = 0; i < s->n && status == MS_OK; i++) {
        const int like = s->equal_to != NULL ? s->equal_to[i] : i;
        status = ms_instance_create(&(ms_instance_parts){.system = s,
                                                         .index = i,
                                                         .solver = ms_solver_for_evaluations(&s->sub[i]),
                                                         .options = &options,
                                                         .x = x + s->x_at[i],
                                                         .z = z + s->z_at[i],
                                                         .memory = memory,
                                                         .room = {.pieces = 1},
                                                         .lender = like < i ? instance[like] : NULL,
                                                         .unsolved = true},
                                    &instance[i], error);
    }
    return status;
}

void ms_evaluations_destroy(const ms_system *system, ms_instance **instance)
{
    for (int i = instance != NULL ? system->n - 1 : -1; i >= 0; i--) /* lenders come before */
        ms_instance_destroy(&instance[i]);
    free(instance);
}

/* Room for all vectors, one behind the other. */
static int allocate(ms_coupled_outputs *o, ms_error *error)
{
    const ms_system *s = o->system;
    o->instance = calloc((size_t)s->n, sizeof(ms_instance *));
    o->x = calloc((size_t)(s->nx + s->nz + s->ny + s->nu + MS_EVALUATIONS_MEMORY), sizeof *o->x);
    MS_TRY_MEMORY_FOR(o->instance != NULL && o->x != NULL, error, "the outputs of model %s", s->model->name);
    o->z = o->x + s->nx;
    o->y = o->z + s->nz;
    o->u = o->y + s->ny;
    o->memory = o->u + s->nu;
    return MS_OK;
}

int ms_coupled_outputs_create(const ms_system *system, ms_coupled_outputs *outputs, ms_error *error)
{
    *outputs = (ms_coupled_outputs){.system = system};
    int status = ms_system_needs_equations(system, "outputs at given states", error);
    MS_THEN(status, allocate(outputs, error));
    MS_THEN(status,
            ms_evaluations_create(system, outputs->x, outputs->z, outputs->memory, outputs->instance, error));
    MS_THEN(status, ms_loop_create(system, outputs->instance, &outputs->loop, error));
    if (status != MS_OK)
        ms_coupled_outputs_destroy(outputs);
    return status;
}

void ms_coupled_outputs_destroy(ms_coupled_outputs *outputs)
{
    ms_loop_destroy(&outputs->loop);
    ms_evaluations_destroy(outputs->system, outputs->instance);
    free(outputs->x);
    *outputs = (ms_coupled_outputs){0};
}

static void copy(int n, const double *from, double *to)
{
    if (n > 0)
        memcpy(to, from, sizeof *to * (size_t)n);
}

int ms_coupled_outputs_at(ms_coupled_outputs *outputs, double t, const double *x, const double *z,
                          ms_error *error)
{
    char why[256];
    copy(outputs->system->nx, x, outputs->x);
    if (z != NULL)
        copy(outputs->system->nz, z, outputs->z);
    const int status = outputs->guessed ? ms_loop_outputs(outputs->loop, t, outputs->y, outputs->u)
                                        : ms_loop_start(outputs->loop, t, outputs->y, outputs->u);
    outputs->guessed = true;
    if (status == MS_OK)
        return status;
    ms_loop_explain(outputs->loop, why, sizeof why);
    return ms_fail(error, status, "the coupling equations have no solution at %.15g s: %s", t, why);
}
