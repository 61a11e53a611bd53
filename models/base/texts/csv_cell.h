/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_cell.h - CSV as it is read: records of cells, those with commas, quotes or ends of lines in quotes (RFC 4180). */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* The next record, of several lines where a quote is open at their ends, into *text of *size bytes, as getline does; without the end
 * of its last line. A line that begins with # is one. *lines: how many there were. -1: the end of the file, or errno. */
ssize_t ms_csv_record(FILE *file, char **text, size_t *size, long *lines);

/* Is a quote open at its end? */
bool ms_csv_is_open(const char *text);

int ms_csv_count(const char *text); /* cells of a record */

/* Cuts the cell that begins at *next off, quotes undone in place; *next is NULL behind the last one. An unquoted one is without the blanks
 * around it. quoted may be NULL. */
char *ms_csv_cut(char **next, bool *quoted);
