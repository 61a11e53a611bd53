/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* memfd_create, sched_getaffinity, syscall */

#include "fmu_channel.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 1 << 16, LINE = 64, WAITED_FOR = 256 };

/* Polls of one wait, some microseconds; and number of waits: if most of WINDOW waits polled in vain, the next PAUSE ones sleep. */
enum { LOOKS = 100, WINDOW = 16, PAUSE = 2048 };

/* A counter that the other side waits for: bytes written, or read. */
typedef struct tally {
    alignas(LINE) atomic_uint bytes;
    atomic_uint sleeps; /* a side sleeps until it changes */
} tally;

typedef struct ring {
    tally written, read;
    alignas(LINE) char byte[SIZE];
} ring;

struct ms_fmu_rings {
    atomic_bool sleep_at_once; /* set by the program for both sides */
    atomic_int doing;
    ring to[2];
};

/* Both sides --------------------------------------------------------------------------------------------- */

static bool map(ms_fmu_channel *channel, int descriptor, int side)
{
    cpu_set_t mine;
    void *rings = mmap(NULL, sizeof *channel->rings, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    const bool alone = sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) == 1;
    *channel = (ms_fmu_channel){.rings = rings != MAP_FAILED ? rings : NULL, .side = side, .alone = alone};
    return channel->rings != NULL;
}

int ms_fmu_channel_create(ms_fmu_channel *channel)
{
    const int descriptor = memfd_create("macrostep-fmu", MFD_CLOEXEC);
    if (descriptor < 0 || (ftruncate(descriptor, sizeof *channel->rings) == 0 && map(channel, descriptor, 0)))
        return descriptor;
    const int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

bool ms_fmu_channel_open(ms_fmu_channel *channel, int descriptor)
{
    return map(channel, descriptor, 1);
}

void ms_fmu_channel_close(ms_fmu_channel *channel)
{
    if (channel->rings != NULL)
        munmap(channel->rings, sizeof *channel->rings);
    channel->rings = NULL;
}

void ms_fmu_channel_note(ms_fmu_channel *channel, int doing)
{
    atomic_store_explicit(&channel->rings->doing, doing, memory_order_relaxed);
}

int ms_fmu_channel_doing(const ms_fmu_channel *channel)
{
    return atomic_load_explicit(&channel->rings->doing, memory_order_relaxed);
}

/* Waiting ------------------------------------------------------------------------------------------------ */

static _Atomic pid_t waited_for[WAITED_FOR]; /* while a side sleeps */

static int note(pid_t process)
{
    for (int k = 0; process != 0 && k < WAITED_FOR; k++) {
        pid_t none = 0;
        if (atomic_compare_exchange_strong(&waited_for[k], &none, process))
            return k;
    }
    return -1;
}

bool ms_fmu_channels_interrupt(void)
{
    bool any = false;
    for (int k = 0; k < WAITED_FOR; k++) {
        const pid_t process = atomic_load(&waited_for[k]);
        any = any || process != 0;
        if (process != 0)
            kill(process, SIGKILL);
    }
    return any;
}

static bool has_ended(pid_t process)
{
    siginfo_t how = {.si_pid = 0};
    return process != 0 &&
           (waitid(P_PID, (id_t)process, &how, WEXITED | WNOHANG | WNOWAIT) != 0 || how.si_pid != 0);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sleeps until the counter changes. (Timers due before the system's next tick are expensive.) */
static ms_fmu_passage sleep_over(const ms_fmu_channel *channel, tally *count, unsigned seen)
{
    const double begin = channel->patience > 0.0 ? now() : 0.0;
    const struct timespec moment = {.tv_nsec = 20000000};
    ms_fmu_passage passage = MS_FMU_PASSED;
    while (atomic_load(&count->bytes) == seen && passage == MS_FMU_PASSED) {
        atomic_store(&count->sleeps, 1);
        if (atomic_load(&count->bytes) == seen)
            syscall(SYS_futex, &count->bytes, FUTEX_WAIT, seen, channel->process != 0 ? &moment : NULL, NULL,
                    0);
        if (atomic_load(&count->bytes) != seen)
            break;
        if (has_ended(channel->process) && atomic_load(&count->bytes) == seen)
            passage = MS_FMU_GONE;
        else if (channel->patience > 0.0 && now() - begin > channel->patience)
            passage = MS_FMU_LATE;
    }
    atomic_store(&count->sleeps, 0);
    return passage;
}

/* Has the counter changed while it was polled? */
static bool look(tally *count, unsigned seen)
{
    for (int k = 0; k < LOOKS; k++) {
        if (atomic_load_explicit(&count->bytes, memory_order_acquire) != seen)
            return true;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    return false;
}

/* Whether polling pays is measured repeatedly: with a processor for each side it saves the expensive part of a call; if processors are
 * shared, or steps are long, it costs more than it saves. */
static bool looks_and_finds(ms_fmu_channel *channel, tally *count, unsigned seen)
{
    atomic_bool *const sleep_at_once = &channel->rings->sleep_at_once;
    if (channel->alone || atomic_load_explicit(sleep_at_once, memory_order_relaxed)) {
        if (channel->side == 0 && ++channel->waits == PAUSE) {
            channel->waits = channel->vain = 0;
            atomic_store(sleep_at_once, false);
        }
        return false;
    }
    const bool found = look(count, seen);
    channel->vain += !found;
    if (channel->side == 0 && ++channel->waits == WINDOW) {
        atomic_store(sleep_at_once, channel->vain > WINDOW / 2);
        channel->waits = channel->vain = 0;
    }
    return found;
}

static ms_fmu_passage await(ms_fmu_channel *channel, tally *count, unsigned seen)
{
    if (looks_and_finds(channel, count, seen))
        return MS_FMU_PASSED;
    const int place = note(channel->process);
    const ms_fmu_passage passage = sleep_over(channel, count, seen);
    if (place >= 0)
        atomic_store(&waited_for[place], 0);
    return passage;
}

static void set(tally *count, unsigned bytes, bool wakes)
{
    atomic_store(&count->bytes, bytes);
    if (wakes && atomic_load(&count->sleeps) != 0)
        syscall(SYS_futex, &count->bytes, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Passing ------------------------------------------------------------------------------------------------ */

/* How many of `wanted` bytes are contiguous from `from` on, out of those available. */
static size_t piece(unsigned from, unsigned there, size_t wanted)
{
    const size_t to_end = SIZE - from % SIZE, most = there < to_end ? there : to_end;
    return wanted < most ? wanted : most;
}

ms_fmu_passage ms_fmu_send(ms_fmu_channel *channel, const struct iovec *part, int n, bool wakes)
{
    ring *to = &channel->rings->to[1 - channel->side];
    for (int k = 0; k < n; k++)
        for (size_t at = 0; at < part[k].iov_len;) {
            const unsigned read = atomic_load_explicit(&to->read.bytes, memory_order_acquire);
            const unsigned there = channel->written - read;
            if (there >= SIZE) {
                set(&to->written, channel->written, true);
                const ms_fmu_passage passage = there > SIZE ? MS_FMU_GONE : await(channel, &to->read, read);
                if (passage != MS_FMU_PASSED)
                    return passage;
                continue;
            }
            const size_t size = piece(channel->written, SIZE - there, part[k].iov_len - at);
            memcpy(&to->byte[channel->written % SIZE], (const char *)part[k].iov_base + at, size);
            channel->written += (unsigned)size;
            at += size;
        }
    set(&to->written, channel->written, wakes);
    return MS_FMU_PASSED;
}

ms_fmu_passage ms_fmu_receive(ms_fmu_channel *channel, const struct iovec *part, int n)
{
    ring *from = &channel->rings->to[channel->side];
    for (int k = 0; k < n; k++)
        for (size_t at = 0; at < part[k].iov_len;) {
            const unsigned written = atomic_load_explicit(&from->written.bytes, memory_order_acquire);
            const unsigned there = written - channel->read;
            if (there == 0 || there > SIZE) {
                set(&from->read, channel->read, true);
                const ms_fmu_passage passage =
                    there > 0 ? MS_FMU_GONE : await(channel, &from->written, written);
                if (passage != MS_FMU_PASSED)
                    return passage;
                continue;
            }
            const size_t size = piece(channel->read, there, part[k].iov_len - at);
            memcpy((char *)part[k].iov_base + at, &from->byte[channel->read % SIZE], size);
            channel->read += (unsigned)size;
            at += size;
        }
    set(&from->read, channel->read, true);
    return MS_FMU_PASSED;
}
