/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_ranks.h - a co-simulation on the ranks of one program (`execution` mpi), each of which has a block of subsystems. */
#ifndef MS_EXECUTION_RANKS_H
#define MS_EXECUTION_RANKS_H

#include <macrostep/c_linkage.h>
#include <macrostep/execution.h>
#include <macrostep/rank_run.h>

MS_C_LINKAGE_BEGIN

/* Of rank 0. Where the scheme can work on blocks (has_blocks) each rank keeps the state of its own, and exchanges with its
 * neighbours the outputs that wires carry between them, nothing else. For other schemes rank 0 is the orchestrator, which keeps the
 * scheme and all state (Eguillon et al. 2021, section 4). Subsystems of gauss-seidel wait for each other: it runs, and gains
 * nothing. Errors: MS_UNSUPPORTED (MPI was not started, or is at work), MS_NO_MEMORY, what a rank reports. */
extern const ms_executor ms_executor_ranks;

/* MPI in this process, which the program starts where it wants it, once, and hands to runs as ms_options.ranks. */
typedef struct ms_execution_mpi ms_execution_mpi;

/* begin: opens and starts it where a launcher has started this process with others (launched), else this one is the only rank,
 * without MPI; run: of this process. Errors: MS_UNSUPPORTED (not built with MPI, its shared object does not open, or it does not
 * start), MS_NO_MEMORY; *mpi is NULL then.
 * rank: of this process.
 * serve: on each rank but 0, works for the co-simulations of this system that rank 0 creates, one at a time, until it ends; where
 * rank 0 has another system or run it is refused (MS_INVALID).
 * find_scheme: the scheme of a name. Returns what it ended with.
 * refuse: all of it on a rank that cannot work, for the reason of the line: so rank 0 does not wait for it, and has the line.
 * end: rank 0 ends the others with a status; every rank stops MPI. NULL-safe. */
int ms_execution_mpi_begin(bool launched, const ms_rank_run *run, ms_execution_mpi **mpi, ms_error *error);
int ms_execution_mpi_rank(const ms_execution_mpi *mpi);
int ms_execution_mpi_serve(const ms_execution_mpi *mpi, const ms_system *system,
                           const ms_scheme *(*find_scheme)(const char *name));
int ms_execution_mpi_refuse(const char *line);
void ms_execution_mpi_end(ms_execution_mpi **mpi, int status);

MS_C_LINKAGE_END

#endif
