/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "column.h"

#include <stdlib.h>
#include <string.h>

int ms_number_column_create(size_t n, bool single, ms_number_column *column, ms_error *error)
{
    *column = (ms_number_column){.single = single, .n = n, .value = calloc(n + 1, sizeof(double))};
    if (column->value != NULL)
        return MS_OK;
    column->n = 0;
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
}

int ms_number_column_single(double value, ms_number_column *column, ms_error *error)
{
    MS_TRY(ms_number_column_create(1, true, column, error));
    column->value[0] = value;
    return MS_OK;
}

int ms_number_column_copy(const ms_number_column *from, ms_number_column *column, ms_error *error)
{
    const int status = ms_number_column_create(from->n, from->single, column, error);
    if (status == MS_OK && from->n > 0)
        memcpy(column->value, from->value, from->n * sizeof(double));
    return status;
}

void ms_number_column_free(ms_number_column *column)
{
    free(column->value);
    *column = (ms_number_column){0};
}

int ms_number_column_append(ms_number_column *to, const ms_number_column *more, ms_error *error)
{
    double *grown = realloc(to->value, (to->n + more->n + 1) * sizeof(double));
    MS_TRY_MEMORY_FOR(grown != NULL, error, "the figure");
    to->value = grown;
    to->single = false;
    if (more->n > 0)
        memcpy(grown + to->n, more->value, more->n * sizeof(double));
    to->n += more->n;
    return MS_OK;
}

int ms_number_columns_rows(size_t n, const ms_number_column *columns, size_t *n_rows, bool *single,
                           ms_error *error)
{
    *n_rows = 1;
    *single = true;
    for (size_t k = 0; k < n; k++) {
        if (columns[k].single)
            continue;
        if (!*single && columns[k].n != *n_rows)
            return ms_fail(error, MS_INVALID, "columns of %zu and of %zu rows cannot be combined", *n_rows,
                           columns[k].n);
        *single = false;
        *n_rows = columns[k].n;
    }
    return MS_OK;
}
