/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_ranks.h - a co-simulation on the ranks of one program (`execution` mpi), each of which has a block of subsystems. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/execution.h>
#include <macrostep/rank_run.h>

MS_C_LINKAGE_BEGIN

/* The executor of rank 0. If the scheme can work on blocks (has_blocks), each rank holds the state of its block, and exchanges with
 * its neighbours only the outputs on wires between them. For other schemes rank 0 is the orchestrator, which holds the scheme and
 * all state (Eguillon et al. 2021, section 4). Subsystems of gauss-seidel wait for each other: it runs without speed-up. Errors:
 * MS_UNSUPPORTED (MPI was not started, or is at work), MS_NO_MEMORY, what a rank reports. */
extern const ms_executor ms_executor_ranks;

/* MPI in this process, started once by the program on request, and passed to runs as ms_options.ranks. */
typedef struct ms_execution_mpi ms_execution_mpi;

/* begin: opens and starts it if a launcher has started this process with others (launched), otherwise this one is the only rank,
 * without MPI; run: of this process. Errors: MS_UNSUPPORTED (not built with MPI, its shared object does not open, or it does not
 * start), MS_NO_MEMORY; *mpi is NULL then.
 * rank: of this process.
 * serve: on each rank but 0, works for the co-simulations of this system that rank 0 creates, one at a time, until it ends; if
 * rank 0 has another system or run, that is refused (MS_INVALID).
 * find_scheme: the scheme of a name. Returns the final status.
 * refuse: replaces all of these on a rank that cannot work, with the reason as message: so rank 0 does not wait for it, and gets
 * the message. end: rank 0 ends the others with a status; every rank stops MPI. NULL-safe. */
int ms_execution_mpi_begin(bool launched, const ms_rank_run *run, ms_execution_mpi **mpi, ms_error *error);
int ms_execution_mpi_rank(const ms_execution_mpi *mpi);
int ms_execution_mpi_serve(const ms_execution_mpi *mpi, const ms_system *system,
                           const ms_scheme *(*find_scheme)(const char *name));
int ms_execution_mpi_refuse(const char *line);
void ms_execution_mpi_end(ms_execution_mpi **mpi, int status);

MS_C_LINKAGE_END
