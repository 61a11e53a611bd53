/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_distribution.c - rank 0 orders the macro-steps of blocks (execution_block.c) that the ranks hold.
 *
 * The co-simulation here is that of the whole, for the run, its step control and its observers; its instances are never
 * integrated. Each macro-step is one broadcast (t, h) and one reduction: whether all went well, and how large values are, since
 * a run ends where one diverges, at the same time for all. Both are of a fixed size; the largest of numbers does not depend on the
 * order in which they are compared. What else is done with the state needs it here: it is shown (gathered) after a macro-step where
 * an observer reads it, at announced time events, and at the end of the run. Of an error estimate the sum alone comes here. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/execution.h>
#include "error_sum.h"
#include "execution_mpi.h"

static void tell(const ms_distribution *d, const ms_rank_task *task)
{
    ms_rank_task all = *task;
    d->mpi->broadcast(&all, (int)sizeof all);
}

/* Where the bytes of each rank's block begin: count and at (ranks), those of rank 0 among them. Returns the total, or 0 where it is
 * more than MPI counts (INT_MAX). */
static size_t place(const ms_cosim *cosim, const ms_partition *partition, int *count, int *at)
{
    size_t total = 0;
    for (int k = 0; k < partition->ranks; k++) {
        const size_t bytes = ms_block_state_bytes(cosim, partition->first[k], partition->first[k + 1]);
        if (total + bytes > INT_MAX)
            return 0;
        at[k] = (int)total;
        count[k] = (int)bytes;
        total += bytes;
    }
    return total + 1;
}

int ms_distribution_prepare(ms_cosim *cosim)
{
    ms_distribution *d = cosim->distribution;
    const size_t size = place(cosim, &d->partition, d->count, d->at);
    free(d->in);
    free(d->start);
    d->shown = true; /* nothing has happened */
    d->in = size > 0 ? malloc(size) : NULL;
    d->start = malloc(sizeof *d->start * (ms_block_start_size(cosim) + 1));
    if (d->in == NULL || d->start == NULL)
        return MS_NO_MEMORY;
    const ms_samples samples = ms_block_samples(cosim);
    return ms_block_prepare(d->block, &samples);
}

void ms_distribution_destroy(ms_distribution **out)
{
    ms_distribution *d = *out;
    if (d == NULL)
        return;
    ms_block_destroy(&d->block);
    ms_partition_destroy(&d->partition);
    free(d->start);
    free(d->in);
    free(d->count);
    free(d->report);
    free(d);
    *out = NULL;
}

/* What happens in a run ---------------------------------------------------------------------------------- */

void ms_distribution_start(ms_cosim *cosim)
{
    ms_distribution *d = cosim->distribution;
    const size_t lin = (size_t)cosim->lin_size, aux = (size_t)cosim->aux_size;
    char *bytes = (char *)d->start;
    size_t left = sizeof(double) * ms_block_start_size(cosim);
    memcpy(d->start, cosim->lin, sizeof(double) * lin);
    memcpy(d->start + lin, cosim->aux, sizeof(double) * aux);
    memcpy(d->start + lin + aux, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
    tell(d, &(ms_rank_task){.kind = MS_TASK_START});
    while (left > 0) {
        const size_t part = left > MS_BROADCAST_MAX ? MS_BROADCAST_MAX : left;
        d->mpi->broadcast(bytes, (int)part);
        bytes += part;
        left -= part;
    }
    ms_block_start(d->block, d->start);
    d->shown = true;
}

/* The line of the first rank that failed, into cosim->error. Returns its status. */
static int ask_why(ms_cosim *cosim, int rank)
{
    const ms_distribution *d = cosim->distribution;
    const ms_report own = ms_block_report(d->block);
    tell(d, &(ms_rank_task){.kind = MS_TASK_WHY});
    d->mpi->collect(&own, (int)sizeof own, d->report);
    cosim->error = d->report[rank].error;
    return d->report[rank].status;
}

/* What became of the macro-step. A subsystem that failed stands before outputs that were not solved, as in a serial run, which
 * would not have come to them. */
static int judge(ms_cosim *cosim, const double *verdict)
{
    ms_distribution *d = cosim->distribution;
    const double failed = verdict[MS_VERDICT_STEP_FAILED] > 0.0 ? verdict[MS_VERDICT_STEP_FAILED]
                                                                : verdict[MS_VERDICT_OUTPUTS_FAILED];
    d->largest = verdict[failed > 0.0 ? MS_VERDICT_INTEGRATED : MS_VERDICT_LARGEST];
    d->residual = verdict[MS_VERDICT_RESIDUAL];
    d->shown = false;
    if (d->observed)
        ms_distribution_show(cosim);
    return failed > 0.0 ? ask_why(cosim, d->partition.ranks - (int)failed) : MS_OK;
}

int ms_distribution_step(ms_cosim *cosim, double t, double h)
{
    const ms_distribution *d = cosim->distribution;
    const long most = cosim->instance[0]->micro_steps_max;
    double own[MS_VERDICTS], all[MS_VERDICTS];
    tell(d, &(ms_rank_task){
                .kind = MS_TASK_STEP, .t = t, .h = h, .share = cosim->share, .micro_steps_max = most});
    ms_block_bound_micro_steps(d->block, most);
    ms_block_step(d->block, t, h, cosim->share, d->partition.ranks, own);
    d->mpi->largest(own, MS_VERDICTS, all);
    cosim->integrations += cosim->system->n;
    return judge(cosim, all);
}

void ms_distribution_save(const ms_cosim *cosim)
{
    tell(cosim->distribution, &(ms_rank_task){.kind = MS_TASK_SAVE});
    ms_block_save(cosim->distribution->block);
}

void ms_distribution_restore(const ms_cosim *cosim)
{
    tell(cosim->distribution, &(ms_rank_task){.kind = MS_TASK_RESTORE});
    ms_block_restore(cosim->distribution->block);
}

void ms_distribution_keep(const ms_cosim *cosim, bool outputs)
{
    tell(cosim->distribution, &(ms_rank_task){.kind = MS_TASK_KEEP, .errors = {.outputs = outputs}});
    ms_block_keep(cosim->distribution->block, outputs);
}

double ms_distribution_error_sum(const ms_cosim *cosim, const ms_error_sum *errors)
{
    const ms_distribution *d = cosim->distribution;
    double sum;
    tell(d, &(ms_rank_task){.kind = MS_TASK_SUM, .errors = *errors});
    sum = ms_block_add_errors(d->block, errors, 0.0);
    if (d->partition.ranks == 1)
        return sum;
    d->mpi->hand_on(1, sum);
    return d->mpi->take_over(d->partition.ranks - 1);
}

/* What others see ---------------------------------------------------------------------------------------- */

void ms_distribution_observe(ms_cosim *cosim, bool observed)
{
    cosim->distribution->observed = observed;
}

void ms_distribution_show(ms_cosim *cosim)
{
    ms_distribution *d = cosim->distribution;
    const int *first = d->partition.first;
    if (d->shown)
        return;
    tell(d, &(ms_rank_task){.kind = MS_TASK_SHOW});
    ms_block_put_state(d->block, d->in);
    d->mpi->gather(NULL, 0, d->in, d->count, d->at);
    for (int k = 0; k < d->partition.ranks; k++)
        ms_block_take_state(cosim, first[k], first[k + 1], d->in + d->at[k]);
    d->shown = true;
}

double ms_distribution_largest(const ms_cosim *cosim)
{
    return cosim->distribution->largest;
}

double ms_distribution_residual(const ms_cosim *cosim)
{
    return cosim->distribution->residual;
}
