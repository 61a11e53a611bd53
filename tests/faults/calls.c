/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c - calls of the system and of the loader that are refused (refuse.h has the kinds).
 *
 * Whoever opens or makes a file or folder, starts a process or thread or loads a library calls the C library by name: functions of the same names stand before
 * its own here. Reading, writing, renaming, removing and mapping happen inside of it too, behind fflush and fclose, where no name is looked up: a
 * filter of the kernel (seccomp) hands those calls to a handler of SIGSYS, which makes them itself or refuses them. The filter asks
 * whether the call comes from the text of this process's C library; the handler calls from here, and programs that are started have
 * theirs elsewhere. x86-64 alone. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT, dl_iterate_phdr, REG_RAX */
#endif
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "refuse.h"

/* The function of that name behind the one here. */
static void find_next(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(function, &symbol, sizeof symbol);
}

/* Opening ------------------------------------------------------------------------------------------------ */

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    find_next("open", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    int (*next)(int, const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    find_next("openat", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? -1 : next(folder, path, flags, mode);
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    FILE *(*next)(const char *, const char *);
    find_next("fopen", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? NULL : next(path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    FILE *(*next)(const char *, const char *);
    find_next("fopen64", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? NULL : next(path, mode);
}

DIR *opendir(const char *path)
{
    DIR *(*next)(const char *);
    find_next("opendir", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? NULL : next(path);
}

int mkstemp(char *path)
{
    int (*next)(char *);
    find_next("mkstemp", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? -1 : next(path);
}

FILE *fdopen(int descriptor, const char *mode)
{
    FILE *(*next)(int, const char *);
    find_next("fdopen", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? NULL : next(descriptor, mode);
}

FILE *tmpfile(void)
{
    FILE *(*next)(void);
    find_next("tmpfile", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? NULL : next();
}

int pipe(int ends[2])
{
    int (*next)(int *);
    find_next("pipe", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? -1 : next(ends);
}

int mkdir(const char *path, mode_t mode)
{
    int (*next)(const char *, mode_t);
    find_next("mkdir", &next);
    return fault_refuses(FAULT_OPEN, EACCES) ? -1 : next(path, mode);
}

char *mkdtemp(char *path)
{
    char *(*next)(char *);
    find_next("mkdtemp", &next);
    return fault_refuses(FAULT_OPEN, EACCES) ? NULL : next(path);
}

int scandir(const char *restrict path, struct dirent ***restrict entries,
            int (*chosen)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **))
{
    int (*next)(const char *, struct dirent ***, int (*)(const struct dirent *),
                int (*)(const struct dirent **, const struct dirent **));
    find_next("scandir", &next);
    return fault_refuses(FAULT_OPEN, EMFILE) ? -1 : next(path, entries, chosen, order);
}

/* Processes and libraries -------------------------------------------------------------------------------- */

typedef int spawn(pid_t *id, const char *path, const posix_spawn_file_actions_t *files,
                  const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment);

int posix_spawn(pid_t *restrict id, const char *restrict path, const posix_spawn_file_actions_t *files,
                const posix_spawnattr_t *restrict attributes, char *const *restrict arguments,
                char *const *restrict environment)
{
    spawn *next;
    find_next("posix_spawn", &next);
    return fault_refuses(FAULT_PROCESS, 0) ? EAGAIN
                                           : next(id, path, files, attributes, arguments, environment);
}

int posix_spawnp(pid_t *restrict id, const char *restrict path, const posix_spawn_file_actions_t *files,
                 const posix_spawnattr_t *restrict attributes, char *const *restrict arguments,
                 char *const *restrict environment)
{
    spawn *next;
    find_next("posix_spawnp", &next);
    return fault_refuses(FAULT_PROCESS, 0) ? EAGAIN
                                           : next(id, path, files, attributes, arguments, environment);
}

pid_t fork(void)
{
    pid_t (*next)(void);
    find_next("fork", &next);
    return fault_refuses(FAULT_PROCESS, EAGAIN) ? -1 : next();
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*work)(void *), void *restrict argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    find_next("pthread_create", &next);
    return fault_refuses(FAULT_PROCESS, 0) ? EAGAIN : next(thread, attributes, work, argument);
}

void *dlopen(const char *path, int mode)
{
    void *(*next)(const char *, int);
    find_next("dlopen", &next);
    return next(fault_refuses(FAULT_LIBRARY, 0) ? "/nonexistent/refused.so" : path, mode);
}

/* Reading, writing, renaming, removing, mapping ------------------------------------------------------------------------------ */

#ifdef __x86_64__

enum { CALLS = 8 };

/* The calls of a kind, ended by -1, the error of a refused one, and whether the first argument is a descriptor. */
static const struct {
    int call[CALLS], error;
    bool of_descriptor;
} trapped[FAULT_KINDS] = {
    [FAULT_WRITE] = {{SYS_write, SYS_writev, SYS_pwrite64, SYS_ftruncate, SYS_fsync, SYS_fdatasync, -1},
                     ENOSPC,
                     true},
    [FAULT_READ] = {{SYS_read, SYS_readv, SYS_pread64, -1}, EIO, true},
    [FAULT_RENAME] = {{SYS_rename, SYS_renameat, SYS_renameat2, SYS_link, SYS_linkat, -1}, EACCES, false},
    [FAULT_SHORT_READ] = {{SYS_read, SYS_pread64, -1}, 0, true},
    [FAULT_SHORT_WRITE] = {{SYS_write, SYS_pwrite64, -1}, 0, true},
    [FAULT_UNLINK] = {{SYS_unlink, SYS_unlinkat, SYS_rmdir, -1}, EACCES, false},
    [FAULT_MAP] = {{SYS_mmap, SYS_mremap, -1}, ENOMEM, false},
};

static fault_kind trapped_kind;

/* The call itself, from here. Returns what the kernel returns: the result, or -errno. */
static long call_kernel(long number, const long argument[6])
{
    long result;
    register long r10 __asm__("r10");
    register long r8 __asm__("r8");
    register long r9 __asm__("r9");
    r10 = argument[3], r8 = argument[4], r9 = argument[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(argument[0]), "S"(argument[1]), "d"(argument[2]), "r"(r10), "r"(r8),
                       "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* NOLINTNEXTLINE(bugprone-signal-handler): it stands for a call, and does what the call would */
static void on_call(int number, siginfo_t *info, void *context)
{
    greg_t *of = ((ucontext_t *)context)->uc_mcontext.gregs;
    long argument[6] = {of[REG_RDI], of[REG_RSI], of[REG_RDX], of[REG_R10], of[REG_R8], of[REG_R9]};
    const int error = trapped[trapped_kind].error, before = errno;
    (void)number;
    const bool refused = fault_refuses(trapped_kind, 0);
    errno = before;
    if (refused && error == 0 && argument[2] > 1) /* short */
        argument[2] /= 2;
    of[REG_RAX] = refused && error != 0 ? -error : call_kernel(info->si_syscall, argument);
}

/* The text of the C library: [from, to). */
typedef struct text {
    uintptr_t within, from, to;
} text;

static int find_text(struct dl_phdr_info *info, size_t size, void *found)
{
    text *t = found;
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[k];
        const uintptr_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0 && from <= t->within &&
            t->within < to) {
            t->from = from;
            t->to = to;
            return 1;
        }
    }
    return 0;
}

static struct sock_filter load(size_t at)
{
    return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)at);
}

static struct sock_filter jump(unsigned test, uintptr_t value, int then, int otherwise)
{
    return (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, (uint32_t)value, (uint8_t)then,
                                        (uint8_t)otherwise);
}

/* Calls of that kind out of [from, to) trap; all others, and those to standard error and to the report, pass. */
static bool install(fault_kind kind, uintptr_t from, uintptr_t to)
{
    const size_t address = offsetof(struct seccomp_data, instruction_pointer);
    struct sock_filter filter[CALLS + 16];
    int n = 0, calls = 0;
    while (trapped[kind].call[calls] >= 0)
        calls++;
    filter[n++] = load(offsetof(struct seccomp_data, nr));
    for (int k = 0; k < calls; k++)
        filter[n++] = jump(BPF_JEQ, (uintptr_t)trapped[kind].call[k], calls - k, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (trapped[kind].of_descriptor) {
        filter[n++] = load(offsetof(struct seccomp_data, args));
        filter[n++] = jump(BPF_JEQ, STDERR_FILENO, 6, 0);
        filter[n++] = jump(BPF_JGE, FAULT_DESCRIPTOR, 5, 0);
    }
    filter[n++] = load(address + 4);
    filter[n++] = jump(BPF_JEQ, from >> 32, 0, 3);
    filter[n++] = load(address);
    filter[n++] = jump(BPF_JGE, from & UINT32_MAX, 0, 1);
    filter[n++] = jump(BPF_JGE, to & UINT32_MAX, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    const struct sock_fprog all = {.len = (unsigned short)n, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) == 0;
}

bool fault_trap(fault_kind kind)
{
    if (trapped[kind].call[0] == 0 && !trapped[kind].of_descriptor) /* one of those with functions above */
        return true;
    void *symbol = dlsym(RTLD_NEXT, "fwrite");
    text t = {.within = (uintptr_t)symbol};
    const struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_RESTART};
    trapped_kind = kind;
    return dl_iterate_phdr(find_text, &t) == 1 && (t.from >> 32) == ((t.to - 1) >> 32) &&
           sigaction(SIGSYS, &action, NULL) == 0 && install(kind, t.from, t.to);
}

#else

bool fault_trap(fault_kind kind)
{
    return kind == FAULT_MEMORY || kind == FAULT_INTERRUPT || kind == FAULT_OPEN || kind == FAULT_PROCESS ||
           kind == FAULT_LIBRARY;
}

#endif
