/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_check.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json_text.h"
#include "number.h"

static int no_memory(ms_error *why)
{
    return ms_fail(why, MS_NO_MEMORY, "not enough memory for a row");
}

/* Cells of CSV -------------------------------------------------------------------------------------------- */

/* The cell that begins at *at, without quotation marks, into `cell`, which has room for the line; *at becomes what
 * stands behind the comma, NULL behind the last one. False: it ends in the middle. */
static bool next_cell(const char **at, char *cell)
{
    const char *from = *at;
    bool quoted = false;
    for (; *from != '\0' && (quoted || (*from != ',' && *from != '\n')); from++) {
        if (*from != '"')
            *cell++ = *from;
        else if (quoted && from[1] == '"')
            *cell++ = *from++;
        else
            quoted = !quoted;
    }
    *cell = '\0';
    *at = *from == ',' ? from + 1 : NULL;
    return *from == ',' || (*from == '\n' && from[1] == '\0');
}

static json_t *integer_of(const char *cell)
{
    char *end, again[32];
    errno = 0;
    const long long value = strtoll(cell, &end, 10);
    snprintf(again, sizeof again, "%lld", value);
    return errno == 0 && *end == '\0' && strcmp(again, cell) == 0 ? json_integer(value) : NULL;
}

static json_t *real_of(const char *cell)
{
    char *end, again[MS_NUMBER_SIZE];
    const double value = strtod(cell, &end);
    if (*end != '\0' || !isfinite(value))
        return NULL;
    ms_number_text(value, again);
    return strcmp(again, cell) == 0 ? json_real(value) : NULL;
}

static bool is_words(const char *path, const json_t *shape)
{
    return json_is_string(shape) || strcmp(path, "degraded") == 0;
}

/* What the cell says of a column whose value without a run is `shape`; NULL: nothing that it could be. */
static json_t *value_of(const char *cell, const char *path, const json_t *shape)
{
    if (json_is_string(shape) || (is_words(path, shape) && cell[0] != '\0'))
        return json_string(cell);
    if (cell[0] == '\0')
        return json_null();
    if (strcmp(cell, "true") == 0 || strcmp(cell, "false") == 0)
        return json_boolean(cell[0] == 't');
    return json_is_integer(shape) ? integer_of(cell) : real_of(cell);
}

/* A cell with JSON: its members under the column's path. */
static int read_members(const char *path, const char *cell, json_t *row, ms_error *why)
{
    json_t *members = json_loads(cell, 0, NULL), *flat = NULL, *value;
    char *again = members != NULL ? ms_json_line(members) : NULL;
    const char *inner;
    int status = again != NULL && strcmp(again, cell) == 0
                     ? MS_OK
                     : ms_fail(why, MS_INVALID, "its %s is no JSON as this program writes it", path);
    if (status == MS_OK) {
        json_t *whole = json_pack("{s:O}", path, members);
        flat = ms_json_flatten(whole);
        json_decref(whole);
    }
    json_object_foreach (flat, inner, value)
        status = json_object_set(row, inner, value) == 0 ? status : no_memory(why);
    json_decref(flat);
    json_decref(members);
    free(again);
    return status;
}

static int read_cell(const char *path, const char *cell, const json_t *shape, json_t *cells, json_t *row,
                     ms_error *why)
{
    const json_t *expected = json_object_get(shape, path);
    const bool whole = !json_is_string(expected) && (cell[0] == '{' || cell[0] == '[');
    json_t *value = whole ? json_string(cell) : value_of(cell, path, expected);
    if (value == NULL)
        return ms_fail(why, MS_INVALID, "its %s is %.60s, which is no %s as this program writes them", path,
                       cell, is_words(path, expected) ? "text" : "number");
    int status = json_object_set_new(cells, path, value) == 0 ? MS_OK : no_memory(why);
    if (status == MS_OK && whole)
        return read_members(path, cell, row, why);
    if (status == MS_OK && json_object_set(row, path, value) != 0)
        status = no_memory(why);
    return status;
}

static int read_cells(const json_t *columns, const char *text, char *cell, const json_t *shape, json_t *cells,
                      json_t *row, ms_error *why)
{
    const size_t n = json_array_size(columns);
    size_t k = 0;
    for (; text != NULL && k < n; k++) {
        const char *path = json_string_value(json_array_get(columns, k));
        if (!next_cell(&text, cell))
            return ms_fail(why, MS_INVALID, "ends within %s", path);
        const int status = read_cell(path, cell, shape, cells, row, why);
        if (status != MS_OK)
            return status;
    }
    if (text != NULL)
        return ms_fail(why, MS_INVALID, "has more than %zu cells", n);
    return k == n ? MS_OK : ms_fail(why, MS_INVALID, "has %zu cells, not %zu", k, n);
}

/* Path -> value of a line: as it stands in the cells, and with the members of cells that are JSON. */
static int read_line(const json_t *columns, const char *text, size_t length, const json_t *shape,
                     json_t *cells, json_t *row, ms_error *why)
{
    char *line = calloc(2, length + 1);
    if (line == NULL || cells == NULL || row == NULL) {
        free(line);
        return no_memory(why);
    }
    memcpy(line, text, length);
    const int status = strlen(line) < length
                           ? ms_fail(why, MS_INVALID, "has a zero byte")
                           : read_cells(columns, line, line + length + 1, shape, cells, row, why);
    free(line);
    return status;
}

/* Values -------------------------------------------------------------------------------------------------- */

static bool begins(const char *path, const char *with)
{
    return strncmp(path, with, strlen(with)) == 0;
}

/* Is it known without a run? */
static bool is_own(const char *path)
{
    static const char *const own[] = {"model", "case", "norm", "parameters", "scheme", "row"};
    const char *end = strrchr(path, '.');
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (begins(path, own[k]) && (path[strlen(own[k])] == '\0' || path[strlen(own[k])] == '.'))
            return true;
    return begins(path, "work.") && strcmp(end, ".subsystem") == 0;
}

/* What a run makes of it; beyond the shape there are only what is null as a whole, and errors of outputs. */
static bool may_be(const char *path, const json_t *shape, const json_t *value)
{
    const bool number = json_is_number(value) || json_is_null(value);
    if (begins(path, "degraded"))
        return json_is_string(value) || json_is_null(value);
    if (shape == NULL)
        return json_is_null(value) || (begins(path, "errors.per_state.") && number);
    if (json_is_string(shape))
        return json_is_string(value);
    if (strcmp(path, "agree") == 0)
        return json_is_boolean(value) || json_is_null(value);
    return json_is_integer(shape) ? json_is_integer(value) : number;
}

static int differs(const char *path, const json_t *is, const json_t *expected, ms_error *why)
{
    char *was = ms_json_line(is), *right = ms_json_line(expected);
    (void)ms_fail(why, MS_INVALID, "its %s is %.60s, of the row that belongs there %.60s", path,
                  was != NULL ? was : "missing", right != NULL ? right : "missing");
    free(was);
    free(right);
    return MS_INVALID;
}

/* Both flat. */
static int check_own(const json_t *row, json_t *shape, ms_error *why)
{
    const char *path;
    json_t *value;
    json_object_foreach (shape, path, value) {
        json_t *is = json_object_get(row, path);
        if (is_own(path) && (is == NULL ? !json_is_null(value) : !json_equal(is, value)))
            return differs(path, is, value, why);
    }
    return MS_OK;
}

static int check_computed(json_t *row, const json_t *shape, ms_error *why)
{
    const char *path;
    json_t *value;
    json_object_foreach (row, path, value) {
        const json_t *expected = json_object_get(shape, path);
        if (!is_own(path) && !may_be(path, expected, value))
            return ms_fail(why, MS_INVALID, "its %s is no %s", path,
                           json_is_string(expected) ? "text" : "number");
        if (is_own(path) && expected == NULL && !json_is_null(value))
            return differs(path, value, NULL, why);
    }
    return MS_OK;
}

static int check_bytes(const char *text, size_t length, const char *again, ms_error *why)
{
    if (again == NULL)
        return no_memory(why);
    return strlen(again) == length && memcmp(again, text, length) == 0
               ? MS_OK
               : ms_fail(why, MS_INVALID, "is not written as this program writes rows");
}

/* Rows ---------------------------------------------------------------------------------------------------- */

static int check_csv(const json_t *columns, const char *text, size_t length, json_t *flat_shape,
                     ms_error *why)
{
    json_t *cells = json_object(), *row = json_object();
    int status = read_line(columns, text, length, flat_shape, cells, row, why);
    if (status == MS_OK)
        status = check_own(row, flat_shape, why);
    if (status == MS_OK)
        status = check_computed(row, flat_shape, why);
    if (status == MS_OK) {
        char *again = ms_row_line(columns, cells);
        status = check_bytes(text, length, again, why);
        free(again);
    }
    json_decref(cells);
    json_decref(row);
    return status;
}

static int check_json(const char *text, size_t length, bool more, json_t *flat_shape, ms_error *why)
{
    json_error_t wrong;
    json_t *row = json_loadb(text, length, 0, &wrong);
    if (!json_is_object(row)) {
        json_decref(row);
        return ms_fail(why, MS_INVALID, "is no JSON object");
    }
    char *again = ms_json_line(row);
    json_t *flat = ms_json_flatten(row);
    int status = flat != NULL ? MS_OK : no_memory(why);
    if (status == MS_OK)
        status = check_own(flat, flat_shape, why);
    if (status == MS_OK && !more)
        status = check_computed(flat, flat_shape, why);
    if (status == MS_OK)
        status = check_bytes(text, length, again, why);
    free(again);
    json_decref(flat);
    json_decref(row);
    return status;
}

int ms_row_check(const ms_row_form *form, const char *text, size_t length, json_t *shape, ms_error *why)
{
    json_t *flat = ms_json_flatten(shape);
    int status = flat != NULL ? MS_OK : no_memory(why);
    if (status == MS_OK)
        status = form->format != MS_FORMAT_CSV ? check_json(text, length, form->more, flat, why)
                                               : check_csv(form->columns, text, length, flat, why);
    json_decref(flat);
    return status;
}
