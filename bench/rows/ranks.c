/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Sent to rank r: rows first .. first + count - 1, one after the other; count = 0: no more rows. */
typedef struct order {
    int64_t first, count;
} order;

/* Sent to rank 0, followed by the text with its zero. row = -1: the digest of the call, sent once. */
typedef struct report {
    int64_t row;
    uint64_t digest;
    int32_t status; /* of the row */
    int32_t last;   /* last row of the order: the rank is idle now */
} report;

/* A number from one of these environment variables; `missing` if none is set. */
static int from_launcher(const char *const names[3], int missing)
{
    for (int k = 0; k < 3; k++) {
        const char *text = getenv(names[k]);
        if (text != NULL)
            return (int)strtol(text, NULL, 10);
    }
    return missing;
}

int ms_ranks_launched(int *rank)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"},
                             *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE"};
    *rank = from_launcher(ranks, 0);
    return from_launcher(sizes, 1);
}

int ms_ranks_begin(const ms_ranks_transport *transport, ms_ranks *ranks, ms_error *error)
{
    int rank;
    *ranks = (ms_ranks){.size = 1};
    if (ms_ranks_launched(&rank) <= 1)
        return MS_OK;
    const int status = transport->begin(&ranks->rank, &ranks->size, error);
    ranks->transport = status == MS_OK ? transport : NULL;
    return status;
}

uint64_t ms_ranks_digest(uint64_t digest, const char *text)
{
    digest = digest != 0 ? digest : UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++)
        digest = (digest ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return digest;
}

/* Sleeps longer the longer no message comes: 20 us to 0.5 ms. */
static void rest(long *pause)
{
    nanosleep(&(struct timespec){.tv_nsec = *pause}, NULL);
    *pause = *pause < 250000 ? 2 * *pause : 500000;
}

enum { SHORT_PAUSE = 20000 }; /* [ns] */

/* Rank 0 ------------------------------------------------------------------------------------------------- */

typedef struct server {
    const ms_ranks *ranks;
    const ms_ranks_service *service;
    int *idle; /* (n_idle) ranks without rows */
    int n_idle, left;
} server;

/* Processes a message. */
static void take_in(server *s, int from, const char *bytes)
{
    report r;
    memcpy(&r, bytes, sizeof r);
    const char *text = bytes + sizeof r;
    char line[160];
    snprintf(line, sizeof line,
             "rank %d: its call, program, libraries or processor differ from those of "
             "rank 0",
             from);
    if (r.row >= 0)
        s->service->deliver(s->service->self, (long)r.row, r.status, text);
    else if (r.digest != s->service->digest)
        s->service->deliver(s->service->self, -1, MS_INVALID, line);
    if (r.last)
        s->idle[s->n_idle++] = from;
}

/* Gives rows to idle ranks. Returns whether any rank received an order. */
static bool hand_out(server *s)
{
    bool told = false;
    while (s->n_idle > 0) {
        long first = 0, count = 0;
        const bool more = s->service->take(s->service->self, &first, &count);
        if (more && count == 0)
            break;
        const order o = {first, more ? count : 0};
        s->ranks->transport->send(s->idle[--s->n_idle], &o, sizeof o);
        s->left -= !more;
        told = true;
    }
    return told;
}

int ms_ranks_serve(ms_ranks *ranks, const ms_ranks_service *service, ms_error *error)
{
    server s = {ranks, service, calloc((size_t)ranks->size, sizeof *s.idle), 0, ranks->size - 1};
    long pause = SHORT_PAUSE;
    int status = s.idle != NULL ? MS_OK : MS_NO_MEMORY;
    while (s.left > 0 && status == MS_OK) {
        int from = 0;
        char *bytes = NULL;
        size_t size = 0;
        status = ranks->transport->receive(&from, &bytes, &size);
        if (bytes != NULL)
            take_in(&s, from, bytes);
        free(bytes);
        if (hand_out(&s) || bytes != NULL)
            pause = SHORT_PAUSE;
        else
            rest(&pause);
    }
    free(s.idle);
    ranks->served = true;
    ranks->broken = status != MS_OK;
    return status == MS_OK ? MS_OK : ms_fail(error, status, "rank 0: a message is lost");
}

/* The others --------------------------------------------------------------------------------------------- */

static int tell(const ms_ranks *ranks, const report *r, const char *text, ms_error *error)
{
    const size_t length = strlen(text) + 1;
    char *bytes = malloc(sizeof *r + length);
    MS_TRY_MEMORY_FOR(bytes != NULL, error, "a row");
    memcpy(bytes, r, sizeof *r);
    memcpy(bytes + sizeof *r, text, length);
    const int status = ranks->transport->send(0, bytes, sizeof *r + length);
    free(bytes);
    return status == MS_OK ? MS_OK : ms_fail(error, status, "rank %d: a row cannot be sent", ranks->rank);
}

static order hear(const ms_ranks *ranks)
{
    order o = {0, 0};
    long pause = SHORT_PAUSE;
    char *bytes = NULL;
    size_t size = 0;
    int from;
    while (ranks->transport->receive(&from, &bytes, &size) == MS_OK && bytes == NULL)
        rest(&pause);
    if (bytes != NULL)
        memcpy(&o, bytes, sizeof o);
    free(bytes);
    return o;
}

int ms_ranks_obey(ms_ranks *ranks, uint64_t digest, void *self,
                  int (*compute)(void *self, long row, char **text, ms_error *error), ms_error *error)
{
    const report greeting = {.row = -1, .digest = digest, .last = true};
    int status = tell(ranks, &greeting, "", error), failed = MS_OK;
    ranks->served = true;
    for (order o; status == MS_OK && (o = hear(ranks)).count > 0;) {
        bool last = false;
        for (int64_t k = o.first; status == MS_OK && !last; k++) {
            char *text = NULL;
            const int row = compute(self, (long)k, &text, error);
            last = row != MS_OK || k == o.first + o.count - 1;
            failed = row != MS_OK ? row : failed;
            const report r = {.row = k, .status = row, .last = last};
            status = tell(ranks, &r, row == MS_OK && text != NULL ? text : error->text, error);
            free(text);
        }
    }
    return status != MS_OK ? status : failed;
}

/* The end ------------------------------------------------------------------------------------------------- */

static bool take_nothing(void *self, long *first, long *count)
{
    (void)self, (void)first, (void)count;
    return false;
}

static void deliver_nothing(void *self, long row, int status, const char *text)
{
    (void)self, (void)row, (void)status, (void)text;
}

static int compute_nothing(void *self, long row, char **text, ms_error *error)
{
    (void)self, (void)row, (void)text;
    return ms_fail(error, MS_INTERRUPTED, "interrupted");
}

/* Also waits for ranks that failed before rows were shared. */
void ms_ranks_end(ms_ranks *ranks)
{
    static const ms_ranks_service nothing = {.take = take_nothing, .deliver = deliver_nothing};
    ms_error error;
    if (ranks->transport != NULL && !ranks->served && ranks->rank == 0)
        (void)ms_ranks_serve(ranks, &nothing, &error);
    else if (ranks->transport != NULL && !ranks->served)
        (void)ms_ranks_obey(ranks, 0, NULL, compute_nothing, &error);
    if (ranks->transport != NULL && !ranks->broken)
        ranks->transport->end();
    *ranks = (ms_ranks){.size = 1};
}
