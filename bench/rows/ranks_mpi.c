/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks_mpi.c - messages between ranks that share rows, by MPI (plugin_mpi.h). */
#include "plugin_mpi.h"
#include "ranks.h"

static const ms_plugin_mpi *mpi; /* NULL: it has not begun */

static int mpi_begin(int *rank, int *size, ms_error *error)
{
    const ms_plugin *plugin;
    *rank = 0;
    *size = 1;
    MS_TRY(ms_plugin_open("mpi", "ranks that share rows (--shard I/N and macrostep merge need no MPI)",
                          &plugin, error));
    mpi = (const ms_plugin_mpi *)(const void *)plugin;
    return mpi->begin(rank, size) == MS_OK
               ? MS_OK
               : ms_fail(error, MS_UNSUPPORTED,
                         "MPI does not start; without mpirun one process does all rows");
}

static int mpi_send(int to, const void *bytes, size_t size)
{
    return mpi->send(to, bytes, size);
}

static int mpi_receive(int *from, char **bytes, size_t *size)
{
    return mpi->receive(from, bytes, size);
}

static void mpi_end(void)
{
    mpi->end();
}

const ms_ranks_transport ms_ranks_mpi = {
    .begin = mpi_begin, .send = mpi_send, .receive = mpi_receive, .end = mpi_end};
