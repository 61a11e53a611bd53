/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boundary curves in the plane of the two-mass oscillator: sides, fewer points, islands. */
#include <stdlib.h>

#include "macrostep_rho.h"
#include "macrostep_two_mass.h"

ms_region_grid ms_plane_grid(int n, double *x, double *y)
{
    ms_fill_axis(n, step_range[0], step_range[1], x);
    ms_fill_axis(n, ratio_range[0], ratio_range[1], y);
    return (ms_region_grid){n, n, x, y};
}

/* Known values ------------------------------------------------------------------------------------------- */

typedef struct cache_context {
    const ms_field_cache *cache;
    void *inner;
} cache_context;

static int cache_open(void *self, void **context, ms_error *error)
{
    cache_context *c = calloc(1, sizeof *c);
    *context = c;
    if (c == NULL)
        return ms_fail(error, MS_NO_MEMORY, "not enough memory for a map of stability");
    c->cache = self;
    return c->cache->field->open(c->cache->field->self, &c->inner, error);
}

static void cache_close(void **context)
{
    cache_context *c = *context;
    if (c != NULL)
        c->cache->field->close(&c->inner);
    free(c);
    *context = NULL;
}

/* The largest k with x[k] <= value, or 0. */
static int node_below(int n, const double *x, double value)
{
    int low = 0, high = n;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(x[middle] <= value ? &low : &high) = middle;
    }
    return low;
}

static int cache_value(void *context, double x, double y, double *value, ms_error *error)
{
    const cache_context *c = context;
    const ms_field_cache *cache = c->cache;
    const int i = node_below(cache->n, cache->x, x), j = node_below(cache->n, cache->y, y);
    if (cache->x[i] != x || cache->y[j] != y)
        return cache->field->value(c->inner, x, y, value, error);
    *value = cache->value[j * cache->n + i];
    return MS_OK;
}

ms_field ms_cached_field(ms_field_cache *cache)
{
    return (ms_field){.self = cache, .open = cache_open, .close = cache_close, .value = cache_value};
}

/* Sides -------------------------------------------------------------------------------------------------- */

static bool is_closed(const ms_boundary *b, int curve)
{
    const double *first = b->points + 2 * b->begin[curve], *last = b->points + 2 * b->begin[curve + 1] - 2;
    return first[0] == last[0] && first[1] == last[1];
}

void ms_plane_fill(const ms_boundary *b, int n, const double *x, const double *y, bool *stable)
{
    for (int k = 0; k < n * n; k++)
        stable[k] = false; /* is there a change at this node? */
    for (int curve = 0; curve < b->n; curve++)
        for (int k = b->begin[curve] + is_closed(b, curve); k < b->begin[curve + 1]; k++) {
            const double *p = b->points + 2 * k;
            const int i = node_below(n, x, p[0]) + 1, j = node_below(n, y, p[1]);
            if (y[j] == p[1] && i < n)
                stable[j * n + i] = !stable[j * n + i];
        }
    for (int j = 0; j < n; j++) {
        stable[j * n] = true;
        for (int i = 1; i < n; i++)
            stable[j * n + i] = stable[j * n + i] != stable[j * n + i - 1];
    }
}

/* Curves ------------------------------------------------------------------------------------------------- */

/* Both axes from 0 to 1. */
static void place(const double point[2], double at[2])
{
    at[0] = log(point[0] / step_range[0]) / log(step_range[1] / step_range[0]);
    at[1] = log(point[1] / ratio_range[0]) / log(ratio_range[1] / ratio_range[0]);
}

/* From c to the segment a b. */
static double distance(const double a[2], const double b[2], const double c[2])
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    const double s = length > 0.0 ? ((c[0] - a[0]) * dx + (c[1] - a[1]) * dy) / length : 0.0;
    const double t = fmin(1.0, fmax(0.0, s));
    return hypot(c[0] - a[0] - t * dx, c[1] - a[1] - t * dy);
}

/* Marks between first and last what is farther from the chord than the tolerance (Douglas and Peucker). */
static void mark(double (*at)[2], int first, int last, bool *keep)
{
    static const double tolerance = 5e-4;
    double farthest = tolerance;
    int k = -1;
    for (int i = first + 1; i < last; i++) {
        const double d = distance(at[first], at[last], at[i]);
        if (d > farthest) {
            farthest = d;
            k = i;
        }
    }
    keep[first] = keep[last] = true;
    if (k < 0)
        return;
    mark(at, first, k, keep);
    mark(at, k, last, keep);
}

/* Extent and middle of a curve, in the plane from 0 to 1. */
static double extent(double (*at)[2], int n, double middle[2])
{
    double largest = 0.0;
    for (int d = 0; d < 2; d++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++)
            ms_widen(&low, &high, at[i][d]);
        middle[d] = 0.5 * (low + high);
        largest = fmax(largest, high - low);
    }
    return largest;
}

/* One curve; at, keep: space for all points of the boundary. */
static void write_curve(const ms_boundary *b, int curve, double tag, double least, double (*at)[2],
                        bool *keep, ms_data *curves, ms_data *islands)
{
    const int first = b->begin[curve], end = b->begin[curve + 1];
    double middle[2];
    for (int k = first; k < end; k++)
        place(b->points + 2 * k, at[k]);
    if (is_closed(b, curve) && extent(at + first, end - first, middle) < least) {
        const double row[] = {tag, step_range[0] * pow(step_range[1] / step_range[0], middle[0]),
                              ratio_range[0] * pow(ratio_range[1] / ratio_range[0], middle[1])};
        ms_data_row(islands, row);
        return;
    }
    mark(at, first, end - 1, keep);
    for (int k = first; k < end; k++)
        if (keep[k])
            MS_ROW(curves, tag, b->points[2 * k], b->points[2 * k + 1]);
    ms_data_break(curves);
}

int ms_plane_write(const ms_boundary *b, double tag, int n, int cells, ms_data *curves, ms_data *islands,
                   ms_error *error)
{
    const size_t points = (size_t)(b->n > 0 ? b->begin[b->n] : 0) + 1;
    double(*at)[2] = calloc(points, sizeof *at);
    bool *keep = calloc(points, sizeof *keep);
    const bool enough = at != NULL && keep != NULL;
    for (int curve = 0; enough && curve < b->n; curve++)
        write_curve(b, curve, tag, (double)cells / (n - 1), at, keep, curves, islands);
    free(at);
    free(keep);
    return enough ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for a boundary");
}
