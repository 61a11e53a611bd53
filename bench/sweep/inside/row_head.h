/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_head.h - what the head of a file of rows says, and in what two heads differ, for who wants to resume or to join files. */
#ifndef MS_ROW_HEAD_H
#define MS_ROW_HEAD_H

#include <jansson.h>

#include <macrostep/status.h>

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

#endif
