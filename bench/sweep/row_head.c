/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_parts.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "row_reader.h"

/* Lines "# NAME: VALUE", after the line of names or before it. */
static json_t *read_remarks(const char *head)
{
    json_t *members = json_object();
    const char *names = head[0] != '#' ? strchr(head, '\n') : NULL;
    for (const char *line = names != NULL ? names + 1 : head, *end;
         line[0] == '#' && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *colon = strstr(line, ": ");
        if (colon == NULL || colon > end)
            continue;
        json_t *name = json_stringn(line + 2, (size_t)(colon - line - 2)),
               *value = json_stringn(colon + 2, (size_t)(end - colon - 2));
        ms_json_set(&members, name != NULL ? json_string_value(name) : "", value);
        json_decref(name);
    }
    return members;
}

json_t *ms_row_head_members(const char *head)
{
    const ms_format format = ms_row_format(head);
    const size_t size = strlen(head) + 4;
    char *text = malloc(size);
    if (text == NULL || format == MS_FORMAT_CSV) {
        free(text);
        return format == MS_FORMAT_CSV ? read_remarks(head) : NULL;
    }
    snprintf(text, size, "%s%s", head, format == MS_FORMAT_JSON ? "]}" : "");
    json_t *whole = json_loads(text, 0, NULL), *members = json_incref(json_object_get(whole, "provenance"));
    const json_int_t rows = json_integer_value(json_object_get(whole, "rows_of_grid"));
    if (members != NULL)
        ms_json_set(&members, "rows_of_grid", json_sprintf("%" JSON_INTEGER_FORMAT, rows));
    json_decref(whole);
    free(text);
    return members;
}

/* Differences ---------------------------------------------------------------------------------------------- */

/* "--NAME VALUE" of each option of a command. NULL: no memory. */
static json_t *options_of(const char *command)
{
    json_t *options = json_array();
    for (const char *at = strstr(command, " --"), *next; at != NULL; at = next) {
        next = strstr(at + 1, " --");
        ms_json_append(&options,
                       json_stringn(at + 1, next != NULL ? (size_t)(next - at) - 1 : strlen(at + 1)));
    }
    return options;
}

/* The same option among others, or one of the same name. NULL: neither. */
static const char *find_option(const json_t *options, const char *option, bool by_name)
{
    const size_t length = by_name ? strcspn(option, " =") : strlen(option);
    for (size_t k = 0; k < json_array_size(options); k++) {
        const char *other = json_string_value(json_array_get(options, k));
        if (strncmp(other, option, length) == 0 && strchr(by_name ? " =" : "", other[length]) != NULL)
            return other;
    }
    return NULL;
}

/* The first option that `others` lack. NULL: none. */
static const char *missing_option(const json_t *options, const json_t *others)
{
    for (size_t k = 0; k < json_array_size(options); k++) {
        const char *option = json_string_value(json_array_get(options, k));
        if (find_option(others, option, false) == NULL)
            return option;
    }
    return NULL;
}

static int commands_differ(const ms_row_heads *h, const char *old_command, const char *new_command,
                           ms_error *error)
{
    json_t *old = options_of(old_command), *new = options_of(new_command);
    const char *was = missing_option(old, new), *is = missing_option(new, old),
               *now = was != NULL ? find_option(new, was, true) : NULL;
    if (now != NULL)
        ms_fail(error, MS_INVALID, "%s%s was made with %s, %s has %s", h->what, h->path, was, h->other, now);
    else if (was != NULL)
        ms_fail(error, MS_INVALID, "%s%s was made with %s, which %s lacks", h->what, h->path, was, h->other);
    else if (is != NULL)
        ms_fail(error, MS_INVALID, "%s%s was made without %s", h->what, h->path, is);
    else
        ms_fail(error, MS_INVALID, "%s%s was made with another command, or options in another order: %s",
                h->what, h->path, old_command);
    json_decref(old);
    json_decref(new);
    return MS_INVALID;
}

/* The name of the first member that differs; NULL: none. */
static const char *first_difference(json_t *old, json_t *new)
{
    const char *name;
    json_t *value;
    json_object_foreach (new, name, value)
        if (!json_equal(json_object_get(old, name), value))
            return name;
    return NULL;
}

int ms_row_head_differ(const ms_row_heads *h, ms_error *error)
{
    json_t *old = ms_row_head_members(h->old_head), *new = ms_row_head_members(h->new_head);
    const bool alike = ms_row_format(h->old_head) == ms_row_format(h->new_head);
    const char *name = alike ? first_difference(old, new) : NULL;
    const char *was = name != NULL ? json_string_value(json_object_get(old, name)) : NULL,
               *is = name != NULL ? json_string_value(json_object_get(new, name)) : NULL;
    if (was == NULL || is == NULL)
        ms_fail(error, MS_INVALID, "%s%s is not a %s in the format of %s", h->what, h->path,
                h->what[0] != '\0' ? "sweep" : "part", h->other);
    else if (strcmp(name, "command") == 0)
        commands_differ(h, was, is, error);
    else
        ms_fail(error, MS_INVALID, "%sthe %s of %s is %s, of %s %s", h->what, name, h->path, was, h->other,
                is);
    json_decref(old);
    json_decref(new);
    return MS_INVALID;
}
