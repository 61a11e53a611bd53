/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_pool.h - threads that share the tasks of a job, each with a context of its own. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include <macrostep/c_linkage.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

/* How the work is done; all zero: one thread. */
typedef struct ms_effort {
    int threads;
    const volatile sig_atomic_t *stop;             /* OPTIONAL: MS_INTERRUPTED once it is not zero */
    void (*progress)(void *self, double fraction); /* OPTIONAL: called by one thread */
    void *self;                                    /* for progress */
} ms_effort;

/* What a thread needs of its own. */
typedef struct ms_contexts {
    void *self;
    int (*open)(void *self, void **context, ms_error *error); /* OPTIONAL: without it the context is self */
    void (*close)(void **context);                            /* OPTIONAL, NULL-safe */
} ms_contexts;

typedef struct ms_thread_pool {
    ms_contexts contexts;
    const ms_effort *effort;
    int n;
    void **context; /* (n) */
    struct ms_thread_workers *workers;
} ms_thread_pool;

/* Opens a context for each thread; the pool stays where it is, and its threads start with the first job that has tasks for them.
 * Errors: those of open, MS_NO_MEMORY. Destroying is safe after all of them. */
int ms_thread_pool_create(const ms_contexts *contexts, const ms_effort *effort, ms_thread_pool *pool,
                          ms_error *error);
void ms_thread_pool_destroy(ms_thread_pool *pool);

/* Task k of a job. */
typedef int ms_thread_pool_task(void *job, void *context, int k, ms_error *error);

/* Tasks 0 .. n-1 in any order, `chunk` at a time; task 0 is the caller's. The first that fails ends the work. */
int ms_thread_pool_work(const ms_thread_pool *pool, int n, int chunk, ms_thread_pool_task *task, void *job,
                        ms_error *error);

MS_C_LINKAGE_END
