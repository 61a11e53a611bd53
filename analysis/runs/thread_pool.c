/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_pool.c - threads that wait asleep, between jobs and at the end of each: those of OpenMP spin for milliseconds there, and a map
 * has thousands of jobs of less than one. On a machine that has other work, four fifths of its processor time went that way. */
#include <macrostep/thread_pool.h>

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

#include "threads.h"

/* What the threads of a pool share. Everything but the first two lines is under the lock. */
struct ms_thread_workers {
    const ms_thread_pool *pool;
    pthread_t *thread; /* (pool->n - 1): the caller is one more */
    pthread_mutex_t lock;
    pthread_cond_t called, done;
    int started; /* threads */
    bool leave;
    unsigned long jobs; /* so far */
    ms_thread_pool_task *task;
    void *job;
    int next, n, chunk; /* tasks of the current job */
    int at_work;        /* of the threads, those that have not finished it */
    int status;         /* of the task that failed first */
    ms_error error;
};

/* Work --------------------------------------------------------------------------------------------------- */

static int one_task(const ms_thread_pool *pool, int thread, ms_thread_pool_task *task, void *job, int k,
                    int n, ms_error *error)
{
    const ms_effort *effort = pool->effort;
    if (effort->stop != NULL && *effort->stop != 0)
        return ms_fail(error, MS_INTERRUPTED, "interrupted");
    const int status = task(job, pool->context[thread], k, error);
    if (thread == 0 && effort->progress != NULL && status == MS_OK)
        effort->progress(effort->self, (double)k / n);
    return status;
}

/* Takes tasks until there are no more, or one has failed. With the lock held, which it gives back for each chunk. */
static void take_tasks(struct ms_thread_workers *workers, int thread)
{
    while (workers->status == MS_OK && workers->next < workers->n) {
        const int from = workers->next,
                  behind = workers->chunk < workers->n - from ? from + workers->chunk : workers->n;
        ms_error why = {0};
        int status = MS_OK;
        workers->next = behind;
        pthread_mutex_unlock(&workers->lock);
        for (int k = from; k < behind && status == MS_OK; k++)
            status = one_task(workers->pool, thread, workers->task, workers->job, k, workers->n, &why);
        pthread_mutex_lock(&workers->lock);
        if (status != MS_OK && workers->status == MS_OK) {
            workers->status = status;
            workers->error = why;
        }
    }
}

typedef struct worker_place {
    struct ms_thread_workers *workers;
    int thread;
    locale_t locale; /* locale of the starting thread: all threads format numbers in the same way */
} worker_place;

static void *serve(void *given)
{
    const worker_place place = *(worker_place *)given;
    struct ms_thread_workers *workers = place.workers;
    free(given);
    uselocale(place.locale);
    ms_threads_say_several(true);
    pthread_mutex_lock(&workers->lock);
    for (unsigned long seen = 0; !workers->leave;) {
        if (seen == workers->jobs) {
            pthread_cond_wait(&workers->called, &workers->lock);
            continue;
        }
        seen = workers->jobs;
        take_tasks(workers, place.thread);
        if (--workers->at_work == 0)
            pthread_cond_signal(&workers->done);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* Starts one more thread; if none is available, the others do its work. */
static bool start(struct ms_thread_workers *workers)
{
    worker_place *place = malloc(sizeof *place);
    if (place == NULL)
        return false;
    *place = (worker_place){workers, workers->started + 1, uselocale((locale_t)0)};
    if (pthread_create(&workers->thread[workers->started], NULL, serve, place) != 0) {
        free(place);
        return false;
    }
    workers->started++;
    return true;
}

int ms_thread_pool_work(const ms_thread_pool *pool, int n, int chunk, ms_thread_pool_task *task, void *job,
                        ms_error *error)
{
    struct ms_thread_workers *workers = pool->workers;
    pthread_mutex_lock(&workers->lock);
    while (n > chunk && workers->started < pool->n - 1 && start(workers))
        ;
    workers->task = task;
    workers->job = job;
    workers->next = 0;
    workers->n = n;
    workers->chunk = chunk;
    workers->status = MS_OK;
    if (n > chunk) {
        workers->at_work = workers->started;
        workers->jobs++;
        pthread_cond_broadcast(&workers->called);
    }
    const bool before = ms_threads_say_several(pool->n > 1);
    take_tasks(workers, 0);
    ms_threads_say_several(before);
    while (workers->at_work > 0)
        pthread_cond_wait(&workers->done, &workers->lock);
    if (workers->status != MS_OK && error != NULL)
        *error = workers->error;
    pthread_mutex_unlock(&workers->lock);
    return workers->status;
}

/* Life --------------------------------------------------------------------------------------------------- */

static int create_workers(ms_thread_pool *pool, int n, ms_error *error)
{
    struct ms_thread_workers *workers = pool->workers = calloc(1, sizeof *workers);
    pool->context = calloc((size_t)n, sizeof *pool->context);
    if (workers != NULL && pool->context != NULL &&
        (workers->thread = calloc((size_t)n, sizeof *workers->thread)) != NULL) {
        workers->pool = pool;
        pthread_mutex_init(&workers->lock, NULL);
        pthread_cond_init(&workers->called, NULL);
        pthread_cond_init(&workers->done, NULL);
        return MS_OK;
    }
    free(workers);
    pool->workers = NULL;
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d threads", n);
}

int ms_thread_pool_create(const ms_contexts *contexts, const ms_effort *effort, ms_thread_pool *pool,
                          ms_error *error)
{
    static const ms_effort alone = {.threads = 1};
    *pool = (ms_thread_pool){.contexts = *contexts, .effort = effort != NULL ? effort : &alone};
    const int n = pool->effort->threads > 1 ? pool->effort->threads : 1;
    int status = create_workers(pool, n, error);
    while (status == MS_OK && pool->n < n) {
        void **context = &pool->context[pool->n++]; /* the context that it has opened is closed as well */
        *context = contexts->open == NULL ? contexts->self : NULL;
        status = contexts->open == NULL ? MS_OK : contexts->open(contexts->self, context, error);
    }
    return status;
}

static void destroy_workers(struct ms_thread_workers *workers)
{
    if (workers == NULL)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->leave = true;
    pthread_cond_broadcast(&workers->called);
    pthread_mutex_unlock(&workers->lock);
    for (int k = 0; k < workers->started; k++)
        pthread_join(workers->thread[k], NULL);
    pthread_cond_destroy(&workers->done);
    pthread_cond_destroy(&workers->called);
    pthread_mutex_destroy(&workers->lock);
    MS_FREE(workers->thread, workers);
}

void ms_thread_pool_destroy(ms_thread_pool *pool)
{
    destroy_workers(pool->workers);
    for (int k = 0; k < pool->n; k++)
        if (pool->contexts.open != NULL && pool->contexts.close != NULL)
            pool->contexts.close(&pool->context[k]);
    free(pool->context);
    *pool = (ms_thread_pool){0};
}
