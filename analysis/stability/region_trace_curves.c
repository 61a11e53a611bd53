/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_trace_curves.c - boundary curves, traced from cell to cell by marching squares. */
#include <stdlib.h>

#include "growing.h"
#include "region_parts.h"

static int crossing_on(trace *t, int edge)
{
    if (t->slot[edge] > 0)
        return t->slot[edge] - 1;
    if (!ms_grow(&t->crossing, &t->size, (size_t)t->n + 1, sizeof *t->crossing)) {
        ms_trace_no_memory(t);
        return 0;
    }
    t->crossing[t->n] = (trace_crossing){.edge = edge, .next = -1, .previous = -1};
    t->slot[edge] = ++t->n;
    return t->n - 1;
}

/* Is the middle of a cell with four crossings stable? */
static bool stable_middle(trace *t, int cell)
{
    const int nx = t->grid->nx, i = cell % nx, j = cell / nx;
    const double *x = t->grid->x + i, *y = t->grid->y + j;
    double value = NAN;
    const int status =
        ms_field_value(t->field, t->pool, 0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1]), &value, t->error);
    t->evaluations++;
    if (status != MS_OK)
        t->status = status;
    return value <= t->level;
}

/* Connects the crossings of a cell and queues the cells beyond them. Corners and edges count anticlockwise
 * from the lower left; with the stable side to the left a curve enters where the corners change to unstable,
 * and leaves where they change back. */
static void connect_cell(trace *t, int cell)
{
    const int nx = t->grid->nx, i = cell % nx, j = cell / nx;
    const int corner[] = {cell, cell + 1, cell + nx + 1, cell + nx};
    const int edge[] = {2 * cell, 2 * (cell + 1) + 1, 2 * (cell + nx), 2 * cell + 1};
    static const int di[] = {0, 1, 0, -1}, dj[] = {-1, 0, 1, 0};
    bool s[4];
    int crossed = 0;
    for (int k = 0; k < 4; k++) {
        if (isnan(t->value[corner[k]]))
            return;
        s[k] = ms_trace_stable(t, corner[k]);
    }
    for (int k = 0; k < 4; k++)
        crossed += s[k] != s[(k + 1) % 4];
    const int turn =
        crossed == 4 && !stable_middle(t, cell) ? 3 : 1; /* to the next such edge: one on, or one back */
    for (int k = 0; k < 4 && t->status == MS_OK; k++) {
        if (s[k] == s[(k + 1) % 4])
            continue;
        ms_trace_push_cell(t, i + di[k], j + dj[k]);
        if (!s[k])
            continue;
        int to = (k + turn) % 4;
        while (s[to] == s[(to + 1) % 4])
            to = (to + 1) % 4;
        const int a = crossing_on(t, edge[k]), b = crossing_on(t, edge[to]);
        if (t->status == MS_OK) {
            t->crossing[a].next = b;
            t->crossing[b].previous = a;
        }
    }
}

void ms_trace_follow(trace *t)
{
    const int nx = t->grid->nx;
    while (t->done < t->queue.n && t->status == MS_OK) {
        const int end = t->queue.n;
        for (int k = t->done; k < end; k++) {
            const int cell = t->queue.item[k];
            ms_trace_request(t, cell);
            ms_trace_request(t, cell + 1);
            ms_trace_request(t, cell + nx);
            ms_trace_request(t, cell + nx + 1);
        }
        ms_trace_fetch(t);
        for (; t->done < end && t->status == MS_OK; t->done++)
            connect_cell(t, t->queue.item[t->done]);
    }
}

/* Assembly ----------------------------------------------------------------------------------------------- */

/* Appends the point of a crossing unless the curve already ends there. */
static void add_point(const trace *t, int k, ms_boundary *b)
{
    const trace_crossing *c = &t->crossing[k];
    const int nx = t->grid->nx, i = c->edge / 2 % nx, j = c->edge / 2 / nx, up = c->edge % 2;
    const double *x = t->grid->x + i, *y = t->grid->y + j;
    const int n = b->begin[b->n + 1];
    double *p = b->points + 2 * n;
    p[0] = up ? x[0] : c->place;
    p[1] = up ? c->place : y[0];
    b->kind[n] = (unsigned char)c->kind;
    if (n == b->begin[b->n] || p[0] != p[-2] || p[1] != p[-1])
        b->begin[b->n + 1] = n + 1;
}

/* The curve from crossing `first` on; curves that shrink to one point are omitted. */
static void add_curve(trace *t, int first, bool closed, int islands_from, ms_boundary *b)
{
    b->begin[b->n + 1] = b->begin[b->n];
    int k = first;
    do {
        const int next = t->crossing[k].next;
        add_point(t, k, b);
        t->slot[t->crossing[k].edge] = 0; /* done */
        k = next;
    } while (k >= 0 && k != first);
    if (closed)
        add_point(t, first, b);
    if (b->begin[b->n + 1] - b->begin[b->n] < 2)
        return;
    b->n++;
    b->islands += first >= islands_from;
}

/* The widest bracket, the largest distance from the level, and the number of points of each kind, over all crossings, including those of
 * curves that shrink to a point. */
static void measure_crossings(const trace *t, ms_boundary *b)
{
    for (int k = 0; k < t->n; k++) {
        const trace_crossing *c = &t->crossing[k];
        if (c->kind != MS_CROSSING_UNDEFINED)
            b->width = fmax(b->width, c->width);
        if (c->kind == MS_CROSSING_REGULAR || c->kind == MS_CROSSING_FLAT)
            b->residual = fmax(b->residual, c->residual);
    }
    for (int k = 0; k < b->begin[b->n]; k++)
        b->kinds[b->kind[k]]++;
}

void ms_trace_assemble(trace *t, int islands_from, ms_boundary *b)
{
    b->begin = calloc((size_t)t->n + 2, sizeof *b->begin);
    b->points = calloc((size_t)t->n * 4 + 2, sizeof *b->points);
    b->kind = calloc((size_t)t->n * 2 + 1, sizeof *b->kind);
    if (b->begin == NULL || b->points == NULL || b->kind == NULL) {
        ms_trace_no_memory(t);
        return;
    }
    for (int closed = 0; closed < 2; closed++)
        for (int k = 0; k < t->n; k++)
            if (t->slot[t->crossing[k].edge] > 0 && (closed || t->crossing[k].previous < 0))
                add_curve(t, k, closed, islands_from, b);
    measure_crossings(t, b);
    b->evaluations = t->evaluations;
    b->spacing = t->spacing;
}
