/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "thread_pool.h"

#include <omp.h>
#include <stdlib.h>

int ms_thread_pool_create(const ms_contexts *contexts, const ms_effort *effort, ms_thread_pool *pool,
                          ms_error *error)
{
    static const ms_effort alone = {.threads = 1};
    *pool = (ms_thread_pool){.contexts = *contexts, .effort = effort != NULL ? effort : &alone};
    const int n = pool->effort->threads > 1 ? pool->effort->threads : 1;
    pool->context = calloc((size_t)n, sizeof *pool->context);
    if (pool->context == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d threads", n);
    for (; pool->n < n; pool->n++) {
        void **context = &pool->context[pool->n];
        *context = contexts->open == NULL ? contexts->self : NULL;
        const int status = contexts->open == NULL ? MS_OK : contexts->open(contexts->self, context, error);
        if (status != MS_OK) {
            pool->n++; /* what it has begun is closed as well */
            return status;
        }
    }
    return MS_OK;
}

void ms_thread_pool_destroy(ms_thread_pool *pool)
{
    for (int k = 0; k < pool->n; k++)
        if (pool->contexts.open != NULL && pool->contexts.close != NULL)
            pool->contexts.close(&pool->context[k]);
    free(pool->context);
    *pool = (ms_thread_pool){0};
}

static int one_task(const ms_thread_pool *pool, ms_thread_pool_task *task, void *job, int k, int n,
                    ms_error *error)
{
    const ms_effort *effort = pool->effort;
    const int thread = omp_get_thread_num();
    if (effort->stop != NULL && *effort->stop != 0)
        return ms_fail(error, MS_INTERRUPTED, "interrupted");
    const int status = task(job, pool->context[thread], k, error);
    if (thread == 0 && effort->progress != NULL && status == MS_OK)
        effort->progress(effort->self, (double)k / n);
    return status;
}

int ms_thread_pool_work(const ms_thread_pool *pool, int n, int chunk, ms_thread_pool_task *task, void *job,
                        ms_error *error)
{
    int failed = MS_OK;
#pragma omp parallel for num_threads(pool->n) schedule(dynamic, chunk)
    for (int k = 0; k < n; k++) {
        int before;
#pragma omp atomic read
        before = failed;
        if (before != MS_OK)
            continue;
        ms_error why = {0};
        const int status = one_task(pool, task, job, k, n, &why);
        if (status != MS_OK) {
#pragma omp critical(ms_thread_pool_failed)
            {
                if (failed == MS_OK && error != NULL)
                    *error = why;
#pragma omp atomic write
                failed = status;
            }
        }
    }
    return failed;
}
