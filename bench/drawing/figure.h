/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h - the figures and tables of the papers: pictures, and comparisons with published values.
 *
 * A new figure is a function `draw` in a folder of bench/studies/ (one or more files a chapter) that defines an ms_figure, and one line
 * in each of bench/figures/inside/figure_list.txt and .h; or a figure file (bench/figures). drawing.h has the functions for drawing, study.h those for
 * running co-simulations. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <macrostep/status.h>

enum { MS_PAGE = 17 }; /* width of the text on a page [cm] */

typedef struct ms_drawing ms_drawing;
typedef struct ms_command ms_command;

/* Calls a command of the program (drawing.h, ms_drawing_calls). */
typedef int ms_drawing_caller(const ms_command *command, int argc, char **argv);

typedef struct ms_figure {
    const char *id; /* "andersson2016:fig6.4": the part before the colon names a file of results/published */
    const char *title;  /* one line, ours */
    const char *source; /* "Andersson (2016), Fig. 6.4, section 6.1.3" */
    /* Fills data, script, checks and tables of the drawing. Returns MS_OK or a negative status;
     * MS_INTERRUPTED. */
    int (*draw)(ms_drawing *drawing, ms_error *error);
    const void *subject; /* OPTIONAL: what tells figures of one draw function apart; ms_drawing_subject */
    size_t memory;       /* OPTIONAL: bytes that draw works in; ms_drawing_memory */
    const char *path;    /* OPTIONAL: how `macrostep figure` calls it, where that is not the ID but a file */
    double width;        /* OPTIONAL: of its picture on a page [cm]; 0: MS_PAGE */
    bool alone; /* it measures times, or uses a library for one thread: no other is drawn meanwhile */
} ms_figure;

/* A study of this project, to which nothing was published? */
bool ms_figure_is_own(const ms_figure *figure);

/* The name of its files: the ID with '-' for ':' and whatever else does not belong into a file's name. */
void ms_figure_name(const ms_figure *figure, char *name, size_t size);
