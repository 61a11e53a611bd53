/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_check.h - is what a file holds the row that belongs there?
 *
 * It is where it can be read and written again to the same bytes, has the own columns of its place in the grid (model,
 * case, parameters, scheme, and the names of subsystems), and in all others what is computed: numbers, counts, words.
 * Which numbers these are is not known without the run. */
#ifndef MS_ROW_CHECK_H
#define MS_ROW_CHECK_H

#include <jansson.h>
#include <stdbool.h>

#include "format.h"
#include "status.h"

/* What the rows of a file have in common. */
typedef struct ms_row_form {
    ms_format format;      /* csv or json */
    const json_t *columns; /* of csv */
    bool more;             /* rows have other members than their shapes, which are not looked at; json */
} ms_row_form;

/* The text is a whole line of CSV with its newline, or a JSON object without what sets it apart from others. shape: the
 * row of its place without a run, borrowed. MS_INVALID with what is wrong,
 * which follows on "line N: "; MS_NO_MEMORY. */
int ms_row_check(const ms_row_form *form, const char *text, size_t length, json_t *shape, ms_error *why);

/* The row as the file has it: a line with its newline, or an object. NULL without memory; freed by the caller. */
char *ms_row_text(const ms_row_form *form, json_t *row);

#endif
