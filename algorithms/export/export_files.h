/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_files.h - folders and files of an FMU that is being written. */
#ifndef MS_EXPORT_FILES_H
#define MS_EXPORT_FILES_H

#include <limits.h>
#include <stdio.h>

#include "status.h"

typedef struct ms_export_file {
    FILE *stream;
    char path[PATH_MAX];
} ms_export_file;

/* FOLDER/NAME. Errors: MS_INVALID (too long). */
int ms_export_path(const char *folder, const char *name, char path[PATH_MAX], ms_error *error);

/* A new folder in a folder, whose path is the result. Errors: MS_IO, MS_INVALID. */
int ms_export_folder(const char *in, const char *name, char path[PATH_MAX], ms_error *error);

/* A new file; its end. Errors: MS_IO, MS_INVALID. */
int ms_export_file_open(const char *folder, const char *name, ms_export_file *file, ms_error *error);
int ms_export_file_close(ms_export_file *file, ms_error *error);

/* A new file with that text; with what another file holds. */
int ms_export_file_text(const char *folder, const char *name, const char *text, ms_error *error);
int ms_export_file_copy(const char *from, const char *folder, const char *name, ms_error *error);

/* A new folder beside `path`; removes it with all that is in it. Errors: MS_IO, MS_INVALID. */
int ms_export_aside(const char *path, char folder[PATH_MAX], ms_error *error);
void ms_export_remove(const char *folder);

#endif
