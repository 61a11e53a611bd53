/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "block_solver_parts.h"

/* Evaluation --------------------------------------------------------------------------------------------- */

static inline void set_input(const ms_block_solver *c, int k)
{
    c->u[k] = ms_system_coupled(c->system, k, c->y);
}

/* u' of the inputs of subsystem i. */
static int find_slopes(ms_block_solver *c, int i)
{
    const ms_system *s = c->system;
    for (int at = c->feeder_at[i]; at < c->feeder_at[i + 1]; at++) {
        const int feeder = c->feeder[at];
        if (ms_instance_output_derivative(c->instance[feeder], c->t, c->u + s->u_at[feeder], NULL,
                                          c->y_slope + s->y_at[feeder]) != MS_OK)
            return 1;
    }
    for (int k = s->u_at[i]; k < s->u_at[i + 1]; k++)
        c->slope[k] = ms_system_coupled(s, k, c->y_slope);
    return 0;
}

static inline int evaluate(ms_block_solver *c, int i)
{
    const ms_system *s = c->system;
    const bool uses_du = s->sub[i].uses_du;
    c->evaluations++;
    if (uses_du && find_slopes(c, i) != 0)
        return 1;
    return ms_instance_outputs(c->instance[i], c->t, c->u + s->u_at[i],
                               uses_du ? c->slope + s->u_at[i] : NULL, c->raw + s->y_at[i]);
}

/* Loops -------------------------------------------------------------------------------------------------- */

/* g of the loop's subsystems at the current inputs. */
static int evaluate_loop(const ms_block_solver_loop *loop)
{
    for (int k = 0; k < loop->n_subsystems; k++)
        if (evaluate(loop->block_solver, loop->subsystem[k]) != 0)
            return 1;
    return 0;
}

/* y = v among the loop's outputs, and the inputs that follow. */
static void set_outputs(const ms_block_solver_loop *loop, const double *v)
{
    for (int k = 0; k < loop->n; k++)
        loop->block_solver->y[loop->output[k]] = v[k];
    for (int k = 0; k < loop->n_inputs; k++)
        set_input(loop->block_solver, loop->input[k]);
}

int ms_block_solver_residual(void *user, const double *v, double *r)
{
    const ms_block_solver_loop *loop = user;
    set_outputs(loop, v);
    if (evaluate_loop(loop) != 0)
        return 1;
    for (int k = 0; k < loop->n; k++)
        r[k] = v[k] - loop->block_solver->raw[loop->output[k]];
    return 0;
}

/* The scale of a loop's output: that required by an input which it feeds alone. */
static double output_scale(const ms_block_solver_loop *loop, int output)
{
    const ms_system *s = loop->block_solver->system;
    for (int k = 0; k < loop->n_inputs && s->u_scale != NULL; k++)
        for (int wire = s->row_at[loop->input[k]]; wire < s->row_at[loop->input[k] + 1]; wire++)
            if (s->wire_output[wire] == output && s->wire_gain[wire] != 0.0)
                return s->u_scale[loop->input[k]] / fabs(s->wire_gain[wire]);
    return 1.0;
}

/* By central differences: the way through u' has no partial derivatives of its own. */
static int difference_matrix(const ms_block_solver_loop *loop, const double *v, double *M)
{
    const int n = loop->n;
    memcpy(loop->near, v, sizeof(double) * (size_t)n);
    for (int l = 0; l < n; l++) {
        const double value = v[l], scale = output_scale(loop, loop->output[l]),
                     step = ms_central_step(&scale, 0, value);
        for (int side = 0; side < 2; side++) {
            loop->near[l] = side == 0 ? value + step : value - step;
            set_outputs(loop, loop->near);
            if (evaluate_loop(loop) != 0)
                return 1;
            for (int k = 0; k < n; k++)
                loop->pair[side * n + k] = loop->block_solver->raw[loop->output[k]];
        }
        const double width = (value + step) - (value - step);
        loop->near[l] = value;
        for (int k = 0; k < n; k++)
            M[k * n + l] = (k == l) - (loop->pair[k] - loop->pair[n + k]) / width;
    }
    return 0;
}

/* Rows of D L of subsystem i, taken from M. */
static void subtract_rows(const ms_block_solver_loop *loop, int i, double *M)
{
    const ms_block_solver *c = loop->block_solver;
    const ms_system *s = c->system;
    const int nu = s->sub[i].nu;
    for (int j = 0; j < s->sub[i].ny; j++) {
        if (c->loop_of[s->y_at[i] + j] != loop->number)
            continue;
        double *row = M + c->position[s->y_at[i] + j] * loop->n;
        for (int l = 0; l < nu; l++)
            for (int wire = s->row_at[s->u_at[i] + l]; wire < s->row_at[s->u_at[i] + l + 1]; wire++) {
                const int output = s->wire_output[wire];
                if (c->loop_of[output] == loop->number)
                    row[c->position[output]] -= c->D[j * nu + l] * s->wire_gain[wire];
            }
    }
}

/* I - D L. */
int ms_block_solver_matrix(void *user, const double *v, double *M)
{
    const ms_block_solver_loop *loop = user;
    ms_block_solver *c = loop->block_solver;
    const int n = loop->n;
    if (loop->slopes)
        return difference_matrix(loop, v, M);
    set_outputs(loop, v);
    memset(M, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int k = 0; k < n; k++)
        M[k * n + k] = 1.0;
    for (int k = 0; k < loop->n_subsystems; k++) {
        const int i = loop->subsystem[k];
        if (ms_instance_feed_through(c->instance[i], c->t, c->u + c->system->u_at[i], c->D) != MS_OK)
            return 1;
        subtract_rows(loop, i, M);
    }
    return 0;
}

/* What output k of a loop is said to start from, or an input of the loop that it alone feeds; NaN: nothing is said. */
static double said_start(const ms_block_solver_loop *loop, int k)
{
    const ms_system *s = loop->block_solver->system;
    const int output = loop->output[k], from = ms_system_owner(s, output);
    const double *y0 = s->sub[from].y0;
    if (y0 != NULL && !isnan(y0[output - s->y_at[from]]))
        return y0[output - s->y_at[from]];
    for (int m = 0; m < loop->n_inputs; m++) {
        const int input = loop->input[m], wire = s->row_at[input], to = ms_owner_of(s->u_at, s->n, input);
        const double u0 = s->sub[to].u0 != NULL ? s->sub[to].u0[input - s->u_at[to]] : 0.0;
        const bool alone = s->row_at[input + 1] == wire + 1 && s->wire_output[wire] == output;
        if (alone && u0 != 0.0 && s->wire_gain[wire] != 0.0)
            return u0 / s->wire_gain[wire];
    }
    return NAN;
}

/* v at the start: the given values, otherwise derived from the loop's inputs. Subsystems with all values given are not evaluated. */
static int begin_loop(const ms_block_solver_loop *loop)
{
    ms_block_solver *c = loop->block_solver;
    const ms_system *s = c->system;
    for (int k = 0; k < loop->n; k++)
        loop->v[k] = said_start(loop, k);
    for (int m = 0; m < loop->n_subsystems; m++) {
        const int i = loop->subsystem[m];
        bool asked = false;
        for (int k = 0; k < loop->n; k++)
            asked |= isnan(loop->v[k]) && ms_system_owner(s, loop->output[k]) == i;
        if (asked && evaluate(c, i) != 0)
            return MS_NO_SOLUTION;
    }
    for (int k = 0; k < loop->n; k++)
        loop->v[k] = isnan(loop->v[k]) ? c->raw[loop->output[k]] : loop->v[k];
    return MS_OK;
}

static int solve_loop(const ms_block_solver_loop *loop, bool start)
{
    ms_block_solver *c = loop->block_solver;
    if (start && begin_loop(loop) != MS_OK)
        return MS_NO_SOLUTION;
    for (int k = 0; k < loop->n && !start; k++)
        loop->v[k] = c->y[loop->output[k]];
    if (ms_newton_dense_solve(loop->newton, loop->v) != MS_OK)
        return MS_NO_SOLUTION;
    set_outputs(loop, loop->v);
    return MS_OK;
}

/* The block solver --------------------------------------------------------------------------------------- */

static int run(ms_block_solver *c, bool start, double t, double *y, double *u)
{
    c->t = t;
    c->y = y;
    c->u = u;
    c->failed_subsystem = c->failed_output = c->failed_loop = -1;
    for (int k = 0; k < c->n_steps; k++) {
        const int index = c->step[k].index;
        switch (c->step[k].action) {
        case MS_BLOCK_SOLVER_SET:
            set_input(c, index);
            break;
        case MS_BLOCK_SOLVER_EVALUATE:
            if (evaluate(c, index) != 0) {
                c->failed_subsystem = index;
                return MS_NO_SOLUTION;
            }
            break;
        case MS_BLOCK_SOLVER_READ:
            y[index] = c->raw[index];
            if (start && !isfinite(y[index]) && c->system->carried[index]) {
                c->failed_output = index;
                return MS_NO_SOLUTION;
            }
            break;
        case MS_BLOCK_SOLVER_SOLVE:
            if (solve_loop(&c->loop[index], start) != MS_OK) {
                c->failed_loop = index;
                return MS_NO_SOLUTION;
            }
            break;
        }
    }
    return MS_OK;
}

int ms_block_solver_solve(ms_block_solver *block_solver, double t, double *y, double *u)
{
    return run(block_solver, false, t, y, u);
}

int ms_block_solver_start(ms_block_solver *block_solver, double t, double *y, double *u)
{
    return run(block_solver, true, t, y, u);
}

/* What went wrong -------------------------------------------------------------------------------------- */

static const char *loop_text(const ms_block_solver_loop *loop)
{
    switch (ms_newton_dense_last_reason(loop->newton)) {
    case MS_NEWTON_DENSE_SINGULAR:
        return "has a singular matrix I - D L, and no solution was found";
    case MS_NEWTON_DENSE_STALLED:
        return "has no solution, or none that Newton's method finds from its starting values";
    case MS_NEWTON_DENSE_SOLVED: /* evaluation failed before Newton's method began */
    case MS_NEWTON_DENSE_UNDEFINED:
    default:
        return "is not defined or not finite at its starting values; \"start\" of its inputs or outputs "
               "gives others";
    }
}

/* Inputs, then outputs, of a loop. */
static void loop_names(const ms_block_solver_loop *loop, char *text, size_t size)
{
    const ms_system *s = loop->block_solver->system;
    int node[64], n = 0;
    for (int k = 0; k < loop->n_inputs && n < 64; k++)
        node[n++] = loop->input[k];
    for (int k = 0; k < loop->n && n < 64; k++)
        node[n++] = s->nu + loop->output[k];
    ms_dependency_names(s, n, node, text, size);
}

void ms_block_solver_explain(const ms_block_solver *c, char *text, size_t size)
{
    char names[256];
    if (c->failed_loop >= 0) {
        loop_names(&c->loop[c->failed_loop], names, sizeof names);
        snprintf(text, size, "the algebraic loop of %s %s", names, loop_text(&c->loop[c->failed_loop]));
    } else if (c->failed_subsystem >= 0) {
        const char *why = ms_instance_failure(c->instance[c->failed_subsystem]);
        snprintf(text, size, "the outputs of subsystem %s are not defined for its inputs%s%s",
                 c->system->sub[c->failed_subsystem].name, why[0] != '\0' ? ": " : "", why);
    } else if (c->failed_output >= 0) {
        ms_dependency_name(c->system, c->system->nu + c->failed_output, names, sizeof names);
        snprintf(text, size, "output %s is not finite for the inputs of its subsystem", names);
    } else {
        snprintf(text, size, "I - D L is singular, or time derivatives are not defined");
    }
}

long ms_block_solver_evaluations(const ms_block_solver *block_solver)
{
    return block_solver->evaluations;
}

long ms_block_solver_iterations(const ms_block_solver *block_solver)
{
    long sum = 0;
    for (int b = 0; b < block_solver->n_loops; b++)
        sum += ms_newton_dense_iterations(block_solver->loop[b].newton);
    return sum;
}
