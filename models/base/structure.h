/* SPDX-License-Identifier: GPL-3.0-or-later */
/* structure.h - who owns the memory of ms_structure_alloc; of use to system.c and to the rooms that read files. */
#ifndef MS_STRUCTURE_H
#define MS_STRUCTURE_H

#include <macrostep/model.h>

/* Frees everything that the structure owns. */
void ms_structure_free(ms_structure *structure);

/* From now on the structure owns the object as well: destroy(object) is called before what it has owned so far is freed. Returns
 * MS_OK; without memory for it MS_NO_MEMORY, without a line, and the object is destroyed at once. */
int ms_structure_own(ms_structure *structure, void (*destroy)(void *object), void *object);

/* What `from` owns belongs to `to` from now on. */
void ms_structure_adopt(ms_structure *to, ms_structure *from);

#endif
