/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 5.1 to 5.11: graphs of inputs and outputs, their loops and their evaluation orders. */
#include <stdlib.h>

#include "evaluation_order_answer.h"
#include "figure.h"
#include "graph_text.h"
#include "newton_at_once.h"
#include "study.h"

enum { TEXT_LENGTH = 512 };

/* What a figure works with. */
typedef struct graph_figure {
    ms_drawing *drawing;
    ms_error *error;
    ms_study study;
    const ms_system *system;
    ms_evaluation_order_pair pair;
    int *group; /* (nodes): that means each node */
} graph_figure;

static int open_figure(ms_drawing *drawing, const char *model, graph_figure *f, ms_error *error)
{
    *f = (graph_figure){.drawing = drawing, .error = error};
    MS_TRY(ms_study_bind(drawing, &f->study, error, "graph %s", model));
    f->system = f->study.system;
    int status = ms_evaluation_order_pair_create(f->system, &f->pair);
    f->group = calloc((size_t)f->pair.dependencies.graph.n + 1, sizeof *f->group);
    if (status == MS_OK && f->group != NULL)
        status = ms_evaluation_plain_groups(&f->pair.dependencies, f->group);
    return status == MS_OK && f->group != NULL
               ? MS_OK
               : ms_fail(error, MS_NO_MEMORY, "not enough memory for a graph");
}

static void close_figure(graph_figure *f)
{
    free(f->group);
    ms_evaluation_order_pair_destroy(&f->pair);
    ms_study_destroy(&f->study);
}

/* The names of nodes, commas between. */
static const char *names(const graph_figure *f, const int *node, int n)
{
    char text[TEXT_LENGTH] = "";
    ms_dependency_names(f->system, n, node, text, sizeof text);
    return ms_drawing_text(f->drawing, "%s", text);
}

static const char *join(const graph_figure *f, const char *text, const char *separator, const char *more)
{
    return ms_drawing_text(f->drawing, "%s%s%s", text, text[0] != '\0' ? separator : "", more);
}

/* All nodes of an order, or its loops, or its groups of several outputs; groups apart by semicolons. */
typedef enum part { ALL, LOOPS, JOINED } part;

static const char *describe(const graph_figure *f, const ms_evaluation_order *order, part which)
{
    const char *text = "";
    for (int k = 0; k < order->n_groups; k++) {
        const int first = order->at[k], n = order->at[k + 1] - first;
        if ((which == LOOPS && !order->loop[k]) || (which == JOINED && (order->loop[k] || n < 2)))
            continue;
        text = join(f, text, which == ALL ? ", " : "; ", names(f, order->node + first, n));
    }
    return text;
}

/* The groups of lines 1 and 2 of Algorithm 2. */
static const char *describe_plain(const graph_figure *f)
{
    const int n = f->pair.dependencies.graph.n;
    const char *text = "";
    for (int v = f->system->nu; v < n; v++) {
        int member[64], count = 0;
        for (int w = v; w < n && count < 64; w++)
            if (f->group[w] == v)
                member[count++] = w;
        if (count > 1)
            text = join(f, text, "; ", names(f, member, count));
    }
    return text;
}

/* Groups of the reduced order, loops apart, are drawn as one node. */
static void join_groups(graph_figure *f)
{
    const ms_evaluation_order *order = &f->pair.reduced;
    for (int k = 0; k < order->n_groups; k++)
        for (int at = order->at[k]; at < order->at[k + 1]; at++)
            f->group[order->node[at]] = order->loop[k] ? order->node[at] : order->node[order->at[k]];
}

static void draw_graph(const graph_figure *f, const ms_evaluation_order *order, const int *group)
{
    ms_drawing_graph(f->drawing,
                     ms_graph_text(f->system, &f->pair.dependencies, order, group, f->system->model->name));
}

static void tabulate(const graph_figure *f, const ms_evaluation_order *order)
{
    ms_table *table =
        ms_drawing_table(f->drawing, "order", "Evaluation order", "place|variables|algebraic loop");
    for (int k = 0; k < order->n_groups; k++)
        ms_table_add(table, "iss", k + 1,
                     names(f, order->node + order->at[k], order->at[k + 1] - order->at[k]),
                     order->loop[k] ? "yes" : "no");
}

/* A text that has to be the same as a published one. */
static void check_text(const graph_figure *f, const char *what, const char *key, const char *measured,
                       const char *note)
{
    const char *published = ms_drawing_published_text(f->drawing, key);
    ms_drawing_check(f->drawing, what, json_string(published), json_string(measured), json_string("the same"),
                     ms_verdict_of(ms_judge_text(f->drawing, measured, published)), "%s", note);
}

static void check_lost(const graph_figure *f)
{
    ms_study_undetermined(f->drawing, "the graph", "shows", json_string(f->system->model->name),
                          "lost; the instance is built here so that every sentence about it holds");
}

/* True by construction: it guards the instance. */
static void check_instance(const graph_figure *f, bool holds, json_t *measured)
{
    ms_drawing_check_own(f->drawing, "the instance has what the text says of the models", "so it has",
                         measured, NULL, holds, "built so; it says nothing on the print");
}

static void check_minimal(const graph_figure *f)
{
    int minimum = -1;
    if (ms_evaluation_order_minimum(&f->pair.dependencies, &minimum) != MS_OK)
        minimum = -1;
    ms_study_claim(f->drawing, "model evaluations", "evaluations",
                   MS_COUNTS({"Algorithm 1", f->pair.tarjan.total}, {"Algorithm 2", f->pair.reduced.total},
                             {"minimum", minimum}),
                   ms_judge_is(f->drawing, f->pair.reduced.total, minimum),
                   "counted under Assumption 5.1; the minimum by exhaustion over all orders");
}

/* How many subsystems have feed-through. */
static int feed_through_subsystems(const ms_system *s)
{
    int with = 0;
    for (int i = 0; i < s->n; i++) {
        bool feeds = false;
        for (int k = 0; k < s->sub[i].nu; k++)
            feeds |= ms_input_feeds_through(s, i, k);
        with += feeds;
    }
    return with;
}

/* Example 5.1.1 ------------------------------------------------------------------------------------------ */

/* How many variables of the order no edge leads from to the next one. */
static int count_gaps(const graph_figure *f, const ms_evaluation_order *order)
{
    const ms_digraph *graph = &f->pair.dependencies.graph;
    int gaps = 0;
    for (int k = 0; k + 1 < graph->n; k++) {
        bool joined = false;
        for (int e = graph->at[order->node[k]]; e < graph->at[order->node[k] + 1]; e++)
            joined |= graph->to[e] == order->node[k + 1];
        gaps += !joined;
    }
    return gaps;
}

/* Example 5.1.1 without the dependency that Fig. 5.2 adds: y1 on u1 in s2. */
static int fill_5_1(graph_figure *f)
{
    const ms_evaluation_order *order = &f->pair.tarjan;
    const int feeding = feed_through_subsystems(f->system);
    draw_graph(f, order, NULL);
    tabulate(f, order);
    ms_study_claim(f->drawing, "no equations to solve", "sequence",
                   MS_COUNTS({"models with feed-through", feeding},
                             {"variables", f->pair.dependencies.graph.n},
                             {"groups to evaluate", order->n_groups}),
                   ms_judge_is(f->drawing, feeding, f->system->n) &&
                       ms_judge_is(f->drawing, order->n_groups, f->pair.dependencies.graph.n),
                   "Each model is evaluated twice, %d evaluations: at the level of models there is a loop.",
                   order->total);
    ms_study_claim(f->drawing, "path", "path", json_string(describe(f, order, ALL)),
                   ms_judge_is(f->drawing, count_gaps(f, order), 0),
                   "It goes through all variables, from the input that nothing is wired to (s1.u.u1) to the "
                   "output that is wired to nothing (s3.y.y2).");
    return MS_OK;
}

static int fill_5_3(graph_figure *f)
{
    int kinds[3] = {0};
    const ms_dependency_graph *d = &f->pair.dependencies;
    for (int e = 0; e < d->graph.at[d->graph.n]; e++)
        kinds[d->kind[e]]++;
    draw_graph(f, NULL, NULL);
    ms_study_number(f->drawing, "variables", "variables", d->graph.n, 0.0, "nodes");
    ms_study_number(f->drawing, "edges of feed-through", "feed_through", kinds[MS_DEPENDENCY_FEED_THROUGH],
                    0.0, "entries of (5.6) that are not zero");
    ms_study_number(f->drawing, "edges of wires", "wires", kinds[MS_DEPENDENCY_WIRE], 0.0,
                    "entries of (5.7) that are not zero");
    ms_drawing_remark(f->drawing, "The thesis draws no kinds of edges; u1 of s1 is the external input.");
    return MS_OK;
}

static int fill_5_4(graph_figure *f)
{
    int n = 0;
    for (int k = 0; k < f->pair.tarjan.n_groups; k++)
        n += f->pair.tarjan.loop[k];
    draw_graph(f, &f->pair.tarjan, NULL);
    tabulate(f, &f->pair.tarjan);
    ms_study_claim(f->drawing, "strongly connected components", "loops",
                   json_string(describe(f, &f->pair.tarjan, LOOPS)), ms_judge_is(f->drawing, n, 1),
                   "%d found", n);
    check_text(f, "the evaluation order starts from", "first", names(f, f->pair.tarjan.node, 1), "");
    ms_drawing_remark(f->drawing,
                      "With the printed numbers det(I - DL) = 0: the graph is that of the printed "
                      "numbers, but the loop has no solution (case printed of the model).");
    return MS_OK;
}

/* Example 5.0.1 ------------------------------------------------------------------------------------------ */

/* Values in the order of their evaluation; and one Newton iteration for everything from inputs of zero. */
static int check_values(const graph_figure *f)
{
    const ms_system *s = f->system;
    const json_t *published = ms_drawing_published(f->drawing, "values");
    double x[2], u[2] = {0.0}, y[2] = {0.0};
    ms_initialisation work;
    ms_system_start(s, x);
    MS_TRY(ms_initialise(s, MS_INITIALISE_TARJAN, 0.0, x, u, y, &work, f->error));
    const double measured[] = {y[0], u[1], y[1], u[0]};
    bool equal = true;
    for (size_t k = 0; k < 4; k++)
        equal &= ms_judge_is(f->drawing, measured[k], json_number_value(json_array_get(published, k)));
    ms_drawing_check(f->drawing, "values in that order", json_deep_copy(published),
                     json_pack("[f, f, f, f]", measured[0], measured[1], measured[2], measured[3]),
                     json_integer(0), ms_verdict_of(equal), "%ld evaluations, no iteration",
                     work.evaluations);
    for (int unknowns = MS_UNKNOWN_INPUTS; unknowns <= MS_UNKNOWN_OUTPUTS; unknowns++) {
        ms_error why = {0};
        u[0] = u[1] = 0.0;
        const int ended = ms_newton_at_once(s, (ms_unknowns)unknowns, 0.0, x, u, y, &work, &why);
        ms_study_claim(f->drawing,
                       unknowns == MS_UNKNOWN_INPUTS ? "Newton's method for all inputs at once"
                                                     : "Newton's method for all outputs at once",
                       "newton", json_string(why.text), ms_judge_is(f->drawing, ended, MS_NO_SOLUTION),
                       "from inputs of zero");
    }
    return MS_OK;
}

static int fill_5_5(graph_figure *f)
{
    draw_graph(f, &f->pair.tarjan, NULL);
    tabulate(f, &f->pair.tarjan);
    check_text(f, "evaluation order", "order", describe(f, &f->pair.tarjan, ALL), "");
    return check_values(f);
}

/* Example 5.2.1 ------------------------------------------------------------------------------------------ */

/* Algorithm 1 with the edges of each node in the opposite order. */
static int opposite_order(graph_figure *f, const char **text)
{
    ms_dependency_graph *d = &f->pair.dependencies;
    ms_evaluation_order order;
    for (int pass = 0; pass < 2; pass++) {
        for (int v = 0; v < d->graph.n; v++)
            for (int a = d->graph.at[v], b = d->graph.at[v + 1] - 1; a < b; a++, b--) {
                const int to = d->graph.to[a];
                d->graph.to[a] = d->graph.to[b];
                d->graph.to[b] = to;
            }
        if (pass > 0) /* as they were */
            return MS_OK;
        MS_TRY_MEMORY(ms_evaluation_order_create(d, &order) == MS_OK);
        *text = describe(f, &order, ALL);
        ms_evaluation_order_destroy(&order);
    }
    return MS_OK;
}

static int fill_5_6(graph_figure *f)
{
    const char *other = "";
    MS_TRY_MEMORY_FOR(opposite_order(f, &other) == MS_OK, f->error, "a graph");
    draw_graph(f, &f->pair.tarjan, NULL);
    tabulate(f, &f->pair.tarjan);
    check_text(f, "(5.11), edges in one order", "one", describe(f, &f->pair.tarjan, ALL), "");
    check_text(f, "(5.12), edges in the other order", "other", other, "");
    ms_drawing_remark(f->drawing,
                      "Both orders evaluate s2 twice, %d model evaluations; Algorithm 2 reads both "
                      "outputs of s2 together: %s, %d evaluations.",
                      f->pair.tarjan.total, describe(f, &f->pair.reduced, ALL), f->pair.reduced.total);
    return MS_OK;
}

/* Example 5.2.2 ------------------------------------------------------------------------------------------ */

static int fill_5_7(graph_figure *f)
{
    const ms_dependency_graph *d = &f->pair.dependencies;
    const ms_digraph *graph = &d->graph;
    const char *several = "";
    int elsewhere = 0;
    for (int i = 0; i < f->system->n; i++)
        if (f->system->sub[i].ny > 1)
            several = join(f, several, "", f->system->sub[i].name);
    for (int v = f->system->nu; v < graph->n; v++)
        for (int e = graph->at[v]; e < graph->at[v + 1] && d->subsystem[v] == 1; e++) {
            const int input = graph->to[e];
            elsewhere += d->subsystem[input] != 2 || graph->at[input + 1] > graph->at[input];
        }
    draw_graph(f, NULL, NULL);
    check_instance(
        f,
        ms_judge_text(f->drawing, several, ms_drawing_published_text(f->drawing, "several_outputs")) &&
            ms_judge_is(f->drawing, elsewhere, 0) &&
            ms_judge_is(f->drawing, f->system->n, ms_drawing_published_number(f->drawing, "models")),
        json_string(several));
    check_lost(f);
    return MS_OK;
}

/* The reduced order, its groups joined; joined: their names. */
static void fill_reduced(graph_figure *f, const char *joined)
{
    draw_graph(f, &f->pair.reduced, f->group);
    tabulate(f, &f->pair.reduced);
    check_text(f, "joined outputs", "joined", joined, "");
    check_minimal(f);
    ms_drawing_remark(f->drawing,
                      "The graph is lost in the text: its instance %s is built here. What is compared "
                      "holds for each instance that satisfies the text.",
                      f->system->model->name);
}

static int fill_5_8(graph_figure *f)
{
    join_groups(f);
    fill_reduced(f, describe(f, &f->pair.reduced, JOINED));
    return MS_OK;
}

/* Section 5.3.1 ------------------------------------------------------------------------------------------ */

static int fill_5_9(graph_figure *f)
{
    const int with = feed_through_subsystems(f->system);
    draw_graph(f, NULL, NULL);
    check_instance(
        f,
        ms_judge_is(f->drawing, f->system->n, ms_drawing_published_number(f->drawing, "models")) &&
            ms_judge_is(f->drawing, with, ms_drawing_published_number(f->drawing, "with_feed_through")),
        json_integer(with));
    check_lost(f);
    return MS_OK;
}

static int fill_5_10(graph_figure *f)
{
    draw_graph(f, NULL, f->group);
    check_text(f, "outputs joined by the first steps", "joined", describe_plain(f), "");
    check_text(f, "strongly connected components of more than one node", "loops",
               describe(f, &f->pair.tarjan, LOOPS), "");
    check_lost(f);
    return MS_OK;
}

static int fill_5_11(graph_figure *f)
{
    join_groups(f);
    fill_reduced(f, describe_plain(f)); /* by variables, as they are listed in the text */
    ms_drawing_remark(f->drawing, "In evaluation order the joined outputs are %s.",
                      describe(f, &f->pair.reduced, JOINED));
    return MS_OK;
}

/* What a figure shows of a model. */
typedef struct graph_subject {
    const char *model;
    int (*fill)(graph_figure *f);
} graph_subject;

static int draw(ms_drawing *drawing, ms_error *error)
{
    const graph_subject *subject = ms_drawing_subject(drawing);
    graph_figure f;
    int status = open_figure(drawing, subject->model, &f, error);
    MS_THEN(status, subject->fill(&f));
    close_figure(&f);
    return status;
}

#define FIGURE(number, label, model, words, from)                                                            \
    const ms_figure ms_figure_andersson2016_fig5_##number = {                                                \
        "andersson2016:fig" label, words, "Andersson (2016), Fig. " label ", " from, .draw = draw,           \
        .subject = &(const graph_subject){model, fill_5_##number}};

FIGURE(1, "5.1", "example-5.1.1 --set d=0", "Three subsystems with feed-through and no algebraic loop",
       "Remark 5.0.1")
FIGURE(3, "5.3", "example-5.1.1", "Connections and feed-through of three static subsystems", "Example 5.1.1")
FIGURE(4, "5.4", "example-5.1.1", "The same with its algebraic loop and the evaluation order",
       "Example 5.1.1")
FIGURE(5, "5.5", "example-5.0.1", "A division that succeeds in the right evaluation order",
       "Examples 5.0.1, 5.1.2")
FIGURE(6, "5.6", "example-5.2.1", "An evaluation order that is not unique", "Example 5.2.1")
FIGURE(7, "5.7", "example-5.2.2", "Outputs that lead to no feed-through", "Example 5.2.2")
FIGURE(8, "5.8", "example-5.2.2", "The same with the outputs of the second subsystem joined", "Example 5.2.2")
FIGURE(9, "5.9", "example-5.3.1", "Five coupled subsystems with feed-through", "section 5.3.1")
FIGURE(10, "5.10", "example-5.3.1", "The same after the first steps of Algorithm 2", "section 5.3.1")
FIGURE(11, "5.11", "example-5.3.1", "The same after Algorithm 2, with the evaluation order", "section 5.3.1")
