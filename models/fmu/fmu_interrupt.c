/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_interrupt.c - for signal handlers, and for processes that an FMU forks: calls into FMUs that have not returned. */
#define _GNU_SOURCE /* syscall */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fmu_channel.h"
#include "fmu_parts.h"

/* One entry per thread: only signal handlers read that of another thread. Threads beyond this number share
 * entries. */
enum { THREADS = 256 };
static ms_fmu_calls not_back[THREADS];
static atomic_uint threads;
_Thread_local ms_fmu_calls *ms_fmu_calls_of_thread;

volatile bool ms_fmu_is_copy;

/* In the new process, by the thread that has forked. */
static void note_copy(void)
{
    ms_fmu_is_copy = ms_fmu_called() != NULL;
}

static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, note_copy);
}

void ms_fmu_end_copy(void)
{
    (void)syscall(SYS_exit_group, 0); /* nothing of ours, whose files and processes are not its own */
}

void ms_fmu_first_call(void)
{
    static pthread_once_t watches = PTHREAD_ONCE_INIT;
    (void)pthread_once(&watches, watch_forks);
    ms_fmu_calls_of_thread = &not_back[atomic_fetch_add(&threads, 1) % THREADS];
}

/* A process that was killed and replaced is not examined a third time. */
bool ms_fmu_interrupt(void)
{
    static atomic_bool again;
    bool at_work = ms_fmu_channels_interrupt() && atomic_exchange(&again, true);
    for (int k = 0; k < THREADS; k++)
        at_work = at_work || atomic_load(&not_back[k].n) > 0;
    return at_work;
}

const char *ms_fmu_called(void)
{
    ms_fmu_calls *calls = ms_fmu_calls_of_thread;
    return calls != NULL && atomic_load(&calls->n) > 0 ? atomic_load(&calls->path) : NULL;
}
