/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_ties.h - rows of a table that differ in one word of their name alone. */
#ifndef MS_ROW_TIES_H
#define MS_ROW_TIES_H

#include <jansson.h>

#include "answer.h"

/* The rows, where those of equal values in all columns (but "member") are one row, as long as their members differ in one part
 * alone: "jacobi, order 1, consistent" and "jacobi, order 1, corrected" become "jacobi, order 1, consistent or corrected". So a
 * name never means a variant that was not among them. Rows that stay are not copied. NULL: no memory. */
json_t *ms_row_ties(const json_t *rows, const ms_column *columns);

#endif
