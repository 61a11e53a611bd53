/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that share tasks: each task once, by one thread at a time with its own context; the first that fails ends the work. */

#include <macrostep/thread_pool.h>
#include "threads.h"
#include "unit_test.h"

enum { TASKS = 1000, THREADS = 4 };

/* How often each task was done, and a count for each context, which nobody else may touch. */
typedef struct tally {
    int done[TASKS];
    int contexts;
    long count[THREADS];
    int fails;    /* this task does; -1: none */
    bool outside; /* a thread did not know that it is one of several */
} tally;

static int open_context(void *self, void **context, ms_error *error)
{
    tally *t = self;
    (void)error;
    *context = &t->count[t->contexts++];
    return MS_OK;
}

static int count(void *job, void *context, int k, ms_error *error)
{
    tally *t = job;
    t->done[k]++;
    ++*(long *)context;
    if (!ms_threads_several())
        t->outside = true;
    return k == t->fails ? ms_fail(error, MS_INVALID, "task %d", k) : MS_OK;
}

static void test_each_task_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= THREADS; threads++)
        for (int chunk = 1; chunk <= 2 * TASKS; chunk *= 7) {
            tally t = {.fails = -1};
            const ms_contexts contexts = {&t, open_context, NULL};
            const ms_effort effort = {.threads = threads};
            ms_thread_pool pool;
            assert_int_equal(ms_thread_pool_create(&contexts, &effort, &pool, NULL), MS_OK);
            for (int job = 1; job <= 3; job++) {
                assert_int_equal(ms_thread_pool_work(&pool, TASKS, chunk, count, &t, NULL), MS_OK);
                for (int k = 0; k < TASKS; k++)
                    assert_int_equal(t.done[k], job);
            }
            assert_int_equal(t.contexts, threads);
            assert_int_equal(t.count[0] + t.count[1] + t.count[2] + t.count[3], 3 * TASKS);
            assert_true(threads == 1 || !t.outside);
            assert_false(ms_threads_several());
            ms_thread_pool_destroy(&pool);
        }
}

static void test_the_first_failure_ends_it(void **state)
{
    (void)state;
    tally t = {.fails = 10};
    const ms_contexts contexts = {&t, open_context, NULL};
    const ms_effort effort = {.threads = 3};
    ms_thread_pool pool;
    ms_error error = {0};
    assert_int_equal(ms_thread_pool_create(&contexts, &effort, &pool, NULL), MS_OK);
    assert_int_equal(ms_thread_pool_work(&pool, TASKS, TASKS, count, &t, &error), MS_INVALID);
    assert_string_equal(error.text, "task 10");
    assert_int_equal(t.done[10], 1);
    assert_int_equal(t.done[11], 0);
    t.fails = -1;
    assert_int_equal(ms_thread_pool_work(&pool, TASKS, 1, count, &t, NULL), MS_OK);
    ms_thread_pool_destroy(&pool);
}

/* A task that has a pool of its own. */
static int count_within(void *job, void *context, int k, ms_error *error)
{
    tally *t = job, own = {.fails = -1};
    const ms_contexts contexts = {&own, open_context, NULL};
    const ms_effort effort = {.threads = 2};
    ms_thread_pool pool;
    int status = ms_thread_pool_create(&contexts, &effort, &pool, error);
    if (status == MS_OK)
        status = ms_thread_pool_work(&pool, 100, 1, count, &own, error);
    ms_thread_pool_destroy(&pool);
    *(long *)context += own.count[0] + own.count[1];
    t->done[k]++;
    return status;
}

static void test_pools_within_pools(void **state)
{
    (void)state;
    tally t = {.fails = -1};
    const ms_contexts contexts = {&t, open_context, NULL};
    const ms_effort effort = {.threads = 2};
    ms_thread_pool pool;
    assert_int_equal(ms_thread_pool_create(&contexts, &effort, &pool, NULL), MS_OK);
    assert_int_equal(ms_thread_pool_work(&pool, 20, 1, count_within, &t, NULL), MS_OK);
    assert_int_equal(t.count[0] + t.count[1], 2000);
    ms_thread_pool_destroy(&pool);
}

static void test_stop(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    tally t = {.fails = -1};
    const ms_contexts contexts = {&t, open_context, NULL};
    const ms_effort effort = {.threads = 2, .stop = &stop};
    ms_thread_pool pool;
    ms_error error = {0};
    assert_int_equal(ms_thread_pool_create(&contexts, &effort, &pool, NULL), MS_OK);
    assert_int_equal(ms_thread_pool_work(&pool, TASKS, 1, count, &t, &error), MS_INTERRUPTED);
    assert_int_equal(t.count[0] + t.count[1], 0);
    ms_thread_pool_destroy(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_task_once),
        cmocka_unit_test(test_the_first_failure_ends_it),
        cmocka_unit_test(test_pools_within_pools),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
