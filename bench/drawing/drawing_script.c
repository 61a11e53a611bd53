/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gnuplot script of a drawing: the style that all figures share, inside/style.gp, with the colours of Okabe and Ito, "Color
 * Universal Design" (2008), then the figure's own commands. */
#include "drawing_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "growing.h"
#include "published.h"
#include "templates.h"

static void append_script(ms_drawing *drawing, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    const size_t needed = drawing->script_length + (length > 0 ? (size_t)length : 0) + 1;
    if (ms_grow(&drawing->script, &drawing->script_capacity, needed, 1)) {
        vsnprintf(drawing->script + drawing->script_length, needed - drawing->script_length, format, again);
        drawing->script_length = needed - 1;
    } else {
        ms_drawing_no_memory(drawing);
    }
    va_end(again);
}

static void append(ms_drawing *drawing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append_script(drawing, format, arguments);
    va_end(arguments);
}

/* The line of curves that is being written, if one is. */
static void end_plot(ms_drawing *drawing)
{
    if (drawing->plotting)
        append(drawing, "\n");
    drawing->plotting = false;
}

void ms_drawing_script(ms_drawing *drawing, const char *format, ...)
{
    va_list arguments;
    end_plot(drawing);
    va_start(arguments, format);
    append_script(drawing, format, arguments);
    va_end(arguments);
}

void ms_drawing_curve(ms_drawing *drawing, const char *format, ...)
{
    va_list arguments;
    append(drawing, drawing->plotting ? ", \\\n    " : "plot ");
    drawing->plotting = true;
    va_start(arguments, format);
    append_script(drawing, format, arguments);
    va_end(arguments);
}

void ms_drawing_panel(ms_drawing *drawing, double left, double right, double top, double bottom,
                      const char *title)
{
    ms_drawing_script(drawing,
                      "set lmargin at screen %g\nset rmargin at screen %g\nset tmargin at screen %g\n"
                      "set bmargin at screen %g\nset title '%s'\n",
                      left, right, top, bottom, title);
}

void ms_drawing_picture(ms_drawing *drawing, int width, int height, const char *format, ...)
{
    va_list arguments;
    ms_drawing_size(drawing, width, height);
    end_plot(drawing);
    va_start(arguments, format);
    append_script(drawing, format, arguments);
    va_end(arguments);
}

void ms_drawing_commands(ms_drawing *drawing, const char *path, const char *commands)
{
    ms_drawing_script(drawing, "%s", "");
    drawing->commands_path = path;
    drawing->commands_at = drawing->script_length;
    ms_drawing_script(drawing, "%s", commands);
}

void ms_drawing_commands_of(ms_drawing *drawing, const char *name, int width, int height)
{
    ms_drawing_size(drawing, width, height);
    ms_drawing_commands(drawing, name, ms_published_text(ms_figure_texts, name));
}

static const char tail[] = "\nif (GPVAL_MULTIPLOT) {\n    unset multiplot\n}\nunset output\n";

static int write_script(const ms_drawing *drawing, FILE *file)
{
    const int status = ms_drawing_write_origin(drawing, file);
    if (drawing->canvas != NULL)
        ms_canvas_write_head(drawing, file);
    else
        ms_page_write_head(drawing, file);
    fprintf(file, "%s\n", ms_template("style.gp"));
    if (drawing->canvas != NULL)
        ms_canvas_write_style(drawing, file);
    else
        ms_page_write_style(drawing, file);
    fputs(drawing->script, file);
    fputs(tail, file);
    if (drawing->canvas != NULL)
        ms_canvas_write_tail(drawing, file);
    return status == MS_OK ? drawing->status : status; /* the head may have lacked memory for a name */
}

int ms_drawing_write_script(const ms_drawing *drawing, const char *folder, ms_error *error)
{
    char *path = ms_drawing_path(drawing, folder, "", "gp");
    errno = path != NULL ? 0 : ENOMEM;
    FILE *file = path != NULL ? fopen(path, "we") : NULL;
    int status = file != NULL ? write_script(drawing, file) : MS_IO;
    if (status == MS_NO_MEMORY)
        errno = ENOMEM;
    if (file != NULL && ferror(file) != 0)
        status = MS_IO;
    if (file != NULL && fclose(file) != 0)
        status = MS_IO;
    if (status != MS_OK)
        ms_fail(error, status, "%s: %s", path != NULL ? path : folder,
                errno != 0 ? strerror(errno) : "could not be written");
    free(path);
    return status;
}

/* Faults of gnuplot ---------------------------------------------------------------------------------------- */

static long lines_of(const char *text)
{
    long lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* Lines of the script before the commands of the user's file. */
static long lines_before(const ms_drawing *drawing, const char *folder)
{
    char *path = ms_drawing_path(drawing, folder, "", "gp");
    FILE *file = path != NULL ? fopen(path, "re") : NULL;
    long lines = 0;
    for (int c = 0; file != NULL && c != EOF; lines += c == '\n')
        c = fgetc(file);
    if (file != NULL)
        fclose(file);
    free(path);
    return lines - lines_of(drawing->script + drawing->commands_at) - lines_of(tail);
}

void ms_drawing_locate_fault(const ms_drawing *drawing, const char *folder, ms_error *error)
{
    char place[MS_FIGURE_NAME_MAX + 16];
    ms_error said = *error;
    snprintf(place, sizeof place, "%s.gp\" line ", drawing->name);
    const char *at = drawing->commands_path != NULL ? strstr(said.text, place) : NULL;
    if (at == NULL)
        return;
    char *rest;
    const long line = strtol(at + strlen(place), &rest, 10) - lines_before(drawing, folder);
    char *again = strstr(rest, place); /* the same, in the next format */
    while (again != NULL && again > rest && *again != '"')
        again--;
    if (again != NULL)
        *again = '\0';
    if (line > 0)
        ms_fail(error, MS_IO, "%s: line %ld%s", drawing->commands_path, line, rest);
}
