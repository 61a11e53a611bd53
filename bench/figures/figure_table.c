/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figure_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "input_file.h"
#include "nearest.h"

static int no_memory(ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for the figure");
}

/* Lines ---------------------------------------------------------------------------------------------------- */

/* The next line, terminated at its newline, or NULL. *rest: the text after it. */
static char *next_line(char **rest)
{
    char *line;
    do {
        line = *rest;
        if (*line == '\0')
            return NULL;
        const size_t length = strcspn(line, "\n");
        *rest = line + length + (line[length] == '\n');
        line[length] = '\0';
    } while (*line == '#' || *line == '\0');
    return line;
}

/* The cell at *c, terminated at its comma. *c: the next cell; NULL: it was the last one. */
static char *next_cell(char **c)
{
    char *cell = *c, *comma = strchr(cell, ',');
    *c = comma != NULL ? comma + 1 : NULL;
    if (comma != NULL)
        *comma = '\0';
    return cell;
}

static int count_columns(const char *head)
{
    int n = 1;
    for (; *head != '\0'; head++)
        n += *head == ',';
    return n;
}

static double number_of(const char *cell)
{
    char *end;
    const double value = strtod(cell, &end);
    return end != cell && *end == '\0' ? value : NAN;
}

/* Reading -------------------------------------------------------------------------------------------------- */

static int make_names(ms_figure_table *table, int n, ms_error *error)
{
    table->columns = n;
    table->name = calloc((size_t)n, sizeof *table->name);
    return table->name != NULL ? MS_OK : no_memory(error);
}

static int read_head(ms_figure_table *table, char *head, ms_error *error)
{
    const int status = make_names(table, count_columns(head), error);
    for (int k = 0; k < table->columns && status == MS_OK; k++)
        table->name[k] = head != NULL ? next_cell(&head) : "";
    return status;
}

/* Makes room for one more row; NULL: no memory. */
static double *grow(ms_figure_table *table)
{
    const size_t columns = (size_t)table->columns;
    return ms_grow(&table->value, &table->room, table->rows + 1, columns * sizeof(double))
               ? table->value + table->rows++ * columns
               : NULL;
}

static int read_rows(ms_figure_table *table, char *rest, ms_error *error)
{
    char *line;
    while ((line = next_line(&rest)) != NULL) {
        double *row = grow(table);
        MS_TRY_MEMORY_OR(row != NULL, no_memory(error));
        for (int k = 0; k < table->columns; k++)
            row[k] = line != NULL ? number_of(next_cell(&line)) : NAN;
    }
    return MS_OK;
}

int ms_figure_table_begin(int n, const char *const *names, ms_figure_table *table, ms_error *error)
{
    *table = (ms_figure_table){0};
    const int status = make_names(table, n, error);
    for (int k = 0; k < n && status == MS_OK; k++)
        table->name[k] = names[k];
    return status;
}

int ms_figure_table_append(ms_figure_table *table, const double *row, ms_error *error)
{
    double *to = grow(table);
    MS_TRY_MEMORY_OR(to != NULL, no_memory(error));
    memcpy(to, row, (size_t)table->columns * sizeof *to);
    return MS_OK;
}

int ms_figure_table_read(const char *path, ms_figure_table *table, ms_error *error)
{
    *table = (ms_figure_table){0};
    int status = ms_input_text(path, &table->text, error);
    char *rest = table->text, *head = status == MS_OK ? next_line(&rest) : NULL;
    if (head != NULL)
        status = read_head(table, head, error);
    return head != NULL && status == MS_OK ? read_rows(table, rest, error) : status;
}

void ms_figure_table_free(ms_figure_table *table)
{
    MS_FREE(table->text, table->name, table->value);
    *table = (ms_figure_table){0};
}

int ms_figure_table_column(const ms_figure_table *table, const char *name, ms_number_column *column,
                           ms_error *error)
{
    int k = 0;
    while (k < table->columns && strcmp(table->name[k], name) != 0)
        k++;
    if (k == table->columns)
        return ms_fail(error, MS_INVALID, "there is no column %s; the nearest is %s", name,
                       table->columns > 0 ? ms_nearest(name, table->name, table->columns) : "none");
    const int status = ms_number_column_create(table->rows, false, column, error);
    for (size_t n = 0; n < table->rows && status == MS_OK; n++)
        column->value[n] = table->value[n * (size_t)table->columns + (size_t)k];
    return status;
}
