/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_files.h - folders and files of an FMU or SSP that is being written. */
#pragma once

#include <limits.h>
#include <stdio.h>

#include <macrostep/status.h>

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

/* Appends a whole file to a stream, whose own errors its owner handles. Errors: MS_IO. */
int ms_export_stream_copy(const char *from, FILE *to, ms_error *error);

/* The name of a file without its folder. */
const char *ms_export_name_of(const char *path);

/* Fills a folder next to `path`, packs it into that (ms_fmu_archive_write), and removes it. Errors: those of fill and of packing. */
int ms_export_pack(const char *path, int (*fill)(void *self, const char *folder, ms_error *error), void *self,
                   ms_error *error);
