/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_region.c - boundary curves and maps of functions whose level sets are known. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/region.h>
#include "plane_function.h"
#include "unit_test.h"

/* Functions ---------------------------------------------------------------------------------------------- */

static double disc(double x, double y)
{
    return hypot(x, y);
}

static double two_discs_and_hole(double x, double y)
{
    const double left = hypot(x + 0.9, y) / 0.5, right = hypot(x - 0.8, y - 0.2) / 0.6;
    const double hole = 0.2 / fmax(hypot(x - 0.8, y - 0.2), 1e-6);
    return fmin(left, fmax(right, hole));
}

static double figure_eight(double x, double y) /* lemniscate, the saddle at 0 */
{
    const double r2 = x * x + y * y;
    return 1.0 + r2 * r2 - 1.5 * (x * x - y * y);
}

static double stripes(double x, double y) /* open curves from frame to frame */
{
    return 1.0 + sin(4.0 * x + 1.5 * y);
}

static double half_undefined(double x, double y)
{
    return y > 0.3 ? NAN : hypot(x, y);
}

static double cliff(double x, double y)
{
    return hypot(x, y) < 1.0 ? 0.5 : INFINITY;
}

static double plateau(double x, double y) /* conservative inside, up to round-off */
{
    const double r = hypot(x, y);
    return r < 1.0 ? 1.0 + 1e-13 * sin(1e6 * x * y) : 1.0 + (r - 1.0);
}

enum { ISLANDS = 40 };

/* Stable discs on an unstable plain: radii from 0.4 to 16 hundredths, centres anywhere, the whole turned and moved. */
static struct {
    double angle, dx, dy;
} placed;

static void island(int k, double *x, double *y, double *radius)
{
    const double u = 1.8 * sin(1.0 + 12.9898 * k), v = 1.8 * sin(2.0 + 78.233 * k);
    *x = cos(placed.angle) * u - sin(placed.angle) * v + placed.dx;
    *y = sin(placed.angle) * u + cos(placed.angle) * v + placed.dy;
    *radius = 0.004 * pow(40.0, (double)k / (ISLANDS - 1));
}

static double islands(double x, double y)
{
    double least = INFINITY, cx, cy, radius;
    for (int k = 0; k < ISLANDS; k++) {
        island(k, &cx, &cy, &radius);
        const double distance = hypot(x - cx, y - cy) / radius;
        least = fmin(least, distance < 1.0 ? distance : 1.0 + 0.5 * (1.0 - exp(1.0 - distance)));
    }
    return least;
}

/* Maps --------------------------------------------------------------------------------------------------- */

typedef struct plane {
    support_plane_function *f;
    ms_field field;
    ms_region_grid grid;
    double *x, *y, *value;
} plane;

static void create_grid(plane *p, support_plane_function *f, int nx, int ny, double from, double to)
{
    *p = (plane){.f = f, .x = calloc((size_t)nx, sizeof(double)), .y = calloc((size_t)ny, sizeof(double))};
    p->field = (ms_field){.self = &p->f, .value = support_plane_value};
    p->value = calloc((size_t)nx * (size_t)ny, sizeof(double));
    for (int i = 0; i < nx; i++)
        p->x[i] = from + (to - from) * i / (nx - 1);
    for (int j = 0; j < ny; j++)
        p->y[j] = from + (to - from) * j / (ny - 1);
    p->grid = (ms_region_grid){nx, ny, p->x, p->y};
}

static void create_plane(plane *p, support_plane_function *f, int nx, int ny, double from, double to)
{
    create_grid(p, f, nx, ny, from, to);
    assert_int_equal(ms_region_map(&p->field, &p->grid, NULL, p->value, NULL), MS_OK);
}

static void destroy_plane(plane *p)
{
    free(p->x);
    free(p->y);
    free(p->value);
}

static ms_boundary trace_boundary(const plane *p, bool known, int threads)
{
    ms_boundary boundary;
    ms_error error = {0};
    const ms_effort effort = {.threads = threads};
    const int status = ms_region_trace(&p->field, &p->grid, MS_REGION_LEVEL, MS_BOUNDARY_TOLERANCE,
                                       known ? p->value : NULL, &effort, &boundary, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(status, MS_OK);
    return boundary;
}

static bool is_closed(const ms_boundary *b, int k)
{
    return memcmp(b->points + 2 * b->begin[k], b->points + 2 * (b->begin[k + 1] - 1), 2 * sizeof(double)) ==
           0;
}

/* In cells: marks of cells that a curve touches, to look up how far a cell is from the nearest point. */
static unsigned char *touched(const plane *p, const ms_boundary *b)
{
    const int nx = p->grid.nx, ny = p->grid.ny;
    unsigned char *mark = calloc((size_t)nx * (size_t)ny, 1);
    for (int k = 0; k < b->begin[b->n]; k++) {
        const double u = (b->points[2 * k] - p->x[0]) / (p->x[nx - 1] - p->x[0]) * (nx - 1);
        const double v = (b->points[2 * k + 1] - p->y[0]) / (p->y[ny - 1] - p->y[0]) * (ny - 1);
        const int i = (int)fmin(u + 1e-9, nx - 2), j = (int)fmin(v + 1e-9, ny - 2);
        mark[j * nx + i] = 1;
    }
    return mark;
}

static bool is_stable(double value)
{
    return value <= MS_REGION_LEVEL;
}

static bool crossed(const plane *p, int cell)
{
    const int nx = p->grid.nx;
    const double v[] = {p->value[cell], p->value[cell + 1], p->value[cell + nx], p->value[cell + nx + 1]};
    bool differ = false;
    for (int k = 0; k < 4; k++) {
        if (isnan(v[k]))
            return false;
        differ = differ || is_stable(v[k]) != is_stable(v[0]);
    }
    return differ;
}

static int root(int *parent, int k)
{
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

/* Components of the crossed cells of the full grid, joined over shared corners; those of which no cell lies
 * within one cell of the traced curves, and single cells that do not. */
static void compare(const plane *p, const ms_boundary *b, int *components, int *missed, int *far)
{
    const int nx = p->grid.nx, ny = p->grid.ny, n = nx * ny;
    unsigned char *near = touched(p, b), *found = calloc((size_t)n, 1);
    int *parent = calloc((size_t)n, sizeof *parent);
    *components = *missed = *far = 0;
    for (int k = 0; k < n; k++)
        parent[k] = k;
    for (int j = 0; j < ny - 1; j++)
        for (int i = 0; i < nx - 1; i++)
            for (int dj = 0; dj <= 1 && crossed(p, j * nx + i); dj++)
                for (int di = -1; di <= 1; di++)
                    if (i + di >= 0 && i + di < nx - 1 && j + dj < ny - 1 &&
                        crossed(p, (j + dj) * nx + i + di))
                        parent[root(parent, (j + dj) * nx + i + di)] = root(parent, j * nx + i);
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < ny - 1; j++)
            for (int i = 0; i < nx - 1; i++) {
                const int cell = j * nx + i, top = root(parent, cell);
                if (!crossed(p, cell))
                    continue;
                bool close = false;
                for (int dj = -1; dj <= 1; dj++)
                    for (int di = -1; di <= 1; di++)
                        close = close || (i + di >= 0 && j + dj >= 0 && near[cell + dj * nx + di] != 0);
                if (pass == 0 && close)
                    found[top] = 1;
                if (pass == 1 && found[top] != 0)
                    *far += !close;
                if (pass == 1 && cell == top) {
                    *components += 1;
                    *missed += found[top] == 0;
                }
            }
    free(near);
    free(found);
    free(parent);
}

/* Every point of the curves satisfies |f - 1| <= tolerance; returns the largest. */
static double residual(const plane *p, const ms_boundary *b)
{
    double largest = 0.0;
    for (int k = 0; k < b->begin[b->n]; k++)
        largest = fmax(largest, fabs(p->f(b->points[2 * k], b->points[2 * k + 1]) - 1.0));
    return largest;
}

static void test_disc(void **state)
{
    (void)state;
    plane p;
    create_plane(&p, disc, 1024, 1024, -1.7, 1.6);
    ms_boundary b = trace_boundary(&p, false, 1);
    int components, missed, far;
    compare(&p, &b, &components, &missed, &far);
    assert_int_equal(b.n, 1);
    assert_int_equal(b.spacing, 16);
    assert_true(is_closed(&b, 0));
    assert_int_equal(components, 1);
    assert_int_equal(missed + far, 0);
    assert_true(b.evaluations <= 1024L * 1024L / 10);
    assert_true(residual(&p, &b) < 1e-8);
    double area = 0.0; /* positive: the stable side lies to the left */
    for (int k = 0; k + 1 < b.begin[1]; k++)
        area += 0.5 * (b.points[2 * k] * b.points[2 * k + 3] - b.points[2 * k + 2] * b.points[2 * k + 1]);
    assert_true(fabs(area - acos(-1.0)) < 1e-4);
    print_message("disc: %ld evaluations of %d\n", b.evaluations, 1024 * 1024);
    ms_boundary_destroy(&b);
    destroy_plane(&p);
}

static void test_components(void **state)
{
    (void)state;
    plane p;
    int components, missed, far;
    create_plane(&p, two_discs_and_hole, 1024, 700, -1.7, 1.6);
    ms_boundary b = trace_boundary(&p, false, 2);
    compare(&p, &b, &components, &missed, &far);
    assert_int_equal(components, 3);
    assert_int_equal(missed + far, 0);
    assert_int_equal(b.n, 3);
    ms_boundary_destroy(&b);
    destroy_plane(&p);

    create_plane(&p, figure_eight, 1024, 1024, -1.5, 1.5);
    b = trace_boundary(&p, false, 1);
    compare(&p, &b, &components, &missed, &far);
    assert_int_equal(missed + far, 0);
    for (int k = 0; k < b.n; k++)
        assert_true(is_closed(&b, k));
    assert_true(b.n == 1 || b.n == 2);
    ms_boundary_destroy(&b);
    destroy_plane(&p);

    create_plane(&p, stripes, 512, 512, -2.0, 2.0);
    b = trace_boundary(&p, false, 1);
    compare(&p, &b, &components, &missed, &far);
    assert_int_equal(missed + far, 0);
    assert_int_equal(b.n, components);
    for (int k = 0; k < b.n; k++) {
        const double *first = b.points + 2 * b.begin[k], *last = b.points + 2 * (b.begin[k + 1] - 1);
        assert_false(is_closed(&b, k));
        assert_true(fmax(fabs(first[0]), fabs(first[1])) == 2.0 && fmax(fabs(last[0]), fabs(last[1])) == 2.0);
    }
    ms_boundary_destroy(&b);
    destroy_plane(&p);
}

/* Contours through nodes: the grid holds (+-1, 0), (0, +-1); and a region that is one node. */
static double needle(double x, double y)
{
    return x == 0.0 && y == 0.0 ? 0.5 : 2.0;
}

static double touching(double x, double y)
{
    return 1.0 + MS_REGION_TOLERANCE + x * x + y * y;
}

static void test_nodes(void **state)
{
    (void)state;
    plane p;
    create_plane(&p, disc, 65, 65, -2.0, 2.0);
    ms_boundary b = trace_boundary(&p, false, 1);
    assert_int_equal(b.n, 1);
    assert_true(is_closed(&b, 0));
    for (int k = 1; k < b.begin[1]; k++)
        assert_true(b.points[2 * k] != b.points[2 * k - 2] || b.points[2 * k + 1] != b.points[2 * k - 1]);
    ms_boundary_destroy(&b);
    destroy_plane(&p);
    create_plane(&p, needle, 65, 65, -2.0, 2.0);
    b = trace_boundary(&p, false, 1);
    assert_int_equal(b.n, 1);
    assert_true(is_closed(&b, 0));
    ms_boundary_destroy(&b);
    destroy_plane(&p);
    create_plane(&p, touching, 65, 65, -2.0, 2.0);
    b = trace_boundary(&p, false, 1);
    assert_int_equal(b.n, 0); /* a point is no curve */
    ms_boundary_destroy(&b);
    destroy_plane(&p);
}

static void test_undefined(void **state)
{
    (void)state;
    plane p;
    int components, missed, far;
    create_plane(&p, half_undefined, 300, 300, -1.5, 1.5);
    ms_boundary b = trace_boundary(&p, false, 1);
    compare(&p, &b, &components, &missed, &far);
    assert_int_equal(missed + far, 0);
    assert_int_equal(b.n, 1);
    assert_false(is_closed(&b, 0));
    ms_boundary_destroy(&b);
    destroy_plane(&p);
    create_plane(&p, cliff, 300, 300, -1.5, 1.5);
    b = trace_boundary(&p, false, 1);
    compare(&p, &b, &components, &missed, &far);
    assert_int_equal(missed + far, 0);
    assert_int_equal(b.n, 1);
    for (int k = 0; k < 2 * b.begin[1]; k++)
        assert_true(isfinite(b.points[k]));
    ms_boundary_destroy(&b);
    destroy_plane(&p);
    create_plane(&p, plateau, 1024, 1024, -1.5, 1.5);
    b = trace_boundary(&p, false, 1);
    compare(&p, &b, &components, &missed, &far);
    assert_int_equal(b.n, 1);
    assert_int_equal(missed + far, 0);
    assert_true(b.evaluations <= 1024L * 1024L / 10);
    ms_boundary_destroy(&b);
    destroy_plane(&p);
}

/* Does the disc hold a node of the coarse grid? */
static bool holds_coarse_node(const plane *p, int spacing, int k)
{
    double x, y, radius;
    island(k, &x, &y, &radius);
    for (int j = 0; j < p->grid.ny; j += spacing)
        for (int i = 0; i < p->grid.nx; i += spacing)
            if (hypot(p->x[i] - x, p->y[j] - y) <= radius)
                return true;
    return false;
}

static int coarse_islands(const plane *p, int spacing)
{
    int n = 0;
    for (int k = 0; k < ISLANDS; k++)
        n += holds_coarse_node(p, spacing, k);
    return n;
}

static void test_islands(void **state)
{
    (void)state;
    plane p;
    int components, missed, far, all, none;
    create_plane(&p, islands, 1024, 1024, -2.0, 2.0);
    ms_boundary b = trace_boundary(&p, false, 1), full = trace_boundary(&p, true, 1);
    compare(&p, &b, &components, &missed, &far);
    compare(&p, &full, &all, &none, &far);
    print_message(
        "islands: %d components of the full raster, %d hold a coarse node, %d missed; %ld evaluations\n",
        components, coarse_islands(&p, b.spacing), missed, b.evaluations);
    assert_true(b.evaluations <= 1024L * 1024L / 10);
    assert_true(components - missed >= coarse_islands(&p, b.spacing) - (ISLANDS - components));
    assert_true(missed <= 6); /* the search finds most of the others */
    assert_int_equal(none, 0);
    assert_int_equal(far, 0);
    assert_int_equal(full.islands, missed);
    assert_int_equal(full.n, b.n + full.islands);
    assert_int_equal(memcmp(full.points, b.points, sizeof(double) * 2 * (size_t)b.begin[1]), 0);
    ms_boundary_destroy(&b);
    ms_boundary_destroy(&full);
    destroy_plane(&p);
}

/* Islands that overlap are one. */
static void join_islands(int *parent)
{
    double x[2], y[2], radius[2];
    for (int k = 0; k < ISLANDS; k++) {
        parent[k] = k;
        island(k, &x[0], &y[0], &radius[0]);
        for (int l = 0; l < k; l++) {
            island(l, &x[1], &y[1], &radius[1]);
            if (hypot(x[0] - x[1], y[0] - y[1]) < radius[0] + radius[1])
                parent[root(parent, k)] = root(parent, l);
        }
    }
}

/* Do the curves hold a point of island k's own circle, to a tenth of a line? */
static bool on_curve(const plane *p, const ms_boundary *b, int k)
{
    double x, y, radius;
    island(k, &x, &y, &radius);
    for (int i = 0; i < b->begin[b->n]; i++)
        if (fabs(hypot(b->points[2 * i] - x, b->points[2 * i + 1] - y) - radius) < 0.1 * (p->x[1] - p->x[0]))
            return true;
    return false;
}

/* Islands that hold a coarse node are found, each of them, wherever the grid lies and however many lines it has. */
static void test_islands_with_a_coarse_node(void **state)
{
    (void)state;
    static const int lines[] = {1024, 700, 300};
    int certain = 0;
    for (int turn = 0; turn < 12; turn++)
        for (size_t g = 0; g < sizeof lines / sizeof *lines; g++) {
            plane p;
            int parent[ISLANDS];
            bool found[ISLANDS] = {false};
            placed.angle = 0.37 * turn;
            placed.dx = 0.011 * turn;
            placed.dy = -0.007 * turn;
            create_grid(&p, islands, lines[g], lines[g], -2.7, 2.7);
            ms_boundary b = trace_boundary(&p, false, 1);
            join_islands(parent);
            for (int k = 0; k < ISLANDS; k++)
                found[root(parent, k)] |= on_curve(&p, &b, k);
            for (int k = 0; k < ISLANDS; k++) {
                const bool coarse = holds_coarse_node(&p, b.spacing, k);
                certain += coarse;
                if (coarse && !found[root(parent, k)])
                    fail_msg("island %d is lost, angle %g, %d lines", k, placed.angle, lines[g]);
            }
            ms_boundary_destroy(&b);
            destroy_plane(&p);
        }
    placed.angle = placed.dx = placed.dy = 0.0;
    print_message("islands that hold a coarse node: %d, all found\n", certain);
    assert_true(certain > 12 * ISLANDS);
}

/* Threads ------------------------------------------------------------------------------------------------ */

static void test_threads(void **state)
{
    (void)state;
    plane p;
    create_plane(&p, two_discs_and_hole, 600, 500, -1.7, 1.6);
    ms_boundary one = trace_boundary(&p, false, 1), four = trace_boundary(&p, false, 4);
    assert_int_equal(one.n, four.n);
    assert_int_equal(one.evaluations, four.evaluations);
    assert_int_equal(memcmp(one.begin, four.begin, sizeof(int) * (size_t)(one.n + 1)), 0);
    assert_int_equal(memcmp(one.points, four.points, sizeof(double) * 2 * (size_t)one.begin[one.n]), 0);
    double *value = calloc(600 * 500, sizeof *value);
    assert_int_equal(ms_region_map(&p.field, &p.grid, &(ms_effort){.threads = 3}, value, NULL), MS_OK);
    assert_int_equal(memcmp(value, p.value, 600 * 500 * sizeof *value), 0);
    free(value);
    ms_boundary_destroy(&one);
    ms_boundary_destroy(&four);
    destroy_plane(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disc),    cmocka_unit_test(test_components),
        cmocka_unit_test(test_nodes),   cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_islands), cmocka_unit_test(test_islands_with_a_coarse_node),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
