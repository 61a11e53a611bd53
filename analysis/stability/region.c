#include "region.h"

#include "region_field.h"

enum { PIECE = 256 }; /* nodes of a row that a thread takes at once */

bool ms_region_monotonic(int n, const double *x)
{
    for (int k = 1; k < n; k++)
        if (x[1] > x[0] ? !(x[k] > x[k - 1]) : !(x[k] < x[k - 1]))
            return false;
    return true;
}

int ms_raster_check(const ms_raster *raster, ms_error *error)
{
    if (raster->nx < 2 || raster->ny < 2 || raster->nx > MS_RASTER_MAX / raster->ny)
        return ms_fail(error, MS_INVALID, "a map of %d x %d points: at least 2 x 2 and at most %d in all",
                       raster->nx, raster->ny, MS_RASTER_MAX);
    if (!ms_region_monotonic(raster->nx, raster->x) || !ms_region_monotonic(raster->ny, raster->y))
        return ms_fail(error, MS_INVALID, "the values of an axis of a map must ascend or descend");
    return MS_OK;
}

int ms_field_crew(const ms_field *field, const ms_effort *effort, ms_crew *crew, ms_error *error)
{
    const ms_contexts contexts = {.self = field->self, .open = field->open, .close = field->close};
    return ms_crew_create(&contexts, effort, crew, error);
}

int ms_field_value(const ms_field *field, const ms_crew *crew, double x, double y, double *value,
                   ms_error *error)
{
    return field->value(crew->context[0], x, y, value, error);
}

typedef struct map_job {
    const ms_field *field;
    const ms_raster *raster;
    double *value;
} map_job;

static int pieces_of_row(const ms_raster *raster)
{
    return (raster->nx - 1) / PIECE + 1;
}

static int map_piece(void *job, void *context, int k, ms_error *error)
{
    const map_job *map = job;
    const ms_raster *raster = map->raster;
    const int j = k / pieces_of_row(raster), begin = k % pieces_of_row(raster) * PIECE;
    const int end = raster->nx - begin > PIECE ? begin + PIECE : raster->nx;
    double *row = map->value + (size_t)j * (size_t)raster->nx;
    int status = MS_OK;
    for (int i = begin; i < end && status == MS_OK; i++)
        status = map->field->value(context, raster->x[i], raster->y[j], &row[i], error);
    return status;
}

int ms_region_map(const ms_field *field, const ms_raster *raster, const ms_effort *effort, double *value,
                  ms_error *error)
{
    ms_crew crew;
    map_job job = {field, raster, value};
    int status = ms_raster_check(raster, error);
    if (status != MS_OK)
        return status;
    status = ms_field_crew(field, effort, &crew, error);
    if (status == MS_OK)
        status = ms_crew_work(&crew, pieces_of_row(raster) * raster->ny, 1, map_piece, &job, error);
    ms_crew_destroy(&crew);
    return status;
}
