/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sparse.h"

#include <macrostep/status.h>

ms_sparse *ms_sparse_create(int rows, int columns)
{
    const size_t n = (size_t)columns + 1;
    ms_sparse *matrix = calloc(1, sizeof *matrix);
    if (matrix == NULL)
        return NULL;
    matrix->columns = columns;
    matrix->rows_room = rows;
    matrix->row_at = calloc((size_t)rows + 1, sizeof *matrix->row_at);
    matrix->sum = calloc(n, sizeof *matrix->sum);
    matrix->touched = calloc(2 * n, sizeof *matrix->touched);
    if (matrix->row_at == NULL || matrix->sum == NULL || matrix->touched == NULL) {
        ms_sparse_destroy(&matrix);
        return NULL;
    }
    matrix->list = matrix->touched + n;
    return matrix;
}

void ms_sparse_destroy(ms_sparse **matrix)
{
    if (*matrix == NULL)
        return;
    MS_FREE((*matrix)->row_at, (*matrix)->column, (*matrix)->value, (*matrix)->sum, (*matrix)->touched,
            *matrix);
    *matrix = NULL;
}

void ms_sparse_add(ms_sparse *matrix, int column, double value)
{
    if (!matrix->touched[column]) {
        matrix->touched[column] = 1;
        matrix->list[matrix->n_list++] = column;
    }
    matrix->sum[column] += value;
}

void ms_sparse_add_row(ms_sparse *matrix, double factor, const ms_sparse *from, int i)
{
    for (size_t k = from->row_at[i]; k < from->row_at[i + 1]; k++)
        ms_sparse_add(matrix, from->column[k], factor * from->value[k]);
}

static bool reserve(ms_sparse *matrix, size_t entries)
{
    if (entries <= matrix->room)
        return true;
    const size_t room = 2 * entries + 64;
    int *column = realloc(matrix->column, sizeof *column * room);
    if (column != NULL)
        matrix->column = column;
    double *value = realloc(matrix->value, sizeof *value * room);
    if (value != NULL)
        matrix->value = value;
    if (column == NULL || value == NULL)
        return false;
    matrix->room = room;
    return true;
}

int ms_sparse_finish_row(ms_sparse *matrix)
{
    const int row = matrix->rows++;
    size_t at = matrix->row_at[row];
    matrix->no_memory = matrix->no_memory || !reserve(matrix, at + (size_t)matrix->n_list);
    for (int k = 0; k < matrix->n_list; k++) {
        const int column = matrix->list[k];
        if (!matrix->no_memory) {
            matrix->column[at] = column;
            matrix->value[at++] = matrix->sum[column];
        }
        matrix->sum[column] = 0.0;
        matrix->touched[column] = 0;
    }
    matrix->n_list = 0;
    matrix->row_at[row + 1] = at;
    return row;
}

/* How far from the diagonal entries are, at most. */
static int band_of(const ms_sparse *matrix)
{
    int band = 0;
    for (int i = 0; i < matrix->rows; i++)
        for (size_t k = matrix->row_at[i]; k < matrix->row_at[i + 1]; k++) {
            const int off = abs(matrix->column[k] - i);
            band = off > band ? off : band;
        }
    return band;
}

/* Rows from first to last - 1 of a term. b: NULL, or what is added. */
static void fill_term(const ms_sparse *M, int first, int last, double factor, const double *x,
                      const double *b, double *y)
{
    const int *column = M->column;
    const double *value = M->value;
    size_t k = M->row_at[first];
    for (int i = first; i < last; i++) {
        const size_t end = M->row_at[i + 1];
        double sum = 0.0;
        for (; k < end; k++)
            sum += value[k] * x[column[k]];
        y[i] = (b != NULL ? sum + b[i] : sum) * factor;
    }
}

static int within(int i, int n)
{
    return i < 0 ? 0 : i > n ? n : i;
}

/* Of a large banded matrix a strip of rows is taken through all terms before the next one, while it is near: each term a band behind the
 * one before, which it needs. */
void ms_sparse_series(const ms_sparse *matrix, int n, double h, const double *b, double *t)
{
    enum { STRIP = 1024 };
    const int rows = matrix->rows, band = band_of(matrix);
    const bool strips = rows > 2 * STRIP && band < STRIP / n;
    const int strip = strips ? STRIP : rows, behind = strips ? n * band : 0;
    for (int end = strip; end - strip < rows + behind; end += strip)
        for (int k = 1; k <= n; k++) {
            const int shift = strips ? k * band : 0;
            const double *x = t + (size_t)(k - 1) * (size_t)rows;
            fill_term(matrix, within(end - strip - shift, rows), within(end - shift, rows), h / k, x,
                      k == 1 ? b : NULL, t + (size_t)k * (size_t)rows);
        }
}
