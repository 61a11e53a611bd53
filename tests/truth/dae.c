/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dae.h"

#include <math.h>

enum { A, B, C, D, W, G, X0, PARAMETERS };

static int residual(const ms_point *at, const double *dx, double *r)
{
    const double *p = at->p, x = at->x[0], z = at->x[1];
    r[0] = dx[0] + p[A] * x - p[B] * z - at->u[0];
    r[1] = z + p[C] * z * z * z - x - p[D] * sin(p[W] * at->t);
    return 0;
}

static int algebraic_output(const ms_point *at, double *y)
{
    y[0] = at->x[1];
    return 0;
}

static void start(const double *p, const void *data, double *x)
{
    (void)data;
    x[0] = x[1] = p[X0];
}

static int lag(const ms_point *at, double *dx)
{
    dx[0] = -at->x[0] + at->u[0];
    return 0;
}

static int lag_output(const ms_point *at, double *y)
{
    y[0] = at->p[G] * at->x[0];
    return 0;
}

static const ms_variable states[] = {{"x", "1"}, {"z", "1"}}, lagged[] = {{"q", "1"}}, input[] = {{"u", "1"}},
                         output[] = {{"y", "1"}};
static const bool algebraic[] = {false, true}, no_feed_through[] = {false};
static const double one[] = {1.0};

static const ms_subsystem parts[] = {{.name = "dae",
                                      .nx = 2,
                                      .nu = 1,
                                      .ny = 1,
                                      .x = states,
                                      .u = input,
                                      .y = output,
                                      .start = start,
                                      .residual = residual,
                                      .algebraic = algebraic,
                                      .g = algebraic_output,
                                      .feed_through = no_feed_through},
                                     {.name = "lag",
                                      .nx = 1,
                                      .nu = 1,
                                      .ny = 1,
                                      .x = lagged,
                                      .u = input,
                                      .y = output,
                                      .x0 = one,
                                      .f = lag,
                                      .g = lag_output,
                                      .feed_through = no_feed_through}};

static const ms_wire wires[] = {{1, 0, 0, 0, 1.0}, {0, 0, 1, 0, 1.0}};

#define ANY .unit = "1", .summary = "-", .min = -1e3, .max = 1e3

static const ms_parameter parameters[PARAMETERS] = {
    [A] = {.name = "a", ANY}, [B] = {.name = "b", ANY}, [C] = {.name = "c", ANY},  [D] = {.name = "d", ANY},
    [W] = {.name = "w", ANY}, [G] = {.name = "g", ANY}, [X0] = {.name = "x0", ANY}};
static const ms_case cases[] = {{.name = "only", .summary = "-", .source = "-"}};

const ms_model truth_dae = {.name = "dae",
                            .summary = "of index 1",
                            .source = "-",
                            .parameters = parameters,
                            .n_parameters = PARAMETERS,
                            .cases = cases,
                            .n_cases = 1,
                            .subsystems = parts,
                            .n_subsystems = 2,
                            .wires = wires,
                            .n_wires = 2,
                            .stop_time = 1.0,
                            .step_size = 0.01};
