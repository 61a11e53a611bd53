/* SPDX-License-Identifier: GPL-3.0-or-later */
/* impact-oscillator: a mass on a spring that meets a stop, coupled by spring and damper to a second mass.
 *
 *     oscillator   x1' = v1,  m1 v1' = -c1 x1 - d1 v1 + f + A z        u = f,  y = (x1, v1)
 *     load         x2' = v2,  m2 v2' = -c3 x2 - d3 v2 - f              y = f
 *                  f = c2 q + d2 (v2 - v1),  q = x2 - x1               [m, m/s, N]
 *
 * What the load is given (parameter exchange):
 *
 *     0 `displacement`  u = (x1, v1), so q = x2 - u1. Without the damper, d2 = 0, it depends on x1 alone.
 *     1 `velocity`      u = v1, and q is a third state, q' = v2 - u. Effort f and flow v1 are a bond: there
 *                       are energies and ports. The feed-through is D = -d2; of displacements it is (-c2,
 *                       -d2).
 *
 * What happens to the oscillator (parameter event), each once in the run unless parameters are changed:
 *
 *     0 `none`    nothing: a linear model
 *     1 `impact`  at x1 = s it rebounds, v1+ = -e v1-: a state event; v1 jumps
 *     2 `switch`  beyond x1 = s a spring of stiffness k and preload N acts, -k (x1 - s) - N: a state event
 *                 each way; v1 is continuous, v1' jumps by N / m1; with N = 0 v1'' jumps by k v1 / m1
 *     3 `time`    at t_e the force A begins to act: a time event; v1' jumps by A / m1
 *     4 `both`    the oscillator rebounds as in `impact`, the load likewise at x2 = s2
 *
 * Let derivative number j of the coupling variables be the first that jumps (0: they do themselves). It is
 *
 *                  impact   switch, time   contact (switch with N = 0)
 *     d2 > 0       0        1              2         by v1
 *     d2 = 0       1        2              3         by x1 (exchange = displacement)
 *
 * At an impact the handler puts the mass before the stop by round-off, so that leaving it is no event of its
 * own. Impacts slower than 1e-4 m/s end the run (subsystem-failed): impacts that
 * accumulate are not modelled.
 *
 * Energies (exchange = velocity): kinetic energies and those of the springs, with that of the stop's spring;
 * an impact takes (1 - e^2) m v^2 / 2, the force A adds its work.
 *
 * Academic; no source prints it. All values are chosen here: one event between 0.46 s and 0.52 s, the load's
 * of `both` later, end 0.8 s. */
#include <float.h>
#include <math.h>

#include <macrostep/model.h>

enum {
    EVENT, EXCHANGE, M1, M2, C1, D1, C2, D2, C3, D3, X1_START, STOP1, STOP2, RESTITUTION, STIFFNESS, PRELOAD,
    EVENT_TIME, FORCE, N_PARAMETERS
};
enum { NONE, IMPACT, SWITCH, TIME, BOTH, N_EVENTS };
enum { DISPLACEMENT, VELOCITY };
enum { OSCILLATOR, LOAD, N_SUBSYSTEMS };
enum { X, V, Q };

static const double SLOWEST = 1e-4; /* impact [m/s] */

static const ms_parameter parameters[N_PARAMETERS] = {
    [EVENT] = {"event", "1", "0: none, 1: impact, 2: spring at the stop, 3: force from t_e on, 4: 2 impacts",
               IMPACT, NONE, BOTH, false, true},
    [EXCHANGE] = {"exchange", "1", "the load is given 0: displacement and velocity, 1: velocity",
                  DISPLACEMENT, DISPLACEMENT, VELOCITY, false, true},
    [M1] = {"m1", "kg", "mass of the oscillator", 1.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "mass of the load", 2.0, 0.0, INFINITY, true, false},
    [C1] = {"c1", "N/m", "stiffness at the oscillator's wall", 10.0, 0.0, INFINITY, false, false},
    [D1] = {"d1", "N s/m", "damping there", 0.1, 0.0, INFINITY, false, false},
    [C2] = {"c2", "N/m", "stiffness between the masses", 4.0, 0.0, INFINITY, false, false},
    [D2] = {"d2", "N s/m", "damping between the masses", 0.5, 0.0, INFINITY, false, false},
    [C3] = {"c3", "N/m", "stiffness at the load's wall", 5.0, 0.0, INFINITY, false, false},
    [D3] = {"d3", "N s/m", "damping there", 0.1, 0.0, INFINITY, false, false},
    [X1_START] = {"x1_start", "m", "displacement of the oscillator at the start", -1.0, -INFINITY, INFINITY,
                  false, false},
    [STOP1] = {"s", "m", "stop of the oscillator (1, 2, 4)", 0.2, -INFINITY, INFINITY, false, false},
    [STOP2] = {"s2", "m", "stop of the load (4)", -0.11, -INFINITY, INFINITY, false, false},
    [RESTITUTION] = {"e", "1", "coefficient of restitution (1, 4)", 0.8, 0.0, 1.0, true, false},
    [STIFFNESS] = {"k", "N/m", "stiffness of the stop (2)", 40.0, 0.0, INFINITY, false, false},
    [PRELOAD] = {"preload", "N", "its force at s (2)", 4.0, 0.0, INFINITY, false, false},
    [EVENT_TIME] = {"event_time", "s", "t_e, beginning of the force (3), behind the start", 0.49442719,
                    -INFINITY, INFINITY, false, false},
    [FORCE] = {"force", "N", "that acts from then on (3)", 5.0, -INFINITY, INFINITY, false, false},
};

/* Oscillator --------------------------------------------------------------------------------------------- */

static void oscillator_start(const double *p, const void *data, double *x)
{
    (void)data;
    x[X] = p[X1_START];
}

/* Blocks that are not wanted are NULL. stiffness: of wall and stop. */
static void oscillator_blocks(const double *p, double stiffness, const ms_blocks *m)
{
    const double A[] = {0.0, 1.0, -stiffness / p[M1], -p[D1] / p[M1]};
    for (int k = 0; k < 4 && m->A != NULL; k++)
        m->A[k] = A[k];
    if (m->B != NULL)
        m->B[V] = 1.0 / p[M1];
    if (m->C != NULL)
        m->C[0] = m->C[3] = 1.0;
}

static void oscillator_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    oscillator_blocks(p, p[C1], m);
}

/* z: spring (2) or force (3) acts; impacts (1, 4) are only counted. */
static bool acts(const ms_point *at, int event)
{
    return (int)at->p[EVENT] == event && at->z[0] != 0.0;
}

static int oscillator_f(const ms_point *at, double *dx)
{
    const double *p = at->p;
    double force = at->u[0] - p[C1] * at->x[X] - p[D1] * at->x[V];
    if (acts(at, SWITCH))
        force -= p[PRELOAD] + p[STIFFNESS] * (at->x[X] - p[STOP1]);
    if (acts(at, TIME))
        force += p[FORCE];
    dx[X] = at->x[V];
    dx[V] = force / p[M1];
    return 0;
}

static int oscillator_g(const ms_point *at, double *y)
{
    y[X] = at->x[X];
    y[V] = at->x[V];
    return 0;
}

static int oscillator_jacobian(const ms_point *at, const ms_blocks *m)
{
    oscillator_blocks(at->p, at->p[C1] + (acts(at, SWITCH) ? at->p[STIFFNESS] : 0.0), m);
    return 0;
}

static double oscillator_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    const double deep = (int)p[EVENT] == SWITCH ? fmax(0.0, x[X] - p[STOP1]) : 0.0;
    return 0.5 * (p[M1] * x[V] * x[V] + p[C1] * x[X] * x[X] + p[STIFFNESS] * deep * deep) + p[PRELOAD] * deep;
}

/* Load --------------------------------------------------------------------------------------------------- */

/* The states' part and the inputs' part of f = c2 q + d2 (v2 - v1), by exchange. */
static void force_row(const double *p, double *of_state, double *of_input)
{
    const bool velocity = p[EXCHANGE] == VELOCITY;
    of_state[X] = velocity ? 0.0 : p[C2];
    of_state[V] = p[D2];
    of_state[Q] = velocity ? p[C2] : 0.0;
    of_input[0] = velocity ? -p[D2] : -p[C2];
    of_input[1] = -p[D2];
}

static void load_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    const bool velocity = p[EXCHANGE] == VELOCITY;
    const int nx = velocity ? 3 : 2, nu = velocity ? 1 : 2;
    double of_state[3], of_input[2];
    force_row(p, of_state, of_input);
    m->A[V] = 1.0;
    for (int j = 0; j < nx; j++) {
        m->A[nx + j] = -of_state[j] / p[M2];
        m->C[j] = of_state[j];
    }
    m->A[nx + X] -= p[C3] / p[M2];
    m->A[nx + V] -= p[D3] / p[M2];
    for (int k = 0; k < nu; k++) {
        m->B[nu + k] = -of_input[k] / p[M2];
        m->D[k] = of_input[k];
    }
    if (velocity) {
        m->A[Q * nx + V] = 1.0; /* q' = v2 - v1 */
        m->B[Q] = -1.0;
    }
}

static double load_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 0.5 * (p[M2] * x[V] * x[V] + p[C3] * x[X] * x[X] + p[C2] * x[Q] * x[Q]);
}

/* Of the load that rebounds, which is not linear. */
static double coupling_force(const ms_point *at)
{
    const bool velocity = at->p[EXCHANGE] == VELOCITY;
    const double q = velocity ? at->x[Q] : at->x[X] - at->u[0], v1 = at->u[velocity ? 0 : 1];
    return at->p[C2] * q + at->p[D2] * (at->x[V] - v1);
}

static int load_f(const ms_point *at, double *dx)
{
    const double *p = at->p;
    dx[X] = at->x[V];
    dx[V] = -(p[C3] * at->x[X] + p[D3] * at->x[V] + coupling_force(at)) / p[M2];
    if (p[EXCHANGE] == VELOCITY)
        dx[Q] = at->x[V] - at->u[0];
    return 0;
}

static int load_g(const ms_point *at, double *y)
{
    y[0] = coupling_force(at);
    return 0;
}

/* Events ------------------------------------------------------------------------------------------------- */

/* A stop, from above or from below: s and the sign of the velocity towards it. */
typedef struct obstacle {
    int at;
    double side;
} obstacle;

static const obstacle above = {STOP1, 1.0}, below = {STOP2, -1.0};

static int gap(const ms_point *at, double *r)
{
    const obstacle *meets = at->data;
    r[0] = meets->side * (at->p[meets->at] - at->x[X]);
    return 0;
}

static int rebound(const ms_point *at, const ms_event *event)
{
    const obstacle *meets = at->data;
    const double stop = at->p[meets->at];
    if (event->crossed[0] > 0)
        return 0;
    event->x[X] = stop - meets->side * DBL_EPSILON * fmax(1.0, fabs(stop));
    event->x[V] = -at->p[RESTITUTION] * at->x[V];
    event->z[0] = at->z[0] + 1.0;
    return meets->side * at->x[V] >= SLOWEST ? 0 : 1;
}

static int meet_spring(const ms_point *at, const ms_event *event)
{
    (void)at;
    event->z[0] = event->crossed[0] < 0 ? 1.0 : 0.0; /* the gap closes, or opens */
    return 0;
}

static double begin(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)data;
    return t < p[EVENT_TIME] ? p[EVENT_TIME] : INFINITY;
}

static int push(const ms_point *at, const ms_event *event)
{
    (void)at;
    event->z[0] = 1.0;
    return 0;
}

/* The model ---------------------------------------------------------------------------------------------- */

static const ms_variable motion[] = {{"x", "m"}, {"v", "m/s"}, {"q", "m"}};
static const ms_variable velocity[] = {{"v", "m/s"}}, force[] = {{"f", "N"}};
static const ms_variable impacts[] = {{"impacts", "1"}}, mode[] = {{"acts", "1"}};
static const ms_port flow_out[] = {{.name = "coupling", .input = 0, .output = 1, .gain = 1.0}};
static const ms_port effort_out[] = {{.name = "coupling", .input = 0, .output = 0, .gain = -1.0}};
static const bool no_feed_through[] = {false, false};

static void choose_oscillator(int event, ms_subsystem *sub)
{
    *sub = (ms_subsystem){.name = "oscillator", .nx = 2, .nu = 1, .ny = 2, .x = motion, .u = force,
                          .y = motion, .start = oscillator_start};
    if (event == NONE) {
        sub->matrices = oscillator_matrices;
        return;
    }
    sub->nz = 1;
    sub->z = event == SWITCH || event == TIME ? mode : impacts;
    sub->f = oscillator_f;
    sub->g = oscillator_g;
    sub->jacobian = oscillator_jacobian;
    sub->feed_through = no_feed_through;
    sub->data = &above;
    if (event == TIME) {
        sub->next_time = begin;
        sub->handle = push;
        return;
    }
    sub->n_indicators = 1;
    sub->indicators = gap;
    sub->handle = event == SWITCH ? meet_spring : rebound;
}

static void choose_load(int event, bool by_velocity, ms_subsystem *sub)
{
    *sub = (ms_subsystem){.name = "load", .nx = by_velocity ? 3 : 2, .nu = by_velocity ? 1 : 2, .ny = 1,
                          .x = motion, .u = by_velocity ? velocity : motion, .y = force};
    if (event != BOTH) {
        sub->matrices = load_matrices;
        return;
    }
    sub->nz = 1;
    sub->z = impacts;
    sub->f = load_f;
    sub->g = load_g;
    sub->data = &below;
    sub->n_indicators = 1;
    sub->indicators = gap;
    sub->handle = rebound;
}

static void load_start(const double *p, const void *data, double *x)
{
    (void)data;
    x[Q] = -p[X1_START]; /* x2 = 0 */
}

static int build(const double *p, ms_structure *s, ms_error *error)
{
    const bool by_velocity = p[EXCHANGE] == VELOCITY;
    s->n_subsystems = N_SUBSYSTEMS;
    s->n_wires = by_velocity ? 2 : 3;
    MS_TRY(ms_structure_make_room(s, N_SUBSYSTEMS, 3, 0, "the impact oscillator", error));
    choose_oscillator((int)p[EVENT], &s->subsystems[OSCILLATOR]);
    choose_load((int)p[EVENT], by_velocity, &s->subsystems[LOAD]);
    if (by_velocity) {
        s->subsystems[OSCILLATOR].energy = oscillator_energy;
        s->subsystems[LOAD].energy = load_energy;
        s->subsystems[LOAD].start = load_start;
        s->subsystems[OSCILLATOR].ports = flow_out;
        s->subsystems[LOAD].ports = effort_out;
        s->subsystems[OSCILLATOR].n_ports = s->subsystems[LOAD].n_ports = 1;
    }
    s->wires[0] = (ms_wire){.to = OSCILLATOR, .input = 0, .from = LOAD, .output = 0, .gain = 1.0};
    s->wires[1] = (ms_wire){.to = LOAD, .input = 0, .from = OSCILLATOR, .output = by_velocity ? V : X,
                            .gain = 1.0};
    s->wires[2] = (ms_wire){.to = LOAD, .input = 1, .from = OSCILLATOR, .output = V, .gain = 1.0};
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "impact", .summary = "the oscillator rebounds from a stop", .source = "chosen here",
     MS_SETTINGS({"event", IMPACT})},
    {.name = "switch", .summary = "it meets a preloaded spring: its acceleration jumps",
     .source = "chosen here", MS_SETTINGS({"event", SWITCH})},
    {.name = "contact", .summary = "it meets a spring without preload: bilinear stiffness",
     .source = "chosen here", MS_SETTINGS({"event", SWITCH}, {"preload", 0.0})},
    {.name = "time", .summary = "a force begins to act on it at a given time", .source = "chosen here",
     MS_SETTINGS({"event", TIME})},
    {.name = "both", .summary = "both masses rebound", .source = "chosen here", MS_SETTINGS({"event", BOTH})},
    {.name = "none", .summary = "without events: linear", .source = "chosen here",
     MS_SETTINGS({"event", NONE})},
};

const ms_model ms_model_impact_oscillator = {
    .name = "impact-oscillator",
    .summary = "a mass meets a stop, a second one hangs on it: events in a co-simulation",
    .source = "academic, this project",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 0.8, .step_size = 0.01,
    .build = build,
};
