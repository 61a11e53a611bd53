/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blas.c - overrides C library functions called by OpenBLAS: the program's symbols come before those of its libraries.
 *
 * OpenBLAS starts one thread per processor before main, and if a mapping for its buffer is refused, each thread retries
 * forever. So it is told that there is one processor, and the program ends if it gets no buffer. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, RTLD_NEXT */
#endif
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command.h"
#include "memory.h"
#include "part_file.h"

char *getenv(const char *name)
{
    static char one[] = "1";
    if (strcmp(name, "OPENBLAS_NUM_THREADS") == 0)
        return one;
    const size_t length = strlen(name);
    for (char **line = environ; line != NULL && *line != NULL; line++)
        if (strncmp(*line, name, length) == 0 && (*line)[length] == '=')
            return *line + length + 1;
    return NULL;
}

static bool is_blas(const void *code)
{
    Dl_info info;
    return dladdr(code, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "blas") != NULL;
}

/* Of threads that are refused one at a time, the first ends the program. A call within a call has no caller that it comes back to. */
static _Noreturn void end_without_buffer(size_t length)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending))
        pause();
    ms_error error;
    ms_command_caller = NULL;
    ms_memory_note_size(length);
    ms_command_fail(ms_fail(&error, MS_NO_MEMORY, "not enough memory for a buffer of OpenBLAS"), &error);
    ms_part_files_remove();
    _exit(MS_EXIT_BROKEN);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    void *(*next)(void *, size_t, int, int, int, off_t);
    *(void **)&next = dlsym(RTLD_NEXT, "mmap");
    void *map = next(address, length, protection, flags, descriptor, offset);
    if (map == MAP_FAILED && is_blas(__builtin_return_address(0)))
        end_without_buffer(length);
    return map;
}
