/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_scan.h - the rows of a file that a sweep has left: whole, torn at the end, or damaged. */
#ifndef MS_SWEEP_SCAN_H
#define MS_SWEEP_SCAN_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "resume.h"
#include "row_check.h"

typedef struct ms_sweep_scan {
    ms_row_form form;
    const ms_sweep_resume *places;
    off_t end;     /* behind the last right row; at first where rows begin */
    long line;     /* that comes next, counted from 1 */
    long rows;     /* right ones */
    bool damaged;  /* what follows on them is more than one row that was cut in the middle of its write: */
    ms_error what; /* of the line, what is wrong with it */
} ms_sweep_scan;

/* Reads from where the stream stands. A row that was cut counts as none. Errors: MS_NO_MEMORY, MS_INTERRUPTED, those
 * of places->shape. */
int ms_sweep_scan_rows(ms_sweep_scan *scan, FILE *stream, ms_error *error);

#endif
