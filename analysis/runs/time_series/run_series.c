/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/run_series.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 256 }; /* rows at first */

int ms_run_series_reserve(double **row, long *capacity, long rows, int columns)
{
    if (rows <= *capacity)
        return MS_OK;
    const long wider = *capacity == 0 ? CAPACITY : 2 * *capacity;
    const size_t row_size = sizeof(double) * (size_t)columns;
    if ((size_t)wider > SIZE_MAX / row_size)
        return MS_NO_MEMORY;
    double *moved = realloc(*row, (size_t)wider * row_size);
    MS_TRY_MEMORY(moved);
    *row = moved;
    *capacity = wider;
    return MS_OK;
}

int ms_run_series_hand_on(const ms_series_sink *sink, int columns, double *row, long *rows, int n,
                          long *first)
{
    const size_t size = sizeof(double) * (size_t)columns;
    long done = *rows - 2;
    if (*rows < CAPACITY)
        return MS_OK;
    for (int i = 0; i < n; i++)
        done = first[i] < done ? first[i] : done;
    if (done < CAPACITY / 2)
        return MS_OK;
    const int status = sink->take(sink->self, done, row);
    *rows -= done;
    memmove(row, row + (size_t)done * (size_t)columns, (size_t)*rows * size);
    for (int i = 0; i < n; i++)
        first[i] -= done;
    return status;
}

void ms_run_series_end(double *row, long rows, int columns, double t)
{
    if (rows < 2)
        return;
    double *last = row + (size_t)(rows - 1) * (size_t)columns;
    const double h = last[0] - last[-columns];
    if (fabs(t - last[0]) <= 1e-8 * h + 8.0 * DBL_EPSILON * fabs(t))
        last[0] = t;
}

double *ms_run_series_append(ms_run_series *series)
{
    if (ms_run_series_reserve(&series->row, &series->capacity, series->rows + 1, series->columns) != MS_OK)
        return NULL;
    return ms_run_series_row(series, series->rows++);
}
