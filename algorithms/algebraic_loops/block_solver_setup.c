/* SPDX-License-Identifier: GPL-3.0-or-later */
/* block_solver_setup.c - the steps of a block solver, made from an evaluation order. */
#include <stdlib.h>

#include "block_solver_parts.h"

/* u' is known where the outputs that feed it depend on states and time alone, and on no u' themselves. */
static int check_feeder(const ms_system *s, int i, int output, ms_error *error)
{
    const int from = ms_system_owner(s, output);
    if (!s->feed_through[output] && !s->sub[from].uses_du)
        return MS_OK;
    return ms_fail(error, MS_UNSUPPORTED,
                   "outputs of %s depend on time derivatives of its inputs, and %s, which feeds them, has "
                   "feed-through: that would be differential-algebraic",
                   s->sub[i].name, s->sub[from].name);
}

/* The feeders of subsystems that read u', each once. */
static int find_feeders(ms_block_solver *c, int *stamp, ms_error *error)
{
    const ms_system *s = c->system;
    int n = 0, status = MS_OK;
    for (int i = 0; i < s->n; i++) {
        for (int wire = s->row_at[s->u_at[i]]; wire < s->row_at[s->u_at[i + 1]] && s->sub[i].uses_du;
             wire++) {
            const int output = s->wire_output[wire], from = ms_system_owner(s, output);
            MS_THEN(status, check_feeder(s, i, output, error));
            if (stamp[from] != i + 1)
                c->feeder[n++] = from;
            stamp[from] = i + 1;
        }
        c->feeder_at[i + 1] = n;
    }
    return status;
}

static int allocate(ms_block_solver *c, const ms_evaluation_order *order)
{
    const ms_system *s = c->system;
    const size_t n = (size_t)s->n, nu = (size_t)s->nu, ny = (size_t)s->ny, wires = (size_t)s->row_at[nu];
    size_t D = 0, loop_reals = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t size = (size_t)(s->sub[i].ny * s->sub[i].nu);
        D = size > D ? size : D;
    }
    for (int k = 0; k < order->n_groups; k++)
        if (order->loop[k]) {
            c->n_loops++;
            loop_reals += 4 * (size_t)(order->at[k + 1] - order->at[k]);
        }
    /* A step for each input and output, at most one evaluation for each output, and the loops. */
    c->step = calloc(nu + 2 * ny + 1, sizeof *c->step);
    c->loop = calloc((size_t)c->n_loops + 1, sizeof *c->loop);
    c->integers = calloc(4 * ny + nu + 2 * n + wires + 2, sizeof *c->integers);
    c->reals = calloc(D + 2 * ny + nu + loop_reals + 1, sizeof *c->reals);
    MS_TRY_MEMORY(c->step != NULL && c->loop != NULL && c->integers != NULL && c->reals != NULL);
    c->loop_of = c->integers;
    c->position = c->loop_of + ny;
    c->feeder_at = c->position + ny;
    c->feeder = c->feeder_at + n + 1;
    c->raw = c->reals;
    c->y_slope = c->raw + ny;
    c->slope = c->y_slope + ny;
    c->D = c->slope + nu;
    for (size_t j = 0; j < ny; j++)
        c->loop_of[j] = -1;
    return MS_OK;
}

/* The variables of group k; integers and reals: what is free of the block solver's memory. */
static int make_loop(ms_block_solver *c, const ms_dependency_graph *d, const ms_evaluation_order *order,
                     int k, int number, int **integers, double **reals)
{
    ms_block_solver_loop *loop = &c->loop[number];
    const int *node = order->node + order->at[k], size = order->at[k + 1] - order->at[k];
    *loop = (ms_block_solver_loop){.block_solver = c, .number = number, .input = *integers};
    for (int m = 0; m < size && !ms_dependency_is_output(d, node[m]); m++)
        loop->input[loop->n_inputs++] = node[m];
    loop->n = size - loop->n_inputs;
    loop->output = loop->input + loop->n_inputs;
    loop->subsystem = loop->output + loop->n;
    for (int m = 0; m < loop->n; m++) {
        const int output = node[loop->n_inputs + m] - d->n_inputs, i = d->subsystem[node[loop->n_inputs + m]];
        loop->output[m] = output;
        c->loop_of[output] = number;
        c->position[output] = m;
        if (loop->n_subsystems == 0 || loop->subsystem[loop->n_subsystems - 1] != i)
            loop->subsystem[loop->n_subsystems++] = i;
        loop->slopes |= c->system->sub[i].uses_du;
    }
    *integers = loop->subsystem + loop->n;
    loop->v = *reals;
    loop->near = loop->v + loop->n;
    loop->pair = loop->near + loop->n;
    *reals = loop->pair + 2 * loop->n;
    const ms_newton_dense_problem problem = {loop->n, ms_block_solver_residual, ms_block_solver_matrix, loop};
    return ms_newton_dense_create(&problem, &loop->newton);
}

static void add_step(ms_block_solver *c, ms_block_solver_action action, int index)
{
    c->step[c->n_steps++] = (ms_block_solver_step){action, index};
}

/* A group that is no loop: an input, or outputs of a subsystem, which is evaluated if an input was set since
 * it was evaluated last. */
static void add_group(ms_block_solver *c, const ms_dependency_graph *d, const ms_evaluation_order *order,
                      int k, bool *fresh)
{
    for (int m = order->at[k]; m < order->at[k + 1]; m++) {
        const int node = order->node[m], i = d->subsystem[node];
        if (!ms_dependency_is_output(d, node)) {
            add_step(c, MS_BLOCK_SOLVER_SET, node);
            fresh[i] = false;
            continue;
        }
        if (!fresh[i])
            add_step(c, MS_BLOCK_SOLVER_EVALUATE, i);
        add_step(c, MS_BLOCK_SOLVER_READ, node - d->n_inputs);
        fresh[i] = true;
    }
}

static int make_steps(ms_block_solver *c, const ms_dependency_graph *d, const ms_evaluation_order *order,
                      bool *fresh)
{
    int number = 0, status = MS_OK, *integers = c->feeder + c->system->row_at[c->system->nu];
    double *reals = c->D;
    for (int i = 0; i < c->system->n; i++) {
        const int size = c->system->sub[i].ny * c->system->sub[i].nu;
        if (c->D + size > reals)
            reals = c->D + size;
    }
    for (int k = 0; k < order->n_groups && status == MS_OK; k++) {
        if (!order->loop[k]) {
            add_group(c, d, order, k, fresh);
            continue;
        }
        status = make_loop(c, d, order, k, number, &integers, &reals);
        for (int m = 0; m < c->loop[number].n_subsystems;
             m++) /* Newton's last evaluation is the solution's */
            fresh[c->loop[number].subsystem[m]] = true;
        add_step(c, MS_BLOCK_SOLVER_SOLVE, number++);
    }
    return status;
}

int ms_block_solver_create(const ms_system *system, ms_instance *const *instance,
                           const ms_evaluation_order *order, ms_block_solver **out, ms_error *error)
{
    ms_dependency_graph d = {0};
    ms_block_solver *c = calloc(1, sizeof *c);
    int *stamp = calloc((size_t)system->n + 1, sizeof *stamp);
    bool *fresh = calloc((size_t)system->n + 1, sizeof *fresh);
    *out = c;
    int status = c != NULL && stamp != NULL && fresh != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        c->system = system;
        c->instance = instance;
        status = allocate(c, order);
    }
    MS_THEN(status, find_feeders(c, stamp, error));
    MS_THEN(status, ms_dependency_graph_create(system, &d));
    MS_THEN(status, make_steps(c, &d, order, fresh));
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the evaluation of %d outputs", system->ny);
    if (status != MS_OK)
        ms_block_solver_destroy(out);
    ms_dependency_graph_destroy(&d);
    MS_FREE(stamp, fresh);
    return status;
}

void ms_block_solver_destroy(ms_block_solver **out)
{
    ms_block_solver *c = *out;
    if (c == NULL)
        return;
    for (int b = 0; b < c->n_loops && c->loop != NULL; b++)
        ms_newton_dense_destroy(&c->loop[b].newton);
    MS_FREE(c->step, c->loop, c->integers, c->reals, c);
    *out = NULL;
}
