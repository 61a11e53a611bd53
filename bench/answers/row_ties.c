/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_names.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 240, NEAR = 64 };

static const char *const separator = ", ";

static const char *member_of(const json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "member"));
    return name != NULL ? name : "";
}

static bool same_values(const json_t *a, const json_t *b, const ms_column *columns)
{
    for (const ms_column *column = columns; column->path != NULL; column++) {
        const json_t *x = ms_json_at(a, column->path), *y = ms_json_at(b, column->path);
        if (strcmp(column->path, "member") != 0 && !(x == y || json_equal(x, y)))
            return false;
    }
    return true;
}

static size_t part_length(const char *at)
{
    const char *end = strstr(at, separator);
    return end != NULL ? (size_t)(end - at) : strlen(at);
}

/* How many letters of two parts a blank ends that both have: "order " of "order 1" and "order 2". */
static size_t common(const char *a, const char *b, size_t length)
{
    size_t words = 0;
    for (size_t k = 0; k < length && a[k] == b[k]; k++)
        words = a[k] == ' ' ? k + 1 : words;
    return words;
}

/* Do both have as many parts, the first the same, and all but one? joined: the name of both then. */
static bool join(const char *a, const char *b, char joined[NAME_MAX_LENGTH])
{
    const char *const from = a;
    int parts = 0, different = 0;
    for (;; parts++) {
        const size_t n = part_length(a), m = part_length(b);
        if (n != m || strncmp(a, b, n) != 0) {
            const size_t words = common(a, b, n < m ? n : m);
            if (parts == 0 || different++ > 0)
                return false;
            snprintf(joined, NAME_MAX_LENGTH, "%.*s or %.*s%s", (int)(a + n - from), from, (int)(m - words),
                     b + words, a + n);
        }
        a += n, b += m;
        if (*a == '\0' || *b == '\0')
            return *a == *b && different == 1;
        a += strlen(separator), b += strlen(separator);
    }
}

/* Row i takes in row j, which is null then, where they tie. */
static bool join_rows(json_t *list, size_t i, size_t j, const ms_column *columns)
{
    const json_t *a = json_array_get(list, i), *b = json_array_get(list, j);
    char joined[NAME_MAX_LENGTH];
    if (json_is_null(b) || !same_values(a, b, columns) || !join(member_of(a), member_of(b), joined))
        return false;
    json_t *row = json_copy((json_t *)a), *name = json_string(joined);
    return json_object_set_new(row, "member", name) == 0 && json_array_set_new(list, i, row) == 0 &&
           json_array_set_new(list, j, json_null()) == 0;
}

/* Joins the row with an equal one. Returns whether there was one; ties are close together, since rows are ranked. */
static bool join_near(json_t *list, const ms_column *columns)
{
    const size_t n = json_array_size(list);
    bool joined = false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n && j <= i + NEAR && !json_is_null(json_array_get(list, i)); j++)
            joined = join_rows(list, i, j, columns) || joined;
    return joined;
}

/* Without those that are null; the list is released. */
static json_t *left_of(json_t *list)
{
    json_t *left = json_array(), *row;
    size_t k;
    json_array_foreach (list, k, row) {
        if (!json_is_null(row))
            ms_json_append(&left, json_incref(row));
    }
    json_decref(list);
    return left;
}

json_t *ms_row_ties(const json_t *rows, const ms_column *columns)
{
    json_t *list = json_copy((json_t *)rows);
    while (join_near(list, columns))
        list = left_of(list);
    return list;
}
