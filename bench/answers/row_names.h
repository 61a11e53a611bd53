/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_names.h - names that distinguish rows of several schemes, step sizes or parameters. */
#pragma once

#include "answer.h"

/* The names of rows with "scheme" (resolved options) and "parameters": the family, then the values of as few options and
 * parameters as tell the rows of the family apart, as "ifosmondi, anderson" and "jacobi, order 1, k = 10". Words that say
 * nothing alone and numbers come with the option's name, none is not said. without (may be NULL): options that are left out, as
 * "step_size" where it is an axis; several with blanks between them. An array of strings; NULL: no memory. */
json_t *ms_row_names(const json_t *rows, const char *without);

/* Sets "member" of each row to its name. Errors: MS_NO_MEMORY. */
int ms_row_names_set(json_t *rows, const char *without);

/* row_ties.c: rows of a table that differ in one word of their name alone. */

/* The rows, where those of equal values in all columns (but "member") are one row, as long as their members differ in one part
 * alone: "jacobi, order 1, consistent" and "jacobi, order 1, corrected" become "jacobi, order 1, consistent or corrected". So a
 * name never means a variant that was not among them. Rows that stay are not copied. NULL: no memory. */
json_t *ms_row_ties(const json_t *rows, const ms_column *columns);
