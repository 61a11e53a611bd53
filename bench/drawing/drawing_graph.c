/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a figure, drawn by Graphviz. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing_parts.h"
#include "graphviz.h"

void ms_drawing_graph(ms_drawing *drawing, char *text)
{
    if (text == NULL)
        ms_drawing_no_memory(drawing);
    free(drawing->graph);
    drawing->graph = text;
}

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
