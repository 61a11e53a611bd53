/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_names.h"

#include <stdio.h>
#include <string.h>

#include "json.h"

enum { NAME_MAX_LENGTH = 240 };

/* The scheme, or the preset that means it. */
static const char *family(const json_t *row)
{
    const json_t *scheme = json_object_get(row, "scheme");
    const char *preset = json_string_value(json_object_get(scheme, "as")),
               *name = preset != NULL ? preset : json_string_value(json_object_get(scheme, "scheme"));
    return name != NULL ? name : "";
}

/* A chosen option or parameter of a family. */
typedef struct chosen {
    const char *group, *key;
} chosen;

enum { CHOSEN_MAX = 32 };

static const json_t *value_of(const json_t *row, const char *group, const char *key)
{
    return json_object_get(json_object_get(row, group), key);
}

static bool same(const json_t *a, const json_t *b, const char *group, const char *key)
{
    const json_t *x = value_of(a, group, key), *y = value_of(b, group, key);
    return x == NULL || y == NULL || json_equal(x, y);
}

static bool varies(const json_t *kin, const char *group, const char *key)
{
    const json_t *first = NULL;
    for (size_t k = 0; k < json_array_size(kin); k++) {
        const json_t *value = value_of(json_array_get(kin, k), group, key);
        if (value != NULL && first != NULL && !json_equal(first, value))
            return true;
        first = first == NULL ? value : first;
    }
    return false;
}

/* Do two rows that are the same so far differ in it? */
static bool tells_apart(const json_t *kin, const chosen *so_far, int n, const char *group, const char *key)
{
    if (!varies(kin, group, key)) /* as nearly all options */
        return false;
    for (size_t i = 0; i < json_array_size(kin); i++)
        for (size_t k = 0; k < i; k++) {
            const json_t *a = json_array_get(kin, i), *b = json_array_get(kin, k);
            bool equal = !same(a, b, group, key);
            for (int c = 0; c < n && equal; c++)
                equal = same(a, b, so_far[c].group, so_far[c].key);
            if (equal)
                return true;
        }
    return false;
}

/* Is it one of the words? words may be NULL. */
static bool is_word(const char *words, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = words; at != NULL && (at = strstr(at, key)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The rows of a family, not copied; NULL: no memory. */
static json_t *kin_of(const json_t *rows, const char *name)
{
    json_t *kin = json_array();
    for (size_t k = 0; k < json_array_size(rows); k++) {
        json_t *row = json_array_get(rows, k);
        if (strcmp(family(row), name) == 0)
            ms_json_append(&kin, json_incref(row));
    }
    return kin;
}

/* As few as tell the rows of a family apart, in the order of the options of this one of them; returns their number. */
static int choose(const json_t *kin, json_t *row, const char *without, chosen *list)
{
    static const char *const groups[] = {"scheme", "parameters"};
    int n = 0;
    for (size_t g = 0; g < 2; g++) {
        const char *key;
        json_t *value;
        json_object_foreach (json_object_get(row, groups[g]), key, value)
            if (strcmp(key, "scheme") != 0 && strcmp(key, "as") != 0 && strcmp(key, "max_steps") != 0 &&
                !is_word(without, key) && n < CHOSEN_MAX && tells_apart(kin, list, n, groups[g], key))
                list[n++] = (chosen){groups[g], key};
    }
    return n;
}

/* Does the word itself tell of which option it is a value? */
static bool speaks(const char *word)
{
    static const char *const dumb[] = {"on", "off", "exact", "step", "raw", "used"};
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
    snprintf(option, sizeof option, "%s", strcmp(key, "extrapolation_order") == 0 ? "order" : key);
    for (char *c = option; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
    if (json_is_string(value) && strcmp(json_string_value(value), "none") != 0)
        append(name, ", %s%s%s", speaks(json_string_value(value)) ? "" : option,
               speaks(json_string_value(value)) ? "" : " ", json_string_value(value));
    else if (json_is_number(value))
        append(name, ", %s %.6g", option, json_number_value(value));
    else if (json_is_boolean(value))
        append(name, ", %s %s", option, json_is_true(value) ? "on" : "off");
}

static json_t *name_of(json_t *row, const chosen *list, int n)
{
    char name[NAME_MAX_LENGTH];
    snprintf(name, sizeof name, "%s", family(row));
    for (int k = 0; k < n; k++) {
        const json_t *value = value_of(row, list[k].group, list[k].key);
        if (strcmp(list[k].group, "scheme") == 0)
            append_option(name, list[k].key, value);
        else if (json_is_number(value))
            append(name, ", %s = %.6g", list[k].key, json_number_value(value));
    }
    return ms_json_text(name);
}

json_t *ms_row_names(const json_t *rows, const char *without)
{
    json_t *names = json_array();
    chosen list[CHOSEN_MAX];
    int n = 0;
    for (size_t k = 0; k < json_array_size(rows); k++) {
        json_t *row = json_array_get(rows, k);
        if (k == 0 || strcmp(family(row), family(json_array_get(rows, k - 1))) != 0) {
            json_t *kin = kin_of(rows, family(row));
            if (kin == NULL) {
                json_decref(names);
                return NULL;
            }
            n = choose(kin, row, without, list);
            json_decref(kin);
        }
        ms_json_append(&names, name_of(row, list, n));
    }
    return names;
}

int ms_row_names_set(json_t *rows, const char *without)
{
    json_t *names = ms_row_names(rows, without);
    int status = names != NULL ? 0 : MS_NO_MEMORY;
    for (size_t k = 0; k < json_array_size(rows) && status == 0; k++)
        if (json_object_set(json_array_get(rows, k), "member", json_array_get(names, k)) != 0)
            status = MS_NO_MEMORY;
    json_decref(names);
    return status;
}
