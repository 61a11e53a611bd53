/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi.c - macrostep-mpi.so: the messages of execution_mpi.c, by MPI. */
#include "plugin_mpi.h"

#ifdef MS_HAVE_MPI
#include <mpi.h>

static int begin(int *rank, int *ranks)
{
    int provided = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, ranks) != MPI_SUCCESS)
        return MS_UNSUPPORTED;
    return MS_OK;
}

static void end(void)
{
    MPI_Finalize();
}

static void broadcast(void *what, int bytes)
{
    MPI_Bcast(what, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatter(const char *all, const int *count, const int *at, char *own, int bytes)
{
    MPI_Scatterv(all, count, at, MPI_BYTE, own != NULL ? own : MPI_IN_PLACE, bytes, MPI_BYTE, 0,
                 MPI_COMM_WORLD);
}

static void gather(const char *own, int bytes, char *all, const int *count, const int *at)
{
    MPI_Gatherv(own != NULL ? own : MPI_IN_PLACE, bytes, MPI_BYTE, all, count, at, MPI_BYTE, 0,
                MPI_COMM_WORLD);
}

static void collect(const void *own, int bytes, void *all)
{
    MPI_Gather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

const ms_plugin_mpi ms_plugin_table = {
    .plugin = {.build = MS_PLUGIN_BUILD},
    .begin = begin,
    .end = end,
    .broadcast = broadcast,
    .scatter = scatter,
    .gather = gather,
    .collect = collect,
};
#endif
