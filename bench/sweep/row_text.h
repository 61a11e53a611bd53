/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_text.h - a row as its line in a file. */
#ifndef MS_ROW_TEXT_H
#define MS_ROW_TEXT_H

#include <jansson.h>
#include <stdbool.h>

#include "format.h"

/* What the rows of a file have in common. */
typedef struct ms_row_form {
    ms_format format; /* csv, json or jsonl */
    json_t *columns;  /* of csv, which may be */
    bool wide;        /* with a column for each parameter, not one of JSON for all */
    bool more;        /* rows have other members than what is known without a run, which are not checked */
} ms_row_form;

/* The row's cells, path -> value; of CSV each array or object whose names differ between models is one text of JSON: parameters,
 * errors.per_state, work. The row changes with them. NULL without memory. */
json_t *ms_row_cells(const ms_row_form *form, json_t *row);

/* Has a member that is an array or an object become its text. Returns 0, or -1 without memory. */
int ms_row_narrow(json_t *object, const char *key);

/* Cells as a line of CSV, or the row as JSON; with a newline, except in the array of a JSON file. NULL without memory;
 * freed by the caller. */
char *ms_row_line(const ms_row_form *form, const json_t *cells);

/* Both for a new row, which changes. NULL also where memory for one of its members was refused. By any thread. */
char *ms_row_text(const ms_row_form *form, json_t *row);

#endif
