/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strong_components.h"

#include <stdlib.h>

/* State of the search, kept on explicit stacks: a chain of subsystems may be long. */
typedef struct search {
    const ms_digraph *graph;
    int *index, *low;  /* order of discovery (0: none yet), and the lowest one that is reached */
    int *stack, *path; /* open nodes; nodes on the way from the root */
    int *next;         /* the edge of each node that is followed next */
    int depth, length, discovered, count;
    int *component;
} search;

static void discover(search *s, int node)
{
    s->index[node] = s->low[node] = ++s->discovered;
    s->next[node] = s->graph->at[node];
    s->stack[s->depth++] = node;
    s->path[s->length++] = node;
}

/* Every node down to this one forms a component. */
static void close_component(search *s, int node)
{
    int member;
    do {
        member = s->stack[--s->depth];
        s->component[member] = s->count;
    } while (member != node);
    s->count++;
}

static void lower(search *s, int node, int value)
{
    if (value < s->low[node])
        s->low[node] = value;
}

static void search_from(search *s, int root)
{
    discover(s, root);
    while (s->length > 0) {
        const int node = s->path[s->length - 1];
        if (s->next[node] < s->graph->at[node + 1]) {
            const int other = s->graph->to[s->next[node]++];
            if (s->index[other] == 0)
                discover(s, other);
            else if (s->component[other] < 0) /* still open */
                lower(s, node, s->index[other]);
            continue;
        }
        s->length--;
        if (s->low[node] == s->index[node])
            close_component(s, node);
        if (s->length > 0)
            lower(s, s->path[s->length - 1], s->low[node]);
    }
}

int ms_strong_components(const ms_digraph *graph, int *component, int *count)
{
    return ms_strong_components_from(graph, NULL, component, count);
}

int ms_strong_components_from(const ms_digraph *graph, const int *roots, int *component, int *count)
{
    const size_t n = (size_t)graph->n;
    int *memory = calloc(5 * n + 1, sizeof *memory);
    *count = 0;
    MS_TRY_MEMORY(memory);
    search s = {.graph = graph,
                .index = memory,
                .low = memory + n,
                .stack = memory + 2 * n,
                .path = memory + 3 * n,
                .next = memory + 4 * n,
                .component = component};
    for (int i = 0; i < graph->n; i++)
        component[i] = -1;
    for (int k = 0; k < graph->n; k++) {
        const int root = roots != NULL ? roots[k] : graph->n - 1 - k;
        if (s.index[root] == 0)
            search_from(&s, root);
    }
    for (int i = 0; i < graph->n; i++) /* components are closed after all that they lead to */
        component[i] = s.count - 1 - component[i];
    *count = s.count;
    free(memory);
    return MS_OK;
}

bool ms_input_feeds_through(const ms_system *system, int i, int k)
{
    for (int j = 0; j < system->sub[i].ny; j++)
        if (ms_subsystem_feeds_through(system, i, j, k))
            return true;
    return false;
}

/* Counts the edges of each node (to == NULL), or stores them. */
static void visit_edges(const ms_system *system, ms_digraph *graph, int *fill)
{
    for (int j = 0; j < system->n; j++)
        for (int k = 0; k < system->sub[j].nu; k++) {
            const int input = system->u_at[j] + k;
            if (!ms_input_feeds_through(system, j, k))
                continue;
            for (int wire = system->row_at[input]; wire < system->row_at[input + 1]; wire++) {
                const int from = ms_system_owner(system, system->wire_output[wire]);
                if (graph->to == NULL)
                    graph->at[from + 1]++;
                else
                    graph->to[fill[from]++] = j;
            }
        }
}

int ms_digraph_of_subsystems(const ms_system *system, ms_digraph *graph)
{
    const size_t n = (size_t)system->n;
    *graph = (ms_digraph){.n = system->n, .at = calloc(n + 1, sizeof(int))};
    int *fill = calloc(n + 1, sizeof *fill);
    int status = graph->at != NULL && fill != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        visit_edges(system, graph, fill);
        for (int i = 0; i < system->n; i++) {
            graph->at[i + 1] += graph->at[i];
            fill[i] = graph->at[i];
        }
        graph->to = calloc((size_t)graph->at[n] + 1, sizeof *graph->to);
        status = graph->to != NULL ? MS_OK : MS_NO_MEMORY;
    }
    if (status == MS_OK)
        visit_edges(system, graph, fill);
    else
        ms_digraph_destroy(graph);
    free(fill);
    return status;
}

void ms_digraph_destroy(ms_digraph *graph)
{
    MS_FREE(graph->at, graph->to);
    *graph = (ms_digraph){0};
}
