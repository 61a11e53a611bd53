/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_work.h - the rows of a command whose grid is known beforehand, computed by threads and ranks, and delivered in the
 * order of the grid.
 *
 * A row becomes a record, a JSON value that holds all that the answer needs of it; what follows the rows (ranks, orders,
 * boundaries) is the caller's, from records alone. So it makes no difference who computed them, and when: this process,
 * another rank, or one that has written them into a part (parts.h). */
#ifndef MS_ROW_WORK_H
#define MS_ROW_WORK_H

#include <jansson.h>

#include <macrostep/thread_pool.h>
#include "progress.h"
#include "ranks.h"
#include "shard.h"

typedef struct ms_row_job {
    const char *what; /* for progress */
    long n;           /* rows of the whole grid */
    long window;      /* rows from the first one that is not delivered on that may be begun; 0: all */
    bool texts;       /* records are strings, which ranks send as they are */
    bool alone;       /* rows need their predecessors: one thread does them, in ascending order */
    bool costly_last; /* later rows cost more, and are begun first where several work */
    int threads;
    ms_contexts contexts; /* what a thread needs of its own */
    void *self;
    /* REQUIRED: the record of row k; by any thread. With MS_INTERRUPTED there may be one as well. */
    int (*compute)(void *self, void *context, long k, json_t **record, ms_error *error);
    /* REQUIRED: in ascending order, one at a time; the record is borrowed. */
    int (*deliver)(void *self, long k, json_t *record, ms_error *error);
    /* OPTIONAL: what row k, which compute has just computed with that context, is of, in a few words for progress. */
    void (*name)(void *self, void *context, long k, char *text, size_t size);
    /* OPTIONAL: asked once for each row, in ascending order: the group of its stratum, and whether it begins a new one.
     * A process that is alone runs some rows of each stratum first, and knows from these how much is left
     * (row_estimate.h). */
    int (*stratum)(void *self, long k, int *group, bool *begins, ms_error *error);
} ms_row_job;

/* Which rows, and who works on them. */
typedef struct ms_row_plan {
    ms_shard shard;
    long done; /* rows of the shard that are left out at its beginning; on ranks other than 0 it is 0 */
    /* OPTIONAL: takes the records in place of the job, as its `deliver` does; `receiver` is its self. */
    int (*deliver)(void *receiver, long k, json_t *record, ms_error *error);
    void *receiver;
    bool gaps; /* an interruption may leave out rows between others, and an interrupted row has a record */
    ms_ranks *ranks; /* OPTIONAL */
    uint64_t digest; /* of the call, for them */
    const volatile sig_atomic_t *stop;
    ms_progress *progress; /* of one part, begun; OPTIONAL */
} ms_row_plan;

/* Errors: those of compute and deliver, MS_INTERRUPTED, MS_NO_MEMORY. A rank other than 0 delivers nothing. */
int ms_row_work(const ms_row_job *job, const ms_row_plan *plan, ms_error *error);

#endif
