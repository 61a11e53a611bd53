/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json_read.h"

#include <stdarg.h>
#include <string.h>

#include "nearest.h"

/* Error lines -------------------------------------------------------------------------------------------- */

/* The end of the string at c. */
static const char *skip_string(const char *c)
{
    for (c++; *c != '\0' && *c != '"'; c++)
        if (*c == '\\' && c[1] != '\0')
            c++;
    return *c == '"' ? c + 1 : c;
}

/* The line in which item `index` of the list `member` of the whole file begins, counted from 1; 0: not found. */
static int find_line(const char *text, const char *member, size_t index)
{
    const size_t length = strlen(member);
    int depth = 0, line = 1;
    bool here = false; /* within the list */
    size_t item = 0;
    for (const char *c = text; *c != '\0';) {
        const bool begins = here && depth == 2 && strchr(" \t\r\n,]", *c) == NULL;
        if (begins && item == index)
            return line;
        if (*c == '"') {
            const char *end = skip_string(c);
            const size_t size = (size_t)(end - c);
            if (depth == 1)
                here = size == length + 2 && strncmp(c + 1, member, length) == 0;
            c = end;
            continue;
        }
        line += *c == '\n';
        depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        item += here && depth == 2 && *c == ',';
        c++;
    }
    return 0;
}

static int fail(const ms_json_place *at, int status, ms_error *error, const char *what)
{
    char line[32] = "";
    long number = 0;
    if (at->line != NULL && at->name != NULL)
        number = at->line[at->index];
    else if (at->text != NULL)
        number = find_line(at->text, "subsystems", at->index);
    if (number > 0)
        snprintf(line, sizeof line, ": line %ld", number);
    return ms_fail(error, status, "%s%s%s%.100s: %s", at->path, line, at->name ? ": subsystem " : "",
                   at->name ? at->name : "", what);
}

int ms_json_fail(const ms_json_place *at, ms_error *error, const char *format, ...)
{
    char what[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return fail(at, MS_INVALID, error, what);
}

int ms_json_no_memory(const ms_json_place *at, ms_error *error)
{
    return fail(at, MS_NO_MEMORY, error, "not enough memory");
}

/* Matrices ----------------------------------------------------------------------------------------------- */

/* A number, or the expression of entry k. */
static int read_entry(ms_structure *owner, const json_t *entry, size_t k, const ms_json_place *at,
                      ms_json_matrix *m, ms_error *error)
{
    if (json_is_number(entry)) {
        m->value[k] = json_number_value(entry);
        return MS_OK;
    }
    if (m->text == NULL)
        m->text = ms_structure_alloc(owner, m->rows * m->columns, sizeof *m->text);
    if (m->text != NULL)
        m->text[k] = ms_structure_name(owner, "%s", json_string_value(entry));
    return m->text != NULL && m->text[k] != NULL ? MS_OK : ms_json_no_memory(at, error);
}

static int read_row(ms_structure *owner, const json_t *row, const char *name, size_t i,
                    const ms_json_place *at, ms_json_matrix *m, ms_error *error)
{
    if (!json_is_array(row))
        return ms_json_fail(at, error, "row %zu of %s is not a list of numbers or expressions", i + 1, name);
    if (json_array_size(row) != m->columns)
        return ms_json_fail(at, error, "row %zu of %s has %zu entries, but its first row has %zu", i + 1,
                            name, json_array_size(row), m->columns);
    for (size_t j = 0; j < m->columns; j++) {
        const json_t *entry = json_array_get(row, j);
        if (!json_is_number(entry) && !json_is_string(entry))
            return ms_json_fail(at, error, "row %zu, column %zu of %s is neither a number nor an expression",
                                i + 1, j + 1, name);
        MS_TRY(read_entry(owner, entry, i * m->columns + j, at, m, error));
    }
    return MS_OK;
}

int ms_json_read_matrix(ms_structure *owner, const json_t *object, const char *name, bool required,
                        const ms_json_place *at, ms_json_matrix *m, ms_error *error)
{
    const json_t *rows = json_object_get(object, name);
    *m = (ms_json_matrix){0};
    if (rows == NULL && required)
        return ms_json_fail(at, error, "matrix %s is missing", name);
    if (rows == NULL)
        return MS_OK;
    if (!json_is_array(rows))
        return ms_json_fail(at, error, "%s is not a matrix: a list of rows is expected", name);
    m->rows = json_array_size(rows);
    m->columns = m->rows > 0 ? json_array_size(json_array_get(rows, 0)) : 0;
    m->value = ms_structure_alloc(owner, m->rows * m->columns + 1, sizeof *m->value);
    MS_TRY_MEMORY_OR(m->value != NULL, ms_json_no_memory(at, error));
    for (size_t i = 0; i < m->rows; i++)
        MS_TRY(read_row(owner, json_array_get(rows, i), name, i, at, m, error));
    return MS_OK;
}

int ms_json_shape(ms_json_matrix *m, const char *name, size_t rows, size_t columns, const ms_json_place *at,
                  ms_error *error)
{
    const bool empty = m->rows * m->columns == 0 && rows * columns == 0;
    if (!empty && (m->rows != rows || m->columns != columns))
        return ms_json_fail(at, error, "%s is %zu x %zu, but %zu x %zu is expected", name, m->rows,
                            m->columns, rows, columns);
    m->rows = rows;
    m->columns = columns;
    return MS_OK;
}

int ms_json_vector(ms_structure *owner, const json_t *object, const char *name, size_t n,
                   const ms_json_place *at, ms_json_matrix *vector, ms_error *error)
{
    const json_t *list = json_object_get(object, name);
    *vector = (ms_json_matrix){.rows = n, .columns = 1};
    if (list == NULL)
        return MS_OK;
    if (!json_is_array(list))
        return ms_json_fail(at, error, "%s is not a list of numbers", name);
    if (json_array_size(list) != n)
        return ms_json_fail(at, error, "%s has %zu entries, but %zu are expected", name,
                            json_array_size(list), n);
    vector->value = ms_structure_alloc(owner, n + 1, sizeof *vector->value);
    MS_TRY_MEMORY_OR(vector->value != NULL, ms_json_no_memory(at, error));
    for (size_t i = 0; i < n; i++) {
        const json_t *entry = json_array_get(list, i);
        if (!json_is_number(entry) && !json_is_string(entry))
            return ms_json_fail(at, error, "entry %zu of %s is neither a number nor an expression", i + 1,
                                name);
        MS_TRY(read_entry(owner, entry, i, at, vector, error));
    }
    return MS_OK;
}

/* Numbers and strings ------------------------------------------------------------------------------------ */

int ms_json_number(const json_t *object, const char *name, const ms_json_place *at, double *value,
                   ms_error *error)
{
    const json_t *number = json_object_get(object, name);
    if (number != NULL && !json_is_number(number))
        return ms_json_fail(at, error, "%s is not a number", name);
    if (number != NULL)
        *value = json_number_value(number);
    return MS_OK;
}

int ms_json_positive(const json_t *object, const char *name, const ms_json_place *at, double *value,
                     ms_error *error)
{
    const json_t *number = json_object_get(object, name);
    return number == NULL || json_number_value(number) > 0.0
               ? ms_json_number(object, name, at, value, error)
               : ms_json_fail(at, error, "%s is not a positive number", name);
}

int ms_json_string(ms_structure *owner, const json_t *object, const char *name, const ms_json_place *at,
                   const char **text, ms_error *error)
{
    const json_t *string = json_object_get(object, name);
    if (string == NULL)
        return MS_OK;
    if (!json_is_string(string))
        return ms_json_fail(at, error, "%s is not a string", name);
    *text = ms_structure_name(owner, "%s", json_string_value(string));
    return *text != NULL ? MS_OK : ms_json_no_memory(at, error);
}

int ms_json_members(json_t *object, const char *const *names, int n, const ms_json_place *at, ms_error *error)
{
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        bool known = false;
        for (int i = 0; i < n; i++)
            known = known || strcmp(key, names[i]) == 0;
        if (!known)
            return ms_json_fail(at, error, "unknown member %.100s; the nearest is %s", key,
                                ms_nearest(key, names, n));
    }
    return MS_OK;
}
