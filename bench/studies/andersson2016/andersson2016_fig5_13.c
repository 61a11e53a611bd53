/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Andersson (2016), 5.3.2: evaluations for the start of the race car, by order. Fig. 5.13.
 *
 * The race car is commercial; the full car has as many subsystems with feed-through in the same places,
 * and the same number of outputs of each wheel. Counted as in chapter 5: a subsystem is evaluated when an
 * output is read and an input was set since it was evaluated last (Assumption 5.1). In the worst case one is
 * set before each output of a wheel; the chassis, which has no feed-through, is evaluated once. */
#include <stdlib.h>

#include "evaluation_order_answer.h"
#include "figure.h"
#include "graph_text.h"
#include "study.h"

/* Evaluations of the full car. */
typedef struct counts {
    int wires, loops, components;
    int worst, first, second, least; /* least: of all orders, by exhaustion; -1: too many to try */
} counts;

/* Each output that can depend on a wired input by itself, and once for all others of a subsystem. */
static int count_worst(const ms_system *s)
{
    int total = 0;
    for (int i = 0; i < s->n; i++) {
        bool others = false;
        for (int j = s->y_at[i]; j < s->y_at[i + 1]; j++) {
            total += s->feed_through[j];
            others = others || !s->feed_through[j];
        }
        total += others;
    }
    return total;
}

/* Which subsystems a node takes from and gives to, a bit each. */
static void find_neighbours(const ms_dependency_graph *d, int node, unsigned *from, unsigned *to)
{
    *from = *to = 0;
    for (int v = 0; v < d->graph.n; v++)
        for (int e = d->graph.at[v]; e < d->graph.at[v + 1]; e++) {
            if (d->graph.to[e] == node)
                *from |= 1u << d->subsystem[v];
            if (v == node)
                *to |= 1u << d->subsystem[d->graph.to[e]];
        }
}

/* Nodes of a subsystem with the same neighbours are drawn as one: force and moment of a wheel. group (nodes). */
static void join_same_neighbours(const ms_dependency_graph *d, int *group)
{
    for (int v = 0; v < d->graph.n; v++) {
        unsigned from, to, other_from, other_to;
        find_neighbours(d, v, &from, &to);
        group[v] = v;
        for (int other = 0; other < v && group[v] == v; other++) {
            find_neighbours(d, other, &other_from, &other_to);
            if (d->subsystem[other] == d->subsystem[v] && other_from == from && other_to == to &&
                ms_dependency_is_output(d, other) == ms_dependency_is_output(d, v))
                group[v] = group[other];
        }
    }
}

/* Draws the graph, too, with the places of the order of Algorithm 2. */
static int count(ms_drawing *drawing, const ms_system *s, counts *c, ms_error *error)
{
    ms_evaluation_order_pair pair;
    int status = ms_evaluation_order_pair_create(s, &pair);
    int *group = calloc((size_t)pair.dependencies.graph.n + 1, sizeof *group);
    if (status == MS_OK && group != NULL) {
        join_same_neighbours(&pair.dependencies, group);
        ms_drawing_graph(drawing, ms_graph_text(s, &pair.dependencies, &pair.reduced, group, s->model->name));
        *c = (counts){.wires = s->row_at[s->nu],
                      .components = pair.tarjan.n_groups,
                      .worst = count_worst(s),
                      .first = pair.tarjan.total,
                      .second = pair.reduced.total};
        for (int k = 0; k < pair.tarjan.n_groups; k++)
            c->loops += pair.tarjan.loop[k];
        status = ms_evaluation_order_minimum(&pair.dependencies, &c->least);
        c->least = status == MS_OK ? c->least : -1;
    }
    if (group == NULL || (status != MS_OK && status != MS_UNSUPPORTED))
        status = ms_fail(error, MS_NO_MEMORY, "not enough memory for the orders of model %s", s->model->name);
    free(group);
    ms_evaluation_order_pair_destroy(&pair);
    return status == MS_UNSUPPORTED ? MS_OK : status;
}

static void check_counts(ms_drawing *drawing, const counts *c)
{
    ms_study_claim(drawing, "no algebraic loops", "loops", json_integer(c->loops),
                   ms_judge_is(drawing, c->loops, 0),
                   "Components of more than one variable that Algorithm 1 finds, among %d.", c->components);
    ms_drawing_check_own(
        drawing, "evaluations, worst case", "25: 1 + 4 x 6", json_integer(c->worst), NULL,
        ms_judge_is(drawing, c->worst, ms_drawing_published_number(drawing, "worst")),
        "Force and moment of each wheel have three components each, by the design of this car.");
    ms_study_number(drawing, "evaluations, order of Algorithm 2", "best", c->second, 0.0,
                    "It finds the best order.");
    ms_drawing_check(drawing, "coupling variables",
                     json_real(ms_drawing_published_number(drawing, "connections")), json_integer(c->wires),
                     NULL, MS_NOT_DETERMINED,
                     "The commercial model hands over positions, orientations and velocities in space; this "
                     "one height and velocity.");
    ms_drawing_check(
        drawing, "elapsed time, worst over best", json_real(ms_drawing_published_number(drawing, "ratio")),
        MS_REALS({"evaluations, worst over best", (double)c->worst / c->second}), NULL, MS_NOT_DETERMINED,
        "About 1 s and 0.1 s for commercial models. By the numbers of evaluations alone it is 5.");
}

static int draw_fig5_13(ms_drawing *drawing, ms_error *error)
{
    ms_study study;
    counts c = {0};
    int status = ms_study_bind(drawing, &study, error, "show full-car");
    MS_THEN(status, count(drawing, study.system, &c, error));
    if (status == MS_OK) {
        ms_table *table = ms_drawing_table(drawing, "", "Evaluations of subsystems for consistent outputs",
                                           "order|evaluations");
        ms_table_add(table, "si", "worst: outputs with feed-through one by one", c.worst);
        ms_table_add(table, "si", "Algorithm 1", c.first);
        ms_table_add(table, "si", "Algorithm 2", c.second);
        if (c.least >= 0)
            ms_table_add(table, "si", "least of all orders", c.least);
        check_counts(drawing, &c);
    }
    ms_study_destroy(&study);
    return status;
}

const ms_figure ms_figure_andersson2016_fig5_13 = {
    "andersson2016:fig5.13", "Full car: evaluations for consistent outputs at the start, by order",
    "Andersson (2016), Fig. 5.13, section 5.3.2, with a car of our own", .draw = draw_fig5_13};
