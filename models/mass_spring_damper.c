/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mass-spring-damper: wall - spring k1, damper c1 - mass m1 - k2, c2 - mass m2 - k3, c3 - wall, split at
 * the middle spring. Subsystem `left` is driven by the elongation of that spring, which `right` computes
 * from the position and velocity that it receives; hence the feed-through -I of `right`.
 *
 *     left     m1 x1'' = -k1 x1 - c1 x1' + k2 u11 + c2 u12                 y1 = (x1, x1')
 *     right    m2 x2'' = -(k3 + k2) x2 - (c3 + c2) x2' + k2 u21 + c2 u22   y2 = (x2, x2') - (u21, u22)
 *     u1 = y2, u2 = y1
 *
 * With the loop solved, u1 = (x2 - x1, x2' - x1'), which gives the monolithic equations (6.84), (7.16);
 * `right` alone is the driven problem (7.17).
 *
 * No energies are declared: that of the middle spring depends on the states of both subsystems.
 *
 * Source: Andersson (2016), 6.4.1, (6.84)-(6.87), Figures 6.17-6.19; parameters of Table 7.1.
 * Not printed, chosen here: start x1 = x2 = 1 m at rest, end 10 s, step 0.01 s of case `fine`. */
#include <math.h>

#include <macrostep/model.h>

enum { M1, M2, K1, K2, K3, C1, C2, C3, X1, V1, X2, V2, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [M1] = {"m1", "kg", "left mass", 1.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "right mass", 1.0, 0.0, INFINITY, true, false},
    [K1] = {"k1", "N/m", "spring between left wall and left mass", 10.0, 0.0, INFINITY, false, false},
    [K2] = {"k2", "N/m", "spring between the masses", 25.0, 0.0, INFINITY, false, false},
    [K3] = {"k3", "N/m", "spring between right mass and right wall", 50.0, 0.0, INFINITY, false, false},
    [C1] = {"c1", "N s/m", "damper between left wall and left mass", 1.0, 0.0, INFINITY, false, false},
    [C2] = {"c2", "N s/m", "damper between the masses", 0.1, 0.0, INFINITY, false, false},
    [C3] = {"c3", "N s/m", "damper between right mass and right wall", 2.0, 0.0, INFINITY, false, false},
    [X1] = {"x1", "m", "start position of the left mass", 1.0, -INFINITY, INFINITY, false, false},
    [V1] = {"v1", "m/s", "its start velocity", 0.0, -INFINITY, INFINITY, false, false},
    [X2] = {"x2", "m", "start position of the right mass", 1.0, -INFINITY, INFINITY, false, false},
    [V2] = {"v2", "m/s", "its start velocity", 0.0, -INFINITY, INFINITY, false, false},
};

/* x'' = -(k x + c x')/m + (k2 u1 + c2 u2)/m, y = (x, x') - feed_through (u1, u2). */
static void fill(double mass, double k, double c, double k2, double c2, double feed_through,
                 const ms_blocks *m)
{
    m->A[1] = 1.0;
    m->A[2] = -k / mass;
    m->A[3] = -c / mass;
    m->B[2] = k2 / mass;
    m->B[3] = c2 / mass;
    m->C[0] = m->C[3] = 1.0;
    m->D[0] = m->D[3] = -feed_through;
}

static void left_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    fill(p[M1], p[K1], p[C1], p[K2], p[C2], 0.0, m);
}

static void right_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    fill(p[M2], p[K3] + p[K2], p[C3] + p[C2], p[K2], p[C2], 1.0, m);
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable differences[] = {{"dx", "m"}, {"dv", "m/s"}};

static const ms_subsystem subsystems[] = {
    {.name = "left", .nx = 2, .nu = 2, .ny = 2, .x = states, .u = differences, .y = states,
     .x0_parameter = (const int[]){X1, V1}, .matrices = left_matrices},
    {.name = "right", .nx = 2, .nu = 2, .ny = 2, .x = states, .u = states, .y = differences,
     .x0_parameter = (const int[]){X2, V2}, .matrices = right_matrices},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 1, .output = 1, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 1, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "coarse", .summary = "H = 0.085, where the schemes differ in stability",
     .source = "Figures 6.17, 6.18", .step_size = 0.085},
    {.name = "fine", .summary = "H = 0.01, on the way to H -> 0", .source = "Figure 6.19", .step_size = 0.01},
};

const ms_model ms_model_mass_spring_damper = {
    .name = "mass-spring-damper",
    .summary = "two masses between walls, coupled by displacement",
    .source = "Andersson (2016), 6.4.1, (6.84)-(6.87), Table 7.1",
    MS_MODEL_LISTS,
    .stop_time = 10.0, .step_size = 0.085,
};
