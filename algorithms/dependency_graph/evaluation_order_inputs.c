/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluation_order_inputs.c - where inputs are set, for a given order of reads.
 *
 * An input may be set anywhere between the last output that it needs and the first one that needs it. Before
 * which reads of its subsystem an evaluation has to be paid is the classic problem of fewest points that stab
 * intervals: by ascending right ends, each interval without a point gets one at its right end. */
#include <stdlib.h>

#include "evaluation_order_parts.h"

/* Reads: the groups of an order without its single inputs, 0 .. n - 1. */
typedef struct placement {
    const ms_dependency_graph *d;
    const ms_evaluation_order *order;
    int n;
    int *rank;      /* (n_groups): number among the reads, or -1 */
    int *group;     /* (nodes) */
    int *from, *to; /* (n_inputs): an input can be set right before the reads from .. to */
    int *last;      /* (n_inputs): the last read of its own subsystem that it can precede */
    int *before;    /* (n_inputs): the read that it is set before, n: after all */
    int *read_at;   /* (n_subsystems + 1): room for the reads of each subsystem */
    int *n_reads;   /* (n_subsystems) */
    int *read;      /* (outputs): ranks, ascending in each subsystem */
    bool *paid;     /* (outputs): is the subsystem evaluated there? */
    int *memory;
} placement;

static bool is_free(const placement *p, int u)
{
    return p->rank[p->group[u]] < 0;
}

static int create(const ms_dependency_graph *d, const ms_evaluation_order *order, placement *p)
{
    const size_t n = (size_t)d->graph.n, inputs = (size_t)d->n_inputs, groups = (size_t)order->n_groups,
                 subsystems = (size_t)d->n_subsystems, outputs = n - inputs;
    *p = (placement){.d = d,
                     .order = order,
                     .memory = calloc(groups + n + 4 * inputs + 2 * subsystems + outputs + 1, sizeof(int)),
                     .paid = calloc(outputs + 1, sizeof(bool))};
    MS_TRY_MEMORY(p->memory != NULL && p->paid != NULL);
    p->rank = p->memory;
    p->group = p->rank + groups;
    p->from = p->group + n;
    p->to = p->from + inputs;
    p->last = p->to + inputs;
    p->before = p->last + inputs;
    p->read = p->before + inputs;
    p->n_reads = p->read + outputs;
    p->read_at = p->n_reads + subsystems;
    for (int k = 0; k < order->n_groups; k++) {
        const bool input = order->at[k + 1] - order->at[k] == 1 && order->node[order->at[k]] < d->n_inputs;
        p->rank[k] = input ? -1 : p->n++;
        for (int at = order->at[k]; at < order->at[k + 1]; at++)
            p->group[order->node[at]] = k;
    }
    return MS_OK;
}

static void find_windows(placement *p)
{
    const ms_digraph *graph = &p->d->graph;
    for (int u = 0; u < p->d->n_inputs; u++)
        p->to[u] = p->n;
    for (int v = 0; v < graph->n; v++)
        for (int edge = graph->at[v]; edge < graph->at[v + 1]; edge++) {
            const int w = graph->to[edge];
            if (v < p->d->n_inputs && p->rank[p->group[w]] < p->to[v])
                p->to[v] = p->rank[p->group[w]];
            if (w < p->d->n_inputs && p->rank[p->group[v]] >= p->from[w])
                p->from[w] = p->rank[p->group[v]] + 1;
        }
}

/* Evaluations at the first read of a subsystem and in loops are paid for anyway. */
static void find_reads(placement *p)
{
    const ms_dependency_graph *d = p->d;
    for (int v = d->n_inputs; v < d->graph.n; v++)
        p->read_at[d->subsystem[v] + 1]++;
    for (int i = 0; i < d->n_subsystems; i++)
        p->read_at[i + 1] += p->read_at[i];
    for (int k = 0; k < p->order->n_groups; k++)
        for (int m = p->order->at[k]; m < p->order->at[k + 1]; m++) {
            const int node = p->order->node[m], i = d->subsystem[node];
            int *read = p->read + p->read_at[i], n = p->n_reads[i];
            if (!ms_dependency_is_output(d, node) || (n > 0 && read[n - 1] == p->rank[k]))
                continue; /* outputs of one group share a read */
            p->paid[p->read_at[i] + n] = n == 0 || p->order->loop[k];
            read[n] = p->rank[k];
            p->n_reads[i]++;
        }
}

/* The first read of a subsystem at or after a rank; n_reads: none. */
static int read_from(const placement *p, int i, int rank)
{
    const int *read = p->read + p->read_at[i];
    int q = 0;
    while (q < p->n_reads[i] && read[q] < rank)
        q++;
    return q;
}

/* Before a read where the subsystem is evaluated anyway, else before the last one. */
static void set_input(placement *p, int u, int i)
{
    const int *read = p->read + p->read_at[i], n = p->n_reads[i], first = read_from(p, i, p->from[u]);
    bool *paid = p->paid + p->read_at[i];
    int q = p->last[u];
    while (q > first && q < n && !paid[q])
        q--;
    if (q < n && !paid[q]) {
        q = p->last[u];
        paid[q] = true;
    }
    p->before[u] = q < n && read[q] < p->to[u] ? read[q] : p->to[u];
}

static void set_inputs(placement *p)
{
    const ms_dependency_graph *d = p->d;
    for (int first = 0, end; first < d->n_inputs; first = end) {
        const int i = d->subsystem[first];
        for (end = first; end < d->n_inputs && d->subsystem[end] == i; end++)
            p->last[end] = read_from(p, i, p->to[end]);
        for (int q = 0; q <= p->n_reads[i]; q++)
            for (int u = first; u < end; u++)
                if (is_free(p, u) && p->last[u] == q)
                    set_input(p, u, i);
    }
}

/* The inputs before read 0, read 0, the inputs before read 1, and so on. */
static int collect(const placement *p, ms_evaluation_order *moved)
{
    const ms_dependency_graph *d = p->d;
    const int n = d->graph.n;
    int *place = calloc((size_t)(n + p->n) + 2, sizeof *place);
    MS_TRY_MEMORY(place);
    int *component = place + p->n + 2;
    for (int u = 0; u < d->n_inputs; u++)
        if (is_free(p, u))
            place[p->before[u] + 1]++;
    for (int r = 0; r < p->n; r++)
        place[r + 1] += place[r] + 1; /* place[r]: of the first input before read r */
    for (int v = 0; v < n; v++) {
        const int r = p->rank[p->group[v]];
        if (r >= 0)
            component[v] = place[r + 1] - 1;
    }
    for (int u = 0; u < d->n_inputs; u++)
        if (is_free(p, u))
            component[u] = place[p->before[u]]++;
    const int status = ms_evaluation_order_of(d, component, n + p->n, moved);
    free(place);
    return status;
}

int ms_evaluation_order_move_inputs(const ms_dependency_graph *d, ms_evaluation_order *order)
{
    placement p;
    ms_evaluation_order moved = {0};
    int status = create(d, order, &p);
    if (status == MS_OK) {
        find_windows(&p);
        find_reads(&p);
        set_inputs(&p);
        status = collect(&p, &moved);
    }
    if (status == MS_OK) {
        ms_evaluation_order_destroy(order);
        *order = moved;
    }
    MS_FREE(p.memory, p.paid);
    return status;
}
