/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example-5.0.1: one output divides by an input, so that inputs of zero are no guess to start from.
 *
 *     x1' = x1 + u1        y1 = x1             u1 = y2
 *     x2' = x2 + u2        y2 = x2 / u2        u2 = y1
 *
 * There is feed-through but no algebraic loop: y1, u2, y2, u1 can be evaluated one after the other. At
 * x = (1, -1) this gives y = (1, -1), u = (-1, 1), and x' = 0: the start is an equilibrium, an unstable one.
 *
 * Source: Andersson (2016), Examples 5.0.1 and 5.1.2, (5.2)-(5.3), Figure 5.5.
 * Not printed, chosen here: end 1 s, step 0.1 s. */
#include <math.h>

#include <macrostep/model.h>

enum { X1, X2, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [X1] = {"x1", "1", "start value of subsystem s1", 1.0, -INFINITY, INFINITY, false, false},
    [X2] = {"x2", "1", "start value of subsystem s2", -1.0, -INFINITY, INFINITY, false, false},
};

static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = 1.0;
    m->B[0] = 1.0;
    m->C[0] = 1.0;
}

static int second_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[0] + at->u[0];
    return 0;
}

static int second_g(const ms_point *at, double *y)
{
    y[0] = at->x[0] / at->u[0];
    return at->u[0] == 0.0;
}

static int second_jacobian(const ms_point *at, const ms_blocks *m)
{
    if (m->A != NULL)
        m->A[0] = 1.0;
    if (m->B != NULL)
        m->B[0] = 1.0;
    if (m->C != NULL)
        m->C[0] = 1.0 / at->u[0];
    if (m->D != NULL)
        m->D[0] = -at->x[0] / (at->u[0] * at->u[0]);
    return at->u[0] == 0.0;
}

static const ms_variable state[] = {{"x", "1"}}, input[] = {{"u", "1"}}, output[] = {{"y", "1"}};

static const ms_subsystem subsystems[] = {
    {.name = "s1", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output,
     .x0_parameter = (const int[]){X1},
     .matrices = first_matrices},
    {.name = "s2", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output,
     .x0_parameter = (const int[]){X2},
     .f = second_f, .g = second_g, .jacobian = second_jacobian},
};

static const ms_wire wires[] = {
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {{.name = "default", .source = "Example 5.0.1"}};

const ms_model ms_model_example_5_0_1 = {
    .name = "example-5.0.1",
    .summary = "an output divides by an input: starts only in the right evaluation order",
    .source = "Andersson (2016), Examples 5.0.1, 5.1.2, (5.2)-(5.3)",
    MS_MODEL_LISTS,
    .stop_time = 1.0, .step_size = 0.1,
};
