/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.h - time series: measurements and recorded inputs. */
#pragma once

#include <stdbool.h>

#include <macrostep/c_linkage.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_series {
    char *path;     /* where it was read; "" where it was made */
    int columns;    /* without the time */
    char **name;    /* (columns) */
    long rows;      /* at least 1 */
    double *time;   /* (rows) ascending [s]; a jump is two rows, ms_series_jump apart */
    double *value;  /* (rows x columns); NaN: an empty cell */
    long name_line; /* last line of the names in the file; row r is in line name_line + 1 + r */
} ms_series;

/* The width of a jump at t [s]: the row before it is that much earlier. */
static inline double ms_series_jump(double t)
{
    return 1e-12 * (t > 1.0 ? t : t < -1.0 ? -t : 1.0);
}

/* Zeroed times and values, for the caller to fill. Errors: MS_NO_MEMORY. */
int ms_series_create(int columns, const char *const *names, long rows, ms_series **series, ms_error *error);
void ms_series_destroy(ms_series **series); /* NULL-safe */

/* Index of the column of that name, or -1. */
int ms_series_find(const ms_series *series, const char *name);

/* Has the column a row without a value? */
bool ms_series_has_gaps(const ms_series *series, int column);

/* value[k] = column[k] at t, linear between rows (Andersson 9.7), for all k < n with column[k] >= 0. Constant before
 * the first and after the last row; users ensure that times lie inside, with a margin for difference quotients.
 * Binary search: thread-safe. */
void ms_series_interpolate(const ms_series *series, double t, int n, const int *column, double *value);

/* The same only for the marked columns (n), which are held from each row to the next. */
void ms_series_hold(const ms_series *series, double t, int n, const int *column, const bool *held,
                    double *value);

/* The slopes of the same; at a row that of the line behind it, before the first and from the last row on zero. */
void ms_series_slopes(const ms_series *series, double t, int n, const int *column, double *slope);

/* For each row the first one from there on at which one of the marked columns (columns) has a kink beyond round-off; the
 * number of rows if there is none. */
void ms_series_find_kinks(const ms_series *series, const bool *marked, long *kink);

/* The time of the first kink behind t, or INFINITY: between kinks the interpolant is smooth. */
double ms_series_next_kink(const ms_series *series, const long *kink, double t);

MS_C_LINKAGE_END
