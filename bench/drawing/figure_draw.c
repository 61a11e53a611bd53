/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_draw.c - a figure is drawn into files, all of them made aside and renamed when they are whole. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "drawing.h"
#include "provenance.h"

enum { PATH_LENGTH = 4096, FOLDER_LENGTH = 3072, FILES_MAX = 64 };

/* Folders ------------------------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the files in the folder, in order; owned by the caller. Returns their number, or -1. */
static int list_files(const char *folder, char *names[FILES_MAX])
{
    DIR *directory = opendir(folder);
    int n = 0;
    for (struct dirent *entry; directory != NULL && n < FILES_MAX && (entry = readdir(directory)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (names[n] = strdup(entry->d_name)) != NULL)
            n++;
    if (directory == NULL)
        return -1;
    closedir(directory);
    qsort(names, (size_t)n, sizeof names[0], by_name);
    return n;
}

static void free_names(int n, char **names)
{
    for (int k = 0; k < n; k++)
        free(names[k]);
}

/* Removes the folder and the files in it. */
static void remove_folder(const char *folder)
{
    char *names[FILES_MAX], path[PATH_LENGTH];
    const int n = list_files(folder, names);
    for (int k = 0; k < n; k++)
        if (snprintf(path, sizeof path, "%s/%s", folder, names[k]) < (int)sizeof path)
            unlink(path);
    free_names(n, names);
    rmdir(folder);
}

/* Moves the files from one folder to the other. */
static int move_files(const char *from, const char *to, ms_error *error)
{
    char *names[FILES_MAX], old[PATH_LENGTH], new[PATH_LENGTH];
    int status = MS_OK;
    const int n = list_files(from, names);
    if (n < 0)
        return ms_fail(error, MS_IO, "%s: %s", from, strerror(errno));
    for (int k = 0; k < n && status == MS_OK; k++) {
        snprintf(old, sizeof old, "%s/%s", from, names[k]);
        snprintf(new, sizeof new, "%s/%s", to, names[k]);
        if (rename(old, new) != 0)
            status = ms_fail(error, MS_IO, "%s: %s", new, strerror(errno));
    }
    free_names(n, names);
    return status;
}

/* The files of the folder as they will be called: "PREFIX/NAME". NULL: no memory. */
static json_t *files_json(const char *folder, const char *prefix, const char *more)
{
    char *names[FILES_MAX], path[PATH_LENGTH];
    const int n = list_files(folder, names);
    json_t *files = json_array();
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "%s/%s", prefix, names[k]);
        json_array_append_new(files, ms_json_text(path));
    }
    snprintf(path, sizeof path, "%s/%s", prefix, more);
    json_array_append_new(files, ms_json_text(path));
    free_names(n, names);
    return files;
}

/* Drawing ------------------------------------------------------------------------------------------------ */

/* Stores the answer beside the files that it tells of; there their names do not depend on where the folder
 * is. */
static int store_answer(const ms_drawing *drawing, const char *line, const char *folder, const char *name,
                        ms_error *error)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ms_answer answer = {.value = ms_drawing_answer(drawing), .provenance = ms_provenance(line)};
    int status = MS_OK;
    if (answer.value == NULL || answer.provenance == NULL ||
        json_object_set_new(answer.value, "files", files_json(folder, "figures", name)) != 0)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    if (status == MS_OK)
        status = ms_answer_save(&answer, MS_FORMAT_JSON, path, error);
    ms_answer_discard(&answer);
    return status;
}

/* Writes everything into the folder `aside`, then moves it to `figures`. */
static int finish(const ms_drawing *drawing, const ms_figure *figure, const char *aside, const char *figures,
                  json_t **answer, ms_error *error)
{
    char name[256], stored[264], line[320];
    ms_figure_name(figure, name, sizeof name);
    snprintf(stored, sizeof stored, "%s.json", name);
    snprintf(line, sizeof line, "macrostep figure %s", figure->id);
    int status = ms_drawing_write(drawing, aside, error);
    json_t *files = status == MS_OK ? files_json(aside, figures, stored) : NULL;
    if (status == MS_OK)
        status = store_answer(drawing, line, aside, stored, error);
    if (status == MS_OK)
        status = move_files(aside, figures, error);
    *answer = status == MS_OK ? ms_drawing_answer(drawing) : NULL;
    if (status == MS_OK && (*answer == NULL || json_object_set(*answer, "files", files) != 0))
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the answer");
    json_decref(files);
    return status;
}

int ms_figure_draw(const ms_figure *figure, const char *directory, const volatile sig_atomic_t *stop,
                   json_t **answer, ms_error *error)
{
    char figures[FOLDER_LENGTH], aside[FOLDER_LENGTH + 16];
    ms_drawing *drawing = NULL;
    *answer = NULL;
    const size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    if (snprintf(figures, sizeof figures, "%s%sfigures", directory, slash) >= (int)sizeof figures)
        return ms_fail(error, MS_INVALID, "--directory: the path must have at most %d letters",
                       FOLDER_LENGTH - 16);
    snprintf(aside, sizeof aside, "%s/.new-XXXXXX", figures);
    int status = ms_output_folder(directory, error);
    if (status == MS_OK)
        status = ms_output_folder(figures, error);
    if (status == MS_OK && mkdtemp(aside) == NULL)
        return ms_fail(error, MS_IO, "%s: %s", figures, strerror(errno));
    if (status != MS_OK)
        return status;
    status = ms_drawing_create(figure, stop, &drawing, error);
    if (status == MS_OK)
        status = ms_drawing_fill(drawing, error);
    if (status == MS_OK && stop != NULL && *stop != 0)
        status = ms_fail(error, MS_INTERRUPTED, "interrupted");
    if (status == MS_OK)
        status = finish(drawing, figure, aside, figures, answer, error);
    remove_folder(aside);
    ms_drawing_destroy(&drawing);
    return status;
}
