/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "growing.h"

#include <stdlib.h>
#include <string.h>

bool ms_grow(void *array, size_t *room, size_t needed, size_t size)
{
    const size_t more = needed < 2 * *room ? 2 * *room : needed + 15;
    void *before;
    if (needed <= *room)
        return true;
    memcpy(&before, array, sizeof(void *)); /* a pointer of any type */
    void *items = realloc(before, more * size);
    if (items == NULL)
        return false;
    memcpy(array, &items, sizeof(void *));
    *room = more;
    /* cppcheck-suppress memleak ; the array has it */
    return true;
}
