/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_check.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

static int no_memory(ms_error *why)
{
    return ms_fail(why, MS_NO_MEMORY, "not enough memory for a row");
}

/* Texts -------------------------------------------------------------------------------------------------- */

/* Arrays that are one cell in CSV. */
static int join_degraded(json_t *row)
{
    const json_t *list = json_object_get(row, "degraded");
    char text[512] = "";
    for (size_t k = 0; k < json_array_size(list); k++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s", k > 0 ? "; " : "",
                 json_string_value(json_array_get(list, k)));
    }
    return text[0] != '\0' ? json_object_set_new(row, "degraded", json_string(text)) : 0;
}

static char *csv_text(const json_t *columns, const json_t *flat)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    ms_csv_row(columns, flat, stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

char *ms_row_text(const ms_row_form *form, json_t *row)
{
    if (form->format == MS_FORMAT_JSON)
        return json_dumps(row, JSON_REAL_PRECISION(17));
    json_t *flat = join_degraded(row) == 0 ? ms_json_flatten(row) : NULL;
    char *text = flat != NULL ? csv_text(form->columns, flat) : NULL;
    json_decref(flat);
    return text;
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
    char *end, again[64];
    const double value = strtod(cell, &end);
    snprintf(again, sizeof again, "%.17g", value);
    return *end == '\0' && strcmp(again, cell) == 0 ? json_real(value)
                                                    : NULL; /* of nan and inf there are none */
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

static int read_cells(const json_t *columns, const char *text, char *cell, const json_t *shape, json_t *row,
                      ms_error *why)
{
    const size_t n = json_array_size(columns);
    size_t k = 0;
    for (; text != NULL && k < n; k++) {
        const char *path = json_string_value(json_array_get(columns, k));
        if (!next_cell(&text, cell))
            return ms_fail(why, MS_INVALID, "ends within %s", path);
        json_t *value = value_of(cell, path, json_object_get(shape, path));
        if (value == NULL)
            return ms_fail(why, MS_INVALID, "its %s is %.60s, which is no %s as this program writes them",
                           path, cell, is_words(path, json_object_get(shape, path)) ? "text" : "number");
        if (json_object_set_new(row, path, value) != 0)
            return no_memory(why);
    }
    if (text != NULL)
        return ms_fail(why, MS_INVALID, "has more than %zu cells", n);
    return k == n ? MS_OK : ms_fail(why, MS_INVALID, "has %zu cells, not %zu", k, n);
}

/* Path -> value of a line. */
static int read_line(const json_t *columns, const char *text, size_t length, const json_t *shape,
                     json_t **row, ms_error *why)
{
    char *line = calloc(2, length + 1);
    *row = json_object();
    if (line == NULL || *row == NULL) {
        free(line);
        return no_memory(why);
    }
    memcpy(line, text, length);
    const int status = strlen(line) < length ? ms_fail(why, MS_INVALID, "has a zero byte")
                                             : read_cells(columns, line, line + length + 1, shape, *row, why);
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
    char *was = is != NULL ? json_dumps(is, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) : NULL;
    char *right = expected != NULL ? json_dumps(expected, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) : NULL;
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
    json_t *row = NULL;
    int status = read_line(columns, text, length, flat_shape, &row, why);
    if (status == MS_OK)
        status = check_own(row, flat_shape, why);
    if (status == MS_OK)
        status = check_computed(row, flat_shape, why);
    if (status == MS_OK) {
        char *again = csv_text(columns, row);
        status = check_bytes(text, length, again, why);
        free(again);
    }
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
    char *again = json_dumps(row, JSON_REAL_PRECISION(17));
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
        status = form->format == MS_FORMAT_JSON ? check_json(text, length, form->more, flat, why)
                                                : check_csv(form->columns, text, length, flat, why);
    json_decref(flat);
    return status;
}
