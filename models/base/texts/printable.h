/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printable.h - characters that a terminal shows as something else, or obeys: control characters, marks of writing direction,
 * characters without width, invalid UTF-8. Names and units in files of other tools may contain them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Is the character at the begin of the text, which is not empty? *length: its bytes. Ends of lines and tabs are. */
bool ms_printable(const char *text, size_t *length);

/* Are all? */
bool ms_text_printable(const char *text);

/* Each that is not becomes a question mark, in place. */
void ms_text_make_printable(char *text);
