/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json_read.h"

#include <string.h>

#include "nearest.h"

/* The head of an error line, and its arguments. */
#define WHERE        "%s%s%s: "
#define WHERE_OF(at) (at)->path, (at)->name ? ": subsystem " : "", (at)->name ? (at)->name : ""

int ms_json_no_memory(const ms_json_place *at, ms_error *error)
{
    return ms_fail(error, MS_NO_MEMORY, WHERE "not enough memory", WHERE_OF(at));
}

static int read_row(const json_t *row, const char *name, size_t i, const ms_json_place *at, ms_json_matrix *m,
                    ms_error *error)
{
    if (!json_is_array(row))
        return ms_fail(error, MS_INVALID, WHERE "row %zu of %s is not a list of numbers", WHERE_OF(at), i + 1,
                       name);
    if (json_array_size(row) != m->columns)
        return ms_fail(error, MS_INVALID, WHERE "row %zu of %s has %zu entries, but its first row has %zu",
                       WHERE_OF(at), i + 1, name, json_array_size(row), m->columns);
    for (size_t j = 0; j < m->columns; j++) {
        const json_t *entry = json_array_get(row, j);
        if (!json_is_number(entry))
            return ms_fail(error, MS_INVALID, WHERE "row %zu, column %zu of %s is not a number", WHERE_OF(at),
                           i + 1, j + 1, name);
        m->value[i * m->columns + j] = json_number_value(entry);
    }
    return MS_OK;
}

int ms_json_read_matrix(ms_structure *owner, const json_t *object, const char *name, bool required,
                        const ms_json_place *at, ms_json_matrix *m, ms_error *error)
{
    const json_t *rows = json_object_get(object, name);
    *m = (ms_json_matrix){0};
    if (rows == NULL && required)
        return ms_fail(error, MS_INVALID, WHERE "matrix %s is missing", WHERE_OF(at), name);
    if (rows == NULL)
        return MS_OK;
    if (!json_is_array(rows))
        return ms_fail(error, MS_INVALID, WHERE "%s is not a matrix: a list of rows is expected",
                       WHERE_OF(at), name);
    m->rows = json_array_size(rows);
    m->columns = m->rows > 0 ? json_array_size(json_array_get(rows, 0)) : 0;
    m->value = ms_structure_alloc(owner, m->rows * m->columns + 1, sizeof *m->value);
    if (m->value == NULL)
        return ms_json_no_memory(at, error);
    for (size_t i = 0; i < m->rows; i++) {
        const int status = read_row(json_array_get(rows, i), name, i, at, m, error);
        if (status != MS_OK)
            return status;
    }
    return MS_OK;
}

int ms_json_shape(ms_json_matrix *m, const char *name, size_t rows, size_t columns, const ms_json_place *at,
                  ms_error *error)
{
    const bool empty = m->rows * m->columns == 0 && rows * columns == 0;
    if (!empty && (m->rows != rows || m->columns != columns))
        return ms_fail(error, MS_INVALID, WHERE "%s is %zu x %zu, but %zu x %zu is expected", WHERE_OF(at),
                       name, m->rows, m->columns, rows, columns);
    m->rows = rows;
    m->columns = columns;
    return MS_OK;
}

int ms_json_vector(ms_structure *owner, const json_t *object, const char *name, size_t n,
                   const ms_json_place *at, const double **vector, ms_error *error)
{
    const json_t *list = json_object_get(object, name);
    *vector = NULL;
    if (list == NULL)
        return MS_OK;
    if (!json_is_array(list))
        return ms_fail(error, MS_INVALID, WHERE "%s is not a list of numbers", WHERE_OF(at), name);
    if (json_array_size(list) != n)
        return ms_fail(error, MS_INVALID, WHERE "%s has %zu entries, but %zu are expected", WHERE_OF(at),
                       name, json_array_size(list), n);
    double *value = ms_structure_alloc(owner, n + 1, sizeof *value);
    if (value == NULL)
        return ms_json_no_memory(at, error);
    for (size_t i = 0; i < n; i++) {
        if (!json_is_number(json_array_get(list, i)))
            return ms_fail(error, MS_INVALID, WHERE "entry %zu of %s is not a number", WHERE_OF(at), i + 1,
                           name);
        value[i] = json_number_value(json_array_get(list, i));
    }
    *vector = value;
    return MS_OK;
}

int ms_json_positive(const json_t *object, const char *name, const ms_json_place *at, double *value,
                     ms_error *error)
{
    const json_t *number = json_object_get(object, name);
    if (number == NULL)
        return MS_OK;
    if (!json_is_number(number) || !(json_number_value(number) > 0.0))
        return ms_fail(error, MS_INVALID, WHERE "%s is not a positive number", WHERE_OF(at), name);
    *value = json_number_value(number);
    return MS_OK;
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
            return ms_fail(error, MS_INVALID, WHERE "unknown member %s; the nearest is %s", WHERE_OF(at), key,
                           ms_nearest(key, names, n));
    }
    return MS_OK;
}
