/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_memory.h - why Jansson has made no value of a text or a file: it had no memory, or something else that it says. */
#ifndef MS_JSON_MEMORY_H
#define MS_JSON_MEMORY_H

#include <jansson.h>
#include <stdbool.h>

/* It may lack memory for its own line, too. A file that is not there is another matter. */
static inline bool ms_json_lacks_memory(const json_error_t *why)
{
    return why->text[0] == '\0' || json_error_code(why) == json_error_out_of_memory;
}

#endif
