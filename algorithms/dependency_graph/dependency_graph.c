/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dependency_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Edges in the making: counted in a first visit, stored in a second one. */
typedef struct draft {
    const ms_system *system;
    ms_dependency_graph *d;
    int *stamp; /* (n_subsystems): the subsystem whose feeders are visited, plus 1 */
    int *fill;  /* (n): where the next edge goes; NULL while counting */
} draft;

static void add_edge(draft *e, int from, int to, ms_dependency_kind kind)
{
    ms_digraph *graph = &e->d->graph;
    if (e->fill == NULL) {
        graph->at[from + 1]++;
        return;
    }
    const int edge = e->fill[from]++;
    graph->to[edge] = to;
    e->d->kind[edge] = (int)kind;
}

/* All outputs of i need all inputs of the subsystems that feed it. */
static void visit_slopes(draft *e, int i)
{
    const ms_system *s = e->system;
    for (int wire = s->row_at[s->u_at[i]]; wire < s->row_at[s->u_at[i + 1]]; wire++) {
        const int feeder = s->owner[s->wire_output[wire]];
        if (e->stamp[feeder] == i + 1)
            continue;
        e->stamp[feeder] = i + 1;
        for (int k = s->u_at[feeder]; k < s->u_at[feeder + 1]; k++)
            for (int j = s->y_at[i + 1] - 1; j >= s->y_at[i]; j--)
                add_edge(e, k, s->nu + j, MS_DEPENDENCY_SLOPE);
    }
}

static void visit_edges(draft *e)
{
    const ms_system *s = e->system;
    for (int i = s->n - 1; i >= 0; i--)
        for (int k = s->sub[i].nu - 1; k >= 0; k--) {
            const int input = s->u_at[i] + k;
            for (int wire = s->row_at[input]; wire < s->row_at[input + 1]; wire++)
                add_edge(e, s->nu + s->wire_output[wire], input, MS_DEPENDENCY_WIRE);
            for (int j = s->sub[i].ny - 1; j >= 0; j--)
                if (ms_subsystem_feeds_through(s, i, j, k))
                    add_edge(e, input, s->nu + s->y_at[i] + j, MS_DEPENDENCY_FEED_THROUGH);
        }
    for (int i = 0; i < s->n; i++)
        e->stamp[i] = 0;
    for (int i = s->n - 1; i >= 0; i--)
        if (s->sub[i].uses_du)
            visit_slopes(e, i);
}

int ms_dependency_graph_create(const ms_system *system, ms_dependency_graph *d)
{
    const size_t nu = (size_t)system->nu, ny = (size_t)system->ny, n = nu + ny;
    *d = (ms_dependency_graph){.graph = {.n = system->nu + system->ny, .at = calloc(n + 1, sizeof(int))},
                               .n_subsystems = system->n,
                               .n_inputs = system->nu,
                               .subsystem = calloc(n + 1, sizeof(int))};
    int *memory = calloc(n + (size_t)system->n + 1, sizeof *memory);
    int status = d->graph.at != NULL && d->subsystem != NULL && memory != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        draft e = {.system = system, .d = d, .stamp = memory + n};
        for (int i = 0; i < system->n; i++) {
            for (int k = system->u_at[i]; k < system->u_at[i + 1]; k++)
                d->subsystem[k] = i;
            for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++)
                d->subsystem[system->nu + j] = i;
        }
        visit_edges(&e);
        for (int v = 0; v < d->graph.n; v++) {
            d->graph.at[v + 1] += d->graph.at[v];
            memory[v] = d->graph.at[v];
        }
        const size_t edges = (size_t)d->graph.at[n];
        d->graph.to = calloc(edges + 1, sizeof(int));
        d->kind = calloc(edges + 1, sizeof(int));
        e.fill = memory;
        status = d->graph.to != NULL && d->kind != NULL ? MS_OK : MS_NO_MEMORY;
        if (status == MS_OK)
            visit_edges(&e);
    }
    if (status != MS_OK)
        ms_dependency_graph_destroy(d);
    free(memory);
    return status;
}

void ms_dependency_graph_destroy(ms_dependency_graph *d)
{
    ms_digraph_destroy(&d->graph);
    MS_FREE(d->subsystem, d->kind);
    *d = (ms_dependency_graph){0};
}

size_t ms_dependency_name(const ms_system *system, int node, char *text, size_t size)
{
    const bool output = node >= system->nu;
    const int *at = output ? system->y_at : system->u_at, k = output ? node - system->nu : node;
    int i = 0, end = system->n; /* at[i] <= k < at[end] */
    while (end - i > 1) {
        const int middle = i + (end - i) / 2;
        *(at[middle] <= k ? &i : &end) = middle;
    }
    const ms_variable *variables = output ? system->sub[i].y : system->sub[i].u;
    /* cppcheck-suppress ctunullpointer ; of no bytes it writes none, wherever that is */
    return (size_t)snprintf(text, size, "%s.%c.%s", system->sub[i].name, output ? 'y' : 'u',
                            variables[k - at[i]].name);
}

void ms_dependency_names(const ms_system *system, int n, const int *node, char *text, size_t size)
{
    const size_t more = sizeof " and 2147483647 more";
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < n; k++) {
        char name[160];
        ms_dependency_name(system, node[k], name, sizeof name);
        const size_t length = strlen(name) + 2;
        if (used + length + more >= size) {
            snprintf(text + used, size - used, " and %d more", n - k);
            return;
        }
        snprintf(text + used, size - used, "%s%s", k > 0 ? ", " : "", name);
        used += strlen(text + used);
    }
}
