/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_text.h - the text of a row in a file. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "format.h"

/* Properties common to the rows of a file. */
typedef struct ms_row_form {
    ms_format format; /* csv, json or jsonl */
    json_t *columns;  /* of csv */
    bool wide;        /* csv: a column for each parameter, instead of one of JSON for all */
    bool more;        /* rows have more members than are known without a run; these are not checked */
} ms_row_form;

/* For CSV: members whose names differ between models (parameters, errors.per_state, work) become one text of JSON
 * each. Returns 0, or -1: no memory. */
int ms_row_narrow(json_t *row);

/* The row as written to the file: a line with its newline, or a JSON object. The names of the row, which is modified, may be
 * paths of columns. NULL: no memory; freed by the caller. */
char *ms_row_text(const ms_row_form *form, json_t *row);
