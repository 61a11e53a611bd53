/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"

/* Containers --------------------------------------------------------------------------------------------- */

static void keep(json_t **container, int status)
{
    if (status == 0)
        return;
    json_decref(*container);
    *container = NULL;
}

void ms_json_append(json_t **array, json_t *value)
{
    keep(array, json_array_append_new(*array, value));
}

void ms_json_set(json_t **object, const char *key, json_t *value)
{
    keep(object, json_object_set_new(*object, key, value));
}

void ms_json_set_as(json_t **object, json_t *value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    json_t *key = json_vsprintf(format, arguments);
    va_end(arguments);
    if (key != NULL) {
        ms_json_set(object, json_string_value(key), value);
    } else {
        json_decref(value);
        keep(object, -1);
    }
    json_decref(key);
}

void ms_json_join(json_t **container, json_t *more)
{
    keep(container, json_is_array(*container) ? json_array_extend(*container, more)
                                              : json_object_update(*container, more));
    json_decref(more);
}

/* Looking up --------------------------------------------------------------------------------------------- */

static json_t *member(const json_t *value, const char *key, size_t length)
{
    char name[64];
    if (length >= sizeof name)
        return NULL;
    memcpy(name, key, length);
    name[length] = '\0';
    if (json_is_array(value) && name[strspn(name, "0123456789")] != '\0')
        return NULL;
    return json_is_array(value) ? json_array_get(value, (size_t)strtoul(name, NULL, 10))
                                : json_object_get(value, name);
}

json_t *ms_json_at(const json_t *value, const char *path)
{
    json_t *at = (json_t *)value;
    while (at != NULL && *path != '\0') {
        const size_t length = strcspn(path, ".");
        json_t *whole = json_object_get(at, path); /* a name may have a point */
        if (whole != NULL)
            return whole;
        at = member(at, path, length);
        path += length + (path[length] == '.');
    }
    return at;
}

/* Values ------------------------------------------------------------------------------------------------- */

json_t *ms_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *ms_json_exact(double value)
{
    return isfinite(value) ? json_real(value)
                           : json_string(isnan(value)  ? "nan"
                                         : value > 0.0 ? "inf"
                                                       : "-inf");
}

double ms_json_exact_value(const json_t *value)
{
    const char *word = json_string_value(value);
    if (json_is_number(value))
        return json_number_value(value);
    if (word == NULL || strcmp(word, "nan") == 0)
        return NAN;
    return strcmp(word, "inf") == 0 ? INFINITY : -INFINITY;
}

json_t *ms_json_text(const char *text)
{
    json_t *value = text != NULL ? json_string(text) : NULL;
    if (value != NULL || text == NULL) /* NULL: it was a text for which there was no memory */
        return value;
    char *copy = strdup(text);
    for (char *c = copy; copy != NULL && *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = copy != NULL ? json_string(copy) : NULL;
    free(copy);
    return value;
}

json_t *ms_json_next(char letter, va_list *values, bool *given)
{
    *given = true;
    if (letter == 's') {
        const char *text = va_arg(*values, const char *);
        *given = text != NULL;
        return ms_json_text(text);
    }
    if (letter == 'o' || letter == 'O') {
        json_t *value = va_arg(*values, json_t *);
        *given = value != NULL;
        return letter == 'O' ? json_incref(value) : value;
    }
    return letter == 'i'   ? json_integer(va_arg(*values, int))
           : letter == 'l' ? json_integer(va_arg(*values, long))
           : letter == 'I' ? json_integer(va_arg(*values, json_int_t))
           : letter == 'f' ? json_real(va_arg(*values, double))
           : letter == 'r' ? ms_json_real(va_arg(*values, double))
           : letter == 'b' ? json_boolean(va_arg(*values, int))
                           : json_null();
}

json_t *ms_json_object(const char *members, ...)
{
    json_t *object = json_object();
    va_list values;
    va_start(values, members);
    while (*members != '\0') {
        char name[64];
        bool given;
        const size_t length = strcspn(members, ":");
        snprintf(name, sizeof name, "%.*s", (int)length, members);
        members += length + 1;
        json_t *value = ms_json_next(*members++, &values, &given);
        if (given || *members != '*')
            ms_json_set(&object, name, given || *members != '?' ? value : json_null());
        members += strcspn(members, " ");
        members += strspn(members, " ");
    }
    va_end(values);
    return object;
}

json_t *ms_json_of_vector(int n, const double *v)
{
    json_t *values = json_array();
    for (int i = 0; i < n; i++)
        ms_json_append(&values, ms_json_real(v[i]));
    return values;
}

json_t *ms_json_of_matrix(int rows, int columns, int stride, const double *M)
{
    json_t *all = json_array();
    for (int i = 0; i < rows; i++)
        ms_json_append(&all, ms_json_of_vector(columns, M + (size_t)i * (size_t)stride));
    return all;
}

json_t *ms_json_of_pairs(int n, const double *v)
{
    return ms_json_of_matrix(n, 2, 2, v);
}

json_t *ms_json_names(int n, const ms_variable *variables, const char *prefix)
{
    json_t *names = json_array();
    for (int k = 0; k < n; k++)
        ms_json_append(&names, prefix != NULL ? json_sprintf("%s.%s", prefix, variables[k].name)
                                              : json_string(variables[k].name));
    return names;
}

/* Rows and paths ----------------------------------------------------------------------------------------- */

/* The path so far, as long as it may become. */
typedef struct trail {
    char *text;
    size_t length, capacity;
} trail;

/* Adds ".KEY", of the first member "KEY"; false without memory. */
static bool step_in(trail *t, const char *key)
{
    const size_t length = strlen(key) + 1;
    if (!ms_grow(&t->text, &t->capacity, t->length + length + 1, 1))
        return false;
    if (t->length > 0)
        t->text[t->length++] = '.';
    memcpy(t->text + t->length, key, length);
    t->length += length - 1;
    return true;
}

static int flatten(trail *t, json_t *value, json_t *flat);

static int flatten_at(trail *t, const char *key, json_t *value, json_t *flat)
{
    const size_t length = t->length;
    const int status = step_in(t, key) ? flatten(t, value, flat) : -1;
    t->length = length;
    return status;
}

static int flatten(trail *t, json_t *value, json_t *flat)
{
    int status = 0;
    if (json_is_array(value) && json_array_size(value) > 0) {
        for (size_t k = 0; k < json_array_size(value) && status == 0; k++) {
            char number[24];
            snprintf(number, sizeof number, "%zu", k);
            status = flatten_at(t, number, json_array_get(value, k), flat);
        }
        return status;
    }
    if (json_is_object(value) && json_object_size(value) > 0) {
        for (void *at = json_object_iter(value); at != NULL && status == 0;
             at = json_object_iter_next(value, at))
            status = flatten_at(t, json_object_iter_key(at), json_object_iter_value(at), flat);
        return status;
    }
    const char *path = t->text != NULL ? t->text : "";
    if (t->text != NULL)
        t->text[t->length] = '\0';
    if (json_is_array(value) || json_is_object(value))
        return json_object_set_new(flat, path, json_null());
    return json_object_set(flat, path, value);
}

json_t *ms_json_flatten(json_t *value)
{
    trail t = {0};
    json_t *flat = json_object();
    if (flat != NULL && flatten(&t, value, flat) != 0) {
        json_decref(flat);
        flat = NULL;
    }
    free(t.text);
    return flat;
}

json_t *ms_json_rows(const json_t *value)
{
    return json_is_array(value) ? (json_t *)value : json_object_get(value, "rows");
}
