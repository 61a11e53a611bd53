/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_file.h - the file of a sweep, which grows row by row and is valid all the time.
 *
 * It has one line a row, in the order of the grid. A row is written together with what ends the file, so that whenever the program
 * ends (kill -9 included) the file is valid CSV or JSON with the rows so far; a row that was cut in the
 * middle of its write is dropped when the sweep is resumed. A sweep is resumed only where the head of the file is the same to the
 * byte, and each row has the key of its place. */
#ifndef MS_SWEEP_FILE_H
#define MS_SWEEP_FILE_H

#include <sys/types.h>

#include "row_text.h"
#include "shard.h"
#include "status.h"

typedef struct ms_sweep_file {
    const char *path; /* NULL: standard output */
    ms_row_form form; /* its columns owned */
    char *head;       /* owned */
    int descriptor;   /* -1: not open */
    bool regular;     /* else written forwards only, the end by ms_sweep_file_close */
    off_t end;        /* where the next row goes */
    long rows;        /* in it */
} ms_sweep_file;

/* Takes the columns of the form (stolen; csv) and makes the head from the provenance (borrowed, an object) and the number
 * of rows of the whole grid. Errors: MS_NO_MEMORY. ms_sweep_file_close is safe after all errors. */
int ms_sweep_file_create(const char *path, const ms_row_form *form, const json_t *provenance, long rows,
                         ms_sweep_file *file, ms_error *error);

/* A new file without rows. Errors: MS_IO, also where another sweep is writing it. */
int ms_sweep_file_begin(ms_sweep_file *file, ms_error *error);

/* What a file that is resumed should hold. */
typedef struct ms_sweep_resume {
    long rows;      /* of the grid; */
    ms_shard shard; /* those that are wanted */
    void *self;
    /* REQUIRED: row k of the grid without its run, freed by the caller; k ascends. A row that does not fit is
     * compared with the one of the same place that `again` gives. */
    int (*shape)(void *self, long k, bool again, json_t **row, ms_error *error);
    bool repair;       /* rows from the first wrong one on are dropped; else they are refused */
    ms_error repaired; /* the line that says so; empty: nothing was wrong */
} ms_sweep_resume;

/* Opens what there is (a new file where there is nothing), drops a torn row and leaves the number of rows in
 * file->rows. Errors: MS_IO, MS_INVALID with a line that names the first difference of the heads, or the first row that
 * is not that of its place; the file is left as it was. */
int ms_sweep_file_resume(ms_sweep_file *file, ms_sweep_resume *resume, ms_error *error);

/* Adds the text of a row (ms_row_text). Errors: MS_IO, MS_NO_MEMORY. */
int ms_sweep_file_append(ms_sweep_file *file, const char *text, ms_error *error);
int ms_sweep_file_close(ms_sweep_file *file, ms_error *error); /* safe to repeat */

#endif
