/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_file.h - a series of numbers as CSV: a line of column names, which others look for in the first line, provenance in
 * lines that begin with '#', the rows. */
#pragma once

#include <jansson.h>

#include "output.h"

enum { MS_SERIES_NAME_MAX = 400 };

typedef struct ms_series_table {
    int columns;
    long rows;
    const double *row;
    const void *of; /* argument of name() */
    void (*name)(const void *of, int column, char *name, size_t size);
    /* OPTIONAL: of a column, "1" where it has none; NULL: columns are not told apart by units */
    const char *(*unit)(const void *of, int column);
} ms_series_table;

/* The head of such a file alone, and rows behind it. Errors: MS_NO_MEMORY; MS_IO with errno. */
int ms_series_file_begin(const ms_series_table *table, json_t *provenance, ms_output *output,
                         ms_error *error);
int ms_series_file_rows(const ms_series_table *table, const ms_output *output);

/* Writes and closes. provenance is stolen; NULL: there was no memory for it. A file that is not open is not
 * wanted. Errors: MS_NO_MEMORY, MS_IO. */
int ms_series_file_write(const ms_series_table *table, json_t *provenance, ms_output *output,
                         ms_error *error);
