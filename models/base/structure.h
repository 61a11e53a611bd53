/* SPDX-License-Identifier: GPL-3.0-or-later */
/* structure.h - who owns the memory of ms_structure_alloc; of use to system.c and to the rooms that read files. */
#ifndef MS_STRUCTURE_H
#define MS_STRUCTURE_H

#include "model.h"

/* Frees everything that the structure owns. */
void ms_structure_free(ms_structure *structure);

/* What `from` owns belongs to `to` from now on. */
void ms_structure_adopt(ms_structure *to, ms_structure *from);

#endif
