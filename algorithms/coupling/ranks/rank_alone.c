/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rank_parts.h"

#include <string.h>

static int begin(int *rank, int *ranks)
{
    *rank = 0;
    *ranks = 1;
    return MS_OK;
}

static void end(void)
{
}

static void broadcast(void *what, int bytes)
{
    (void)what, (void)bytes;
}

static void scatter(const char *all, const int *count, const int *at, char *own, int bytes)
{
    (void)count;
    if (own != NULL && bytes > 0)
        memcpy(own, all + at[0], (size_t)bytes);
}

static void gather(const char *own, int bytes, char *all, const int *count, const int *at)
{
    (void)count;
    if (own != NULL && bytes > 0)
        memcpy(all + at[0], own, (size_t)bytes);
}

static void collect(const void *own, int bytes, void *all)
{
    if (bytes > 0)
        memcpy(all, own, (size_t)bytes);
}

/* There are no other ranks. */
static int send_one(int to, const void *bytes, size_t size)
{
    (void)to, (void)bytes, (void)size;
    return MS_IO;
}

static int receive_one(int *from, char **bytes, size_t *size)
{
    (void)from, (void)size;
    *bytes = NULL;
    return MS_OK;
}

static void largest(const double *own, int n, double *all)
{
    if (n > 0)
        memcpy(all, own, sizeof *own * (size_t)n);
}

static void hand_on(int to, double value)
{
    (void)to, (void)value;
}

static double take_over(int from)
{
    (void)from;
    return 0.0;
}

/* With no neighbour there is nothing to remember. */
static int exchange_create(int n, const ms_plugin_mpi_link *link, void **exchange)
{
    (void)link;
    *exchange = (void *)&ms_rank_alone; /* anything but NULL */
    return n == 0 ? MS_OK : MS_UNSUPPORTED;
}

static void exchange_expect(void *exchange)
{
    (void)exchange;
}

static void exchange_destroy(void **exchange)
{
    *exchange = NULL;
}

const ms_plugin_mpi ms_rank_alone = {.begin = begin,
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
                                     .exchange_swap = exchange_expect,
                                     .exchange_destroy = exchange_destroy};
