/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_file.h - the file of a sweep, which grows row by row and is valid all the time.
 *
 * Rows are appended in grid order, a row with what ends the file in one write, so that whenever the program
 * ends (kill -9 included) the file is valid CSV or JSON with the rows so far; a row that was cut in the
 * middle of its write is dropped when the sweep is resumed. The head of the file depends on the call and the
 * program alone; a sweep is resumed only where it is the same to the byte, and each row is that of its place. */
#ifndef MS_SWEEP_FILE_H
#define MS_SWEEP_FILE_H

#include <jansson.h>
#include <sys/types.h>

#include "arguments.h"
#include "resume.h"

typedef struct ms_sweep_file {
    const char *path; /* NULL: standard output */
    ms_format format; /* csv, json or jsonl */
    json_t *columns;  /* of csv; owned */
    bool wide;      /* of csv, for the caller to set: a column for each parameter, not one of JSON for all */
    char *head;     /* owned */
    int descriptor; /* -1: not open */
    bool regular;   /* else written forwards only, the end by ms_sweep_file_close */
    off_t end;      /* where the next row goes */
    long rows;      /* in it */
} ms_sweep_file;

/* Takes the columns (stolen; csv) and makes the head from the provenance (borrowed, an object) and the number
 * of rows of the whole grid. Errors: MS_NO_MEMORY. ms_sweep_file_close is safe after all errors. */
int ms_sweep_file_create(const char *path, ms_format format, json_t *columns, const json_t *provenance,
                         long rows, ms_sweep_file *file, ms_error *error);

/* A new file without rows. Errors: MS_IO, also where another sweep is writing it. */
int ms_sweep_file_begin(ms_sweep_file *file, ms_error *error);

/* Opens what there is (a new file where there is nothing), drops a torn row and leaves the number of rows in
 * file->rows. Errors: MS_IO, MS_INVALID with a line that names the first difference of the heads, or the first row that
 * is not that of its place; the file is left as it was. */
int ms_sweep_file_resume(ms_sweep_file *file, ms_sweep_resume *resume, ms_error *error);

/* A row as its text in the file; NULL: no memory. Freed by the caller. By any thread. */
char *ms_sweep_file_text(const ms_sweep_file *file, json_t *row);

int ms_sweep_file_append(ms_sweep_file *file, const char *text, ms_error *error);
int ms_sweep_file_close(ms_sweep_file *file, ms_error *error); /* safe to repeat */

#endif
