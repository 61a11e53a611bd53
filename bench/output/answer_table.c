/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "letters.h"

/* A grid of cells is an array of arrays of strings; the first row is the heading. Cells that hold numbers
 * stand right. */

enum { CELL_LENGTH = 64, INDENT = 2 };

static const char *const unnamed = " "; /* heading of a column of names */

static json_t *cell(const json_t *value)
{
    char text[CELL_LENGTH] = "-";
    if (json_is_string(value))
        return json_string(json_string_value(value));
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, sizeof text, "%.6g", json_real_value(value));
    else if (json_is_boolean(value))
        snprintf(text, sizeof text, "%s", json_is_true(value) ? "yes" : "no");
    else if (json_is_array(value) || json_is_object(value))
        return json_string("");
    return json_string(text);
}

static const char *cell_text(const json_t *grid, size_t row, size_t column)
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

/* Width of a column; *numeric: all its cells below the heading are numbers. */
static size_t measure(const json_t *grid, size_t column, bool *numeric)
{
    size_t width = 0;
    *numeric = true;
    for (size_t i = 0; i < json_array_size(grid); i++) {
        const char *text = cell_text(grid, i, column);
        width = ms_letters(text) > width ? ms_letters(text) : width;
        *numeric = *numeric && (i == 0 || is_number(text));
    }
    return width;
}

static void pad(size_t n, FILE *file)
{
    for (size_t i = 0; i < n; i++)
        fputc(' ', file);
}

/* One line, without blanks at its end. */
static void write_line(const json_t *grid, size_t row, size_t columns, const size_t *width,
                       const bool *numeric, FILE *file)
{
    size_t gap = 0; /* blanks that are still to be written */
    for (size_t k = 0; k < columns; k++) {
        const char *text = cell_text(grid, row, k);
        const size_t space = width[k] - ms_letters(text);
        gap += numeric[k] ? space : 0;
        if (text[0] != '\0') {
            pad(gap, file);
            fputs(text, file);
            gap = 0;
        }
        gap += 2 + (numeric[k] ? 0 : space);
    }
    fputc('\n', file);
}

static int write_grid(const json_t *grid, size_t indent, FILE *file)
{
    const size_t columns = json_array_size(json_array_get(grid, 0));
    size_t *width = calloc(columns + 1, sizeof *width);
    bool *numeric = calloc(columns + 1, sizeof *numeric);
    const int status = width != NULL && numeric != NULL ? MS_OK : MS_NO_MEMORY;
    for (size_t k = 0; k < columns && status == MS_OK; k++)
        width[k] = measure(grid, k, &numeric[k]);
    for (size_t i = 0; i < json_array_size(grid) && status == MS_OK; i++) {
        pad(indent, file);
        write_line(grid, i, columns, width, numeric, file);
    }
    free(width);
    free(numeric);
    return status;
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* The columns that are scalars in the first row. */
static json_t *default_heading(json_t *rows)
{
    json_t *heading = json_array();
    const char *key;
    json_t *value;
    json_object_foreach (json_array_get(rows, 0), key, value) {
        if (!json_is_object(value) && !json_is_array(value))
            json_array_append_new(heading, json_string(key));
    }
    return heading;
}

/* Numbers in order, others behind them as they came: an insertion sort of indices. */
static void sort_rows(json_t *rows, const char *rank, size_t *order)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *key = rank != NULL ? ms_json_at(json_array_get(rows, i), rank) : NULL;
        size_t at = i;
        for (; at > 0 && json_is_number(key); at--) {
            const json_t *before = ms_json_at(json_array_get(rows, order[at - 1]), rank);
            if (json_is_number(before) && json_number_value(before) <= json_number_value(key))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static int write_rows(json_t *rows, const ms_column *columns, const char *rank, size_t indent, FILE *file)
{
    const size_t n = json_array_size(rows);
    json_t *grid = json_array(), *heading = columns == NULL ? default_heading(rows) : json_array();
    json_t *paths = columns == NULL ? json_deep_copy(heading) : json_array();
    size_t *order = calloc(n + 1, sizeof *order);
    int status = grid != NULL && heading != NULL && paths != NULL && order != NULL ? MS_OK : MS_NO_MEMORY;
    for (int k = 0; columns != NULL && columns[k].path != NULL && status == MS_OK; k++) {
        json_array_append_new(heading, json_string(columns[k].title));
        json_array_append_new(paths, json_string(columns[k].path));
    }
    json_array_append(grid, heading);
    if (status == MS_OK)
        sort_rows(rows, rank, order);
    for (size_t i = 0; i < n && status == MS_OK; i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < json_array_size(paths); k++)
            json_array_append_new(row, cell(ms_json_at(json_array_get(rows, order[i]),
                                                       json_string_value(json_array_get(paths, k)))));
        if (json_array_append_new(grid, row) != 0)
            status = MS_NO_MEMORY;
    }
    if (status == MS_OK)
        status = write_grid(grid, indent, file);
    free(order);
    json_decref(grid);
    json_decref(heading);
    json_decref(paths);
    return status;
}

/* Objects ------------------------------------------------------------------------------------------------ */

/* Are all members objects? They are then the rows of a table with their names in front. */
static bool is_table(json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        if (!json_is_object(value))
            return false;
    }
    return json_object_size(object) > 1;
}

static json_t *named_rows(json_t *object)
{
    json_t *rows = json_array();
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        json_t *row = json_pack("{s:s}", unnamed, key);
        json_object_update(row, value);
        json_array_append_new(rows, row);
    }
    return rows;
}

/* "a, b, c" of scalars; arrays inside in brackets. */
static void write_list(const json_t *array, FILE *file)
{
    for (size_t k = 0; k < json_array_size(array); k++) {
        const json_t *value = json_array_get(array, k);
        fputs(k > 0 ? ", " : "", file);
        if (json_is_array(value)) {
            fputc('[', file);
            write_list(value, file);
            fputc(']', file);
        } else {
            json_t *text = cell(value);
            fputs(json_is_string(text) ? json_string_value(text) : "", file);
            json_decref(text);
        }
    }
    fputs(json_array_size(array) == 0 ? "-" : "", file);
}

static size_t key_width(json_t *object)
{
    size_t width = 0;
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        width = strlen(key) > width ? strlen(key) : width;
    }
    return width;
}

static int write_object(json_t *object, const ms_answer *answer, size_t indent, FILE *file);

/* What comes after the name of a member. */
static int write_member(json_t *value, const ms_answer *answer, size_t space, size_t indent, FILE *file)
{
    int status = MS_OK;
    if (json_is_object(value) && json_object_size(value) > 0) {
        fputc('\n', file);
        json_t *rows = is_table(value) ? named_rows(value) : NULL;
        status = rows != NULL ? write_rows(rows, NULL, NULL, indent, file)
                              : write_object(value, answer, indent, file);
        json_decref(rows);
    } else if (json_is_array(value) && json_is_object(json_array_get(value, 0))) {
        fputc('\n', file);
        status = write_rows(value, NULL, NULL, indent, file);
    } else {
        pad(space, file);
        if (json_is_array(value)) {
            write_list(value, file);
        } else {
            json_t *text = cell(value);
            fputs(json_is_string(text) && json_string_length(text) > 0 ? json_string_value(text) : "-", file);
            json_decref(text);
        }
        fputc('\n', file);
    }
    return status;
}

static int write_object(json_t *object, const ms_answer *answer, size_t indent, FILE *file)
{
    const size_t width = key_width(object);
    const char *key;
    json_t *value;
    int status = MS_OK;
    json_object_foreach (object, key, value) {
        if (status != MS_OK || value == ms_json_rows(answer->value))
            continue;
        pad(indent, file);
        fputs(key, file);
        status = write_member(value, answer, width - strlen(key) + 2, indent + INDENT, file);
    }
    return status;
}

int ms_answer_table(const ms_answer *answer, FILE *file)
{
    json_t *rows = json_is_array(answer->value) ? answer->value : json_object_get(answer->value, "rows");
    int status = rows != NULL ? write_rows(rows, answer->columns, answer->rank, 0, file) : MS_OK;
    if (status == MS_OK && json_is_object(answer->value))
        status = write_object(answer->value, answer, 0, file);
    return status;
}
