/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads and ranks of a sweep. Points are taken, and rows delivered, under one lock; a window of rows that
 * wait for their predecessors bounds the memory. Of rank 0 one thread more serves the other ranks, and does with
 * their rows what the others do with their own. */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

enum { WINDOW = 256 }; /* rows of each process */

typedef struct finished {
    json_t *row; /* NULL: of another rank */
    char *text;
    bool done;
} finished;

typedef struct pool {
    ms_sweep *sweep;
    const ms_sweep_options *request;
    pthread_mutex_t lock;
    pthread_cond_t moved;  /* rows have been delivered, or the end has come */
    finished *waiting;     /* (window) row r at r % window */
    long window, block;    /* block: rows that a rank gets at once */
    long taken, delivered; /* rows before which all are */
    bool ended;
    int status; /* the first failure */
    ms_error *error;
} pool;

static void end(pool *c, int status, const ms_error *error)
{
    if (status != MS_OK && c->status == MS_OK) {
        c->status = status;
        ms_fail(c->error, status, "%s", error->text);
    }
    c->ended = true;
    pthread_cond_broadcast(&c->moved);
}

static void discard(finished *f)
{
    json_decref(f->row);
    free(f->text);
    *f = (finished){0};
}

static bool is_full(const pool *c)
{
    return c->taken >= c->delivered + c->window;
}

/* The next point. Returns false at the end. */
static bool next_point(pool *c, ms_sweep_point *point)
{
    ms_error error = {0};
    bool more = false;
    const int status = ms_sweep_next(c->sweep, point, &more, &error);
    c->taken += more;
    if (status != MS_OK || !more)
        end(c, status, &error);
    return more;
}

/* The next point, as soon as its row has a place in the window. Returns false at the end. */
static bool take(pool *c, ms_sweep_point *point)
{
    pthread_mutex_lock(&c->lock);
    while (!c->ended && is_full(c))
        pthread_cond_wait(&c->moved, &c->lock);
    const bool more = !c->ended && next_point(c, point);
    pthread_mutex_unlock(&c->lock);
    return more;
}

/* Delivers all rows that have no unfinished predecessor. */
static void deliver(pool *c, long row, finished f)
{
    ms_error error = {0};
    pthread_mutex_lock(&c->lock);
    f.done = true;
    c->waiting[row % c->window] = f;
    for (finished *next; (next = &c->waiting[c->delivered % c->window])->done;) {
        const int status = c->status == MS_OK || c->status == MS_INTERRUPTED
                               ? c->request->deliver(c->request->self, next->row, next->text, &error)
                               : c->status;
        discard(next);
        c->delivered++;
        if (status != MS_OK && status != MS_INTERRUPTED)
            end(c, status, &error);
    }
    if (c->request->progress != NULL)
        ms_progress_part(c->request->progress, (double)(c->delivered - c->request->first), 1.0);
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
}

static void work(pool *c)
{
    ms_sweep_point point = {0};
    ms_sweep_reference reference = {0};
    ms_error error = {0};
    while (take(c, &point)) {
        finished f = {0};
        int status = ms_sweep_row(&point, c->request->stop, &reference, &f.row, &error);
        if (status == MS_OK && c->request->format != NULL) {
            f.text = c->request->format(c->request->self, f.row);
            if (f.text == NULL)
                status = ms_fail(&error, MS_NO_MEMORY, "not enough memory for a row");
        }
        if (status == MS_OK) {
            deliver(c, point.row, f);
            continue;
        }
        discard(&f);
        pthread_mutex_lock(&c->lock);
        end(c, status, &error);
        pthread_mutex_unlock(&c->lock);
    }
    ms_sweep_point_destroy(&point);
    ms_sweep_reference_destroy(&reference);
}

/* Other ranks --------------------------------------------------------------------------------------------- */

static bool take_for_rank(void *self, long *first, long *count)
{
    pool *c = self;
    ms_sweep_point point = {0};
    pthread_mutex_lock(&c->lock);
    for (*count = 0; *count < c->block && !c->ended && !is_full(c); ++*count)
        if (!next_point(c, &point))
            break;
        else if (*count == 0)
            *first = point.row;
    const bool more = *count > 0 || !c->ended;
    pthread_mutex_unlock(&c->lock);
    ms_sweep_point_destroy(&point);
    return more;
}

static void deliver_of_rank(void *self, long row, int status, const char *text)
{
    pool *c = self;
    ms_error error = {0};
    char *copy = status == MS_OK ? strdup(text) : NULL;
    if (copy != NULL) {
        deliver(c, row, (finished){.text = copy});
        return;
    }
    ms_fail(&error, status, "%s", status == MS_OK ? "not enough memory for a row" : text);
    pthread_mutex_lock(&c->lock);
    end(c, status == MS_OK ? MS_NO_MEMORY : status, &error);
    pthread_mutex_unlock(&c->lock);
}

static void serve(pool *c)
{
    const ms_ranks_service service = {c, c->request->digest, take_for_rank, deliver_of_rank};
    ms_error error = {0};
    const int status = ms_ranks_serve(c->request->ranks, &service, &error);
    pthread_mutex_lock(&c->lock);
    if (status != MS_OK)
        end(c, status, &error);
    pthread_mutex_unlock(&c->lock);
}

/* A rank other than 0. */
typedef struct follower {
    ms_sweep *sweep;
    const ms_sweep_options *request;
    ms_sweep_point point;
    ms_sweep_reference reference;
} follower;

static int follow(void *self, long k, char **text, ms_error *error)
{
    follower *f = self;
    bool more = true;
    int status = MS_OK;
    json_t *row = NULL;
    while (status == MS_OK && more && f->sweep->row <= k)
        status = ms_sweep_next(f->sweep, &f->point, &more, error);
    if (status == MS_OK)
        status = ms_sweep_row(&f->point, f->request->stop, &f->reference, &row, error);
    *text = status == MS_OK ? f->request->format(f->request->self, row) : NULL;
    json_decref(row);
    return status == MS_OK && *text == NULL ? ms_fail(error, MS_NO_MEMORY, "not enough memory for a row")
                                            : status;
}

static int obey(ms_sweep *sweep, const ms_sweep_options *request, ms_error *error)
{
    follower f = {.sweep = sweep, .request = request};
    json_object_seed(1);
    ms_sweep_rewind(sweep);
    const int status = ms_ranks_obey(request->ranks, request->digest, &f, follow, error);
    ms_sweep_point_destroy(&f.point);
    ms_sweep_reference_destroy(&f.reference);
    return status;
}

/* All together -------------------------------------------------------------------------------------------- */

static int skip(ms_sweep *sweep, long rows, ms_error *error)
{
    ms_sweep_point point = {0};
    bool more = true;
    int status = MS_OK;
    ms_sweep_rewind(sweep);
    while (status == MS_OK && more && sweep->row < rows)
        status = ms_sweep_next(sweep, &point, &more, error);
    ms_sweep_point_destroy(&point);
    return status;
}

int ms_sweep_run(ms_sweep *sweep, const ms_sweep_options *request, ms_error *error)
{
    const int others = ms_ranks_others(request->ranks);
    if (others > 0 && request->ranks->rank > 0)
        return obey(sweep, request, error);
    const int status = skip(sweep, request->first, error);
    if (status != MS_OK)
        return status;
    json_object_seed(1); /* once, before threads make objects */
    pool *c = calloc(1, sizeof *c);
    const long window = (long)WINDOW * (1 + others);
    finished *waiting = calloc((size_t)window, sizeof *waiting);
    if (c == NULL || waiting == NULL) {
        free(c);
        free(waiting);
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a sweep");
    }
    c->waiting = waiting;
    c->window = window;
    c->block = ms_shard_block(request->rows, others + 1);
    c->sweep = sweep;
    c->request = request;
    c->taken = c->delivered = request->first;
    c->error = error;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->moved, NULL);
#pragma omp parallel num_threads(request->threads + (others > 0))
    if (others > 0 && omp_get_thread_num() == 0)
        serve(c);
    else
        work(c);
    for (long k = 0; k < window; k++)
        discard(&c->waiting[k]);
    free(c->waiting);
    pthread_cond_destroy(&c->moved);
    pthread_mutex_destroy(&c->lock);
    const int result = c->status;
    free(c);
    return result;
}
