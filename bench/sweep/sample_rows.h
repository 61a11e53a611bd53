/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample_rows.h - the rows of a sweep with random parameters; rows that differ only in the draw become one. */
#pragma once

#include "sweep.h"

typedef struct ms_sample_group ms_sample_group;

typedef struct ms_sample_rows {
    const ms_sweep *sweep;
    long n_rows, n;         /* rows of the grid, and groups of them */
    long *place;            /* (n_rows) for each row: its group times the number of draws, plus its draw */
    ms_sample_group *group; /* (n) */
} ms_sample_rows;

/* Traverses the grid. Errors: those of ms_sweep_next. Destroying is safe after them. */
int ms_sample_rows_create(const ms_sweep *sweep, long n_rows, ms_sample_rows *rows, ms_error *error);
void ms_sample_rows_destroy(ms_sample_rows *rows);

/* Takes the measured values of row k (borrowed). Errors: MS_NO_MEMORY. */
int ms_sample_rows_take(ms_sample_rows *rows, long k, json_t *row, ms_error *error);

/* The groups whose draws are complete, as {"model", "case", "member", "parameters", "scheme", "ended", "reasons", "message", "note"} and
 * the quantiles of the measured values, {"min", "q05", "q25", "median", "q75", "q95", "max"} each; values: with "values" of all
 * draws. Unknown values count as larger than all others. NULL: no memory. */
json_t *ms_sample_rows_answer(ms_sample_rows *rows, bool values);

/* {"NAME": [draws], ..} of the random parameters. NULL: no memory. */
json_t *ms_sample_draws(const ms_sweep *sweep);
