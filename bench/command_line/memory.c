/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool refused;
static atomic_size_t refused_size;

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        atomic_store(&refused, true);
    return memory;
}

void ms_memory_watch(void)
{
    json_set_alloc_funcs(allocate, free);
}

void ms_memory_note(void)
{
    atomic_store(&refused, true);
}

bool ms_memory_refused(void)
{
    return atomic_load(&refused);
}

void ms_memory_note_size(size_t bytes)
{
    atomic_store(&refused_size, bytes);
}

size_t ms_memory_refused_size(void)
{
    return atomic_load(&refused_size);
}
