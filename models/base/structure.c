/* SPDX-License-Identifier: GPL-3.0-or-later */
/* structure.c - memory that lives as long as the structure it belongs to. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "structure.h"

struct ms_chunk {
    struct ms_chunk *next;
    void (*destroy)(void *object); /* NULL: the chunk is memory alone */
    max_align_t memory[];
};

void *ms_structure_alloc(ms_structure *structure, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - sizeof(struct ms_chunk)) / size)
        return NULL;
    struct ms_chunk *chunk = calloc(1, sizeof *chunk + count * size);
    if (chunk == NULL)
        return NULL;
    chunk->next = structure->chunks;
    structure->chunks = chunk;
    return chunk->memory;
}

int ms_structure_make_room(ms_structure *s, int subsystems, int wires, int lines, const char *what,
                           ms_error *error)
{
    s->subsystems = ms_structure_alloc(s, (size_t)subsystems, sizeof *s->subsystems);
    s->wires = ms_structure_alloc(s, (size_t)wires, sizeof *s->wires);
    s->lines = ms_structure_alloc(s, (size_t)lines, sizeof *s->lines);
    MS_TRY_MEMORY_FOR(s->subsystems != NULL && s->wires != NULL && s->lines != NULL, error, "%s", what);
    return MS_OK;
}

const char *ms_structure_name(ms_structure *structure, const char *format, ...)
{
    const locale_t before = ms_number_locale(); /* texts of numbers are read again as expressions */
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *name = length < 0 ? NULL : ms_structure_alloc(structure, (size_t)length + 1, 1);
    va_start(arguments, format);
    if (name != NULL)
        vsnprintf(name, (size_t)length + 1, format, arguments);
    va_end(arguments);
    uselocale(before);
    return name;
}

int ms_structure_own(ms_structure *structure, void (*destroy)(void *object), void *object)
{
    void **held = ms_structure_alloc(structure, 1, sizeof *held);
    if (held == NULL) {
        destroy(object);
        return MS_NO_MEMORY;
    }
    *held = object;
    structure->chunks->destroy = destroy;
    return MS_OK;
}

/* What a chunk holds. */
static void release(const struct ms_chunk *chunk)
{
    void *held;
    if (chunk->destroy == NULL)
        return;
    memcpy(&held, chunk->memory, sizeof held);
    chunk->destroy(held);
}

void ms_structure_free(ms_structure *structure)
{
    while (structure->chunks != NULL) {
        struct ms_chunk *next = structure->chunks->next;
        release(structure->chunks);
        free(structure->chunks);
        structure->chunks = next;
    }
}

void ms_structure_adopt(ms_structure *to, ms_structure *from)
{
    struct ms_chunk **end = &from->chunks;
    while (*end != NULL)
        end = &(*end)->next;
    *end = to->chunks;
    to->chunks = from->chunks;
    from->chunks = NULL;
}
