/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_work.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct crew {
    const ms_row_job *job;
    const ms_row_plan *plan;
    ms_thread_pool pool;
    pthread_mutex_t lock;
    long *row;       /* (n) those that are to be done, ascending */
    json_t **record; /* (n) NULL: not computed, or delivered */
    long n, taken, computed, delivered, block;
    bool backwards;
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
}

static bool is_stopped(const crew *c)
{
    return c->plan->stop != NULL && *c->plan->stop != 0;
}

/* The places of the next rows: at most `most`, all in a run. Returns their number. */
static long take(crew *c, long most, long *place)
{
    pthread_mutex_lock(&c->lock);
    if (is_stopped(c))
        end(c, MS_INTERRUPTED, &(ms_error){"interrupted"});
    const long left = c->ended ? 0 : c->n - c->taken, count = left < most ? left : most;
    *place = c->backwards ? c->n - c->taken - count : c->taken;
    c->taken += count;
    pthread_mutex_unlock(&c->lock);
    return count;
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

/* Takes in a record (stolen), and delivers all that have no gap before them. */
static void put(crew *c, long place, json_t *record)
{
    ms_error error = {0};
    int status = MS_OK;
    pthread_mutex_lock(&c->lock);
    c->record[place] = record;
    c->computed++;
    while (status == MS_OK && c->delivered < c->n && c->record[c->delivered] != NULL)
        status = deliver_next(c, &error);
    if (status != MS_OK)
        end(c, status, &error);
    if (c->plan->progress != NULL)
        ms_progress_part(c->plan->progress, (double)c->computed, 1.0);
    pthread_mutex_unlock(&c->lock);
}

static void fail(crew *c, int status, const ms_error *error)
{
    pthread_mutex_lock(&c->lock);
    end(c, status, error);
    pthread_mutex_unlock(&c->lock);
}

/* The record of an interrupted row stands for it where rows that end early are answered. */
static void do_row(crew *c, void *context, long place)
{
    ms_error error = {0};
    json_t *record = NULL;
    const int status = c->job->compute(c->job->self, context, c->row[place], &record, &error);
    if (status != MS_OK)
        fail(c, status, &error);
    if (status == MS_OK && record == NULL)
        fail(c, MS_NO_MEMORY, &(ms_error){"not enough memory for a row"});
    else if (record != NULL && (status == MS_OK || (status == MS_INTERRUPTED && c->plan->gaps)))
        put(c, place, record);
    else
        json_decref(record);
}

static void work(crew *c, int thread)
{
    for (long place; take(c, 1, &place) > 0;)
        do_row(c, c->pool.context[thread], place);
}

/* Ranks -------------------------------------------------------------------------------------------------- */

static bool take_for_rank(void *self, long *first, long *count)
{
    crew *c = self;
    *count = take(c, c->block, first);
    return *count > 0;
}

static void put_of_rank(void *self, long place, int status, const char *text)
{
    crew *c = self;
    ms_error error = {0};
    json_t *record = status == MS_OK ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
    if (record != NULL) {
        put(c, place, record);
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
    *text =
        status == MS_OK ? json_dumps(record, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) : NULL;
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
    c->record = calloc((size_t)n + 1, sizeof(json_t *));
    if (c->row == NULL || c->record == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %ld rows", n);
    for (long k = ms_shard_next(shard, n, 0); k < n; k = ms_shard_next(shard, n, k + 1))
        if (skip-- <= 0)
            c->row[c->n++] = k;
    return MS_OK;
}

static void share(crew *c, int others)
{
    const int threads = c->pool.n;
    c->block = ms_shard_block(c->n, others + 1);
    c->backwards = c->job->costly_last && threads + others > 1;
#pragma omp parallel num_threads(threads + (others > 0))
    if (others > 0 && omp_get_thread_num() == 0)
        serve(c);
    else
        work(c, omp_get_thread_num() - (others > 0));
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
    const ms_effort effort = {.threads = job->alone ? 1 : job->threads};
    const int others = ms_ranks_others(plan->ranks);
    json_object_seed(1); /* once, before threads make objects */
    pthread_mutex_init(&c.lock, NULL);
    int status = choose_rows(&c, error);
    if (status == MS_OK)
        status = ms_thread_pool_create(&job->contexts, &effort, &c.pool, error);
    if (status == MS_OK && others > 0 && plan->ranks->rank > 0)
        status = ms_ranks_obey(plan->ranks, plan->digest, &c, compute_text, error);
    else if (status == MS_OK)
        share(&c, others);
    if (c.status == MS_INTERRUPTED && plan->gaps)
        deliver_rest(&c);
    for (long k = 0; k < c.n; k++)
        json_decref(c.record[k]);
    ms_thread_pool_destroy(&c.pool);
    pthread_mutex_destroy(&c.lock);
    free(c.row);
    free(c.record);
    return status != MS_OK ? status : c.status;
}
