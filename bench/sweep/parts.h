/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - the files that --shard I/N has made of the rows of one call, read together.
 *
 * A part is a file of sweep_file.h whose provenance names its shard; apart from that its head is the head of the
 * whole. Rows are read in the order of the grid, one file at a time, so that neither memory nor the number of open
 * files grows with the rows. */
#pragma once

#include <jansson.h>

#include "row_reader.h"
#include "shard.h"

typedef struct ms_part {
    const char *path;
    off_t at; /* position of the next row in the file [byte] */
} ms_part;

typedef struct ms_parts {
    ms_part *part; /* (n) part I is at I - 1 */
    int n;
    const char *first; /* path of the part that was named first */
    ms_format format;
    char *head;         /* of the whole; owned */
    json_t *provenance; /* of the whole, and "rows_of_grid"; owned */
    long rows;
    int open;             /* the part that is being read, or -1 */
    ms_row_reader reader; /* of it */
} ms_parts;

/* Reads all files. MS_IO (a file cannot be read), MS_INVALID with a message that names the file and its fault (it is not a part,
 * belongs to another call, occurs twice, lacks rows) or the missing parts. MS_NO_MEMORY. Closing is safe after all
 * of them. */
int ms_parts_open(char *const *paths, int n, ms_parts *parts, ms_error *error);
void ms_parts_close(ms_parts *parts);

/* Row k of the grid, asked for in ascending order from 0, becomes the text of parts->reader. MS_INVALID if
 * the file can no longer be read. */
int ms_parts_row(ms_parts *parts, long k, ms_error *error);
