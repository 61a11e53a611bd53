/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h - detects refused memory. An answer is built by hundreds of calls that put values into values; each would
 * lose a member without memory. So the program has Jansson allocate by a function that records a refusal, and checks
 * once, before the answer is complete. The refused size is added to the error message. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* From now on; before the first value of Jansson's. */
void ms_memory_watch(void);

/* Something else was refused to a function that has no way to say so. */
void ms_memory_note(void);

/* Has anything been refused? Then no value can be relied on, and no refusal that has read one. */
bool ms_memory_refused(void);

/* So many bytes were refused to one of our own allocations (bench/refused.c); the last of them, 0: none. */
void ms_memory_note_size(size_t bytes);
size_t ms_memory_refused_size(void);
