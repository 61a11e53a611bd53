/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a figure, drawn by Graphviz. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dot_text.h"
#include "drawing_parts.h"
#include "graphviz.h"
#include "text_stream.h"

void ms_drawing_graph(ms_drawing *drawing, char *text)
{
    if (text == NULL)
        ms_drawing_no_memory(drawing);
    free(drawing->graph);
    drawing->graph = text;
}

/* Printed numbers ----------------------------------------------------------------------------------------- */

/* measured less published, of lists that one of the largest size; NaN if they are no numbers, or lists of different lengths. */
static double deviation_of(const json_t *published, const json_t *measured)
{
    const size_t n = json_array_size(published);
    double most = 0.0;
    if (json_is_number(published) && json_is_number(measured))
        return json_number_value(measured) - json_number_value(published);
    if (n == 0 || json_array_size(measured) != n)
        return NAN;
    for (size_t k = 0; k < n; k++) {
        const double one = deviation_of(json_array_get(published, k), json_array_get(measured, k));
        most = fabs(one) <= fabs(most) ? most : one;
    }
    return most;
}

static void write_number(const json_t *published, FILE *file)
{
    size_t k;
    json_t *one;
    if (json_is_number(published))
        fprintf(file, "%g", json_number_value(published));
    json_array_foreach (published, k, one) {
        fputs(k > 0 ? ", " : "", file);
        write_number(one, file);
    }
}

/* "variables: published 12 (+0)", a line a check of a printed number. */
static void write_deviations(const ms_drawing *drawing, FILE *file)
{
    size_t k;
    json_t *check;
    json_array_foreach (drawing->checks, k, check) {
        const json_t *published = json_object_get(check, "published");
        const double deviation = deviation_of(published, json_object_get(check, "measured"));
        if (isnan(deviation))
            continue;
        ms_dot_text(json_string_value(json_object_get(check, "what")), file);
        fputs(": published ", file);
        write_number(published, file);
        fprintf(file, " (%+g)\\l", deviation);
    }
}

void ms_drawing_mark_graph(ms_drawing *drawing)
{
    ms_text_stream stream;
    FILE *file = ms_text_open(&stream);
    const char *end = strrchr(drawing->graph, '}');
    if (file != NULL)
        write_deviations(drawing, file);
    char *lines = ms_text_close(&stream);
    if (lines == NULL)
        ms_drawing_no_memory(drawing);
    if (lines != NULL && *lines != '\0' && end != NULL) {
        if ((file = ms_text_open(&stream)) != NULL)
            fprintf(file, "%.*s    published [shape=plaintext, style=\"\", label=\"%s\"];\n%s",
                    (int)(end - drawing->graph), drawing->graph, lines, end);
        ms_drawing_graph(drawing, ms_text_close(&stream));
    }
    free(lines);
}

/* Files --------------------------------------------------------------------------------------------------- */

/* One file: the text itself, with where it comes from (dot takes such lines for comments), or a picture. */
static int write_file(const ms_drawing *drawing, const char *folder, const char *suffix, ms_error *error)
{
    char *path = ms_drawing_path(drawing, folder, "", suffix);
    errno = path != NULL ? 0 : ENOMEM;
    FILE *file = path != NULL ? fopen(path, "we") : NULL;
    int status = MS_OK;
    if (file != NULL && strcmp(suffix, "dot") != 0)
        status = ms_graphviz_draw(drawing->graph, suffix, file, drawing->name, drawing->stop, error);
    else if (file != NULL && ms_drawing_write_origin(drawing, file) == MS_OK)
        fprintf(file, "# `dot -Tsvg %s.dot` draws the picture.\n%s", drawing->name, drawing->graph);
    bool failed = file == NULL || ferror(file) != 0;
    if (file != NULL && fclose(file) != 0)
        failed = true;
    if (status == MS_OK && failed)
        status = ms_fail(error, MS_IO, "%s: %s", path != NULL ? path : folder,
                         errno != 0 ? strerror(errno) : "could not be written");
    if (status == MS_OK && strcmp(suffix, "pdf") == 0)
        status = ms_pdf_drop_date(path, error);
    free(path);
    return status;
}

int ms_drawing_write_graph(const ms_drawing *drawing, const char *folder, ms_error *error)
{
    static const char *const suffixes[] = {"dot", "svg", "pdf", "png"};
    for (size_t k = 0; k < sizeof suffixes / sizeof suffixes[0]; k++)
        MS_TRY(write_file(drawing, folder, suffixes[k], error));
    return MS_OK;
}
