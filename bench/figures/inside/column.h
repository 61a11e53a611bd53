/* SPDX-License-Identifier: GPL-3.0-or-later */
/* column.h - arguments and results of expressions in a figure file: one number, or a column of numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/status.h>

typedef struct ms_number_column {
    bool single; /* one number, which fits a column of any length */
    size_t n;
    double *value; /* (n), owned */
} ms_number_column;

/* Room for n numbers. Errors: MS_NO_MEMORY; the column is empty then. */
int ms_number_column_create(size_t n, bool single, ms_number_column *column, ms_error *error);
int ms_number_column_single(double value, ms_number_column *column, ms_error *error);
int ms_number_column_copy(const ms_number_column *from, ms_number_column *column, ms_error *error);
void ms_number_column_free(ms_number_column *column);

/* The numbers of one column behind those of another. Errors: MS_NO_MEMORY. */
int ms_number_column_append(ms_number_column *to, const ms_number_column *more, ms_error *error);

/* Row k, or the one number. */
static inline double ms_number_column_at(const ms_number_column *column, size_t k)
{
    return column->value[column->single ? 0 : k];
}

/* The number of rows of n columns together; *n_rows is 1, and *single true, where all are single. Errors: MS_INVALID (columns of
 * different lengths). */
int ms_number_columns_rows(size_t n, const ms_number_column *columns, size_t *n_rows, bool *single,
                           ms_error *error);
