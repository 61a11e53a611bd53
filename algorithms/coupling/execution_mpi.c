/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_mpi.c - MPI is begun and ended, the ranks get their blocks, and rank 0 orchestrates schemes that know no blocks.
 *
 * Every rank has the description of the whole system and makes instances of its own block. Each exchange with all begins with a
 * broadcast of a task (execution_message.h). Where the scheme has blocks, execution_distribution.c has them take macro-steps.
 * Else rank 0 is the orchestrator (Eguillon et al. 2021, section 4): scheme, nonlinear solves, state and observers are there, and
 * the other ranks keep nothing from one step to the next but their configuration and what a micro-solver proceeds from:
 *
 *     advance    scatter: t, h, input, laws, state, last u and y of each subsystem; rank 0 advances its own block; gather:
 *                outcome, work, u, y, y', state, samples. As the state travels with each step, rollback needs no task of its own
 *
 * The paper scatters inputs and gathers outputs in two messages each; here each rank has one of each, and times go with the
 * scattered ones, as asynchronous subsystems have their own. MPI itself is opened (plugin_mpi.h) when it is begun. */
#include "execution_mpi.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/execution.h>
#include "execution_alone.h"

typedef struct mpi_workers {
    ms_workers base;
    ms_partition partition;
    char *out, *in;                             /* scattered, gathered */
    int *out_count, *out_at, *in_count, *in_at; /* (ranks) [bytes] */
    ms_report *report;                          /* (ranks) */
} mpi_workers;

static const ms_plugin_mpi *mpi; /* NULL: MPI does not run */
static int own_rank, n_ranks;
static ms_rank_run own_run;
static bool at_work; /* there is a co-simulation: ranks serve one at a time */

static mpi_workers *workers_of(const ms_cosim *cosim)
{
    return (mpi_workers *)(void *)cosim->workers;
}

static void tell(const ms_rank_task *task)
{
    ms_rank_task all = *task;
    mpi->broadcast(&all, (int)sizeof all);
}

/* The line of the first rank that reports one. */
static int hear_reports(ms_report *all, const ms_report *own, ms_error *error)
{
    mpi->collect(own, (int)sizeof *own, all);
    for (int k = 1; k < n_ranks; k++)
        if (all[k].status != MS_OK)
            return ms_fail(error, all[k].status, "rank %d: %s", k, all[k].error.text);
    return own->status == MS_OK ? MS_OK : ms_fail(error, own->status, "%s", own->error.text);
}

/* The orchestrator --------------------------------------------------------------------------------------- */

static bool is_meant(const bool *which, int i)
{
    return which == NULL || which[i];
}

/* Steps of subsystems first .. last - 1 to a rank. */
static void put_steps(const ms_cosim *cosim, const bool *which, int first, int last, char *to)
{
    const ms_system *s = cosim->system;
    for (int i = first; i < last; i++) {
        const ms_instance *instance = cosim->instance[i];
        ms_message_put_step(to, instance, is_meant(which, i), cosim->u_left + s->u_at[i],
                            cosim->y_raw + s->y_at[i]);
        to += ms_message_step_bytes(instance);
    }
}

/* Their answers. */
static void take_answers(ms_cosim *cosim, const bool *which, int first, int last, const char *from,
                         double *dy)
{
    const ms_system *s = cosim->system;
    for (int i = first; i < last; i++) {
        ms_instance *instance = cosim->instance[i];
        if (is_meant(which, i))
            cosim->workers->outcome[i] =
                ms_message_take_answer(from, instance, cosim->u_left + s->u_at[i], cosim->y_raw + s->y_at[i],
                                       dy != NULL ? dy + s->y_at[i] : NULL);
        from += ms_message_answer_bytes(instance, instance->n_samples);
    }
}

/* Messages of the whole blocks of all ranks but rank 0, or of subsystem `only` alone. Returns the bytes of both kinds. */
static size_t place_messages(mpi_workers *workers, const ms_cosim *cosim, int only)
{
    const ms_partition *p = &workers->partition;
    size_t out = 0, in = 0;
    for (int k = 0; k < p->ranks; k++) {
        const bool all = only < 0 && k > 0, one = only >= p->first[k] && only < p->first[k + 1];
        const int first = one ? only : p->first[k], last = one ? only + 1 : all ? p->first[k + 1] : first;
        workers->out_at[k] = (int)out;
        workers->in_at[k] = (int)in;
        for (int i = first; i < last; i++) {
            out += ms_message_step_bytes(cosim->instance[i]);
            in += ms_message_answer_bytes(cosim->instance[i], cosim->instance[i]->n_samples);
        }
        if (out > INT_MAX || in > INT_MAX)
            return 0;
        workers->out_count[k] = (int)out - workers->out_at[k];
        workers->in_count[k] = (int)in - workers->in_at[k];
    }
    return out + in + 1;
}

static void tell_advance(const ms_cosim *cosim, int only, bool derivatives)
{
    tell(&(ms_rank_task){.kind = MS_TASK_ADVANCE,
                         .only = only,
                         .reading = (int)cosim->reading,
                         .micro_steps_max = cosim->instance[0]->micro_steps_max,
                         .derivatives = derivatives});
}

static void mpi_advance(ms_cosim *cosim, const bool *which, double *dy)
{
    mpi_workers *workers = workers_of(cosim);
    const int *first = workers->partition.first;
    tell_advance(cosim, -1, dy != NULL);
    place_messages(workers, cosim, -1);
    for (int k = 1; k < n_ranks; k++)
        put_steps(cosim, which, first[k], first[k + 1], workers->out + workers->out_at[k]);
    mpi->scatter(workers->out, workers->out_count, workers->out_at, NULL, 0);
    for (int i = 0; i < first[1]; i++)
        if (is_meant(which, i))
            workers->base.outcome[i] = ms_execution_advance_here(cosim, i, dy);
    mpi->gather(NULL, 0, workers->in, workers->in_count, workers->in_at);
    for (int k = 1; k < n_ranks; k++)
        take_answers(cosim, which, first[k], first[k + 1], workers->in + workers->in_at[k], dy);
}

static void mpi_advance_one(ms_cosim *cosim, int i, double *dy)
{
    mpi_workers *workers = workers_of(cosim);
    if (i < cosim->own) {
        workers->base.outcome[i] = ms_execution_advance_here(cosim, i, dy);
        return;
    }
    tell_advance(cosim, i, dy != NULL);
    place_messages(workers, cosim, i);
    put_steps(cosim, NULL, i, i + 1, workers->out);
    mpi->scatter(workers->out, workers->out_count, workers->out_at, NULL, 0);
    mpi->gather(NULL, 0, workers->in, workers->in_count, workers->in_at);
    take_answers(cosim, NULL, i, i + 1, workers->in, dy);
}

static void mpi_destroy(ms_workers *base)
{
    mpi_workers *workers = (mpi_workers *)(void *)base;
    ms_partition_destroy(&workers->partition);
    free(base->outcome);
    free(workers->out);
    free(workers->out_count);
    free(workers->report);
    free(workers);
}

/* Room for messages of all. */
static int prepare_messages(ms_cosim *cosim)
{
    mpi_workers *workers = workers_of(cosim);
    const size_t size = place_messages(workers, cosim, -1);
    const int last = n_ranks - 1;
    free(workers->out);
    workers->out = size > 0 ? malloc(size) : NULL;
    if (workers->out == NULL)
        return MS_NO_MEMORY;
    workers->in = workers->out + workers->out_at[last] + workers->out_count[last];
    return MS_OK;
}

/* Ranks and their blocks --------------------------------------------------------------------------------- */

#ifdef MS_HAVE_MPI
enum { BUILT_WITH_MPI = 1 };

static int open_mpi(const ms_plugin **plugin, ms_error *error)
{
    return ms_plugin_open("mpi", "`execution` mpi", plugin, error);
}

static int does_not_run(const ms_system *s, ms_error *error)
{
    return ms_fail(
        error, MS_UNSUPPORTED,
        "`execution` mpi: MPI does not run here; mpirun -n %d macrostep run .. `execution` mpi, of any "
        "number of ranks",
        s->n > 1 ? 2 : 1);
}
#else
enum { BUILT_WITH_MPI = 0 };

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
    return MS_OK;
}

/* Do the ranks keep the state of their blocks? Algebraic variables are made consistent with the inputs of all. */
static bool keeps_blocks(const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    const bool solves = cosim->variant.extrapolation.outputs != MS_OUTPUTS_INCONSISTENT;
    bool fits = cosim->scheme->has_blocks != NULL && cosim->scheme->has_blocks(&cosim->variant);
    for (int i = 0; i < s->n && fits; i++)
        fits = s->sub[i].residual == NULL && !(solves && s->sub[i].uses_du);
    return fits;
}

static int place_blocks(ms_cosim *cosim, ms_error *error)
{
    ms_distribution *d = calloc(1, sizeof *d);
    cosim->distribution = d;
    if (d == NULL)
        return MS_NO_MEMORY;
    d->mpi = mpi;
    d->count = calloc(2 * (size_t)n_ranks, sizeof *d->count);
    d->report = calloc((size_t)n_ranks, sizeof *d->report);
    if (d->count == NULL || d->report == NULL)
        return MS_NO_MEMORY;
    d->at = d->count + n_ranks;
    cosim->own = 0;
    return ms_partition_create(cosim->system, n_ranks,
                               cosim->variant.extrapolation.outputs != MS_OUTPUTS_INCONSISTENT, &d->partition,
                               error);
}

static int place_workers(ms_cosim *cosim, ms_error *error)
{
    mpi_workers *workers = calloc(1, sizeof *workers);
    if (workers == NULL)
        return MS_NO_MEMORY;
    cosim->workers = &workers->base;
    workers->base.advance = mpi_advance;
    workers->base.advance_one = mpi_advance_one;
    workers->base.destroy = mpi_destroy;
    workers->base.outcome = calloc((size_t)cosim->system->n + 1, sizeof *workers->base.outcome);
    workers->out_count = calloc(4 * (size_t)n_ranks, sizeof *workers->out_count);
    workers->report = calloc((size_t)n_ranks, sizeof *workers->report);
    if (workers->base.outcome == NULL || workers->out_count == NULL || workers->report == NULL)
        return MS_NO_MEMORY;
    workers->out_at = workers->out_count + n_ranks;
    workers->in_count = workers->out_at + n_ranks;
    workers->in_at = workers->in_count + n_ranks;
    const int status = ms_partition_create(cosim->system, n_ranks, false, &workers->partition, error);
    if (status == MS_OK)
        cosim->own = workers->partition.first[1];
    return status;
}

int ms_execution_mpi_place(ms_cosim *cosim, ms_error *error)
{
    int status = check_ranks(cosim->system, error);
    if (status != MS_OK)
        return status;
    status = keeps_blocks(cosim) ? place_blocks(cosim, error) : place_workers(cosim, error);
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the blocks of %d ranks", n_ranks);
    return status;
}

static ms_report *reports_of(const ms_cosim *cosim)
{
    return cosim->distribution != NULL ? cosim->distribution->report : workers_of(cosim)->report;
}

int ms_execution_mpi_create(ms_cosim *cosim, ms_error *error)
{
    ms_distribution *d = cosim->distribution;
    ms_report own = {0};
    ms_job wanted;
    const int status = ms_message_job(cosim->system, &own_run, &wanted, error);
    if (status != MS_OK)
        return status;
    wanted.blocks = d != NULL;
    wanted.options = *cosim->options;
    wanted.micro = cosim->variant.micro;
    wanted.room = ms_cosim_input_room(cosim);
    at_work = true;
    tell(&(ms_rank_task){.kind = MS_TASK_CREATE});
    mpi->broadcast(&wanted, (int)sizeof wanted);
    if (d != NULL)
        own.status = ms_block_create(
            &(ms_block_parts){mpi, cosim->system, &d->partition, 0, cosim->scheme, cosim->options}, &d->block,
            &own.error);
    return hear_reports(reports_of(cosim), &own, error);
}

int ms_execution_mpi_prepare(ms_cosim *cosim)
{
    ms_samples samples = ms_block_samples(cosim);
    ms_report own = {0};
    tell(&(ms_rank_task){.kind = MS_TASK_PREPARE});
    mpi->broadcast(&samples, (int)sizeof samples);
    own.status = cosim->distribution != NULL ? ms_distribution_prepare(cosim) : prepare_messages(cosim);
    if (own.status != MS_OK)
        ms_fail(&own.error, own.status, "not enough memory for the messages of %d ranks", n_ranks);
    return hear_reports(reports_of(cosim), &own, &cosim->error);
}

void ms_execution_mpi_destroy(ms_cosim *cosim)
{
    const bool works = at_work && (cosim->distribution != NULL || cosim->workers != NULL);
    if (works)
        tell(&(ms_rank_task){.kind = MS_TASK_DESTROY});
    ms_distribution_destroy(&cosim->distribution);
    if (works)
        at_work = false;
}

/* MPI itself --------------------------------------------------------------------------------------------- */

/* So many seconds MPI has to start on all ranks. */
enum { PATIENCE = 60 };

static void give_up(int number)
{
    static const char line[] = "macrostep: MPI has not started on all ranks within 60 s; a rank may have "
                               "ended before it did\n";
    const ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written, (void)number;
    _exit(1);
}

/* MPI's own start has no limit: where a rank never comes the others would wait for ever. */
static int begin_within(const ms_plugin_mpi *opened)
{
    struct sigaction patient = {.sa_handler = give_up}, before;
    sigaction(SIGALRM, &patient, &before);
    alarm(PATIENCE);
    const int status = opened->begin(&own_rank, &n_ranks);
    alarm(0);
    sigaction(SIGALRM, &before, NULL);
    return status;
}

int ms_execution_mpi_begin(bool launched, const ms_rank_run *run, int *rank, ms_error *error)
{
    own_run = *run;
    if (mpi == NULL && BUILT_WITH_MPI && !launched) {
        mpi = &ms_execution_alone;
        (void)mpi->begin(&own_rank, &n_ranks);
    } else if (mpi == NULL) {
        const ms_plugin *plugin;
        const int status = open_mpi(&plugin, error);
        if (status != MS_OK)
            return status;
        const ms_plugin_mpi *opened = (const ms_plugin_mpi *)(const void *)plugin;
        if (begin_within(opened) != MS_OK)
            return ms_fail(error, MS_UNSUPPORTED, "`execution` mpi: MPI does not start");
        mpi = opened;
    }
    *rank = own_rank;
    return MS_OK;
}

int ms_execution_mpi_serve(const ms_system *system, const ms_scheme *(*find_scheme)(const char *name))
{
    return ms_worker_serve(&(ms_worker_place){mpi, own_rank, n_ranks, &own_run, system, find_scheme, ""});
}

int ms_execution_mpi_refuse(const char *line)
{
    ms_error error;
    int rank, status = ms_execution_mpi_begin(true, &(ms_rank_run){.program = ""}, &rank, &error);
    if (status == MS_OK)
        status = ms_worker_serve(&(ms_worker_place){mpi, own_rank, n_ranks, &own_run, NULL, NULL, line});
    ms_execution_mpi_end(status);
    return status;
}

void ms_execution_mpi_end(int status)
{
    if (mpi == NULL)
        return;
    if (own_rank == 0)
        tell(&(ms_rank_task){.kind = MS_TASK_END, .status = status});
    mpi->end();
    mpi = NULL;
}
