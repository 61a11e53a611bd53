/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_trace_nodes.c - the values of nodes, and the queue of cells to be visited. */

#include "growing.h"
#include "region_parts.h"

enum { CHUNK = 32 };

void ms_trace_no_memory(trace *t)
{
    t->status = ms_fail(t->error, MS_NO_MEMORY, "not enough memory for a boundary");
}

static void append(trace *t, trace_list *l, int item)
{
    if (ms_grow(&l->item, &l->size, (size_t)l->n + 1, sizeof item))
        l->item[l->n++] = item;
    else
        ms_trace_no_memory(t);
}

void ms_trace_request(trace *t, int node)
{
    if ((t->mark[node] & TRACE_NODE) != 0)
        return;
    t->mark[node] |= TRACE_NODE;
    append(t, &t->batch, node);
}

static int evaluate_node(void *job, void *context, int k, ms_error *error)
{
    trace *t = job;
    const int node = t->batch.item[k], nx = t->grid->nx;
    if (t->known != NULL) {
        t->value[node] = t->known[node];
        return MS_OK;
    }
    return t->field->value(context, t->grid->x[node % nx], t->grid->y[node / nx], &t->value[node], error);
}

void ms_trace_fetch(trace *t)
{
    if (t->status == MS_OK && t->batch.n > 0)
        t->status = ms_thread_pool_work(t->pool, t->batch.n, CHUNK, evaluate_node, t, t->error);
    t->evaluations += t->batch.n;
    t->batch.n = 0;
}

void ms_trace_push_cell(trace *t, int i, int j)
{
    const int nx = t->grid->nx, cell = j * nx + i;
    if (i < 0 || j < 0 || i >= nx - 1 || j >= t->grid->ny - 1 || (t->mark[cell] & TRACE_CELL) != 0)
        return;
    t->mark[cell] |= TRACE_CELL;
    append(t, &t->queue, cell);
}
