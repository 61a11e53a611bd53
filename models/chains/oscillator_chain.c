/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oscillator-chain: masses and springs in a row from a wall to a free end, each a separate subsystem.
 *
 *     wall - spring1 - mass1 - spring2 - mass2 - .. - springN - massN
 *
 *     spring i   s' = vr - vl            y = F = -c s       energy c s^2 / 2
 *     mass i     v' = (Fl + Fr) / m      y = v              energy m v^2 / 2
 *
 * s is the elongation [m], v a velocity [m/s], F the force of a spring on the mass to its right [N]; on the
 * mass to its left it acts with -F. l and r: the end to the left and to the right. Wires:
 *
 *     vr of spring i = v of mass i       vl of spring i = v of mass i-1     (spring1: no vl, the wall is fixed)
 *     Fl of mass i = F of spring i       Fr of mass i = -F of spring i+1    (massN: no Fr, a free end)
 *
 * Power into a mass: Fl v and Fr v; into a spring: -F vr and F vl. Nothing is damped: the sum of all energies is
 * constant. With equal masses and equal springs the angular frequencies are 2 sqrt(c/m) sin((2j - 1) pi / (4N + 2)),
 * j = 1 .. N; with N = 1 it is the model spring-mass.
 *
 * Source: none. Made here for power exchange (Moshagen 2021, section 4) with more than two subsystems and
 * more than one port a subsystem. Chosen here: all values; elements with odd and with even numbers have separate
 * values. At the start all springs have the same elongation and all masses the same velocity, other than zero by
 * default, so that no port starts with power zero. End 75 s as for spring-mass, step 0.05 s. */
#include <math.h>

#include <macrostep/model.h>

enum { MASSES, M_ODD, M_EVEN, C_ODD, C_EVEN, S0, V0, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [MASSES] = {"masses", "1", "number of masses, and of springs", 3.0, 1.0, 100000.0, false, true},
    [M_ODD] = {"m_odd", "kg", "mass1, mass3, ..", 1.0, 0.0, INFINITY, true, false},
    [M_EVEN] = {"m_even", "kg", "mass2, mass4, ..", 1.0, 0.0, INFINITY, true, false},
    [C_ODD] = {"c_odd", "N/m", "stiffness of spring1, spring3, ..", 1.0, 0.0, INFINITY, true, false},
    [C_EVEN] = {"c_even", "N/m", "stiffness of spring2, spring4, ..", 1.0, 0.0, INFINITY, true, false},
    [S0] = {"s0", "m", "elongation of each spring at the start", 1.0, -INFINITY, INFINITY, false, false},
    [V0] = {"v0", "m/s", "velocity of each mass at the start", 1.0, -INFINITY, INFINITY, false, false},
};

/* data of a subsystem: which parameter is its mass or stiffness, and at how many ends it is connected. */
typedef struct element {
    int constant, ends;
} element;

static double constant(const double *p, const void *data)
{
    return p[((const element *)data)->constant];
}

/* Inputs vr, vl. */
static void spring_matrices(const double *p, const void *data, const ms_blocks *m)
{
    m->B[0] = 1.0;
    if (((const element *)data)->ends == 2)
        m->B[1] = -1.0;
    m->C[0] = -constant(p, data);
}

/* Inputs Fl, Fr. */
static void mass_matrices(const double *p, const void *data, const ms_blocks *m)
{
    for (int k = 0; k < ((const element *)data)->ends; k++)
        m->B[k] = 1.0 / constant(p, data);
    m->C[0] = 1.0;
}

static double energy(const double *x, const double *p, const void *data)
{
    return 0.5 * constant(p, data) * x[0] * x[0];
}

static const int spring_start[] = {S0}, mass_start[] = {V0};
static const ms_variable elongation[] = {{"s", "m"}}, velocity[] = {{"v", "m/s"}}, force[] = {{"F", "N"}};
static const ms_variable velocities[] = {{"vr", "m/s"}, {"vl", "m/s"}}, forces[] = {{"Fl", "N"}, {"Fr", "N"}};

/* Port k has input k. */
static const ms_port spring_ports[] = {
    {.name = "right", .input = 0, .output = 0, .gain = -1.0},
    {.name = "left", .input = 1, .output = 0, .gain = 1.0},
};
static const ms_port mass_ports[] = {
    {.name = "left", .input = 0, .output = 0, .gain = 1.0},
    {.name = "right", .input = 1, .output = 0, .gain = 1.0},
};

static ms_subsystem spring(const char *name, const element *data)
{
    return (ms_subsystem){.name = name, .nx = 1, .nu = data->ends, .ny = 1, .x = elongation, .u = velocities,
                          .y = force, .x0_parameter = spring_start, .matrices = spring_matrices,
                          .energy = energy,
                          .ports = spring_ports, .n_ports = data->ends, .data = data};
}

static ms_subsystem mass(const char *name, const element *data)
{
    return (ms_subsystem){.name = name, .nx = 1, .nu = data->ends, .ny = 1, .x = velocity, .u = forces,
                          .y = velocity, .x0_parameter = mass_start, .matrices = mass_matrices,
                          .energy = energy,
                          .ports = mass_ports, .n_ports = data->ends, .data = data};
}

/* Input `input` of subsystem a takes the output of b, and input `back` of b takes gain times the output of a. */
static void join(ms_structure *structure, int a, int input, int b, int back, double gain)
{
    structure->wires[structure->n_wires++] = (ms_wire){a, input, b, 0, 1.0};
    structure->wires[structure->n_wires++] = (ms_wire){b, back, a, 0, gain};
}

static int build(const double *p, ms_structure *structure, ms_error *error)
{
    const int n = (int)p[MASSES];
    element *data = ms_structure_alloc(structure, 2 * (size_t)n, sizeof *data);
    structure->subsystems = ms_structure_alloc(structure, 2 * (size_t)n, sizeof *structure->subsystems);
    structure->wires = ms_structure_alloc(structure, 4 * (size_t)n, sizeof *structure->wires);
    MS_TRY_MEMORY_FOR(data != NULL && structure->subsystems != NULL && structure->wires != NULL, error,
                      "%d masses", n);
    structure->n_subsystems = 2 * n;
    for (int i = 0; i < n; i++) {
        const int s = 2 * i, m = s + 1; /* spring i + 1 and mass i + 1: odd where i is even */
        const char *spring_name = ms_structure_name(structure, "spring%d", i + 1);
        const char *mass_name = ms_structure_name(structure, "mass%d", i + 1);
        MS_TRY_MEMORY_FOR(spring_name != NULL && mass_name != NULL, error, "%d masses", n);
        data[s] = (element){i % 2 == 0 ? C_ODD : C_EVEN, i > 0 ? 2 : 1};
        data[m] = (element){i % 2 == 0 ? M_ODD : M_EVEN, i < n - 1 ? 2 : 1};
        structure->subsystems[s] = spring(spring_name, &data[s]);
        structure->subsystems[m] = mass(mass_name, &data[m]);
        join(structure, s, 0, m, 0, 1.0); /* vr and Fl */
        if (i > 0)
            join(structure, s, 1, m - 2, 1, -1.0); /* vl and Fr */
    }
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "default", .summary = "three equal masses and springs", .source = "chosen here"},
    {.name = "two-masses", .summary = "two equal masses and springs", .source = "chosen here",
     MS_SETTINGS({"masses", 2.0})},
    {.name = "alternating", .summary = "four masses, every second one heavier and its spring stiffer",
     .source = "chosen here", MS_SETTINGS({"masses", 4.0}, {"m_even", 3.0}, {"c_even", 5.0})},
};

const ms_model ms_model_oscillator_chain = {
    .name = "oscillator-chain",
    .summary = "undamped masses and springs in a row, one subsystem each, with energies and power ports",
    .source = "none: made for power exchange between many subsystems",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 75.0, .step_size = 0.05,
    .build = build,
};
