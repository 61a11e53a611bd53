/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refuse.c - a shared object for LD_PRELOAD: from main on it counts the allocations of the process, or its calls of another kind
 * (calls.c), whoever asks, and refuses one of them.
 *
 * FAULT_KIND=memory, open, .. says what is counted (memory; refuse.h has the names). FAULT_AT=N refuses the N-th (0: none);
 * FAULT_REPORT=FILE takes lines "count N", "refused PLACE < PLACE ..", and
 * "signal N PLACE < PLACE .." where the process dies by one. A place is FILE(SYMBOL+OFFSET). Where nothing is refused, "first N KEY"
 * says that the N-th is the first that was asked for where KEY says, the same in every process. What comes before main is
 * left alone: no code of ours has run by then. Programs that the process starts are left alone as well. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "refuse.h"

/* The allocator of glibc under the names that nobody replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                           void (*loader_fini)(void), void *stack_end);
int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end);

enum {
    PLACES = 24,
    CALLERS = 4, /* that tell one place from another */
    KNOWN = 1 << 15
};

static atomic_long counted;
static atomic_bool counting;
static long refused;
static pid_t process;
static fault_kind counted_kind;
static int report = -1;
static main_function *real_main;
static _Thread_local bool noting; /* what that asks for does not count */

/* Reports ------------------------------------------------------------------------------------------------ */

/* NOLINTBEGIN(bugprone-signal-handler): the process that a signal ends has nothing to lose any more */
static void write_places(const char *what, long number)
{
    void *address[PLACES];
    const int n = backtrace(address, PLACES);
    dprintf(report, "%s %ld", what, number);
    Dl_info self, at;
    dladdr(&counted, &self);
    const char *between = " ";
    for (int k = 0; k < n; k++) {
        if (dladdr(address[k], &at) == 0 || at.dli_fbase == self.dli_fbase)
            continue;
        const uintptr_t from = (uintptr_t)(at.dli_saddr != NULL ? at.dli_saddr : at.dli_fbase);
        dprintf(report, "%s%s(%s+0x%lx)", between, at.dli_fname, at.dli_sname != NULL ? at.dli_sname : "",
                (unsigned long)((uintptr_t)address[k] - from));
        between = " < ";
    }
    dprintf(report, "\n");
}

static void die(int number)
{
    atomic_store(&counting, false);
    write_places("signal", number);
    signal(number, SIG_DFL);
    raise(number);
}
/* NOLINTEND(bugprone-signal-handler) */

static uint64_t mix(uint64_t key, uint64_t value)
{
    key = (key ^ value) * 0x9e3779b97f4a7c15U;
    return key ^ key >> 29;
}

static uint64_t mix_text(uint64_t key, const char *text)
{
    for (; *text != '\0'; text++)
        key = mix(key, (unsigned char)*text);
    return key;
}

/* Has the key been seen for the first time? No longer, where there is no room for another one. */
static bool is_new(uint64_t key)
{
    static _Atomic uint64_t known[KNOWN];
    for (int k = 0; k < 100; k++) {
        uint64_t free = 0;
        if (atomic_compare_exchange_strong(&known[(key + (uint64_t)k) % KNOWN], &free, key))
            return true;
        if (free == key)
            return false;
    }
    return false;
}

/* Says it of call number n, if nobody like its callers has asked before. Addresses differ from process to process, places in files
 * do not. */
static void note_place(long n)
{
    void *address[PLACES / 2];
    uint64_t here = 1, key = 1;
    Dl_info self, at;
    noting = true;
    const int depth = backtrace(address, PLACES / 2);
    dladdr(&counted, &self);
    for (int k = 0, callers = 0; k < depth && callers < CALLERS; k++)
        if (dladdr(address[k], &at) != 0 && at.dli_fbase != self.dli_fbase) {
            here = mix(here, (uintptr_t)address[k]);
            callers++;
        }
    if (is_new(here)) {
        for (int k = 0, callers = 0; k < depth && callers < CALLERS; k++)
            if (dladdr(address[k], &at) != 0 && at.dli_fbase != self.dli_fbase) {
                const char *name = strrchr(at.dli_fname, '/');
                key = mix_text(key, name != NULL ? name : at.dli_fname);
                key = mix(key, (uintptr_t)address[k] - (uintptr_t)at.dli_fbase);
                callers++;
            }
        dprintf(report, "first %ld %llx\n", n, (unsigned long long)key);
    }
    noting = false;
}

bool fault_refuses(fault_kind kind, int error)
{
    if (kind != counted_kind || noting || !atomic_load_explicit(&counting, memory_order_relaxed) ||
        getpid() != process)
        return false;
    const long n = atomic_fetch_add(&counted, 1) + 1;
    if (refused == 0)
        note_place(n);
    if (n != refused)
        return false;
    atomic_store(&counting, false);
    write_places("refused", refused);
    errno = error != 0 ? error : errno;
    return true;
}

static bool refuses(void)
{
    if (fault_refuses(FAULT_INTERRUPT, 0))
        raise(SIGINT);
    return fault_refuses(FAULT_MEMORY, ENOMEM);
}

/* The allocator ------------------------------------------------------------------------------------------ */

void *malloc(size_t size)
{
    return refuses() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return refuses() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *pointer, size_t size)
{
    return refuses() ? NULL : __libc_realloc(pointer, size);
}

void *reallocarray(void *pointer, size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(pointer, n * size);
}

void *memalign(size_t alignment, size_t size)
{
    return refuses() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    void *memory = memalign(alignment, size);
    if (memory != NULL)
        *pointer = memory;
    return memory != NULL ? 0 : ENOMEM;
}

/* Begin and end ------------------------------------------------------------------------------------------ */

#ifdef SUPPORT_COUNTED /* gcov writes its counters behind main; they are not the program's */
static void stop_counting(void)
{
    atomic_store(&counting, false);
}
#endif

static int counting_main(int argc, char **argv, char **environment)
{
    if (report >= 0 && !fault_trap(counted_kind))
        dprintf(report, "cannot\n");
#ifdef SUPPORT_COUNTED
    atexit(stop_counting);
#endif
    atomic_store(&counting, true);
    return real_main(argc, argv, environment);
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end)
{
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    start_function *start;
    memcpy(&start, &symbol, sizeof start);
    real_main = main;
    return start(counting_main, argc, argv, init, fini, loader_fini, stack_end);
}

static fault_kind kind_of(const char *name)
{
    static const char *const names[FAULT_KINDS] = FAULT_NAMES;
    for (int k = 0; k < FAULT_KINDS && name != NULL; k++)
        if (strcmp(names[k], name) == 0)
            return (fault_kind)k;
    return FAULT_MEMORY;
}

__attribute__((constructor)) static void begin(void)
{
    static const int deaths[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    const char *path = getenv("FAULT_REPORT"), *at = getenv("FAULT_AT");
    void *address[1];
    unsetenv("LD_PRELOAD");
    if (path == NULL || at == NULL)
        return;
    backtrace(address, 1); /* loads what it needs */
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    report = fcntl(descriptor, F_DUPFD_CLOEXEC, FAULT_DESCRIPTOR);
    close(descriptor);
    refused = strtol(at, NULL, 10);
    counted_kind = kind_of(getenv("FAULT_KIND"));
    process = getpid();
    for (size_t k = 0; k < sizeof deaths / sizeof *deaths; k++)
        signal(deaths[k], die);
}

__attribute__((destructor)) static void end(void)
{
    atomic_store(&counting, false);
    if (process == getpid())
        dprintf(report, "count %ld\n", atomic_load(&counted));
}
