/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_trace.c - boundary curves without the full grid: a coarse grid and a search. */
#include <stdlib.h>

#include "region_parts.h"

enum { SPACING = 16, COARSE_LINES = 64, MOVES = 16 };

/* Do the ends of an edge, both known, lie on different sides? */
static bool crosses(const trace *t, int a, int b)
{
    return !isnan(t->value[a]) && !isnan(t->value[b]) && ms_trace_stable(t, a) != ms_trace_stable(t, b);
}

/* Seeds -------------------------------------------------------------------------------------------------- */

/* Steps along a grid line from a node: to the right (upwards = 0) or up. */
static void request_line(trace *t, int node, int upwards, int steps)
{
    for (int k = 0; k <= steps; k++)
        ms_trace_request(t, node + k * (upwards ? t->grid->nx : 1));
}

/* Seeds both cells at every crossed edge of the line. */
static void seed_line(trace *t, int node, int upwards, int steps)
{
    const int nx = t->grid->nx, step = upwards ? nx : 1;
    for (int k = 0; k < steps; k++, node += step)
        if (crosses(t, node, node + step)) {
            ms_trace_push_cell(t, node % nx, node / nx);
            ms_trace_push_cell(t, node % nx - upwards, node / nx - (1 - upwards));
        }
}

/* Coarse line k of n grid lines; the last one coincides with the last grid line. */
static int coarse(const trace *t, int k, int n)
{
    return k * t->spacing < n - 1 ? k * t->spacing : n - 1;
}

static int coarse_count(const trace *t, int n)
{
    return (n - 2) / t->spacing + 2;
}

typedef void line_visit(trace *t, int node, int upwards, int steps);

/* Visits the coarse edges whose ends differ. */
static void visit_coarse_edges(trace *t, line_visit *visit)
{
    const int nx = t->grid->nx, mx = coarse_count(t, nx), my = coarse_count(t, t->grid->ny);
    for (int l = 0; l < my; l++)
        for (int k = 0; k < mx; k++) {
            const int i = coarse(t, k, nx), j = coarse(t, l, t->grid->ny), node = j * nx + i;
            const int right = coarse(t, k + 1, nx) - i, up = coarse(t, l + 1, t->grid->ny) - j;
            if (right > 0 && crosses(t, node, node + right))
                visit(t, node, 0, right);
            if (up > 0 && crosses(t, node, node + up * nx))
                visit(t, node, 1, up);
        }
}

static void seed_coarse_grid(trace *t)
{
    const int mx = coarse_count(t, t->grid->nx), my = coarse_count(t, t->grid->ny);
    for (int l = 0; l < my; l++)
        for (int k = 0; k < mx; k++)
            ms_trace_request(t, coarse(t, l, t->grid->ny) * t->grid->nx + coarse(t, k, t->grid->nx));
    ms_trace_fetch(t);
    visit_coarse_edges(t, request_line);
    ms_trace_fetch(t);
    visit_coarse_edges(t, seed_line);
}

/* The neighbour at distance `step` in direction k = 0 .. 7, or -1. */
static int neighbour(const trace *t, int node, int step, int k)
{
    static const int di[] = {1, 1, 0, -1, -1, -1, 0, 1}, dj[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const int nx = t->grid->nx, i = node % nx + step * di[k], j = node / nx + step * dj[k];
    return i < 0 || j < 0 || i >= nx || j >= t->grid->ny ? -1 : j * nx + i;
}

/* Among the eight neighbours: one on the other side of the level (true), or the one closest to it. */
static bool look_around(trace *t, int node, int step, int *best)
{
    for (int k = 0; k < 8; k++)
        if (neighbour(t, node, step, k) >= 0)
            ms_trace_request(t, neighbour(t, node, step, k));
    ms_trace_fetch(t);
    *best = node;
    for (int k = 0; k < 8 && t->status == MS_OK; k++) {
        const int other = neighbour(t, node, step, k);
        if (other < 0)
            continue;
        if (crosses(t, node, other)) {
            *best = other;
            return true;
        }
        if (fabs(t->value[other] - t->level) < fabs(t->value[*best] - t->level))
            *best = other;
    }
    return false;
}

/* Seeds the path from a to b along grid lines: horizontal, then vertical. */
static void seed_way(trace *t, int a, int b)
{
    const int nx = t->grid->nx, corner = a / nx * nx + b % nx;
    const int row = a < corner ? a : corner, column = b < corner ? b : corner;
    const int right = abs(a - corner), up = abs(b - corner) / nx;
    request_line(t, row, 0, right);
    request_line(t, column, 1, up);
    ms_trace_fetch(t);
    seed_line(t, row, 0, right);
    seed_line(t, column, 1, up);
}

/* Searches from a node of the coarse grid towards the level, in steps that shrink to one line. */
static void search(trace *t, int node)
{
    int moves = 0;
    for (int step = t->spacing / 2; step > 0 && t->status == MS_OK && moves < MOVES;) {
        int best;
        if (look_around(t, node, step, &best)) {
            if (t->status == MS_OK)
                seed_way(t, node, best);
            return;
        }
        if (best == node)
            step /= 2;
        else
            moves++;
        node = best;
    }
}

/* Is the node closer to the level than its coarse neighbours, all of which are on its side? Values at
 * the level up to round-off (conservative problems) are not extrema. */
static bool is_extremum(const trace *t, int i, int j)
{
    const int nx = t->grid->nx, node = j * nx + i;
    const double distance = fabs(t->value[node] - t->level);
    if (!(distance > 10.0 * MS_REGION_TOLERANCE))
        return false;
    for (int k = 0; k < 8; k++) {
        const int other = neighbour(t, node, t->spacing, k);
        if (other >= 0 && (t->mark[other] & TRACE_NODE) != 0 &&
            (ms_trace_stable(t, other) != ms_trace_stable(t, node) ||
             fabs(t->value[other] - t->level) <= distance))
            return false;
    }
    return true;
}

/* Searches for boundaries between the coarse lines, with at most a hundredth of the nodes. */
static void seed_extrema(trace *t)
{
    const int nx = t->grid->nx, ny = t->grid->ny;
    const long most = t->evaluations + (long)nx * ny / 100;
    for (int j = 0; j < ny; j += t->spacing)
        for (int i = 0; i < nx; i += t->spacing)
            if (t->status == MS_OK && t->evaluations < most && is_extremum(t, i, j))
                search(t, j * nx + i);
}

static void seed_everywhere(trace *t)
{
    const int nx = t->grid->nx, ny = t->grid->ny;
    for (int node = 0; node < nx * ny; node++)
        t->value[node] = t->known[node];
    for (int j = 0; j < ny; j++)
        seed_line(t, j * nx, 0, nx - 1);
    for (int i = 0; i < nx; i++)
        seed_line(t, i, 1, ny - 1);
}

/* All together ------------------------------------------------------------------------------------------- */

static int run(trace *t, ms_boundary *boundary)
{
    const size_t nodes = (size_t)t->grid->nx * (size_t)t->grid->ny;
    const int shorter = t->grid->nx < t->grid->ny ? t->grid->nx : t->grid->ny;
    t->spacing = shorter / COARSE_LINES < 1         ? 1
                 : shorter / COARSE_LINES < SPACING ? shorter / COARSE_LINES
                                                    : SPACING;
    t->value = malloc(nodes * sizeof *t->value);
    t->mark = calloc(nodes, 1);
    t->slot = calloc(2 * nodes, sizeof *t->slot);
    if (t->value == NULL || t->mark == NULL || t->slot == NULL) {
        ms_trace_no_memory(t);
        return t->status;
    }
    for (size_t node = 0; node < nodes; node++)
        t->value[node] = NAN; /* if the evaluation fails or is interrupted */
    seed_coarse_grid(t);
    ms_trace_follow(t);
    seed_extrema(t);
    ms_trace_follow(t);
    const int islands_from = t->n;
    if (t->known != NULL && t->status == MS_OK) {
        seed_everywhere(t);
        ms_trace_follow(t);
    }
    ms_trace_place(t);
    if (t->status == MS_OK)
        ms_trace_assemble(t, islands_from, boundary);
    return t->status;
}

int ms_region_trace(const ms_field *field, const ms_region_grid *grid, double level, double tolerance,
                    const double *known, const ms_effort *effort, ms_boundary *boundary, ms_error *error)
{
    ms_thread_pool pool = {0};
    ms_effort quiet = effort != NULL ? *effort : (ms_effort){.threads = 1};
    quiet.progress = NULL;
    trace t = {.field = field,
               .grid = grid,
               .known = known,
               .pool = &pool,
               .level = level,
               .tolerance = tolerance,
               .error = error};
    *boundary = (ms_boundary){0};
    t.status = ms_region_grid_check(grid, error);
    if (t.status != MS_OK)
        return t.status;
    t.status = ms_field_threads(field, &quiet, &pool, error);
    if (t.status == MS_OK)
        t.status = run(&t, boundary);
    ms_thread_pool_destroy(&pool);
    MS_FREE(t.value, t.mark, t.slot, t.crossing, t.batch.item, t.queue.item);
    if (t.status != MS_OK)
        ms_boundary_destroy(boundary);
    return t.status;
}

void ms_boundary_destroy(ms_boundary *boundary)
{
    MS_FREE(boundary->begin, boundary->points, boundary->kind);
    *boundary = (ms_boundary){0};
}
