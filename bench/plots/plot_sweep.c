/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map of agreement: a cell for each model and family of schemes. */
#include <stdio.h>
#include <string.h>

#include "answer_read.h"
#include "plot_parts.h"
#include "plots.h"

/* 0 as predicted, 1 otherwise in some of the rows, 2 none could be compared. */
static int kind_of(const json_t *cell)
{
    return json_integer_value(json_array_get(cell, 1)) > 0   ? 1
           : json_integer_value(json_array_get(cell, 0)) > 0 ? 0
                                                             : 2;
}

enum { KINDS = 3 };

static const struct {
    const char *part, *colour, *title;
} kinds[KINDS] = {{"agree", "#56b4e9", "growth as predicted"},
                  {"disagree", "#d55e00", "not in all rows"},
                  {"unknown", "#d0d0d0", "not compared"}};

/* The cells of one kind; returns their number. */
static int write_cells(ms_drawing *drawing, const json_t *cells, int kind)
{
    ms_data *data = NULL;
    const size_t n = json_array_size(cells);
    int written = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < json_array_size(json_array_get(cells, j)); i++) {
            const json_t *cell = json_array_get(json_array_get(cells, j), i);
            double rows[KINDS];
            for (size_t k = 0; k < KINDS; k++)
                rows[k] = (double)json_integer_value(json_array_get(cell, k));
            if (rows[0] + rows[1] + rows[2] == 0.0 || kind_of(cell) != kind)
                continue;
            if (written++ == 0) {
                data = ms_drawing_data(drawing, kinds[kind].part, "scheme,model,agree,disagree,unknown");
                ms_data_keep_all(data);
            }
            MS_ROW(data, (double)(i + 1), (double)(n - j), rows[0], rows[1], rows[2]);
        }
    return written;
}

/* Commands that plot the cells of the kinds present; *entries: the number of kinds. */
static void write_kinds(ms_drawing *drawing, const json_t *cells, int *entries, char *plot, size_t size)
{
    plot[0] = '\0';
    for (int kind = 0; kind < KINDS; kind++) {
        const size_t used = strlen(plot);
        if (write_cells(drawing, cells, kind) > 0)
            snprintf(plot + used, size - used,
                     "%spart('%s') using 1:2:(0.42):(0.38) with boxxyerror lc rgb '%s' "
                     "fillstyle solid 1 noborder title '%s'",
                     (*entries)++ > 0 ? ", " : "", kinds[kind].part, kinds[kind].colour, kinds[kind].title);
    }
}

int ms_plot_sweep(ms_drawing *drawing, const json_t *answer)
{
    const json_t *models = json_object_get(answer, "models"), *schemes = json_object_get(answer, "schemes");
    const double nx = (double)json_array_size(schemes), ny = (double)json_array_size(models),
                 line = ms_drawing_line(drawing);
    char plot[640];
    const char *before =
        ms_drawing_text(drawing, "unset grid\n%sset xtics rotate by 90 right noenhanced (%s)\n",
                        ms_name_tics(drawing, models), ms_tics(drawing, schemes, false));
    int entries = 0;
    write_kinds(drawing, json_object_get(answer, "cells"), &entries, plot, sizeof plot);
    ms_panel panel = {.part = "unused",
                      .range = {{0.5, nx + 0.5}, {0.5, ny + 0.5}},
                      .before = before,
                      .left = ms_answer_longest(models) * 0.47 * line,
                      .bottom = (ms_answer_longest(schemes) * 0.5 + 1.0) * line,
                      .height = 1.25 * line * ny,
                      .entries = entries,
                      .below = entries > 0 ? plot : NULL};
    ms_panels_draw(drawing, 1, &panel);
    return MS_OK;
}
