/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_parts.h - what each rank does. */
#pragma once

#include <macrostep/scheme.h>
#include "rank_block.h"

/* What rank 0 has of a co-simulation on ranks (cosim->executor_data): execution_ranks.c makes it, for
 * rank_orchestrator.c or rank_distribution.c. */

typedef struct ms_rank_zero {
    const ms_plugin_mpi *mpi;
    ms_partition partition;
    ms_report *report;                          /* (ranks) */
    int *out_count, *out_at, *in_count, *in_at; /* (ranks) [bytes]: scattered, gathered */
    char *out, *in;                             /* in follows out in memory */

    ms_outcome *outcome; /* (n) where rank 0 keeps the state, as orchestrator; else */

    ms_block *block; /* of rank 0, if each rank holds the state of its block */
    double *start;   /* (ms_block_start_size) */
    double largest, residual;
    bool observed, shown; /* is the state shown after each macro-step, and has it been after the last one? */
} ms_rank_zero;

static inline ms_rank_zero *ms_rank_zero_of(const ms_cosim *cosim)
{
    return cosim->executor_data;
}

static inline void ms_rank_zero_tell(const ms_cosim *cosim, const ms_rank_task *task)
{
    ms_rank_task all = *task;
    ms_rank_zero_of(cosim)->mpi->broadcast(&all, (int)sizeof all);
}

/* Slots of ms_executor. */
int ms_orchestrator_advance(ms_cosim *cosim, double t, double h, double *dy);
int ms_orchestrator_advance_some(ms_cosim *cosim, const bool *which, double *dy);
int ms_orchestrator_advance_one(ms_cosim *cosim, int i, double *dy);
extern const ms_state_elsewhere ms_distribution_state;

/* Memory for messages, and for states that the ranks show and start with. Returns MS_OK or MS_NO_MEMORY. */
int ms_orchestrator_prepare(ms_cosim *cosim);
int ms_distribution_prepare(ms_cosim *cosim);

/* rank_worker.c: what a rank other than 0 does. */

/* The rank, and what it does from MPI's begin to its end; see ms_execution_mpi_serve. system NULL: there is none,
 * and failure is the line that says why. */
typedef struct ms_worker_place {
    const ms_plugin_mpi *mpi;
    int rank, ranks;
    const ms_rank_run *run;
    const ms_system *system;
    const ms_scheme *(*find_scheme)(const char *name);
    const char *failure;
} ms_worker_place;
int ms_worker_serve(const ms_worker_place *place);

/* rank_alone.c: the functions of macrostep-mpi.so for a program that runs as the only rank. MPI is not started: its start is
 * slow, and it does not free all of its memory. */

extern const ms_plugin_mpi ms_rank_alone;
