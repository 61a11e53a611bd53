/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.h - cells of a table and how they are written.
 *
 * A grid is an array of arrays of strings of one length; the first row is the heading. "-" is a number that is not known. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "format.h"

/* What a column is like below its heading. */
typedef struct ms_grid_column {
    size_t width; /* in letters, with the heading */
    bool numeric; /* all cells are numbers, or not known */
    bool empty;   /* no cell says anything */
    bool powers;  /* of numbers, one of which is written with a power of ten, or below 0.001 */
    bool same;    /* pages: all cells say the same, which is written once, above the columns */
    bool once;    /* pages: each group of rows has one cell, that of its first row */
} ms_grid_column;

/* A cell; "" if there is none. */
const char *ms_grid_cell(const json_t *grid, size_t row, size_t column);

/* (columns + 1), freed by the caller; NULL: no memory. */
ms_grid_column *ms_grid_measure(const json_t *grid);

void ms_grid_pad(size_t n, FILE *file);

/* Columns side by side, numbers at the right. Errors: MS_NO_MEMORY. */
int ms_grid_text(const json_t *grid, size_t indent, FILE *file);

/* Finds what a page need not repeat: sets `same` (unless each column is to stay) and `once`. begins (rows of the grid): the row is
 * the first one of a group behind another. Groups are the stretches of rows with the same text in the first column that is left,
 * where there are several, one of more rows than one, and no text comes again. Errors: MS_NO_MEMORY. */
int ms_grid_group(const json_t *grid, bool all_stay, ms_grid_column *column, bool *begins);

/* LaTeX and Markdown. Columns that are empty are left out, and, unless all stay, those whose cells are alike, which a line says. Errors:
 * MS_NO_MEMORY. */
int ms_grid_marked_up(const json_t *grid, ms_markup markup, bool all_stay, FILE *file);
