/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.h - processes that a launcher has started together and that share the rows of one command.
 *
 * Every rank reads the same call and knows all rows by their numbers. Rank 0 hands out rows to whoever is idle,
 * takes in their texts and writes the answer; the others compute what they are told. A message to rank r is
 * {first, count} (16 bytes), one to rank 0 a head of 24 bytes and the text of one row. */
#ifndef MS_RANKS_H
#define MS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <macrostep/status.h>

/* How messages travel. All are called by the main thread alone. */
typedef struct ms_ranks_transport {
    int (*begin)(int *rank, int *size, ms_error *error);   /* REQUIRED */
    int (*send)(int to, const void *bytes, size_t size);   /* REQUIRED; bytes are the caller's again */
    int (*receive)(int *from, char **bytes, size_t *size); /* REQUIRED; does not wait: *bytes = NULL where
                                                                   there is none, else to be freed */
    void (*end)(void);                                     /* REQUIRED */
} ms_ranks_transport;

/* MPI; where the program was built without it, `begin` says so. */
extern const ms_ranks_transport ms_ranks_mpi;

typedef struct ms_ranks {
    const ms_ranks_transport *transport; /* NULL: this process is alone */
    int rank, size;
    bool served; /* rows have been shared */
    bool broken; /* a message is lost: this process ends with a failure, and the launcher ends all others */
} ms_ranks;

/* Number of processes that a launcher (Open MPI, MPICH, PMIx) has started together with this one, and which of them
 * this is; 1 and 0 without. MPI itself is not asked: it starts only where ranks share something. */
int ms_ranks_launched(int *rank);

/* Begins where there are several. Errors: MS_UNSUPPORTED. Ending is safe in any case, also where one rank has
 * failed before rows were shared. */
int ms_ranks_begin(const ms_ranks_transport *transport, ms_ranks *ranks, ms_error *error);
void ms_ranks_end(ms_ranks *ranks);

/* How many there are beside this one; 0 where ranks is NULL or has not begun. */
static inline int ms_ranks_others(const ms_ranks *ranks)
{
    return ranks != NULL && ranks->size > 1 ? ranks->size - 1 : 0;
}

/* What rank 0 does with the others. */
typedef struct ms_ranks_service {
    void *self;
    uint64_t digest; /* of the call: that of each rank has to be the same */
    /* Rows for a rank that is idle: the first one, and *count of them. *count = 0: not yet; false: no more. */
    bool (*take)(void *self, long *first, long *count);
    /* A row; text is borrowed. With a status other than MS_OK its text is the line that says why. */
    void (*deliver)(void *self, long row, int status, const char *text);
} ms_ranks_service;

/* Serves until every other rank has been told that there is no more. Errors: MS_NO_MEMORY, MS_IO. */
int ms_ranks_serve(ms_ranks *ranks, const ms_ranks_service *service, ms_error *error);

/* What the others do: compute(self, row, &text, error) for each row, in ascending order, until rank 0 says that there
 * is no more; the text is freed. Returns MS_OK, or the status of the row that failed. */
int ms_ranks_obey(ms_ranks *ranks, uint64_t digest, void *self,
                  int (*compute)(void *self, long row, char **text, ms_error *error), ms_error *error);

/* Of a text (FNV-1a, 64 bits), from `digest` on, or from 0 at first. */
uint64_t ms_ranks_digest(uint64_t digest, const char *text);

#endif
