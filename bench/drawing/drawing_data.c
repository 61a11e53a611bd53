/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files and tables of a drawing. */
#include "drawing_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "growing.h"

enum { CURVE_ROWS_MAX = 2000 };

static int cannot_write(const char *path, ms_error *error)
{
    return ms_fail(error, MS_IO, "%s: %s", path, errno != 0 ? strerror(errno) : "could not be written");
}

/* Opens the file of the data and writes its columns, then where it comes from. */
static FILE *open_file(const ms_drawing *drawing, const char *folder, const ms_data *data, ms_error *error)
{
    char *path = ms_drawing_path(drawing, folder, data->part, "csv");
    errno = path != NULL ? 0 : ENOMEM;
    FILE *file = path != NULL ? fopen(path, "we") : NULL;
    if (file != NULL)
        fprintf(file, "%s\n", data->columns);
    if (file == NULL)
        cannot_write(path != NULL ? path : folder, error);
    else if (ms_drawing_write_origin(drawing, file) != MS_OK) {
        ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", path);
        fclose(file);
        file = NULL;
    }
    free(path);
    return file;
}

static int close_file(const ms_drawing *drawing, const char *folder, const char *part, FILE *file,
                      ms_error *error)
{
    char *path = ms_drawing_path(drawing, folder, part, "csv");
    errno = 0;
    const bool failed = ferror(file) != 0;
    const int status =
        fclose(file) != 0 || failed ? cannot_write(path != NULL ? path : folder, error) : MS_OK;
    free(path);
    return status;
}

/* Two files of one name would overwrite each other. */
static bool is_taken(ms_drawing *drawing, const char *part)
{
    bool taken = false;
    for (const ms_data *data = drawing->data; data != NULL; data = data->next)
        taken = taken || (data->part != NULL && strcmp(data->part, part) == 0);
    for (const ms_table *table = drawing->tables; table != NULL; table = table->next)
        taken = taken || (table->part != NULL && strcmp(table->part, part) == 0);
    if (taken)
        ms_drawing_fail(drawing, MS_INVALID, "%s: two files of data or tables have the part '%s'",
                        drawing->figure->id, part);
    return taken;
}

/* Data --------------------------------------------------------------------------------------------------- */

ms_data *ms_drawing_data(ms_drawing *drawing, const char *part, const char *columns)
{
    if (is_taken(drawing, part))
        return NULL;
    ms_data *data = calloc(1, sizeof *data), **end = &drawing->data;
    if (data == NULL) {
        ms_drawing_no_memory(drawing);
        return NULL;
    }
    while (*end != NULL)
        end = &(*end)->next;
    *end = data;
    *data = (ms_data){.drawing = drawing, .part = strdup(part), .columns = strdup(columns), .n_columns = 1};
    for (const char *c = columns; *c != '\0'; c++)
        data->n_columns += *c == ',';
    if (data->part != NULL && data->columns != NULL)
        return data;
    ms_drawing_no_memory(drawing);
    return NULL;
}

void ms_data_cell(ms_data *data, double value)
{
    if (data == NULL)
        return;
    const size_t columns = (size_t)data->n_columns;
    if (!ms_grow(&data->value, &data->capacity, data->rows + 1, sizeof(double) * columns)) {
        ms_drawing_no_memory(data->drawing);
        return;
    }
    data->value[data->rows * columns + (size_t)data->filled++] = value;
    if (data->filled == data->n_columns) {
        data->filled = 0;
        data->rows++;
    }
}

void ms_data_end_row(ms_data *data)
{
    if (data->filled > 0)
        ms_drawing_fail(data->drawing, MS_INVALID, "%s: a row of the data '%s' has %d cells, not %d",
                        data->drawing->figure->id, data->part, data->filled, data->n_columns);
}

void ms_data_row(ms_data *data, const double *values)
{
    if (data == NULL)
        return;
    ms_data_end_row(data);
    for (int k = 0; k < data->n_columns; k++)
        ms_data_cell(data, values[k]);
}

void ms_data_break(ms_data *data)
{
    if (data == NULL)
        return;
    ms_data_end_row(data);
    if (ms_grow(&data->breaks, &data->breaks_capacity, data->n_breaks + 1, sizeof(size_t)))
        data->breaks[data->n_breaks++] = data->rows;
    else
        ms_drawing_no_memory(data->drawing);
}

void ms_data_keep_all(ms_data *data)
{
    if (data != NULL)
        data->keep_all = true;
}

void ms_data_destroy(ms_data *data)
{
    while (data != NULL) {
        ms_data *next = data->next;
        MS_FREE(data->part, data->columns, data->value, data->breaks, data);
        data = next;
    }
}

static void write_row(const ms_data *data, size_t row, FILE *file)
{
    const double *value = data->value + row * (size_t)data->n_columns;
    for (int k = 0; k < data->n_columns; k++) {
        fputs(k > 0 ? "," : "", file);
        ms_csv_number(value[k], file);
    }
    fputc('\n', file);
}

/* Marks in keep[] the first row of [from, to) and those with the extremes of each column. */
static void mark_extremes(const ms_data *data, size_t from, size_t to, bool *keep)
{
    const size_t n = (size_t)data->n_columns;
    keep[0] = true;
    for (size_t k = 1; k < n; k++) {
        size_t low = from, high = from;
        for (size_t i = from; i < to; i++) {
            const double value = data->value[i * n + k];
            low = value < data->value[low * n + k] ? i : low;
            high = value > data->value[high * n + k] ? i : high;
        }
        keep[low - from] = keep[high - from] = true;
    }
}

/* Writes the rows [from, to), thinned if there are too many: intervals of equal numbers of rows, such
 * that at most CURVE_ROWS_MAX rows remain if each keeps its first row and two per column. */
static int write_curve(const ms_data *data, size_t from, size_t to, FILE *file)
{
    const size_t rows = to - from, most = 2 * (size_t)data->n_columns - 1;
    size_t stretches = CURVE_ROWS_MAX / most;
    if (data->keep_all || rows <= CURVE_ROWS_MAX || stretches == 0)
        stretches = 0;
    bool *keep = calloc(rows + 1, sizeof *keep);
    MS_TRY_MEMORY(keep);
    for (size_t k = 0; k < stretches; k++) {
        const size_t first = k * rows / stretches, last = (k + 1) * rows / stretches;
        mark_extremes(data, from + first, from + last, keep + first);
    }
    for (size_t i = 0; i < rows; i++)
        if (stretches == 0 || keep[i] || i + 1 == rows)
            write_row(data, from + i, file);
    free(keep);
    return MS_OK;
}

static int write_data(const ms_data *data, FILE *file)
{
    int status = MS_OK;
    size_t from = 0;
    for (size_t k = 0; k < data->n_breaks && status == MS_OK; k++) {
        status = write_curve(data, from, data->breaks[k], file);
        fputc('\n', file);
        from = data->breaks[k];
    }
    return status == MS_OK ? write_curve(data, from, data->rows, file) : status;
}

int ms_drawing_write_data(const ms_drawing *drawing, const char *folder, ms_error *error)
{
    int status = MS_OK;
    for (const ms_data *data = drawing->data; data != NULL && status == MS_OK; data = data->next) {
        FILE *file = open_file(drawing, folder, data, error);
        if (file == NULL)
            return MS_IO;
        status = write_data(data, file);
        if (status != MS_OK)
            ms_fail(error, status, "%s: not enough memory", drawing->figure->id);
        const int closed = close_file(drawing, folder, data->part, file, status == MS_OK ? error : NULL);
        status = status == MS_OK ? closed : status;
    }
    return status;
}

/* Tables ------------------------------------------------------------------------------------------------- */

/* The texts between the bars. */
static json_t *split(const char *text)
{
    json_t *words = json_array();
    for (const char *word = text; word != NULL && words != NULL;) {
        const size_t length = strcspn(word, "|");
        if (json_array_append_new(words, json_stringn(word, length)) != 0) {
            json_decref(words);
            words = NULL;
        }
        word = word[length] == '|' ? word + length + 1 : NULL;
    }
    return words;
}

ms_table *ms_drawing_table(ms_drawing *drawing, const char *part, const char *title, const char *columns)
{
    if (is_taken(drawing, part))
        return NULL;
    ms_table *table = calloc(1, sizeof *table), **end = &drawing->tables;
    if (table == NULL) {
        ms_drawing_no_memory(drawing);
        return NULL;
    }
    while (*end != NULL)
        end = &(*end)->next;
    *end = table;
    *table = (ms_table){.drawing = drawing,
                        .part = strdup(part),
                        .title = strdup(title),
                        .columns = split(columns),
                        .rows = json_array()};
    if (table->part != NULL && table->title != NULL && table->columns != NULL && table->rows != NULL)
        return table;
    ms_drawing_no_memory(drawing);
    return NULL;
}

void ms_table_row(ms_table *table, json_t *cells)
{
    if (table == NULL)
        json_decref(cells);
    else if (cells == NULL || json_array_append_new(table->rows, cells) != 0)
        ms_drawing_no_memory(table->drawing);
    else if (json_array_size(cells) != json_array_size(table->columns))
        ms_drawing_fail(table->drawing, MS_INVALID, "%s: a row of the table '%s' has %zu cells, not %zu",
                        table->drawing->figure->id, table->title, json_array_size(cells),
                        json_array_size(table->columns));
}

void ms_table_add(ms_table *table, const char *cells, ...)
{
    json_t *row = json_array();
    va_list arguments;
    va_start(arguments, cells);
    bool given;
    for (const char *letter = cells; *letter != '\0'; letter++)
        ms_json_append(&row, ms_json_next(*letter, &arguments, &given));
    va_end(arguments);
    ms_table_row(table, row);
}

void ms_table_destroy(ms_table *table)
{
    while (table != NULL) {
        ms_table *next = table->next;
        MS_FREE(table->part, table->title);
        json_decref(table->columns);
        json_decref(table->rows);
        free(table);
        table = next;
    }
}

/* The rows as objects by column, which answer.c writes. Rows are checked for their length when they are
 * added. */
json_t *ms_table_rows(const ms_table *table)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < json_array_size(table->rows); i++) {
        json_t *row = json_object();
        for (size_t k = 0; k < json_array_size(table->columns); k++)
            ms_json_set(&row, json_string_value(json_array_get(table->columns, k)),
                        json_incref(json_array_get(json_array_get(table->rows, i), k)));
        ms_json_append(&rows, row);
    }
    return rows;
}

static int write_table(const ms_drawing *drawing, const ms_table *table, const char *folder, ms_error *error)
{
    char *path = ms_drawing_path(drawing, folder, table->part, "csv");
    ms_answer answer = {.value = ms_table_rows(table), .provenance = ms_drawing_origin(drawing)};
    int status = MS_OK;
    if (path == NULL || answer.value == NULL || answer.provenance == NULL ||
        json_object_set_new(answer.provenance, "table", ms_json_text(table->title)) != 0)
        status = ms_fail(error, MS_NO_MEMORY, "%s: not enough memory", drawing->figure->id);
    MS_THEN(status, ms_answer_save(&answer, MS_FORMAT_CSV, path, error));
    ms_answer_discard(&answer);
    free(path);
    return status;
}

int ms_drawing_write_tables(const ms_drawing *drawing, const char *folder, ms_error *error)
{
    for (const ms_table *table = drawing->tables; table != NULL; table = table->next)
        MS_TRY(write_table(drawing, table, folder, error));
    return MS_OK;
}
