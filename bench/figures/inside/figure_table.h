/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_table.h - columns with names: of a CSV file that a command has written (--trajectory, --history, --events), or row by row. */
#ifndef MS_FIGURE_TABLE_H
#define MS_FIGURE_TABLE_H

#include "column.h"

typedef struct ms_figure_table {
    char *text; /* owned; names point into it; NULL: they are the caller's */
    int columns;
    const char **name; /* (columns), owned */
    size_t rows, room;
    double *value; /* (rows x columns), owned; NaN: an empty cell, or a text */
} ms_figure_table;

/* Lines that begin with # are passed over. Errors: MS_IO, MS_NO_MEMORY. Freeing is safe after all of them. */
int ms_figure_table_read(const char *path, ms_figure_table *table, ms_error *error);
void ms_figure_table_free(ms_figure_table *table);

/* Without rows; the n names are borrowed. A row has n numbers. Errors: MS_NO_MEMORY. */
int ms_figure_table_begin(int n, const char *const *names, ms_figure_table *table, ms_error *error);
int ms_figure_table_append(ms_figure_table *table, const double *row, ms_error *error);

/* Errors: MS_INVALID (there is no column of that name), MS_NO_MEMORY. */
int ms_figure_table_column(const ms_figure_table *table, const char *name, ms_number_column *column,
                           ms_error *error);

#endif
