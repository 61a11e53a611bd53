/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "passage.h"

#include <stdarg.h>
#include <string.h>

#include "nearest.h"

/* Lines --------------------------------------------------------------------------------------------------- */

static const char *skip_space(const char *c)
{
    return c + strspn(c, " \t\r\n");
}

/* The end of the string at c. */
static const char *skip_string(const char *c)
{
    for (c++; *c != '\0' && *c != '"'; c++)
        c += *c == '\\' && c[1] != '\0';
    return *c == '"' ? c + 1 : c;
}

/* The end of the value at c. */
static const char *skip_value(const char *c)
{
    int depth = 0;
    do {
        if (*c == '"') {
            c = skip_string(c);
        } else {
            depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
            c++;
        }
    } while (*c != '\0' && (depth > 0 || strchr(",]}", *c) == NULL));
    return c;
}

/* The beginning of the value of a member or element of the container at c; NULL: not found. *key: for its line. */
static const char *find_in(const char *c, const ms_passage *at, const char **key)
{
    const size_t length = at->key != NULL ? strlen(at->key) : 0;
    size_t index = 0;
    for (c = skip_space(c + 1); *c != '\0' && strchr("]}", *c) == NULL; index++) {
        const char *begins = c;
        if (at->key != NULL)
            c = skip_space(skip_space(skip_string(c)) + 1); /* behind the colon */
        const bool is_it = at->key != NULL ? begins[0] == '"' && strncmp(begins + 1, at->key, length) == 0 &&
                                                 begins[length + 1] == '"'
                                           : index == at->index;
        *key = begins;
        if (is_it)
            return c;
        c = skip_space(skip_value(c));
        c = *c == ',' ? skip_space(c + 1) : c;
    }
    return NULL;
}

/* The beginning of the value at this place in the text of its file. */
static const char *find(const ms_passage *at, const char **key, const char **text)
{
    if (at->in == NULL) {
        *key = *text = at->text;
        return at->text != NULL ? skip_space(at->text) : NULL;
    }
    const char *whole = find(at->in, key, text);
    return whole != NULL ? find_in(whole, at, key) : NULL;
}

/* The line in which it begins, counted from 1; 0: not found. */
static int line_of(const ms_passage *at)
{
    const char *key = NULL, *text = NULL;
    const char *found = find(at, &key, &text);
    int line = 1;
    if (found == NULL)
        return 0;
    for (const char *c = text; c < key; c++)
        line += *c == '\n';
    return line;
}

/* Messages ------------------------------------------------------------------------------------------------ */

static const char *file_of(const ms_passage *at)
{
    while (at->in != NULL)
        at = at->in;
    return at->file;
}

static void write_path(const ms_passage *at, char *path, size_t size)
{
    path[0] = '\0';
    if (at->in == NULL)
        return;
    write_path(at->in, path, size);
    const size_t length = strlen(path);
    const char *point = length > 0 ? "." : "";
    if (at->key != NULL)
        snprintf(path + length, size - length, "%s%s", point, at->key);
    else
        snprintf(path + length, size - length, "%s%zu", point, at->index);
}

static void write_head(const ms_passage *at, char *head, size_t size)
{
    char path[160];
    const int line = line_of(at);
    write_path(at, path, sizeof path);
    if (line > 0)
        snprintf(head, size, "%.200s: line %d: %s%s", file_of(at), line, path, path[0] != '\0' ? ": " : "");
    else
        snprintf(head, size, "%.200s: %s%s", file_of(at), path, path[0] != '\0' ? ": " : "");
}

int ms_passage_fail(const ms_passage *at, ms_error *error, const char *format, ...)
{
    char what[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    ms_fail(error, MS_INVALID, "%s", what);
    return ms_passage_locate(at, MS_INVALID, error);
}

int ms_passage_locate(const ms_passage *at, int status, ms_error *error)
{
    char head[420], what[sizeof error->text];
    if (status == MS_OK || status == MS_INTERRUPTED || status == MS_NO_MEMORY)
        return status;
    write_head(at, head, sizeof head);
    snprintf(what, sizeof what, "%s", error->text);
    return ms_fail(error, status, "%s%s", head, what);
}

/* Members ------------------------------------------------------------------------------------------------- */

int ms_passage_members(const ms_passage *at, json_t *object, const char *const *names, int n, ms_error *error)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return ms_passage_fail(at, error, "an object is expected");
    json_object_foreach (object, key, value) {
        bool known = false;
        for (int k = 0; k < n; k++)
            known = known || strcmp(key, names[k]) == 0;
        const ms_passage here = ms_passage_member(at, key);
        if (!known)
            return ms_passage_fail(&here, error, "unknown member; the nearest is %s",
                                   ms_nearest(key, names, n));
    }
    return MS_OK;
}
