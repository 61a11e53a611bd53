/* SPDX-License-Identifier: GPL-3.0-or-later */
/* precice-oscillator: two masses between walls, each side gives the force of the middle spring due to its own mass.
 *
 *     m1 x1'' = -(k_left + k_middle) x1 + F1      F1 = k_middle x2
 *     m2 x2'' = -(k_right + k_middle) x2 + F2     F2 = k_middle x1
 *
 * No feed-through. With the default values its modes have the frequencies 1 and 3 Hz:
 *
 *     x1 = (cos 2 pi t + cos 6 pi t)/2,     x2 = (cos 2 pi t - cos 6 pi t)/2
 *
 * At whole seconds all states return to their start, and errors of positions have twice the order there: measure orders elsewhere,
 * as at 0.7 s. Neither force forms a power with an output of the same side: there are no ports.
 *
 * With coupling = 1 (case `line`) both masses take the force of the middle spring, which is a separate subsystem `line1`, a line,
 * and give their velocities; ports and energies on all sides. The coupled system is the same, with the elongation x2 - x1 as one
 * state more.
 *
 * Source: the tutorial "Oscillator" of preCICE: 1 kg, 4 pi^2, 16 pi^2 and 4 pi^2 N/m, x = (1, 0) m at rest, end 1 s, steps of
 * 0.01 s. (Its FMU takes 3.1416 for pi, and without the square for the default stiffness: not taken over.) */
#include <math.h>

#include <macrostep/model.h>

enum { M1, M2, K_LEFT, K_MIDDLE, K_RIGHT, X1, V1, X2, V2, COUPLING, N_PARAMETERS };

#define PI2 9.8696044010893586 /* pi^2 */

static const ms_parameter parameters[N_PARAMETERS] = {
    [M1] = {"m1", "kg", "left mass", 1.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "right mass", 1.0, 0.0, INFINITY, true, false},
    [K_LEFT] = {"k_left", "N/m", "spring between left wall and left mass", 4.0 * PI2, 0.0, INFINITY, false,
                false},
    [K_MIDDLE] = {"k_middle", "N/m", "spring between the masses", 16.0 * PI2, 0.0, INFINITY, false, false},
    [K_RIGHT] = {"k_right", "N/m", "spring between right mass and right wall", 4.0 * PI2, 0.0, INFINITY,
                 false, false},
    [X1] = {"x1", "m", "start position of the left mass", 1.0, -INFINITY, INFINITY, false, false},
    [V1] = {"v1", "m/s", "its start velocity", 0.0, -INFINITY, INFINITY, false, false},
    [X2] = {"x2", "m", "start position of the right mass", 0.0, -INFINITY, INFINITY, false, false},
    [V2] = {"v2", "m/s", "its start velocity", 0.0, -INFINITY, INFINITY, false, false},
    [COUPLING] = {"coupling", "1", "0: each side gives its force in the middle spring, 1: the spring is a line", 0.0, 0.0,
                  1.0, false, true},
};

/* Where a side finds what is its own. */
typedef struct side {
    int mass, wall, x, v;
} side;

static const side left = {M1, K_LEFT, X1, V1}, right = {M2, K_RIGHT, X2, V2};

static void matrices(const double *p, const void *data, const ms_blocks *m)
{
    const side *s = data;
    m->A[1] = 1.0;
    m->A[2] = -(p[s->wall] + p[K_MIDDLE]) / p[s->mass];
    m->B[1] = 1.0 / p[s->mass];
    m->C[0] = p[K_MIDDLE];
}

static void start(const double *p, const void *data, double *x)
{
    const side *s = data;
    x[0] = p[s->x];
    x[1] = p[s->v];
}

static void mass_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const side *s = data;
    m->A[1] = 1.0;
    m->A[2] = -p[s->wall] / p[s->mass];
    m->B[1] = 1.0 / p[s->mass];
    m->C[1] = 1.0;
}

static double mass_energy(const double *x, const double *p, const void *data)
{
    const side *s = data;
    return 0.5 * p[s->wall] * x[0] * x[0] + 0.5 * p[s->mass] * x[1] * x[1];
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable force[] = {{"F", "N"}};
static const ms_variable velocity[] = {{"v", "m/s"}};
static const ms_port end[] = {{.name = "end", .input = 0, .output = 0, .gain = 1.0}};

/* clang-format off */
#define MASS(NAME, SIDE)                                                                                     \
    {.name = NAME, .nx = 2, .nu = 1, .ny = 1, .x = states, .u = force, .y = force,                            \
     .start = start, .matrices = matrices, .data = SIDE}
#define MASS_OF_LINE(NAME, SIDE)                                                                             \
    {.name = NAME, .nx = 2, .nu = 1, .ny = 1, .x = states, .u = force, .y = velocity, .start = start,         \
     .matrices = mass_matrices, .energy = mass_energy, .ports = end, .n_ports = 1, .data = SIDE}
/* clang-format on */

static const ms_subsystem sides[] = {MASS("left", &left), MASS("right", &right)};
static const ms_subsystem masses[] = {MASS_OF_LINE("left", &left), MASS_OF_LINE("right", &right)};

enum { SUBSYSTEMS_MAX = 3, WIRES_MAX = 4 };

static int build(const double *p, ms_structure *s, ms_error *error)
{
    MS_TRY(ms_structure_make_room(s, SUBSYSTEMS_MAX, WIRES_MAX, 1, "the two masses", error));
    s->n_subsystems = MS_COUNT(sides);
    for (int i = 0; i < s->n_subsystems; i++)
        s->subsystems[i] = p[COUPLING] == 0.0 ? sides[i] : masses[i];
    if (p[COUPLING] != 0.0) {
        const ms_line middle = {.subsystem = {0, 1}, .stiffness = p[K_MIDDLE]};
        return ms_structure_add_spring(s, &middle, 0.0, p[X2] - p[X1]) == MS_OK
                   ? MS_OK
                   : ms_fail(error, MS_NO_MEMORY, "not enough memory for the two masses");
    }
    for (int i = 0; i < 2; i++)
        s->wires[s->n_wires++] = (ms_wire){.to = i, .from = 1 - i, .gain = 1.0};
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "default", .summary = "modes of 1 and 3 Hz", .source = "preCICE, tutorial \"Oscillator\""},
    {.name = "line", .summary = "the same, the middle spring as a line", .source = "chosen here",
     MS_SETTINGS({"coupling", 1.0})},
};

const ms_model ms_model_precice_oscillator = {
    .name = "precice-oscillator",
    .summary = "two masses between walls, each side gives its force in the middle spring",
    .source = "preCICE, tutorial \"Oscillator\"",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 1.0,
    .step_size = 0.01,
    .build = build,
};
