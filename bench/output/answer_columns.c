/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

/* Is the name that text, where '-' and '_' stand for the blanks of titles? */
static bool is_text(const char *name, size_t length, const char *text)
{
    size_t k = 0;
    for (; k < length && text[k] != '\0'; k++) {
        const bool gap = strchr("-_ ", name[k]) != NULL, other = strchr("-_ ", text[k]) != NULL;
        if (gap != other || (!gap && name[k] != text[k]))
            return false;
    }
    return k == length && text[k] == '\0';
}

static bool is_end(const char *name, size_t length, const char *path)
{
    const size_t all = strlen(path);
    return all > length && path[all - length - 1] == '.' && is_text(name, length, path + all - length);
}

/* The path of that name, or the only one that ends with it; NULL: there is none. */
static const char *find_path(const json_t *paths, const char *name, size_t length)
{
    const char *found = NULL;
    int ends = 0;
    for (size_t k = 0; k < json_array_size(paths); k++) {
        const char *path = json_string_value(json_array_get(paths, k));
        if (is_text(name, length, path))
            return path;
        if (is_end(name, length, path)) {
            found = path;
            ends++;
        }
    }
    return ends == 1 ? found : NULL;
}

static const ms_column *find_title(const ms_column *columns, const char *name, size_t length)
{
    for (; columns != NULL && columns->path != NULL; columns++)
        if (is_text(name, length, columns->title))
            return columns;
    return NULL;
}

/* The column of that name, as {path: title}; NULL: there is none. */
static json_t *column_of(const ms_column *columns, const json_t *paths, const char *name, size_t length)
{
    const ms_column *titled = find_title(columns, name, length);
    const char *path = titled != NULL ? titled->path : find_path(paths, name, length);
    if (path == NULL)
        return NULL;
    return json_pack("{s:o}", path, titled != NULL ? json_string(titled->title) : json_stringn(name, length));
}

/* The end of a path that is not a place in an array: "scheme.step_size" is known as step_size. */
static const char *last_of(const char *path)
{
    const char *point = strrchr(path, '.');
    return point != NULL && strspn(point + 1, "0123456789") < strlen(point + 1) ? point + 1 : path;
}

static int no_column(const json_t *paths, const char *name, size_t length, ms_error *error)
{
    char word[64];
    const size_t n = json_array_size(paths);
    const char **names = calloc(n + 1, sizeof *names);
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    for (size_t k = 0; k < n && names != NULL; k++)
        names[k] = last_of(json_string_value(json_array_get(paths, k)));
    const char *near = names != NULL ? ms_nearest(word, names, (int)n) : NULL;
    free((void *)names);
    return ms_fail(error, MS_INVALID,
                   "--columns %s: no column is called that; did you mean %s? (csv has all names)", word,
                   near != NULL ? near : "none");
}

int ms_answer_choose(const char *names, const ms_column *columns, const json_t *paths, json_t **chosen,
                     ms_error *error)
{
    int status = MS_OK;
    json_t *all = json_object();
    for (const char *name = names; name != NULL && status == MS_OK;) {
        const size_t length = strcspn(name, ",");
        json_t *one = column_of(columns, paths, name, length);
        if (one == NULL)
            status = no_column(paths, name, length, error);
        ms_json_join(&all, one);
        name = name[length] == ',' ? name + length + 1 : NULL;
    }
    if (status == MS_OK && all == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the columns");
    if (status != MS_OK)
        json_decref(all);
    *chosen = status == MS_OK ? all : NULL;
    return status;
}

json_t *ms_answer_paths(const json_t *chosen)
{
    json_t *paths = json_array();
    const char *path;
    json_t *title;
    json_object_foreach ((json_t *)chosen, path, title) {
        ms_json_append(&paths, json_string(path));
    }
    return paths;
}
