/* evaluation_order_reduce.c - fewer model evaluations: Algorithm 2 of Andersson (2016). */
#include <stdlib.h>
#include <string.h>

#include "evaluation_order.h"
#include "evaluation_order_engine.h"

/* Contraction -------------------------------------------------------------------------------------------- */

typedef struct contraction {
    const ms_dependencies *d;
    int *group;                /* (n): the node that stands for each node; joined nodes have the same one */
    ms_graph graph;            /* of the groups; nodes that stand for none are isolated */
    int *position;             /* (n): component of each group, in evaluation order */
    int count;                 /* components */
    int *sequence;             /* (n): groups by position */
    bool *alone;               /* (n): is the group a component by itself? */
    bool *done;                /* (n): has it looked for a partner? */
    int *first;                /* (n_subsystems): groups of outputs that are done, as a list; -1: the end */
    int *next;                 /* (n) */
    int *stamp, *stack, clock; /* of searches */
    int *memory;
    bool *flags;
} contraction;

static void contraction_destroy(contraction *c)
{
    ms_graph_destroy(&c->graph);
    free(c->memory);
    free(c->flags);
}

static int contraction_create(const ms_dependencies *d, contraction *c)
{
    const size_t n = (size_t)d->graph.n, edges = (size_t)d->graph.at[n], subsystems = (size_t)d->n_subsystems;
    *c = (contraction){
        .d = d,
        .graph = {.n = d->graph.n, .at = calloc(n + 1, sizeof(int)), .to = calloc(edges + 1, sizeof(int))},
        .memory = calloc(6 * n + subsystems + 1, sizeof(int)),
        .flags = calloc(2 * n + 1, sizeof(bool))};
    if (c->graph.at == NULL || c->graph.to == NULL || c->memory == NULL || c->flags == NULL)
        return MS_NO_MEMORY;
    c->group = c->memory;
    c->position = c->group + n;
    c->sequence = c->position + n;
    c->next = c->sequence + n;
    c->stamp = c->next + n;
    c->stack = c->stamp + n;
    c->first = c->stack + n;
    c->alone = c->flags;
    c->done = c->flags + n;
    for (size_t i = 0; i < subsystems; i++)
        c->first[i] = -1;
    return MS_OK;
}

/* The graph of the groups. */
static void contract(contraction *c)
{
    const ms_graph *graph = &c->d->graph;
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
    const int status = ms_evaluation_components(&c->graph, c->position, &c->count);
    if (status != MS_OK)
        return status;
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

int ms_evaluation_plain_groups(const ms_dependencies *d, int *group)
{
    const ms_graph *graph = &d->graph;
    const int n = graph->n, subsystems = d->n_subsystems;
    int *memory = calloc((size_t)n + 2 * (size_t)subsystems + 1, sizeof *memory);
    if (memory == NULL)
        return MS_NO_MEMORY;
    int *needs = memory, *first = memory + n; /* first + 1: 0 is none; outputs of the two kinds */
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

/* The first group of the same subsystem that neither leads to v nor follows from it, or -1. */
static int find_partner(contraction *c, int v)
{
    int partner = -1;
    for (int w = c->first[c->d->subsystem[v]]; w >= 0; w = c->next[w]) {
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

/* Both --------------------------------------------------------------------------------------------------- */

int ms_evaluation_order_reduce(const ms_dependencies *d, ms_evaluation_order *order)
{
    contraction c;
    ms_evaluation_order plain = {0};
    *order = (ms_evaluation_order){0};
    int status = contraction_create(d, &c);
    if (status == MS_OK)
        status = ms_evaluation_plain_groups(d, c.group);
    if (status == MS_OK)
        status = join_outputs(&c);
    for (int v = 0; v < d->graph.n && status == MS_OK; v++)
        c.position[v] = c.position[c.group[v]];
    if (status == MS_OK)
        status = ms_evaluation_order_of(d, c.position, c.count, order);
    if (status == MS_OK)
        status = ms_evaluation_order_move_inputs(d, order);
    if (status == MS_OK)
        status = ms_evaluation_order_create(d, &plain);
    if (status == MS_OK)
        status = ms_evaluation_order_move_inputs(d, &plain);
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
