/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop_parts.h"
#include "matrix.h"

static bool has_feed_through(const ms_system *system, int i)
{
    for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++)
        if (system->feed_through[j])
            return true;
    return false;
}

/* May output j of subsystem i depend on inputs, or on their derivatives? */
static bool is_unknown(const ms_system *system, int i, int j)
{
    return system->feed_through[j] || system->sub[i].uses_du;
}

/* The matrix I - D L among the unknowns. L has at most a few wires an input. */
static void assemble(ms_loop *loop)
{
    const ms_system *s = loop->system;
    memset(loop->factors, 0, sizeof(double) * (size_t)loop->n * (size_t)loop->n);
    for (int k = 0; k < loop->n; k++)
        loop->factors[k * loop->n + k] = 1.0;
    for (int i = 0; i < s->n; i++)
        if (loop->D[i] != NULL)
            ms_system_add_feed_through(s, i, -1.0, loop->D[i], s->sub[i].nu, loop->position, loop->n,
                                       loop->factors);
}

void ms_loop_feed_through(const ms_loop *loop, double sign, const double *u, double *y)
{
    const ms_system *s = loop->system;
    for (int i = 0; i < s->n; i++) {
        if (loop->D[i] == NULL)
            continue;
        const int nu = s->sub[i].nu;
        for (int j = 0; j < s->sub[i].ny; j++) {
            double sum = 0.0;
            for (int l = 0; l < nu; l++)
                sum += loop->D[i][j * nu + l] * u[s->u_at[i] + l];
            y[s->y_at[i] + j] += sign * sum;
        }
    }
}

void ms_loop_solve(const ms_loop *loop, double *y)
{
    if (loop->n == 0)
        return;
    /* Known outputs reach the unknown ones through D L: with the unknowns set to zero,
     * r = z + D L y_known. */
    for (int j = 0; j < loop->system->ny; j++)
        loop->y[j] = loop->position[j] < 0 ? y[j] : 0.0;
    ms_system_couple(loop->system, loop->y, loop->u);
    for (int k = 0; k < loop->n; k++)
        loop->y[loop->unknown[k]] = y[loop->unknown[k]];
    ms_loop_feed_through(loop, 1.0, loop->u, loop->y);
    for (int k = 0; k < loop->n; k++)
        loop->r[k] = loop->y[loop->unknown[k]];
    ms_matrix_solve(loop->n, loop->factors, loop->pivots, loop->r);
    for (int k = 0; k < loop->n; k++)
        y[loop->unknown[k]] = loop->r[k];
}

/* I - D L at the current states and inputs u, not factored. */
static int feed_through_matrix(ms_loop *loop, double t, const double *u)
{
    const ms_system *s = loop->system;
    for (int i = 0; i < s->n; i++)
        if (loop->D[i] != NULL &&
            ms_instance_feed_through(loop->instance[i], t, u + s->u_at[i], loop->D[i]) != MS_OK)
            return MS_NO_SOLUTION;
    assemble(loop);
    return MS_OK;
}

int ms_loop_linearise(ms_loop *loop, double t, const double *u)
{
    if (loop->constant || loop->n == 0)
        return MS_OK;
    const int status = feed_through_matrix(loop, t, u);
    return status == MS_OK ? ms_matrix_factor(loop->n, loop->factors, loop->pivots) : status;
}

/* y = g(t, x, 0): of linear systems. */
static int outputs_without_inputs(ms_loop *loop, double t, double *y)
{
    const ms_system *s = loop->system;
    memset(loop->u, 0, sizeof(double) * (size_t)s->nu);
    for (int i = 0; i < s->n; i++)
        if (ms_instance_outputs(loop->instance[i], t, loop->u + s->u_at[i], NULL, y + s->y_at[i]) != 0)
            return MS_NO_SOLUTION;
    return MS_OK;
}

/* (I - D L) y = g(t, x, 0), u = L y. */
static int solve_linear(ms_loop *loop, double t, double *y, double *u)
{
    if (outputs_without_inputs(loop, t, y) != MS_OK)
        return MS_NO_SOLUTION;
    ms_loop_solve(loop, y);
    ms_system_couple(loop->system, y, u);
    return MS_OK;
}

int ms_loop_outputs(ms_loop *loop, double t, double *y, double *u)
{
    if (loop->constant)
        return solve_linear(loop, t, y, u);
    ms_system_couple(loop->system, y, u);
    return ms_block_solver_solve(loop->block_solver, t, y, u);
}

/* What an input starts from whose wires come from outputs that say it; else 0. */
static double start_of_wires(const ms_system *s, int input)
{
    double sum = 0.0;
    for (int w = s->row_at[input]; w < s->row_at[input + 1]; w++) {
        const int from = ms_system_owner(s, s->wire_output[w]);
        const double *y0 = s->sub[from].y0;
        sum += y0 != NULL ? s->wire_gain[w] * y0[s->wire_output[w] - s->y_at[from]] : NAN;
    }
    return isnan(sum) ? 0.0 : sum;
}

int ms_loop_start(ms_loop *loop, double t, double *y, double *u)
{
    if (loop->constant)
        return solve_linear(loop, t, y, u);
    const ms_system *s = loop->system;
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->sub[i].nu; k++)
            u[s->u_at[i] + k] = s->sub[i].u0 != NULL && s->sub[i].u0[k] != 0.0
                                    ? s->sub[i].u0[k]
                                    : start_of_wires(s, s->u_at[i] + k);
    return ms_block_solver_start(loop->block_solver, t, y, u);
}

void ms_loop_explain(const ms_loop *loop, char *text, size_t size)
{
    if (loop->block_solver != NULL)
        ms_block_solver_explain(loop->block_solver, text, size);
    else
        snprintf(text, size, "I - D L is singular, or time derivatives are not defined");
}

/* Creation ----------------------------------------------------------------------------------------------- */

/* Is I - D L singular among the outputs of one loop alone? */
static bool is_singular(const ms_loop *loop, const int *node, int size)
{
    const ms_system *s = loop->system;
    int inputs = 0;
    while (inputs < size && node[inputs] < s->nu)
        inputs++;
    const int n = size - inputs;
    double *M = calloc((size_t)n * (size_t)n + 1, sizeof *M);
    int *pivots = calloc((size_t)n + 1, sizeof *pivots);
    int *place = calloc((size_t)s->ny + 1, sizeof *place);
    bool singular = false;
    if (M != NULL && pivots != NULL && place != NULL) {
        for (int j = 0; j < s->ny; j++)
            place[j] = -1;
        for (int k = 0; k < n; k++) {
            place[node[inputs + k] - s->nu] = k;
            M[k * n + k] = 1.0;
        }
        for (int i = 0; i < s->n; i++)
            if (loop->D[i] != NULL)
                ms_system_add_feed_through(s, i, -1.0, loop->D[i], s->sub[i].nu, place, n, M);
        singular = ms_matrix_factor(n, M, pivots) != MS_OK;
    }
    MS_FREE(M, pivots, place);
    return singular;
}

/* det(I - D L) = 0: which loop is it? */
static int refuse_singular(const ms_loop *loop, const ms_evaluation_order *order, ms_error *error)
{
    const ms_system *s = loop->system;
    char names[256] = "all outputs with feed-through";
    for (int k = 0; k < order->n_groups; k++) {
        const int *node = order->node + order->at[k], size = order->at[k + 1] - order->at[k];
        if (order->loop[k] && is_singular(loop, node, size)) {
            ms_dependency_names(s, size, node, names, sizeof names);
            break;
        }
    }
    return ms_fail(
        error, MS_NO_SOLUTION,
        "det(I - D L) = 0: the algebraic loop of %s in model %s has no unique solution; change the "
        "feed-through or the wires so that I - D L is regular",
        names, s->model->name);
}

static int create_block_solver(ms_loop *loop, const ms_evaluation_order *order, ms_error *error)
{
    loop->reads_slopes = ms_system_reads_slopes(loop->system);
    return ms_block_solver_create(loop->system, loop->instance, order, &loop->block_solver, error);
}

/* What needs the graph of the variables: the block solver, and the line of a singular loop. */
static int create_with_order(ms_loop *loop, ms_error *error)
{
    ms_dependency_graph d;
    ms_evaluation_order order = {0};
    int status = ms_dependency_graph_create(loop->system, &d);
    MS_THEN(status, ms_evaluation_order_reduce(&d, &order));
    MS_THEN(status,
            loop->constant ? refuse_singular(loop, &order, error) : create_block_solver(loop, &order, error));
    ms_evaluation_order_destroy(&order);
    ms_dependency_graph_destroy(&d);
    return status;
}

int ms_loop_create(const ms_system *system, ms_instance *const *instance, ms_loop **out, ms_error *error)
{
    ms_loop *loop = calloc(1, sizeof *loop);
    *out = loop;
    MS_TRY_MEMORY_FOR(loop != NULL, error, "the algebraic loop");
    loop->system = system;
    loop->instance = instance;
    loop->constant = system->linear && ms_system_own_stepper(system) == NULL;

    const size_t ny = (size_t)system->ny, nu = (size_t)system->nu;
    size_t size = 0;
    for (int i = 0; i < system->n; i++)
        if (has_feed_through(system, i))
            size += (size_t)(system->sub[i].ny * system->sub[i].nu);
    for (int i = 0; i < system->n; i++)
        for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++)
            loop->n += is_unknown(system, i, j);
    const size_t n = (size_t)loop->n;

    loop->unknown = calloc(n + ny + n + 1, sizeof *loop->unknown);
    loop->D = calloc((size_t)system->n, sizeof *loop->D);
    loop->D_memory = calloc(size + n * n + ny + nu + n + 1, sizeof *loop->D_memory);
    int status = MS_NO_MEMORY;
    if (loop->unknown == NULL || loop->D == NULL || loop->D_memory == NULL)
        goto failed;
    loop->position = loop->unknown + n;
    loop->pivots = loop->position + ny;
    loop->factors = loop->D_memory + size;
    loop->y = loop->factors + n * n;
    loop->u = loop->y + ny;
    loop->r = loop->u + nu;
    for (int i = 0, k = 0; i < system->n; i++)
        for (int j = system->y_at[i]; j < system->y_at[i + 1]; j++) {
            loop->position[j] = is_unknown(system, i, j) ? k : -1;
            if (loop->position[j] >= 0)
                loop->unknown[k++] = j;
        }
    double *D = loop->D_memory;
    for (int i = 0; i < system->n; i++)
        if (has_feed_through(system, i)) {
            loop->D[i] = D;
            D += system->sub[i].ny * system->sub[i].nu;
            if (loop->constant)
                memcpy(loop->D[i], system->blocks[i].D,
                       sizeof(double) * (size_t)(system->sub[i].ny * system->sub[i].nu));
        }
    status = MS_OK;
    if (loop->constant) {
        assemble(loop);
        status = ms_matrix_factor(loop->n, loop->factors, loop->pivots);
    }
    if (!loop->constant || status != MS_OK)
        status = create_with_order(loop, error);
failed:
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the algebraic loop of %d outputs", loop->n);
    if (status != MS_OK)
        ms_loop_destroy(out);
    return status;
}

void ms_loop_destroy(ms_loop **out)
{
    ms_loop *loop = *out;
    if (loop == NULL)
        return;
    ms_block_solver_destroy(&loop->block_solver);
    MS_FREE(loop->D_memory, loop->D, loop->unknown, loop);
    *out = NULL;
}
