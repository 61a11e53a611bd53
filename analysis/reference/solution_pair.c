/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solution_pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "instance_step.h"
#include "monolithic.h"
#include "solution_solver.h"

/* Tolerances of nonlinear models; the companion's are looser by COMPANION_FACTOR. Below them nothing is
 * gained: over 2 s of example-6.3.1 gsl-rk8pd errs by 1e-15 to 4e-14 and over 5 s of double-pendulum, which
 * amplifies errors, by 3e-14 to 6e-13 (steps 0.1 to 0.001), all round-off. CVODE's Adams errs there by up
 * to 2e-13 and 4e-11, and with a tolerance of 3e-15 by 2e-14 and 6e-12. */
static const double ATOL = 1e-14, COMPANION_FACTOR = 10.0;

/* Of differential-algebraic models. Below them nothing is gained: over 2 s of a pendulum of index 1 ida
 * errs by 1e-12 to 2e-11 with 1e-11 to 1e-13, and with 1e-14 its convergence tests fail. */
static const double DAE_RTOL = 1e-11, DAE_ATOL = 1e-12;

static int create_solution(const ms_solution_pair *pair, const ms_solver *solver, double factor,
                           double *block, ms_solution *s, ms_error *error)
{
    const ms_system *whole = pair->whole;
    const bool dae = whole->sub[0].residual != NULL;
    const ms_solver_options options = {.rtol = factor * (dae ? DAE_RTOL : MS_SOLUTION_RTOL),
                                       .atol = factor * (dae ? DAE_ATOL : ATOL),
                                       .micro_steps = 1,
                                       .input_change = MS_INPUT_RESTART,
                                       .series = pair->changing ? MS_SERIES_ALL : MS_SERIES_NEVER};
    s->x = block;
    s->z = s->x + whole->nx;
    s->memory = s->z + whole->nz;
    return ms_instance_create(&(ms_instance_parts){.system = whole,
                                                   .index = 0,
                                                   .solver = solver,
                                                   .options = &options,
                                                   .x = s->x,
                                                   .z = s->z,
                                                   .memory = s->memory},
                              &s->instance, error);
}

int ms_solution_pair_create(const ms_system *system, bool changing, ms_solution_pair *pair, ms_error *error)
{
    *pair = (ms_solution_pair){.changing = changing};
    int status = ms_monolithic_create(system, &pair->whole, error);
    if (status != MS_OK)
        return status;
    const ms_solver *solver = ms_solution_solver(&pair->whole->sub[0]);
    pair->size = (size_t)(pair->whole->nx + pair->whole->nz + ms_solver_memory(solver, pair->whole->nx));
    pair->block = calloc(2 * pair->size + 1, sizeof *pair->block);
    if (pair->block == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the reference solution");
    if (status == MS_OK)
        status = create_solution(pair, solver, 1.0, pair->block, &pair->main, error);
    if (status == MS_OK)
        status = create_solution(pair, solver, COMPANION_FACTOR, pair->block + pair->size, &pair->companion,
                                 error);
    if (status == MS_OK)
        ms_solution_pair_start(pair);
    else
        ms_solution_pair_destroy(pair);
    return status;
}

void ms_solution_pair_destroy(ms_solution_pair *pair)
{
    ms_instance_destroy(&pair->main.instance);
    ms_instance_destroy(&pair->companion.instance);
    ms_monolithic_destroy(&pair->whole);
    free(pair->block);
    *pair = (ms_solution_pair){0};
}

static void start(const ms_system *whole, const ms_solution *s)
{
    ms_system_start(whole, s->x);
    ms_system_start_discrete(whole, s->z);
    s->instance->work = (ms_work){0};
    if (whole->sub[0].residual == NULL)
        return;
    s->instance->input.end[0] = whole->step_size; /* where it fails the first step does, too */
    ms_instance_make_consistent(s->instance, 0.0, whole->step_size);
}

void ms_solution_pair_start(ms_solution_pair *pair)
{
    memset(pair->block, 0, sizeof(double) * 2 * pair->size);
    start(pair->whole, &pair->main);
    start(pair->whole, &pair->companion);
}

double ms_solution_pair_difference(const ms_solution_pair *pair)
{
    double largest = 0.0;
    for (int j = 0; j < pair->whole->nx; j++)
        largest = fmax(largest, fabs(pair->main.x[j] - pair->companion.x[j]));
    return largest;
}
