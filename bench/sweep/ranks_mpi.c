/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks_mpi.c - all of MPI that ranks that share rows need. */
#include <stdlib.h>

#include "ranks.h"

#ifdef MS_HAVE_MPI
#include <limits.h>
#include <mpi.h>

enum { TAG = 14 };

static int mpi_begin(int *rank, int *size, ms_error *error)
{
    int provided = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, size) != MPI_SUCCESS)
        return ms_fail(error, MS_UNSUPPORTED, "MPI does not start; without mpirun one process does all rows");
    return MS_OK;
}

static int mpi_send(int to, const void *bytes, size_t size)
{
    return size <= INT_MAX && MPI_Send(bytes, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS
               ? MS_OK
               : MS_IO;
}

static int mpi_receive(int *from, char **bytes, size_t *size)
{
    MPI_Status status;
    int here = 0, count = 0;
    *bytes = NULL;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &here, &status) != MPI_SUCCESS)
        return MS_IO;
    if (!here)
        return MS_OK;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *from = status.MPI_SOURCE;
    *size = (size_t)count;
    *bytes = malloc(*size + 1);
    if (*bytes == NULL)
        return MS_NO_MEMORY;
    return MPI_Recv(*bytes, count, MPI_BYTE, *from, TAG, MPI_COMM_WORLD, &status) == MPI_SUCCESS ? MS_OK
                                                                                                 : MS_IO;
}

static void mpi_end(void)
{
    MPI_Finalize();
}

#else

static int mpi_begin(int *rank, int *size, ms_error *error)
{
    *rank = 0;
    *size = 1;
    return ms_fail(error, MS_UNSUPPORTED,
                   "this program was built without MPI and cannot share rows over ranks; --shard I/N and "
                   "macrostep merge need none");
}

static int mpi_send(int to, const void *bytes, size_t size)
{
    (void)to, (void)bytes, (void)size;
    return MS_IO;
}

static int mpi_receive(int *from, char **bytes, size_t *size)
{
    (void)from, (void)size;
    *bytes = NULL;
    return MS_IO;
}

static void mpi_end(void)
{
}

#endif

const ms_ranks_transport ms_ranks_mpi = {
    .begin = mpi_begin, .send = mpi_send, .receive = mpi_receive, .end = mpi_end};
