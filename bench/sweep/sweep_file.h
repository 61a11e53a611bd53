/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_file.h - the file of a sweep, or of a part of other rows, which grows row by row and is valid all the time.
 *
 * Rows are appended in grid order, a row with what ends the file in one write, so that whenever the program
 * ends (kill -9 included) the file is valid CSV or JSON with the rows so far; a row that was cut in the
 * middle of its write is dropped when the sweep is resumed. The head of the file depends on the call and the
 * program alone; a sweep is resumed only where it is the same to the byte, and each row has the key of its place. */
#ifndef MS_SWEEP_FILE_H
#define MS_SWEEP_FILE_H

#include <jansson.h>
#include <sys/types.h>

#include "row_text.h"
#include "shard.h"

typedef struct ms_sweep_file {
    const char *path; /* NULL: standard output */
    ms_row_form form; /* `wide` and `more` are for the caller to set; columns are owned */
    char *head;       /* owned */
    int descriptor;   /* -1: not open */
    bool regular;     /* else written forwards only, the end by ms_sweep_file_close */
    off_t end;        /* where the next row goes */
    long rows;        /* in it */
} ms_sweep_file;

/* The rows that a file is to hold. */
typedef struct ms_row_keys {
    ms_shard shard;
    long n; /* rows of the grid */
    void *self;
    /* REQUIRED: row k of the grid without its run, freed by the caller; k ascends. A row that does not fit is held against
     * the one that `again` gives for the same k, NULL: there is only one. */
    int (*shape)(void *self, long k, bool again, json_t **row, ms_error *error);
    bool resume;       /* the file goes on behind its rows; else it begins anew */
    bool repair;       /* rows from the first wrong one on are dropped; else they are refused */
    ms_error repaired; /* the line that says so; empty: nothing was wrong */
} ms_row_keys;

/* Takes the columns (stolen; csv) and makes the head from the provenance (borrowed, an object) and the number
 * of rows of the whole grid. Errors: MS_NO_MEMORY. ms_sweep_file_close is safe after all errors. */
int ms_sweep_file_create(const char *path, ms_format format, json_t *columns, const json_t *provenance,
                         long rows, ms_sweep_file *file, ms_error *error);

/* Opens the file, without rows or, to resume, with those that are there but for a torn one. keys NULL: whatever there was is
 * gone. Errors: MS_IO, also where another sweep is writing it; MS_INVALID with a line that names the first difference of
 * the heads, or the first row that is not that of its place, or says that rows of this part would be lost; the file is
 * left as it was. */
int ms_sweep_file_open(ms_sweep_file *file, ms_row_keys *keys, ms_error *error);

int ms_sweep_file_append(ms_sweep_file *file, const char *text, ms_error *error);
int ms_sweep_file_close(ms_sweep_file *file, ms_error *error); /* safe to repeat */

#endif
