/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_text.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json_text.h"
#include "memory.h"
#include "text_stream.h"

/* Joins arrays that form one cell in CSV. */
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

/* Replaces the member by its text. */
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
    const int failed = narrow(row, "parameters") | narrow(json_object_get(row, "errors"), "per_state") |
                       narrow(row, "errors.per_state") | narrow(row, "work");
    return failed != 0 ? -1 : 0;
}

/* Returns 0, or -1: no memory. */
static int write_cells(const ms_row_form *form, json_t *row, FILE *stream)
{
    const bool cells = join_degraded(row) == 0 && (form->wide || ms_row_narrow(row) == 0);
    json_t *flat = cells ? ms_json_flatten(row) : NULL;
    if (flat != NULL)
        ms_csv_row(form->columns, flat, stream);
    json_decref(flat);
    return flat != NULL ? 0 : -1;
}

char *ms_row_text(const ms_row_form *form, json_t *row)
{
    ms_text_stream text;
    FILE *stream = ms_text_open(&text);
    const bool csv = form->format == MS_FORMAT_CSV;
    const int status = stream == NULL ? -1
                       : csv          ? write_cells(form, row, stream)
                                      : ms_json_write(row, MS_JSON_ON_ONE_LINE, stream);
    if (status == 0 && form->format == MS_FORMAT_JSONL)
        fputc('\n', stream);
    char *line = ms_text_close(&text);
    if (status == 0 && !ms_memory_refused())
        return line;
    free(line); /* the row may lack members */
    return NULL;
}
