/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "evaluation_order_answer.h"

#include <stdlib.h>

#include "json.h"

int ms_evaluation_order_pair_create(const ms_system *system, ms_evaluation_order_pair *pair)
{
    *pair = (ms_evaluation_order_pair){0};
    MS_TRY(ms_dependency_graph_create(system, &pair->dependencies));
    MS_TRY(ms_evaluation_order_create(&pair->dependencies, &pair->tarjan));
    return ms_evaluation_order_reduce(&pair->dependencies, &pair->reduced);
}

void ms_evaluation_order_pair_destroy(ms_evaluation_order_pair *pair)
{
    ms_evaluation_order_destroy(&pair->tarjan);
    ms_evaluation_order_destroy(&pair->reduced);
    ms_dependency_graph_destroy(&pair->dependencies);
}

json_t *ms_dependency_json(const ms_system *system, int node)
{
    const size_t size = ms_dependency_name(system, node, NULL, 0) + 1;
    char *name = malloc(size);
    if (name == NULL)
        return NULL;
    ms_dependency_name(system, node, name, size);
    json_t *text = ms_json_text(name);
    free(name);
    return text;
}

bool ms_dependency_is_shown(const ms_system *system, int node)
{
    return node < system->nu + system->y_at[ms_system_shown(system)];
}

static json_t *group_names(const ms_system *system, const ms_evaluation_order *order, int k)
{
    json_t *names = json_array();
    for (int at = order->at[k]; at < order->at[k + 1]; at++)
        ms_json_append(&names, ms_dependency_json(system, order->node[at]));
    return names;
}

json_t *ms_evaluation_order_groups(const ms_system *system, const ms_evaluation_order *order, bool loops_only)
{
    json_t *groups = json_array();
    for (int k = 0; k < order->n_groups; k++) {
        if (ms_dependency_is_shown(system, order->node[order->at[k]]) && (!loops_only || order->loop[k]))
            ms_json_append(&groups, group_names(system, order, k));
    }
    return groups;
}

/* But for what gives offsets. */
static int total_of(const ms_system *system, const ms_evaluation_order *order)
{
    int total = order->total;
    for (int i = ms_system_shown(system); i < system->n; i++)
        total -= order->evaluations[i];
    return total;
}

json_t *ms_evaluation_order_counts(const ms_system *system, const ms_evaluation_order_pair *pair)
{
    return ms_json_object("tarjan:i reduced:i", total_of(system, &pair->tarjan),
                          total_of(system, &pair->reduced));
}
