/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h - cells of a table and how they are written.
 *
 * A grid is an array of arrays of strings of one length; the first row is the heading. "-" is a number that is not known. */
#ifndef MS_GRID_H
#define MS_GRID_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "format.h"

/* What a column is like below its heading. */
typedef struct ms_grid_column {
    size_t width; /* in letters, with the heading */
    bool numeric; /* all cells are numbers, or not known */
    bool empty;   /* no cell says anything */
} ms_grid_column;

/* A cell; "" where there is none. */
const char *ms_grid_cell(const json_t *grid, size_t row, size_t column);

/* (columns + 1), freed by the caller; NULL: no memory. */
ms_grid_column *ms_grid_measure(const json_t *grid);

void ms_grid_pad(size_t n, FILE *file);

/* Columns side by side, numbers at the right. Errors: MS_NO_MEMORY. */
int ms_grid_text(const json_t *grid, size_t indent, FILE *file);

/* LaTeX and Markdown; columns that are empty are left out. Errors: MS_NO_MEMORY. */
int ms_grid_marked_up(const json_t *grid, ms_markup markup, FILE *file);

#endif
