/* SPDX-License-Identifier: GPL-3.0-or-later */
/* macrostep_initialisation.h - graphs of the study of that name with numbers: is D L nilpotent where there is no loop (Andersson 2016,
 * (5.8)), and does the evaluation order solve what one dense system of equations solves (section 5.1)? */
#ifndef MS_MACROSTEP_INITIALISATION_H
#define MS_MACROSTEP_INITIALISATION_H

#include "evaluation_order.h"

enum { MS_GRAPH_NODES_MAX = 256 };

typedef struct ms_graph_solution {
    int loops; /* groups of the order that are loops */
    bool nilpotent;
    double off; /* the largest difference of a value, in the order against at once; values are of size 1 */
} ms_graph_solution;

/* With gains and right sides of the seed. Returns MS_OK, MS_NO_SOLUTION or MS_NO_MEMORY. */
int ms_graph_solve(const ms_dependency_graph *d, const ms_evaluation_order *order, unsigned long long seed,
                   ms_graph_solution *solution);

#endif
