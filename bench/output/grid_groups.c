/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_groups.c - what a table for a page need not repeat. */
#include <string.h>

#include <macrostep/status.h>
#include "grid.h"

static bool alike(const json_t *grid, size_t row, size_t other, size_t column)
{
    return strcmp(ms_grid_cell(grid, row, column), ms_grid_cell(grid, other, column)) == 0;
}

static bool is_same(const json_t *grid, size_t column)
{
    size_t row = 2;
    while (row < json_array_size(grid) && alike(grid, row, 1, column))
        row++;
    return row > 2 && row == json_array_size(grid);
}

/* A table of which one column would be left stays whole. */
static void find_same(const json_t *grid, size_t columns, ms_grid_column *column)
{
    size_t left = 0;
    for (size_t k = 0; k < columns; k++) {
        column[k].same = !column[k].empty && is_same(grid, k);
        left += !column[k].empty && !column[k].same;
    }
    for (size_t k = 0; k < columns && left < 2; k++)
        column[k].same = false;
}

/* Marks where groups begin; false where there are none. */
static int find_groups(const json_t *grid, size_t by, bool *begins, bool *found)
{
    const size_t rows = json_array_size(grid);
    json_t *known = json_object();
    size_t groups = 0;
    int status = known != NULL ? MS_OK : MS_NO_MEMORY;
    *found = true;
    for (size_t i = 1; i < rows && status == MS_OK && *found; i++) {
        const char *text = ms_grid_cell(grid, i, by);
        if (i > 1 && alike(grid, i, i - 1, by))
            continue;
        begins[i] = i > 1;
        groups++;
        *found = json_object_get(known, text) == NULL;
        status = json_object_set_new(known, text, json_true()) == 0 ? MS_OK : MS_NO_MEMORY;
    }
    json_decref(known);
    *found = *found && groups > 1 && groups < rows - 1;
    return status;
}

static bool is_once(const json_t *grid, size_t column, const bool *begins)
{
    for (size_t i = 2; i < json_array_size(grid); i++)
        if (!begins[i] && !alike(grid, i, i - 1, column))
            return false;
    return true;
}

int ms_grid_group(const json_t *grid, bool all_stay, ms_grid_column *column, bool *begins)
{
    const size_t columns = json_array_size(json_array_get(grid, 0));
    size_t first = 0;
    bool found = false;
    if (!all_stay)
        find_same(grid, columns, column);
    while (first < columns && (column[first].empty || column[first].same))
        first++;
    if (first < columns && !column[first].numeric)
        MS_TRY(find_groups(grid, first, begins, &found));
    if (!found)
        memset(begins, 0, json_array_size(grid) * sizeof *begins);
    for (size_t k = first; k < columns && found; k++)
        found = column[k].once = column[k].empty || column[k].same || is_once(grid, k, begins);
    return MS_OK;
}
