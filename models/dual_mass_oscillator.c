/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dual-mass-oscillator: two masses between walls, split by force and state: the example of OMSimulator.
 *
 *     system1   m1 x1'' = -k1 x1 - c1 x1' + F          y1 = (x1, x1')
 *     system2   m2 x2'' = -k3 x2 - c3 x2' - F          y2 = F = k2 (x2 - x1) + c2 (x2' - x1')
 *     u1 = F, u2 = (x1, x1'); the feed-through of system2 is (-k2, -c2)
 *
 * The power that system1 takes is F x1'; system2 gives it. Without coupling no energies are declared: that of the spring between the
 * masses depends on the states of both. With coupling = 1 (case `bonded`) both masses take F and give their velocities, and spring and
 * damper between them are a subsystem with the elongation as its state: ports and energies on all sides.
 *
 * Source: OMSimulator, test suite, DualMassOscillator: masses, stiffnesses, dampers and start as below. Chosen here: end
 * 10 s, step 0.01 s. */
#include <math.h>
#include <string.h>

#include <macrostep/model.h>

enum { M1, M2, K1, K2, K3, C1, C2, C3, X1, X2, COUPLING, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [M1] = {"m1", "kg", "first mass", 1.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "second mass", 1.0, 0.0, INFINITY, true, false},
    [K1] = {"k1", "N/m", "spring between wall and first mass", 10.0, 0.0, INFINITY, false, false},
    [K2] = {"k2", "N/m", "spring between the masses", 10.0, 0.0, INFINITY, false, false},
    [K3] = {"k3", "N/m", "spring between second mass and wall", 20.0, 0.0, INFINITY, false, false},
    [C1] = {"c1", "N s/m", "damper between wall and first mass", 0.2, 0.0, INFINITY, false, false},
    [C2] = {"c2", "N s/m", "damper between the masses", 0.5, 0.0, INFINITY, false, false},
    [C3] = {"c3", "N s/m", "damper between second mass and wall", 0.3, 0.0, INFINITY, false, false},
    [X1] = {"x1", "m", "start position of the first mass", 0.0, -INFINITY, INFINITY, false, false},
    [X2] = {"x2", "m", "start position of the second mass", 0.5, -INFINITY, INFINITY, false, false},
    [COUPLING] = {"coupling", "1", "0: system2 gives the force, 1: bonded, with energies", 0.0, 0.0, 1.0,
                  false, true},
};

/* x'' = -(k x + c x')/m. */
static void hang(const ms_blocks *block, double m, double k, double c)
{
    block->A[1] = 1.0;
    block->A[2] = -k / m;
    block->A[3] = -c / m;
}

static void first_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    hang(m, p[M1], p[K1], p[C1]);
    m->B[1] = 1.0 / p[M1];
    m->C[0] = m->C[3] = 1.0;
}

/* The second one where it takes the force. */
static void driven_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    hang(m, p[M2], p[K3], p[C3]);
    m->B[1] = -1.0 / p[M2];
    m->C[0] = m->C[3] = 1.0;
}

static void second_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    hang(m, p[M2], p[K3] + p[K2], p[C3] + p[C2]);
    m->B[2] = p[K2] / p[M2];
    m->B[3] = p[C2] / p[M2];
    m->C[0] = p[K2];
    m->C[1] = p[C2];
    m->D[0] = -p[K2];
    m->D[1] = -p[C2];
}

static double first_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 0.5 * (p[K1] * x[0] * x[0] + p[M1] * x[1] * x[1]);
}

static double driven_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 0.5 * (p[K3] * x[0] * x[0] + p[M2] * x[1] * x[1]);
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}}, force[] = {{"F", "N"}};

/* F pulls the first mass to the second one. */
static const ms_port first_end[] = {{.name = "end", .input = 0, .output = 1, .gain = 1.0}};
static const ms_port second_end[] = {{.name = "end", .input = 1, .output = 0, .gain = -1.0}};
static const ms_port driven_end[] = {{.name = "end", .input = 0, .output = 1, .gain = -1.0}};

static const ms_subsystem subsystems[] = {
    {.name = "system1", .nx = 2, .nu = 1, .ny = 2, .x = states, .u = force, .y = states,
     .x0_parameter = (const int[]){X1, -1},
     .matrices = first_matrices, .ports = first_end, .n_ports = 1},
    {.name = "system2", .nx = 2, .nu = 2, .ny = 1, .x = states, .u = states, .y = force,
     .x0_parameter = (const int[]){X2, -1}, .matrices = second_matrices, .ports = second_end, .n_ports = 1},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 1, .gain = 1.0},
};

static const ms_subsystem masses[] = {
    {.name = "system1", .nx = 2, .nu = 1, .ny = 2, .x = states, .u = force, .y = states,
     .x0_parameter = (const int[]){X1, -1},
     .matrices = first_matrices, .energy = first_energy, .ports = first_end, .n_ports = 1},
    {.name = "system2", .nx = 2, .nu = 1, .ny = 2, .x = states, .u = force, .y = states,
     .x0_parameter = (const int[]){X2, -1}, .matrices = driven_matrices, .energy = driven_energy,
     .ports = driven_end,
     .n_ports = 1},
};

enum { SUBSYSTEMS_MAX = 3, WIRES_MAX = 4 };

static int build(const double *p, ms_structure *s, ms_error *error)
{
    const bool bonded = p[COUPLING] != 0.0;
    const ms_line middle = {.subsystem = {0, 1}, .stiffness = p[K2]};
    MS_TRY(ms_structure_make_room(s, SUBSYSTEMS_MAX, WIRES_MAX, 1, "the two masses", error));
    s->n_subsystems = 2;
    memcpy(s->subsystems, bonded ? masses : subsystems, sizeof masses);
    if (bonded)
        return ms_structure_add_spring(s, &middle, p[C2], p[X2] - p[X1]) == MS_OK
                   ? MS_OK
                   : ms_fail(error, MS_NO_MEMORY, "not enough memory for the two masses");
    s->n_wires = MS_COUNT(wires);
    memcpy(s->wires, wires, sizeof wires);
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "default", .summary = "the second mass displaced by 0.5 m", .source = "OMSimulator, test suite"},
    {.name = "bonded", .summary = "the same, spring and damper between the masses with their energy",
     .source = "chosen here", MS_SETTINGS({"coupling", 1.0})},
};

const ms_model ms_model_dual_mass_oscillator = {
    .name = "dual-mass-oscillator",
    .summary = "two masses between walls, split by force and state",
    .source = "OMSimulator, test suite, DualMassOscillator",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 10.0,
    .step_size = 0.01,
    .build = build,
};
