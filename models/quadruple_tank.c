/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quadruple-tank: two upper tanks run off into two lower ones, and two pumps feed all four.
 *
 *     tank1   A1 x1' = -a1 sqrt(2 g x1) + q3 + g1_nmp k1_nmp u1
 *     tank2   A2 x2' = -a2 sqrt(2 g x2) + q4 + g2_nmp k2_nmp u2
 *     tank3   A3 x3' = -a3 sqrt(2 g x3) + (1 - g2_nmp) k2_nmp u2
 *     tank4   A4 x4' = -a4 sqrt(2 g x4) + (1 - g1_nmp) k1_nmp u1
 *
 * x: level [m]; output of each tank its run-off q = a sqrt(2 g x) [m^3/s], the input of tank1 (from tank3)
 * and tank2 (from tank4); u1, u2: voltages of the pumps [V], external inputs. No feed-through, no loop.
 * Levels below 0 are outside the domain.
 *
 * Source: Andersson (2016), 9.3.3 and A.3, Tables 9.5 (case `initial`) and 9.6 (case `estimated`).
 * Not printed: the voltages, which were recorded. The end is 60 s (final_time in 9.3.3). Chosen here:
 *
 *     u1 = 5.2 V + 1.5 V sin(2 pi t / 30 s)        u2 = 5.2 V + 1.5 V sin(2 pi t / 22 s + 2)
 *
 * around 5.2 V, where the start levels are nearly those of equilibrium. A series takes their place
 * (ms_system_bind_inputs). Chosen here, too: the step of 1 s, one subsystem a tank, and that start levels are
 * parameters (their values are those of A.3). The least a1 is that of A.3; other ranges are ours. */
#include <math.h>

#include <macrostep/model.h>

enum {
    SECTION_1, SECTION_2, SECTION_3, SECTION_4,
    TUBE_1, TUBE_2, TUBE_3, TUBE_4,
    GRAVITY, K1, K2, G1, G2,
    X1, X2, X3, X4,
    N_PARAMETERS
};

#define SECTION(name) {name, "m^2", "cross-section of the tank", 4.9e-4, 0.0, INFINITY, true, false}
#define TUBE(name, min) {name, "m^2", "cross-section of the run-off", 0.03e-4, min, INFINITY, false, false}
#define PUMP(name) {name, "m^3/(s V)", "flow of the pump", 0.56e-6, 0.0, INFINITY, false, false}
#define SHARE(name)                                                                                          \
    {name, "1", "share of the pump's flow that goes to the lower tank", 0.30, 0.0, 1.0, false, false}
#define LEVEL(name, value) {name, "m", "level at the start", value, 0.0, INFINITY, true, false}

static const ms_parameter parameters[N_PARAMETERS] = {
    [SECTION_1] = SECTION("A1"),
    [SECTION_2] = SECTION("A2"),
    [SECTION_3] = SECTION("A3"),
    [SECTION_4] = SECTION("A4"),
    [TUBE_1] = TUBE("a1", 1e-6),
    [TUBE_2] = TUBE("a2", 0.0),
    [TUBE_3] = TUBE("a3", 0.0),
    [TUBE_4] = TUBE("a4", 0.0),
    [GRAVITY] = {"g", "m/s^2", "gravity", 9.81, 0.0, INFINITY, true, false},
    [K1] = PUMP("k1_nmp"),
    [K2] = PUMP("k2_nmp"),
    [G1] = SHARE("g1_nmp"),
    [G2] = SHARE("g2_nmp"),
    [X1] = LEVEL("x1_start", 0.0627),
    [X2] = LEVEL("x2_start", 0.06044),
    [X3] = LEVEL("x3_start", 0.024),
    [X4] = LEVEL("x4_start", 0.023),
};

/* What differs from tank to tank. */
typedef struct tank {
    int section, tube, level; /* parameters */
    int pump, share;          /* its pump's flow and the share of it */
    bool lower;               /* takes the share and what runs off above; else the rest */
} tank;

static const tank tanks[] = {
    {SECTION_1, TUBE_1, X1, K1, G1, true},
    {SECTION_2, TUBE_2, X2, K2, G2, true},
    {SECTION_3, TUBE_3, X3, K2, G2, false},
    {SECTION_4, TUBE_4, X4, K1, G1, false},
};

static const tank *of(const void *data)
{
    return data;
}

static void start(const double *p, const void *data, double *x)
{
    x[0] = p[of(data)->level];
}

/* a sqrt(2 g x) [m^3/s]; status 1 below the bottom. */
static int run_off(const ms_point *at, double *q)
{
    if (!(at->x[0] >= 0.0))
        return 1;
    *q = at->p[of(at->data)->tube] * sqrt(2.0 * at->p[GRAVITY] * at->x[0]);
    return 0;
}

static int tank_f(const ms_point *at, double *dx)
{
    const tank *t = of(at->data);
    const double share = t->lower ? at->p[t->share] : 1.0 - at->p[t->share];
    double q = 0.0;
    const int status = run_off(at, &q);
    dx[0] = ((t->lower ? at->u[0] : 0.0) + share * at->p[t->pump] * at->w[0] - q) / at->p[t->section];
    return status;
}

static int tank_g(const ms_point *at, double *y)
{
    y[0] = 0.0;
    return run_off(at, y);
}

static int tank_jacobian(const ms_point *at, const ms_blocks *m)
{
    const tank *t = of(at->data);
    const double x = at->x[0], g = at->p[GRAVITY];
    if (!(x > 0.0))
        return 1;
    const double dq = at->p[t->tube] * g / sqrt(2.0 * g * x);
    if (m->A != NULL)
        m->A[0] = -dq / at->p[t->section];
    if (m->B != NULL && t->lower)
        m->B[0] = 1.0 / at->p[t->section];
    if (m->C != NULL)
        m->C[0] = dq;
    return 0;
}

static void voltage_1(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = 5.2 + 1.5 * sin(2.0 * 3.14159265358979323846 * t / 30.0);
}

static void voltage_2(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = 5.2 + 1.5 * sin(2.0 * 3.14159265358979323846 * t / 22.0 + 2.0);
}

static const ms_variable flow_in[] = {{"q_in", "m^3/s"}}, flow_out[] = {{"q", "m^3/s"}};
static const ms_variable level_1[] = {{"x1", "m"}}, level_2[] = {{"x2", "m"}}, level_3[] = {{"x3", "m"}},
                         level_4[] = {{"x4", "m"}};
static const ms_variable pump_1[] = {{"u1", "V"}}, pump_2[] = {{"u2", "V"}};
static const bool none[] = {false};

#define TANK(i, pump)                                                                                        \
    .nx = 1, .ny = 1, .nw = 1, .x = level_##i, .y = flow_out, .w = pump_##pump, .start = start, .f = tank_f, \
    .g = tank_g, .jacobian = tank_jacobian, .feed_through = none, .external = voltage_##pump,                \
    .data = &tanks[(i) - 1]

static const ms_subsystem subsystems[] = {
    {.name = "tank1", .nu = 1, .u = flow_in, TANK(1, 1)},
    {.name = "tank2", .nu = 1, .u = flow_in, TANK(2, 2)},
    {.name = "tank3", TANK(3, 2)},
    {.name = "tank4", TANK(4, 1)},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 2, .output = 0, .gain = 1.0},
    {.to = 1, .input = 0, .from = 3, .output = 0, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "initial", .summary = "the run-offs before the estimation", .source = "Table 9.5",
     MS_SETTINGS({"a1", 0.03e-4}, {"a2", 0.03e-4}, {"a3", 0.03e-4}, {"a4", 0.03e-4})},
    {.name = "estimated", .summary = "the run-offs that the thesis estimated", .source = "Table 9.6",
     MS_SETTINGS({"a1", 0.02660115e-4}, {"a2", 0.0270179e-4}, {"a3", 0.03008687e-4}, {"a4", 0.02929907e-4})},
};

const ms_model ms_model_quadruple_tank = {
    .name = "quadruple-tank",
    .summary = "four tanks, two above two, fed by two pumps",
    .source = "Andersson (2016), 9.3.3 and A.3",
    MS_MODEL_LISTS,
    .stop_time = 60.0, .step_size = 1.0,
};
