/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_reader.h - a file of rows, read from its beginning: its head, then a row a line. Memory does not grow with rows.
 *
 *     ms_row_reader reader = {.file = file, .line = 1};
 *     status = ms_row_reader_head(&reader, &head);
 *     while (ms_row_reader_next(&reader))
 *         ..
 *     ms_row_reader_destroy(&reader);
 */
#ifndef MS_ROW_READER_H
#define MS_ROW_READER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "row_text.h"

typedef struct ms_row_reader {
    FILE *file;       /* the caller's */
    ms_format format; /* TABLE: the head will tell */
    long line;        /* of the row, counted from 1 */
    off_t begin, end; /* of the row in the file; the next one is read from there */
    char *text;       /* the line with the row; of CSV several where a cell has a newline */
    size_t all;       /* its length with what separates rows */
    size_t length;    /* the row as ms_row_line writes it */
    bool joined;      /* no comma is missing before the row */
    long lines;
    bool comma;
    int failure; /* errno where the file could not be read; 0: no failure */
} ms_row_reader;

/* The lines up to the first row; owned by the caller, NULL without memory. *whole: none of them is missing. */
char *ms_row_reader_head(ms_row_reader *reader, bool *whole);

/* The next row. False behind the last one, before one that was cut in the middle of its write, and where the file could not be read. */
bool ms_row_reader_next(ms_row_reader *reader);

void ms_row_reader_destroy(ms_row_reader *reader);

#endif
