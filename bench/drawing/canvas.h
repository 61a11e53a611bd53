/* SPDX-License-Identifier: GPL-3.0-or-later */
/* canvas.h - the destination of the picture of one call (--plot): a file of that format and width, or the terminal.
 *
 * The draw function fills an ms_drawing as that of a figure does, with the same functions (drawing.h), with one difference:
 * names from a user's files are written into the script only by ms_drawing_quoted, so that gnuplot and LaTeX always treat
 * them as text. The picture is made in a folder next to its destination and moved when complete. */
#pragma once

#include "drawing.h"
#include "format.h"
#include "part_file.h"

typedef enum ms_canvas_format {
    MS_CANVAS_SVG,
    MS_CANVAS_PDF,
    MS_CANVAS_PNG,
    MS_CANVAS_TEX,
    MS_CANVAS_TERMINAL
} ms_canvas_format;

enum { MS_CANVAS_PATH_MAX = 3072, MS_CANVAS_NAME_MAX = 128 };

typedef struct ms_canvas {
    const ms_arguments *arguments; /* of the call; NULL: nothing is drawn */
    ms_canvas_format format;
    double width; /* [cm] */
    bool screen;  /* for eyes at some distance: larger text, wider lines */
    char folder[MS_CANVAS_PATH_MAX], name[MS_CANVAS_NAME_MAX];
    ms_part_file staging; /* its folder */
} ms_canvas;

/* Reads --plot, --width, --title, --style and --keep; without --plot the canvas is empty. Creates the
 * staging folder, so that an unwritable destination fails before the run. Errors: MS_INVALID, MS_IO. */
int ms_canvas_open(const ms_arguments *arguments, ms_canvas *canvas, ms_error *error);

/* Has draw fill a drawing (its subject is in ms_drawing_subject), and draws it. *files: the paths that were written, as
 * an array for the caller to release; NULL for the terminal, whose picture waits for ms_canvas_print. Errors: those of
 * draw, MS_IO (gnuplot is missing, a file cannot be written), MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_canvas_draw(ms_canvas *canvas, const char *title, int (*draw)(ms_drawing *drawing, ms_error *error),
                   const void *subject, json_t **files, ms_error *error);

/* Prints what was drawn for the terminal on standard output; of other formats nothing. Errors: MS_IO, MS_NO_MEMORY. */
int ms_canvas_print(const ms_canvas *canvas, ms_error *error);

/* Removes the staging folder; safe to repeat, and where nothing was opened. */
void ms_canvas_discard(ms_canvas *canvas);

/* A text as gnuplot's string with its quotes: no byte of it is a command, and in LaTeX none is one. Greek letters, signs and
 * dashes become LaTeX's own there. Lives as long as the drawing. */
const char *ms_drawing_quoted(ms_drawing *drawing, const char *text);

/* The same for a text given by the call, and behind it whether it is enhanced: text between two dollars is mathematics of LaTeX. */
const char *ms_drawing_typed(ms_drawing *drawing, const char *text);

/* The same where \n in the text, two letters, is the end of a line, and for no LaTeX. */
const char *ms_drawing_quoted_lines(ms_drawing *drawing, const char *text);

/* Width and height of the picture [cm]; the height is for the draw function to choose, before it writes its script. */
double ms_drawing_width(const ms_drawing *drawing);
void ms_drawing_height(ms_drawing *drawing, double height);

/* The canvas of the drawing, with the options of the call. */
const ms_canvas *ms_drawing_canvas(const ms_drawing *drawing);

/* Ends the drawing with MS_INVALID and that line. */
void ms_drawing_refuse(ms_drawing *drawing, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Size of its letters [pt], and the height of a line of them [cm]. */
double ms_drawing_points(const ms_drawing *drawing);
double ms_drawing_line(const ms_drawing *drawing);
