/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_reader.h - a file of rows, read from its beginning: its head, then row by row.
 *
 * Even if the program that wrote it was killed, it has complete rows, followed by at most one that was cut off while it overwrote
 * the former end of the file. That one is ignored. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include <macrostep/status.h>
#include "format.h"

#define MS_ROWS_OF_GRID "rows_of_grid" /* the last member of a head */

typedef struct ms_row_reader {
    FILE *file;
    ms_format format;
    char *head; /* NULL if the file has none; owned, as is the last row */
    char *text; /* of the last row, as ms_row_text makes it */
    size_t length;
    long line, lines;        /* line in which the last row begins, from 1; and its number of lines */
    off_t at, end;           /* positions of the next row and of the end of the last one [byte] */
    bool whole;              /* the head is complete */
    bool begun, comma, last; /* a row was read; a comma followed it; it ends the file */
    /* why the text read is not a row of such a file; it follows on "line N: ". NULL: no fault */
    const char *wrong;
    int status; /* MS_NO_MEMORY, MS_IO: why reading ended */
} ms_row_reader;

/* The format of a file with this beginning, and of its rows; TABLE: it is not a file of rows. */
ms_format ms_row_format(const char *head);

/* Reads the head, into an empty reader with its file. */
void ms_row_reader_begin(ms_row_reader *reader);

/* Reads the next row. False: there is none, or reading has failed. */
bool ms_row_reader_next(ms_row_reader *reader);

/* The file stays open. Safe to repeat. */
void ms_row_reader_end(ms_row_reader *reader);
