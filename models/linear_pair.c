/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear-pair: two scalar linear subsystems whose feed-through decides the stability of the coupling.
 *
 *     x1' = a1 x1 + b1 u1        y1 = c1 x1 + d1 u1        u1 = y2        a1 = -1, b1 = 1, c1 =  1
 *     x2' = a2 x2 + b2 u2        y2 = c2 x2 + d2 u2        u2 = y1        a2 = -1, b2 = 3, c2 = -5
 *
 * D L has the eigenvalues +-sqrt(d1 d2), so rho(D L) = sqrt(|d1 d2|). I - D L is singular for d1 d2 = 1;
 * the cases take d1 d2 < 0, where it is regular and the eigenvalues are +-i rho.
 *
 * Case `pyfmi` has the values of the pair that PyFMI tests its masters with; with d2 = 1.1 that test expects the coupling to be
 * unstable, rho = sqrt(1.1).
 *
 * Source: Andersson (2016), Example 6.1.1, (6.24)-(6.26), Figures 6.1-6.3, 6.5, 6.6.
 * Misprint: C in (6.27) is diag(1, -5), not the identity.
 * Not printed, chosen here: x(0) = (1, 1), d1 and d2 of each figure, end 1 s, step 0.01 s. */
#include <math.h>

#include <macrostep/model.h>

enum { D1, D2, A1, B1, C1, A2, B2, C2, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [D1] = {"d1", "1", "feed-through of subsystem s1", 0.9, -INFINITY, INFINITY, false, false},
    [D2] = {"d2", "1", "feed-through of subsystem s2", -0.9, -INFINITY, INFINITY, false, false},
    [A1] = {"a1", "1/s", "rate of subsystem s1", -1.0, -INFINITY, INFINITY, false, false},
    [B1] = {"b1", "1/s", "its input in that rate", 1.0, -INFINITY, INFINITY, false, false},
    [C1] = {"c1", "1", "its state in its output", 1.0, -INFINITY, INFINITY, false, false},
    [A2] = {"a2", "1/s", "rate of subsystem s2", -1.0, -INFINITY, INFINITY, false, false},
    [B2] = {"b2", "1/s", "its input in that rate", 3.0, -INFINITY, INFINITY, false, false},
    [C2] = {"c2", "1", "its state in its output", -5.0, -INFINITY, INFINITY, false, false},
};

static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = p[A1];
    m->B[0] = p[B1];
    m->C[0] = p[C1];
    m->D[0] = p[D1];
}

static void second_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = p[A2];
    m->B[0] = p[B2];
    m->C[0] = p[C2];
    m->D[0] = p[D2];
}

static const ms_variable state[] = {{"x", "1"}}, input[] = {{"u", "1"}}, output[] = {{"y", "1"}};
static const double start[] = {1.0};

static const ms_subsystem subsystems[] = {
    {.name = "s1", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output, .x0 = start,
     .matrices = first_matrices},
    {.name = "s2", .nx = 1, .nu = 1, .ny = 1, .x = state, .u = input, .y = output, .x0 = start,
     .matrices = second_matrices},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "stable", .summary = "rho(DL) = 0.9", .source = "Figures 6.1, 6.2",
     MS_SETTINGS({"d1", 0.9}, {"d2", -0.9})},
    {.name = "boundary", .summary = "rho(DL) = 1", .source = "Figures 6.1, 6.2, 6.3",
     MS_SETTINGS({"d1", 1.0}, {"d2", -1.0})},
    {.name = "unstable", .summary = "rho(DL) = 1.1", .source = "Figures 6.1, 6.2",
     MS_SETTINGS({"d1", 1.1}, {"d2", -1.1})},
    {.name = "stable-linear", .summary = "rho(DL) = 0.3, below the bound of linear extrapolation",
     .source = "Figure 6.5", MS_SETTINGS({"d1", 0.3}, {"d2", -0.3})},
    {.name = "stable-quadratic", .summary = "rho(DL) = 0.1, below the bound of quadratic extrapolation",
     .source = "Figure 6.6", MS_SETTINGS({"d1", 0.1}, {"d2", -0.1})},
    {.name = "pyfmi", .summary = "rho(DL) = sqrt(0.9), the pair of PyFMI's tests", .source = "PyFMI, tests",
     MS_SETTINGS({"d1", 1.0}, {"d2", -0.9}, {"a1", -0.9}, {"b1", 0.5}, {"c1", 3.0}, {"a2", -1.0},
                 {"b2", 10.0}, {"c2", -31.0})},
};

const ms_model ms_model_linear_pair = {
    .name = "linear-pair",
    .summary = "two scalar linear subsystems with feed-through d1, d2",
    .source = "Andersson (2016), Example 6.1.1, (6.24)-(6.26)",
    MS_MODEL_LISTS,
    .stop_time = 1.0,
    .step_size = 0.01,
};
