/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluation_order_parts.h - what the files of the evaluation order share. Private to these files. */
#pragma once

#include "evaluation_order.h"

/* Tarjan's components, the search beginning at nodes that need nothing. */
int ms_evaluation_components(const ms_digraph *graph, int *component, int *count);

/* The order with the inputs that are groups of their own moved to where fewest evaluations follow. */
int ms_evaluation_order_move_inputs(const ms_dependency_graph *d, ms_evaluation_order *order);
