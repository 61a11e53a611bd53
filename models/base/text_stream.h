/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_stream.h - a text that is printed into memory, whole or not at all. (open_memstream of glibc 2.36 goes on behind a part for
 * which it had no memory, and neither ferror nor fclose says so.)
 *
 *     ms_text_stream stream;
 *     FILE *file = ms_text_open(&stream);
 *     if (file != NULL)
 *         fprintf(file, "%d", 42);
 *     char *text = ms_text_close(&stream); */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ms_text_stream {
    FILE *file;
    char *text;
    size_t size, room;
    bool failed;
} ms_text_stream;

/* Where to print to; the struct stays where it is until the end. NULL: no memory, which ms_text_close says as well. */
FILE *ms_text_open(ms_text_stream *stream);

/* The text, owned by the caller; NULL where memory for any part of it was refused. */
char *ms_text_close(ms_text_stream *stream);
