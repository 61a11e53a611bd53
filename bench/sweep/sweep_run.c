/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of a sweep. Points are taken, and rows delivered, under one lock; a window of rows that wait
 * for their predecessors bounds the memory. */
#include <pthread.h>
#include <stdlib.h>

#include "sweep.h"

enum { WINDOW = 256 };

typedef struct finished {
    json_t *row; /* NULL: not finished */
    char *text;
} finished;

typedef struct pool {
    ms_sweep *sweep;
    const ms_sweep_options *request;
    pthread_mutex_t lock;
    pthread_cond_t moved;     /* rows have been delivered, or the end has come */
    finished waiting[WINDOW]; /* row r at r % WINDOW */
    long taken, delivered;    /* rows before which all are */
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

/* The next point, as soon as its row has a place in the window. Returns false at the end. */
static bool take(pool *c, ms_sweep_point *point)
{
    ms_error error = {0};
    bool more = false;
    pthread_mutex_lock(&c->lock);
    while (!c->ended && c->taken >= c->delivered + WINDOW)
        pthread_cond_wait(&c->moved, &c->lock);
    if (!c->ended) {
        const int status = ms_sweep_next(c->sweep, point, &more, &error);
        c->taken += more;
        if (status != MS_OK || !more)
            end(c, status, &error);
    }
    pthread_mutex_unlock(&c->lock);
    return more;
}

/* Delivers all rows that have no unfinished predecessor. */
static void deliver(pool *c, long row, finished f)
{
    ms_error error = {0};
    pthread_mutex_lock(&c->lock);
    c->waiting[row % WINDOW] = f;
    for (finished *next; (next = &c->waiting[c->delivered % WINDOW])->row != NULL;) {
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
    const int status = skip(sweep, request->first, error);
    if (status != MS_OK)
        return status;
    json_object_seed(1); /* once, before threads make objects */
    pool *c = calloc(1, sizeof *c);
    if (c == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a sweep");
    c->sweep = sweep;
    c->request = request;
    c->taken = c->delivered = request->first;
    c->error = error;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->moved, NULL);
#pragma omp parallel num_threads(request->threads)
    work(c);
    for (int k = 0; k < WINDOW; k++)
        discard(&c->waiting[k]);
    pthread_cond_destroy(&c->moved);
    pthread_mutex_destroy(&c->lock);
    const int result = c->status;
    free(c);
    return result;
}
