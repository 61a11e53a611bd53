/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "band.h"

#include <string.h>

#include <macrostep/status.h>
#include "long_call.h"

ms_band *ms_band_create(int n, int width)
{
    ms_band *band = calloc(1, sizeof *band);
    if (band == NULL)
        return NULL;
    band->n = n;
    band->width = width;
    band->value = calloc((size_t)n * (size_t)(2 * width + 1) + 1, sizeof(double));
    if (band->value == NULL)
        ms_band_destroy(&band);
    return band;
}

void ms_band_destroy(ms_band **band)
{
    if (*band == NULL)
        return;
    MS_FREE((*band)->value, (*band)->factor, (*band)->pivots, *band);
    *band = NULL;
}

/* Columns first .. last - 1 of row i are within the band. */
static void columns_of(const ms_band *band, int i, int *first, int *last)
{
    *first = i > band->width ? i - band->width : 0;
    *last = band->n - i > band->width ? i + band->width + 1 : band->n;
}

void ms_band_multiply(const ms_band *band, const double *v, double *to)
{
    for (int i = 0; i < band->n; i++) {
        int first, last;
        columns_of(band, i, &first, &last);
        const double *row = ms_band_entry(band, i, first);
        double sum = 0.0;
        for (int j = first; j < last; j++)
            sum += row[j - first] * v[j];
        to[i] = sum;
    }
}

/* Diagonals below the main one, as many above it, and rows of LAPACK's array. */
static int diagonals(const ms_band *band)
{
    return band->parts * (band->width + 1) - 1;
}

static int stride(const ms_band *band)
{
    return 3 * diagonals(band) + 1;
}

static double *factor_entry(const ms_band *band, int i, int j)
{
    return band->factor + (size_t)j * (size_t)stride(band) + (size_t)(2 * diagonals(band) + i - j);
}

static int make_room(ms_band *band)
{
    const size_t rows = (size_t)band->parts * (size_t)band->n;
    if (band->room < band->parts) {
        MS_FREE(band->factor, band->pivots);
        band->room = 0;
        band->factor = malloc(sizeof(double) * (rows * ((size_t)stride(band) + 1) + 1));
        band->pivots = malloc(sizeof *band->pivots * (rows + 1));
        MS_TRY_MEMORY(band->factor != NULL && band->pivots != NULL);
        band->room = band->parts;
    }
    band->work = band->factor + rows * (size_t)stride(band);
    return MS_OK;
}

/* (a + i b) (x + i y) has the real form [a, -b; b, a] [x; y]: numbers become two rows and two columns side by side. */
static void fill(ms_band *band, double re, double im)
{
    const int parts = band->parts;
    memset(band->factor, 0, sizeof(double) * (size_t)parts * (size_t)band->n * (size_t)stride(band));
    for (int i = 0; i < band->n; i++) {
        int first, last;
        columns_of(band, i, &first, &last);
        for (int j = first; j < last; j++)
            for (int c = 0; c < parts; c++)
                *factor_entry(band, parts * i + c, parts * j + c) =
                    *ms_band_entry(band, i, j) - (i == j ? re : 0.0);
        if (parts == 2) {
            *factor_entry(band, 2 * i, 2 * i + 1) = im;
            *factor_entry(band, 2 * i + 1, 2 * i) = -im;
        }
    }
}

int ms_band_factor(ms_band *band, double re, double im)
{
    band->parts = im != 0.0 ? 2 : 1;
    MS_TRY(make_room(band));
    fill(band, re, im);
    const int n = band->parts * band->n, d = diagonals(band);
    const double operations = 4.0 * n * d * d;
    ms_long_call_begin(operations);
    const int info =
        LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, d, d, band->factor, stride(band), band->pivots);
    ms_long_call_end(operations);
    return info == 0 ? MS_OK : MS_SOLVER_FAILED;
}

void ms_band_solve(const ms_band *band, const double *v, double *to)
{
    const int parts = band->parts, n = parts * band->n, d = diagonals(band);
    double *work = parts == 2 ? band->work : to;
    memset(work, 0, sizeof *work * (size_t)n);
    for (int i = 0; i < band->n; i++)
        work[parts * i] = v[i];
    LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, d, d, 1, band->factor, stride(band), band->pivots, work, n);
    for (int i = 0; i < band->n && parts == 2; i++)
        to[i] = work[2 * i];
}
