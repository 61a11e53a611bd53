/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_text.c - a table for the terminal. */
#include <string.h>

#include <macrostep/status.h>
#include "grid.h"
#include "letters.h"

const char *ms_grid_cell(const json_t *grid, size_t row, size_t column)
{
    const char *text = json_string_value(json_array_get(json_array_get(grid, row), column));
    return text != NULL ? text : "";
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return (end != text && *end == '\0') || strcmp(text, "-") == 0;
}

/* Is it a number that is written with a power of ten, or would be easier to read so? */
static bool is_small(const char *text)
{
    static const char zeros[] = "0.000";
    return strpbrk(text, "eE") != NULL || strncmp(text + (text[0] == '-'), zeros, sizeof zeros - 1) == 0;
}

/* What a cell adds to what is known of its column. */
static void measure(ms_grid_column *column, const char *text, bool heading)
{
    const size_t width = ms_letters(text);
    column->width = width > column->width ? width : column->width;
    column->numeric = column->numeric && (heading || is_number(text));
    column->powers = column->powers || (!heading && is_small(text));
    column->empty = column->empty && (heading || text[0] == '\0' || strcmp(text, "-") == 0);
}

ms_grid_column *ms_grid_measure(const json_t *grid)
{
    const size_t columns = json_array_size(json_array_get(grid, 0)), rows = json_array_size(grid);
    ms_grid_column *column = calloc(columns + 1, sizeof *column);
    for (size_t k = 0; k < columns && column != NULL; k++)
        column[k] = (ms_grid_column){.numeric = true, .empty = rows > 1};
    for (size_t i = 0; i < rows && column != NULL; i++)
        for (size_t k = 0; k < columns; k++)
            measure(&column[k], ms_grid_cell(grid, i, k), i == 0);
    for (size_t k = 0; k < columns && column != NULL; k++)
        column[k].powers = column[k].powers && column[k].numeric;
    return column;
}

void ms_grid_pad(size_t n, FILE *file)
{
    static const char blanks[] = "                                ";
    for (size_t left = n, most = sizeof blanks - 1; left > 0; left -= left < most ? left : most)
        fwrite(blanks, 1, left < most ? left : most, file);
}

/* One line, without blanks at its end. */
static void write_line(const json_t *grid, size_t row, const ms_grid_column *column, FILE *file)
{
    size_t gap = 0; /* blanks that are still to be written */
    for (size_t k = 0; k < json_array_size(json_array_get(grid, 0)); k++) {
        const char *text = ms_grid_cell(grid, row, k);
        const size_t space = column[k].width - ms_letters(text);
        gap += column[k].numeric ? space : 0;
        if (text[0] != '\0') {
            ms_grid_pad(gap, file);
            ms_letters_print(text, file);
            gap = 0;
        }
        gap += 2 + (column[k].numeric ? 0 : space);
    }
    fputc('\n', file);
}

int ms_grid_text(const json_t *grid, size_t indent, FILE *file)
{
    ms_grid_column *column = ms_grid_measure(grid);
    for (size_t i = 0; i < json_array_size(grid) && column != NULL; i++) {
        ms_grid_pad(indent, file);
        write_line(grid, i, column, file);
    }
    const int status = column != NULL ? MS_OK : MS_NO_MEMORY;
    free(column);
    return status;
}
