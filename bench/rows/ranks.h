/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.h - processes that a launcher has started together and that share the rows of one command.
 *
 * Every rank reads the same call and knows all rows by their numbers. Rank 0 gives rows to idle ranks, collects their
 * texts and writes the answer; the others compute the rows assigned to them. A message to rank r is {first, count}
 * (16 bytes), one to rank 0 a head of 24 bytes and the text of one row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <macrostep/status.h>

/* Transport of messages. All functions are called by the main thread only. */
typedef struct ms_ranks_transport {
    int (*begin)(int *rank, int *size, ms_error *error);   /* REQUIRED */
    int (*send)(int to, const void *bytes, size_t size);   /* REQUIRED; bytes may be reused at once */
    int (*receive)(int *from, char **bytes, size_t *size); /* REQUIRED; does not block: *bytes = NULL without
                                                                   a message, otherwise to be freed */
    void (*end)(void);                                     /* REQUIRED */
} ms_ranks_transport;

/* MPI; in a program built without it `begin` reports so. */
extern const ms_ranks_transport ms_ranks_mpi;

typedef struct ms_ranks {
    const ms_ranks_transport *transport; /* NULL: this process is alone */
    int rank, size;
    bool served; /* rows have been shared */
    bool broken; /* a message is lost: this process fails, and the launcher ends all others */
} ms_ranks;

/* Number of processes that a launcher (Open MPI, MPICH, PMIx) has started together with this one, and the rank of
 * this one; 1 and 0 without a launcher. Does not use MPI, which is initialised only if ranks share work. */
int ms_ranks_launched(int *rank);

/* Begins if there are several ranks. Errors: MS_UNSUPPORTED. Ending is safe in any case, also if one rank has
 * failed before rows were shared. */
int ms_ranks_begin(const ms_ranks_transport *transport, ms_ranks *ranks, ms_error *error);
void ms_ranks_end(ms_ranks *ranks);

/* The number of other ranks; 0 if ranks is NULL or has not begun. */
static inline int ms_ranks_others(const ms_ranks *ranks)
{
    return ranks != NULL && ranks->size > 1 ? ranks->size - 1 : 0;
}

/* What rank 0 serves to the other ranks. */
typedef struct ms_ranks_service {
    void *self;
    uint64_t digest; /* digest of the call: must be the same on all ranks */
    /* Rows for an idle rank: the first one, and *count of them. *count = 0: not yet; false: no more. */
    bool (*take)(void *self, long *first, long *count);
    /* Delivers a row; text is borrowed. With a status other than MS_OK the text is the error message. */
    void (*deliver)(void *self, long row, int status, const char *text);
} ms_ranks_service;

/* Serves until every other rank knows that there are no more rows. Errors: MS_NO_MEMORY, MS_IO. */
int ms_ranks_serve(ms_ranks *ranks, const ms_ranks_service *service, ms_error *error);

/* On the other ranks: compute(self, row, &text, error) for each row, in ascending order, until rank 0 reports the
 * end; the text is freed. Returns MS_OK, or the status of the row that failed. */
int ms_ranks_obey(ms_ranks *ranks, uint64_t digest, void *self,
                  int (*compute)(void *self, long row, char **text, ms_error *error), ms_error *error);

/* Digest of a text (FNV-1a, 64 bits), continued from `digest`, which is 0 at first. */
uint64_t ms_ranks_digest(uint64_t digest, const char *text);
