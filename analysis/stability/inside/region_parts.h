/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_parts.h - what the files of regions share. */
#pragma once

#include <math.h>

#include <macrostep/region.h>

/* Threads that evaluate a field: what the files region*.c share. */

/* Errors: MS_INVALID (see ms_region_grid). */
int ms_region_grid_check(const ms_region_grid *grid, ms_error *error);

/* As ms_thread_pool_create. */
int ms_field_threads(const ms_field *field, const ms_effort *effort, ms_thread_pool *pool, ms_error *error);

/* The field at one point, by the first thread. */
int ms_field_value(const ms_field *field, const ms_thread_pool *pool, double x, double y, double *value,
                   ms_error *error);

/* What the files of the search for stable intervals share: region_critical.c scans and bisects,
 * region_resonance.c looks for what the scan steps over. Included by these alone. */

typedef struct ms_scan_point {
    double x, value;
} ms_scan_point;

typedef struct ms_scan {
    const ms_field *field;
    int n;                /* points, ascending */
    ms_scan_point *point; /* (n); owned */
    int more;
    size_t size;
    ms_scan_point *added; /* (more) in no order, to be merged; owned */
    long evaluations;
    bool follows;     /* are there eigenvalues? */
    double crossings; /* of them, see ms_critical */
    long looked_into;
} ms_scan;

static inline bool ms_scan_stable(double value)
{
    return value <= MS_REGION_LEVEL;
}

/* A change between a < b, exactly one of which is stable. */
typedef struct ms_change {
    double a, b;
    bool stable_a;
    double place; /* found to 1e-10 of it */
    long evaluations;
} ms_change;

/* Halves the interval; a change at or below `least` is at 0. Errors: those of the field. */
int ms_change_find(const ms_field *field, void *context, double least, ms_change *change, ms_error *error);

/* A point between 0 and the end of the scan; others are left out, as those of a resonance that begins before the end. Errors: MS_NO_MEMORY. */
int ms_scan_add(ms_scan *scan, double x, double value, ms_error *error);

/* At 0, where there is no limit, the radius is that of the next point. */
static inline void ms_scan_begin(ms_scan *scan)
{
    if (isnan(scan->point[0].value))
        scan->point[0].value = scan->point[1].value;
}

/* Of a field with eigenvalues: the radii at all points, and further points where eigenvalues meet, if the radius there is on
 * another side than at the neighbours. Errors: as ms_region_critical. */
int ms_scan_resonances(ms_scan *scan, const ms_thread_pool *pool, ms_error *error);

/* region_trace.c: what the three files of the boundary tracing share: region_trace.c finds cells that a curve
 * crosses, region_trace_curves.c follows the curves, region_trace_place.c narrows each crossing. Included by these alone.
 *
 * Node (i, j) has the number j nx + i, and so has the cell to its upper right. Edges: 2 node to the right
 * neighbour, 2 node + 1 upwards. */

enum { TRACE_NODE = 1, TRACE_CELL = 2 }; /* marks: value known, cell queued */

typedef struct trace_list {
    int n, *item;
    size_t size;
} trace_list;

/* Where a curve crosses an edge of the grid. */
typedef struct trace_crossing {
    int edge, next, previous; /* neighbours on the curve, or -1 */
    double place;             /* the coordinate along the edge */
    double width, residual;   /* of the bracket, relative; |value - level| there */
    ms_crossing_kind kind;
    int evaluations;
} trace_crossing;

typedef struct trace {
    const ms_field *field;
    const ms_region_grid *grid;
    const double *known;
    const ms_thread_pool *pool;
    double level, tolerance;
    double *value;       /* (ny x nx) */
    unsigned char *mark; /* (ny x nx) */
    int *slot;           /* (2 ny nx): 1 + the crossing on an edge */
    trace_crossing *crossing;
    int n;
    size_t size;
    trace_list batch, queue; /* nodes to be evaluated, cells to be looked at */
    int done;                /* cells of the queue that were looked at */
    int spacing;             /* of the coarse grid, in lines */
    long evaluations;
    int status; /* the first failure; what comes after it does nothing */
    ms_error *error;
} trace;

static inline bool ms_trace_stable(const trace *t, int node)
{
    return t->value[node] <= t->level;
}

void ms_trace_no_memory(trace *t);
void ms_trace_request(trace *t, int node); /* notes a node whose value is not known yet */
void ms_trace_fetch(trace *t);             /* evaluates what is wanted */
/* Queues a cell, unless it lies outside or was queued before. */
void ms_trace_push_cell(trace *t, int i, int j);

/* Follows the curves from the queued cells, all of them by one cell at a time. */
void ms_trace_follow(trace *t);

/* Narrows every crossing on its edge; then collects the curves. Crossings from islands_from on count as
 * islands. */
void ms_trace_place(trace *t);
void ms_trace_assemble(trace *t, int islands_from, ms_boundary *boundary);
