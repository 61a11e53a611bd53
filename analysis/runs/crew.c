#include "crew.h"

#include <omp.h>
#include <stdlib.h>

int ms_crew_create(const ms_contexts *contexts, const ms_effort *effort, ms_crew *crew, ms_error *error)
{
    static const ms_effort alone = {.threads = 1};
    *crew = (ms_crew){.contexts = *contexts, .effort = effort != NULL ? effort : &alone};
    const int n = crew->effort->threads > 1 ? crew->effort->threads : 1;
    crew->context = calloc((size_t)n, sizeof *crew->context);
    if (crew->context == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for %d threads", n);
    for (; crew->n < n; crew->n++) {
        void **context = &crew->context[crew->n];
        *context = contexts->open == NULL ? contexts->self : NULL;
        const int status = contexts->open == NULL ? MS_OK : contexts->open(contexts->self, context, error);
        if (status != MS_OK) {
            crew->n++; /* what it has begun is closed as well */
            return status;
        }
    }
    return MS_OK;
}

void ms_crew_destroy(ms_crew *crew)
{
    for (int k = 0; k < crew->n; k++)
        if (crew->contexts.open != NULL && crew->contexts.close != NULL)
            crew->contexts.close(&crew->context[k]);
    free(crew->context);
    *crew = (ms_crew){0};
}

static int one_task(const ms_crew *crew, ms_crew_task *task, void *job, int k, int n, ms_error *error)
{
    const ms_effort *effort = crew->effort;
    const int thread = omp_get_thread_num();
    if (effort->stop != NULL && *effort->stop != 0)
        return ms_fail(error, MS_INTERRUPTED, "interrupted");
    const int status = task(job, crew->context[thread], k, error);
    if (thread == 0 && effort->progress != NULL && status == MS_OK)
        effort->progress(effort->self, (double)k / n);
    return status;
}

int ms_crew_work(const ms_crew *crew, int n, int chunk, ms_crew_task *task, void *job, ms_error *error)
{
    int failed = MS_OK;
#pragma omp parallel for num_threads(crew->n) schedule(dynamic, chunk)
    for (int k = 0; k < n; k++) {
        int before;
#pragma omp atomic read
        before = failed;
        if (before != MS_OK)
            continue;
        ms_error why = {0};
        const int status = one_task(crew, task, job, k, n, &why);
        if (status != MS_OK) {
#pragma omp critical(ms_crew_failed)
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
