/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a sweep, as a job of row_work.h: each thread has its own cursor in the grid, and keeps the last
 * row's reference, which others share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

enum { WINDOW = 1024 }; /* rows of each process that may wait for their predecessors */

/* Private data of a thread. */
typedef struct worker {
    ms_sweep_cursor cursor;
    ms_sweep_point point;
    ms_sweep_reader reader;
} worker;

typedef struct sweep_job {
    const ms_sweep *sweep;
    const ms_sweep_options *request;
    const volatile sig_atomic_t *stop;
    ms_sweep_references references;
    ms_against against;      /* name NULL: none */
    ms_sweep_cursor cursor;  /* for the strata */
    ms_sweep_point point[2]; /* current and previous row: row k at k % 2 of those asked for */
    long asked;
    int group;
} sweep_job;

static void close_worker(void **context)
{
    worker *w = *context;
    if (w == NULL)
        return;
    ms_sweep_point_destroy(&w->point);
    ms_sweep_cursor_destroy(&w->cursor);
    ms_sweep_reader_leave(&w->reader);
    free(w);
    *context = NULL;
}

static int open_worker(void *self, void **context, ms_error *error)
{
    sweep_job *job = self;
    worker *w = calloc(1, sizeof *w);
    MS_TRY_MEMORY_FOR(w != NULL, error, "a sweep");
    w->cursor.sweep = job->sweep;
    w->reader.of = &job->references;
    w->reader.against = job->against.name != NULL ? &job->against : NULL;
    *context = w;
    return MS_OK;
}

static int compute(void *self, void *context, long k, json_t **record, ms_error *error)
{
    const sweep_job *job = self;
    const ms_sweep_options *request = job->request;
    worker *w = context;
    int status = ms_sweep_seek(&w->cursor, k, &w->point, error);
    MS_THEN(status, ms_sweep_row(&w->point, job->stop, &w->reader, record, error));
    if (status != MS_OK || request->record == NULL)
        return status;
    json_t *row = *record;
    *record = request->record(request->self, row);
    json_decref(row);
    return MS_OK;
}

static void name_row(void *self, void *context, long k, char *text, size_t size)
{
    const ms_sweep_point *point = &((const worker *)context)->point;
    (void)self, (void)k;
    if (point->model != NULL) /* NULL: not even its first row has been found */
        snprintf(text, size, "%s %s", point->model->name, point->options.scheme);
}

static int deliver(void *self, long k, json_t *record, ms_error *error)
{
    const sweep_job *job = self;
    return job->request->deliver(job->request->self, k, record, error);
}

/* Model, case and scheme family form a stratum, the strata of a case a group. */
static int stratum(void *self, long k, int *group, bool *begins, ms_error *error)
{
    sweep_job *job = self;
    const ms_sweep_point *before = &job->point[(job->asked + 1) % 2], *point = &job->point[job->asked % 2];
    MS_TRY(ms_sweep_seek(&job->cursor, k, &job->point[job->asked % 2], error));
    const bool same = before->model == point->model && before->case_name == point->case_name;
    job->group += !same;
    job->asked++;
    *group = job->group;
    *begins = !same || strcmp(point->options.scheme, before->options.scheme) != 0;
    return MS_OK;
}

int ms_sweep_run(const ms_sweep *sweep, const ms_sweep_options *request, const ms_row_plan *plan,
                 ms_error *error)
{
    sweep_job self = {.sweep = sweep,
                      .request = request,
                      .stop = plan->stop,
                      .cursor = {.sweep = sweep},
                      .against = ms_run_against(sweep->arguments)};
    ms_row_job job = {.what = "sweep",
                      .n = request->rows,
                      .window = (long)WINDOW * (1 + ms_ranks_others(plan->ranks)),
                      .texts = request->record != NULL,
                      .threads = request->threads,
                      .contexts = {&self, open_worker, close_worker},
                      .self = &self,
                      .compute = compute,
                      .deliver = deliver,
                      .name = name_row,
                      .stratum = stratum};
    pthread_mutex_init(&self.references.lock, NULL);
    const int status =
        request->work != NULL ? request->work(request->self, &job, error) : ms_row_work(&job, plan, error);
    pthread_mutex_destroy(&self.references.lock);
    ms_sweep_point_destroy(&self.point[0]);
    ms_sweep_point_destroy(&self.point[1]);
    ms_sweep_cursor_destroy(&self.cursor);
    return status;
}
