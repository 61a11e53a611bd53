/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expressions_read.h - expressions among the members of a system file. */
#ifndef MS_EXPRESSIONS_READ_H
#define MS_EXPRESSIONS_READ_H

#include "expressions.h"
#include "file_model.h"

/* An expression and what it is, for the line that says what is wrong with it ("derivative of v"). */
typedef struct ms_expression_text {
    const char *text, *what;
    const char *unit; /* that its value is to have; NULL: any */
} ms_expression_text;

/* A string is one, and so is a number; anything else is NULL, as is a lack of memory. */
const char *ms_expression_of(ms_structure *owner, const json_t *value);

/* n expressions over the names, which belong to the file; together as in ms_expressions_create. The first one
 * whose units do not fit is kept in file->units. Errors: MS_INVALID, MS_NO_MEMORY. */
int ms_file_expressions(ms_file_model *file, const ms_names *names, int n, const ms_expression_text *text,
                        bool together, const ms_json_place *at, const ms_expressions **e, ms_error *error);

#endif
