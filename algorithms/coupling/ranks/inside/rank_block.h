/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_block.h - a rank's block of a co-simulation: a separate co-simulation of the rank's subsystems and the outputs
 * of their neighbours on other ranks (ms_system_part). */
#pragma once

#include <macrostep/cosim.h>
#include "partition.h"
#include "rank_message.h"

typedef struct ms_block {
    const ms_plugin_mpi *mpi;
    const ms_system *whole;
    int first,
        last; /* subsystems first .. last - 1 of the whole; without subsystems the rest is NULL or zero */
    ms_exchange exchange;
    ms_system *part;
    ms_cosim *cosim;
    double *receive, *send; /* values of the exchange's lists */
    void *all,
        *solved; /* exchanges of all outputs, and again of those with feed-through after they are solved */
    bool solves, shared; /* are outputs solved, and have they been exchanged in this macro-step? */
    bool failed;         /* a subsystem failed in this macro-step */
    int status;          /* of this macro-step */
    double largest;      /* |x|, |y|, |u| during integration; infinite if one is not finite */
    double *saved;       /* state that a rollback returns to */
    double *kept;        /* (nx + ny): values for the comparison of step-size control */
    double *start;       /* (start_size): room for the start values of the whole; not on rank 0 */
    size_t start_size;
    char *out; /* (ms_block_state_bytes) */
} ms_block;

/* Result of a macro-step as numbers whose maxima over all ranks count. */
typedef enum ms_verdict {
    MS_VERDICT_INTEGRATED,  /* ms_block.largest */
    MS_VERDICT_LARGEST,     /* the same at the end of the macro-step */
    MS_VERDICT_RESIDUAL,    /* |u - L y| */
    MS_VERDICT_STEP_FAILED, /* a subsystem failed: ranks - rank, so that the first one dominates; 0: none */
    MS_VERDICT_OUTPUTS_FAILED, /* likewise the outputs were not solved */
    MS_VERDICTS
} ms_verdict;

/* Arguments for the creation of a block. */
typedef struct ms_block_parts {
    const ms_plugin_mpi *mpi;
    const ms_system *whole;
    const ms_partition *partition;
    int rank;
    const ms_scheme *scheme;
    const ms_options *options; /* resolved */
} ms_block_parts;

/* The plan of the exchange is made here, once. Errors: those of ms_cosim_create. */
int ms_block_create(const ms_block_parts *parts, ms_block **block, ms_error *error);
void ms_block_destroy(ms_block **block); /* NULL-safe */

/* Before a start: samples inside macro-steps, and memory. Returns MS_OK or MS_NO_MEMORY. */
int ms_block_prepare(ms_block *block, const ms_samples *samples);

/* Values with which a co-simulation of the whole starts: lin, aux and y_raw, concatenated (ms_block_start_size doubles). */
size_t ms_block_start_size(const ms_cosim *whole);
void ms_block_start(ms_block *block, const double *values);
/* Requests of its observers. */
ms_samples ms_block_samples(const ms_cosim *whole);

/* A macro-step of fraction `share` (cosim.h), and its result. */
void ms_block_step(ms_block *block, double t, double h, double share, int code, double verdict[MS_VERDICTS]);
/* Why it failed. */
ms_report ms_block_report(const ms_block *block);
void ms_block_bound_micro_steps(ms_block *block, long most);
void ms_block_save(ms_block *block);
void ms_block_restore(ms_block *block);

/* Stores the block's states, or outputs, and adds their contribution to the sum from the ranks before. */
void ms_block_keep(ms_block *block, bool outputs);
double ms_block_add_errors(const ms_block *block, const ms_error_sum *errors, double sum);

/* All that rank 0 shows of the block: of each subsystem a step and an answer (rank_message.h), then y. take: into the
 * co-simulation of the whole. */
size_t ms_block_state_bytes(const ms_cosim *whole, int first, int last);
void ms_block_put_state(ms_block *block, char *to);
void ms_block_take_state(ms_cosim *whole, int first, int last, const char *from);
