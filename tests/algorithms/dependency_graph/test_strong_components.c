/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strongly connected components in topological order, and the subsystems of a model as a graph. */
#include <stdio.h>
#include <stdlib.h>

#include <macrostep/catalogue.h>
#include <macrostep/linearisation_jacobian.h>
#include "strong_components.h"
#include "unit_test.h"

enum { NODES_MAX = 64, LONG_CHAIN = 200000 };

/* reach[i][j]: does a path lead from i to j? By repeated squaring, apart from the library's search. */
static void reachable(const ms_digraph *graph, bool reach[NODES_MAX][NODES_MAX])
{
    for (int i = 0; i < graph->n; i++)
        for (int j = 0; j < graph->n; j++)
            reach[i][j] = i == j;
    for (int i = 0; i < graph->n; i++)
        for (int e = graph->at[i]; e < graph->at[i + 1]; e++)
            reach[i][graph->to[e]] = true;
    for (int k = 0; k < graph->n; k++)
        for (int i = 0; i < graph->n; i++)
            for (int j = 0; j < graph->n; j++)
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
}

static void check_graph(const ms_digraph *graph)
{
    static bool reach[NODES_MAX][NODES_MAX];
    int component[NODES_MAX], count = 0;
    assert_int_equal(ms_strong_components(graph, component, &count), MS_OK);
    reachable(graph, reach);
    for (int i = 0; i < graph->n; i++) {
        assert_in_range(component[i], 0, count - 1);
        for (int j = 0; j < graph->n; j++) {
            assert_int_equal(component[i] == component[j], reach[i][j] && reach[j][i]);
            if (reach[i][j])
                assert_true(component[i] <= component[j]);
        }
    }
}

static void test_random_graphs(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int trial = 0; trial < 300; trial++) {
        int at[NODES_MAX + 1] = {0}, to[NODES_MAX * NODES_MAX];
        const int n = 1 + trial % 20;
        ms_digraph graph = {.n = n, .at = at, .to = to};
        for (int i = 0; i < n; i++) {
            at[i + 1] = at[i];
            for (int j = 0; j < n; j++) {
                seed = seed * 1664525U + 1013904223U;
                if ((seed >> 16) % (unsigned)(2 * n) < (unsigned)(1 + trial % 4))
                    to[at[i + 1]++] = j;
            }
        }
        check_graph(&graph);
    }
}

/* Without edges the declared order stays. */
static void test_order_without_edges(void **state)
{
    (void)state;
    int at[NODES_MAX + 1] = {0}, to[1] = {0}, component[NODES_MAX], count = 0;
    const ms_digraph graph = {.n = 5, .at = at, .to = to};
    assert_int_equal(ms_strong_components(&graph, component, &count), MS_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(component[i], i);
}

/* The search needs no stack of calls. */
static void test_long_chain(void **state)
{
    (void)state;
    int *memory = calloc(3 * (size_t)LONG_CHAIN + 1, sizeof *memory), count = 0;
    assert_non_null(memory);
    int *at = memory, *to = memory + LONG_CHAIN + 1, *component = to + LONG_CHAIN;
    for (int i = 0; i < LONG_CHAIN; i++) {
        at[i + 1] = i + 1 < LONG_CHAIN ? i + 1 : i;
        to[i] = i + 1;
    }
    const ms_digraph graph = {.n = LONG_CHAIN, .at = at, .to = to};
    assert_int_equal(ms_strong_components(&graph, component, &count), MS_OK);
    assert_int_equal(count, LONG_CHAIN);
    for (int i = 0; i < LONG_CHAIN; i++)
        assert_int_equal(component[i], i);
    free(memory);
}

/* In the mass-spring-damper only the right subsystem feeds through: left is evaluated first, and rho(D L) =
 * 0. */
static void test_mass_spring_damper(void **state)
{
    (void)state;
    ms_system *system = NULL;
    ms_digraph graph;
    int component[2], count = 0;
    double x[4], u[4], DL[16];
    assert_int_equal(ms_system_create(ms_catalogue_find("mass-spring-damper"), NULL, NULL, 0, &system, NULL),
                     MS_OK);
    assert_int_equal(ms_digraph_of_subsystems(system, &graph), MS_OK);
    assert_int_equal(ms_strong_components(&graph, component, &count), MS_OK);
    assert_int_equal(count, 2);
    assert_int_equal(component[ms_system_find(system, "left")], 0);
    assert_int_equal(component[ms_system_find(system, "right")], 1);
    assert_int_equal(ms_linearisation_start(system, x, u, NULL), MS_OK);
    assert_int_equal(ms_linearisation_loop(system, 0.0, x, u, DL, NULL), MS_OK);
    for (int i = 0; i < system->y_at[1]; i++) /* rows of left: no feed-through */
        for (int j = 0; j < system->ny; j++)
            assert_true(DL[i * system->ny + j] == 0.0);
    ms_digraph_destroy(&graph);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_order_without_edges),
        cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_mass_spring_damper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
