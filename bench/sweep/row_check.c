/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_parts.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json_memory.h"
#include "json_text.h"

static int no_memory(ms_error *why)
{
    return ms_fail(why, MS_NO_MEMORY, "not enough memory for a row");
}

/* Reading -------------------------------------------------------------------------------------------------- */

/* Copies the cell at *at, without quotation marks, into `cell`, which has room for the line; *at moves
 * behind the comma, NULL after the last cell. False: the cell is incomplete. */
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

static bool is_json(const char *cell)
{
    return cell[0] == '{' || cell[0] == '[';
}

/* The value of a cell of a column whose value without a run is `shape`. NULL: not a possible value. */
static json_t *value_of(const char *path, const char *cell, const json_t *shape)
{
    const bool whole = json_is_integer(shape) || is_json(cell);
    if (json_is_string(shape) || (strcmp(path, "degraded") == 0 && cell[0] != '\0'))
        return json_string(cell);
    return cell[0] == '\0' ? json_null()
                           : json_loads(cell, JSON_DECODE_ANY | (whole ? 0 : JSON_DECODE_INT_AS_REAL), NULL);
}

/* Path -> value of the cells of a line of CSV; `cell` has room for each of them. */
static int read_cells(const json_t *columns, const char *text, char *cell, const json_t *shape, json_t *row,
                      ms_error *why)
{
    const size_t n = json_array_size(columns);
    size_t k = 0;
    for (; text != NULL && k < n; k++) {
        const char *path = json_string_value(json_array_get(columns, k));
        if (!next_cell(&text, cell))
            return ms_fail(why, MS_INVALID, "ends within %s", path);
        json_t *value = value_of(path, cell, json_object_get(shape, path));
        if (value == NULL && is_json(cell))
            return ms_fail(why, MS_INVALID, "its %s is not JSON as this program writes it", path);
        if (value == NULL)
            return ms_fail(why, MS_INVALID,
                           "its %s is %.60s, which is not a number as this program writes "
                           "it",
                           path, cell);
        if (json_object_set_new(row, path, value) != 0)
            return no_memory(why);
    }
    if (text != NULL)
        return ms_fail(why, MS_INVALID, "has more than %zu cells", n);
    return k == n ? MS_OK : ms_fail(why, MS_INVALID, "has %zu cells, not %zu", k, n);
}

static int read_line(const json_t *columns, const char *text, size_t length, const json_t *shape,
                     json_t **row, ms_error *why)
{
    char *cell = malloc(length + 1);
    *row = json_object();
    const int status = cell != NULL ? read_cells(columns, text, cell, shape, *row, why) : no_memory(why);
    free(cell);
    return status;
}

static int read_object(const char *text, size_t length, json_t **row, ms_error *why)
{
    json_error_t wrong;
    *row = json_loadb(text, length, 0, &wrong);
    if (*row == NULL && ms_json_lacks_memory(&wrong))
        return no_memory(why);
    return json_is_object(*row) ? MS_OK : ms_fail(why, MS_INVALID, "is not a JSON object");
}

/* Values -------------------------------------------------------------------------------------------------- */

static bool begins(const char *path, const char *with)
{
    return strncmp(path, with, strlen(with)) == 0;
}

/* Does it belong to the key, which is known without a run? */
static bool is_key(const char *path)
{
    static const char *const keys[] = {"model", "case", "norm", "parameters", "scheme", "row"};
    const char *end = strrchr(path, '.');
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (begins(path, keys[k]) && strchr(".", path[strlen(keys[k])]) != NULL)
            return true;
    return begins(path, "work.") && strcmp(end, ".subsystem") == 0;
}

static bool same(const json_t *a, const json_t *b)
{
    const bool none = a == NULL || json_is_null(a);
    return none ? b == NULL || json_is_null(b) : json_equal(a, b) != 0;
}

/* May a run have this value? Beyond the shape there are only values that are null as a whole, and errors of
 * outputs. */
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
    (void)ms_fail(why, MS_INVALID, "its %s is %.60s, but that of the expected row is %.60s", path,
                  was != NULL ? was : "missing", right != NULL ? right : "missing");
    MS_FREE(was, right);
    return MS_INVALID;
}

/* Both are flat; more: only the key is compared. */
static int check_values(json_t *row, json_t *shape, bool more, ms_error *why)
{
    const char *path;
    json_t *value;
    json_object_foreach (shape, path, value)
        if (is_key(path) && !same(json_object_get(row, path), value))
            return differs(path, json_object_get(row, path), value, why);
    json_object_foreach (row, path, value) {
        const json_t *expected = json_object_get(shape, path);
        if (!more && is_key(path) && !same(value, expected))
            return differs(path, value, expected, why);
        if (!more && !is_key(path) && !may_be(path, expected, value))
            return ms_fail(why, MS_INVALID, "its %s is no %s", path,
                           json_is_string(expected) ? "text" : "number");
    }
    return MS_OK;
}

/* Checks the row and turns it into its text. */
static int check_text(const ms_row_form *form, const char *text, size_t length, json_t *row, ms_error *why)
{
    char *again = ms_row_text(form, row);
    MS_TRY_MEMORY_OR(again != NULL, no_memory(why));
    const bool same_text = strlen(again) == length && memcmp(again, text, length) == 0;
    free(again);
    return same_text ? MS_OK : ms_fail(why, MS_INVALID, "is not written as this program writes rows");
}

int ms_row_check(const ms_row_form *form, const char *text, size_t length, json_t *shape, ms_error *why)
{
    json_t *row = NULL, *flat_shape = ms_json_flatten(shape);
    int status = form->format == MS_FORMAT_CSV ? read_line(form->columns, text, length, flat_shape, &row, why)
                                               : read_object(text, length, &row, why);
    json_t *flat = status == MS_OK ? ms_json_flatten(row) : NULL;
    if (status == MS_OK && (flat == NULL || flat_shape == NULL))
        status = no_memory(why);
    MS_THEN(status, check_values(flat, flat_shape, form->more, why));
    MS_THEN(status, check_text(form, text, length, row, why));
    json_decref(flat_shape);
    json_decref(flat);
    json_decref(row);
    return status;
}
