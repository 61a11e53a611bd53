/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_file.h - figures that are written as files: NAME.json with runs, values, data, tables and checks, and NAME.gp beside it,
 * gnuplot commands for the picture. bench/README.md ("A figure of your own") has an example and all members,
 * bench/schemas/figure_file.json their types. */
#pragma once

#include <jansson.h>

#include "figure.h"

typedef struct ms_figure_file ms_figure_file;

/* Reads both files. Errors: MS_IO; MS_INVALID with file, line and member, for faults that are found before anything runs; MS_NO_MEMORY. */
int ms_figure_file_read(const char *path, ms_figure_file **file, ms_error *error);
void ms_figure_file_destroy(ms_figure_file **file); /* NULL-safe */

/* The figure, which lives as long as the file. Before running anything, its draw function refuses what does not fit, with file, line
 * and member; after the runs it refuses a check that passes for any measured values. */
const ms_figure *ms_figure_file_figure(const ms_figure_file *file);

/* The compiled-in figure file of bench/studies with that ID. Errors: MS_INVALID (there is none), those of ms_figure_file_read. */
int ms_figure_file_compiled(const char *id, ms_figure_file **file, ms_error *error);

/* Is the word the path of a figure file rather than the ID of a figure? */
bool ms_figure_file_is_path(const char *word);
