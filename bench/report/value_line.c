/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "value_line.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "letters.h"

static void write_number(const json_t *value, ms_value_writer *write, FILE *file)
{
    char text[32];
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        snprintf(text, sizeof text, "%.6g", json_real_value(value));
    write(text, file);
}

static void write_members(json_t *value, ms_value_writer *write, FILE *file)
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

void ms_value_line(json_t *value, ms_value_writer *write, FILE *file)
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

static void write_plain(const char *text, FILE *file)
{
    fputs(text, file);
}

json_t *ms_value_text(json_t *value, size_t most)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return NULL;
    ms_value_line(value, write_plain, file);
    fclose(file);
    if (text != NULL && ms_letters(text) > most)
        memcpy((char *)ms_letter(text, most - 2), "..", sizeof "..");
    json_t *line = text != NULL ? ms_json_text(text) : NULL;
    free(text);
    return line;
}
