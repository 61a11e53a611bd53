/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "members.h"

#include <stdio.h>
#include <string.h>

#include "json.h"

enum { NAME_MAX_LENGTH = 240 };

static const char *family(const json_t *row)
{
    const char *name = json_string_value(json_object_get(json_object_get(row, "scheme"), "scheme"));
    return name != NULL ? name : "";
}

/* Of all rows of the family one other has another value, or has none. */
static bool differs(const json_t *rows, const json_t *row, const char *group, const char *key)
{
    const json_t *value = json_object_get(json_object_get(row, group), key);
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *other = json_array_get(rows, k);
        const json_t *its = json_object_get(json_object_get(other, group), key);
        if (strcmp(family(other), family(row)) == 0 && its != NULL && !json_equal(its, value))
            return true;
    }
    return false;
}

/* Says the word of itself what it is a value of? */
static bool speaks(const char *word)
{
    static const char *const dumb[] = {"none", "on", "off", "exact", "step", "raw", "used"};
    for (size_t k = 0; k < sizeof dumb / sizeof dumb[0]; k++)
        if (strcmp(word, dumb[k]) == 0)
            return false;
    return true;
}

__attribute__((format(printf, 2, 3))) static void append(char *name, const char *format, ...)
{
    const size_t used = strlen(name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name + used, NAME_MAX_LENGTH - used, format, arguments);
    va_end(arguments);
}

/* Appends ", VALUE" or ", OPTION VALUE", with the option as on the command line. */
static void append_option(char *name, const char *key, const json_t *value)
{
    char option[64];
    snprintf(option, sizeof option, "%s", key);
    for (char *c = option; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
    if (json_is_string(value))
        append(name, ", %s%s%s", speaks(json_string_value(value)) ? "" : option,
               speaks(json_string_value(value)) ? "" : " ", json_string_value(value));
    else if (json_is_number(value))
        append(name, ", %s %.6g", option, json_number_value(value));
    else if (json_is_boolean(value))
        append(name, ", %s %s", option, json_is_true(value) ? "on" : "off");
}

static json_t *name_of(const json_t *rows, json_t *row, const char *without)
{
    char name[NAME_MAX_LENGTH];
    const char *key;
    json_t *value;
    snprintf(name, sizeof name, "%s", family(row));
    json_object_foreach (json_object_get(row, "scheme"), key, value)
        if (strcmp(key, "scheme") != 0 && (without == NULL || strcmp(key, without) != 0) &&
            differs(rows, row, "scheme", key))
            append_option(name, key, value);
    json_object_foreach (json_object_get(row, "parameters"), key, value)
        if (json_is_number(value) && differs(rows, row, "parameters", key))
            append(name, ", %s = %.6g", key, json_number_value(value));
    return ms_json_text(name);
}

json_t *ms_member_names(const json_t *rows, const char *without)
{
    json_t *names = json_array();
    for (size_t k = 0; k < json_array_size(rows); k++)
        ms_json_append(&names, name_of(rows, json_array_get(rows, k), without));
    return names;
}

int ms_members_name(json_t *rows, const char *without)
{
    json_t *names = ms_member_names(rows, without);
    int status = names != NULL ? 0 : MS_NO_MEMORY;
    for (size_t k = 0; k < json_array_size(rows) && status == 0; k++)
        if (json_object_set(json_array_get(rows, k), "member", json_array_get(names, k)) != 0)
            status = MS_NO_MEMORY;
    json_decref(names);
    return status;
}
