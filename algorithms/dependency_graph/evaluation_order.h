/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluation_order.h - in which order inputs are set and outputs are read so that y = g(x, u), u = L y is
 * solved by evaluation, and how often each subsystem is evaluated on the way (Andersson 2016, chapter 5).
 *
 * Cost: a subsystem is evaluated when an output is read and an input has been set since it was evaluated
 * last, or never was (Assumption 5.1). A loop counts one evaluation of each of its subsystems, that of one
 * residual. */
#pragma once

#include "dependency_graph.h"

/* Group k holds the nodes node[at[k]] .. node[at[k + 1] - 1]: one input, outputs of one subsystem, or an
 * algebraic loop. */
typedef struct ms_evaluation_order {
    int n_groups;
    int *at;          /* (n_groups + 1) */
    int *node;        /* all nodes, ascending within a group */
    bool *loop;       /* (n_groups) strongly connected: to be solved together */
    int *evaluations; /* (n_subsystems) */
    int total;        /* sum of the evaluations */
    bool kept;        /* of reduced orders: the groups of Algorithm 2 would have cost more than none */
} ms_evaluation_order;

/* Algorithm 1: Tarjan's components in his order, from the nodes that need nothing. Returns MS_OK or
 * MS_NO_MEMORY, as the following. */
int ms_evaluation_order_create(const ms_dependency_graph *d, ms_evaluation_order *order);

/* Algorithm 2, never more evaluations than Algorithm 1: outputs of a subsystem that need no input are one
 * group, those that lead only to inputs without feed-through another one; then every single output (group)
 * joins the first one of its subsystem in the order that it does not depend on. Departures from the print:
 * line 11 has e_j for e_i; the order is computed anew after each contraction, and a contraction is tested in
 * both directions; an output may also be read with the evaluation of a loop that its subsystem takes part in
 * (line 10 joins single outputs alone). Then each input that is no part of a loop is set where fewest
 * evaluations follow: an exact minimum for the given order of outputs (stabbing of intervals). Where the
 * greedy joins cost more than the order of Algorithm 1 with its inputs moved in that way, the latter is
 * returned (kept). */
int ms_evaluation_order_reduce(const ms_dependency_graph *d, ms_evaluation_order *order);

/* The groups of lines 1 and 2 of Algorithm 2: group (n) gets the node that means each node, the first
 * output of its group, or the node itself. */
int ms_evaluation_plain_groups(const ms_dependency_graph *d, int *group);

/* The order of the groups 0 .. count - 1 that component (n) gives, which may be any; groups may be empty. */
int ms_evaluation_order_of(const ms_dependency_graph *d, const int *component, int count,
                           ms_evaluation_order *order);

void ms_evaluation_order_destroy(ms_evaluation_order *order); /* safe to repeat */

/* The fewest evaluations of all orders, by exhaustion. MS_UNSUPPORTED where components that lead on and
 * subsystems are more than 24 together. */
int ms_evaluation_order_minimum(const ms_dependency_graph *d, int *minimum);
