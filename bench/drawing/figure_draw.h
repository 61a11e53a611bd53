/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.h - a figure is drawn, and its files written. */
#pragma once

#include <jansson.h>
#include <signal.h>

#include "figure.h"

/* Makes DIRECTORY, and in it figures/, where a report looks for them: its path goes into folder (MS_FIGURES_PATH). Errors: MS_IO,
 * MS_INVALID where the path is too long. */
enum { MS_FIGURES_PATH = 3072 };
int ms_figures_folder(const char *directory, char *folder, ms_error *error);

/* Draws the figure into the directory: NAME.svg, .pdf, .png, .gp, data as CSV, and the answer as
 * NAME.json. call: how it calls other commands (drawing.h); NULL: not at all. All files are made in a staging folder and renamed when all of them are whole. *answer is for the caller to
 * release. Errors: MS_IO (folder, gnuplot), those of the runs; MS_INTERRUPTED where stop has become
 * non-zero; MS_INVALID where the answer would take the place of figure->path. */
int ms_figure_draw(const ms_figure *figure, const char *directory, ms_drawing_caller *call,
                   const volatile sig_atomic_t *stop, json_t **answer, ms_error *error);
