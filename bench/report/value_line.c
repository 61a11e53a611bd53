/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "value_line.h"

static void write_number(const json_t *value, ms_value_text *write, FILE *file)
{
    char text[32];
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        snprintf(text, sizeof text, "%.6g", json_real_value(value));
    write(text, file);
}

static void write_members(json_t *value, ms_value_text *write, FILE *file)
{
    const char *key, *separator = "";
    json_t *inner;
    json_object_foreach (value, key, inner) {
        fputs(separator, file);
        write(key, file);
        fputs(": ", file);
        ms_value_line(inner, write, file);
        separator = "; ";
    }
}

void ms_value_line(json_t *value, ms_value_text *write, FILE *file)
{
    if (json_is_string(value)) {
        write(json_string_value(value), file);
    } else if (json_is_number(value)) {
        write_number(value, write, file);
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "yes" : "no", file);
    } else if (json_is_array(value)) {
        for (size_t k = 0; k < json_array_size(value); k++) {
            fputs(k > 0 ? ", " : "", file);
            ms_value_line(json_array_get(value, k), write, file);
        }
    } else if (json_is_object(value)) {
        write_members(value, write, file);
    } else {
        fputs("\xe2\x80\x93", file); /* an en dash */
    }
}
