/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result_file.h"

#include <errno.h>
#include <stdlib.h>

#include "arguments.h"
#include "csv_cell.h"
#include "input_file.h"
#include "json.h"
#include "json_memory.h"

static int no_memory(const char *path, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, "%s: not enough memory to read it", path);
}

/* Has a file been read to its end, and not to where memory or the disk failed? */
static int check_end(const char *path, FILE *file, ms_error *error)
{
    if (feof(file) && !ferror(file))
        return MS_OK;
    return errno == ENOMEM ? no_memory(path, error) : ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
}

bool ms_result_file_is(const char *name)
{
    return ms_arguments_ends_with(name, ".json") || ms_arguments_ends_with(name, ".jsonl") ||
           ms_arguments_ends_with(name, ".csv");
}

/* JSON --------------------------------------------------------------------------------------------------- */

/* What Jansson says of a line, or of the memory that it was refused. */
static int refuse(const char *path, int line, const json_error_t *why, ms_error *error)
{
    return ms_json_lacks_memory(why) ? no_memory(path, error)
                                     : ms_fail(error, MS_INVALID, "%s: line %d: %s", path, line, why->text);
}

static int read_json(const char *path, FILE *file, json_t **value, ms_error *error)
{
    json_error_t why;
    *value = json_loadf(file, JSON_DECODE_ANY, &why);
    if (*value != NULL)
        return MS_OK;
    return ferror(file) != 0 ? check_end(path, file, error) : refuse(path, why.line, &why, error);
}

static int read_lines(const char *path, FILE *file, json_t **value, ms_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    int n = 0, status = MS_OK;
    json_t *head = NULL, *rows = json_array();
    for (ssize_t length; status == MS_OK && (length = getline(&line, &capacity, file)) > 0; n++) {
        json_error_t why;
        json_t *row = json_loadb(line, (size_t)length, 0, &why);
        if (row == NULL)
            status = refuse(path, n + 1, &why, error);
        else if (n == 0)
            head = row;
        else
            ms_json_append(&rows, row);
    }
    status = status == MS_OK ? check_end(path, file, error) : status;
    free(line);
    *value = ms_json_object("head:o rows:o", head != NULL ? head : json_null(), rows);
    return status != MS_OK ? status : *value != NULL ? MS_OK : no_memory(path, error);
}

/* CSV ---------------------------------------------------------------------------------------------------- */

static json_t *value_of(const char *cell, bool quoted)
{
    char *end;
    if (cell[0] == '\0' && !quoted)
        return json_null();
    const double number = strtod(cell, &end);
    return quoted || *end != '\0' ? ms_json_text(cell) : ms_json_exact(number);
}

/* The cells of a line: names without columns, else an object by them. */
static json_t *cells_of(char *line, const json_t *columns)
{
    json_t *cells = columns == NULL ? json_array() : json_object();
    size_t k = 0;
    for (char *at = line; at != NULL; k++) {
        bool quoted;
        const char *cell = ms_csv_cut(&at, &quoted), *name = json_string_value(json_array_get(columns, k));
        if (columns == NULL)
            ms_json_append(&cells, ms_json_text(cell));
        else if (name != NULL)
            ms_json_set(&cells, name, value_of(cell, quoted));
    }
    if (columns == NULL || k == json_array_size(columns))
        return cells;
    json_decref(cells);
    return NULL;
}

static int read_csv(const char *path, FILE *file, json_t **value, ms_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    long n = 0, lines;
    int status = MS_OK;
    json_t *columns = NULL, *rows = json_array();
    for (; status == MS_OK && ms_csv_record(file, &line, &capacity, &lines) >= 0; n += lines) {
        if (line[0] == '#' || line[0] == '\0')
            continue;
        json_t *cells = cells_of(line, columns);
        if (cells == NULL)
            status = ms_fail(error, MS_INVALID, "%s: line %ld: does not have the %zu cells of the first line",
                             path, n + 1, json_array_size(columns));
        else if (columns == NULL)
            columns = cells;
        else
            ms_json_append(&rows, cells);
    }
    status = status == MS_OK ? check_end(path, file, error) : status;
    free(line);
    json_decref(columns);
    *value = ms_json_object("rows:o", rows);
    return status != MS_OK ? status : *value != NULL ? MS_OK : no_memory(path, error);
}

/* Both --------------------------------------------------------------------------------------------------- */

static bool begins_with_bracket(FILE *file)
{
    const int c = fgetc(file);
    ungetc(c, file);
    return c == '{' || c == '[';
}

int ms_result_file_read(const char *path, json_t **value, ms_error *error)
{
    *value = NULL;
    if (ms_input_check(path, MS_INPUT_ROWS_BYTES, error) != MS_OK)
        return MS_INVALID;
    errno = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return errno == ENOMEM ? no_memory(path, error)
                               : ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    const bool lines = ms_arguments_ends_with(path, ".jsonl"),
               json = !ms_arguments_ends_with(path, ".csv") && begins_with_bracket(file);
    int status = lines  ? read_lines(path, file, value, error)
                 : json ? read_json(path, file, value, error)
                        : read_csv(path, file, value, error);
    if (status == MS_OK && ferror(file))
        status = ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    fclose(file);
    return status;
}
