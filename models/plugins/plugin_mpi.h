/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin_mpi.h - functions of macrostep-mpi.so: messages of bytes between the ranks of one program
 * (MPI_COMM_WORLD), from and to rank 0. Every rank calls the same function at the same time, except for send and
 * receive. A failed communication ends all ranks, which is MPI's default. */
#pragma once

#include <stddef.h>

#include "plugin.h"

/* Doubles that go to one rank and come from it, always from and to the same place. */
typedef struct ms_plugin_mpi_link {
    int rank, n_send, n_receive;
    const double *send;
    double *receive;
} ms_plugin_mpi_link;

typedef struct ms_plugin_mpi {
    ms_plugin plugin;

    /* REQUIRED. Starts MPI; this rank, and how many there are. Errors: MS_UNSUPPORTED. */
    int (*begin)(int *rank, int *ranks);
    void (*end)(void); /* REQUIRED */

    /* REQUIRED. what (bytes): from rank 0 to all others. */
    void (*broadcast)(void *what, int bytes);

    /* REQUIRED. all, on rank 0 alone: count[k] bytes at at[k] for rank k, which receives them as own (bytes).
     * own NULL: on rank 0, which sends itself nothing. */
    void (*scatter)(const char *all, const int *count, const int *at, char *own, int bytes);

    /* REQUIRED. The other way round. */
    void (*gather)(const char *own, int bytes, char *all, const int *count, const int *at);

    /* REQUIRED. own (bytes) of each rank, one after the other, into all (ranks x bytes), on rank 0 alone. */
    void (*collect)(const void *own, int bytes, void *all);

    /* REQUIRED. A message to one rank, of at most INT_MAX bytes, which are the caller's again. Returns MS_OK or MS_IO. */
    int (*send)(int to, const void *bytes, size_t size);

    /* REQUIRED. A message that has arrived, without blocking: *bytes, to be freed, of *size from *from; NULL if there is
     * none. Returns MS_OK, MS_IO, MS_NO_MEMORY. */
    int (*receive)(int *from, char **bytes, size_t *size);

    /* REQUIRED. The largest of all ranks' own[k] into all[k] (n each), on rank 0 alone. */
    void (*largest)(const double *own, int n, double *all);

    /* REQUIRED. A number to one rank, and from one. */
    void (*hand_on)(int to, double value);
    double (*take_over)(int from);

    /* REQUIRED. An exchange with n neighbours that is made once and repeated, between these ranks alone: expect is ready to
     * receive, swap sends and waits until everything has come and gone. Allocates nothing after create. Errors: MS_NO_MEMORY. */
    int (*exchange_create)(int n, const ms_plugin_mpi_link *link, void **exchange);
    void (*exchange_expect)(void *exchange);
    void (*exchange_swap)(void *exchange);
    void (*exchange_destroy)(void **exchange); /* NULL-safe */
} ms_plugin_mpi;
