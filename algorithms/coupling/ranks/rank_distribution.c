/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_distribution.c - rank 0 orders the macro-steps of blocks (rank_block.c) that the ranks hold.
 *
 * The co-simulation here is that of the whole, for the run, its step control and its observers; its instances are never
 * integrated. Each macro-step is one broadcast (t, h) and one reduction: whether all went well, and how large values are, since
 * a run ends where one diverges, at the same time for all. Both are of a fixed size; the largest of numbers does not depend on the
 * order in which they are compared. What else is done with the state needs it here: it is shown (gathered) after a macro-step where
 * an observer reads it, at announced time events, and at the end of the run. Of an error estimate the sum alone comes here. */
#include "rank_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Offset of each rank's block in bytes, including rank 0. Returns the total, or 0 if it exceeds what MPI counts
 * (INT_MAX). */
static size_t place(const ms_cosim *cosim, ms_rank_zero *zero)
{
    const ms_partition *p = &zero->partition;
    size_t total = 0;
    for (int k = 0; k < p->ranks; k++) {
        const size_t bytes = ms_block_state_bytes(cosim, p->first[k], p->first[k + 1]);
        if (total + bytes > INT_MAX)
            return 0;
        zero->in_at[k] = (int)total;
        zero->in_count[k] = (int)bytes;
        total += bytes;
    }
    return total + 1;
}

int ms_distribution_prepare(ms_cosim *cosim)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const size_t size = place(cosim, zero);
    MS_FREE(zero->out, zero->start);
    zero->shown = true; /* nothing has happened */
    zero->in = zero->out = size > 0 ? malloc(size) : NULL;
    zero->start = malloc(sizeof *zero->start * (ms_block_start_size(cosim) + 1));
    MS_TRY_MEMORY(zero->in != NULL && zero->start != NULL);
    const ms_samples samples = ms_block_samples(cosim);
    return ms_block_prepare(zero->block, &samples);
}

/* What happens in a run ---------------------------------------------------------------------------------- */

static void start(ms_cosim *cosim)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const size_t lin = (size_t)cosim->lin_size, aux = (size_t)cosim->aux_size;
    memcpy(zero->start, cosim->lin, sizeof(double) * lin);
    memcpy(zero->start + lin, cosim->aux, sizeof(double) * aux);
    memcpy(zero->start + lin + aux, cosim->y_raw, sizeof(double) * (size_t)cosim->system->ny);
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_START});
    ms_message_broadcast(zero->mpi, zero->start, ms_block_start_size(cosim));
    ms_block_start(zero->block, zero->start);
    zero->shown = true;
}

static void show(ms_cosim *cosim)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const int *first = zero->partition.first;
    if (zero->shown)
        return;
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_SHOW});
    ms_block_put_state(zero->block, zero->in);
    zero->mpi->gather(NULL, 0, zero->in, zero->in_count, zero->in_at);
    for (int k = 0; k < zero->partition.ranks; k++)
        ms_block_take_state(cosim, first[k], first[k + 1], zero->in + zero->in_at[k]);
    zero->shown = true;
}

/* The line of the first rank that failed, into cosim->error. Returns its status. */
static int ask_why(ms_cosim *cosim, int rank)
{
    const ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const ms_report own = ms_block_report(zero->block);
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_WHY});
    zero->mpi->collect(&own, (int)sizeof own, zero->report);
    cosim->error = zero->report[rank].error;
    if (zero->report[rank].ended > 0)
        cosim->instance[zero->report[rank].ended - 1]->ended = true;
    return zero->report[rank].status;
}

/* The result of the macro-step. A failed subsystem takes precedence over unsolved outputs, as in a serial run, which
 * would not have reached them. */
static int judge(ms_cosim *cosim, const double *verdict)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const double failed = verdict[MS_VERDICT_STEP_FAILED] > 0.0 ? verdict[MS_VERDICT_STEP_FAILED]
                                                                : verdict[MS_VERDICT_OUTPUTS_FAILED];
    zero->largest = verdict[failed > 0.0 ? MS_VERDICT_INTEGRATED : MS_VERDICT_LARGEST];
    zero->residual = verdict[MS_VERDICT_RESIDUAL];
    zero->shown = false;
    if (zero->observed)
        show(cosim);
    return failed > 0.0 ? ask_why(cosim, zero->partition.ranks - (int)failed) : MS_OK;
}

static int step(ms_cosim *cosim, double t, double h)
{
    const ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const long most = cosim->instance[0]->micro_steps_max;
    double own[MS_VERDICTS], all[MS_VERDICTS];
    ms_rank_zero_tell(
        cosim, &(ms_rank_task){
                   .kind = MS_TASK_STEP, .t = t, .h = h, .share = cosim->share, .micro_steps_max = most});
    ms_block_bound_micro_steps(zero->block, most);
    ms_block_step(zero->block, t, h, cosim->share, zero->partition.ranks, own);
    zero->mpi->largest(own, MS_VERDICTS, all);
    cosim->integrations += cosim->system->n;
    return judge(cosim, all);
}

static void save(const ms_cosim *cosim)
{
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_SAVE});
    ms_block_save(ms_rank_zero_of(cosim)->block);
}

static void restore(const ms_cosim *cosim)
{
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_RESTORE});
    ms_block_restore(ms_rank_zero_of(cosim)->block);
}

static void keep(const ms_cosim *cosim, bool outputs)
{
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_KEEP, .errors = {.outputs = outputs}});
    ms_block_keep(ms_rank_zero_of(cosim)->block, outputs);
}

static double error_sum(const ms_cosim *cosim, const ms_error_sum *errors)
{
    const ms_rank_zero *zero = ms_rank_zero_of(cosim);
    double sum;
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_SUM, .errors = *errors});
    sum = ms_block_add_errors(zero->block, errors, 0.0);
    if (zero->partition.ranks == 1)
        return sum;
    zero->mpi->hand_on(1, sum);
    return zero->mpi->take_over(zero->partition.ranks - 1);
}

/* What others see ---------------------------------------------------------------------------------------- */

static void observe(ms_cosim *cosim, bool observed)
{
    ms_rank_zero_of(cosim)->observed = observed;
}

static double largest(const ms_cosim *cosim)
{
    return ms_rank_zero_of(cosim)->largest;
}

static double residual(const ms_cosim *cosim)
{
    return ms_rank_zero_of(cosim)->residual;
}

const ms_state_elsewhere ms_distribution_state = {.start = start,
                                                  .step = step,
                                                  .save = save,
                                                  .restore = restore,
                                                  .keep = keep,
                                                  .error_sum = error_sum,
                                                  .observe = observe,
                                                  .show = show,
                                                  .largest = largest,
                                                  .residual = residual};
