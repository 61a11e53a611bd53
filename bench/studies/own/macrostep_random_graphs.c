/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model evaluations at the start in the orders of Algorithm 1, of Algorithm 2, and at least, on 200 random graphs of one size:
 *
 *     random-graphs SUBSYSTEMS LOOPS
 *
 * Sums over the graphs: first, reduced; minimum, and reduced_known beside it, of the `known` ones whose minimum is known; optimal: graphs
 * on which Algorithm 2 finds it; worse, kept: on which joins cost more, and were undone; of both orders: acyclic, without a loop, and
 * contrary, with a loop but D L nilpotent or the other way round. off: the largest difference of a value between solving in the order and
 * one dense system: loops of y = g(x) + D u, u = L y, Andersson (5.8). */
#include <math.h>

#include "evaluation_order.h"
#include "matrix.h"
#include "measurement.h"
#include "random_dependency_graph.h"

/* Graphs with numbers ------------------------------------------------------------------------------------ */

enum { NODES_MAX = 256 };

typedef struct graph_solution {
    int loops; /* groups of the order that are loops */
    bool nilpotent;
    double off; /* the largest difference of a value between both methods; values are of size 1 */
} graph_solution;

/* v = M v + b over all inputs and outputs, M with the gains of wires and of feed-through. */
typedef struct problem {
    int n;
    double *M, *b, *at_once, *in_order, *work; /* M, work: (n x n) */
    int *pivots;
} problem;

static double uniform(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Wires have the gain 1; feed-through is 0.1 to 0.4 of either sign, so that I - M is far from singular. */
static void fill(const ms_dependency_graph *d, unsigned long long seed, problem *p)
{
    for (int i = 0; i < p->n; i++) {
        p->b[i] = 2.0 * uniform(&seed) - 1.0;
        for (int k = d->graph.at[i]; k < d->graph.at[i + 1]; k++) {
            const double size = 0.1 + 0.3 * uniform(&seed), sign = uniform(&seed) < 0.5 ? -1.0 : 1.0;
            p->M[d->graph.to[k] * p->n + i] = d->kind[k] == MS_DEPENDENCY_WIRE ? 1.0 : sign * size;
        }
    }
}

/* Removes entries of `kept` that read no kept entry; returns their number. */
static int take_out(const problem *p, bool *kept)
{
    int taken = 0;
    for (int i = 0; i < p->n; i++) {
        bool reads = false;
        for (int j = 0; j < p->n && kept[i] && !reads; j++)
            reads = p->M[i * p->n + j] != 0.0 && kept[j];
        taken += kept[i] && !reads;
        kept[i] = kept[i] && reads;
    }
    return taken;
}

/* Is M^n = 0, for any gains? D L is the same over outputs. */
static bool is_nilpotent(const problem *p)
{
    bool kept[NODES_MAX];
    int left = p->n, taken;
    for (int i = 0; i < p->n; i++)
        kept[i] = true;
    while ((taken = take_out(p, kept)) > 0)
        left -= taken;
    return left == 0;
}

/* (I - M) v = b over m of the nodes, the others as they are in v. */
static int solve_group(const problem *p, int m, const int *node, double *v)
{
    double *A = p->work, right[NODES_MAX];
    for (int i = 0; i < m; i++) {
        right[i] = p->b[node[i]];
        for (int j = 0; j < p->n; j++)
            right[i] += p->M[node[i] * p->n + j] * v[j];
        for (int j = 0; j < m; j++) {
            A[i * m + j] = (i == j) - p->M[node[i] * p->n + node[j]];
            right[i] -= p->M[node[i] * p->n + node[j]] * v[node[j]];
        }
    }
    const int status = ms_matrix_factor(m, A, p->pivots);
    if (status == MS_OK)
        ms_matrix_solve(m, A, p->pivots, right);
    for (int i = 0; i < m; i++)
        v[node[i]] = right[i];
    return status;
}

/* Group after group, each from those before it.. */
static int solve_in_order(const problem *p, const ms_evaluation_order *order)
{
    int status = MS_OK;
    for (int i = 0; i < p->n; i++)
        p->in_order[i] = 0.0;
    for (int k = 0; k < order->n_groups && status == MS_OK; k++)
        status = solve_group(p, order->at[k + 1] - order->at[k], order->node + order->at[k], p->in_order);
    return status;
}

static int solve_at_once(const problem *p)
{
    int all[NODES_MAX];
    for (int i = 0; i < p->n; i++) {
        all[i] = i;
        p->at_once[i] = 0.0;
    }
    return solve_group(p, p->n, all, p->at_once);
}

static int compare(const ms_dependency_graph *d, const ms_evaluation_order *order, unsigned long long seed,
                   problem *p, graph_solution *solution)
{
    fill(d, seed, p);
    solution->nilpotent = is_nilpotent(p);
    int status = solve_in_order(p, order);
    MS_THEN(status, solve_at_once(p));
    for (int i = 0; i < p->n; i++) {
        const double off = fabs(p->in_order[i] - p->at_once[i]);
        solution->off = off <= solution->off ? solution->off : off;
    }
    for (int k = 0; k < order->n_groups; k++)
        solution->loops += order->loop[k];
    return status;
}

/* With gains and right sides of the seed. Returns MS_OK, MS_NO_SOLUTION or MS_NO_MEMORY. */
static int solve_graph(const ms_dependency_graph *d, const ms_evaluation_order *order,
                       unsigned long long seed, graph_solution *solution)
{
    const size_t n = (size_t)d->graph.n;
    double *memory = calloc(2 * n * n + 3 * n, sizeof *memory);
    problem p = {.n = d->graph.n, .M = memory, .pivots = calloc(n, sizeof *p.pivots)};
    int status = memory != NULL && p.pivots != NULL && n <= NODES_MAX ? MS_OK : MS_NO_MEMORY;
    *solution = (graph_solution){0};
    if (status == MS_OK) {
        p.work = memory + n * n;
        p.b = p.work + n * n;
        p.at_once = p.b + n;
        p.in_order = p.at_once + n;
        status = compare(d, order, seed, &p, solution);
    }
    MS_FREE(p.pivots, memory);
    return status;
}

enum { GRAPHS = 200 };

/* Of the graphs of one size. */
typedef struct tally {
    long first, reduced, minimum; /* evaluations, the last two with it where the minimum is known */
    long reduced_known;
    int known, optimal, worse, kept;
    int acyclic,
        contrary; /* graphs without a loop; those with one whose D L is nilpotent, or without one whose D L is not */
    double off; /* of values in the order against those at once */
} tally;

static int solve(const ms_dependency_graph *d, const ms_evaluation_order *order, unsigned long long seed,
                 tally *t)
{
    graph_solution solution;
    const int status = solve_graph(d, order, seed, &solution);
    t->acyclic += solution.loops == 0;
    t->contrary += (solution.loops == 0) != solution.nilpotent;
    t->off = solution.off <= t->off ? t->off : solution.off;
    return status;
}

static int count_graph(const ms_random_graph_options *request, unsigned long long *seed, tally *t)
{
    ms_dependency_graph d;
    ms_evaluation_order first = {0}, reduced = {0};
    int minimum = 0;
    int status = ms_random_dependency_graph(request, seed, &d);
    MS_THEN(status, ms_evaluation_order_create(&d, &first));
    MS_THEN(status, ms_evaluation_order_reduce(&d, &reduced));
    MS_THEN(status, solve(&d, &first, *seed, t));
    MS_THEN(status, solve(&d, &reduced, *seed, t));
    if (status == MS_OK) {
        t->first += first.total;
        t->reduced += reduced.total;
        t->worse += reduced.total > first.total;
        t->kept += reduced.kept;
        status = ms_evaluation_order_minimum(&d, &minimum);
        if (status == MS_OK) {
            t->known++;
            t->minimum += minimum;
            t->reduced_known += reduced.total;
            t->optimal += reduced.total == minimum;
        }
    }
    ms_evaluation_order_destroy(&first);
    ms_evaluation_order_destroy(&reduced);
    ms_dependency_graph_destroy(&d);
    return status == MS_UNSUPPORTED ? MS_OK : status;
}

static int measure(ms_drawing *drawing, bool loops, int size, tally *t, ms_error *error)
{
    unsigned long long seed = 20160317ULL + (unsigned long long)size;
    const ms_random_graph_options request = {size, 2, 2, 0.5, loops};
    *t = (tally){0};
    for (int k = 0; k < GRAPHS; k++) {
        if (ms_study_interrupted(drawing, error) != MS_OK)
            return MS_INTERRUPTED;
        MS_TRY_MEMORY_FOR(count_graph(&request, &seed, t) == MS_OK, error, "a graph");
    }
    return MS_OK;
}

static int give(ms_drawing *drawing, const char *words, json_t *answer, ms_error *error)
{
    double number[2]; /* subsystems, with loops */
    tally t;
    (void)ms_measurement_numbers(words, MS_COUNT(number), number);
    MS_TRY(measure(drawing, number[1] > 0.0, (int)number[0], &t, error));
    ms_measured_members(answer,
                        MS_COUNTS({"graphs", GRAPHS}, {"first", t.first}, {"reduced", t.reduced},
                                  {"minimum", t.minimum}, {"reduced_known", t.reduced_known},
                                  {"known", t.known}, {"optimal", t.optimal}, {"worse", t.worse},
                                  {"kept", t.kept}, {"acyclic", t.acyclic}, {"contrary", t.contrary}));
    json_object_set_new(answer, "off", ms_json_real(t.off));
    return MS_OK;
}

const ms_measurement ms_measurement_random_graphs = {"random-graphs", give, NULL};
