/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_parts.h - what the files of rows share. */
#pragma once

#include <macrostep/status.h>
#include "row_text.h"

/* row_check.c: is what a file holds the row that belongs there?
 *
 * It is where it has the key of its place in the grid (model, case, parameters, scheme, and the names of subsystems), where all else
 * is what is computed: numbers, counts, words, and where it can be written again to the same bytes. Which numbers these are is not
 * known without the run. */

/* The text is that of ms_row_text. shape: the row of its place without a run, borrowed. MS_INVALID with what is wrong, which follows
 * on "line N: "; MS_NO_MEMORY. */
int ms_row_check(const ms_row_form *form, const char *text, size_t length, json_t *shape, ms_error *why);

/* row_head.c: what the head of a file of rows says, and in what two heads differ, for who wants to resume or to join files. */

/* Its provenance, and "rows_of_grid", as texts. NULL: it has none (what memory was refused is known to ms_memory_refused). */
json_t *ms_row_head_members(const char *head);

/* The head that is in a file, and the one that it ought to have. */
typedef struct ms_row_heads {
    const char *what; /* the line begins with it: "--resume: ", or nothing */
    const char *path, *old_head;
    const char *other, *new_head; /* other: what the new head is of, a file or "this call" */
} ms_row_heads;

/* MS_INVALID with a line that names the first difference; of the command, the option. */
int ms_row_head_differ(const ms_row_heads *heads, ms_error *error);
