/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi.c - macrostep-mpi.so: messages between ranks, by MPI. */
#include "plugin_mpi.h"

#ifdef MS_HAVE_MPI
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

enum { TAG = 14, TAG_EXCHANGE = 15, TAG_NUMBER = 16 };

/* Requests that stay: n_receive to receive, then n_send to send. */
typedef struct exchange {
    int n_receive, n_send;
    MPI_Request request[];
} exchange;

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

static int send_one(int to, const void *bytes, size_t size)
{
    return size <= INT_MAX && MPI_Send(bytes, (int)size, MPI_BYTE, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS
               ? MS_OK
               : MS_IO;
}

static int receive_one(int *from, char **bytes, size_t *size)
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
    MS_TRY_MEMORY(*bytes);
    return MPI_Recv(*bytes, count, MPI_BYTE, *from, TAG, MPI_COMM_WORLD, &status) == MPI_SUCCESS ? MS_OK
                                                                                                 : MS_IO;
}

static void largest(const double *own, int n, double *all)
{
    MPI_Reduce(own, all, n, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

static void hand_on(int to, double value)
{
    MPI_Send(&value, 1, MPI_DOUBLE, to, TAG_NUMBER, MPI_COMM_WORLD);
}

static double take_over(int from)
{
    double value = 0.0;
    MPI_Recv(&value, 1, MPI_DOUBLE, from, TAG_NUMBER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

static int exchange_create(int n, const ms_plugin_mpi_link *link, void **out)
{
    exchange *e = malloc(sizeof *e + 2 * (size_t)n * sizeof(MPI_Request));
    *out = e;
    MS_TRY_MEMORY(e);
    e->n_receive = e->n_send = 0;
    for (int k = 0; k < n; k++)
        if (link[k].n_receive > 0)
            MPI_Recv_init(link[k].receive, link[k].n_receive, MPI_DOUBLE, link[k].rank, TAG_EXCHANGE,
                          MPI_COMM_WORLD, &e->request[e->n_receive++]);
    for (int k = 0; k < n; k++)
        if (link[k].n_send > 0)
            MPI_Send_init(link[k].send, link[k].n_send, MPI_DOUBLE, link[k].rank, TAG_EXCHANGE,
                          MPI_COMM_WORLD, &e->request[e->n_receive + e->n_send++]);
    return MS_OK;
}

static void exchange_expect(void *of)
{
    exchange *e = of;
    MPI_Startall(e->n_receive, e->request);
}

/* One after the other as they are done, when they become inactive, until none is active. */
static void exchange_swap(void *of)
{
    exchange *e = of;
    int done = 0;
    MPI_Startall(e->n_send, e->request + e->n_receive);
    while (done != MPI_UNDEFINED)
        MPI_Waitany(e->n_receive + e->n_send, e->request, &done, MPI_STATUS_IGNORE);
}

static void exchange_destroy(void **of)
{
    exchange *e = *of;
    for (int k = 0; e != NULL && k < e->n_receive + e->n_send; k++)
        MPI_Request_free(&e->request[k]);
    free(e);
    *of = NULL;
}

const ms_plugin_mpi ms_plugin_table_mpi = {
    .plugin = {.build = MS_PLUGIN_BUILD},
    .begin = begin,
    .end = end,
    .broadcast = broadcast,
    .scatter = scatter,
    .gather = gather,
    .collect = collect,
    .send = send_one,
    .receive = receive_one,
    .largest = largest,
    .hand_on = hand_on,
    .take_over = take_over,
    .exchange_create = exchange_create,
    .exchange_expect = exchange_expect,
    .exchange_swap = exchange_swap,
    .exchange_destroy = exchange_destroy,
};
#endif
