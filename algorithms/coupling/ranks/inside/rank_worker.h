/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rank_worker.h - what a rank other than 0 does. */
#ifndef MS_RANK_WORKER_H
#define MS_RANK_WORKER_H

#include <macrostep/rank_run.h>
#include <macrostep/scheme.h>
#include "plugin_mpi.h"

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

#endif
