/* SPDX-License-Identifier: GPL-3.0-or-later */
/* partition.h - which subsystems a rank holds, and which outputs it needs from others: computed once, only from the wires, without
 * MPI. */
#pragma once

#include <macrostep/system.h>

/* Blocks: rank k holds subsystems first[k] .. first[k + 1] - 1, which may be none. */
typedef struct ms_partition {
    int ranks;
    int *first; /* (ranks + 1) */
} ms_partition;

/* Contiguous blocks in the order of the model, as equal in cost (states and outputs) as whole subsystems can be. together: outputs
 * are solved at the end of a macro-step, so that subsystems whose outputs with feed-through read each other, and all between
 * them, stay on one rank. Errors: MS_NO_MEMORY. */
int ms_partition_create(const ms_system *system, int ranks, bool together, ms_partition *partition,
                        ms_error *error);
void ms_partition_destroy(ms_partition *partition); /* safe on zeroed ones */

/* The same of n costs: joined[i]: i and i + 1 stay together (n - 1; NULL: none do). Each cut is the possible one next to its
 * share of the sum. first (ranks + 1). */
void ms_partition_cut(int n, const double *cost, const bool *joined, int ranks, int *first);

/* The rank that holds subsystem i. */
int ms_partition_rank(const ms_partition *partition, int i);

/* Exchange of one rank with another: outputs (indices in y of the system), first those without feed-through, each ascending. */
typedef struct ms_neighbour {
    int rank;
    int n_send, n_receive;
    int solved_send, solved_receive; /* of these, at the end, with feed-through */
    int *send, *receive;
} ms_neighbour;

/* All exchanges of one rank, neighbours in ascending order. Exchanged outputs are those, each once, that a wire carries from a
 * subsystem of one rank to one of another. */
typedef struct ms_exchange {
    int n;
    ms_neighbour *neighbour; /* (n) */
    int n_send, n_receive;   /* of all neighbours */
    int *send, *receive;     /* the concatenated lists of all neighbours */
} ms_exchange;

/* Errors: MS_NO_MEMORY. */
int ms_exchange_create(const ms_system *system, const ms_partition *partition, int rank,
                       ms_exchange *exchange, ms_error *error);
void ms_exchange_destroy(ms_exchange *exchange); /* safe on zeroed ones */
