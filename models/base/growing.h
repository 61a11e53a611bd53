/* SPDX-License-Identifier: GPL-3.0-or-later */
/* growing.h - arrays that grow as items come. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Room for `needed` items of `size` bytes in the array with the address `array`, a pointer to its pointer, which has room for *room.
 * Where that is too few it gets at least twice as many. False: no memory, and nothing has changed. */
bool ms_grow(void *array, size_t *room, size_t needed, size_t size);
