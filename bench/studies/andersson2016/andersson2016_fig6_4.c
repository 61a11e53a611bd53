/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), section 6.1: regions of coupling stability over one complex eigenvalue lambda of D L, the limit H -> 0 of a scheme
 * (stability.h). Fig. 6.4 has of its options, "limit-region stability --x .. --y .. OPTIONS":
 *
 *     re, im, rho                     the spectral radius on a map of 121 x 121 points
 *     curve, x, y                     its boundary, traced on a grid of 1025 x 1025 points; curves, area, evaluations
 *     left, right                     the ends of the stable interval of the real axis around 0 */
#include <math.h>
#include <stdlib.h>

#include <macrostep/stability.h>
#include "arguments.h"
#include "measurement.h"

enum { MAP = 121, FINE = 1025 };

static const double map_size = 1.5, fine_size = 1.28; /* maps reach from -size to size in both directions */

static void fill_axis(int n, double size, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = size * (2.0 * k / (n - 1) - 1.0);
    x[n / 2] = 0.0;
}

/* rho along the real axis, to the right or to the left of 0. */
static int along_axis(void *context, double x, double y, double *value, ms_error *error)
{
    const ms_limit *limit = context;
    ms_field field = ms_stability_limit_field(context);
    void *inner = NULL;
    (void)y;
    int status = field.open(field.self, &inner, error);
    MS_THEN(status, field.value(inner, limit->swapped ? 0.0 : x, limit->swapped ? -x : 0.0, value, error));
    field.close(&inner);
    return status;
}

static int measure_interval(ms_limit *limit, double *end, ms_error *error)
{
    ms_critical critical;
    const ms_field field = {.self = limit, .value = along_axis};
    const int status = ms_region_critical(&field, 1.5, NULL, &critical, error);
    *end = critical.first;
    ms_critical_destroy(&critical);
    return status;
}

static double enclosed_area(const ms_boundary *b)
{
    double area = 0.0;
    for (int k = 0; k < b->n; k++)
        for (int i = b->begin[k]; i + 1 < b->begin[k + 1]; i++) {
            const double *p = b->points + 2 * i;
            area += 0.5 * (p[0] * p[3] - p[2] * p[1]);
        }
    return area;
}

static json_t *coordinates(const ms_boundary *b, int which)
{
    json_t *list = json_array();
    for (int k = 0; k < b->n; k++)
        for (int i = b->begin[k]; i < b->begin[k + 1]; i++)
            json_array_append_new(list, which < 2 ? ms_json_real(b->points[2 * i + which]) : json_integer(k));
    return list;
}

static int trace(const ms_field *field, const ms_effort *effort, json_t *answer, ms_error *error)
{
    double fine[FINE];
    ms_boundary boundary = {0};
    fill_axis(FINE, fine_size, fine);
    const int status = ms_region_trace(field, &(ms_region_grid){FINE, FINE, fine, fine}, MS_REGION_LEVEL,
                                       MS_BOUNDARY_TOLERANCE, NULL, effort, &boundary, error);
    if (status == MS_OK) {
        json_object_set_new(answer, "curve", coordinates(&boundary, 2));
        json_object_set_new(answer, "x", coordinates(&boundary, 0));
        json_object_set_new(answer, "y", coordinates(&boundary, 1));
        json_object_set_new(answer, "curves", json_integer(boundary.n));
        json_object_set_new(answer, "area", json_real(enclosed_area(&boundary)));
        json_object_set_new(answer, "evaluations", json_integer(boundary.evaluations));
    }
    ms_boundary_destroy(&boundary);
    return status;
}

static int map(const ms_field *field, const ms_effort *effort, json_t *answer, ms_error *error)
{
    double x[MAP], *value = calloc(MAP * MAP, sizeof *value);
    MS_TRY_MEMORY_FOR(value != NULL, error, "a map of stability");
    fill_axis(MAP, map_size, x);
    const int status = ms_region_map(field, &(ms_region_grid){MAP, MAP, x, x}, effort, value, error);
    for (int k = 0; k < MAP * MAP; k++) {
        ms_measured_append(answer, "re", x[k % MAP]);
        ms_measured_append(answer, "im", x[k / MAP]);
        ms_measured_append(answer, "rho", value[k]);
    }
    free(value);
    return status;
}

static int measure(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    const ms_effort effort = {.threads = 2, .stop = ms_drawing_stop(drawing)};
    ms_study study;
    double left = NAN, right = NAN;
    int status = ms_study_read(drawing, &study, error, words);
    if (status == MS_OK) {
        ms_limit limit = {&study.arguments->options, false}, turned = {&study.arguments->options, true};
        const ms_field field = ms_stability_limit_field(&limit);
        status = map(&field, &effort, answer, error);
        MS_THEN(status, trace(&field, &effort, answer, error));
        MS_THEN(status, measure_interval(&limit, &right, error));
        MS_THEN(status, measure_interval(&turned, &left, error));
    }
    json_object_set_new(answer, "left", ms_json_real(-left));
    json_object_set_new(answer, "right", ms_json_real(right));
    ms_study_destroy(&study);
    return status;
}

const ms_measurement ms_measurement_limit_region = {"limit-region", measure};
