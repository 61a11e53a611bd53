/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_series.h - a table of numbers that grows with a run: shared by the observers that keep a series. */
#pragma once

#include <stddef.h>

#include <macrostep/c_linkage.h>
#include <macrostep/run.h>

MS_C_LINKAGE_BEGIN

/* Makes room for `rows` rows of `columns` doubles. What *row points to is moved; *capacity is doubled where
 * it does not suffice. Returns MS_OK, or MS_NO_MEMORY with everything as it was. */
int ms_run_series_reserve(double **row, long *capacity, long rows, int columns);

typedef struct ms_run_series {
    int columns;
    long rows, capacity;
    double *row; /* (rows x columns) */
} ms_run_series;

/* Row n (columns). */
static inline double *ms_run_series_row(const ms_run_series *series, long n)
{
    return series->row + (size_t)n * (size_t)series->columns;
}

/* A new row, of any content; NULL without memory, with everything as it was. */
double *ms_run_series_append(ms_run_series *series);

/* Where rows go as soon as nothing changes them any more, instead of into memory. */
typedef struct ms_series_sink {
    void *self;
    /* REQUIRED: a run begins; then (n) rows more, one behind the other. MS_IO: no more rows are wanted. */
    int (*begin)(void *self, const ms_cosim *cosim);
    int (*take)(void *self, long n, const double *row);
} ms_series_sink;

/* Once there are many of the *rows, hands on those before the earliest one that may still change, and before the last two;
 * the others move to the front. first: (n) the earliest of each subsystem, which moves along. Returns what the sink does. */
int ms_run_series_hand_on(const ms_series_sink *sink, int columns, double *row, long *rows, int n,
                          long *first);

/* The time (column 0) of the last row becomes that at which the run ended, which may differ from the sum t +
 * h of its last macro-step by round-off. A last macro-step without a row, as that of a run that diverged,
 * leaves it as it is. */
void ms_run_series_end(double *row, long rows, int columns, double t);

MS_C_LINKAGE_END
