/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_text.h - the graph of inputs and outputs of a model in the DOT language of Graphviz. */
#pragma once

#include "evaluation_order.h"

/* One cluster a subsystem, inputs as boxes and outputs as ellipses, wires solid, feed-through dashed, time
 * derivatives dotted; under each name its place in the order. order may be NULL: no places, no loops.
 * group (nodes; may be NULL): the node that means each node; nodes with the same one are drawn as one.
 * title may be NULL. The text is owned by the caller; NULL: no memory. */
char *ms_graph_text(const ms_system *system, const ms_dependency_graph *d, const ms_evaluation_order *order,
                    const int *group, const char *title);
