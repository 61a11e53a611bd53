/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json_text.h"
#include "row_estimate.h"

typedef struct shared_work {
    const ms_row_job *job;
    const ms_row_plan *plan;
    ms_thread_pool pool;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* rows have been delivered, or it is the end */
    long *row;            /* (n) rows to be done, ascending; */
    long *order;          /* (n) their indices in the order in which they are begun: */
    long
        n_first; /* number of rows whose records may wait for any number of others; then the rest, ascending */
    json_t **record; /* (n) NULL: not computed, or delivered */
    long n, taken, computed, delivered, block;
    bool estimates; /* this is the only process, and its job has strata */
    ms_row_estimate estimate;
    bool ended;
    int status; /* the first failure */
    ms_error *error;
} shared_work;

static void end(shared_work *work, int status, const ms_error *error)
{
    if (status != MS_OK && work->status == MS_OK) {
        work->status = status;
        ms_fail(work->error, status, "%s", error->text);
    }
    work->ended = true;
    pthread_cond_broadcast(&work->moved);
}

static void look_at_stop(shared_work *work)
{
    if (work->plan->stop != NULL && *work->plan->stop != 0)
        end(work, MS_INTERRUPTED, &(ms_error){"interrupted"});
}

/* Must the next row wait for its predecessors before it is begun? */
static bool window_is_full(const shared_work *work)
{
    return work->job->window > 0 && work->taken >= work->n_first && work->taken < work->n &&
           work->order[work->taken] >= work->delivered + work->job->window;
}

/* The places of the next rows, with the lock held: *count consecutive ones, at most `most`. Returns false at the
 * end, which is not yet reached if only the window is full. */
static bool take_now(shared_work *work, long most, long *place, long *count)
{
    look_at_stop(work);
    for (*count = 0; *count < most && !work->ended && work->taken < work->n && !window_is_full(work);
         ++*count) {
        const long next = work->order[work->taken++];
        *place = *count == 0 || next < *place ? next : *place;
    }
    return *count > 0 || (!work->ended && work->taken < work->n);
}

/* The place of the next row, once it may begin. Returns false at the end. */
static bool take(shared_work *work, long *place)
{
    long count = 0;
    bool more;
    pthread_mutex_lock(&work->lock);
    while ((more = take_now(work, 1, place, &count)) && count == 0)
        pthread_cond_wait(&work->moved, &work->lock);
    pthread_mutex_unlock(&work->lock);
    return more;
}

/* Delivers the record at `delivered`. */
static int deliver_next(shared_work *work, ms_error *error)
{
    const ms_row_plan *plan = work->plan;
    const long k = work->row[work->delivered];
    json_t *record = work->record[work->delivered];
    const int status = plan->deliver != NULL ? plan->deliver(plan->receiver, k, record, error)
                                             : work->job->deliver(work->job->self, k, record, error);
    json_decref(record);
    work->record[work->delivered++] = NULL;
    return status;
}

/* Shows progress by the estimated costs of rows, or by their number if unknown. `name`: of the row just computed. */
static void show_progress(shared_work *work, const char *name)
{
    if (work->plan->progress == NULL)
        return;
    char part[32] = "";
    if (work->plan->shard.of > 0)
        snprintf(part, sizeof part, "part %d/%d: ", work->plan->shard.index, work->plan->shard.of);
    ms_progress_at(work->plan->progress, "%s%ld of %ld rows%s%s", part, work->computed, work->n,
                   name[0] != '\0' ? ", now " : "", name);
    ms_progress_update(work->plan->progress, work->estimates ? ms_row_estimate_done(&work->estimate)
                                                             : (double)work->computed / (double)work->n);
}

/* Stores a record (stolen), and delivers all that have no gap before them. */
static void put(shared_work *work, long place, json_t *record, double seconds, const char *name)
{
    ms_error error = {0};
    int status = MS_OK;
    pthread_mutex_lock(&work->lock);
    work->record[place] = record;
    work->computed++;
    if (work->estimates)
        ms_row_estimate_note(&work->estimate, place, seconds);
    while (status == MS_OK && work->delivered < work->n && work->record[work->delivered] != NULL)
        status = deliver_next(work, &error);
    if (status != MS_OK)
        end(work, status, &error);
    show_progress(work, name);
    pthread_cond_broadcast(&work->moved);
    pthread_mutex_unlock(&work->lock);
}

static void fail(shared_work *work, int status, const ms_error *error)
{
    pthread_mutex_lock(&work->lock);
    end(work, status, error);
    pthread_mutex_unlock(&work->lock);
}

/* Processor time of this thread, independent of the load of the machine. */
static double thread_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Lack of memory ends all rows: the error names the row. */
static void fail_without_memory(shared_work *work, const char *name, const char *why)
{
    ms_error error;
    fail(work, ms_fail(&error, MS_NO_MEMORY, "%s%s%s", name, name[0] != '\0' ? ": " : "", why), &error);
}

/* The record of an interrupted row is kept if rows that end early are answered. */
static void do_row(shared_work *work, void *context, long place)
{
    ms_error error = {0};
    json_t *record = NULL;
    char name[MS_PROGRESS_AT] = "";
    const double begin = thread_seconds();
    const int status = work->job->compute(work->job->self, context, work->row[place], &record, &error);
    const bool failed = status == MS_NO_MEMORY || (status == MS_OK && record == NULL);
    if (work->job->name != NULL && (failed || (record != NULL && work->plan->progress != NULL)))
        work->job->name(work->job->self, context, work->row[place], name, sizeof name);
    if (failed)
        fail_without_memory(work, name, error.text[0] != '\0' ? error.text : "not enough memory for a row");
    else if (status != MS_OK)
        fail(work, status, &error);
    if (record != NULL && (status == MS_OK || (status == MS_INTERRUPTED && work->plan->gaps)))
        put(work, place, record, thread_seconds() - begin, name);
    else
        json_decref(record);
}

/* Ranks -------------------------------------------------------------------------------------------------- */

/* Ranks count rows from the beginning of the shard: they do not know how many are done. */
static bool take_for_rank(void *self, long *first, long *count)
{
    shared_work *work = self;
    pthread_mutex_lock(&work->lock);
    const bool more = take_now(work, work->block, first, count);
    pthread_mutex_unlock(&work->lock);
    *first += work->plan->done;
    return more;
}

/* The text of a record, as sent between ranks. */
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
    shared_work *work = self;
    ms_error error = {0};
    json_t *record = status == MS_OK ? record_of(work->job, text) : NULL;
    if (record != NULL) {
        put(work, place - work->plan->done, record, 0.0, "");
        return;
    }
    ms_fail(&error, status, "%s", status == MS_OK ? "not enough memory for a row" : text);
    fail(work, status == MS_OK ? MS_NO_MEMORY : status, &error);
}

static void serve(shared_work *work)
{
    const ms_ranks_service service = {work, work->plan->digest, take_for_rank, put_of_rank};
    ms_error error = {0};
    const int status = ms_ranks_serve(work->plan->ranks, &service, &error);
    if (status != MS_OK)
        fail(work, status, &error);
}

static int compute_text(void *self, long place, char **text, ms_error *error)
{
    shared_work *work = self;
    json_t *record = NULL;
    int status = work->job->compute(work->job->self, work->pool.context[0], work->row[place], &record, error);
    *text = status == MS_OK && record != NULL ? text_of(work->job, record) : NULL;
    if (status == MS_OK && *text == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a row");
    json_decref(record);
    return status;
}

/* All together ------------------------------------------------------------------------------------------- */

static int choose_rows(shared_work *work, ms_error *error)
{
    const ms_shard *shard = &work->plan->shard;
    const long n = work->job->n;
    long skip = work->plan->done;
    work->row = calloc((size_t)n + 1, sizeof *work->row);
    work->order = calloc((size_t)n + 1, sizeof *work->order);
    work->record = calloc((size_t)n + 1, sizeof(json_t *));
    MS_TRY_MEMORY_FOR(work->row != NULL && work->order != NULL && work->record != NULL, error, "%ld rows", n);
    for (long k = ms_shard_next(shard, n, 0); k < n; k = ms_shard_next(shard, n, k + 1))
        if (skip-- <= 0)
            work->row[work->n++] = k;
    return MS_OK;
}

/* The strata of the rows. */
static int survey(shared_work *work, ms_error *error)
{
    int status = MS_OK;
    for (long place = 0; place < work->n && status == MS_OK; place++) {
        int group = 0;
        bool begins = false;
        status = work->job->stratum(work->job->self, work->row[place], &group, &begins, error);
        if (status == MS_OK && ms_row_estimate_add(&work->estimate, place, group, begins) != MS_OK)
            status = ms_fail(error, MS_NO_MEMORY, "not enough memory for %ld rows", work->n);
    }
    return status;
}

/* Begins with the last row, or with rows that allow the costs of the others to be estimated. */
static void put_in_order(shared_work *work, bool backwards)
{
    long k = 0;
    for (long place = 0; place < work->n; place++)
        if (backwards)
            work->order[k++] = work->n - 1 - place;
        else if (work->estimates && ms_row_estimate_samples(&work->estimate, place))
            work->order[k++] = place;
    work->n_first = k;
    for (long place = 0; place < work->n && !backwards; place++)
        if (!work->estimates || !ms_row_estimate_samples(&work->estimate, place))
            work->order[k++] = place;
}

static int prepare(shared_work *work, int others, ms_error *error)
{
    const int workers = (work->job->serial ? 1 : work->job->threads) + others;
    int status = choose_rows(work, error);
    work->estimates = others == 0 && work->job->stratum != NULL;
    work->block = ms_shard_block(work->n, others + 1);
    if (status == MS_OK && work->estimates)
        status = survey(work, error);
    if (status == MS_OK)
        put_in_order(work, work->job->costly_last && workers > 1);
    return status;
}

/* The work of each thread; with other ranks the caller's thread, which alone may call MPI, serves them. */
static int take_part(void *job, void *context, int k, ms_error *error)
{
    shared_work *work = job;
    (void)error;
    if (k == 0 && ms_ranks_others(work->plan->ranks) > 0)
        serve(work);
    else
        for (long place; take(work, &place);)
            do_row(work, context, place);
    return MS_OK;
}

/* Delivers rows after the gaps that an interruption has left. */
static void deliver_rest(shared_work *work)
{
    ms_error error = {0};
    for (; work->delivered < work->n; work->delivered++)
        if (work->record[work->delivered] != NULL) {
            const int status = deliver_next(work, &error);
            work->delivered--;
            if (status != MS_OK)
                end(work, status, &error);
        }
}

int ms_row_work(const ms_row_job *job, const ms_row_plan *plan, ms_error *error)
{
    shared_work work = {.job = job, .plan = plan, .error = error};
    const int others = ms_ranks_others(plan->ranks);
    const bool serves = others > 0 && plan->ranks->rank == 0;
    const ms_effort effort = {.threads = (job->serial ? 1 : job->threads) + serves};
    json_object_seed(1); /* once, before threads create objects */
    pthread_mutex_init(&work.lock, NULL);
    pthread_cond_init(&work.moved, NULL);
    int status = prepare(&work, others, error);
    MS_THEN(status, ms_thread_pool_create(&job->contexts, &effort, &work.pool, error));
    if (status == MS_OK && others > 0 && plan->ranks->rank > 0)
        status = ms_ranks_obey(plan->ranks, plan->digest, &work, compute_text, error);
    else if (status == MS_OK)
        status = ms_thread_pool_work(&work.pool, work.pool.n, 1, take_part, &work, error);
    if (work.status == MS_INTERRUPTED && plan->gaps)
        deliver_rest(&work);
    for (long k = 0; k < work.n; k++)
        json_decref(work.record[k]);
    ms_thread_pool_destroy(&work.pool);
    ms_row_estimate_destroy(&work.estimate);
    pthread_cond_destroy(&work.moved);
    pthread_mutex_destroy(&work.lock);
    MS_FREE(work.row, work.order, work.record);
    return status != MS_OK ? status : work.status;
}
