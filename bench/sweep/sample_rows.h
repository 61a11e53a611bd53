/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample_rows.h - the rows of a sweep with random parameters, of which those that differ in the draw alone become one. */
#ifndef MS_SAMPLE_ROWS_H
#define MS_SAMPLE_ROWS_H

#include "sweep.h"

typedef struct ms_sample_group ms_sample_group;

typedef struct ms_sample_rows {
    const ms_sweep *sweep;
    long n_rows, n;         /* rows of the grid, and groups of them */
    long *place;            /* (n_rows) of a row: its group times the number of draws, and its draw */
    ms_sample_group *group; /* (n) */
} ms_sample_rows;

/* Goes through the grid. Errors: those of ms_sweep_next. Destroying is safe after them. */
int ms_sample_rows_create(const ms_sweep *sweep, long n_rows, ms_sample_rows *rows, ms_error *error);
void ms_sample_rows_destroy(ms_sample_rows *rows);

/* Takes what is measured of row k (borrowed). Errors: MS_NO_MEMORY. */
int ms_sample_rows_take(ms_sample_rows *rows, long k, json_t *row, ms_error *error);

/* The groups of which all draws are there, as {"model", "case", "member", "parameters", "scheme", "ended", "reasons", "message", "note"} and
 * the quantiles of what is measured, {"min", "q05", "q25", "median", "q75", "q95", "max"} each; values: with "values" of all
 * draws. What is not known counts as larger than all else. NULL: no memory. */
json_t *ms_sample_rows_answer(ms_sample_rows *rows, bool values);

/* {"NAME": [draws], ..} of the random parameters. NULL: no memory. */
json_t *ms_sample_draws(const ms_sweep *sweep);

#endif
