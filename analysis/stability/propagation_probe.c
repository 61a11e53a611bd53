/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_probe.c - the propagation matrix probed from the implementation: the images of unit vectors under
 * one macro-step of the engine. */
#include <macrostep/propagation.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "propagation_map.h"

/* Above this number of rows the matrix is not formed: at 4000 its eigenvalues take minutes. */
enum { ROWS_MAX = 4000 };

/* States and outputs are a lower bound of its rows. */
int ms_propagation_fits(const ms_system *system, ms_error *error)
{
    const double rows = (double)system->nx + system->ny;
    if (rows <= ROWS_MAX)
        return MS_OK;
    return ms_fail(
        error, MS_INVALID,
        "model %s: its propagation matrix has %g rows or more, which take %.3g GB; all eigenvalues are "
        "computed for at most %d rows, and the largest ones for any number by macrostep spectral `extreme` K",
        system->model->name, rows, 8e-9 * rows * rows, (int)ROWS_MAX);
}

/* Is the image of v = (1, -1/2, 1/3, ..) under the macro-step the combination of the columns, up to the round-off
 * of entries that cancel? For a nonlinear update it is not. to: n doubles. */
static int check_linear(ms_propagation_map *map, const double *psi, double *v, double *to, ms_error *error)
{
    const int n = ms_propagation_map_dimension(map);
    const double left = ms_propagation_map_left_over(map);
    double largest = 0.0;
    for (int j = 0; j < n; j++)
        v[j] = (j % 2 == 0 ? 1.0 : -1.0) / (1 + j);
    if (ms_propagation_map_apply(map, v, to, error) != MS_OK)
        return MS_SOLVER_FAILED;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        largest = fmax(largest, fabs(psi[i]));
    for (int i = 0; i < n; i++) {
        double sum = 0.0, size = 0.0;
        for (int j = 0; j < n; j++) {
            const double term = psi[(size_t)i * (size_t)n + (size_t)j] * v[j];
            sum += term;
            size += fabs(term);
        }
        if (!(fabs(sum - to[i]) <= 1e-6 * size + 1e-9 * largest + left))
            return ms_propagation_map_not_linear(map, error);
    }
    return MS_OK;
}

/* Column by column; v, to: n doubles each. */
static int probe(ms_propagation_map *map, double *psi, double *v, double *to, ms_error *error)
{
    const int n = ms_propagation_map_dimension(map);
    memset(v, 0, sizeof *v * (size_t)n);
    for (int j = 0; j < n; j++) {
        v[j] = 1.0;
        MS_TRY(ms_propagation_map_apply(map, v, to, error));
        v[j] = 0.0;
        for (int i = 0; i < n; i++)
            psi[(size_t)i * (size_t)n + (size_t)j] = to[i];
    }
    return check_linear(map, psi, v, to, error);
}

int ms_propagation_probe(const ms_system *system, const ms_options *options, double h, int *n, double **psi,
                         ms_error *error)
{
    ms_propagation_map *map;
    *psi = NULL;
    int status = ms_propagation_map_create(system, options, h, &map, error);
    if (status != MS_OK)
        return status;
    *n = ms_propagation_map_dimension(map);
    const size_t size = (size_t)*n;
    double *v = malloc(sizeof *v * (2 * size + 1));
    *psi = calloc(size * size + 1, sizeof(double));
    if (v == NULL || *psi == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for a matrix of %d rows", *n);
    else
        status = probe(map, *psi, v, v + size, error);
    free(v);
    ms_propagation_map_destroy(&map);
    if (status != MS_OK) {
        free(*psi);
        *psi = NULL;
    }
    return status;
}
