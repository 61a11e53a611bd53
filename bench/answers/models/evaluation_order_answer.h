/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluation_order_answer.h - evaluation orders as JSON, for show and graph. */
#pragma once

#include <jansson.h>

#include "evaluation_order.h"

/* Graph and both orders of a system. */
typedef struct ms_evaluation_order_pair {
    ms_dependency_graph dependencies;
    ms_evaluation_order tarjan, reduced;
} ms_evaluation_order_pair;

/* Returns MS_OK or MS_NO_MEMORY; ms_evaluation_order_pair_destroy is safe after both. */
int ms_evaluation_order_pair_create(const ms_system *system, ms_evaluation_order_pair *pair);
void ms_evaluation_order_pair_destroy(ms_evaluation_order_pair *pair);

/* "SUB.u.NAME" or "SUB.y.NAME" of a node of the dependency graph. NULL: no memory. */
json_t *ms_dependency_json(const ms_system *system, int node);

/* Is it of a subsystem that others than the engine know (ms_system_shown)? */
bool ms_dependency_is_shown(const ms_system *system, int node);

/* [["SUB.y.NAME", ..], ..]: the groups of an order, or its loops alone. NULL: no memory. */
json_t *ms_evaluation_order_groups(const ms_system *system, const ms_evaluation_order *order,
                                   bool loops_only);

/* {"tarjan", "reduced"}: model evaluations. NULL: no memory. */
json_t *ms_evaluation_order_counts(const ms_system *system, const ms_evaluation_order_pair *pair);
