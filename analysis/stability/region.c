/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/region.h>

#include "growing.h"
#include "region_parts.h"

enum { PIECE = 256 }; /* nodes of a row evaluated by a thread at once */

bool ms_region_monotonic(int n, const double *x)
{
    for (int k = 1; k < n; k++)
        if (x[1] > x[0] ? !(x[k] > x[k - 1]) : !(x[k] < x[k - 1]))
            return false;
    return true;
}

int ms_region_grid_check(const ms_region_grid *grid, ms_error *error)
{
    if (grid->nx < 2 || grid->ny < 2 || grid->nx > MS_REGION_GRID_MAX / grid->ny)
        return ms_fail(error, MS_INVALID, "a map of %d x %d points: at least 2 x 2 and at most %d in all",
                       grid->nx, grid->ny, MS_REGION_GRID_MAX);
    if (!ms_region_monotonic(grid->nx, grid->x) || !ms_region_monotonic(grid->ny, grid->y))
        return ms_fail(error, MS_INVALID, "the values of an axis of a map must ascend or descend");
    return MS_OK;
}

int ms_field_threads(const ms_field *field, const ms_effort *effort, ms_thread_pool *pool, ms_error *error)
{
    const ms_contexts contexts = {.self = field->self, .open = field->open, .close = field->close};
    return ms_thread_pool_create(&contexts, effort, pool, error);
}

int ms_field_value(const ms_field *field, const ms_thread_pool *pool, double x, double y, double *value,
                   ms_error *error)
{
    return field->value(pool->context[0], x, y, value, error);
}

typedef struct map_job {
    const ms_field *field;
    const ms_region_grid *grid;
    double *value;
} map_job;

static int pieces_of_row(const ms_region_grid *grid)
{
    return (grid->nx - 1) / PIECE + 1;
}

int ms_region_pieces(const ms_region_grid *grid)
{
    return pieces_of_row(grid) * grid->ny;
}

int ms_region_piece(const ms_region_grid *grid, int k, int *i, int *j)
{
    *j = k / pieces_of_row(grid);
    *i = k % pieces_of_row(grid) * PIECE;
    return grid->nx - *i > PIECE ? PIECE : grid->nx - *i;
}

int ms_region_map_piece(const ms_field *field, void *context, const ms_region_grid *grid, int k,
                        double *value, ms_error *error)
{
    int begin, j, status = MS_OK;
    const int n = ms_region_piece(grid, k, &begin, &j);
    for (int i = 0; i < n && status == MS_OK; i++)
        status = field->value(context, grid->x[begin + i], grid->y[j], &value[i], error);
    return status;
}

static int map_piece(void *job, void *context, int k, ms_error *error)
{
    const map_job *map = job;
    int i, j;
    (void)ms_region_piece(map->grid, k, &i, &j);
    double *value = map->value + (size_t)j * (size_t)map->grid->nx + i;
    return ms_region_map_piece(map->field, context, map->grid, k, value, error);
}

int ms_region_map(const ms_field *field, const ms_region_grid *grid, const ms_effort *effort, double *value,
                  ms_error *error)
{
    ms_thread_pool pool;
    map_job job = {field, grid, value};
    MS_TRY(ms_region_grid_check(grid, error));
    int status = ms_field_threads(field, effort, &pool, error);
    MS_THEN(status, ms_thread_pool_work(&pool, ms_region_pieces(grid), 1, map_piece, &job, error));
    ms_thread_pool_destroy(&pool);
    return status;
}

int ms_scan_add(ms_scan *s, double x, double value, ms_error *error)
{
    if (!(x > 0.0 && x < s->point[s->n - 1].x))
        return MS_OK;
    MS_TRY_MEMORY_FOR(ms_grow(&s->added, &s->size, (size_t)s->more + 1, sizeof *s->added), error,
                      "%d step sizes", s->more + 1);
    s->added[s->more++] = (ms_scan_point){x, value};
    return MS_OK;
}
