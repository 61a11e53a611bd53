/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_ranks.c - starts and ends MPI, and assigns blocks to the ranks.
 *
 * Every rank has the description of the whole system and creates instances of its block. Each exchange with all begins with a
 * broadcast of a task (rank_message.h). If the scheme has blocks, rank_distribution.c advances them; otherwise
 * rank_orchestrator.c advances their subsystems. MPI is opened (plugin_mpi.h) when it is started. */
#include <macrostep/execution_ranks.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "rank_parts.h"

struct ms_execution_mpi {
    const ms_plugin_mpi *plugin;
    int rank, ranks;
    ms_rank_run run;
    bool at_work; /* there is a co-simulation: ranks serve one at a time */
};

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
        "`execution` mpi: MPI is not running; start it with mpirun -n %d macrostep run .. `execution` mpi, "
        "with any number of ranks",
        s->n > 1 ? 2 : 1);
}
#else
enum { BUILT_WITH_MPI = 0 };

static int open_mpi(const ms_plugin **plugin, ms_error *error)
{
    *plugin = NULL;
    return ms_fail(error, MS_UNSUPPORTED,
                   "`execution` mpi: this program was built without MPI; install Open MPI or MPICH and run "
                   "`make` again, or use threads with `execution` parallel");
}

static int does_not_run(const ms_system *s, ms_error *error)
{
    const ms_plugin *none;
    (void)s;
    return open_mpi(&none, error);
}
#endif

static int check_ranks(const ms_cosim *cosim, ms_error *error)
{
    const ms_subsystem *stepping = ms_system_own_stepper(cosim->system);
    const ms_execution_mpi *mpi = cosim->options->ranks;
    if (cosim->choice.of != NULL)
        return ms_fail(
            error, MS_UNSUPPORTED,
            "`solver-of`: with `execution` mpi all subsystems have one micro-solver, that of `solver`");
    if (mpi == NULL || mpi->rank != 0)
        return does_not_run(cosim->system, error);
    if (mpi->at_work)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`execution` mpi: the ranks are busy with another "
                       "co-simulation");
    if (stepping != NULL)
        return ms_fail(error, MS_UNSUPPORTED,
                       "`execution` mpi: subsystem %s is %s, whose state cannot be sent between ranks; use "
                       "serial or parallel",
                       stepping->name, stepping->stepper->kind);
    return MS_OK;
}

static bool solves_outputs(const ms_cosim *cosim)
{
    return cosim->variant.extrapolation.outputs != MS_OUTPUTS_INCONSISTENT;
}

/* Do the ranks keep the state of their blocks? Algebraic variables are made consistent with the inputs of all. */
static bool keeps_blocks(const ms_cosim *cosim)
{
    const ms_system *s = cosim->system;
    bool fits = cosim->scheme->has_blocks != NULL && cosim->scheme->has_blocks(&cosim->variant);
    for (int i = 0; i < s->n && fits; i++)
        fits = s->sub[i].residual == NULL && !(solves_outputs(cosim) && s->sub[i].uses_du);
    return fits;
}

static int create(ms_cosim *cosim, ms_error *error);
static int prepare(ms_cosim *cosim);
static void destroy(ms_cosim *cosim);

static const ms_executor executor_blocks = {
    .create = create, .prepare = prepare, .destroy = destroy, .state = &ms_distribution_state};

static int allocate(ms_cosim *cosim)
{
    const size_t n = (size_t)cosim->options->ranks->ranks;
    ms_rank_zero *zero = calloc(1, sizeof *zero);
    cosim->executor_data = zero;
    MS_TRY_MEMORY(zero);
    zero->mpi = cosim->options->ranks->plugin;
    zero->report = calloc(n, sizeof *zero->report);
    zero->outcome = calloc((size_t)cosim->system->n + 1, sizeof *zero->outcome);
    zero->out_count = calloc(4 * n, sizeof *zero->out_count);
    MS_TRY_MEMORY(zero->report != NULL && zero->outcome != NULL && zero->out_count != NULL);
    zero->out_at = zero->out_count + n;
    zero->in_count = zero->out_at + n;
    zero->in_at = zero->in_count + n;
    return MS_OK;
}

static int place(ms_cosim *cosim, ms_error *error)
{
    MS_TRY(check_ranks(cosim, error));
    const bool blocks = keeps_blocks(cosim), together = blocks && solves_outputs(cosim);
    const int ranks = cosim->options->ranks->ranks;
    int status = allocate(cosim);
    if (status != MS_OK)
        return ms_fail(error, status, "not enough memory for the blocks of %d ranks", ranks);
    ms_partition *partition = &ms_rank_zero_of(cosim)->partition;
    status = ms_partition_create(cosim->system, ranks, together, partition, error);
    if (blocks)
        cosim->executor = &executor_blocks;
    if (status == MS_OK)
        cosim->own = blocks ? 0 : partition->first[1];
    return status;
}

/* The line of the first rank that reports one. */
static int hear_reports(const ms_cosim *cosim, const ms_report *own, ms_error *error)
{
    const ms_rank_zero *zero = ms_rank_zero_of(cosim);
    ms_report *all = zero->report;
    zero->mpi->collect(own, (int)sizeof *own, all);
    for (int k = 1; k < cosim->options->ranks->ranks; k++)
        if (all[k].status != MS_OK)
            return ms_fail(error, all[k].status, "rank %d: %s", k, all[k].error.text);
    return own->status == MS_OK ? MS_OK : ms_fail(error, own->status, "%s", own->error.text);
}

static int create(ms_cosim *cosim, ms_error *error)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    ms_execution_mpi *mpi = cosim->options->ranks;
    ms_report own = {0};
    ms_job wanted;
    MS_TRY(ms_message_job(cosim->system, &mpi->run, &wanted, error));
    wanted.blocks = cosim->executor->state != NULL;
    wanted.options = *cosim->options;
    wanted.options.ranks = NULL;
    wanted.micro = cosim->variant.micro;
    wanted.room = ms_cosim_input_room(cosim);
    mpi->at_work = true;
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_CREATE});
    zero->mpi->broadcast(&wanted, (int)sizeof wanted);
    if (wanted.blocks)
        own.status = ms_block_create(
            &(ms_block_parts){zero->mpi, cosim->system, &zero->partition, 0, cosim->scheme, cosim->options},
            &zero->block, &own.error);
    return hear_reports(cosim, &own, error);
}

static int prepare(ms_cosim *cosim)
{
    ms_samples samples = ms_block_samples(cosim);
    ms_report own = {0};
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_PREPARE});
    ms_rank_zero_of(cosim)->mpi->broadcast(&samples, (int)sizeof samples);
    own.status =
        cosim->executor->state != NULL ? ms_distribution_prepare(cosim) : ms_orchestrator_prepare(cosim);
    if (own.status != MS_OK)
        ms_fail(&own.error, own.status, "not enough memory for the messages of %d ranks",
                cosim->options->ranks->ranks);
    return hear_reports(cosim, &own, &cosim->error);
}

/* Without data the ranks have no part of it. */
static void destroy(ms_cosim *cosim)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    if (zero == NULL)
        return;
    if (cosim->options->ranks->at_work)
        ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_DESTROY});
    cosim->options->ranks->at_work = false;
    ms_block_destroy(&zero->block);
    ms_partition_destroy(&zero->partition);
    MS_FREE(zero->report, zero->outcome, zero->out_count, zero->out, zero->start, zero);
}

const ms_executor ms_executor_ranks = {.place = place,
                                       .create = create,
                                       .prepare = prepare,
                                       .destroy = destroy,
                                       .advance = ms_orchestrator_advance,
                                       .advance_some = ms_orchestrator_advance_some,
                                       .advance_one = ms_orchestrator_advance_one};

/* MPI itself --------------------------------------------------------------------------------------------- */

/* Seconds within which MPI must start on all ranks. */
enum { PATIENCE = 60 };

static void give_up(int number)
{
    static const char line[] = "macrostep: MPI has not started on all ranks within 60 s; a rank may have "
                               "ended before it did\n";
    const ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written, (void)number;
    _exit(1);
}

/* Starting MPI has no time limit: if a rank never starts, the others would wait forever. */
static int begin_within(const ms_plugin_mpi *opened, ms_execution_mpi *mpi)
{
    struct sigaction patient = {.sa_handler = give_up}, before;
    sigaction(SIGALRM, &patient, &before);
    alarm(PATIENCE);
    const int status = opened->begin(&mpi->rank, &mpi->ranks);
    alarm(0);
    sigaction(SIGALRM, &before, NULL);
    return status;
}

static int begin(bool launched, ms_execution_mpi *mpi, ms_error *error)
{
    const ms_plugin *plugin = NULL;
    if (BUILT_WITH_MPI && !launched) {
        mpi->plugin = &ms_rank_alone;
        return mpi->plugin->begin(&mpi->rank, &mpi->ranks);
    }
    MS_TRY(open_mpi(&plugin, error));
    mpi->plugin = (const ms_plugin_mpi *)(const void *)plugin;
    return begin_within(mpi->plugin, mpi) == MS_OK
               ? MS_OK
               : ms_fail(error, MS_UNSUPPORTED, "`execution` mpi: MPI does not start");
}

int ms_execution_mpi_begin(bool launched, const ms_rank_run *run, ms_execution_mpi **mpi, ms_error *error)
{
    *mpi = calloc(1, sizeof **mpi);
    MS_TRY_MEMORY_FOR(*mpi != NULL, error, "MPI");
    (*mpi)->run = *run;
    const int status = begin(launched, *mpi, error);
    if (status != MS_OK) {
        free(*mpi);
        *mpi = NULL;
    }
    return status;
}

int ms_execution_mpi_rank(const ms_execution_mpi *mpi)
{
    return mpi->rank;
}

static int serve(const ms_execution_mpi *mpi, const ms_system *system,
                 const ms_scheme *(*find_scheme)(const char *name), const char *failure)
{
    return ms_worker_serve(
        &(ms_worker_place){mpi->plugin, mpi->rank, mpi->ranks, &mpi->run, system, find_scheme, failure});
}

int ms_execution_mpi_serve(const ms_execution_mpi *mpi, const ms_system *system,
                           const ms_scheme *(*find_scheme)(const char *name))
{
    return serve(mpi, system, find_scheme, "");
}

int ms_execution_mpi_refuse(const char *line)
{
    ms_error error;
    ms_execution_mpi *mpi;
    int status = ms_execution_mpi_begin(true, &(ms_rank_run){.program = ""}, &mpi, &error);
    MS_THEN(status, serve(mpi, NULL, NULL, line));
    ms_execution_mpi_end(&mpi, status);
    return status;
}

void ms_execution_mpi_end(ms_execution_mpi **mpi, int status)
{
    if (*mpi == NULL)
        return;
    if ((*mpi)->rank == 0)
        (*mpi)->plugin->broadcast(&(ms_rank_task){.kind = MS_TASK_END, .status = status},
                                  (int)sizeof(ms_rank_task));
    (*mpi)->plugin->end();
    free(*mpi);
    *mpi = NULL;
}
