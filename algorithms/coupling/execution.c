/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/execution.h>

#include <omp.h>
#include <stdlib.h>

#include <macrostep/instance_step.h>
#include "execution_block.h"
#include "execution_workers.h"
#include "threads.h"

/* One subsystem ------------------------------------------------------------------------------------------- */

/* Inputs at the end of the step and, where they are asked for, their slopes, into instance->du. Returns what g returns. */
static int read_inputs(ms_instance *instance, ms_reading reading, bool slopes, double *u)
{
    if (reading == MS_READING_LAWS)
        return ms_instance_inputs(instance, instance->input.pieces - 1, instance->t + instance->h,
                                  instance->x, u);
    ms_input_left(&instance->input, u);
    if (slopes)
        ms_input_left_derivative(&instance->input, 1, instance->du);
    return 0;
}

ms_outcome ms_execution_read_all(ms_instance *instance, ms_reading reading, double *u, double *y, double *dy)
{
    const bool uses_du = instance->sub->uses_du;
    const double t = instance->t + instance->h;
    if (read_inputs(instance, reading, uses_du || dy != NULL, u) != 0)
        return MS_OUTPUTS_FAILED;
    if (reading == MS_READING_START)
        u = ms_input_coefficients(&instance->input, 0, 0);
    if (ms_instance_outputs(instance, t, u, uses_du ? instance->du : NULL, y) != 0)
        return MS_OUTPUTS_FAILED;
    if (dy == NULL)
        return MS_ADVANCED;
    return ms_instance_output_derivative(instance, t, u, instance->du, dy) == MS_OK ? MS_ADVANCED
                                                                                    : MS_OUTPUTS_FAILED;
}

static inline ms_outcome advance_over(const ms_cosim *cosim, int i, double t, double h, double *dy)
{
    const ms_system *s = cosim->system;
    ms_instance *instance = cosim->instance[i];
    if (ms_instance_step(instance, t, h) != MS_OK)
        return MS_STEP_FAILED;
    return ms_execution_read(instance, cosim->reading, cosim->u_left + s->u_at[i], cosim->y_raw + s->y_at[i],
                             dy != NULL ? dy + s->y_at[i] : NULL);
}

/* The same over the step that the instance has been told. */
static ms_outcome advance(const ms_cosim *cosim, int i, double *dy)
{
    return advance_over(cosim, i, cosim->instance[i]->t, cosim->instance[i]->h, dy);
}

ms_outcome ms_execution_advance_here(const ms_cosim *cosim, int i, double *dy)
{
    return advance(cosim, i, dy);
}

/* The line of subsystem i that did not get through its step. */
static int failed(ms_cosim *cosim, int i, ms_outcome outcome)
{
    const ms_instance *instance = cosim->instance[i];
    if (outcome == MS_STEP_FAILED)
        return ms_cosim_step_failed(cosim, i, instance->t, instance->h);
    const char *why = ms_instance_failure(instance);
    return ms_fail(&cosim->error, MS_SOLVER_FAILED,
                   "the outputs of subsystem %s are not defined at %.6g s%s%s", instance->sub->name,
                   instance->t + instance->h, why[0] != '\0' ? ": " : "", why);
}

/* Threads ------------------------------------------------------------------------------------------------- */

static bool is_meant(const bool *which, int i)
{
    return which == NULL || which[i];
}

static void threads_advance(ms_cosim *cosim, const bool *which, double *dy)
{
    const ms_workers *workers = cosim->workers;
#pragma omp parallel for num_threads(workers->threads) schedule(dynamic, 1)
    for (int i = 0; i < cosim->system->n; i++)
        if (is_meant(which, i))
            workers->outcome[i] = advance(cosim, i, dy);
}

static void threads_destroy(ms_workers *workers)
{
    free(workers->outcome);
    free(workers);
}

/* Starts the threads, so that no macro-step has to. */
static void wake(int threads)
{
    int awake = 0;
#pragma omp parallel num_threads(threads) reduction(+ : awake)
    awake++;
    (void)awake;
}

static int threads_create(const ms_cosim *cosim, ms_workers **out, ms_error *error)
{
    const int n = cosim->system->n, wanted = cosim->variant.num_threads;
    const int available = wanted > 0 ? wanted : omp_get_max_threads(),
              threads = available < n ? available : n;
    if (threads < 2 || ms_threads_several())
        return MS_OK;
    ms_workers *workers = calloc(1, sizeof *workers);
    *out = workers;
    if (workers == NULL || (workers->outcome = calloc((size_t)n, sizeof *workers->outcome)) == NULL) {
        free(workers);
        *out = NULL;
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d threads", threads);
    }
    workers->advance = threads_advance;
    workers->destroy = threads_destroy;
    workers->threads = threads;
    wake(threads);
    return MS_OK;
}

/* All together -------------------------------------------------------------------------------------------- */

int ms_execution_place(ms_cosim *cosim, ms_error *error)
{
    cosim->own = cosim->system->n;
    return cosim->variant.execution == MS_EXECUTION_MPI ? ms_execution_mpi_place(cosim, error) : MS_OK;
}

int ms_execution_create(ms_cosim *cosim, ms_error *error)
{
    switch (cosim->variant.execution) {
    case MS_EXECUTION_PARALLEL:
        return threads_create(cosim, &cosim->workers, error);
    case MS_EXECUTION_MPI:
        return ms_execution_mpi_create(cosim, error);
    default:
        return MS_OK;
    }
}

int ms_execution_prepare(ms_cosim *cosim)
{
    return cosim->variant.execution == MS_EXECUTION_MPI ? ms_execution_mpi_prepare(cosim) : MS_OK;
}

void ms_execution_destroy(ms_cosim *cosim)
{
    if (cosim->variant.execution == MS_EXECUTION_MPI)
        ms_execution_mpi_destroy(cosim);
    if (cosim->workers != NULL)
        cosim->workers->destroy(cosim->workers);
    cosim->workers = NULL;
}

static int advance_elsewhere(ms_cosim *cosim, const bool *which, double *dy)
{
    const ms_outcome *outcome = cosim->workers->outcome;
    cosim->workers->advance(cosim, which, dy);
    for (int i = 0; i < cosim->system->n; i++)
        if (is_meant(which, i) && outcome[i] != MS_ADVANCED)
            return failed(cosim, i, outcome[i]);
    return MS_OK;
}

/* So many subsystems ahead their memory is asked for. */
enum { AHEAD = 4 };

/* All that are here, on this thread. */
static int advance_all(ms_cosim *cosim, double t, double h, double *dy)
{
    const int n = cosim->own;
    int status = MS_OK;
    for (int i = 0; i < n; i++) {
        if (i + AHEAD < n)
            ms_instance_prefetch(cosim->instance[i + AHEAD]);
        const ms_outcome outcome = advance_over(cosim, i, t, h, dy);
        if (outcome != MS_ADVANCED && status == MS_OK)
            status = failed(cosim, i, outcome);
    }
    return status;
}

static int advance_block(ms_cosim *cosim, double t, double h, double *dy)
{
    ms_block_expect(cosim->block);
    const int status = advance_all(cosim, t, h, dy);
    ms_block_swap(cosim, status);
    return status;
}

int ms_execution_advance(ms_cosim *cosim, double t, double h, double *dy)
{
    if (cosim->workers == NULL)
        return cosim->block == NULL ? advance_all(cosim, t, h, dy) : advance_block(cosim, t, h, dy);
    for (int i = 0; i < cosim->system->n; i++) {
        cosim->instance[i]->t = t;
        cosim->instance[i]->h = h;
    }
    return advance_elsewhere(cosim, NULL, dy);
}

void ms_execution_share(ms_cosim *cosim, double *y)
{
    if (cosim->block != NULL)
        ms_block_share(cosim, y);
}

int ms_execution_advance_some(ms_cosim *cosim, const bool *which, double *dy)
{
    if (cosim->workers != NULL)
        return advance_elsewhere(cosim, which, dy);
    int status = MS_OK;
    for (int i = 0; i < cosim->system->n; i++) {
        const ms_outcome outcome = which[i] ? advance(cosim, i, dy) : MS_ADVANCED;
        if (outcome != MS_ADVANCED && status == MS_OK)
            status = failed(cosim, i, outcome);
    }
    return status;
}

int ms_execution_advance_one(ms_cosim *cosim, int i, double *dy)
{
    const ms_workers *workers = cosim->workers;
    if (workers != NULL && workers->advance_one != NULL) {
        workers->advance_one(cosim, i, dy);
        return workers->outcome[i] == MS_ADVANCED ? MS_OK : failed(cosim, i, workers->outcome[i]);
    }
    const ms_outcome outcome = advance(cosim, i, dy);
    return outcome == MS_ADVANCED ? MS_OK : failed(cosim, i, outcome);
}
