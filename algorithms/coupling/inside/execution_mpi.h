/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_mpi.h - what the files of rank 0 share: execution_mpi.c starts, ends and orchestrates, execution_distribution.c orders
 * macro-steps of blocks. Nobody else includes it. */
#ifndef MS_EXECUTION_MPI_H
#define MS_EXECUTION_MPI_H

#include "execution_block.h"
#include "execution_message.h"

/* Blocks of one co-simulation, each on its rank with its state. */
typedef struct ms_distribution {
    const ms_plugin_mpi *mpi;
    ms_partition partition;
    ms_block *block;   /* that of rank 0 */
    double *start;     /* (ms_block_start_size) */
    char *in;          /* what the ranks show */
    int *count, *at;   /* (ranks) [bytes] */
    ms_report *report; /* (ranks) */
    double largest, residual;
    bool observed, shown; /* is the state shown after each macro-step, and has it been after the last one? */
} ms_distribution;

/* Room for what the ranks show and start with. Returns MS_OK or MS_NO_MEMORY. */
int ms_distribution_prepare(ms_cosim *cosim);
void ms_distribution_destroy(ms_distribution **distribution); /* NULL-safe */

#endif
