/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_output_monolithic.c - the monolithic form, from time to time. */
#include <stdlib.h>

#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "coupled_outputs.h"
#include "monolithic.h"
#include "simulated_output.h"

/* A solution of the monolithic form, and the coupled outputs at its states where some are wanted. */
typedef struct solution {
    const ms_system *system;
    ms_system *whole;
    double *block, *x, *z, *memory;
    ms_instance *instance;
    ms_coupled_outputs outputs;
} solution;

static void destroy(solution *s)
{
    ms_coupled_outputs_destroy(&s->outputs);
    ms_instance_destroy(&s->instance);
    ms_monolithic_destroy(&s->whole);
    free(s->block);
}

static int allocate(solution *s, const ms_solver *solver, ms_error *error)
{
    const ms_system *system = s->system;
    const int nz = s->whole->nz; /* its own sides of event indicators behind the system's z */
    const int memory = ms_solver_memory(solver, system->nx);
    s->block = calloc((size_t)(system->nx + nz + memory) + 1, sizeof *s->block);
    MS_TRY_MEMORY_FOR(s->block != NULL, error, "%d states", system->nx);
    s->x = s->block;
    s->z = s->x + system->nx;
    s->memory = s->z + nz;
    return MS_OK;
}

/* Algebraic variables at the start. */
static int complete_start(const ms_simulated_output *simulated, solution *s, ms_error *error)
{
    const double t = simulated->options.start_time, h = simulated->time[simulated->rows - 1] - t;
    if (ms_instance_make_consistent(s->instance, t, h) == MS_OK)
        return MS_OK;
    return ms_fail(error, MS_STEP_REJECTED, "solver %s finds no consistent algebraic variables at %.6g s",
                   s->instance->solver->name, t);
}

static int create(const ms_simulated_output *simulated, const ms_system *system, solution *s, ms_error *error)
{
    const ms_options *o = &simulated->options;
    const ms_solver_options options = {.rtol = o->solver_rtol,
                                       .atol = o->solver_atol,
                                       .micro_steps = o->micro_steps,
                                       .input_change = (ms_input_change)o->input_change};
    bool outputs = false;
    *s = (solution){.system = system};
    for (int k = 0; k < simulated->columns; k++)
        outputs = outputs || simulated->source[k] >= system->nx;
    MS_TRY(ms_monolithic_create(system, &s->whole, error));
    const ms_solver *solver = ms_solver_choose(ms_simulated_output_solver(simulated, s->whole), error);
    if (solver == NULL)
        return MS_INVALID;
    int status = allocate(s, solver, error);
    MS_THEN(status, ms_instance_create(&(ms_instance_parts){.system = s->whole,
                                                            .index = 0,
                                                            .solver = solver,
                                                            .options = &options,
                                                            .x = s->x,
                                                            .z = s->z,
                                                            .memory = s->memory},
                                       &s->instance, error));
    if (status == MS_OK && outputs)
        status = ms_coupled_outputs_create(system, &s->outputs, error);
    s->outputs.guessed = true; /* zero */
    if (status != MS_OK)
        return status;
    ms_system_start(s->whole, s->x);
    ms_system_start_discrete(s->whole, s->z);
    return s->whole->sub[0].residual != NULL ? complete_start(simulated, s, error) : MS_OK;
}

/* The row at t. */
static int take(solution *s, const ms_simulated_output *simulated, double t, double *row, ms_error *error)
{
    const int nx = s->system->nx;
    if (s->outputs.system != NULL && ms_coupled_outputs_at(&s->outputs, t, s->x, s->z, NULL) != MS_OK)
        return ms_fail(error, MS_STEP_REJECTED, "the coupling equations have no solution at %.6g s", t);
    for (int k = 0; k < simulated->columns; k++)
        row[k] =
            simulated->source[k] < nx ? s->x[simulated->source[k]] : s->outputs.y[simulated->source[k] - nx];
    return MS_OK;
}

int ms_simulated_output_monolithic(const ms_simulated_output *simulated, const ms_system *system,
                                   const volatile sig_atomic_t *stop, double *value, ms_error *error)
{
    solution s = {0};
    int status = create(simulated, system, &s, error);
    if (status == MS_NO_SOLUTION)
        status = MS_STEP_REJECTED;
    double t = simulated->options.start_time;
    for (long row = 0; row < simulated->rows && status == MS_OK; row++) {
        const double h = simulated->time[row] - t;
        if (stop != NULL && *stop != 0)
            status = MS_INTERRUPTED;
        s.instance->input.end[0] = h;
        if (status == MS_OK && h > 0.0 && ms_instance_step(s.instance, t, h) != MS_OK)
            status = ms_fail(error, MS_STEP_REJECTED, "solver %s failed between %.6g and %.6g s",
                             s.instance->solver->name, t, simulated->time[row]);
        t = simulated->time[row];
        MS_THEN(status, take(&s, simulated, t, value + row * simulated->columns, error));
    }
    destroy(&s);
    return status;
}
