/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "evaluation_order.h"

#include <stdlib.h>
#include <string.h>

#include "evaluation_order_parts.h"

/* Orders ------------------------------------------------------------------------------------------------- */

/* Assumption 5.1. */
static void count_evaluations(const ms_dependency_graph *d, ms_evaluation_order *order)
{
    int *stale = order->evaluations + d->n_subsystems;
    order->total = 0;
    for (int i = 0; i < d->n_subsystems; i++) {
        order->evaluations[i] = 0;
        stale[i] = 1;
    }
    for (int k = 0; k < order->n_groups; k++) /* inputs come before outputs */
        for (int at = order->at[k]; at < order->at[k + 1]; at++) {
            const int node = order->node[at], i = d->subsystem[node];
            if (!ms_dependency_is_output(d, node)) {
                stale[i] = 1;
            } else if (stale[i]) {
                stale[i] = 0;
                order->evaluations[i]++;
                order->total++;
            }
        }
}

/* Does the group hold inputs and outputs? Then it is a loop, unless it has been put together wrongly. */
static bool is_mixed(const ms_dependency_graph *d, const ms_evaluation_order *order, int k)
{
    const int first = order->node[order->at[k]], last = order->node[order->at[k + 1] - 1];
    return !ms_dependency_is_output(d, first) && ms_dependency_is_output(d, last);
}

int ms_evaluation_order_of(const ms_dependency_graph *d, const int *component, int count,
                           ms_evaluation_order *order)
{
    const int n = d->graph.n;
    *order = (ms_evaluation_order){
        .at = calloc((size_t)count + 2, sizeof(int)),
        .node = calloc((size_t)n + 1, sizeof(int)),
        .loop = calloc((size_t)count + 1, sizeof(bool)),
        .evaluations = calloc(2 * (size_t)d->n_subsystems + 1, sizeof(int)),
    };
    int *place = calloc((size_t)count + 1, sizeof *place); /* first of each group, without empty ones */
    if (order->at == NULL || order->node == NULL || order->loop == NULL || order->evaluations == NULL ||
        place == NULL) {
        free(place);
        ms_evaluation_order_destroy(order);
        return MS_NO_MEMORY;
    }
    for (int v = 0; v < n; v++)
        place[component[v]]++;
    for (int c = 0, first = 0; c < count; c++) {
        const int size = place[c];
        place[c] = first;
        first += size;
        if (size > 0)
            order->at[++order->n_groups] = first;
    }
    for (int v = 0; v < n; v++)
        order->node[place[component[v]]++] = v;
    for (int k = 0; k < order->n_groups; k++)
        order->loop[k] = is_mixed(d, order, k);
    count_evaluations(d, order);
    free(place);
    return MS_OK;
}

void ms_evaluation_order_destroy(ms_evaluation_order *order)
{
    MS_FREE(order->at, order->node, order->loop, order->evaluations);
    *order = (ms_evaluation_order){0};
}

/* Algorithm 1 -------------------------------------------------------------------------------------------- */

int ms_evaluation_components(const ms_digraph *graph, int *component, int *count)
{
    const int n = graph->n;
    int *roots = calloc(2 * (size_t)n + 1, sizeof *roots);
    MS_TRY_MEMORY(roots);
    int *needs = roots + n;
    for (int edge = 0; edge < graph->at[n]; edge++)
        needs[graph->to[edge]]++;
    int k = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int v = n - 1; v >= 0; v--)
            if ((needs[v] == 0) == (pass == 0))
                roots[k++] = v;
    const int status = ms_strong_components_from(graph, roots, component, count);
    free(roots);
    return status;
}

int ms_evaluation_order_create(const ms_dependency_graph *d, ms_evaluation_order *order)
{
    int count = 0, *component = calloc((size_t)d->graph.n + 1, sizeof *component);
    *order = (ms_evaluation_order){0};
    int status = component != NULL ? ms_evaluation_components(&d->graph, component, &count) : MS_NO_MEMORY;
    MS_THEN(status, ms_evaluation_order_of(d, component, count, order));
    free(component);
    return status;
}

/* The minimum -------------------------------------------------------------------------------------------- */

enum { EXHAUSTION_BITS = 24, UNKNOWN = 255 };

/* Dynamic programming over which components are done and which subsystems are stale. */
typedef struct exhaustion {
    int n, subsystems;               /* components that lead on, or are read; subsystems */
    unsigned needs[EXHAUSTION_BITS]; /* components that must be done before */
    unsigned sets[EXHAUSTION_BITS],
        reads[EXHAUSTION_BITS]; /* subsystems whose inputs it sets, outputs reads */
    unsigned char *cost;        /* (2^(n + subsystems)): least so far */
} exhaustion;

static unsigned char bits_of(unsigned set)
{
    unsigned char n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

static void offer(exhaustion *e, unsigned done, unsigned stale, int component, unsigned char cost)
{
    const unsigned after = stale | e->sets[component], read = e->reads[component];
    const unsigned state = ((done | 1U << component) << e->subsystems) | (after & ~read);
    cost = (unsigned char)(cost + bits_of(after & read));
    if (cost < e->cost[state])
        e->cost[state] = cost;
}

/* Costs nothing and takes nothing away: an input of a subsystem that is stale, an output of one that is
 * not. */
static bool is_free(const exhaustion *e, int component, unsigned stale)
{
    return (e->sets[component] & ~stale) == 0 && ((stale | e->sets[component]) & e->reads[component]) == 0;
}

static void expand(exhaustion *e, unsigned done, unsigned stale, unsigned char cost)
{
    int ready[EXHAUSTION_BITS], n = 0;
    for (int c = 0; c < e->n; c++) {
        if ((done >> c & 1U) != 0 || (e->needs[c] & ~done) != 0)
            continue;
        if (is_free(e, c, stale)) {
            offer(e, done, stale, c, cost);
            return;
        }
        ready[n++] = c;
    }
    for (int k = 0; k < n; k++)
        offer(e, done, stale, ready[k], cost);
}

/* Components as bits; an input that leads nowhere is set last and costs nothing. */
static bool describe(const ms_dependency_graph *d, const ms_evaluation_order *order, int *bit, exhaustion *e)
{
    e->subsystems = d->n_subsystems;
    for (int k = 0; k < order->n_groups; k++) {
        const int first = order->node[order->at[k]];
        const bool last = !ms_dependency_is_output(d, first) && d->graph.at[first + 1] == d->graph.at[first];
        if (!last && e->n + e->subsystems >= EXHAUSTION_BITS)
            return false;
        for (int at = order->at[k]; at < order->at[k + 1]; at++) {
            const int node = order->node[at];
            bit[node] = last ? -1 : e->n;
            if (!last)
                *(ms_dependency_is_output(d, node) ? &e->reads[e->n] : &e->sets[e->n]) |=
                    1U << d->subsystem[node];
        }
        e->n += !last;
    }
    for (int v = 0; v < d->graph.n; v++)
        for (int edge = d->graph.at[v]; edge < d->graph.at[v + 1]; edge++) {
            const int to = bit[d->graph.to[edge]];
            if (to >= 0 && to != bit[v])
                e->needs[to] |= 1U << bit[v];
        }
    return true;
}

int ms_evaluation_order_minimum(const ms_dependency_graph *d, int *minimum)
{
    ms_evaluation_order order;
    exhaustion e = {0};
    int *bit = calloc((size_t)d->graph.n + 1, sizeof *bit);
    int status = ms_evaluation_order_create(d, &order);
    if (status == MS_OK && bit == NULL)
        status = MS_NO_MEMORY;
    if (status == MS_OK && (d->n_subsystems > EXHAUSTION_BITS / 2 || !describe(d, &order, bit, &e)))
        status = MS_UNSUPPORTED;
    if (status == MS_OK) {
        const unsigned states = 1U << e.subsystems, all = (1U << e.n) - 1U;
        e.cost = malloc((size_t)states << e.n);
        status = e.cost != NULL ? MS_OK : MS_NO_MEMORY;
        if (status == MS_OK) {
            memset(e.cost, UNKNOWN, (size_t)states << e.n);
            e.cost[states - 1U] = 0; /* nothing done, all stale */
            for (unsigned done = 0; done < all; done++)
                for (unsigned stale = 0; stale < states; stale++)
                    if (e.cost[(done << e.subsystems) | stale] != UNKNOWN)
                        expand(&e, done, stale, e.cost[(done << e.subsystems) | stale]);
            *minimum = UNKNOWN;
            for (unsigned stale = 0; stale < states; stale++)
                if (e.cost[(all << e.subsystems) | stale] < *minimum)
                    *minimum = e.cost[(all << e.subsystems) | stale];
        }
    }
    MS_FREE(e.cost, bit);
    ms_evaluation_order_destroy(&order);
    return status;
}
