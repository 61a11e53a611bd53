/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_expression.h - expressions of figure files: those of expressions.h over columns, row by row, with the reductions of
 * reductions.h. A name is a word with points in it, run.h1.error, or anything between backquotes. */
#ifndef MS_FIGURE_EXPRESSION_H
#define MS_FIGURE_EXPRESSION_H

#include "column.h"

/* What names are. find: a column for the caller to free; MS_INVALID where there is none of that name, with a line that says which there
 * are. */
typedef struct ms_figure_names {
    void *self;
    int (*find)(void *self, const char *name, ms_number_column *column, ms_error *error);
} ms_figure_names;

/* The value of the expression, for the caller to free. Errors: those of find; MS_INVALID with the expression and what is wrong with
 * it; MS_NO_MEMORY. */
int ms_figure_expression(const char *text, const ms_figure_names *names, ms_number_column *result,
                         ms_error *error);

/* The same of what has to be one number. */
int ms_figure_number(const char *text, const ms_figure_names *names, double *value, ms_error *error);

#endif
