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
    json_t *columns;  /* of csv */
    bool wide;        /* of csv: with a column for each parameter, not one of JSON for all */
    bool more;        /* rows have other members than what is known without a run, which are not looked at */
} ms_row_form;

/* Of CSV: has one text of JSON each mean what has other names in each model: parameters, errors.per_state, work.
 * Returns 0, or -1 without memory. */
int ms_row_narrow(json_t *row);

/* The row as the file has it: a line with its newline, or an object of JSON. The row, which becomes what is there, may have
 * paths of columns for names. NULL without memory; freed by the caller. */
char *ms_row_text(const ms_row_form *form, json_t *row);

#endif
