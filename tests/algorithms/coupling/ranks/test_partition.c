/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_partition.c - blocks of subsystems and what ranks exchange, on random systems and without MPI: each output that a rank needs
 * comes to it once, nothing else comes, and both sides have the same list. */
#include <math.h>

#include "partition.h"
#include "random_system.h"
#include "support.h"
#include "unit_test.h"

enum { CASES = 60, RANKS_MAX = 15 };

/* Few outputs have feed-through, and it is small. */
static const support_random_shape shape = {.subsystems = {1, SUPPORT_RANDOM_SYSTEM_MOST},
                                           .states = {1, 1},
                                           .step = 0.1,
                                           .stiffness = 5.0,
                                           .feed_through = 1e-3,
                                           .missing = 0.8};

/* Does a wire carry the output to an input of the rank? */
static bool needs(const ms_system *s, const ms_partition *p, int rank, int output)
{
    bool reads = false;
    for (int w = s->row_at[s->u_at[p->first[rank]]]; w < s->row_at[s->u_at[p->first[rank + 1]]]; w++)
        reads |= s->wire_output[w] == output;
    return reads;
}

static int times(int n, const int *list, int output)
{
    int found = 0;
    for (int k = 0; k < n; k++)
        found += list[k] == output;
    return found;
}

static const ms_neighbour *neighbour_of(const ms_exchange *e, int rank)
{
    for (int k = 0; k < e->n; k++)
        if (e->neighbour[k].rank == rank)
            return &e->neighbour[k];
    return NULL;
}

/* Everything that is needed, once, and nothing else; solved ones stand behind the others. */
static void check_received(const ms_system *s, const ms_partition *p, int rank, const ms_exchange *e)
{
    const int begin = s->y_at[p->first[rank]], end = s->y_at[p->first[rank + 1]];
    for (int j = 0; j < s->ny; j++) {
        const bool wanted = (j < begin || j >= end) && needs(s, p, rank, j);
        assert_int_equal(times(e->n_receive, e->receive, j), wanted);
    }
    for (int k = 0; k < e->n; k++) {
        const ms_neighbour *of = &e->neighbour[k];
        assert_true(of->rank != rank && of->n_send + of->n_receive > 0);
        for (int m = 0; m < of->n_receive; m++) {
            assert_int_equal(ms_partition_rank(p, ms_system_owner(s, of->receive[m])), of->rank);
            assert_int_equal(s->feed_through[of->receive[m]], m >= of->n_receive - of->solved_receive);
        }
    }
}

/* What one receives is what the other sends, in that order. */
static void check_sent(const ms_exchange *e, int from, int to)
{
    const ms_neighbour *sends = neighbour_of(&e[from], to), *receives = neighbour_of(&e[to], from);
    const int n = receives != NULL ? receives->n_receive : 0;
    assert_int_equal(sends != NULL ? sends->n_send : 0, n);
    if (n == 0)
        return;
    assert_int_equal(sends->solved_send, receives->solved_receive);
    assert_memory_equal(sends->send, receives->receive, sizeof *sends->send * (size_t)n);
}

static void check_exchange(const ms_system *s, const ms_partition *p)
{
    ms_exchange e[RANKS_MAX];
    ms_error error = {""};
    for (int r = 0; r < p->ranks; r++) {
        assert_int_equal(ms_exchange_create(s, p, r, &e[r], &error), MS_OK);
        check_received(s, p, r, &e[r]);
    }
    for (int from = 0; from < p->ranks; from++)
        for (int to = 0; to < p->ranks; to++)
            check_sent(e, from, to);
    for (int r = 0; r < p->ranks; r++)
        ms_exchange_destroy(&e[r]);
}

/* Each block with what it receives computes its inputs from outputs to the bit as the whole does, and has its matrices. */
static void check_part(const ms_system *s, const ms_partition *p, int rank, unsigned long long *seed)
{
    const int first = p->first[rank], last = p->first[rank + 1], own = s->y_at[last] - s->y_at[first];
    double y[256] = {0.0}, u[256], of_part[256], inputs[256], value[256];
    ms_exchange e;
    ms_system *part;
    ms_error error = {""};
    assert_int_equal(ms_exchange_create(s, p, rank, &e, &error), MS_OK);
    assert_int_equal(ms_system_part(s, first, last, e.n_receive, e.receive, value, &part, &error), MS_OK);
    for (int j = 0; j < s->ny; j++)
        y[j] = support_random(seed);
    for (int j = 0; j < own; j++)
        of_part[j] = y[s->y_at[first] + j];
    for (int k = 0; k < e.n_receive; k++)
        value[k] = y[e.receive[k]];
    assert_int_equal(ms_subsystem_g(part, last - first, &(ms_point){.t = 0.0}, NULL, of_part + own), 0);
    ms_system_couple(s, y, u);
    ms_system_couple(part, of_part, inputs);
    assert_int_equal(part->nu, s->u_at[last] - s->u_at[first]);
    assert_memory_equal(inputs, u + s->u_at[first], sizeof *u * (size_t)part->nu);
    assert_true(part->linear == s->linear && part->ny == own + e.n_receive);
    for (int i = first; i < last; i++)
        for (int k = 0; k < s->sub[i].ny * s->sub[i].nu; k++)
            assert_true(part->blocks[i - first].D[k] == s->blocks[i].D[k]);
    ms_system_destroy(&part);
    ms_exchange_destroy(&e);
}

static void ranks_exchange_what_wires_carry(void **state)
{
    (void)state;
    unsigned long long seed = 1;
    for (int k = 0; k < support_ensemble(CASES); k++) {
        support_random_system whole = support_random_system_of(&shape, &seed);
        const ms_system *s = whole.system;
        for (int ranks = 1; ranks <= RANKS_MAX; ranks++) {
            ms_partition p;
            ms_error error = {""};
            assert_int_equal(ms_partition_create(s, ranks, k % 2 == 1, &p, &error), MS_OK);
            check_exchange(s, &p);
            for (int r = 0; r < ranks; r++)
                check_part(s, &p, r, &seed);
            ms_partition_destroy(&p);
        }
        support_random_system_drop(&whole);
    }
}

/* No output that is solved is solved from one that another rank solves. */
static void outputs_are_solved_on_one_rank(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    int cut = 0;
    for (int k = 0; k < support_ensemble(CASES); k++) {
        support_random_system whole = support_random_system_of(&shape, &seed);
        const ms_system *s = whole.system;
        ms_partition p;
        ms_error error = {""};
        assert_int_equal(ms_partition_create(s, 4, true, &p, &error), MS_OK);
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->sub[i].ny; j++)
                for (int l = 0; l < s->sub[i].nu; l++)
                    for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
                        if (s->blocks[i].D[j * s->sub[i].nu + l] != 0.0 && s->feed_through[s->wire_output[w]])
                            assert_int_equal(ms_partition_rank(&p, i),
                                             ms_partition_rank(&p, ms_system_owner(s, s->wire_output[w])));
        cut += p.first[1] < s->n && p.first[3] > 0;
        ms_partition_destroy(&p);
        support_random_system_drop(&whole);
    }
    assert_true(cut > 0);
}

/* Blocks -------------------------------------------------------------------------------------------------- */

enum { LONGEST = 40 };

static void cuts_are_where_they_may_be_and_even(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int k = 0; k < support_ensemble(1000); k++) {
        const int n = 1 + support_random_below(&seed, LONGEST),
                  ranks = 1 + support_random_below(&seed, LONGEST), joins = support_random_below(&seed, 3);
        double cost[LONGEST], sum = 0.0, largest = 0.0;
        bool joined[LONGEST] = {false};
        int first[LONGEST + 2];
        for (int i = 0; i < n; i++) {
            cost[i] = 1.0 + support_random_below(&seed, 20);
            joined[i] = support_random_below(&seed, 4) < joins;
            sum += cost[i];
            largest = fmax(largest, cost[i]);
        }
        ms_partition_cut(n, cost, joined, ranks, first);
        assert_true(first[0] == 0 && first[ranks] == n);
        for (int r = 0; r < ranks; r++) {
            double block = 0.0;
            assert_true(first[r] <= first[r + 1]);
            assert_true(first[r] == 0 || first[r] == n || !joined[first[r] - 1]);
            for (int i = first[r]; i < first[r + 1]; i++)
                block += cost[i];
            if (joins == 0) /* each cut is at most half a subsystem off */
                assert_true(block <= sum / ranks + largest && block >= sum / ranks - largest);
        }
    }
}

static void equal_subsystems_are_dealt_evenly(void **state)
{
    (void)state;
    const double cost[] = {2.0, 2.0, 2.0, 2.0, 2.0, 2.0};
    int first[8];
    ms_partition_cut(6, cost, NULL, 3, first);
    assert_memory_equal(first, ((int[]){0, 2, 4, 6}), 4 * sizeof *first);
    ms_partition_cut(2, cost, NULL, 4, first); /* more ranks than subsystems */
    assert_true(first[4] == 2);
    for (int r = 0; r < 4; r++)
        assert_in_range(first[r + 1] - first[r], 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_exchange_what_wires_carry),
        cmocka_unit_test(outputs_are_solved_on_one_rank),
        cmocka_unit_test(cuts_are_where_they_may_be_and_even),
        cmocka_unit_test(equal_subsystems_are_dealt_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
