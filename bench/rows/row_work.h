/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_work.h - the rows of a command whose grid is known beforehand, computed by threads and ranks, and delivered in the
 * order of the grid.
 *
 * A row becomes a record, a JSON value with everything that the answer needs; later results (ranks, orders, boundaries)
 * are computed by the caller from records only. So records may come from this process, from another rank, or from a part
 * written earlier (parts.h). */
#pragma once

#include <jansson.h>

#include <macrostep/thread_pool.h>
#include "progress.h"
#include "ranks.h"
#include "shard.h"

typedef struct ms_row_job {
    const char *what; /* for progress */
    long n;           /* rows of the whole grid */
    long window;      /* how many rows from the first undelivered one on may be begun; 0: all */
    bool texts;       /* records are strings, sent between ranks as they are */
    bool serial;      /* rows need their predecessors: one thread computes them, in ascending order */
    bool costly_last; /* later rows cost more, and are begun first if several threads work */
    int threads;
    ms_contexts contexts; /* private data of each thread */
    void *self;
    /* REQUIRED: the record of row k; called by any thread. MS_INTERRUPTED may come with a record. */
    int (*compute)(void *self, void *context, long k, json_t **record, ms_error *error);
    /* REQUIRED: in ascending order, one at a time; the record is borrowed. */
    int (*deliver)(void *self, long k, json_t *record, ms_error *error);
    /* OPTIONAL: describes row k, just computed with that context, in a few words for progress. */
    void (*name)(void *self, void *context, long k, char *text, size_t size);
    /* OPTIONAL: called once for each row, in ascending order: the group of its stratum, and whether it begins a
     * new stratum. A single process runs some rows of each stratum first to estimate the remaining time
     * (row_estimate.h). */
    int (*stratum)(void *self, long k, int *group, bool *begins, ms_error *error);
} ms_row_job;

/* Which rows are computed, and by whom. */
typedef struct ms_row_plan {
    ms_shard shard;
    long done; /* rows of the shard already done, omitted at its beginning; on ranks other than 0 it is 0 */
    /* OPTIONAL: receives the records instead of the job's `deliver`; `receiver` is its self. */
    int (*deliver)(void *receiver, long k, json_t *record, ms_error *error);
    void *receiver;
    bool gaps;       /* an interruption may omit rows in between, and an interrupted row has a record */
    ms_ranks *ranks; /* OPTIONAL */
    uint64_t digest; /* digest of the call, for the other ranks */
    const volatile sig_atomic_t *stop;
    ms_progress *progress; /* with one part, begun; OPTIONAL */
} ms_row_plan;

/* Errors: those of compute and deliver, MS_INTERRUPTED, MS_NO_MEMORY. A rank other than 0 delivers nothing. */
int ms_row_work(const ms_row_job *job, const ms_row_plan *plan, ms_error *error);
