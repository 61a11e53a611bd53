/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "call.h"
#include "evaluation_order_answer.h"
#include "graph_text.h"
#include "graphviz.h"

typedef struct graph_call {
    ms_call base;
    ms_evaluation_order_pair pair;
} graph_call;

static const char *const kinds[] = {"wire", "feed-through", "derivative"};

/* The group of each node in an evaluation order. */
static void place_nodes(const ms_system *system, const ms_evaluation_order *order, int *place, int *loop)
{
    for (int k = 0, shown = 0; k < order->n_groups; k++) {
        for (int at = order->at[k]; at < order->at[k + 1]; at++) {
            place[order->node[at]] = shown;
            loop[order->node[at]] = order->loop[k];
        }
        shown += ms_dependency_is_shown(system, order->node[order->at[k]]);
    }
}

/* Places count from 1, as in the picture. */
static json_t *nodes(const ms_system *system, const ms_evaluation_order_pair *pair)
{
    const ms_dependency_graph *d = &pair->dependencies;
    int *first = calloc(3 * (size_t)d->graph.n + 1, sizeof *first);
    json_t *rows = first != NULL ? json_array() : NULL;
    if (first == NULL)
        return NULL;
    int *reduced = first + d->graph.n, *loop = reduced + d->graph.n;
    place_nodes(system, &pair->reduced, reduced, loop);
    place_nodes(system, &pair->tarjan, first, loop);
    for (int v = 0; v < d->graph.n; v++) {
        if (!ms_dependency_is_shown(system, v))
            continue;
        ms_json_append(&rows, ms_json_object("name:o subsystem:s kind:s place:i reduced_place:i loop:b",
                                             ms_dependency_json(system, v), system->sub[d->subsystem[v]].name,
                                             ms_dependency_is_output(d, v) ? "output" : "input", first[v] + 1,
                                             reduced[v] + 1, loop[v]));
    }
    free(first);
    return rows;
}

static json_t *edges(const ms_system *system, const ms_dependency_graph *d)
{
    json_t *rows = json_array();
    for (int v = 0; v < d->graph.n; v++)
        for (int e = d->graph.at[v]; e < d->graph.at[v + 1] && ms_dependency_is_shown(system, v); e++) {
            json_t *from = ms_dependency_json(system, v), *to = ms_dependency_json(system, d->graph.to[e]);
            ms_json_append(&rows, ms_json_object("from:o to:o kind:s", from, to, kinds[d->kind[e]]));
        }
    return rows;
}

/* The least number of evaluations: by exhaustive search, or because each subsystem with outputs is evaluated only
 * once. */
static bool find_minimum(const ms_system *system, const ms_evaluation_order_pair *pair, int *minimum)
{
    if (ms_evaluation_order_minimum(&pair->dependencies, minimum) == MS_OK)
        return true;
    *minimum = 0;
    for (int i = 0; i < system->n; i++)
        *minimum += system->sub[i].ny > 0;
    return *minimum == pair->reduced.total;
}

static json_t *evaluations(const ms_system *system, const ms_evaluation_order_pair *pair)
{
    json_t *all = ms_evaluation_order_counts(system, pair), *rows = json_array();
    int minimum = 0;
    const bool known = find_minimum(system, pair, &minimum);
    for (int i = 0; i < ms_system_shown(system); i++)
        ms_json_append(&rows, ms_json_object("subsystem:s tarjan:i reduced:i", system->sub[i].name,
                                             pair->tarjan.evaluations[i], pair->reduced.evaluations[i]));
    ms_json_set(&all, "minimum",
                known ? json_integer(minimum - (system->n - ms_system_shown(system))) : json_null());
    ms_json_set(&all, "subsystems", rows);
    return all;
}

static json_t *describe(const ms_system *system, const ms_evaluation_order_pair *pair)
{
    return ms_json_object(
        "name:s case:s nodes:o edges:o loops:o order:o reduced_order:o evaluations:o", system->model->name,
        system->case_name, nodes(system, pair), edges(system, &pair->dependencies),
        ms_evaluation_order_groups(system, &pair->tarjan, true),
        ms_evaluation_order_groups(system, &pair->tarjan, false),
        ms_evaluation_order_groups(system, &pair->reduced, false), evaluations(system, pair));
}

/* The picture -------------------------------------------------------------------------------------------- */

static int check_path(void *self, ms_error *error)
{
    const ms_call *call = self;
    const char *path = call->arguments.text[MS_ARGUMENT_DRAW];
    if (path == NULL || ms_arguments_ends_with(path, ".dot") || ms_arguments_ends_with(path, ".svg"))
        return MS_OK;
    return ms_fail(error, MS_INVALID, "--draw %s: the name must end with .svg (a picture) or .dot (a text)",
                   path);
}

static int draw(const ms_system *system, const ms_evaluation_order_pair *pair, const char *path,
                ms_error *error)
{
    ms_output output = {0};
    char *text = ms_graph_text(system, &pair->dependencies, &pair->reduced, NULL, system->model->name);
    int status = MS_OK;
    if (text == NULL)
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the picture");
    MS_THEN(status, ms_output_open(path, &output, error));
    if (status == MS_OK && ms_arguments_ends_with(path, ".svg"))
        status = ms_graphviz_draw(text, "svg", output.file, path, &ms_interrupted, error);
    else if (status == MS_OK)
        fputs(text, output.file);
    MS_THEN(status, ms_output_close(&output, error));
    ms_output_discard(&output);
    free(text);
    return status;
}

static int compute(void *self, ms_error *error)
{
    graph_call *call = self;
    const ms_system *system = call->base.system;
    const char *path = call->base.arguments.text[MS_ARGUMENT_DRAW];
    MS_TRY_MEMORY_FOR(ms_evaluation_order_pair_create(system, &call->pair) == MS_OK, error,
                      "the graph of model %s", system->model->name);
    const int status = path != NULL ? draw(system, &call->pair, path, error) : MS_OK;
    if (status == MS_OK)
        call->base.answer.value = describe(system, &call->pair);
    return status;
}

static void destroy(void *self)
{
    ms_evaluation_order_pair_destroy(&((graph_call *)self)->pair);
}

const ms_call_steps ms_command_graph = {.size = sizeof(graph_call),
                                        .binds = MS_BINDS_SYSTEM,
                                        .read = check_path,
                                        .compute = compute,
                                        .destroy = destroy};
