/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_check.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json_text.h"
#include "memory.h"

/* Cells of CSV -------------------------------------------------------------------------------------------- */

/* The cell that begins at *at, without quotation marks, into `cell`, which has room for the line; *at becomes what
 * follows the comma, NULL behind the last cell. */
static void next_cell(const char **at, char *cell)
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
}

/* What the cell says of a column whose value without a run is `shape`: a number, JSON, or a text. */
static json_t *value_of(const char *cell, const json_t *shape)
{
    const bool whole = cell[0] == '{' || cell[0] == '[' || json_is_integer(shape);
    if (cell[0] == '\0' && !json_is_string(shape))
        return json_null();
    json_t *value = json_is_string(shape)
                        ? NULL
                        : json_loads(cell, JSON_DECODE_ANY | (whole ? 0 : JSON_DECODE_INT_AS_REAL), NULL);
    return value != NULL ? value : json_string(cell);
}

/* Path -> value of a line. */
static json_t *read_cells(const json_t *columns, const char *text, size_t length, const json_t *shape)
{
    json_t *row = json_object();
    char *line = calloc(2, length + 1), *cell = line + length + 1;
    if (line == NULL)
        ms_json_append(&row, NULL);
    else
        memcpy(line, text, length);
    const char *at = line;
    for (size_t k = 0; k < json_array_size(columns) && at != NULL; k++) {
        const char *path = json_string_value(json_array_get(columns, k));
        next_cell(&at, cell);
        ms_json_set(&row, path, value_of(cell, json_object_get(shape, path)));
    }
    free(line);
    return row;
}

/* Values -------------------------------------------------------------------------------------------------- */

static bool begins(const char *path, const char *with)
{
    return strncmp(path, with, strlen(with)) == 0;
}

/* Is it part of the row's key, which is known without a run? */
static bool is_key(const char *path)
{
    static const char *const keys[] = {"model", "case", "norm", "parameters", "scheme", "row"};
    const char *end = strrchr(path, '.');
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (begins(path, keys[k]) && (path[strlen(keys[k])] == '\0' || path[strlen(keys[k])] == '.'))
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
    char *was = is != NULL ? ms_json_line(is) : NULL,
         *right = expected != NULL ? ms_json_line(expected) : NULL;
    (void)ms_fail(why, MS_INVALID, "its %s is %.60s, of the row that belongs there %.60s", path,
                  was != NULL ? was : "missing", right != NULL ? right : "missing");
    free(was);
    free(right);
    return MS_INVALID;
}

/* Both flat. */
static int check_key(const json_t *row, json_t *shape, ms_error *why)
{
    const char *path;
    json_t *value;
    json_object_foreach (shape, path, value) {
        const json_t *is = json_object_get(row, path);
        if (is_key(path) && (is == NULL ? !json_is_null(value) : !json_equal(is, value)))
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
        if (!is_key(path) && !may_be(path, expected, value))
            return ms_fail(why, MS_INVALID, "its %s is no %s", path,
                           json_is_string(expected) ? "text" : "number");
        if (is_key(path) && expected == NULL && !json_is_null(value))
            return differs(path, value, NULL, why);
    }
    return MS_OK;
}

/* Rows ---------------------------------------------------------------------------------------------------- */

/* Is the row, whose arrays and objects become texts where it is a line of CSV, written again to the same bytes? */
static int check_bytes(const ms_row_form *form, const char *text, size_t length, json_t *row, ms_error *why)
{
    const char *path;
    json_t *value;
    if (form->format == MS_FORMAT_CSV)
        json_object_foreach (row, path, value)
            (void)ms_row_narrow(row, path);
    char *again = ms_row_line(form, row);
    const bool same = again != NULL && strlen(again) == length && memcmp(again, text, length) == 0;
    free(again);
    return same ? MS_OK : ms_fail(why, MS_INVALID, "is not written as this program writes rows");
}

static int check_row(const ms_row_form *form, const char *text, size_t length, json_t *row, json_t *shape,
                     ms_error *why)
{
    json_t *flat = json_is_object(row) ? ms_json_flatten(row) : NULL;
    int status = flat != NULL ? MS_OK : ms_fail(why, MS_INVALID, "is no JSON object");
    if (status == MS_OK)
        status = check_key(flat, shape, why);
    if (status == MS_OK && !form->more)
        status = check_computed(flat, shape, why);
    if (status == MS_OK)
        status = check_bytes(form, text, length, row, why);
    json_decref(flat);
    return status;
}

int ms_row_check(const ms_row_form *form, const char *text, size_t length, json_t *shape, ms_error *why)
{
    json_t *flat = ms_json_flatten(shape);
    json_t *row = form->format == MS_FORMAT_CSV ? read_cells(form->columns, text, length, flat)
                                                : json_loadb(text, length, 0, NULL);
    int status = flat != NULL ? check_row(form, text, length, row, flat, why) : MS_NO_MEMORY;
    if (flat == NULL || ms_memory_refused())
        status = ms_fail(why, MS_NO_MEMORY, "not enough memory for a row");
    json_decref(flat);
    json_decref(row);
    return status;
}
