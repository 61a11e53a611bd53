/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_reader.h - a file of rows, read from its beginning: its head, then row by row.
 *
 * However the program ended that wrote it, it has whole rows, and behind them at most one that was cut in the middle of its write,
 * over what ended the file before. That one counts as none. */
#ifndef MS_ROW_READER_H
#define MS_ROW_READER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include <macrostep/status.h>
#include "format.h"

#define MS_ROWS_OF_GRID "rows_of_grid" /* the last member of a head */

typedef struct ms_row_reader {
    FILE *file;
    ms_format format;
    char *head; /* NULL where the file has none; owned, as is the last row */
    char *text; /* of the last row, as ms_row_text makes it */
    size_t length;
    long line, lines;        /* where the last row begins, counted from 1; how many it has */
    off_t at, end;           /* in the file: what comes next, and the end of the last row [byte] */
    bool whole;              /* there is a whole head */
    bool begun, comma, last; /* a row was read; a comma followed it; it ends the file */
    /* with what was read, which is no row of such a file; it follows on "line N: ". NULL: nothing */
    const char *wrong;
    int status; /* MS_NO_MEMORY, MS_IO: that reading ended with */
} ms_row_reader;

/* The format of a file that begins so, and of its rows; TABLE: it is no file of rows. */
ms_format ms_row_format(const char *head);

/* Reads the head, into an empty reader with its file. */
void ms_row_reader_begin(ms_row_reader *reader);

/* Reads the next row. False: there is none, or reading has failed. */
bool ms_row_reader_next(ms_row_reader *reader);

/* The file stays open. Safe to repeat. */
void ms_row_reader_end(ms_row_reader *reader);

#endif
