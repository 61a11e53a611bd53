/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "commands.h"
#include "evaluation_order_answer.h"
#include "graph_text.h"
#include "graphviz.h"
#include "provenance.h"

/* Everything below returns NULL without memory; json_pack then gives NULL as well. */

static const char *const kinds[] = {"wire", "feed-through", "derivative"};

/* Group of each node in an order. */
static void place_nodes(const ms_evaluation_order *order, int *place)
{
    for (int k = 0; k < order->n_groups; k++)
        for (int at = order->at[k]; at < order->at[k + 1]; at++)
            place[order->node[at]] = k;
}

/* Places count from 1, as in the picture. */
static json_t *nodes(const ms_system *system, const ms_evaluation_order_pair *pair)
{
    const ms_dependency_graph *d = &pair->dependencies;
    json_t *rows = json_array();
    int *first = calloc(2 * (size_t)d->graph.n + 1, sizeof *first);
    int status = first != NULL && rows != NULL ? 0 : -1;
    if (status == 0) {
        int *reduced = first + d->graph.n;
        place_nodes(&pair->tarjan, first);
        place_nodes(&pair->reduced, reduced);
        for (int v = 0; v < d->graph.n && status == 0; v++) {
            char name[160];
            ms_dependency_name(system, v, name, sizeof name);
            status = json_array_append_new(
                rows, json_pack("{s:s, s:s, s:s, s:i, s:i, s:b}", "name", name, "subsystem",
                                system->sub[d->subsystem[v]].name, "kind",
                                ms_dependency_is_output(d, v) ? "output" : "input", "place", first[v] + 1,
                                "reduced_place", reduced[v] + 1, "loop", (int)pair->tarjan.loop[first[v]]));
        }
    }
    free(first);
    if (status != 0) {
        json_decref(rows);
        return NULL;
    }
    return rows;
}

static json_t *edges(const ms_system *system, const ms_dependency_graph *d)
{
    json_t *rows = json_array();
    for (int v = 0; v < d->graph.n; v++)
        for (int e = d->graph.at[v]; e < d->graph.at[v + 1]; e++) {
            char from[160], to[160];
            ms_dependency_name(system, v, from, sizeof from);
            ms_dependency_name(system, d->graph.to[e], to, sizeof to);
            if (json_array_append_new(rows, json_pack("{s:s, s:s, s:s}", "from", from, "to", to, "kind",
                                                      kinds[d->kind[e]])) != 0) {
                json_decref(rows);
                return NULL;
            }
        }
    return rows;
}

/* The least number of evaluations: by exhaustion, or because each subsystem with outputs is evaluated
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
    json_t *all = ms_evaluation_order_counts(pair), *rows = json_array();
    int minimum = 0;
    const bool known = find_minimum(system, pair, &minimum);
    int status = json_object_set_new(all, "minimum", known ? json_integer(minimum) : json_null());
    for (int i = 0; i < system->n && status == 0; i++)
        status = json_array_append_new(rows, json_pack("{s:s, s:i, s:i}", "subsystem", system->sub[i].name,
                                                       "tarjan", pair->tarjan.evaluations[i], "reduced",
                                                       pair->reduced.evaluations[i]));
    status |= json_object_set_new(all, "subsystems", rows);
    if (status != 0) {
        json_decref(all);
        return NULL;
    }
    return all;
}

static json_t *describe(const ms_system *system, const ms_evaluation_order_pair *pair)
{
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "name", system->model->name, "case", system->case_name,
        "nodes", nodes(system, pair), "edges", edges(system, &pair->dependencies), "loops",
        ms_evaluation_order_groups(system, &pair->tarjan, true), "order",
        ms_evaluation_order_groups(system, &pair->tarjan, false), "reduced_order",
        ms_evaluation_order_groups(system, &pair->reduced, false), "evaluations", evaluations(system, pair));
}

/* The picture -------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

static int check_path(const char *path, ms_error *error)
{
    if (path == NULL || ends_with(path, ".dot") || ends_with(path, ".svg"))
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
    if (status == MS_OK)
        status = ms_output_open(path, &output, error);
    if (status == MS_OK && ends_with(path, ".svg"))
        status = ms_graphviz_draw(text, "svg", output.file, path, &ms_interrupted, error);
    else if (status == MS_OK)
        fputs(text, output.file);
    if (status == MS_OK)
        status = ms_output_close(&output, error);
    ms_output_discard(&output);
    free(text);
    return status;
}

int ms_command_graph(int argc, char **argv)
{
    ms_arguments arguments;
    ms_error error = {0};
    ms_output output = {0};
    ms_answer answer = {0};
    ms_evaluation_order_pair pair = {0};
    const ms_model *model = NULL;
    ms_model *owned = NULL;
    ms_system *system = NULL;
    int status = ms_arguments_read(argc, argv, &arguments, &error);
    const char *path = status == MS_OK ? arguments.text[MS_ARGUMENT_DRAW] : NULL;
    if (status == MS_OK)
        status = check_path(path, &error);
    if (status == MS_OK)
        status = ms_arguments_refuse_lists(&arguments, &error);
    if (status == MS_OK)
        status = ms_arguments_model(&arguments, &model, &owned, &error);
    if (status == MS_OK)
        status = ms_arguments_bind(&arguments, model, &system, &error);
    if (status == MS_OK && ms_evaluation_order_pair_create(system, &pair) != MS_OK)
        status = ms_fail(&error, MS_NO_MEMORY, "not enough memory for the graph of model %s", model->name);
    if (status == MS_OK && path != NULL)
        status = draw(system, &pair, path, &error);
    if (status == MS_OK) {
        answer.value = describe(system, &pair);
        answer.provenance = ms_provenance(arguments.line);
        status = ms_answer_finish(&answer, &arguments, &output, &error);
    }
    ms_answer_discard(&answer);
    ms_evaluation_order_pair_destroy(&pair);
    ms_system_destroy(&system);
    ms_model_destroy(&owned);
    ms_arguments_destroy(&arguments);
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
