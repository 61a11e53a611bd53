/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_worker.c - a rank that works for one subsystem, see execution_mpi.c. */
#include <stdlib.h>
#include <string.h>

#include "execution_message.h"
#include "solver_registry.h"

typedef struct worker {
    const ms_plugin_mpi *mpi;
    const ms_system *system;
    int index; /* of the subsystem; -1: there is none for this rank */
    ms_instance *instance;
    double *state; /* x, z, memory; then u, y, dy */
    double *u, *y, *dy;
    char *in, *out;
} worker;

static void worker_destroy(worker *w)
{
    ms_instance_destroy(&w->instance);
    free(w->state);
    free(w->in);
    w->state = NULL;
    w->in = NULL;
}

static int worker_allocate(worker *w, const ms_solver *solver)
{
    const ms_subsystem *sub = &w->system->sub[w->index];
    const int own = sub->nx + ms_subsystem_nz(sub) + solver->memory;
    w->state = calloc((size_t)(own + sub->nu + 2 * sub->ny) + 1, sizeof *w->state);
    if (w->state == NULL)
        return MS_NO_MEMORY;
    w->u = w->state + own;
    w->y = w->u + sub->nu;
    w->dy = w->y + sub->ny;
    return MS_OK;
}

static int worker_create(worker *w, const ms_job *wanted, ms_error *error)
{
    const ms_solver *solver = ms_solver_find(wanted->solver);
    const ms_job own = ms_message_job(w->system, wanted->solver, &wanted->options, wanted->room);
    const bool same =
        strcmp(own.model, wanted->model) == 0 && memcmp(own.shape, wanted->shape, sizeof own.shape) == 0;
    if (w->index < 0 || solver == NULL || !same)
        return ms_fail(error, MS_INVALID, "`execution` mpi: the model is another one than that of rank 0");
    if (worker_allocate(w, solver) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a worker");
    const ms_subsystem *sub = &w->system->sub[w->index];
    double *z = w->state + sub->nx, *memory = z + ms_subsystem_nz(sub);
    const int status = ms_instance_create(&(ms_instance_parts){.system = w->system,
                                                               .index = w->index,
                                                               .solver = solver,
                                                               .options = &wanted->options,
                                                               .x = w->state,
                                                               .z = z,
                                                               .memory = memory,
                                                               .room = wanted->room},
                                          &w->instance, error);
    if (status != MS_OK)
        return status;
    static const double everywhere[MS_SAMPLES_MAX];
    if (ms_instance_allow_laws(w->instance) != MS_OK ||
        ms_instance_sample(w->instance, MS_SAMPLES_MAX, everywhere) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a worker");
    const size_t in = ms_message_step_bytes(w->instance),
                 out = ms_message_answer_bytes(w->instance, MS_SAMPLES_MAX);
    w->in = calloc(in + out, 1);
    w->out = w->in + in;
    return w->in != NULL ? MS_OK
                         : ms_fail(error, MS_NO_MEMORY, "not enough memory for the messages of a worker");
}

static void worker_hired(worker *w)
{
    ms_job wanted;
    ms_report own;
    memset(&own, 0, sizeof own);
    w->mpi->broadcast(&wanted, (int)sizeof wanted);
    worker_destroy(w);
    own.status = worker_create(w, &wanted, &own.error);
    w->mpi->collect(&own, (int)sizeof own, NULL);
}

static ms_outcome worker_step(worker *w, const ms_worker_task *what)
{
    ms_instance *instance = w->instance;
    if (ms_instance_step(instance, instance->t, instance->h) != MS_OK)
        return MS_STEP_FAILED;
    return ms_execution_read(instance, (ms_reading)what->reading, w->u, w->y,
                             what->derivatives ? w->dy : NULL);
}

/* Messages keep their size where there is nothing to do. */
static void worker_advance(worker *w, const ms_worker_task *what)
{
    ms_instance *instance = w->instance;
    w->mpi->scatter(NULL, NULL, NULL, w->in, (int)ms_message_step_bytes(instance));
    instance->work = (ms_work){0};
    instance->n_samples = what->n_samples; /* there is room for all */
    instance->micro_steps_max = what->micro_steps_max;
    memcpy(instance->sample_at, what->sample_at, sizeof what->sample_at);
    const bool meant = ms_message_take_step(w->in, instance, w->u, w->y);
    const ms_outcome outcome = meant ? worker_step(w, what) : MS_ADVANCED;
    ms_message_put_answer(w->out, instance, outcome, w->u, w->y, w->dy);
    w->mpi->gather(w->out, (int)ms_message_answer_bytes(instance, what->n_samples), NULL, NULL, NULL);
}

static void hear(const ms_plugin_mpi *mpi, ms_worker_task *what)
{
    mpi->broadcast(what, (int)sizeof *what);
}

int ms_worker_serve(const ms_plugin_mpi *mpi, int rank, const ms_system *system)
{
    worker w = {.mpi = mpi, .system = system, .index = rank <= system->n ? rank - 1 : -1};
    ms_worker_task what;
    for (hear(mpi, &what); what.task != MS_TASK_END; hear(mpi, &what)) {
        if (what.task == MS_TASK_CREATE)
            worker_hired(&w);
        else if (what.task == MS_TASK_ADVANCE && w.instance != NULL)
            worker_advance(&w, &what);
        else
            worker_destroy(&w);
    }
    worker_destroy(&w);
    return what.status;
}
