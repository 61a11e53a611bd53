/* SPDX-License-Identifier: GPL-3.0-or-later */
/* structure.h - ownership of memory from ms_structure_alloc; used by system.c and the rooms that read files. */
#pragma once

#include <macrostep/model.h>

/* Frees everything that the structure owns. */
void ms_structure_free(ms_structure *structure);

/* From now on the structure also owns the object: destroy(object) is called before its earlier memory is freed. Returns
 * MS_OK; without memory MS_NO_MEMORY, without a message, and the object is destroyed at once. */
int ms_structure_own(ms_structure *structure, void (*destroy)(void *object), void *object);

/* What `from` owns belongs to `to` from now on. */
void ms_structure_adopt(ms_structure *to, ms_structure *from);
