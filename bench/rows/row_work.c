/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json_text.h"
#include "row_estimate.h"

typedef struct crew {
    const ms_row_job *job;
    const ms_row_plan *plan;
    ms_thread_pool pool;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* rows have been delivered, or the end has come */
    long *row;            /* (n) those that are to be done, ascending; */
    long *order;          /* (n) their places in the order in which they are begun: */
    long n_first;    /* so many whose records may wait for any number of others, then the rest, ascending */
    json_t **record; /* (n) NULL: not computed, or delivered */
    long n, taken, computed, delivered, block;
    bool estimates; /* the process is alone, and its job has strata */
    ms_row_estimate estimate;
    bool ended;
    int status; /* the first failure */
    ms_error *error;
} crew;

static void end(crew *c, int status, const ms_error *error)
{
    if (status != MS_OK && c->status == MS_OK) {
        c->status = status;
        ms_fail(c->error, status, "%s", error->text);
    }
    c->ended = true;
    pthread_cond_broadcast(&c->moved);
}

static void look_at_stop(crew *c)
{
    if (c->plan->stop != NULL && *c->plan->stop != 0)
        end(c, MS_INTERRUPTED, &(ms_error){"interrupted"});
}

/* Has the row that comes next to wait for its predecessors before it is begun? */
static bool window_is_full(const crew *c)
{
    return c->job->window > 0 && c->taken >= c->n_first && c->taken < c->n &&
           c->order[c->taken] >= c->delivered + c->job->window;
}

/* The places of the next rows of a crew that is locked: *count of them at most `most`, all in a run. Returns false at the
 * end, which has not come where there are none but for the window. */
static bool take_now(crew *c, long most, long *place, long *count)
{
    look_at_stop(c);
    for (*count = 0; *count < most && !c->ended && c->taken < c->n && !window_is_full(c); ++*count) {
        const long next = c->order[c->taken++];
        *place = *count == 0 || next < *place ? next : *place;
    }
    return *count > 0 || (!c->ended && c->taken < c->n);
}

/* The place of the next row, as soon as it may be begun. Returns false at the end. */
static bool take(crew *c, long *place)
{
    long count = 0;
    bool more;
    pthread_mutex_lock(&c->lock);
    while ((more = take_now(c, 1, place, &count)) && count == 0)
        pthread_cond_wait(&c->moved, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return more;
}

/* Delivers the record at `delivered`. */
static int deliver_next(crew *c, ms_error *error)
{
    json_t *record = c->record[c->delivered];
    const int status = c->job->deliver(c->job->self, c->row[c->delivered], record, error);
    json_decref(record);
    c->record[c->delivered++] = NULL;
    return status;
}

/* By what rows cost, where that is known, or by their number. `name`: of the row that has just been computed. */
static void show_progress(crew *c, const char *name)
{
    if (c->plan->progress == NULL)
        return;
    ms_progress_at(c->plan->progress, "%ld of %ld rows%s%s", c->computed, c->n,
                   name[0] != '\0' ? ", now " : "", name);
    ms_progress_update(c->plan->progress, c->estimates ? ms_row_estimate_done(&c->estimate)
                                                       : (double)c->computed / (double)c->n);
}

/* Takes in a record (stolen), and delivers all that have no gap before them. */
static void put(crew *c, long place, json_t *record, double seconds, const char *name)
{
    ms_error error = {0};
    int status = MS_OK;
    pthread_mutex_lock(&c->lock);
    c->record[place] = record;
    c->computed++;
    if (c->estimates)
        ms_row_estimate_note(&c->estimate, place, seconds);
    while (status == MS_OK && c->delivered < c->n && c->record[c->delivered] != NULL)
        status = deliver_next(c, &error);
    if (status != MS_OK)
        end(c, status, &error);
    show_progress(c, name);
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
}

static void fail(crew *c, int status, const ms_error *error)
{
    pthread_mutex_lock(&c->lock);
    end(c, status, error);
    pthread_mutex_unlock(&c->lock);
}

/* Processor time of this thread: it does not depend on what else the machine does. */
static double thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The record of an interrupted row stands for it where rows that end early are answered. */
static void do_row(crew *c, void *context, long place)
{
    ms_error error = {0};
    json_t *record = NULL;
    char name[MS_PROGRESS_AT] = "";
    const double begin = thread_seconds();
    const int status = c->job->compute(c->job->self, context, c->row[place], &record, &error);
    if (record != NULL && c->job->name != NULL && c->plan->progress != NULL)
        c->job->name(c->job->self, context, c->row[place], name, sizeof name);
    if (status != MS_OK)
        fail(c, status, &error);
    if (status == MS_OK && record == NULL)
        fail(c, MS_NO_MEMORY, &(ms_error){"not enough memory for a row"});
    else if (record != NULL && (status == MS_OK || (status == MS_INTERRUPTED && c->plan->gaps)))
        put(c, place, record, thread_seconds() - begin, name);
    else
        json_decref(record);
}

/* Ranks -------------------------------------------------------------------------------------------------- */

static bool take_for_rank(void *self, long *first, long *count)
{
    crew *c = self;
    pthread_mutex_lock(&c->lock);
    const bool more = take_now(c, c->block, first, count);
    pthread_mutex_unlock(&c->lock);
    return more;
}

/* A record on its way between ranks. */
static char *text_of(const ms_row_job *job, const json_t *record)
{
    return job->texts ? strdup(json_string_value(record)) : ms_json_line(record);
}

static json_t *record_of(const ms_row_job *job, const char *text)
{
    return job->texts ? json_string_nocheck(text) : json_loads(text, JSON_DECODE_ANY, NULL);
}

static void put_of_rank(void *self, long place, int status, const char *text)
{
    crew *c = self;
    ms_error error = {0};
    json_t *record = status == MS_OK ? record_of(c->job, text) : NULL;
    if (record != NULL) {
        put(c, place, record, 0.0, "");
        return;
    }
    ms_fail(&error, status, "%s", status == MS_OK ? "not enough memory for a row" : text);
    fail(c, status == MS_OK ? MS_NO_MEMORY : status, &error);
}

static void serve(crew *c)
{
    const ms_ranks_service service = {c, c->plan->digest, take_for_rank, put_of_rank};
    ms_error error = {0};
    const int status = ms_ranks_serve(c->plan->ranks, &service, &error);
    if (status != MS_OK)
        fail(c, status, &error);
}

static int compute_text(void *self, long place, char **text, ms_error *error)
{
    crew *c = self;
    json_t *record = NULL;
    int status = c->job->compute(c->job->self, c->pool.context[0], c->row[place], &record, error);
    *text = status == MS_OK && record != NULL ? text_of(c->job, record) : NULL;
    if (status == MS_OK && *text == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
    json_decref(record);
    return status;
}

/* All together ------------------------------------------------------------------------------------------- */

static int choose_rows(crew *c, ms_error *error)
{
    const ms_shard *shard = &c->plan->shard;
    const long n = c->job->n;
    long skip = c->plan->done;
    c->row = calloc((size_t)n + 1, sizeof *c->row);
    c->order = calloc((size_t)n + 1, sizeof *c->order);
    c->record = calloc((size_t)n + 1, sizeof(json_t *));
    if (c->row == NULL || c->order == NULL || c->record == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %ld rows", n);
    for (long k = ms_shard_next(shard, n, 0); k < n; k = ms_shard_next(shard, n, k + 1))
        if (skip-- <= 0)
            c->row[c->n++] = k;
    return MS_OK;
}

/* The strata of the rows. */
static int survey(crew *c, ms_error *error)
{
    int status = MS_OK;
    for (long place = 0; place < c->n && status == MS_OK; place++) {
        int group = 0;
        bool begins = false;
        status = c->job->stratum(c->job->self, c->row[place], &group, &begins, error);
        if (status == MS_OK && ms_row_estimate_add(&c->estimate, place, group, begins) != MS_OK)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for %ld rows", c->n);
    }
    return status;
}

/* Begins with the last row, or with those that tell what the others cost. */
static void put_in_order(crew *c, bool backwards)
{
    long k = 0;
    for (long place = 0; place < c->n; place++)
        if (backwards)
            c->order[k++] = c->n - 1 - place;
        else if (c->estimates && ms_row_estimate_samples(&c->estimate, place))
            c->order[k++] = place;
    c->n_first = k;
    for (long place = 0; place < c->n && !backwards; place++)
        if (!c->estimates || !ms_row_estimate_samples(&c->estimate, place))
            c->order[k++] = place;
}

static int prepare(crew *c, int others, ms_error *error)
{
    const int workers = (c->job->alone ? 1 : c->job->threads) + others;
    int status = choose_rows(c, error);
    c->estimates = others == 0 && c->job->stratum != NULL;
    c->block = ms_shard_block(c->n, others + 1);
    if (status == MS_OK && c->estimates)
        status = survey(c, error);
    if (status == MS_OK)
        put_in_order(c, c->job->costly_last && workers > 1);
    return status;
}

/* What each thread does; where there are other ranks the caller's, which alone may call MPI, serves them. */
static int work(void *job, void *context, int k, ms_error *error)
{
    crew *c = job;
    (void)error;
    if (k == 0 && ms_ranks_others(c->plan->ranks) > 0)
        serve(c);
    else
        for (long place; take(c, &place);)
            do_row(c, context, place);
    return MS_OK;
}

/* What an interruption has left behind gaps. */
static void deliver_rest(crew *c)
{
    ms_error error = {0};
    for (; c->delivered < c->n; c->delivered++)
        if (c->record[c->delivered] != NULL) {
            const int status = deliver_next(c, &error);
            c->delivered--;
            if (status != MS_OK)
                end(c, status, &error);
        }
}

int ms_row_work(const ms_row_job *job, const ms_row_plan *plan, ms_error *error)
{
    crew c = {.job = job, .plan = plan, .error = error};
    const int others = ms_ranks_others(plan->ranks);
    const bool serves = others > 0 && plan->ranks->rank == 0;
    const ms_effort effort = {.threads = (job->alone ? 1 : job->threads) + serves};
    json_object_seed(1); /* once, before threads make objects */
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.moved, NULL);
    int status = prepare(&c, others, error);
    if (status == MS_OK)
        status = ms_thread_pool_create(&job->contexts, &effort, &c.pool, error);
    if (status == MS_OK && others > 0 && plan->ranks->rank > 0)
        status = ms_ranks_obey(plan->ranks, plan->digest, &c, compute_text, error);
    else if (status == MS_OK)
        status = ms_thread_pool_work(&c.pool, c.pool.n, 1, work, &c, error);
    if (c.status == MS_INTERRUPTED && plan->gaps)
        deliver_rest(&c);
    for (long k = 0; k < c.n; k++)
        json_decref(c.record[k]);
    ms_thread_pool_destroy(&c.pool);
    ms_row_estimate_destroy(&c.estimate);
    pthread_cond_destroy(&c.moved);
    pthread_mutex_destroy(&c.lock);
    free(c.row);
    free(c.order);
    free(c.record);
    return status != MS_OK ? status : c.status;
}
