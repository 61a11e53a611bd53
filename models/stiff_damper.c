/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stiff-damper: two masses between walls, coupled by a stiff spring and a stiff damper that the right side holds.
 *
 *     left     m1 x1'' = -c1 x1 - d1 x1' + fk                       y = (x1, x1')
 *     right    m2 x2'' = -c2 x2 - d2 x2' - fk                       y = fk
 *              fk = cc (x2 - x1) + dc (x2' - x1')                   feed-through (-cc, -dc)
 *
 * A Jacobi sweep has the eigenvalues +-mu, of imaginary mu: the pair that one factor of relaxation cannot serve.
 *
 * Erratum: the FMU of the example has fk = cc (x2 - x1) + dc (x2 - x1), a spring of cc + dc and no damper (v1 is not used):
 * its trajectories belong to the case `erratum`, with the parameter of that name.
 *
 * No energies are declared: that of the coupling spring depends on the states of both masses.
 *
 * Source: the example "mass-spring-damper" of maestro, the co-simulation engine of INTO-CPS: 1 kg, c1 = d1 = c2 = 1, d2 = 2,
 * cc = dc = 100 in SI units, x1 = 1 m at rest, end 10 s, steps of 0.001 s. */
#include <math.h>

#include <macrostep/model.h>

enum { M1, M2, C1, C2, CC, D1, D2, DC, X1, V1, X2, V2, ERRATUM, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [M1] = {"m1", "kg", "left mass", 1.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "right mass", 1.0, 0.0, INFINITY, true, false},
    [C1] = {"c1", "N/m", "spring between left wall and left mass", 1.0, 0.0, INFINITY, false, false},
    [C2] = {"c2", "N/m", "spring between right mass and right wall", 1.0, 0.0, INFINITY, false, false},
    [CC] = {"cc", "N/m", "spring between the masses", 100.0, 0.0, INFINITY, false, false},
    [D1] = {"d1", "N s/m", "damper between left wall and left mass", 1.0, 0.0, INFINITY, false, false},
    [D2] = {"d2", "N s/m", "damper between right mass and right wall", 2.0, 0.0, INFINITY, false, false},
    [DC] = {"dc", "N s/m", "damper between the masses", 100.0, 0.0, INFINITY, false, false},
    [X1] = {"x1", "m", "start position of the left mass", 1.0, -INFINITY, INFINITY, false, false},
    [V1] = {"v1", "m/s", "its start velocity", 0.0, -INFINITY, INFINITY, false, false},
    [X2] = {"x2", "m", "start position of the right mass", 0.0, -INFINITY, INFINITY, false, false},
    [V2] = {"v2", "m/s", "its start velocity", 0.0, -INFINITY, INFINITY, false, false},
    [ERRATUM] = {"erratum", "1", "1: dc multiplies the elongation, as in the example's FMU", 0.0, 0.0, 1.0,
                 false, true},
};

static void left_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[1] = 1.0;
    m->A[2] = -p[C1] / p[M1];
    m->A[3] = -p[D1] / p[M1];
    m->B[1] = 1.0 / p[M1];
    m->C[0] = m->C[3] = 1.0;
}

/* fk = k (x2 - x1) + d (x2' - x1') */
static void right_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const bool erratum = p[ERRATUM] != 0.0;
    const double k = erratum ? p[CC] + p[DC] : p[CC], d = erratum ? 0.0 : p[DC];
    (void)data;
    m->A[1] = 1.0;
    m->A[2] = -(p[C2] + k) / p[M2];
    m->A[3] = -(p[D2] + d) / p[M2];
    m->B[2] = k / p[M2];
    m->B[3] = d / p[M2];
    m->C[0] = k;
    m->C[1] = d;
    m->D[0] = -k;
    m->D[1] = -d;
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable force[] = {{"fk", "N"}};

static const ms_port mass_end[] = {{.name = "end", .input = 0, .output = 1, .gain = 1.0}};
static const ms_port spring_end[] = {{.name = "end", .input = 1, .output = 0, .gain = -1.0}};

static const ms_subsystem subsystems[] = {
    {.name = "left", .nx = 2, .nu = 1, .ny = 2, .x = states, .u = force, .y = states,
     .x0_parameter = (const int[]){X1, V1},
     .matrices = left_matrices, .ports = mass_end, .n_ports = 1},
    {.name = "right", .nx = 2, .nu = 2, .ny = 1, .x = states, .u = states, .y = force,
     .x0_parameter = (const int[]){X2, V2},
     .matrices = right_matrices, .ports = spring_end, .n_ports = 1},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 1, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "default", .summary = "as the example means it", .source = "maestro, mass-spring-damper"},
    {.name = "erratum", .summary = "the damper's factor times the elongation, as the example's FMU has it",
     .source = "maestro, mass-spring-damper", MS_SETTINGS({"erratum", 1.0})},
};

const ms_model ms_model_stiff_damper = {
    .name = "stiff-damper",
    .summary = "two masses between walls, coupled by a stiff spring and damper",
    .source = "maestro (INTO-CPS), example mass-spring-damper",
    MS_MODEL_LISTS,
    .stop_time = 10.0,
    .step_size = 0.001,
};
