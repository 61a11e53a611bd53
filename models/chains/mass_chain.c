/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mass-chain: N equal masses in a row between two walls, each a subsystem of its own.
 *
 *     m xi'' = k (x(i-1) - 2 xi + x(i+1)) + d (x(i-1)' - 2 xi' + x(i+1)'),   x0 = x(N+1) = 0
 *     yi = (xi, xi'),   ui = position and velocity of the left, then of the right neighbour
 *
 * Springs and dampers are between neighbours and between the end masses and the walls; an end mass has
 * one neighbour.
 *
 * No energies are declared: that of a spring between two masses depends on the states of both subsystems.
 *
 * Source: none, a model of any size for measurements of speed. Chosen here: N = 10, m = 1, k = 10, d = 0.2;
 * the first mass starts displaced by 1 m, everything else at rest; end 10 s, step 0.01 s. */
#include <math.h>

#include <macrostep/model.h>

enum { MASSES, M, K, D, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [MASSES] = {"masses", "1", "number of masses", 10.0, 1.0, 1e6, false, true},
    [M] = {"m", "kg", "each mass", 1.0, 0.0, INFINITY, true, false},
    [K] = {"k", "N/m", "stiffness of each spring", 10.0, 0.0, INFINITY, false, false},
    [D] = {"d", "N s/m", "damping of each damper", 0.2, 0.0, INFINITY, false, false},
};

/* data: the number of neighbours. */
static void matrices(const double *p, const void *data, const ms_blocks *block)
{
    const int *neighbours = data;
    const int nu = 2 * *neighbours;
    block->A[1] = 1.0;
    block->A[2] = -2.0 * p[K] / p[M];
    block->A[3] = -2.0 * p[D] / p[M];
    for (int i = 0; i < *neighbours; i++) {
        block->B[nu + 2 * i] = p[K] / p[M];
        block->B[nu + 2 * i + 1] = p[D] / p[M];
    }
    block->C[0] = block->C[3] = 1.0;
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable neighbours_states[] = {{"xl", "m"}, {"vl", "m/s"}, {"xr", "m"}, {"vr", "m/s"}};
static const int none = 0, one = 1, two = 2;
static const double displaced[] = {1.0, 0.0};

static const ms_subsystem alone = {.nx = 2, .nu = 0, .ny = 2, .x = states,
                                   .y = states, .matrices = matrices, .data = &none};
static const ms_subsystem leftmost = {.nx = 2, .nu = 2, .ny = 2, .x = states, .u = neighbours_states + 2,
                                      .y = states, .matrices = matrices, .data = &one};
static const ms_subsystem inner = {.nx = 2, .nu = 4, .ny = 2, .x = states, .u = neighbours_states,
                                   .y = states, .matrices = matrices, .data = &two};
static const ms_subsystem rightmost = {.nx = 2, .nu = 2, .ny = 2, .x = states, .u = neighbours_states,
                                       .y = states, .matrices = matrices, .data = &one};

/* Position and velocity of subsystem `from` into two inputs of subsystem `to`. */
static void connect(ms_structure *structure, int to, int input, int from)
{
    for (int j = 0; j < 2; j++)
        structure->wires[structure->n_wires++] = (ms_wire){to, input + j, from, j, 1.0};
}

static int build(const double *p, ms_structure *structure, ms_error *error)
{
    const int n = (int)p[MASSES];
    structure->subsystems = ms_structure_alloc(structure, (size_t)n, sizeof *structure->subsystems);
    structure->wires = ms_structure_alloc(structure, 4 * (size_t)n, sizeof *structure->wires);
    MS_TRY_MEMORY_FOR(structure->subsystems != NULL && structure->wires != NULL, error, "%d masses", n);
    structure->n_subsystems = n;
    for (int i = 0; i < n; i++) {
        const bool left = i > 0, right = i < n - 1;
        ms_subsystem *sub = &structure->subsystems[i];
        *sub = left ? (right ? inner : rightmost) : (right ? leftmost : alone);
        sub->name = ms_structure_name(structure, "mass%d", i + 1);
        MS_TRY_MEMORY_FOR(sub->name != NULL, error, "%d masses", n);
        if (i == 0)
            sub->x0 = displaced;
        if (left)
            connect(structure, i, 0, i - 1);
        if (right)
            connect(structure, i, left ? 2 : 0, i + 1);
    }
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "default", .summary = "ten masses", .source = "chosen here"},
};

const ms_model ms_model_mass_chain = {
    .name = "mass-chain",
    .summary = "any number of masses between walls, one subsystem each",
    .source = "none: a model for measurements of speed",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 10.0, .step_size = 0.01,
    .build = build,
};
