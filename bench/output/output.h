/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - a file that appears under its name only when complete: a temporary file is renamed. */
#pragma once

#include <stdio.h>

#include <macrostep/status.h>
#include "part_file.h"

typedef struct ms_output {
    FILE *file;
    char *path;        /* owned; NULL: standard output */
    ms_part_file part; /* of no path: written in place (standard output, devices, pipes) */
} ms_output;

/* NULL and "-" are standard output. Errors: MS_IO with the path and the reason, MS_NO_MEMORY. */
int ms_output_open(const char *path, ms_output *output, ms_error *error);

/* Closes and renames. Errors: MS_IO; then nothing is left behind. */
int ms_output_close(ms_output *output, ms_error *error);

/* Closes and leaves the file of that name as it was; safe after ms_output_close. */
void ms_output_discard(ms_output *output);

/* A file that grows by lines, such as a log: opened at its end, created if missing. NULL with errno, also for a
 * symbolic link or an irregular file. */
FILE *ms_output_append(const char *path);

/* Creates a folder if it is missing. Errors: MS_IO. */
int ms_output_folder(const char *path, ms_error *error);

/* Removes those of them that this process has created and put nothing into. May be called by a handler of signals. */
void ms_output_folders_drop_empty(void);
