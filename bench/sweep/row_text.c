/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "row_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "json_text.h"
#include "memory.h"
#include "text_stream.h"

/* An array that is one cell in CSV. */
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

int ms_row_narrow(json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_object(member) && !json_is_array(member))
        return 0;
    char *text = ms_json_line(member);
    const int status = text != NULL ? json_object_set_new(object, key, json_string(text)) : -1;
    free(text);
    return status;
}

json_t *ms_row_cells(const ms_row_form *form, json_t *row)
{
    json_t *errors = json_object_get(row, "errors");
    const bool whole = join_degraded(row) == 0 && (form->wide || (ms_row_narrow(row, "parameters") == 0 &&
                                                                  ms_row_narrow(row, "work") == 0 &&
                                                                  ms_row_narrow(errors, "per_state") == 0));
    return whole ? ms_json_flatten(row) : NULL;
}

char *ms_row_line(const ms_row_form *form, const json_t *cells)
{
    ms_text_stream text;
    FILE *stream = ms_text_open(&text);
    int status = 0;
    if (stream != NULL && form->format == MS_FORMAT_CSV)
        ms_csv_row(form->columns, cells, stream);
    else if (stream != NULL)
        status = ms_json_write(cells, MS_JSON_ON_ONE_LINE, stream);
    if (stream != NULL && form->format == MS_FORMAT_JSONL)
        fputc('\n', stream);
    char *line = ms_text_close(&text);
    if (status == 0)
        return line;
    free(line);
    return NULL;
}

char *ms_row_text(const ms_row_form *form, json_t *row)
{
    json_t *cells = form->format == MS_FORMAT_CSV ? ms_row_cells(form, row) : json_incref(row);
    char *text = cells != NULL ? ms_row_line(form, cells) : NULL;
    json_decref(cells);
    if (!ms_memory_refused())
        return text;
    free(text); /* the row may lack members */
    return NULL;
}
