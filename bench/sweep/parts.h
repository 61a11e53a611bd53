/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - the files that --shard I/N has made of the rows of one call, read together.
 *
 * A part is a file of sweep_file.h whose provenance names its shard, and so is its head but for that the head of the
 * whole. Rows are read in the order of the grid, one file at a time, so that neither memory nor the number of open
 * files grows with rows or parts. */
#ifndef MS_PARTS_H
#define MS_PARTS_H

#include <jansson.h>

#include "row_reader.h"
#include "shard.h"
#include "status.h"

typedef struct ms_part {
    const char *path;
    ms_shard shard;
    off_t at; /* place in the file of the next row [byte] */
} ms_part;

typedef struct ms_parts {
    ms_part *part; /* (n) part I has place I - 1 */
    int n;
    const char *first;  /* path of the one that was given first, */
    char *head;         /* and its head, which is that of the whole; owned */
    json_t *provenance; /* of json; owned */
    long rows;
    const ms_part *open; /* the part that is read, or NULL */
    ms_row_reader reader;
} ms_parts;

/* Reads the heads, and counts the rows. MS_INVALID with a line that names the file and what is wrong with it: it cannot
 * be read, is no part, belongs to another call, is there twice, has not all rows; or the parts that are missing. MS_NO_MEMORY. Closing is safe after
 * all of them. */
int ms_parts_open(char *const *paths, int n, ms_parts *parts, ms_error *error);
void ms_parts_close(ms_parts *parts);

/* Row k of the grid, which is asked for in ascending order from 0 on: its text as in the file, without what separates it
 * from others. It is valid until the next one. MS_INVALID where the file cannot be read any more. */
int ms_parts_row(ms_parts *parts, long k, const char **text, size_t *length, ms_error *error);

#endif
