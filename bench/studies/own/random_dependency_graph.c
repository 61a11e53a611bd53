/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_dependency_graph.h"

#include <math.h>
#include <stdlib.h>

/* Uniform in [0, 1): Knuth's MMIX generator, its upper 53 bits. */
static double uniform(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return ldexp((double)(*seed >> 11), -53);
}

/* feeds (outputs x inputs of each subsystem), wire (inputs): the output that feeds it. rank (inputs,
 * outputs): the random sequence of the variables. */
static void draw(const ms_random_graph_options *w, unsigned long long *seed, bool *feeds, int *wire,
                 double *rank)
{
    const int nu = w->subsystems * w->inputs, ny = w->subsystems * w->outputs;
    for (int v = 0; v < nu + ny; v++)
        rank[v] = uniform(seed);
    for (int i = 0; i < w->subsystems; i++)
        for (int j = 0; j < w->outputs; j++)
            for (int k = 0; k < w->inputs; k++) {
                const bool drawn = uniform(seed) < w->feed_through;
                const bool follows = rank[nu + i * w->outputs + j] > rank[i * w->inputs + k];
                feeds[(i * w->outputs + j) * w->inputs + k] = drawn && (w->loops || follows);
            }
    for (int k = 0; k < nu; k++) {
        const int i = k / w->inputs, own = k % w->inputs;
        bool *column = &feeds[i * w->outputs * w->inputs + own];
        bool leads_on = false;
        int choices = 0;
        for (int j = 0; j < w->outputs; j++)
            leads_on |= column[j * w->inputs];
        for (int j = 0; j < ny; j++)
            choices += rank[nu + j] < rank[k];
        const bool any = w->loops || !leads_on || choices == 0;
        for (int j = 0; j < w->outputs && !w->loops && choices == 0; j++)
            column[j * w->inputs] = false;
        int nth = (int)(uniform(seed) * (any ? ny : choices)), j = 0;
        for (; j < ny; j++)
            if ((any || rank[nu + j] < rank[k]) && nth-- == 0)
                break;
        wire[k] = j;
    }
}

static void fill(const ms_random_graph_options *w, const bool *feeds, const int *wire, ms_dependency_graph *d)
{
    const int nu = d->n_inputs, ny = w->subsystems * w->outputs, block = w->inputs * w->outputs;
    int edges = 0;
    for (int k = 0; k < nu; k++) {
        const int i = k / w->inputs;
        d->subsystem[k] = i;
        for (int j = w->outputs - 1; j >= 0; j--)
            if (feeds[i * block + j * w->inputs + k % w->inputs]) {
                d->graph.to[edges] = nu + i * w->outputs + j;
                d->kind[edges++] = MS_DEPENDENCY_FEED_THROUGH;
            }
        d->graph.at[k + 1] = edges;
    }
    for (int j = 0; j < ny; j++) {
        d->subsystem[nu + j] = j / w->outputs;
        for (int k = nu - 1; k >= 0; k--)
            if (wire[k] == j) {
                d->graph.to[edges] = k;
                d->kind[edges++] = MS_DEPENDENCY_WIRE;
            }
        d->graph.at[nu + j + 1] = edges;
    }
}

int ms_random_dependency_graph(const ms_random_graph_options *w, unsigned long long *seed,
                               ms_dependency_graph *d)
{
    const size_t nu = (size_t)(w->subsystems * w->inputs), ny = (size_t)(w->subsystems * w->outputs),
                 blocks = nu * (size_t)w->outputs;
    *d = (ms_dependency_graph){.graph = {.n = (int)(nu + ny),
                                         .at = calloc(nu + ny + 1, sizeof(int)),
                                         .to = calloc(nu + blocks + 1, sizeof(int))},
                               .n_subsystems = w->subsystems,
                               .n_inputs = (int)nu,
                               .subsystem = calloc(nu + ny + 1, sizeof(int)),
                               .kind = calloc(nu + blocks + 1, sizeof(int))};
    bool *feeds = calloc(blocks + 1, sizeof *feeds);
    int *wire = calloc(nu + 1, sizeof *wire);
    double *rank = calloc(nu + ny + 1, sizeof *rank);
    int status = MS_NO_MEMORY;
    if (d->graph.at != NULL && d->graph.to != NULL && d->subsystem != NULL && d->kind != NULL &&
        feeds != NULL && wire != NULL && rank != NULL) {
        draw(w, seed, feeds, wire, rank);
        fill(w, feeds, wire, d);
        status = MS_OK;
    } else {
        ms_dependency_graph_destroy(d);
    }
    MS_FREE(feeds, wire, rank);
    return status;
}
