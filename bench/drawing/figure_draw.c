/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.c - a figure is drawn into files, all of them made in a staging folder and renamed when they are whole. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "answer.h"
#include "drawing_parts.h"
#include "figure_draw.h"
#include "provenance.h"

enum { PATH_LENGTH = 4096 };

/* The files of the folder as they will be called behind the prefix, and one more. NULL: no memory. */
static json_t *files_of(const char *folder, const char *prefix, const char *more)
{
    char path[PATH_LENGTH];
    json_t *files = ms_staging_files(folder, prefix);
    snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "/" : "", more);
    ms_json_append(&files, ms_json_text(path));
    return files;
}

/* Drawing ------------------------------------------------------------------------------------------------ */

/* Stores the answer next to the files that it names; there only names without folders are used. */
static int store_answer(const ms_drawing *drawing, const char *line, const char *folder, const char *name,
                        ms_error *error)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ms_answer answer = {.value = ms_drawing_answer(drawing), .provenance = ms_provenance(line)};
    int status = MS_OK;
    if (answer.value == NULL || answer.provenance == NULL ||
        json_object_set_new(answer.value, "files", files_of(folder, "", name)) != 0)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    MS_THEN(status, ms_answer_save(&answer, MS_FORMAT_JSON, path, error));
    ms_answer_discard(&answer);
    return status;
}

/* Writes everything into the folder `staging`, then moves it to `figures`. */
static int finish(const ms_drawing *drawing, const ms_figure *figure, const char *staging,
                  const char *figures, json_t **answer, ms_error *error)
{
    char name[256], stored[264], line[1024];
    ms_figure_name(figure, name, sizeof name);
    snprintf(stored, sizeof stored, "%s.json", name);
    snprintf(line, sizeof line, "macrostep figure %s", figure->path != NULL ? figure->path : figure->id);
    int status = ms_drawing_write(drawing, staging, error);
    json_t *files = status == MS_OK ? files_of(staging, figures, stored) : NULL;
    MS_THEN(status, store_answer(drawing, line, staging, stored, error));
    MS_THEN(status, ms_staging_move(staging, figures, error));
    *answer = status == MS_OK ? ms_drawing_answer(drawing) : NULL;
    if (status == MS_OK && (*answer == NULL || json_object_set(*answer, "files", files) != 0))
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    json_decref(files);
    return status;
}

/* The path without slashes at its end, and with what is below it. */
static int join(const char *directory, const char *below, char *folder, ms_error *error)
{
    int length = (int)strnlen(directory, MS_FIGURES_PATH);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    return snprintf(folder, MS_FIGURES_PATH, "%.*s%s", length, directory, below) < MS_FIGURES_PATH
               ? MS_OK
               : ms_fail(error, MS_INVALID, "--directory: the path must have at most %d letters",
                         MS_FIGURES_PATH - 16);
}

int ms_figures_folder(const char *directory, char *folder, ms_error *error)
{
    if (join(directory, "/figures", folder, error) != MS_OK)
        return MS_INVALID;
    const int status = ms_output_folder(directory, error);
    return status == MS_OK ? ms_output_folder(folder, error) : status;
}

/* Would the answer take the place of the file that says what the figure is? */
static bool replaces_source(const ms_figure *figure, const char *folder)
{
    char name[256], path[PATH_LENGTH];
    struct stat read, there;
    ms_figure_name(figure, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    return figure->path != NULL && stat(figure->path, &read) == 0 && stat(path, &there) == 0 &&
           read.st_dev == there.st_dev && read.st_ino == there.st_ino;
}

int ms_figure_draw(const ms_figure *figure, const char *directory, ms_drawing_caller *call,
                   const volatile sig_atomic_t *stop, json_t **answer, ms_error *error)
{
    char folder[MS_FIGURES_PATH];
    ms_part_file staging;
    ms_drawing *drawing = NULL;
    *answer = NULL;
    MS_TRY(join(directory, "", folder, error));
    MS_TRY(ms_output_folder(folder, error));
    if (replaces_source(figure, folder))
        return ms_fail(error, MS_INVALID,
                       "%s: the answer has the same name in that folder; use another --directory",
                       figure->path);
    MS_TRY(ms_staging_create(folder, &staging, error));
    int status = ms_drawing_create(figure, stop, &drawing, error);
    if (status == MS_OK) {
        ms_drawing_call_by(drawing, call);
        status = ms_drawing_fill(drawing, error);
    }
    if (status != MS_NO_MEMORY && stop != NULL && *stop != 0) /* what failed may have been told to stop */
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    if (status == MS_OK && figure->width > 0.0 && drawing->script_length == 0)
        status = ms_fail(error, MS_INVALID, "%s: has no picture with a width: it is a %s", figure->id,
                         drawing->graph != NULL ? "graph" : "table");
    MS_THEN(status, finish(drawing, figure, staging.folder, folder, answer, error));
    ms_part_file_drop(&staging);
    ms_drawing_destroy(&drawing);
    if (status != MS_OK)
        ms_part_files_final_names(error->text);
    return status;
}
