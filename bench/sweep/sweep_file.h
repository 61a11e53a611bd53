/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_file.h - the file of a sweep, or of a part of other rows, which grows row by row and is valid all the time.
 *
 * Rows are appended in grid order, each together with the end of the file in one write, so that whenever the program
 * ends (even by kill -9) the file is valid CSV or JSON with the rows so far; a row that was cut in the middle of its
 * write is dropped when the sweep is resumed. The head of the file depends only on the call and the program; a sweep
 * is resumed only if the head is identical and each row has the key of its place. */
#pragma once

#include <sys/types.h>

#include "row_text.h"
#include "shard.h"

typedef struct ms_sweep_file {
    const char *path; /* NULL: standard output */
    ms_row_form form; /* `wide` and `more` are set by the caller; columns are owned */
    char *head;       /* owned */
    int descriptor;   /* -1: not open */
    bool regular;     /* otherwise written sequentially, the end by ms_sweep_file_close */
    off_t end;        /* position of the next row */
    long rows;        /* number of rows in it */
} ms_sweep_file;

/* The rows that a file should hold. */
typedef struct ms_row_keys {
    ms_shard shard;
    long n; /* rows of the grid */
    void *self;
    /* REQUIRED: row k of the grid without its run, freed by the caller; k ascends. A row that does not match is compared with
     * the one that `again` gives for the same k; NULL: there is only one. */
    int (*shape)(void *self, long k, bool again, json_t **row, ms_error *error);
    bool resume;       /* rows are appended to the file; otherwise it is restarted */
    bool repair;       /* rows from the first wrong one on are dropped; otherwise they are refused */
    ms_error repaired; /* message about that; empty: nothing was wrong */
} ms_row_keys;

/* Takes the columns (stolen; csv) and makes the head from the provenance (borrowed, an object) and the number
 * of rows of the whole grid. Errors: MS_NO_MEMORY. ms_sweep_file_close is safe after all errors. */
int ms_sweep_file_create(const char *path, ms_format format, json_t *columns, const json_t *provenance,
                         long rows, ms_sweep_file *file, ms_error *error);

/* Opens the file, without rows or, to resume, with the existing ones except an incomplete last one. keys NULL: existing rows
 * are discarded. Errors: MS_IO, also where another sweep is writing it; MS_INVALID with a message that names the first
 * difference of the heads, or the first row that does not belong to its place, or that rows of this part would be lost; the
 * file is left unchanged. */
int ms_sweep_file_open(ms_sweep_file *file, ms_row_keys *keys, ms_error *error);

int ms_sweep_file_append(ms_sweep_file *file, const char *text, ms_error *error);
int ms_sweep_file_close(ms_sweep_file *file, ms_error *error); /* idempotent */
