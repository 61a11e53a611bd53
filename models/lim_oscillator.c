/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lim-oscillator: two masses between walls with a stiff right wall, the benchmark of co-simulation with forces and states.
 *
 *     m1 x1'' = -k1 x1 - c1 x1' + F      F = kc (x2 - x1) + cc (x2' - x1')
 *     m2 x2'' = -k2 x2 - c2 x2' - F
 *
 * The splits (parameter coupling); the coupled system is the same for all of them:
 *
 *     0  force/state: the LEFT subsystem holds the coupling element, takes position and velocity of the right mass and
 *        gives F, with the feed-through D = (kc, cc); the right one takes F. (two-mass-oscillator has it on the right.)
 *     1  state/state: both subsystems hold the coupling element and take position and velocity of the other mass. No
 *        feed-through.
 *     2  force/force: both masses take F; the element is a third subsystem without states, all feed-through. Without a damper it
 *        is a line.
 *     3  bonded: as 2, and the element takes velocities and has its elongation as a state, so that everything has its energy. The
 *        coupled system has the eigenvalue 0 besides.
 *
 * Where one side holds the element the power that it takes is that of F and the velocities: all but split 1 have ports. Only split
 * 3 has energies: elsewhere that of the coupling spring depends on the states of both masses.
 *
 * Source: the two-mass oscillator of the co-simulation library of the Laboratorio de Ingenieria Mecanica, Universidade da
 * Coruna: masses 1 kg, stiffnesses 10, 100, 1000 N/m, start v = (100, -100) m/s, end 10 s. Its case 0 has no damping, its
 * case 1 has c1 = cc = c2 = 0.01 N s/m. Chosen here: step 0.01 s. */
#include <math.h>

#include <macrostep/model.h>

enum { COUPLING, M1, M2, K1, KC, K2, C1, CC, C2, X1, V1, X2, V2, N_PARAMETERS };
enum { FORCE_STATE, STATE_STATE, FORCE_FORCE, BONDED };

static const ms_parameter parameters[N_PARAMETERS] = {
    [COUPLING] = {"coupling", "1", "0: force/state, 1: state/state, 2: force/force, 3: bonded, with energies",
                  0.0, 0.0, 3.0, false, true},
    [M1] = {"m1", "kg", "left mass", 1.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "right mass", 1.0, 0.0, INFINITY, true, false},
    [K1] = {"k1", "N/m", "spring between left wall and left mass", 10.0, 0.0, INFINITY, false, false},
    [KC] = {"kc", "N/m", "spring between the masses", 100.0, 0.0, INFINITY, false, false},
    [K2] = {"k2", "N/m", "spring between right mass and right wall", 1000.0, 0.0, INFINITY, false, false},
    [C1] = {"c1", "N s/m", "damper between left wall and left mass", 0.0, 0.0, INFINITY, false, false},
    [CC] = {"cc", "N s/m", "damper between the masses", 0.0, 0.0, INFINITY, false, false},
    [C2] = {"c2", "N s/m", "damper between right mass and right wall", 0.0, 0.0, INFINITY, false, false},
    [X1] = {"x1", "m", "start position of the left mass", 0.0, -INFINITY, INFINITY, false, false},
    [V1] = {"v1", "m/s", "its start velocity", 100.0, -INFINITY, INFINITY, false, false},
    [X2] = {"x2", "m", "start position of the right mass", 0.0, -INFINITY, INFINITY, false, false},
    [V2] = {"v2", "m/s", "its start velocity", -100.0, -INFINITY, INFINITY, false, false},
};

/* Which mass, and does it hold the coupling element, and give the element's force. */
typedef struct side {
    bool right, holds_element, gives_force;
} side;

static void mass_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const side *s = data;
    const double mass = s->right ? p[M2] : p[M1], k = s->right ? p[K2] : p[K1], c = s->right ? p[C2] : p[C1];
    m->A[1] = 1.0;
    m->A[2] = -(s->holds_element ? k + p[KC] : k) / mass;
    m->A[3] = -(s->holds_element ? c + p[CC] : c) / mass;
    if (s->holds_element) {
        m->B[2] = p[KC] / mass;
        m->B[3] = p[CC] / mass;
    } else {
        m->B[1] = (s->right ? -1.0 : 1.0) / mass;
    }
    if (s->gives_force) {
        m->C[0] = -p[KC];
        m->C[1] = -p[CC];
        m->D[0] = p[KC];
        m->D[1] = p[CC];
    } else {
        m->C[0] = m->C[3] = 1.0;
    }
}

static void element_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->D[0] = -p[KC];
    m->D[1] = -p[CC];
    m->D[2] = p[KC];
    m->D[3] = p[CC];
}

static void mass_start(const double *p, const void *data, double *x)
{
    const side *s = data;
    x[0] = p[s->right ? X2 : X1];
    x[1] = p[s->right ? V2 : V1];
}

/* Of the mass and the spring at its wall. */
static double mass_energy(const double *x, const double *p, const void *data)
{
    const side *s = data;
    return 0.5 * ((s->right ? p[K2] : p[K1]) * x[0] * x[0] + (s->right ? p[M2] : p[M1]) * x[1] * x[1]);
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}};
static const ms_variable force[] = {{"F", "N"}};
static const ms_variable both[] = {{"x1", "m"}, {"v1", "m/s"}, {"x2", "m"}, {"v2", "m/s"}};

static const side left_force = {false, true, true}, left_state = {false, true, false};
static const side left_mass = {false, false, false};
static const side right_state = {true, true, false}, right_mass = {true, false, false};

/* F pulls the left mass to the right and the right one to the left. */
static const ms_port left_end[] = {{.name = "end", .input = 0, .output = 1, .gain = 1.0}};
static const ms_port right_end[] = {{.name = "end", .input = 0, .output = 1, .gain = -1.0}};
static const ms_port spring_end[] = {{.name = "end", .input = 1, .output = 0, .gain = 1.0}};
static const ms_port element_ends[] = {{.name = "left", .input = 1, .output = 0, .gain = -1.0},
                                       {.name = "right", .input = 3, .output = 0, .gain = 1.0}};

static ms_subsystem mass(const char *name, const side *s, const ms_port *port)
{
    return (ms_subsystem){.name = name, .nx = 2, .nu = s->holds_element ? 2 : 1, .ny = s->gives_force ? 1 : 2,
                          .x = states, .u = s->holds_element ? states : force,
                          .y = s->gives_force ? force : states, .start = mass_start,
                          .matrices = mass_matrices, .ports = port, .n_ports = port != NULL, .data = s};
}

static const ms_subsystem element = {.name = "element", .nu = 4, .ny = 1, .u = both, .y = force,
                                     .matrices = element_matrices, MS_LIST(ports, element_ends)};

enum { LEFT, RIGHT, ELEMENT, SUBSYSTEMS_MAX, WIRES_MAX = 6 };

static void connect(ms_structure *s, int to, int input, int from, int output)
{
    s->wires[s->n_wires++] = (ms_wire){to, input, from, output, 1.0};
}

/* Position and velocity of subsystem `from`. */
static void connect_states(ms_structure *s, int to, int input, int from)
{
    connect(s, to, input, from, 0);
    connect(s, to, input + 1, from, 1);
}

static void split_by_force_and_state(ms_structure *s)
{
    s->subsystems[LEFT] = mass("left", &left_force, spring_end);
    s->subsystems[RIGHT] = mass("right", &right_mass, right_end);
    connect_states(s, LEFT, 0, RIGHT);
    connect(s, RIGHT, 0, LEFT, 0);
}

static void split_by_states(ms_structure *s)
{
    s->subsystems[LEFT] = mass("left", &left_state, NULL);
    s->subsystems[RIGHT] = mass("right", &right_state, NULL);
    connect_states(s, LEFT, 0, RIGHT);
    connect_states(s, RIGHT, 0, LEFT);
}

static void split_by_forces(const double *p, ms_structure *s)
{
    s->n_subsystems = 3;
    s->subsystems[LEFT] = mass("left", &left_mass, left_end);
    s->subsystems[RIGHT] = mass("right", &right_mass, right_end);
    s->subsystems[ELEMENT] = element;
    connect(s, LEFT, 0, ELEMENT, 0);
    connect(s, RIGHT, 0, ELEMENT, 0);
    connect_states(s, ELEMENT, 0, LEFT);
    connect_states(s, ELEMENT, 2, RIGHT);
    if (p[KC] > 0.0 && p[CC] == 0.0)
        s->lines[s->n_lines++] = (ms_line){{LEFT, RIGHT}, {0, 0}, ELEMENT, p[KC]};
}

static int split_by_bonds(const double *p, ms_structure *s, ms_error *error)
{
    const ms_line middle = {.subsystem = {LEFT, RIGHT}, .stiffness = p[KC]};
    s->subsystems[LEFT] = mass("left", &left_mass, left_end);
    s->subsystems[RIGHT] = mass("right", &right_mass, right_end);
    s->subsystems[LEFT].energy = s->subsystems[RIGHT].energy = mass_energy;
    MS_TRY_MEMORY_FOR(ms_structure_add_spring(s, &middle, p[CC], p[X2] - p[X1]) == MS_OK, error,
                      "the two masses");
    return MS_OK;
}

static int build(const double *p, ms_structure *s, ms_error *error)
{
    MS_TRY(ms_structure_make_room(s, SUBSYSTEMS_MAX, WIRES_MAX, 1, "the two masses", error));
    s->n_subsystems = 2;
    if (p[COUPLING] == BONDED)
        return split_by_bonds(p, s, error);
    if (p[COUPLING] == FORCE_STATE)
        split_by_force_and_state(s);
    else if (p[COUPLING] == STATE_STATE)
        split_by_states(s);
    else
        split_by_forces(p, s);
    return MS_OK;
}

#define DAMPING {"c1", 0.01}, {"cc", 0.01}, {"c2", 0.01}

static const ms_case cases[] = {
    {.name = "force-state", .summary = "the left side gives the force, no damping", .source = "case 0, f-s",
     MS_SETTINGS({"coupling", FORCE_STATE})},
    {.name = "state-state", .summary = "both sides give their states, no damping", .source = "case 0, s-s",
     MS_SETTINGS({"coupling", STATE_STATE})},
    {.name = "force-force", .summary = "the coupling element is a subsystem of its own, no damping",
     .source = "case 0, f-f", MS_SETTINGS({"coupling", FORCE_FORCE})},
    {.name = "force-state-damped", .summary = "the left side gives the force, dampers of 0.01 N s/m",
     .source = "case 1, f-s", MS_SETTINGS({"coupling", FORCE_STATE}, DAMPING)},
    {.name = "state-state-damped", .summary = "both sides give their states, dampers of 0.01 N s/m",
     .source = "case 1, s-s", MS_SETTINGS({"coupling", STATE_STATE}, DAMPING)},
    {.name = "force-force-damped",
     .summary = "the coupling element is a subsystem of its own, dampers of 0.01 N s/m",
     .source = "case 1, f-f", MS_SETTINGS({"coupling", FORCE_FORCE}, DAMPING)},
    {.name = "bonded", .summary = "the coupling element takes velocities and has its energy, no damping",
     .source = "chosen here", MS_SETTINGS({"coupling", BONDED})},
};

const ms_model ms_model_lim_oscillator = {
    .name = "lim-oscillator",
    .summary = "two masses between walls, the right one stiff, split by forces or states",
    .source = "Laboratorio de Ingenieria Mecanica, co-simulation library, two-mass oscillator",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 10.0,
    .step_size = 0.01,
    .build = build,
};
