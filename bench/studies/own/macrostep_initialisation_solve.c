/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random graphs with numbers: v = M v + b over all inputs and outputs, M with the gains of wires and of feed-through. */
#include <math.h>
#include <stdlib.h>

#include "macrostep_initialisation.h"
#include "matrix.h"

typedef struct problem {
    int n;
    double *M, *b, *at_once, *in_order, *work; /* M, work: (n x n) */
    int *pivots;
} problem;

static double draw(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* Wires have the gain 1; feed-through is 0.1 to 0.4 of either sign, so that I - M is far from singular. */
static void fill(const ms_dependency_graph *d, unsigned long long seed, problem *p)
{
    for (int i = 0; i < p->n; i++) {
        p->b[i] = 2.0 * draw(&seed) - 1.0;
        for (int k = d->graph.at[i]; k < d->graph.at[i + 1]; k++) {
            const double size = 0.1 + 0.3 * draw(&seed), sign = draw(&seed) < 0.5 ? -1.0 : 1.0;
            p->M[d->graph.to[k] * p->n + i] = d->kind[k] == MS_DEPENDENCY_WIRE ? 1.0 : sign * size;
        }
    }
}

/* Takes out of `kept` what reads nothing that is kept; returns how many there were. */
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
    bool kept[MS_GRAPH_NODES_MAX];
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
    double *A = p->work, right[MS_GRAPH_NODES_MAX];
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
    int all[MS_GRAPH_NODES_MAX];
    for (int i = 0; i < p->n; i++) {
        all[i] = i;
        p->at_once[i] = 0.0;
    }
    return solve_group(p, p->n, all, p->at_once);
}

static int compare(const ms_dependency_graph *d, const ms_evaluation_order *order, unsigned long long seed,
                   problem *p, ms_graph_solution *solution)
{
    fill(d, seed, p);
    solution->nilpotent = is_nilpotent(p);
    int status = solve_in_order(p, order);
    if (status == MS_OK)
        status = solve_at_once(p);
    for (int i = 0; i < p->n; i++) {
        const double off = fabs(p->in_order[i] - p->at_once[i]);
        solution->off = off <= solution->off ? solution->off : off;
    }
    for (int k = 0; k < order->n_groups; k++)
        solution->loops += order->loop[k];
    return status;
}

int ms_graph_solve(const ms_dependency_graph *d, const ms_evaluation_order *order, unsigned long long seed,
                   ms_graph_solution *solution)
{
    const size_t n = (size_t)d->graph.n;
    double *memory = calloc(2 * n * n + 3 * n, sizeof *memory);
    problem p = {.n = d->graph.n, .M = memory, .pivots = calloc(n, sizeof *p.pivots)};
    int status = memory != NULL && p.pivots != NULL && n <= MS_GRAPH_NODES_MAX ? MS_OK : MS_NO_MEMORY;
    *solution = (ms_graph_solution){0};
    if (status == MS_OK) {
        p.work = memory + n * n;
        p.b = p.work + n * n;
        p.at_once = p.b + n;
        p.in_order = p.at_once + n;
        status = compare(d, order, seed, &p, solution);
    }
    free(p.pivots);
    free(memory);
    return status;
}
