/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_memory.h - why Jansson could not parse a text or a file: lack of memory, or another reason that it gives. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Jansson may lack memory for its message, too. A missing file is not lack of memory. */
static inline bool ms_json_lacks_memory(const json_error_t *why)
{
    return why->text[0] == '\0' || json_error_code(why) == json_error_out_of_memory;
}
