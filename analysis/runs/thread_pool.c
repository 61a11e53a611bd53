/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_pool.c - threads that wait asleep, between jobs and at the end of each: those of OpenMP spin for milliseconds there, and a map
 * has thousands of jobs of less than one. On a machine that has other work, four fifths of its processor time went that way. */
#include "thread_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "threads.h"

/* What the threads of a pool share. Everything but the first two lines is under the lock. */
struct ms_thread_crew {
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
    int at_work;        /* threads of the crew that have not finished it */
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
static void take_tasks(struct ms_thread_crew *crew, int thread)
{
    while (crew->status == MS_OK && crew->next < crew->n) {
        const int from = crew->next, behind = crew->chunk < crew->n - from ? from + crew->chunk : crew->n;
        ms_error why = {0};
        int status = MS_OK;
        crew->next = behind;
        pthread_mutex_unlock(&crew->lock);
        for (int k = from; k < behind && status == MS_OK; k++)
            status = one_task(crew->pool, thread, crew->task, crew->job, k, crew->n, &why);
        pthread_mutex_lock(&crew->lock);
        if (status != MS_OK && crew->status == MS_OK) {
            crew->status = status;
            crew->error = why;
        }
    }
}

typedef struct crew_place {
    struct ms_thread_crew *crew;
    int thread;
} crew_place;

static void *serve(void *given)
{
    const crew_place place = *(crew_place *)given;
    struct ms_thread_crew *crew = place.crew;
    free(given);
    ms_threads_say_several(true);
    pthread_mutex_lock(&crew->lock);
    for (unsigned long seen = 0; !crew->leave;) {
        if (seen == crew->jobs) {
            pthread_cond_wait(&crew->called, &crew->lock);
            continue;
        }
        seen = crew->jobs;
        take_tasks(crew, place.thread);
        if (--crew->at_work == 0)
            pthread_cond_signal(&crew->done);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* One more thread; where there is none to be had the others do its work. */
static bool start(struct ms_thread_crew *crew)
{
    crew_place *place = malloc(sizeof *place);
    if (place == NULL)
        return false;
    *place = (crew_place){crew, crew->started + 1};
    if (pthread_create(&crew->thread[crew->started], NULL, serve, place) != 0) {
        free(place);
        return false;
    }
    crew->started++;
    return true;
}

int ms_thread_pool_work(const ms_thread_pool *pool, int n, int chunk, ms_thread_pool_task *task, void *job,
                        ms_error *error)
{
    struct ms_thread_crew *crew = pool->crew;
    pthread_mutex_lock(&crew->lock);
    while (n > chunk && crew->started < pool->n - 1 && start(crew))
        ;
    crew->task = task;
    crew->job = job;
    crew->next = 0;
    crew->n = n;
    crew->chunk = chunk;
    crew->status = MS_OK;
    if (n > chunk) {
        crew->at_work = crew->started;
        crew->jobs++;
        pthread_cond_broadcast(&crew->called);
    }
    const bool before = ms_threads_say_several(pool->n > 1);
    take_tasks(crew, 0);
    ms_threads_say_several(before);
    while (crew->at_work > 0)
        pthread_cond_wait(&crew->done, &crew->lock);
    if (crew->status != MS_OK && error != NULL)
        *error = crew->error;
    pthread_mutex_unlock(&crew->lock);
    return crew->status;
}

/* Life --------------------------------------------------------------------------------------------------- */

static int create_crew(ms_thread_pool *pool, int n, ms_error *error)
{
    struct ms_thread_crew *crew = pool->crew = calloc(1, sizeof *crew);
    pool->context = calloc((size_t)n, sizeof *pool->context);
    if (crew != NULL && pool->context != NULL &&
        (crew->thread = calloc((size_t)n, sizeof *crew->thread)) != NULL) {
        crew->pool = pool;
        pthread_mutex_init(&crew->lock, NULL);
        pthread_cond_init(&crew->called, NULL);
        pthread_cond_init(&crew->done, NULL);
        return MS_OK;
    }
    free(crew);
    pool->crew = NULL;
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d threads", n);
}

int ms_thread_pool_create(const ms_contexts *contexts, const ms_effort *effort, ms_thread_pool *pool,
                          ms_error *error)
{
    static const ms_effort alone = {.threads = 1};
    *pool = (ms_thread_pool){.contexts = *contexts, .effort = effort != NULL ? effort : &alone};
    const int n = pool->effort->threads > 1 ? pool->effort->threads : 1;
    int status = create_crew(pool, n, error);
    while (status == MS_OK && pool->n < n) {
        void **context = &pool->context[pool->n++]; /* what it has begun is closed as well */
        *context = contexts->open == NULL ? contexts->self : NULL;
        status = contexts->open == NULL ? MS_OK : contexts->open(contexts->self, context, error);
    }
    return status;
}

static void destroy_crew(struct ms_thread_crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->leave = true;
    pthread_cond_broadcast(&crew->called);
    pthread_mutex_unlock(&crew->lock);
    for (int k = 0; k < crew->started; k++)
        pthread_join(crew->thread[k], NULL);
    pthread_cond_destroy(&crew->done);
    pthread_cond_destroy(&crew->called);
    pthread_mutex_destroy(&crew->lock);
    free(crew->thread);
    free(crew);
}

void ms_thread_pool_destroy(ms_thread_pool *pool)
{
    destroy_crew(pool->crew);
    for (int k = 0; k < pool->n; k++)
        if (pool->contexts.open != NULL && pool->contexts.close != NULL)
            pool->contexts.close(&pool->context[k]);
    free(pool->context);
    *pool = (ms_thread_pool){0};
}
