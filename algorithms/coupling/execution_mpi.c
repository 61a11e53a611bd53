/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_mpi.c - orchestrator and workers (Eguillon et al. 2021, section 4).
 *
 * Rank 0 is the orchestrator: scheme, nonlinear solves, state and observers are there. Rank k works for
 * subsystem k - 1 and keeps nothing from one step to the next but its configuration and what a micro-solver
 * proceeds from. Every exchange begins with a broadcast of an order:
 *
 *     create     options; workers make their instances and report
 *     advance    scatter: t, h, input, laws, state, last u and y; gather: outcome, work, u, y, y', state,
 *     samples. As the
 *                state travels with each step, rollback needs no order of its own
 *     destroy    of the instances
 *     end        of the workers, with a status
 *
 * The paper scatters inputs and gathers outputs in two messages each; here each worker has one of each, and
 * times go with the scattered ones, as asynchronous subsystems have their own. MPI itself is opened
 * (plugin_mpi.h) when it is begun. */
#include <stdlib.h>
#include <string.h>

#include "execution.h"
#include "execution_message.h"

typedef struct mpi_workers {
    ms_workers base;
    const ms_system *system;
    char *out, *in;                             /* scattered, gathered */
    int *out_count, *out_at, *in_count, *in_at; /* (n + 1) [bytes], rank by rank */
} mpi_workers;

static const ms_plugin_mpi *mpi; /* NULL: MPI does not run */
static int own_rank, n_ranks;
static bool at_work; /* there is a co-simulation: workers serve one at a time */

static void give_task(ms_worker_task *what)
{
    mpi->broadcast(what, (int)sizeof *what);
}

static void place_messages(mpi_workers *workers, const ms_cosim *cosim, int n_samples)
{
    for (int i = 0; i < cosim->system->n; i++) {
        workers->out_count[i + 1] = (int)ms_message_step_bytes(cosim->instance[i]);
        workers->in_count[i + 1] = (int)ms_message_answer_bytes(cosim->instance[i], n_samples);
        workers->out_at[i + 1] = workers->out_at[i] + workers->out_count[i];
        workers->in_at[i + 1] = workers->in_at[i] + workers->in_count[i];
    }
}

static void mpi_advance(ms_cosim *cosim, const bool *which, double *dy)
{
    mpi_workers *workers = (mpi_workers *)(void *)cosim->workers;
    const ms_system *s = cosim->system;
    ms_worker_task what = {.task = MS_TASK_ADVANCE,
                           .reading = (int)cosim->reading,
                           .n_samples = cosim->n_samples,
                           .micro_steps_max = cosim->instance[0]->micro_steps_max,
                           .derivatives = dy != NULL};
    memcpy(what.sample_at, cosim->sample_at, sizeof what.sample_at);
    give_task(&what);
    place_messages(workers, cosim, cosim->n_samples);
    for (int i = 0; i < s->n; i++) {
        char *to = workers->out + workers->out_at[i + 1];
        ms_message_put_step(to, cosim->instance[i], which == NULL || which[i], cosim->u_left + s->u_at[i],
                            cosim->y_raw + s->y_at[i]);
    }
    mpi->scatter(workers->out, workers->out_count, workers->out_at, NULL, 0);
    mpi->gather(NULL, 0, workers->in, workers->in_count, workers->in_at);
    for (int i = 0; i < s->n; i++)
        if (which == NULL || which[i])
            workers->base.outcome[i] = ms_message_take_answer(
                workers->in + workers->in_at[i + 1], cosim->instance[i], cosim->u_left + s->u_at[i],
                cosim->y_raw + s->y_at[i], dy != NULL ? dy + s->y_at[i] : NULL);
}

static void mpi_destroy(ms_workers *base)
{
    mpi_workers *workers = (mpi_workers *)(void *)base;
    if (at_work)
        give_task(&(ms_worker_task){.task = MS_TASK_DESTROY});
    at_work = false;
    free(base->outcome);
    free(base->only);
    free(workers->out);
    free(workers->out_count);
    free(workers);
}

/* Room for messages with all samples. */
static int allocate(const ms_cosim *cosim, mpi_workers *workers)
{
    const size_t n = (size_t)cosim->system->n;
    size_t out = 0, in = 0;
    for (size_t i = 0; i < n; i++) {
        out += ms_message_step_bytes(cosim->instance[i]);
        in += ms_message_answer_bytes(cosim->instance[i], MS_SAMPLES_MAX);
    }
    workers->base.outcome = calloc(n + 1, sizeof *workers->base.outcome);
    workers->base.only = calloc(n + 1, sizeof *workers->base.only);
    workers->out = calloc(out + in + 1, 1);
    workers->out_count = calloc(4 * (n + 1), sizeof *workers->out_count);
    if (workers->base.outcome == NULL || workers->base.only == NULL || workers->out == NULL ||
        workers->out_count == NULL)
        return MS_NO_MEMORY;
    workers->in = workers->out + out;
    workers->out_at = workers->out_count + n + 1;
    workers->in_count = workers->out_at + n + 1;
    workers->in_at = workers->in_count + n + 1;
    return MS_OK;
}

/* Has the workers make their instances; the first that cannot gives the line. */
static int hire(ms_cosim *cosim, ms_error *error)
{
    const int ranks = cosim->system->n + 1;
    ms_job wanted =
        ms_message_job(cosim->system, cosim->solver->name, &cosim->variant.micro, ms_cosim_input_room(cosim));
    ms_report own = {0}, *all = calloc((size_t)ranks, sizeof *all);
    if (all == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d ranks", ranks);
    at_work = true;
    give_task(&(ms_worker_task){.task = MS_TASK_CREATE});
    mpi->broadcast(&wanted, (int)sizeof wanted);
    mpi->collect(&own, (int)sizeof own, all);
    int status = MS_OK;
    for (int k = 1; k < ranks && status == MS_OK; k++)
        if (all[k].status != MS_OK)
            status = ms_fail(error, all[k].status, "rank %d: %s", k, all[k].error.text);
    free(all);
    return status;
}

#ifdef MS_HAVE_MPI
static int open_mpi(const ms_plugin **plugin, ms_error *error)
{
    return ms_plugin_open("mpi", "`execution` mpi", plugin, error);
}

static int does_not_run(const ms_system *s, ms_error *error)
{
    return ms_fail(error, MS_UNSUPPORTED,
                   "`execution` mpi: MPI does not run here; mpirun -n %d macrostep run .. `execution` mpi",
                   s->n + 1);
}
#else
static int open_mpi(const ms_plugin **plugin, ms_error *error)
{
    *plugin = NULL;
    return ms_fail(error, MS_UNSUPPORTED,
                   "`execution` mpi: this program was built without MPI; with Open MPI or MPICH in place "
                   "`make` builds one with it, and `execution` parallel takes threads");
}

static int does_not_run(const ms_system *s, ms_error *error)
{
    const ms_plugin *none;
    (void)s;
    return open_mpi(&none, error);
}
#endif

static int check_ranks(const ms_system *s, ms_error *error)
{
    if (mpi == NULL || own_rank != 0)
        return does_not_run(s, error);
    if (at_work)
        return ms_fail(error, MS_UNSUPPORTED, "`execution` mpi: the ranks work for another co-simulation");
    if (n_ranks != s->n + 1)
        return ms_fail(
            error, MS_INVALID,
            "`execution` mpi: %d rank%s, but model %s takes %d: one that orchestrates and one for each of %d "
            "subsystem%s (mpirun -n %d)",
            n_ranks, n_ranks == 1 ? "" : "s", s->model->name, s->n + 1, s->n, s->n == 1 ? "" : "s", s->n + 1);
    return MS_OK;
}

int ms_execution_mpi_create(ms_cosim *cosim, ms_workers **out, ms_error *error)
{
    int status = check_ranks(cosim->system, error);
    if (status != MS_OK)
        return status;
    mpi_workers *workers = calloc(1, sizeof *workers);
    *out = workers != NULL ? &workers->base : NULL;
    if (workers == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the messages of %d ranks",
                       cosim->system->n + 1);
    workers->base.advance = mpi_advance;
    workers->base.destroy = mpi_destroy;
    if (allocate(cosim, workers) != MS_OK)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for the messages of %d ranks",
                       cosim->system->n + 1);
    return hire(cosim, error);
}

/* MPI itself --------------------------------------------------------------------------------------------- */

int ms_execution_mpi_begin(int *rank, ms_error *error)
{
    if (mpi == NULL) {
        const ms_plugin *plugin;
        const int status = open_mpi(&plugin, error);
        if (status != MS_OK)
            return status;
        const ms_plugin_mpi *opened = (const ms_plugin_mpi *)(const void *)plugin;
        if (opened->begin(&own_rank, &n_ranks) != MS_OK)
            return ms_fail(error, MS_UNSUPPORTED, "`execution` mpi: MPI does not start");
        mpi = opened;
    }
    *rank = own_rank;
    return MS_OK;
}

int ms_execution_mpi_serve(const ms_system *system)
{
    return ms_worker_serve(mpi, own_rank, system);
}

void ms_execution_mpi_end(int status)
{
    if (mpi == NULL)
        return;
    if (own_rank == 0)
        give_task(&(ms_worker_task){.task = MS_TASK_END, .status = status});
    mpi->end();
    mpi = NULL;
}
