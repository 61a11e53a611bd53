/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dependency_graph.h - which scalar input or output needs which: the graph of the initialisation problem
 * y = g(t, x, u, u'), u = L y (Andersson 2016, section 5.1).
 *
 * Nodes are all inputs, then all outputs, in the order of u and y. Edges lead from what is needed to what
 * needs it: from output to input along a wire (5.5), from input to output where the output feeds through
 * (5.4). Outputs of a subsystem whose g reads u' need y' of the outputs that feed it, hence, by y' =
 * g_t + g_x f(x, u), all inputs of the subsystems that these belong to. */
#pragma once

#include "strong_components.h"

typedef enum ms_dependency_kind {
    MS_DEPENDENCY_WIRE,
    MS_DEPENDENCY_FEED_THROUGH,
    MS_DEPENDENCY_SLOPE /* through u' */
} ms_dependency_kind;

typedef struct ms_dependency_graph {
    ms_digraph graph;
    int n_subsystems;
    int n_inputs;   /* nodes below are inputs, the others outputs */
    int *subsystem; /* (n) of each node */
    int *kind;      /* ms_dependency_kind of each edge, as graph.to */
} ms_dependency_graph;

static inline bool ms_dependency_is_output(const ms_dependency_graph *d, int node)
{
    return node >= d->n_inputs;
}

/* Edges of a node in the order of their other ends, last to first, so that free choices of Tarjan's
 * algorithm follow the declared order. Returns MS_OK or MS_NO_MEMORY. */
int ms_dependency_graph_create(const ms_system *system, ms_dependency_graph *dependencies);
void ms_dependency_graph_destroy(ms_dependency_graph *dependencies); /* safe to repeat */

/* "SUB.u.NAME" or "SUB.y.NAME" of a node, and its length, whether it fits or not: of size 0 text may be NULL. */
size_t ms_dependency_name(const ms_system *system, int node, char *text, size_t size);

/* The names of n nodes, separated by commas; those that do not fit are counted ("and 3 more"). */
void ms_dependency_names(const ms_system *system, int n, const int *node, char *text, size_t size);
