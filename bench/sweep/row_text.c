/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json_text.h"
#include "text_stream.h"

/* Arrays that are one cell in CSV. */
static int join_degraded(json_t *row)
{
    const json_t *list = json_object_get(row, "degraded");
    char text[512] = "";
    for (size_t k = 0; k < json_array_size(list); k++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s", k > 0 ? "; " : "",
                 json_string_value(json_array_get(list, k)));
    }
    return text[0] != '\0' ? json_object_set_new(row, "degraded", json_string(text)) : 0;
}

/* The member as its text. */
static int narrow(json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_object(member) && !json_is_array(member))
        return 0;
    char *text = ms_json_line(member);
    const int status = text != NULL ? json_object_set_new(object, key, json_string(text)) : -1;
    free(text);
    return status;
}

int ms_row_narrow(json_t *row)
{
    json_t *errors = json_object_get(row, "errors");
    return narrow(row, "parameters") != 0 || narrow(errors, "per_state") != 0 || narrow(row, "work") != 0 ? -1
                                                                                                          : 0;
}

static char *line_of_json(ms_format format, const json_t *row)
{
    char *text = ms_json_line(row), *line = NULL;
    if (text == NULL || format == MS_FORMAT_JSON)
        return text;
    const size_t length = strlen(text);
    line = realloc(text, length + 2);
    if (line == NULL)
        free(text);
    else
        memcpy(line + length, "\n", 2);
    return line;
}

char *ms_row_line(const json_t *columns, const json_t *flat)
{
    ms_text_stream text;
    FILE *stream = ms_text_open(&text);
    if (stream != NULL)
        ms_csv_row(columns, flat, stream);
    return ms_text_close(&text);
}

char *ms_row_text(const ms_row_form *form, json_t *row)
{
    if (form->format != MS_FORMAT_CSV)
        return line_of_json(form->format, row);
    const bool cells = join_degraded(row) == 0 && (form->wide || ms_row_narrow(row) == 0);
    json_t *flat = cells ? ms_json_flatten(row) : NULL;
    char *text = flat != NULL ? ms_row_line(form->columns, flat) : NULL;
    json_decref(flat);
    return text;
}
