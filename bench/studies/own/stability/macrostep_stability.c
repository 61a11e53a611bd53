/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements of spectral radii: over the step size, and of the growth observed in the implementation.
 *
 *     stability-line N LEAST LARGEST MARKED stability MODEL ..     N radii from LEAST to LARGEST in equal ratios,
 *         the radius at MARKED (0: none), the critical step size up to LARGEST (null: there is none), and as a text the
 *         stable intervals behind the first
 *     growth LONGEST H stability MODEL ..      the growth of a random memory without inputs from outside in at most LONGEST
 *         macro-steps H, less the radius, and whether it settled to 1e-6
 *
 * And of stability in the plane of the two-mass oscillator:
 *
 *     stability-map MAP FINE CELLS OUTSIDE stability two-mass-oscillator ..
 *
 * step, ratio, rho: radii on a grid of MAP x MAP points in equal ratios. With FINE > 0 also the curves where the radius is 1, traced on
 * a grid of FINE x FINE points: curve, curve_step, curve_ratio. With CELLS > 0 these are without points that lie within 5e-4 of the
 * plane's width of the curve through the others, and closed curves that span less than CELLS cells of the grid in both directions are
 * left to island_step, island_ratio, their middles; OUTSIDE 1: behind both stands a point outside the plane, so that neither is empty,
 * which gnuplot warns of. Where the grid holds all points of the map `stable` are its nodes by the curves, and `other_side` those of
 * the map that their radius puts on another side. */
#include <math.h>

#include <macrostep/propagation.h>
#include <macrostep/stability.h>
#include "arguments.h"
#include "growth.h"
#include "measurement.h"

/* Spectral radii ------------------------------------------------------------------------------------------ */

enum { LARGEST = 200, STEPS_MAX = 256 };

/* Over the step size, and over the parameter of that name; NULL: over the step size alone. It keeps pointers to the study. */
static ms_stability stability_of(const ms_study *study, const char *name)
{
    const ms_model *model = study->system->model;
    return (ms_stability){
        .model = model,
        .case_name = study->system->case_name,
        .settings = study->arguments->settings,
        .n_settings = study->arguments->n_settings,
        .options = &study->arguments->options,
        .axis = {MS_AXIS_STEP_SIZE, name != NULL ? ms_model_parameter(model, name) : MS_AXIS_NONE}};
}

/* n points from least to largest in equal ratios. */
static void fill_axis(int n, double least, double largest, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = least * pow(largest / least, (double)k / (n - 1));
}

/* "0.12 .. 0.15, .." of the intervals behind the first. */
static json_t *regained(ms_drawing *drawing, const ms_critical *c, double end)
{
    const char *text = "";
    for (int k = 0; k < c->n; k++)
        if (c->interval[k][0] > 0.0)
            text =
                ms_drawing_text(drawing, "%s%s%.4g .. %s%.4g", text, text[0] != '\0' ? ", " : "",
                                c->interval[k][0], c->interval[k][1] >= end ? ">= " : "", c->interval[k][1]);
    return json_string(text);
}

static int measure_curve(const ms_field *field, int n, const double range[2], const ms_effort *effort,
                         json_t *answer, ms_error *error)
{
    double step[STEPS_MAX], both[2 * STEPS_MAX]; /* the plane has two equal rows */
    if (n > STEPS_MAX)
        return ms_fail(error, MS_INVALID, "%d step sizes are more than %d", n, STEPS_MAX);
    fill_axis(n, range[0], range[1], step);
    const ms_region_grid grid = {n, 2, step, (const double[]){0.0, 1.0}};
    const int status = ms_region_map(field, &grid, effort, both, error);
    json_object_set_new(answer, "step", ms_json_of_vector(n, step));
    json_object_set_new(answer, "rho", ms_json_of_vector(n, both));
    return status;
}

static int measure_line(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[4]; /* how many, from, to, marked */
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    ms_critical critical = {0};
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 4, number));
    if (status == MS_OK) {
        ms_stability stability = stability_of(&study, NULL);
        const ms_field field = ms_stability_field(&stability);
        status = measure_curve(&field, (int)number[0], number + 1, &effort, answer, error);
        MS_THEN(status, ms_region_critical(&field, number[2], &effort, &critical, error));
    }
    if (status == MS_OK && number[3] > 0.0)
        json_object_set_new(
            answer, "marked",
            ms_json_real(ms_propagation_radius(study.system, &study.arguments->options, number[3], LARGEST)));
    if (status == MS_OK) {
        json_object_set_new(answer, "critical", ms_json_real(critical.first));
        json_object_set_new(answer, "regained", regained(drawing, &critical, number[2]));
    }
    ms_critical_destroy(&critical);
    ms_study_destroy(&study);
    return status;
}

static int measure_growth(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[2]; /* longest, H */
    ms_growth growth;
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, 2, number));
    if (status == MS_OK) {
        const ms_growth_options request = {.shortest = 256,
                                           .longest = (int)number[0],
                                           .tolerance = 1e-6,
                                           .seed = 1,
                                           .stop = ms_drawing_stop(drawing)};
        const ms_options *options = &study.arguments->options;
        study.system->homogeneous = true;
        status = ms_growth_observe(study.system, options, number[1], &request, &growth, error);
        if (status == MS_OK) {
            const double radius = ms_propagation_radius(study.system, options, number[1], LARGEST);
            json_object_set_new(answer, "off", ms_json_real(growth.factor - radius));
            json_object_set_new(answer, "settled", json_boolean(growth.settled));
        }
    }
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_stability_line = {"stability-line", measure_line, NULL};
const ms_measurement ms_measurement_growth = {"growth", measure_growth, NULL};

static const double step_range[] = {0.01, 10.0}, ratio_range[] = {0.01, 100.0}; /* H omega1, m2/m1 */

/* A grid of the plane, and values on it. */
typedef struct plane {
    int n;
    double *x, *y, *value; /* (n), (n), (n x n), owned */
} plane;

static ms_region_grid grid_of(const plane *p)
{
    return (ms_region_grid){p->n, p->n, p->x, p->y};
}

static int plane_create(int n, plane *p, ms_error *error)
{
    const size_t size = (size_t)n;
    *p = (plane){.n = n, .x = calloc(size + 1, sizeof *p->x), .y = calloc(size + 1, sizeof *p->y)};
    p->value = calloc(size * size + 1, sizeof *p->value);
    MS_TRY_MEMORY_FOR(p->x != NULL && p->y != NULL && p->value != NULL, error, "a map of stability");
    fill_axis(n, step_range[0], step_range[1], p->x);
    fill_axis(n, ratio_range[0], ratio_range[1], p->y);
    return MS_OK;
}

static void plane_free(plane *p)
{
    MS_FREE(p->x, p->y, p->value);
}

/* Known values ------------------------------------------------------------------------------------------- */

/* A field that takes its values from the map at its nodes. */
typedef struct field_cache {
    const ms_field *field;
    const plane *map;
} field_cache;

typedef struct cache_context {
    const field_cache *cache;
    void *inner;
} cache_context;

static int cache_open(void *self, void **context, ms_error *error)
{
    cache_context *c = calloc(1, sizeof *c);
    *context = c;
    MS_TRY_MEMORY_FOR(c != NULL, error, "a map of stability");
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
    const plane *map = c->cache->map;
    const int i = node_below(map->n, map->x, x), j = node_below(map->n, map->y, y);
    if (map->x[i] != x || map->y[j] != y)
        return c->cache->field->value(c->inner, x, y, value, error);
    *value = map->value[j * map->n + i];
    return MS_OK;
}

/* Sides -------------------------------------------------------------------------------------------------- */

static bool is_closed(const ms_boundary *b, int curve)
{
    const double *first = b->points + 2 * b->begin[curve], *last = b->points + 2 * b->begin[curve + 1] - 2;
    return first[0] == last[0] && first[1] == last[1];
}

/* Which nodes of the grid that a boundary was traced on are stable: each row begins stable, and changes sides where a curve crosses
 * it. */
static void fill_sides(const ms_boundary *b, const plane *fine, bool *stable)
{
    const int n = fine->n;
    const double *x = fine->x, *y = fine->y;
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

/* The nodes by the curves, and how many of the map their radii put on another side. */
static int give_sides(const ms_boundary *b, const plane *map, const plane *fine, json_t *answer,
                      ms_error *error)
{
    const int every = (fine->n - 1) / (map->n - 1), n = fine->n * fine->n;
    bool *stable = calloc((size_t)n + 1, sizeof *stable);
    json_t *sides = json_array();
    int other = 0;
    MS_TRY_MEMORY_FOR(stable != NULL, error, "a map of stability");
    fill_sides(b, fine, stable);
    for (int k = 0; k < n; k++)
        json_array_append_new(sides, json_boolean(stable[k]));
    for (int j = 0; j < map->n; j++)
        for (int i = 0; i < map->n; i++)
            other +=
                stable[j * every * fine->n + i * every] != (map->value[j * map->n + i] <= MS_REGION_LEVEL);
    free(stable);
    json_object_set_new(answer, "stable", sides);
    json_object_set_new(answer, "other_side", json_integer(other));
    return MS_OK;
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

/* What is given of curves. */
typedef struct curve_lists {
    json_t *curve, *step, *ratio, *island_step, *island_ratio;
} curve_lists;

static void give_point(const curve_lists *to, int curve, double step, double ratio)
{
    json_array_append_new(to->curve, json_integer(curve));
    json_array_append_new(to->step, ms_json_real(step));
    json_array_append_new(to->ratio, ms_json_real(ratio));
}

static void give_island(const curve_lists *to, double step, double ratio)
{
    json_array_append_new(to->island_step, ms_json_real(step));
    json_array_append_new(to->island_ratio, ms_json_real(ratio));
}

/* One curve; least: of its extent, 0: all of its points; at, keep: space for all points of the boundary. */
static void give_curve(const ms_boundary *b, int curve, double least, double (*at)[2], bool *keep,
                       const curve_lists *to)
{
    const int first = b->begin[curve], end = b->begin[curve + 1];
    double middle[2];
    for (int k = first; k < end; k++)
        place(b->points + 2 * k, at[k]);
    if (least > 0.0 && is_closed(b, curve) && extent(at + first, end - first, middle) < least) {
        give_island(to, step_range[0] * pow(step_range[1] / step_range[0], middle[0]),
                    ratio_range[0] * pow(ratio_range[1] / ratio_range[0], middle[1]));
        return;
    }
    if (least > 0.0)
        mark(at, first, end - 1, keep);
    for (int k = first; k < end; k++)
        if (least == 0.0 || keep[k])
            give_point(to, curve, b->points[2 * k], b->points[2 * k + 1]);
}

static int give_curves(const ms_boundary *b, double least, bool outside, json_t *answer, ms_error *error)
{
    const size_t points = (size_t)(b->n > 0 ? b->begin[b->n] : 0) + 1;
    double(*at)[2] = calloc(points, sizeof *at);
    bool *keep = calloc(points, sizeof *keep);
    const bool enough = at != NULL && keep != NULL;
    const curve_lists to = {json_array(), json_array(), json_array(), json_array(), json_array()};
    for (int curve = 0; enough && curve < b->n; curve++)
        give_curve(b, curve, least, at, keep, &to);
    if (outside) {
        give_point(&to, b->n, 10.0 * step_range[1], ratio_range[0]);
        give_island(&to, 10.0 * step_range[1], ratio_range[0]);
    }
    MS_FREE(at, keep);
    json_object_set_new(answer, "curves", json_integer(b->n));
    json_object_set_new(answer, "curve", to.curve);
    json_object_set_new(answer, "curve_step", to.step);
    json_object_set_new(answer, "curve_ratio", to.ratio);
    json_object_set_new(answer, "island_step", to.island_step);
    json_object_set_new(answer, "island_ratio", to.island_ratio);
    return enough ? MS_OK : ms_fail(error, MS_NO_MEMORY, "not enough memory for a boundary");
}

/* The measurement ---------------------------------------------------------------------------------------- */

enum { MAP, FINE, CELLS, OUTSIDE, NUMBERS };

static int trace(const ms_field *field, const plane *map, const double number[NUMBERS],
                 const ms_effort *effort, json_t *answer, ms_error *error)
{
    const int n = (int)number[FINE];
    const bool nested = map->n > 1 && (n - 1) % (map->n - 1) == 0;
    field_cache cache = {field, map};
    const ms_field known = {.self = &cache, .open = cache_open, .close = cache_close, .value = cache_value};
    ms_boundary boundary = {0};
    plane fine;
    int status = plane_create(n, &fine, error);
    const ms_region_grid grid = grid_of(&fine);
    MS_THEN(status, ms_region_trace(nested ? &known : field, &grid, MS_REGION_LEVEL, MS_BOUNDARY_TOLERANCE,
                                    NULL, effort, &boundary, error));
    MS_THEN(status, give_curves(&boundary, number[CELLS] / (n - 1), number[OUTSIDE] > 0.0, answer, error));
    if (status == MS_OK && number[OUTSIDE] > 0.0 && nested)
        status = give_sides(&boundary, map, &fine, answer, error);
    ms_boundary_destroy(&boundary);
    plane_free(&fine);
    return status;
}

static void give_map(const plane *map, json_t *answer)
{
    for (int k = 0; k < map->n * map->n; k++) {
        ms_measured_append(answer, "step", map->x[k % map->n]);
        ms_measured_append(answer, "ratio", map->y[k / map->n]);
        ms_measured_append(answer, "rho", map->value[k]);
    }
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[NUMBERS];
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    plane map = {0};
    ms_study study;
    int status = ms_study_bind(drawing, &study, error, "%s", ms_measurement_numbers(words, NUMBERS, number));
    MS_THEN(status, plane_create((int)number[MAP], &map, error));
    if (status == MS_OK) {
        ms_stability stability = stability_of(&study, "mass_ratio");
        const ms_field field = ms_stability_field(&stability);
        const ms_region_grid grid = grid_of(&map);
        status = ms_region_map(&field, &grid, &effort, map.value, error);
        if (status == MS_OK)
            give_map(&map, answer);
        if (status == MS_OK && number[FINE] > 0.0)
            status = trace(&field, &map, number, &effort, answer, error);
    }
    plane_free(&map);
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_stability_map = {"stability-map", measure, NULL};
