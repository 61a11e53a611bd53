/* SPDX-License-Identifier: GPL-3.0-or-later */
/* example-6.3.1: a nonlinear pair that shows what smoothing of the inputs does to the micro-solvers.
 *
 *     x1' = -x1 u1^2        y1 = x1                 u1 = y2
 *     x2' = -x2 + u2        y2 = x2 + sin(u2)       u2 = y1
 *
 * Source: Andersson (2016), Example 6.3.1, (6.69)-(6.70), Tables 6.3, 6.4, Figures 6.13-6.15.
 * Not printed, chosen here: x(0) = (2, 2), which --set moves, end 2 s. */
#include <math.h>

#include <macrostep/model.h>

enum { X1, X2, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [X1] = {"x1", "1", "start of s1", 2.0, -INFINITY, INFINITY, false, false},
    [X2] = {"x2", "1", "start of s2", 2.0, -INFINITY, INFINITY, false, false},
};

static int first_f(const ms_point *at, double *dx)
{
    dx[0] = -at->x[0] * at->u[0] * at->u[0];
    return 0;
}

static int first_g(const ms_point *at, double *y)
{
    y[0] = at->x[0];
    return 0;
}

static int first_jacobian(const ms_point *at, const ms_blocks *m)
{
    if (m->A != NULL)
        m->A[0] = -at->u[0] * at->u[0];
    if (m->B != NULL)
        m->B[0] = -2.0 * at->x[0] * at->u[0];
    if (m->C != NULL)
        m->C[0] = 1.0;
    return 0;
}

static int second_f(const ms_point *at, double *dx)
{
    dx[0] = -at->x[0] + at->u[0];
    return 0;
}

static int second_g(const ms_point *at, double *y)
{
    y[0] = at->x[0] + sin(at->u[0]);
    return 0;
}

static int second_jacobian(const ms_point *at, const ms_blocks *m)
{
    if (m->A != NULL)
        m->A[0] = -1.0;
    if (m->B != NULL)
        m->B[0] = 1.0;
    if (m->C != NULL)
        m->C[0] = 1.0;
    if (m->D != NULL)
        m->D[0] = cos(at->u[0]);
    return 0;
}

static const ms_variable state[] = {{"x", "1"}}, input[] = {{"u", "1"}}, output[] = {{"y", "1"}};
static const bool no_feed_through[] = {false}, feed_through[] = {true};

static const ms_subsystem subsystems[] = {
    {.name = "s1", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output,
     .x0_parameter = (const int[]){X1},
     .f = first_f, .g = first_g, .jacobian = first_jacobian, .feed_through = no_feed_through},
    {.name = "s2", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output,
     .x0_parameter = (const int[]){X2},
     .f = second_f, .g = second_g, .jacobian = second_jacobian, .feed_through = feed_through},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "default", .summary = "H = 0.02", .source = "Table 6.3, Figures 6.13, 6.14"},
    {.name = "equal-error", .summary = "H = 0.0145, where smoothing is as accurate as none with H = 0.02",
     .source = "Table 6.4, Figure 6.15", .step_size = 0.0145},
};

const ms_model ms_model_example_6_3_1 = {
    .name = "example-6.3.1",
    .summary = "nonlinear pair, motivates smoothing",
    .source = "Andersson (2016), Example 6.3.1, (6.69)-(6.70)",
    MS_MODEL_LISTS,
    .stop_time = 2.0,
    .step_size = 0.02,
};
