/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_columns.h - the columns of a sweep's table. */
#pragma once

#include "answer.h"
#include "axis.h"

enum { MS_SWEEP_PATH = 96 };

typedef struct ms_sweep_columns {
    ms_column *column; /* ends with a NULL path */
    char (*path)[MS_SWEEP_PATH];
} ms_sweep_columns;

/* Those that all rows have, the first one with presets alone, and one for each of n lists: parameters, options. Errors: MS_NO_MEMORY;
 * destroying is safe then, too. */
int ms_sweep_columns_create(const ms_axis *lists, int n_lists, bool presets, ms_sweep_columns *columns,
                            ms_error *error);
void ms_sweep_columns_destroy(ms_sweep_columns *columns);

/* What is kept of a row for a table: what the columns show, or all. NULL: no memory. */
json_t *ms_sweep_columns_cells(const json_t *row, bool all);
