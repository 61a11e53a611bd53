/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluation_order_reduce.c - fewer model evaluations: Algorithm 2 of Andersson (2016). */
#include <stdlib.h>
#include <string.h>

#include "evaluation_order_parts.h"

/* Contraction -------------------------------------------------------------------------------------------- */

typedef struct contraction {
    const ms_dependency_graph *d;
    int *group;       /* (n): the node that means each node; joined nodes have the same one */
    ms_digraph graph; /* of the groups; nodes that mean none are isolated */
    int *position;    /* (n): component of each group, in evaluation order */
    int count;        /* components */
    int *sequence;    /* (n): groups by position */
    bool *alone;      /* (n): is the group a component by itself? */
    bool *done;       /* (n): has it looked for a partner? */
    bool *in_loop;    /* (n): of the nodes of algebraic loops */
    int *first;       /* (n_subsystems): outputs whose groups others may join, as a list; -1: the end */
    int *next;        /* (n) */
    int *stamp, *stack, clock; /* of searches */
    int *memory;
    bool *flags;
} contraction;

static void contraction_destroy(contraction *c)
{
    ms_digraph_destroy(&c->graph);
    MS_FREE(c->memory, c->flags);
}

static int contraction_create(const ms_dependency_graph *d, contraction *c)
{
    const size_t n = (size_t)d->graph.n, edges = (size_t)d->graph.at[n], subsystems = (size_t)d->n_subsystems;
    *c = (contraction){
        .d = d,
        .graph = {.n = d->graph.n, .at = calloc(n + 1, sizeof(int)), .to = calloc(edges + 1, sizeof(int))},
        .memory = calloc(6 * n + subsystems + 1, sizeof(int)),
        .flags = calloc(3 * n + 1, sizeof(bool))};
    MS_TRY_MEMORY(c->graph.at != NULL && c->graph.to != NULL && c->memory != NULL && c->flags != NULL);
    c->group = c->memory;
    c->position = c->group + n;
    c->sequence = c->position + n;
    c->next = c->sequence + n;
    c->stamp = c->next + n;
    c->stack = c->stamp + n;
    c->first = c->stack + n;
    c->alone = c->flags;
    c->done = c->flags + n;
    c->in_loop = c->done + n;
    for (size_t i = 0; i < subsystems; i++)
        c->first[i] = -1;
    return MS_OK;
}

/* The graph of the groups. */
static void contract(contraction *c)
{
    const ms_digraph *graph = &c->d->graph;
    const int n = graph->n;
    int *fill = c->stack;
    memset(c->graph.at, 0, sizeof(int) * (size_t)(n + 1));
    for (int pass = 0; pass < 2; pass++) {
        for (int v = n - 1; v >= 0; v--)
            for (int edge = graph->at[v]; edge < graph->at[v + 1]; edge++) {
                const int from = c->group[v], to = c->group[graph->to[edge]];
                if (from == to)
                    continue;
                if (pass == 0)
                    c->graph.at[from + 1]++;
                else
                    c->graph.to[fill[from]++] = to;
            }
        for (int v = 0; v < n && pass == 0; v++) {
            c->graph.at[v + 1] += c->graph.at[v];
            fill[v] = c->graph.at[v];
        }
    }
}

/* Positions of the groups, anew after each contraction. */
static int sort_groups(contraction *c)
{
    const int n = c->d->graph.n;
    contract(c);
    MS_TRY(ms_evaluation_components(&c->graph, c->position, &c->count));
    int *place = c->stack; /* of each component, which are at most n */
    memset(place, 0, sizeof(int) * (size_t)n);
    for (int v = 0; v < n; v++)
        place[c->position[v]]++;
    for (int v = 0; v < n; v++)
        c->alone[v] = place[c->position[v]] == 1;
    for (int k = 0, first = 0; k < c->count; k++) {
        const int size = place[k];
        place[k] = first;
        first += size;
    }
    for (int v = 0; v < n; v++)
        c->sequence[place[c->position[v]]++] = v;
    return MS_OK;
}

/* Does a path lead from a group to a later one that is alone? */
static bool leads_to(contraction *c, int from, int to)
{
    const int limit = c->position[to];
    int depth = 0;
    c->clock++;
    c->stack[depth++] = from;
    while (depth > 0) {
        const int v = c->stack[--depth];
        for (int edge = c->graph.at[v]; edge < c->graph.at[v + 1]; edge++) {
            const int w = c->graph.to[edge];
            if (w == to)
                return true;
            if (c->position[w] < limit && c->stamp[w] != c->clock) {
                c->stamp[w] = c->clock;
                c->stack[depth++] = w;
            }
        }
    }
    return false;
}

static void join(contraction *c, int group, int into)
{
    for (int v = 0; v < c->d->graph.n; v++)
        if (c->group[v] == group)
            c->group[v] = into;
}

/* Algorithm 2 -------------------------------------------------------------------------------------------- */

int ms_evaluation_plain_groups(const ms_dependency_graph *d, int *group)
{
    const ms_digraph *graph = &d->graph;
    const int n = graph->n, subsystems = d->n_subsystems;
    int *memory = calloc((size_t)n + 2 * (size_t)subsystems + 1, sizeof *memory);
    MS_TRY_MEMORY(memory);
    int *needs = memory, *first = memory + n; /* first + 1, 0: none; outputs of the two kinds */
    for (int edge = 0; edge < graph->at[n]; edge++)
        needs[graph->to[edge]]++;
    for (int v = 0; v < n; v++) {
        group[v] = v;
        if (!ms_dependency_is_output(d, v))
            continue;
        bool leads_on = false;
        for (int edge = graph->at[v]; edge < graph->at[v + 1]; edge++) {
            const int input = graph->to[edge];
            leads_on |= graph->at[input + 1] > graph->at[input];
        }
        if (needs[v] > 0 && leads_on)
            continue;
        int *other = &first[(needs[v] > 0 ? subsystems : 0) + d->subsystem[v]];
        if (*other == 0)
            *other = v + 1;
        group[v] = *other - 1;
    }
    free(memory);
    return MS_OK;
}

/* Each loop becomes one group (line 21), which outputs may join. */
static int contract_loops(contraction *c)
{
    const int n = c->d->graph.n;
    int leader = -1;
    for (int k = 0; k < n; k++) {
        const int v = c->sequence[k], i = c->d->subsystem[v];
        if (c->alone[v])
            continue;
        if (leader < 0 || c->position[leader] != c->position[v])
            leader = v;
        c->group[v] = leader; /* no output of a loop has been grouped before */
        c->in_loop[v] = true;
        if (ms_dependency_is_output(c->d, v) && (c->first[i] < 0 || c->group[c->first[i]] != leader)) {
            c->next[v] = c->first[i];
            c->first[i] = v;
        }
    }
    return leader >= 0 ? sort_groups(c) : MS_OK;
}

/* The first group of the same subsystem that neither leads to v nor follows from it, or -1. */
static int find_partner(contraction *c, int v)
{
    int partner = -1;
    for (int at = c->first[c->d->subsystem[v]]; at >= 0; at = c->next[at]) {
        const int w = c->group[at];
        if (partner >= 0 && c->position[w] > c->position[partner])
            continue;
        const bool before = c->position[w] < c->position[v];
        if (!leads_to(c, before ? w : v, before ? v : w))
            partner = w;
    }
    return partner;
}

/* Lines 3 to 22. */
static int join_outputs(contraction *c)
{
    const int n = c->d->graph.n;
    int status = sort_groups(c);
    MS_THEN(status, contract_loops(c));
    for (int k = 0; k < n && status == MS_OK; k++) {
        const int v = c->sequence[k];
        if (c->group[v] != v || !c->alone[v] || c->done[v] || !ms_dependency_is_output(c->d, v))
            continue;
        const int partner = find_partner(c, v), i = c->d->subsystem[v];
        c->done[v] = true;
        if (partner >= 0) {
            join(c, v, partner);
            status = sort_groups(c);
            k = -1;
        } else {
            c->next[v] = c->first[i];
            c->first[i] = v;
        }
    }
    return status;
}

/* The order ---------------------------------------------------------------------------------------------- */

/* Position of a node: within its group first the loop, then outputs that have joined it, by subsystem. */
typedef struct standing {
    int position, rider, node;
} standing;

static int by_standing(const void *a, const void *b)
{
    const standing *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    if (x->rider != y->rider)
        return x->rider < y->rider ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int number_groups(contraction *c, ms_evaluation_order *order)
{
    const int n = c->d->graph.n;
    standing *all = calloc((size_t)n + 1, sizeof *all);
    int *component = c->stack, count = 0;
    MS_TRY_MEMORY(all);
    for (int v = 0; v < n; v++) {
        const bool rides = c->in_loop[c->group[v]] && !c->in_loop[v];
        all[v] = (standing){c->position[c->group[v]], rides ? 1 + c->d->subsystem[v] : 0, v};
    }
    qsort(all, (size_t)n, sizeof *all, by_standing);
    for (int k = 0; k < n; k++) {
        if (k > 0 && (all[k].position != all[k - 1].position || all[k].rider != all[k - 1].rider))
            count++;
        component[all[k].node] = count;
    }
    free(all);
    return ms_evaluation_order_of(c->d, component, count + 1, order);
}

/* Both --------------------------------------------------------------------------------------------------- */

int ms_evaluation_order_reduce(const ms_dependency_graph *d, ms_evaluation_order *order)
{
    contraction c;
    ms_evaluation_order plain = {0};
    *order = (ms_evaluation_order){0};
    int status = contraction_create(d, &c);
    MS_THEN(status, ms_evaluation_plain_groups(d, c.group));
    MS_THEN(status, join_outputs(&c));
    MS_THEN(status, number_groups(&c, order));
    MS_THEN(status, ms_evaluation_order_move_inputs(d, order));
    MS_THEN(status, ms_evaluation_order_create(d, &plain));
    MS_THEN(status, ms_evaluation_order_move_inputs(d, &plain));
    if (status == MS_OK && plain.total < order->total) {
        const ms_evaluation_order grouped = *order;
        *order = plain;
        order->kept = true;
        plain = grouped;
    }
    if (status != MS_OK)
        ms_evaluation_order_destroy(order);
    ms_evaluation_order_destroy(&plain);
    contraction_destroy(&c);
    return status;
}
