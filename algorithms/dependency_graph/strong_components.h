/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strong_components.h - strongly connected components in topological order, and subsystems as nodes.
 *
 * At a communication point the outputs of a subsystem depend on those of another one where a wire leads from
 * this to an input that feeds through. Components of more than one subsystem (or of one that feeds itself)
 * hold algebraic loops; the others can be evaluated one after the other. */
#pragma once

#include <macrostep/system.h>

/* A directed graph: node i leads to the nodes to[at[i]] .. to[at[i + 1] - 1]. */
typedef struct ms_digraph {
    int n;
    int *at; /* (n + 1) */
    int *to;
} ms_digraph;

/* Strongly connected components (Tarjan, SIAM J. Comput. 1, 1972). component (n) gets their numbers, 0 ..
 * *count - 1, such that edges between components lead from lower to higher numbers. Returns MS_OK or
 * MS_NO_MEMORY. */
int ms_strong_components(const ms_digraph *graph, int *component, int *count);

/* The same, with a given order of the roots of the search: nodes reached from the first roots come
 * last. NULL: from the last node to the first, so that free choices follow the declared order. */
int ms_strong_components_from(const ms_digraph *graph, const int *roots, int *component, int *count);

/* Subsystems as nodes; i leads to j where an output of i is wired to an input of j that feeds through.
 * Returns MS_OK or MS_NO_MEMORY. */
int ms_digraph_of_subsystems(const ms_system *system, ms_digraph *graph);
void ms_digraph_destroy(ms_digraph *graph);

/* Can input k of subsystem i change one of its outputs directly? */
bool ms_input_feeds_through(const ms_system *system, int i, int k);
