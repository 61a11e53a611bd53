/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_head.h - what a file of rows says before its first one: where they come from, and how many the grid has. It depends on
 * the call and the program alone. */
#ifndef MS_ROW_HEAD_H
#define MS_ROW_HEAD_H

#include "row_text.h"
#include "status.h"

/* The head of a file of n rows; owned by the caller. provenance: an object, borrowed. NULL without memory. */
char *ms_row_head(const ms_row_form *form, const json_t *provenance, long n);

/* What ends such a file. */
const char *ms_row_tail(ms_format format);

/* What a head of JSON says, its rows empty. NULL: it is none. */
json_t *ms_row_head_value(const char *head);

/* The head that is in a file, and the one that it ought to have. */
typedef struct ms_row_heads {
    const char *what; /* the line begins with it: "--resume: ", or nothing */
    const char *path, *old_head;
    const char *other, *new_head; /* other: what the new head is of, a file or "this call" */
} ms_row_heads;

/* MS_INVALID with a line that names the first difference; of the command, the option. */
int ms_row_heads_differ(const ms_row_heads *heads, ms_error *error);

#endif
