/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "coupled_outputs.h"

#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>

/* At least what a solver saves with the state (ms_solver.memory). */
enum { SOLVER_MEMORY = 8 };

/* Room for all vectors, one behind the other. */
static int allocate(ms_coupled_outputs *o, ms_error *error)
{
    const ms_system *s = o->system;
    o->instance = calloc((size_t)s->n, sizeof(ms_instance *));
    o->x = calloc((size_t)(s->nx + s->nz + s->ny + s->nu + SOLVER_MEMORY), sizeof *o->x);
    MS_TRY_MEMORY_FOR(o->instance != NULL && o->x != NULL, error, "the outputs of model %s", s->model->name);
    o->z = o->x + s->nx;
    o->y = o->z + s->nz;
    o->u = o->y + s->ny;
    o->memory = o->u + s->nu;
    return MS_OK;
}

/* Instances for evaluations. */
static int create_instance(ms_coupled_outputs *o, int i, ms_error *error)
{
    const ms_system *s = o->system;
    const ms_solver_options options = {.rtol = 1e-6, .atol = 1e-6, .micro_steps = 1};
    const ms_instance_parts parts = {.system = s,
                                     .index = i,
                                     .solver = ms_solver_for_evaluations(&s->sub[i]),
                                     .options = &options,
                                     .x = o->x + s->x_at[i],
                                     .z = o->z + s->z_at[i],
                                     .memory = o->memory,
                                     .room = {.pieces = 1},
                                     .unsolved = true};
    return ms_instance_create(&parts, &o->instance[i], error);
}

int ms_coupled_outputs_create(const ms_system *system, ms_coupled_outputs *outputs, ms_error *error)
{
    *outputs = (ms_coupled_outputs){.system = system};
    int status = ms_system_needs_equations(system, "outputs at given states", error);
    MS_THEN(status, allocate(outputs, error));
    for (int i = 0; i < system->n && status == MS_OK; i++)
        status = create_instance(outputs, i, error);
    MS_THEN(status, ms_loop_create(system, outputs->instance, &outputs->loop, error));
    if (status != MS_OK)
        ms_coupled_outputs_destroy(outputs);
    return status;
}

void ms_coupled_outputs_destroy(ms_coupled_outputs *outputs)
{
    ms_loop_destroy(&outputs->loop);
    for (int i = 0; outputs->instance != NULL && i < outputs->system->n; i++)
        ms_instance_destroy(&outputs->instance[i]);
    free(outputs->instance);
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
