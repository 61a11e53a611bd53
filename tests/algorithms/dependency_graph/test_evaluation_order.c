/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders in which inputs are set and outputs read: valid on random graphs, against an exhaustive minimum, and
 * as Andersson (2016), chapter 5, states them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation_order.h"
#include "random_dependency_graph.h"
#include "support.h"
#include "unit_test.h"

enum { NODES_MAX = 128, SUBSYSTEMS_MAX = 16 };

/* Every node stands once, after all that it needs or in one loop with it; what is no loop is one input or
 * outputs of one subsystem. Loops are exactly what leads to itself. */
static void check_valid(const ms_dependency_graph *d, const ms_evaluation_order *order)
{
    static bool reach[NODES_MAX][NODES_MAX];
    int group[NODES_MAX], seen = 0;
    const int n = d->graph.n;
    assert_true(n <= NODES_MAX);
    memset(group, -1, sizeof group);
    for (int k = 0; k < order->n_groups; k++) {
        const int first = order->node[order->at[k]];
        assert_true(order->at[k + 1] > order->at[k]);
        for (int at = order->at[k]; at < order->at[k + 1]; at++, seen++) {
            assert_int_equal(group[order->node[at]], -1);
            group[order->node[at]] = k;
            if (!order->loop[k] && order->at[k + 1] - order->at[k] > 1) {
                assert_true(ms_dependency_is_output(d, order->node[at]));
                assert_int_equal(d->subsystem[order->node[at]], d->subsystem[first]);
            }
        }
    }
    assert_int_equal(seen, n);
    memset(reach, 0, sizeof reach);
    for (int v = 0; v < n; v++)
        for (int e = d->graph.at[v]; e < d->graph.at[v + 1]; e++) {
            const int w = d->graph.to[e];
            reach[v][w] = true;
            assert_true(group[v] < group[w] || (group[v] == group[w] && order->loop[group[v]]));
        }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && reach[i][k]; j++)
                reach[i][j] = reach[i][j] || reach[k][j];
    for (int v = 0; v < n; v++) {
        assert_int_equal(order->loop[group[v]], reach[v][v]);
        for (int w = 0; w < n && reach[v][v]; w++)
            assert_int_equal(group[v] == group[w], reach[v][w] && reach[w][v]);
    }
}

/* Assumption 5.1, apart from the library's count. */
static int recount(const ms_dependency_graph *d, const ms_evaluation_order *order)
{
    int total = 0;
    for (int i = 0; i < d->n_subsystems; i++) {
        bool set = true;
        int own = 0;
        for (int at = 0; at < d->graph.n; at++) {
            const int node = order->node[at];
            if (d->subsystem[node] != i)
                continue;
            if (!ms_dependency_is_output(d, node)) {
                set = true;
            } else if (set) {
                own++;
                set = false;
            }
        }
        assert_int_equal(order->evaluations[i], own);
        total += own;
    }
    return total;
}

/* Both orders of a graph; *minimum is -1 where the exhaustion is refused. */
static void check_orders(const ms_dependency_graph *d, int *first, int *reduced, int *minimum, bool *kept)
{
    ms_evaluation_order order;
    assert_int_equal(ms_evaluation_order_create(d, &order), MS_OK);
    check_valid(d, &order);
    assert_int_equal(order.total, recount(d, &order));
    *first = order.total;
    ms_evaluation_order_destroy(&order);
    assert_int_equal(ms_evaluation_order_reduce(d, &order), MS_OK);
    check_valid(d, &order);
    assert_int_equal(order.total, recount(d, &order));
    *reduced = order.total;
    *kept = order.kept;
    ms_evaluation_order_destroy(&order);
    *minimum = -1;
    const int status = ms_evaluation_order_minimum(d, minimum);
    assert_true(status == MS_OK || status == MS_UNSUPPORTED);
    assert_true(*reduced <= *first);
    if (status == MS_OK)
        assert_true(*minimum <= *reduced);
}

static void test_random_graphs(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    int first, reduced, minimum, graphs = 0, known = 0, optimal = 0, better = 0, kept_ones = 0;
    long sum[3] = {0};
    for (int trial = 0; trial < 600; trial++) {
        const ms_random_graph_options request = {.subsystems = 2 + trial % 4,
                                                 .inputs = 1 + trial / 4 % 3,
                                                 .outputs = 1 + trial / 12 % 3,
                                                 .feed_through = 0.2 + 0.2 * (trial % 3),
                                                 .loops = trial % 2 == 0};
        ms_dependency_graph d;
        bool kept;
        assert_int_equal(ms_random_dependency_graph(&request, &seed, &d), MS_OK);
        check_orders(&d, &first, &reduced, &minimum, &kept);
        ms_dependency_graph_destroy(&d);
        graphs++;
        better += reduced < first;
        kept_ones += kept;
        if (minimum < 0)
            continue;
        known++;
        optimal += reduced == minimum;
        /* The greedy choices are no proof, but without loops these graphs show nothing better. */
        assert_true(request.loops || reduced == minimum);
        sum[0] += first;
        sum[1] += reduced;
        sum[2] += minimum;
    }
    print_message(
        "%d graphs, fewer evaluations in %d, grouping undone in %d; minimum known in %d, reached in %d; "
        "sums %ld, %ld, %ld\n",
        graphs, better, kept_ones, known, optimal, sum[0], sum[1], sum[2]);
    assert_true(known > 300 && optimal > known * 9 / 10 && better > graphs / 8);
}

/* The minimum by all orders one after the other, apart from the library's dynamic programming. */
typedef struct enumeration {
    const ms_dependency_graph *d;
    const ms_evaluation_order *components;
    int group[NODES_MAX];
    bool done[NODES_MAX];
    int best;
} enumeration;

static void enumerate(enumeration *e, int placed, unsigned stale, int cost)
{
    const ms_dependency_graph *d = e->d;
    const ms_evaluation_order *order = e->components;
    if (cost >= e->best)
        return;
    if (placed == order->n_groups) {
        e->best = cost;
        return;
    }
    for (int k = 0; k < order->n_groups; k++) {
        bool ready = !e->done[k];
        for (int v = 0; v < d->graph.n && ready; v++)
            for (int at = d->graph.at[v]; at < d->graph.at[v + 1]; at++)
                if (e->group[d->graph.to[at]] == k && e->group[v] != k && !e->done[e->group[v]])
                    ready = false;
        if (!ready)
            continue;
        unsigned now = stale;
        int paid = 0;
        for (int at = order->at[k]; at < order->at[k + 1]; at++) {
            const unsigned bit = 1U << d->subsystem[order->node[at]];
            if (!ms_dependency_is_output(d, order->node[at])) {
                now |= bit;
            } else if ((now & bit) != 0) {
                now &= ~bit;
                paid++;
            }
        }
        e->done[k] = true;
        enumerate(e, placed + 1, now, cost + paid);
        e->done[k] = false;
    }
}

static void test_minimum(void **state)
{
    (void)state;
    unsigned long long seed = 17;
    for (int trial = 0; trial < 60; trial++) {
        const ms_random_graph_options request = {.subsystems = 2 + trial % 2,
                                                 .inputs = 1 + trial % 2,
                                                 .outputs = 2 - trial / 3 % 2,
                                                 .feed_through = 0.5,
                                                 .loops = trial % 4 == 0};
        ms_dependency_graph d;
        ms_evaluation_order components;
        int minimum = -1;
        assert_int_equal(ms_random_dependency_graph(&request, &seed, &d), MS_OK);
        assert_int_equal(ms_evaluation_order_create(&d, &components), MS_OK);
        assert_int_equal(ms_evaluation_order_minimum(&d, &minimum), MS_OK);
        enumeration e = {.d = &d, .components = &components, .best = 1000};
        for (int k = 0; k < components.n_groups; k++)
            for (int at = components.at[k]; at < components.at[k + 1]; at++)
                e.group[components.node[at]] = k;
        enumerate(&e, 0, (1U << d.n_subsystems) - 1U, 0);
        assert_int_equal(minimum, e.best);
        ms_evaluation_order_destroy(&components);
        ms_dependency_graph_destroy(&d);
    }
}

/* "s1.u.u1 [s1.y.y1 s2.u.u1] s2.y.y1": groups in their order, several nodes in brackets, loops in braces. */
static void write_order(const ms_system *system, const ms_evaluation_order *order, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < order->n_groups; k++) {
        const bool several = order->at[k + 1] - order->at[k] > 1;
        const char *open = order->loop[k] ? "{"
                           : several      ? "["
                                          : "",
                   *end = order->loop[k] ? "}"
                          : several      ? "]"
                                         : "";
        for (int at = order->at[k]; at < order->at[k + 1]; at++) {
            char name[64];
            ms_dependency_name(system, order->node[at], name, sizeof name);
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s%s%s", k > 0 || at > 0 ? " " : "",
                                 at == order->at[k] ? open : "", name, at + 1 == order->at[k + 1] ? end : "");
            assert_true(used < size);
        }
    }
}

static void check_order(const char *model, bool reduced, int evaluations, const char *expected)
{
    ms_system *system = support_system(model, NULL);
    ms_dependency_graph d;
    ms_evaluation_order order;
    char text[1024];
    assert_int_equal(ms_dependency_graph_create(system, &d), MS_OK);
    assert_int_equal(
        reduced ? ms_evaluation_order_reduce(&d, &order) : ms_evaluation_order_create(&d, &order), MS_OK);
    check_valid(&d, &order);
    write_order(system, &order, text, sizeof text);
    if (expected != NULL)
        assert_string_equal(text, expected);
    assert_int_equal(order.total, evaluations);
    ms_evaluation_order_destroy(&order);
    ms_dependency_graph_destroy(&d);
    ms_system_destroy(&system);
}

/* Example 5.1.2: get y1, set u2, get y2, set u1. */
static void test_example_5_0_1(void **state)
{
    (void)state;
    check_order("example-5.0.1", false, 2, "s1.y.y s2.u.u s2.y.y s1.u.u");
    check_order("example-5.0.1", true, 2, "s1.y.y s2.u.u s2.y.y s1.u.u");
}

/* Figure 5.4: the order starts with u1[1], and one component holds more than one node. */
static void test_example_5_1_1(void **state)
{
    (void)state;
    check_order("example-5.1.1", false, 5,
                "s1.u.u1 s1.y.y2 s2.u.u2 {s1.u.u2 s2.u.u1 s3.u.u2 s1.y.y1 s2.y.y1 s3.y.y1} s2.y.y2 s3.u.u1 "
                "s3.y.y2");
}

/* (5.11), and (5.12) with the edges in the opposite order. */
static void test_example_5_2_1(void **state)
{
    (void)state;
    check_order("example-5.2.1", false, 3, "s1.u.u1 s1.y.y1 s2.u.u1 s2.y.y2 s2.u.u2 s2.y.y1");
    check_order("example-5.2.1", true, 2, "s1.u.u1 s1.y.y1 s2.u.u1 s2.u.u2 [s2.y.y1 s2.y.y2]");
    ms_system *system = support_system("example-5.2.1", NULL);
    ms_dependency_graph d;
    ms_evaluation_order order;
    char text[256];
    assert_int_equal(ms_dependency_graph_create(system, &d), MS_OK);
    for (int v = 0; v < d.graph.n; v++)
        for (int a = d.graph.at[v], b = d.graph.at[v + 1] - 1; a < b; a++, b--) {
            const int other = d.graph.to[a];
            d.graph.to[a] = d.graph.to[b];
            d.graph.to[b] = other;
        }
    assert_int_equal(ms_evaluation_order_create(&d, &order), MS_OK);
    write_order(system, &order, text, sizeof text);
    assert_string_equal(text, "s1.u.u1 s1.y.y1 s2.u.u2 s2.y.y1 s2.u.u1 s2.y.y2");
    ms_evaluation_order_destroy(&order);
    ms_dependency_graph_destroy(&d);
    ms_system_destroy(&system);
}

/* Each model once, which is minimal. */
static void test_example_5_2_2(void **state)
{
    (void)state;
    check_order("example-5.2.2", false, 4, NULL);
    check_order("example-5.2.2", true, 3, NULL);
}

/* The joins of section 5.3.1, its one loop, and the least number of evaluations. */
static void test_example_5_3_1(void **state)
{
    (void)state;
    ms_system *system = support_system("example-5.3.1", NULL);
    ms_dependency_graph d;
    ms_evaluation_order order;
    char text[1024];
    int minimum = 0;
    assert_int_equal(ms_dependency_graph_create(system, &d), MS_OK);
    assert_int_equal(ms_evaluation_order_reduce(&d, &order), MS_OK);
    check_valid(&d, &order);
    write_order(system, &order, text, sizeof text);
    assert_non_null(strstr(text, "[s1.y.y1 s1.y.y4]"));
    assert_non_null(strstr(text, "[s1.y.y2 s1.y.y3]"));
    assert_non_null(strstr(text, "[s2.y.y1 s2.y.y2]"));
    assert_non_null(strstr(text, "{s3.u.u1 s5.u.u3 s3.y.y1 s5.y.y2}"));
    int groups = 0, loops = 0, plain[NODES_MAX];
    assert_int_equal(ms_evaluation_plain_groups(&d, plain), MS_OK);
    for (int v = 0; v < d.graph.n; v++) { /* the first steps join y1 and y4 of s1, and nothing else */
        char name[64];
        ms_dependency_name(system, v, name, sizeof name);
        if (strcmp(name, "s1.y.y4") == 0)
            ms_dependency_name(system, plain[v], name, sizeof name);
        else
            assert_int_equal(plain[v], v);
        assert_string_not_equal(name, "s1.y.y4");
    }
    for (int k = 0; k < order.n_groups; k++) {
        loops += order.loop[k];
        groups += !order.loop[k] && order.at[k + 1] - order.at[k] > 1;
    }
    assert_int_equal(loops, 1);
    assert_int_equal(groups, 3);
    assert_false(order.kept);
    assert_int_equal(ms_evaluation_order_minimum(&d, &minimum), MS_OK);
    assert_int_equal(order.total, minimum);
    ms_evaluation_order_destroy(&order);
    ms_dependency_graph_destroy(&d);
    ms_system_destroy(&system);
}

/* Where a subsystem reads u', its outputs come after all inputs of the subsystem that feeds it. */
static void test_slopes(void **state)
{
    (void)state;
    ms_system *system = support_system("controlled-car", NULL);
    ms_dependency_graph d;
    ms_evaluation_order order;
    int slopes = 0;
    assert_int_equal(ms_dependency_graph_create(system, &d), MS_OK);
    for (int v = 0; v < d.graph.n; v++)
        for (int e = d.graph.at[v]; e < d.graph.at[v + 1]; e++)
            if (d.kind[e] == MS_DEPENDENCY_SLOPE) {
                slopes++;
                assert_true(v < d.n_inputs && ms_dependency_is_output(&d, d.graph.to[e]));
                assert_true(system->sub[d.subsystem[d.graph.to[e]]].uses_du);
            }
    bool used = false;
    for (int i = 0; i < system->n; i++)
        used |= system->sub[i].uses_du;
    assert_int_equal(slopes > 0, used);
    assert_int_equal(ms_evaluation_order_reduce(&d, &order), MS_OK);
    check_valid(&d, &order);
    ms_evaluation_order_destroy(&order);
    ms_dependency_graph_destroy(&d);
    ms_system_destroy(&system);
}

/* Thousands of subsystems: no deep recursion. */
static void test_long_chain(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    const ms_random_graph_options request = {2000, 2, 2, 0.4, true};
    ms_dependency_graph d;
    ms_evaluation_order first, reduced;
    assert_int_equal(ms_random_dependency_graph(&request, &seed, &d), MS_OK);
    assert_int_equal(ms_evaluation_order_create(&d, &first), MS_OK);
    assert_int_equal(ms_evaluation_order_reduce(&d, &reduced), MS_OK);
    assert_true(reduced.total <= first.total && reduced.total >= request.subsystems);
    int minimum;
    assert_int_equal(ms_evaluation_order_minimum(&d, &minimum), MS_UNSUPPORTED);
    ms_evaluation_order_destroy(&first);
    ms_evaluation_order_destroy(&reduced);
    ms_dependency_graph_destroy(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_minimum),
        cmocka_unit_test(test_example_5_0_1), cmocka_unit_test(test_example_5_1_1),
        cmocka_unit_test(test_example_5_2_1), cmocka_unit_test(test_example_5_2_2),
        cmocka_unit_test(test_example_5_3_1), cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_long_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
