/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - the files that --shard I/N has made of the rows of one call, read together.
 *
 * A part is a file of sweep_file.h whose provenance names its shard, and so is its head but for that the head of the
 * whole. Rows are read in the order of the grid, one file at a time, so that neither memory nor the number of open
 * files grows with rows or parts. */
#ifndef MS_PARTS_H
#define MS_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "arguments.h"

typedef struct ms_part {
    const char *path;
    char *head; /* without the shard; owned */
    ms_shard shard;
    long rows; /* of the whole grid */
    long at;   /* place in the file of the next row [byte] */
} ms_part;

typedef struct ms_parts {
    ms_part *part; /* (n) part I stands at I - 1 */
    int n;
    ms_format format;
    const char *head;   /* of the whole */
    json_t *provenance; /* of json; owned */
    long rows;
    int open; /* the part that `file` reads, or -1 */
    FILE *file;
    char *line;
    size_t capacity;
} ms_parts;

/* Reads the heads, and counts the rows. MS_INVALID with a line that names the file and what is wrong with it: it cannot
 * be read, is no part, belongs to another call, stands twice, has not all rows; or the parts that are missing. MS_NO_MEMORY. Closing is safe after
 * all of them. */
int ms_parts_open(char *const *paths, int n, ms_parts *parts, ms_error *error);
void ms_parts_close(ms_parts *parts);

/* Row k of the grid, which is asked for in ascending order from 0 on: its text as in the file, without what sets it
 * apart from others. It is valid until the next one. MS_INVALID where the file cannot be read any more. */
int ms_parts_row(ms_parts *parts, long k, const char **text, size_t *length, ms_error *error);

/* What ends the file of the whole. */
const char *ms_parts_tail(const ms_parts *parts);

#endif
