/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads and ranks of a sweep. Points are taken, and rows delivered, under one lock; a window of rows that
 * wait for their predecessors bounds the memory. Of a process that is alone the first points taken are those that
 * tell what the others will cost (sweep_estimate.h); their rows wait aside. Of rank 0 one thread more serves the other
 * ranks, and does with their rows what the others do with its own. */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sweep.h"
#include "sweep_estimate.h"

enum { WINDOW = 1024 }; /* rows of each process */

typedef struct finished {
    json_t *row; /* NULL: of another rank */
    char *text;
    bool done;
} finished;

typedef struct pool {
    ms_sweep *sweep;
    const ms_sweep_options *request;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* rows have been delivered, or the end has come */
    finished *waiting;    /* row r at r % window, and behind them the rows that are run first */
    long window, block;   /* block: rows that a rank gets at once */
    long rows;            /* of the grid */
    bool estimates;       /* the process is alone */
    long n_samples;
    long *sample_row;      /* (n_samples): which rows are run first */
    bool sampling;         /* these are being taken */
    long taken, delivered; /* rows before which all are; while sampling nothing has been taken */
    ms_sweep_estimate estimate;
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

static int to_row(ms_sweep *sweep, long row, ms_error *error)
{
    ms_sweep_point point = {0};
    bool more = true;
    int status = MS_OK;
    ms_sweep_rewind(sweep);
    while (status == MS_OK && more && sweep->row < row)
        status = ms_sweep_next(sweep, &point, &more, error);
    ms_sweep_point_destroy(&point);
    return status;
}

static bool is_run_first(const pool *c, long row)
{
    return c->estimates && ms_sweep_estimate_samples(&c->estimate, row);
}

/* The next point that is one of those run first, or that is none of them. */
static int next_point(pool *c, bool sample, ms_sweep_point *point, bool *more, ms_error *error)
{
    int status;
    do
        status = ms_sweep_next(c->sweep, point, more, error);
    while (status == MS_OK && *more && is_run_first(c, point->row) != sample);
    return status;
}

/* The same; behind the last one that is run first come the others. */
static int next_in_turn(pool *c, ms_sweep_point *point, bool *more, ms_error *error)
{
    int status = MS_OK;
    if (c->sampling) {
        status = next_point(c, true, point, more, error);
        if (status != MS_OK || *more)
            return status;
        c->sampling = false;
        status = to_row(c->sweep, c->request->first, error);
    }
    if (status == MS_OK)
        status = next_point(c, false, point, more, error);
    if (status == MS_OK && *more)
        c->taken = point->row + 1;
    return status;
}

/* Has the row that comes next after those run first no place in the window? */
static bool window_is_full(const pool *c)
{
    long row = c->taken;
    while (is_run_first(c, row))
        row++;
    return !c->sampling && row >= c->delivered + c->window;
}

/* The next point of a pool that is locked. Returns false at the end. */
static bool take_point(pool *c, ms_sweep_point *point)
{
    ms_error error = {0};
    bool more = false;
    const int status = next_in_turn(c, point, &more, &error);
    if (status != MS_OK || !more)
        end(c, status, &error);
    return status == MS_OK && more;
}

/* The next point, as soon as its row has a place in the window. Returns false at the end. */
static bool take(pool *c, ms_sweep_point *point)
{
    pthread_mutex_lock(&c->lock);
    while (!c->ended && window_is_full(c))
        pthread_cond_wait(&c->moved, &c->lock);
    const bool more = !c->ended && take_point(c, point);
    pthread_mutex_unlock(&c->lock);
    return more;
}

/* Where the row waits for its predecessors. */
static long place_of(const pool *c, long row)
{
    if (!is_run_first(c, row))
        return row % c->window;
    long low = 0, high = c->n_samples; /* it is one of [low, high) */
    while (high - low > 1) {
        const long middle = (low + high) / 2;
        if (c->sample_row[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return c->window + low;
}

/* The part of the work that is done: by time, or of several processes by rows. */
static double part_done(const pool *c)
{
    if (c->estimates)
        return ms_sweep_estimate_done(&c->estimate);
    const long rows = c->request->rows - c->request->first;
    return rows > 0 ? (double)(c->delivered - c->request->first) / (double)rows : 1.0;
}

/* Delivers all rows that have no unfinished predecessor. */
static void deliver(pool *c, long row, finished f, double seconds)
{
    ms_error error = {0};
    pthread_mutex_lock(&c->lock);
    f.done = true;
    c->waiting[place_of(c, row)] = f;
    if (c->estimates)
        ms_sweep_estimate_note(&c->estimate, row, seconds);
    for (finished *next; (next = &c->waiting[place_of(c, c->delivered)])->done;) {
        const int status = c->status == MS_OK || c->status == MS_INTERRUPTED
                               ? c->request->deliver(c->request->self, next->row, next->text, &error)
                               : c->status;
        discard(next);
        c->delivered++;
        if (status != MS_OK && status != MS_INTERRUPTED)
            end(c, status, &error);
    }
    if (c->request->progress != NULL)
        ms_progress_update(c->request->progress, part_done(c));
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
}

/* Processor time of this thread: it does not depend on what else the machine does. */
static double thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void work(pool *c)
{
    ms_sweep_point point = {0};
    ms_sweep_reference reference = {0};
    ms_error error = {0};
    while (take(c, &point)) {
        finished f = {0};
        const double begin = thread_seconds();
        int status = ms_sweep_row(&point, c->request->stop, &reference, &f.row, &error);
        if (status == MS_OK && c->request->format != NULL) {
            f.text = c->request->format(c->request->self, f.row);
            if (f.text == NULL)
                status = ms_fail(&error, MS_NO_MEMORY, "not enough memory for a row");
        }
        if (status == MS_OK) {
            deliver(c, point.row, f, thread_seconds() - begin);
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
    for (*count = 0; *count < c->block && !c->ended && !window_is_full(c); ++*count)
        if (!take_point(c, &point))
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
        deliver(c, row, (finished){.text = copy}, 0.0);
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

/* What the rows will cost --------------------------------------------------------------------------------- */

static bool same_case(const ms_sweep_point *a, const ms_sweep_point *b)
{
    return a->model == b->model && a->case_name == b->case_name;
}

/* Goes through the rows from the first one on: the strata of the estimate. */
static int survey(pool *c, ms_error *error)
{
    ms_sweep_point points[2] = {{0}, {0}};
    bool more = true;
    int group = 0, status = to_row(c->sweep, c->request->first, error);
    for (long k = 0; status == MS_OK && more; k++) {
        ms_sweep_point *point = &points[k % 2], *before = &points[(k + 1) % 2];
        status = ms_sweep_next(c->sweep, point, &more, error);
        if (status != MS_OK || !more)
            break;
        const bool same = k > 0 && same_case(point, before);
        const bool new_stratum = !same || strcmp(point->options.scheme, before->options.scheme) != 0;
        group += !same;
        if (ms_sweep_estimate_add(&c->estimate, point->row, group, new_stratum) != MS_OK)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a sweep");
        c->rows = point->row + 1;
    }
    ms_sweep_point_destroy(&points[0]);
    ms_sweep_point_destroy(&points[1]);
    return status;
}

/* Room for rows that wait, and for those that are run first. */
static int reserve(pool *c, ms_error *error)
{
    for (long row = c->request->first; row < c->rows; row++)
        c->n_samples += is_run_first(c, row);
    c->sample_row = calloc((size_t)c->n_samples + 1, sizeof *c->sample_row);
    c->waiting = calloc((size_t)(c->window + c->n_samples), sizeof *c->waiting);
    if (c->sample_row == NULL || c->waiting == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a sweep");
    for (long row = c->request->first, k = 0; row < c->rows; row++)
        if (is_run_first(c, row))
            c->sample_row[k++] = row;
    return MS_OK;
}

/* All together -------------------------------------------------------------------------------------------- */

static void destroy(pool *c)
{
    for (long k = 0; k < c->window + c->n_samples && c->waiting != NULL; k++)
        discard(&c->waiting[k]);
    free(c->waiting);
    free(c->sample_row);
    ms_sweep_estimate_destroy(&c->estimate);
    pthread_cond_destroy(&c->moved);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static int prepare(pool *c, ms_error *error)
{
    int status = c->estimates ? survey(c, error) : MS_OK;
    if (status == MS_OK)
        status = reserve(c, error);
    c->sampling = c->n_samples > 0;
    return status == MS_OK ? to_row(c->sweep, c->request->first, error) : status;
}

int ms_sweep_run(ms_sweep *sweep, const ms_sweep_options *request, ms_error *error)
{
    const int others = ms_ranks_others(request->ranks);
    if (others > 0 && request->ranks->rank > 0)
        return obey(sweep, request, error);
    json_object_seed(1); /* once, before threads make objects */
    pool *c = calloc(1, sizeof *c);
    if (c == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a sweep");
    c->sweep = sweep;
    c->request = request;
    c->window = (long)WINDOW * (1 + others);
    c->block = ms_shard_block(request->rows, others + 1);
    c->estimates = others == 0;
    c->taken = c->delivered = request->first;
    c->error = error;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->moved, NULL);
    c->status = prepare(c, error);
    if (c->status == MS_OK) {
#pragma omp parallel num_threads(request->threads + (others > 0))
        if (others > 0 && omp_get_thread_num() == 0)
            serve(c);
        else
            work(c);
    }
    const int result = c->status;
    destroy(c);
    return result;
}
