/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ms_drawing_fail(ms_drawing *drawing, int status, const char *format, ...)
{
    if (drawing->status != MS_OK)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(drawing->error.text, sizeof drawing->error.text, format, arguments);
    va_end(arguments);
    drawing->status = status;
}

void ms_drawing_no_memory(ms_drawing *drawing)
{
    ms_drawing_fail(drawing, MS_NO_MEMORY, "%s: not enough memory for the figure", drawing->figure->id);
}

void ms_drawing_append(ms_drawing *drawing, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        ms_drawing_no_memory(drawing);
}

const char *ms_drawing_text(ms_drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    json_t *kept = json_vsprintf(format, arguments);
    va_end(arguments);
    ms_drawing_append(drawing, drawing->texts, kept);
    return kept != NULL ? json_string_value(kept) : "";
}

void ms_drawing_size(ms_drawing *drawing, int width, int height)
{
    drawing->width = width;
    drawing->height = height;
}

char *ms_drawing_path(const ms_drawing *drawing, const char *folder, const char *part, const char *suffix)
{
    const size_t size = strlen(folder) + strlen(drawing->name) + strlen(part) + strlen(suffix) + 4;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s%s%s.%s", folder, drawing->name, part[0] != '\0' ? "-" : "", part, suffix);
    return path;
}
