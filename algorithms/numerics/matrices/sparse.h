/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse.h - matrices by compressed rows, made row by row from sums of entries and of other rows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct ms_sparse {
    int rows, columns;
    size_t *row_at; /* (rows + 1): entries of row i are row_at[i] .. row_at[i + 1] - 1 */
    int *column;
    double *value;
    size_t room;   /* for entries */
    int rows_room; /* for rows */
    double *sum;   /* (columns) of the row that is being made */
    int *touched;  /* (columns): has it that column so far? */
    int *list;     /* (columns) in the order in which they came */
    int n_list;
    bool no_memory; /* there was not enough: further additions do nothing */
} ms_sparse;

/* A matrix without rows yet, with capacity `rows`, or NULL without memory. */
ms_sparse *ms_sparse_create(int rows, int columns);
void ms_sparse_destroy(ms_sparse **matrix); /* NULL-safe */

/* Adds to the row that is being made: a value in a column; factor times row i of a finished one. */
void ms_sparse_add(ms_sparse *matrix, int column, double value);
void ms_sparse_add_row(ms_sparse *matrix, double factor, const ms_sparse *from, int i);

/* The row is done, with its entries in the order in which they came. Returns its index. */
int ms_sparse_finish_row(ms_sparse *matrix);

/* Terms of Taylor's series of x' = M x + b over a length h, for a square M: t_0 is there, t_k = (M t_{k-1} + [k = 1] b) h/k for k = 1 .. n.
 * t (n + 1, rows); b (rows), NULL: 0. */
void ms_sparse_series(const ms_sparse *matrix, int n, double h, const double *b, double *t);
