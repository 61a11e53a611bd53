/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two-mass-oscillator: the linear test model of co-simulation, two masses between walls with a spring and a
 * damper at each wall and between them, split in four ways.
 *
 *     m1 x1'' = -k1 x1 - d1 x1' + F      F = kc (x2 - x1) + dc (x2' - x1')
 *     m2 x2'' = -k2 x2 - d2 x2' - F
 *
 * Everything is dimensionless: mass in units of m1, time in units of 1/omega1, omega1 = sqrt(k1/m1), so that
 * m1 = k1 = 1 and a step size means H omega1. Parameters, and the derived values:
 *
 *     mass_ratio          mu = m2/m1                       m2 = mu
 *     frequency_ratio     eta = omega2/omega1              k2 = mu eta^2         omega2 = sqrt(k2/m2)
 *     damping1            zeta1 = d1/(2 sqrt(k1 m1))       d1 = 2 zeta1
 *     damping2            zeta2 = d2/(2 sqrt(k2 m2))       d2 = 2 zeta2 mu eta
 *     coupling_stiffness  kappa = kc/k1                    kc = kappa
 *     coupling_damping    zetac = dc/(2 sqrt(k1 m1))       dc = 2 zetac
 *
 * In the ratios that are common elsewhere: alpha_m21 = mu, alpha_c21 = mu eta^2, alpha_cc1 = kappa,
 * alpha_d21 = zeta2 mu eta/zeta1, alpha_dc1 = zetac/zeta1, and the eigenvalues of the first mass alone,
 * times H: Lambda_r1 = -zeta1 H, Lambda_i1 = sqrt(1 - zeta1^2) H.
 *
 * The splits (parameter coupling); the coupled system is the same for all of them:
 *
 *     0  displacement/displacement: both subsystems hold the coupling spring and damper and take position and
 *        velocity of the other mass. No feed-through.
 *     1  force/displacement: the right subsystem holds them, takes position and velocity of the left mass
 *        and gives F, with the feed-through D = (-kc, -dc); the left one takes F.
 *     2  force/force: both masses take F. The coupling element is a third subsystem without states,
 *        F = kc (x2 - x1) + dc (v2 - v1), all feed-through. The usual explicit scheme evaluates F from the
 *        masses' new states and extrapolates it: that is Jacobi with consistent or corrected outputs.
 *        Gauss-Seidel with the element last extrapolates the same values of F. With inconsistent outputs
 *        Jacobi's F comes from extrapolated states and is one macro-step older.
 *
 *        The masses have ports in this split, and without coupling damping the element is a line.
 *     3  bonded: as 2, and the element takes velocities and has its elongation as a state, so that everything has
 *        its energy, in units of k1. The coupled system has the eigenvalue 0 besides.
 *
 * D L is nilpotent in all of them, so that every scheme is coupling stable (H -> 0), and differences lie at
 * H > 0.
 *
 * Only split 3 has energies: elsewhere that of the coupling spring depends on the states of both masses.
 *
 * Source: the test model of Schweizer, Li and Lu (2015) for co-simulation by displacements and forces; the
 * splits are theirs, the parameters are named here. Chosen here: equal masses and frequencies, kappa = 1, all
 * three damping ratios 0.05, start x1 = 1, everything else zero; end 40, step 0.1. */
#include <math.h>

#include <macrostep/model.h>

enum {
    COUPLING,
    MASS_RATIO,
    FREQUENCY_RATIO,
    DAMPING1,
    DAMPING2,
    COUPLING_STIFFNESS,
    COUPLING_DAMPING,
    N_PARAMETERS
};
enum { BY_DISPLACEMENTS, BY_FORCE_AND_DISPLACEMENT, BY_FORCES, BONDED };

static const ms_parameter parameters[N_PARAMETERS] = {
    [COUPLING] = {"coupling", "1",
                  "0: displacement/displacement, 1: force/displacement, 2: force/force, 3: bonded", 0.0, 0.0,
                  3.0, false, true},
    [MASS_RATIO] = {"mass_ratio", "1", "m2/m1", 1.0, 0.0, INFINITY, true, false},
    [FREQUENCY_RATIO] = {"frequency_ratio", "1", "sqrt(k2/m2) / sqrt(k1/m1)", 1.0, 0.0, INFINITY, false,
                         false},
    [DAMPING1] = {"damping1", "1", "d1 / (2 sqrt(k1 m1))", 0.05, 0.0, INFINITY, false, false},
    [DAMPING2] = {"damping2", "1", "d2 / (2 sqrt(k2 m2))", 0.05, 0.0, INFINITY, false, false},
    [COUPLING_STIFFNESS] = {"coupling_stiffness", "1", "kc/k1", 1.0, 0.0, INFINITY, false, false},
    [COUPLING_DAMPING] = {"coupling_damping", "1", "dc / (2 sqrt(k1 m1))", 0.05, 0.0, INFINITY, false, false},
};

/* The mass, its input (the force, or the other mass's displacement) and its output. */
typedef struct side {
    bool right, takes_force, gives_force;
} side;

static void mass_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const side *s = data;
    const double mass = s->right ? p[MASS_RATIO] : 1.0, eta = s->right ? p[FREQUENCY_RATIO] : 1.0;
    const double k = mass * eta * eta, d = 2.0 * (s->right ? p[DAMPING2] : p[DAMPING1]) * mass * eta;
    const double kc = p[COUPLING_STIFFNESS], dc = 2.0 * p[COUPLING_DAMPING];
    m->A[1] = 1.0;
    m->A[2] = -(s->takes_force ? k : k + kc) / mass;
    m->A[3] = -(s->takes_force ? d : d + dc) / mass;
    if (s->takes_force) {
        m->B[1] = 1.0 / mass;
    } else {
        m->B[2] = kc / mass;
        m->B[3] = dc / mass;
    }
    if (s->gives_force) {
        m->C[0] = kc;
        m->C[1] = dc;
        m->D[0] = -kc;
        m->D[1] = -dc;
    } else {
        m->C[0] = m->C[3] = 1.0;
    }
}

/* Of the mass and the spring at its wall. */
static double mass_energy(const double *x, const double *p, const void *data)
{
    const side *s = data;
    const double mass = s->right ? p[MASS_RATIO] : 1.0, eta = s->right ? p[FREQUENCY_RATIO] : 1.0;
    return 0.5 * mass * (eta * eta * x[0] * x[0] + x[1] * x[1]);
}

static void element_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->D[2] = p[COUPLING_STIFFNESS];
    m->D[3] = 2.0 * p[COUPLING_DAMPING];
    m->D[0] = -m->D[2];
    m->D[1] = -m->D[3];
}

static const ms_variable states[] = {{"x", "1"}, {"v", "1"}};
static const ms_variable force[] = {{"F", "1"}};
static const ms_variable both[] = {{"x1", "1"}, {"v1", "1"}, {"x2", "1"}, {"v2", "1"}};
static const double displaced[] = {1.0, 0.0};

/* F pulls the left mass to the right; the right one has -F. */
static const ms_port force_end[] = {{.name = "end", .input = 0, .output = 1, .gain = 1.0}};
static const ms_port element_ends[] = {{.name = "left", .input = 1, .output = 0, .gain = -1.0},
                                       {.name = "right", .input = 3, .output = 0, .gain = 1.0}};

static const side left_displacement = {false, false, false}, left_force = {false, true, false};
static const side right_displacement = {true, false, false}, right_force = {true, true, false};
static const side right_displacement_to_force = {true, false, true};

static ms_subsystem mass(const char *name, const side *s)
{
    return (ms_subsystem){.name = name, .nx = 2, .nu = s->takes_force ? 1 : 2, .ny = s->gives_force ? 1 : 2,
                          .x = states, .u = s->takes_force ? force : states,
                          .y = s->gives_force ? force : states, .x0 = s->right ? NULL : displaced,
                          .matrices = mass_matrices, .data = s};
}

static const ms_subsystem element = {.name = "element", .nu = 4, .ny = 1, .u = both, .y = force,
                                     .matrices = element_matrices, MS_LIST(ports, element_ends)};

enum { LEFT, RIGHT, ELEMENT, SUBSYSTEMS_MAX, WIRES_MAX = 6 };

static void connect(ms_structure *s, int to, int input, int from, int output, double gain)
{
    s->wires[s->n_wires++] = (ms_wire){to, input, from, output, gain};
}

/* Position and velocity of subsystem `from`. */
static void connect_displacement(ms_structure *s, int to, int input, int from)
{
    connect(s, to, input, from, 0, 1.0);
    connect(s, to, input + 1, from, 1, 1.0);
}

/* Both masses take the force of the element between them. */
static void split_by_forces(const double *p, ms_structure *s)
{
    s->n_subsystems = 3;
    s->subsystems[ELEMENT] = element;
    connect(s, LEFT, 0, ELEMENT, 0, 1.0);
    connect(s, RIGHT, 0, ELEMENT, 0, -1.0);
    connect_displacement(s, ELEMENT, 0, LEFT);
    connect_displacement(s, ELEMENT, 2, RIGHT);
    if (p[COUPLING_STIFFNESS] > 0.0 && p[COUPLING_DAMPING] == 0.0)
        s->lines[s->n_lines++] = (ms_line){{LEFT, RIGHT}, {0, 0}, ELEMENT, p[COUPLING_STIFFNESS]};
}

/* Forces of an element with a state. */
static int split_by_bonds(const double *p, ms_structure *s, ms_error *error)
{
    const ms_line middle = {.subsystem = {LEFT, RIGHT}, .stiffness = p[COUPLING_STIFFNESS]};
    s->subsystems[LEFT].energy = s->subsystems[RIGHT].energy = mass_energy;
    MS_TRY_MEMORY_FOR(ms_structure_add_spring(s, &middle, 2.0 * p[COUPLING_DAMPING], -displaced[0]) == MS_OK,
                      error, "the two masses");
    return MS_OK;
}

static int build(const double *p, ms_structure *s, ms_error *error)
{
    const int coupling = (int)p[COUPLING];
    MS_TRY(ms_structure_make_room(s, SUBSYSTEMS_MAX, WIRES_MAX, 1, "the two masses", error));
    s->n_subsystems = 2;
    s->subsystems[LEFT] = mass("left", coupling == BY_DISPLACEMENTS ? &left_displacement : &left_force);
    s->subsystems[RIGHT] = mass("right", coupling == BY_DISPLACEMENTS ? &right_displacement
                                         : coupling >= BY_FORCES      ? &right_force
                                                                      : &right_displacement_to_force);
    for (int i = LEFT; i <= RIGHT && coupling >= BY_FORCES; i++) {
        s->subsystems[i].ports = force_end;
        s->subsystems[i].n_ports = 1;
    }
    if (coupling == BONDED)
        return split_by_bonds(p, s, error);
    if (coupling == BY_FORCES) {
        split_by_forces(p, s);
        return MS_OK;
    }
    if (coupling == BY_DISPLACEMENTS)
        connect_displacement(s, LEFT, 0, RIGHT);
    else
        connect(s, LEFT, 0, RIGHT, 0, 1.0);
    connect_displacement(s, RIGHT, 0, LEFT);
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "displacement-displacement", .summary = "both masses hold the coupling element",
     .source = "chosen here", MS_SETTINGS({"coupling", BY_DISPLACEMENTS})},
    {.name = "force-displacement", .summary = "the right mass holds the coupling element",
     .source = "chosen here", MS_SETTINGS({"coupling", BY_FORCE_AND_DISPLACEMENT})},
    {.name = "force-force", .summary = "the coupling element is a subsystem of its own",
     .source = "chosen here", MS_SETTINGS({"coupling", BY_FORCES})},
    {.name = "bonded", .summary = "the coupling element takes velocities and has its energy",
     .source = "chosen here", MS_SETTINGS({"coupling", BONDED})},
};

const ms_model ms_model_two_mass_oscillator = {
    .name = "two-mass-oscillator",
    .summary = "the linear test model of co-simulation, split by displacements or forces",
    .source = "Schweizer, Li and Lu (2015)",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 40.0,
    .step_size = 0.1,
    .build = build,
};
