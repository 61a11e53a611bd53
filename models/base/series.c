/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/series.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int ms_series_create(int columns, const char *const *names, long rows, ms_series **out, ms_error *error)
{
    const size_t n = (size_t)columns, m = (size_t)rows;
    ms_series *series = calloc(1, sizeof *series);
    *out = series;
    MS_TRY_MEMORY_FOR(series != NULL, error, "a time series");
    series->columns = columns;
    series->rows = rows;
    series->path = strdup("");
    series->name = calloc(n + 1, sizeof *series->name);
    series->time = calloc(m + 1, sizeof *series->time);
    series->value = calloc(m * n + 1, sizeof *series->value);
    bool whole =
        series->path != NULL && series->name != NULL && series->time != NULL && series->value != NULL;
    for (size_t k = 0; k < n && whole; k++) {
        series->name[k] = strdup(names[k]);
        whole = series->name[k] != NULL;
    }
    if (whole)
        return MS_OK;
    ms_series_destroy(out);
    return ms_fail(error, MS_NO_MEMORY, "not enough memory for a time series of %ld rows", rows);
}

void ms_series_destroy(ms_series **out)
{
    if (out == NULL || *out == NULL)
        return;
    ms_series *series = *out;
    for (int k = 0; series->name != NULL && k < series->columns; k++)
        free(series->name[k]);
    MS_FREE(series->path, series->name, series->time, series->value, series);
    *out = NULL;
}

bool ms_series_has_gaps(const ms_series *series, int column)
{
    long row = 0;
    while (row < series->rows && !isnan(series->value[row * series->columns + column]))
        row++;
    return row < series->rows;
}

int ms_series_find(const ms_series *series, const char *name)
{
    for (int k = 0; k < series->columns; k++)
        if (strcmp(series->name[k], name) == 0)
            return k;
    return -1;
}

/* The last row at or before t, -1 where there is none. */
static long row_before(const ms_series *series, double t)
{
    long low = -1, high = series->rows; /* time[low] <= t < time[high] */
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;
        if (series->time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void ms_series_interpolate(const ms_series *series, double t, int n, const int *column, double *value)
{
    const long row = row_before(series, t), last = series->rows - 1;
    const long i = row < 0 ? 0 : row, next = row < 0 || row == last ? i : i + 1;
    const double *from = series->value + (size_t)i * (size_t)series->columns;
    const double *to = series->value + (size_t)next * (size_t)series->columns;
    const double part = next > i ? (t - series->time[i]) / (series->time[next] - series->time[i]) : 0.0;
    for (int k = 0; k < n; k++)
        if (column[k] >= 0)
            value[k] = from[column[k]] + part * (to[column[k]] - from[column[k]]);
}

void ms_series_hold(const ms_series *series, double t, int n, const int *column, const bool *held,
                    double *value)
{
    const long row = row_before(series, t);
    const double *from = series->value + (row < 0 ? 0 : (size_t)row) * (size_t)series->columns;
    for (int k = 0; k < n; k++)
        if (held[k] && column[k] >= 0)
            value[k] = from[column[k]];
}

void ms_series_slopes(const ms_series *series, double t, int n, const int *column, double *slope)
{
    const long row = row_before(series, t);
    const bool inside = row >= 0 && row < series->rows - 1;
    const long i = inside ? row : 0;
    const double *from = series->value + (size_t)i * (size_t)series->columns, *to = from + series->columns;
    for (int k = 0; k < n; k++)
        if (column[k] >= 0)
            slope[k] =
                inside ? (to[column[k]] - from[column[k]]) / (series->time[i + 1] - series->time[i]) : 0.0;
}

/* Does a column bend at a row between others? Its value there against that of the line between its neighbours. */
static bool bends(const ms_series *series, long row, int column)
{
    const double *v = series->value + (size_t)row * (size_t)series->columns + column, *t = series->time + row;
    const double before = v[-series->columns], after = v[series->columns], span = t[1] - t[-1];
    const double line = before + (t[0] - t[-1]) / span * (after - before);
    return !(fabs(v[0] - line) <= 4.0 * DBL_EPSILON * (fabs(before) + fabs(after)));
}

void ms_series_find_kinks(const ms_series *series, const bool *marked, long *kink)
{
    long next = series->rows;
    for (long row = series->rows - 1; row >= 0; row--) {
        bool here = row == 0 || row == series->rows - 1; /* outside of the rows values are held */
        for (int k = 0; k < series->columns && !here; k++)
            here = marked[k] && bends(series, row, k);
        next = here ? row : next;
        kink[row] = next;
    }
}

double ms_series_next_kink(const ms_series *series, const long *kink, double t)
{
    const long row = row_before(series, t) + 1;
    return row < series->rows && kink[row] < series->rows ? series->time[kink[row]] : INFINITY;
}
