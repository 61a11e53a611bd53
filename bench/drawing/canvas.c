/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "canvas.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "arguments.h"
#include "drawing_parts.h"
#include "memory.h"
#include "standard_output.h"

enum { PATH_LENGTH = 4096, HEIGHT_OF_WIDTH = 62 /* % */ };

/* What the options say ----------------------------------------------------------------------------------- */

static const struct {
    const char *ending;
    ms_canvas_format format;
} formats[] = {
    {".svg", MS_CANVAS_SVG}, {".pdf", MS_CANVAS_PDF}, {".png", MS_CANVAS_PNG}, {".tex", MS_CANVAS_TEX}};

static int find_format(const char *path, ms_canvas_format *format, ms_error *error)
{
    if (strcmp(path, "-") == 0) {
        *format = MS_CANVAS_TERMINAL;
        return MS_OK;
    }
    for (int k = 0; k < MS_COUNT(formats); k++)
        if (ms_arguments_ends_with(path, formats[k].ending)) {
            *format = formats[k].format;
            return MS_OK;
        }
    return ms_fail(error, MS_INVALID,
                   "--plot %s: the name must end in .svg, .pdf, .png or .tex, or be - for the terminal",
                   path);
}

/* The folder and the name without its ending. TeX reads the name of the picture in the text, so it has to be a plain one. */
static int split_path(const char *path, ms_canvas *canvas, ms_error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+.";
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const int folder = slash == NULL ? 0 : slash == path ? 1 : (int)(slash - path);
    const char *dot = strrchr(base, '.');
    const int length = (int)(dot != NULL ? dot - base : (long)strlen(base));
    if (folder >= MS_CANVAS_PATH_MAX || length >= MS_CANVAS_NAME_MAX - 16)
        return ms_fail(error, MS_INVALID, "--plot %s: the path is too long", path);
    snprintf(canvas->folder, sizeof canvas->folder, "%.*s", folder > 0 ? folder : 1, folder > 0 ? path : ".");
    snprintf(canvas->name, sizeof canvas->name, "%.*s", length,
             canvas->format == MS_CANVAS_TERMINAL ? "terminal" : base);
    if (canvas->name[0] == '\0')
        return ms_fail(error, MS_INVALID, "--plot %s: a name is missing before %s", path, base);
    if (canvas->format == MS_CANVAS_TEX && canvas->name[strspn(canvas->name, plain)] != '\0')
        return ms_fail(error, MS_INVALID,
                       "--plot %s: LaTeX reads the name of the file; use only letters, digits, - + and .",
                       path);
    for (const char *c = canvas->name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            return ms_fail(error, MS_INVALID, "--plot: the name of the file has a control character in it");
    return MS_OK;
}

/* What says how to draw where nothing is drawn has no effect. */
static int refuse_beside(const ms_arguments *arguments, ms_error *error)
{
    static const ms_argument beside[] = {MS_ARGUMENT_WIDTH,  MS_ARGUMENT_TITLE,     MS_ARGUMENT_XLABEL,
                                         MS_ARGUMENT_YLABEL, MS_ARGUMENT_LABEL,     MS_ARGUMENT_CURVES,
                                         MS_ARGUMENT_KEY,    MS_ARGUMENT_FONT_SIZE, MS_ARGUMENT_LINES,
                                         MS_ARGUMENT_STYLE,  MS_ARGUMENT_KEEP};
    const char *path = arguments->text[MS_ARGUMENT_PLOT];
    const bool terminal = path != NULL && strcmp(path, "-") == 0;
    for (int k = 0; k < MS_COUNT(beside); k++) {
        if (!ms_argument_taken(arguments->command, MS_ARGUMENT_PLOT))
            continue;
        const bool titles = beside[k] >= MS_ARGUMENT_TITLE && beside[k] <= MS_ARGUMENT_KEY;
        if (arguments->text[beside[k]] != NULL && (path == NULL || (terminal && !titles)))
            return ms_fail(error, MS_INVALID, "--%s: requires --plot FILE",
                           ms_argument_table[beside[k]].option.name);
    }
    if (terminal && (arguments->format != MS_FORMAT_TABLE || arguments->markup != MS_MARKUP_NONE) &&
        arguments->text[MS_ARGUMENT_OUTPUT] == NULL)
        return ms_fail(error, MS_INVALID,
                       "--plot -: the answer goes to standard output as well; give it an --output FILE");
    if (path != NULL && arguments->shard.of > 0)
        return ms_fail(
            error, MS_INVALID,
            "--plot %s: a part (--shard) has no picture of its own; merge PART.. --plot %s draws all", path,
            path);
    return MS_OK;
}

int ms_canvas_open(const ms_arguments *arguments, ms_canvas *canvas, ms_error *error)
{
    const char *path = arguments->text[MS_ARGUMENT_PLOT];
    *canvas = (ms_canvas){0};
    int status = refuse_beside(arguments, error);
    if (status != MS_OK || path == NULL)
        return status;
    canvas->screen = arguments->style == MS_STYLE_SCREEN;
    canvas->width = arguments->width;
    status = find_format(path, &canvas->format, error);
    MS_THEN(status, split_path(path, canvas, error));
    ms_error why;
    const char *folder = canvas->format != MS_CANVAS_TERMINAL ? canvas->folder : ms_temporary_place();
    if (status == MS_OK && ms_staging_create(folder, &canvas->staging, &why) != MS_OK)
        status = ms_fail(error, MS_IO, "--plot %s: %s", path, why.text);
    if (status == MS_OK)
        canvas->arguments = arguments;
    return status;
}

void ms_canvas_discard(ms_canvas *canvas)
{
    ms_part_file_drop(&canvas->staging);
    canvas->arguments = NULL;
}

/* The picture -------------------------------------------------------------------------------------------- */

int ms_canvas_print(const ms_canvas *canvas, ms_error *error)
{
    char path[PATH_LENGTH];
    if (canvas->format != MS_CANVAS_TERMINAL)
        return MS_OK;
    snprintf(path, sizeof path, "%s/%s.txt", canvas->staging.folder, canvas->name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return errno == ENOMEM ? ms_fail(error, MS_NO_MEMORY, "not enough memory to print the picture")
                               : ms_fail(error, MS_IO, "%s: %s", path, strerror(errno));
    for (int c; (c = fgetc(file)) != EOF;)
        if (c != '\f')
            fputc(c, ms_standard_output());
    const bool read = ferror(file) == 0;
    fclose(file);
    errno = 0;
    return fflush(ms_standard_output()) == 0 && ferror(ms_standard_output()) == 0 && read
               ? MS_OK
               : ms_fail(error, MS_IO, "standard output: the picture could not be printed%s%s",
                         errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
}

/* What is not wanted besides the picture. */
static void drop_sources(const ms_drawing *drawing, const char *staging)
{
    for (const ms_data *data = drawing->data; data != NULL; data = data->next) {
        char *path = ms_drawing_path(drawing, staging, data->part, "csv");
        if (path != NULL)
            unlink(path);
        else
            ms_memory_note();
        free(path);
    }
    char *script = ms_drawing_path(drawing, staging, "", "gp");
    if (script != NULL)
        unlink(script);
    else
        ms_memory_note();
    free(script);
}

static int deliver(ms_canvas *canvas, const ms_drawing *drawing, json_t **files, ms_error *error)
{
    if (!canvas->arguments->keep)
        drop_sources(drawing, canvas->staging.folder);
    if (canvas->format == MS_CANVAS_TERMINAL)
        return MS_OK;
    *files = ms_staging_files(canvas->staging.folder, strcmp(canvas->folder, ".") == 0 ? "" : canvas->folder);
    return *files != NULL && !ms_memory_refused()
               ? ms_staging_move(canvas->staging.folder, canvas->folder, error)
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for the picture");
}

int ms_canvas_draw(ms_canvas *canvas, const char *title, int (*draw)(ms_drawing *drawing, ms_error *error),
                   const void *subject, json_t **files, ms_error *error)
{
    const ms_figure figure = {.id = "plot", .title = title, .source = "", .draw = draw, .subject = subject};
    ms_drawing *drawing = NULL;
    *files = NULL;
    MS_TRY(ms_drawing_create(&figure, &ms_interrupted, &drawing, error));
    drawing->canvas = canvas;
    drawing->centimetres = canvas->width * HEIGHT_OF_WIDTH / 100.0;
    snprintf(drawing->name, sizeof drawing->name, "%s", canvas->name);
    int status = ms_drawing_fill(drawing, error);
    MS_THEN(status, ms_drawing_write(drawing, canvas->staging.folder, error));
    MS_THEN(status, deliver(canvas, drawing, files, error));
    ms_drawing_destroy(&drawing);
    if (status != MS_OK) {
        json_decref(*files);
        *files = NULL;
    }
    return status;
}
