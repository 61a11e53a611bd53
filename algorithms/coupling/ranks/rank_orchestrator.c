/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_orchestrator.c - rank 0 orchestrates schemes without blocks (Eguillon et al. 2021, section 4): scheme, nonlinear solves,
 * state and observers are here, and the other ranks keep between steps only their configuration and the history of micro-solvers:
 *
 *     advance    scatter: t, h, input, laws, state, last u and y of each subsystem; rank 0 advances its own block; gather:
 *                outcome, work, u, y, y', state, samples. As the state is sent with each step, rollback needs no separate task
 *
 * The paper scatters inputs and gathers outputs in two messages each; here each rank has one of each, and times go with the
 * scattered ones, as asynchronous subsystems have their own. */
#include "rank_parts.h"

#include <limits.h>
#include <stdlib.h>

/* Steps of subsystems first .. last - 1 to a rank. */
static void put_steps(const ms_cosim *cosim, const bool *which, int first, int last, char *to)
{
    const ms_system *s = cosim->system;
    for (int i = first; i < last; i++) {
        const ms_instance *instance = cosim->instance[i];
        ms_message_put_step(to, instance, ms_execution_is_meant(which, i), cosim->u_left + s->u_at[i],
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
        if (ms_execution_is_meant(which, i))
            ms_rank_zero_of(cosim)->outcome[i] =
                ms_message_take_answer(from, instance, cosim->u_left + s->u_at[i], cosim->y_raw + s->y_at[i],
                                       dy != NULL ? dy + s->y_at[i] : NULL);
        from += ms_message_answer_bytes(instance, instance->n_samples);
    }
}

/* Messages for the blocks of all ranks except rank 0, or for subsystem `only`. Returns the bytes of both kinds. */
static size_t place_messages(ms_rank_zero *zero, const ms_cosim *cosim, int only)
{
    const ms_partition *p = &zero->partition;
    size_t out = 0, in = 0;
    for (int k = 0; k < p->ranks; k++) {
        const bool all = only < 0 && k > 0, one = only >= p->first[k] && only < p->first[k + 1];
        const int first = one ? only : p->first[k], last = one ? only + 1 : all ? p->first[k + 1] : first;
        zero->out_at[k] = (int)out;
        zero->in_at[k] = (int)in;
        for (int i = first; i < last; i++) {
            out += ms_message_step_bytes(cosim->instance[i]);
            in += ms_message_answer_bytes(cosim->instance[i], cosim->instance[i]->n_samples);
        }
        if (out > INT_MAX || in > INT_MAX)
            return 0;
        zero->out_count[k] = (int)out - zero->out_at[k];
        zero->in_count[k] = (int)in - zero->in_at[k];
    }
    return out + in + 1;
}

static void tell_advance(const ms_cosim *cosim, int only, bool derivatives)
{
    ms_rank_zero_tell(cosim, &(ms_rank_task){.kind = MS_TASK_ADVANCE,
                                             .only = only,
                                             .reading = (int)cosim->reading,
                                             .micro_steps_max = cosim->instance[0]->micro_steps_max,
                                             .derivatives = derivatives});
}

int ms_orchestrator_advance_some(ms_cosim *cosim, const bool *which, double *dy)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const int *first = zero->partition.first;
    tell_advance(cosim, -1, dy != NULL);
    place_messages(zero, cosim, -1);
    for (int k = 1; k < zero->partition.ranks; k++)
        put_steps(cosim, which, first[k], first[k + 1], zero->out + zero->out_at[k]);
    zero->mpi->scatter(zero->out, zero->out_count, zero->out_at, NULL, 0);
    for (int i = 0; i < first[1]; i++)
        if (ms_execution_is_meant(which, i))
            zero->outcome[i] = ms_execution_advance_here(cosim, i, dy);
    zero->mpi->gather(NULL, 0, zero->in, zero->in_count, zero->in_at);
    for (int k = 1; k < zero->partition.ranks; k++)
        take_answers(cosim, which, first[k], first[k + 1], zero->in + zero->in_at[k], dy);
    return ms_execution_outcome(cosim, which, zero->outcome);
}

int ms_orchestrator_advance(ms_cosim *cosim, double t, double h, double *dy)
{
    ms_execution_set_step(cosim, t, h);
    return ms_orchestrator_advance_some(cosim, NULL, dy);
}

int ms_orchestrator_advance_one(ms_cosim *cosim, int i, double *dy)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    if (i < cosim->own)
        return ms_execution_one_here(cosim, i, dy);
    tell_advance(cosim, i, dy != NULL);
    place_messages(zero, cosim, i);
    put_steps(cosim, NULL, i, i + 1, zero->out);
    zero->mpi->scatter(zero->out, zero->out_count, zero->out_at, NULL, 0);
    zero->mpi->gather(NULL, 0, zero->in, zero->in_count, zero->in_at);
    take_answers(cosim, NULL, i, i + 1, zero->in, dy);
    return ms_execution_one_outcome(cosim, i, zero->outcome[i]);
}

/* Room for messages of all. */
int ms_orchestrator_prepare(ms_cosim *cosim)
{
    ms_rank_zero *zero = ms_rank_zero_of(cosim);
    const size_t size = place_messages(zero, cosim, -1);
    const int last = zero->partition.ranks - 1;
    free(zero->out);
    zero->out = size > 0 ? malloc(size) : NULL;
    MS_TRY_MEMORY(zero->out);
    zero->in = zero->out + zero->out_at[last] + zero->out_count[last];
    return MS_OK;
}
