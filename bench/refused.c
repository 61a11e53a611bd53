/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refused.c - the command's own allocations, of all its files, by way of functions that note what was refused: the linker puts them
 * in the place of the C library's (--wrap, in the Makefile). Allocations inside of libraries do not come by here. */
#include <stdint.h>

#include "memory.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *pointer, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *pointer, size_t size);

static void *noted(void *memory, size_t bytes)
{
    if (memory == NULL && bytes > 0)
        ms_memory_note_size(bytes);
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return noted(__real_malloc(size), size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return noted(__real_calloc(n, size), size != 0 && n > SIZE_MAX / size ? SIZE_MAX : n * size);
}

void *__wrap_realloc(void *pointer, size_t size)
{
    return noted(__real_realloc(pointer, size), size);
}
