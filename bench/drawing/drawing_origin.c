/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawing_origin.c - where the files of a drawing say that they come from. */
#include <stdio.h>

#include "answer.h"
#include "drawing_parts.h"
#include "provenance.h"

json_t *ms_drawing_origin(const ms_drawing *drawing)
{
    const ms_figure *figure = drawing->figure;
    char line[1024];
    if (drawing->canvas != NULL)
        return ms_canvas_origin(drawing);
    snprintf(line, sizeof line, "macrostep figure %s", figure->path != NULL ? figure->path : figure->id);
    json_t *origin = ms_json_object("figure:s title:s source:s", figure->id, figure->title, figure->source);
    json_t *program = ms_provenance(line);
    if (origin == NULL || program == NULL || json_object_update(origin, program) != 0) {
        json_decref(origin);
        origin = NULL;
    }
    json_decref(program);
    return origin;
}

int ms_drawing_write_origin(const ms_drawing *drawing, FILE *file)
{
    json_t *origin = ms_drawing_origin(drawing);
    const int status = origin != NULL ? ms_answer_remarks(origin, file) : MS_NO_MEMORY;
    json_decref(origin);
    return status;
}
