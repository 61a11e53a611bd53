/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lim-manipulator: a two-link pendulum that a hydraulic cylinder moves.
 *
 *     arm      M(th) th'' + h(th, th') = g(th) + J(th)^T f           th = (th1, th2), from the horizontal
 *              M = [[L^2 (m/3 + mp + mh), L Lh mh cos(th1 - th2)], [the same, Lh^2 mh]]
 *              h = L Lh mh sin(th1 - th2) (th2'^2, -th1'^2)
 *              g = (-L ag (m/2 + mp + mh) cos th1, -Lh ag mh cos th2)
 *              s = L sqrt(1 - sqrt(3)/2 cos th1)      J = ds/dth = (sqrt(3) L^2 sin th1 / (4 s), 0)
 *     cylinder p1' = beta(p1) / (ap l1) [ ap s' + ai q(pP - p1) - ao q(p1 - pT)]     l1 = l/2 + s0 - s
 *              p2' = beta(p2) / (ap l2) [-ap s' + ao q(pP - p2) - ai q(p2 - pT)]     l2 = l/2 + s - s0
 *              q(d) = cd sqrt(2 d / rho), 0 for d < 0      beta(p) = (1 + a p + b p^2) / (a + 2 b p)
 *              ai = av kappa(t), ao = av (1 - kappa(t))    f = (p2 - p1) ap - c s'
 *
 * s is the length of the cylinder, from the middle of the first rod to the point (sqrt(3)/2 L, 0). The second link has no mass
 * but that at its end. The arm starts at rest with th = (pi/6, 3 pi/2), where s = s0 = L/2, and p1, p2 balance it.
 *
 * The valve kappa (parameter manoeuvre):
 *
 *     1  kappa0 up to 2 s, in 1 ms to kappa0 - 0.01, and at 6 s in 2 ms to kappa0 + 0.02
 *     2  kappa0 (1 - A sin(2 pi 2 t)), where A is 0.1 min(t, 1), and falls from 8 to 9 s to 0
 *
 * The splits (parameter coupling); the coupled system is the same for both:
 *
 *     0  force/state: the cylinder takes s and s' and gives f, with the feed-through -c; f s' is the power into the arm.
 *     1  pressure/state: the cylinder takes s and s' and gives p1 and p2; the arm holds the damper c. No feed-through.
 *
 * Source: the hydraulic manipulator of the co-simulation library of the Laboratorio de Ingenieria Mecanica, Universidade da
 * Coruna: equations, data, manoeuvres and reference solutions. Its end is 10 s.
 * Misprints of the document: L^2 (m + mp + mh) / 3 in M, and L ag (m + mp + mh) / 2 in g. Its program has the terms above, and
 * only with them does the printed start force of 8829 N balance the arm: 450 kg * 9.81 m/s^2 * cos(pi/6) / (sqrt(3)/4).
 * Its reference of manoeuvre 1 is one of its steps of 0.05 ms late, to the digits that are printed. Chosen here: step 0.001 s;
 * l1 and l2 are never taken for less than 0.05 m, so that the equations hold for whatever length a scheme hands over (the
 * manoeuvres keep both above 0.12 m). */
#include <math.h>
#include <string.h>

#include <macrostep/model.h>

enum { COUPLING, MANOEUVRE, C, KAPPA0, P1, P2, N_PARAMETERS };
enum { FORCE_STATE, PRESSURE_STATE };

static const ms_parameter parameters[N_PARAMETERS] = {
    [COUPLING] = {"coupling", "1", "0: force/state, 1: pressure/state", 0.0, 0.0, 1.0, false, true},
    [MANOEUVRE] = {"manoeuvre", "1", "of the valve, 1 or 2; 0: it stands", 1.0, 0.0, 2.0, false, true},
    [C] = {"c", "N s/m", "viscous friction of the cylinder", 1e5, 0.0, INFINITY, false, false},
    [KAPPA0] = {"kappa0", "1", "start position of the valve", 0.45434559, 0.0, 1.0, false, false},
    [P1] = {"p1", "Pa", "start pressure of the chamber that pulls", 3170846.2, 0.0, INFINITY, false, false},
    [P2] = {"p2", "Pa", "start pressure of the chamber that pushes", 4529153.8, 0.0, INFINITY, false, false},
};

static const double pi = 3.14159265358979323846, root_3 = 1.73205080756887729353;

/* Arm ------------------------------------------------------------------------------------------------------ */

static const double L = 1.0, L_h = 0.5;                     /* [m] */
static const double mass = 200.0, m_p = 250.0, m_h = 100.0; /* [kg] */
static const double gravity = 9.81;                         /* [m/s^2] */

static const double area = 65e-4, stroke = 0.442, s_0 = 0.5; /* [m^2], [m], [m] */

/* The length of the cylinder, and its first two derivatives by th1. */
typedef struct cylinder_length {
    double s, J, dJ;
} cylinder_length;

static cylinder_length length_at(double th)
{
    const double s = L * sqrt(1.0 - 0.5 * root_3 * cos(th)), J = root_3 * L * L * sin(th) / (4.0 * s);
    return (cylinder_length){s, J, (0.25 * root_3 * L * L * cos(th) - J * J) / s};
}

/* The force of the cylinder, from its own output or from the pressures. */
static double cylinder_force(const ms_point *at, double rate)
{
    return at->p[COUPLING] == FORCE_STATE ? at->u[0] : area * (at->u[1] - at->u[0]) - at->p[C] * rate;
}

/* r := M(th)^-1 r */
static void solve_masses(const double *th, double *r)
{
    const double a = L * L * (mass / 3.0 + m_p + m_h), b = L * L_h * m_h * cos(th[0] - th[1]);
    const double d = L_h * L_h * m_h, determinant = a * d - b * b, first = r[0];
    r[0] = (d * first - b * r[1]) / determinant;
    r[1] = (a * r[1] - b * first) / determinant;
}

/* x = (th1, th2, th1', th2') */
static int arm_f(const ms_point *at, double *dx)
{
    const double *x = at->x, swing = L * L_h * m_h * sin(x[0] - x[1]);
    const cylinder_length l = length_at(x[0]);
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -swing * x[3] * x[3] - L * gravity * (0.5 * mass + m_p + m_h) * cos(x[0]) +
            l.J * cylinder_force(at, l.J * x[2]);
    dx[3] = swing * x[2] * x[2] - L_h * gravity * m_h * cos(x[1]);
    solve_masses(x, dx + 2);
    return 0;
}

static int arm_g(const ms_point *at, double *y)
{
    const cylinder_length l = length_at(at->x[0]);
    y[0] = l.s;
    y[1] = l.J * at->x[2];
    return 0;
}

/* Column k of the last two rows of df/d.. is M^-1 r; the rows have `stride` columns. */
static void put_column(const double *th, double *block, int stride, int k, double r0, double r1)
{
    double r[2] = {r0, r1};
    solve_masses(th, r);
    block[2 * stride + k] = r[0];
    block[3 * stride + k] = r[1];
}

/* d(M th'')/dth is on the right side, too: M dth'' = dr - dM th''. */
static void arm_states(const ms_point *at, double *A)
{
    const double *x = at->x, unit = L * L_h * m_h, swing = unit * sin(x[0] - x[1]);
    const double turn = unit * cos(x[0] - x[1]);
    const cylinder_length l = length_at(x[0]);
    const double F = cylinder_force(at, l.J * x[2]), c = at->p[COUPLING] == FORCE_STATE ? 0.0 : at->p[C];
    double dx[4];
    arm_f(at, dx);
    memset(A, 0, 16 * sizeof *A);
    A[2] = A[7] = 1.0;
    const double r0 = -turn * x[3] * x[3] + swing * dx[3], r1 = turn * x[2] * x[2] + swing * dx[2];
    const double weight = L * gravity * (0.5 * mass + m_p + m_h) * sin(x[0]);
    put_column(x, A, 4, 0, r0 + weight + l.dJ * F - l.J * c * l.dJ * x[2], r1);
    put_column(x, A, 4, 1, -r0, -r1 + L_h * gravity * m_h * sin(x[1]));
    put_column(x, A, 4, 2, -l.J * c * l.J, 2.0 * swing * x[2]);
    put_column(x, A, 4, 3, -2.0 * swing * x[3], 0.0);
}

static int arm_jacobian(const ms_point *at, const ms_blocks *m)
{
    const cylinder_length l = length_at(at->x[0]);
    const bool force = at->p[COUPLING] == FORCE_STATE;
    const int nu = force ? 1 : 2;
    if (m->A != NULL)
        arm_states(at, m->A);
    if (m->B != NULL) {
        memset(m->B, 0, 4 * (size_t)nu * sizeof *m->B);
        put_column(at->x, m->B, nu, 0, force ? l.J : -area * l.J, 0.0);
        if (!force)
            put_column(at->x, m->B, nu, 1, area * l.J, 0.0);
    }
    if (m->C != NULL)
        memcpy(m->C, (const double[]){l.J, 0.0, 0.0, 0.0, l.dJ * at->x[2], 0.0, l.J, 0.0}, 8 * sizeof *m->C);
    if (m->D != NULL)
        memset(m->D, 0, 2 * (size_t)nu * sizeof *m->D);
    return 0;
}

/* Cylinder --------------------------------------------------------------------------------------------------- */

static const double valve = 5e-4, discharge = 0.67, density = 850.0; /* [m^2], -, [kg/m^3] */
static const double shortest = 0.05;                                 /* [m] */
static const double pump = 7.6e6, tank = 1e5;                        /* [Pa] */
static const double bulk_a = 6.53e-10, bulk_b = -1.19e-18;           /* [1/Pa], [1/Pa^2] */

/* Velocity of the oil under a difference of pressures, and its derivative. */
static double flow(double difference)
{
    return difference > 0.0 ? discharge * sqrt(2.0 * difference / density) : 0.0;
}

static double flow_slope(double difference)
{
    return difference > 0.0 ? 0.5 * flow(difference) / difference : 0.0;
}

/* The bulk modulus, and its derivative. */
static double bulk(double p)
{
    return (1.0 + bulk_a * p + bulk_b * p * p) / (bulk_a + 2.0 * bulk_b * p);
}

static double bulk_slope(double p)
{
    return 1.0 - 2.0 * bulk_b * bulk(p) / (bulk_a + 2.0 * bulk_b * p);
}

/* One chamber: its length and pressure, and the openings to pump and tank. Oil flows into it from the piston with
 * `sign` s'. */
typedef struct chamber {
    double length, p, sign, from_pump, to_tank;
} chamber;

static chamber chamber_at(const ms_point *at, int k)
{
    const double in = valve * at->w[0], out = valve * (1.0 - at->w[0]), sign = k == 0 ? 1.0 : -1.0;
    const double length =
        0.5 * stroke + sign * (s_0 - at->u[0]); /* not a number if s is not, which fmax would hide */
    return (chamber){length < shortest ? shortest : length, at->x[k], sign, k == 0 ? in : out,
                     k == 0 ? out : in};
}

/* What fills it [m^3/s]. */
static double filling(const chamber *c, double rate)
{
    return c->sign * area * rate + c->from_pump * flow(pump - c->p) - c->to_tank * flow(c->p - tank);
}

/* x = (p1, p2), u = (s, s'), w = kappa */
static int cylinder_f(const ms_point *at, double *dx)
{
    for (int k = 0; k < 2; k++) {
        const chamber c = chamber_at(at, k);
        dx[k] = bulk(c.p) / (area * c.length) * filling(&c, at->u[1]);
    }
    return 0;
}

static int pressures_g(const ms_point *at, double *y)
{
    y[0] = at->x[0];
    y[1] = at->x[1];
    return 0;
}

static int force_g(const ms_point *at, double *y)
{
    y[0] = area * (at->x[1] - at->x[0]) - at->p[C] * at->u[1];
    return 0;
}

static void chamber_blocks(const ms_point *at, int k, const ms_blocks *m)
{
    const chamber c = chamber_at(at, k);
    const double fills = filling(&c, at->u[1]), volume = area * c.length, beta = bulk(c.p);
    const double d = -c.from_pump * flow_slope(pump - c.p) - c.to_tank * flow_slope(c.p - tank);
    const double opens = flow(pump - c.p) + flow(c.p - tank);
    if (m->A != NULL) {
        m->A[3 * k] = (bulk_slope(c.p) * fills + beta * d) / volume;
        m->A[1 + k] = 0.0;
    }
    if (m->B != NULL) {
        m->B[2 * k] = c.length > shortest ? c.sign * beta * fills / (volume * c.length) : 0.0;
        m->B[2 * k + 1] = c.sign * beta / c.length;
    }
    if (m->E != NULL)
        m->E[k] = c.sign * valve * beta / volume * opens;
}

static int cylinder_jacobian(const ms_point *at, const ms_blocks *m)
{
    const bool force = at->p[COUPLING] == FORCE_STATE;
    for (int k = 0; k < 2; k++)
        chamber_blocks(at, k, m);
    if (m->C != NULL) {
        m->C[0] = force ? -area : 1.0;
        m->C[1] = force ? area : 0.0;
        if (!force)
            memcpy(m->C + 2, (const double[]){0.0, 1.0}, 2 * sizeof *m->C);
    }
    if (m->D != NULL) {
        memset(m->D, 0, (force ? 2 : 4) * sizeof *m->D);
        if (force)
            m->D[1] = -at->p[C];
    }
    if (m->F != NULL)
        memset(m->F, 0, (force ? 1 : 2) * sizeof *m->F);
    return 0;
}

/* Manoeuvres ------------------------------------------------------------------------------------------------- */

/* From 0 at `from` to 1 at `to`. */
static double ramp(double t, double from, double to)
{
    return fmin(1.0, fmax(0.0, (t - from) / (to - from)));
}

static void position(double t, const double *p, const void *data, double *w)
{
    (void)data;
    w[0] = p[KAPPA0];
    if (p[MANOEUVRE] == 1.0)
        w[0] += -0.01 * ramp(t, 2.0, 2.001) + 0.03 * ramp(t, 6.0, 6.002);
    else if (p[MANOEUVRE] == 2.0)
        w[0] *= 1.0 - 0.1 * (ramp(t, 0.0, 1.0) - ramp(t, 8.0, 9.0)) * sin(4.0 * pi * t);
}

static double next_bend(double t, const double *z, const double *p, const void *data)
{
    (void)z;
    (void)data;
    static const double bends[3][4] = {
        {INFINITY, INFINITY, INFINITY, INFINITY}, {2.0, 2.001, 6.0, 6.002}, {1.0, 8.0, 9.0, INFINITY}};
    for (int k = 0; k < 4; k++)
        if (bends[(int)p[MANOEUVRE]][k] > t)
            return bends[(int)p[MANOEUVRE]][k];
    return INFINITY;
}

/* Model ------------------------------------------------------------------------------------------------------ */

static void arm_start(const double *p, const void *data, double *x)
{
    (void)p;
    (void)data;
    x[0] = pi / 6.0;
    x[1] = 1.5 * pi;
    x[2] = x[3] = 0.0;
}

static const ms_variable angles[] = {
    {"theta1", "rad"}, {"theta2", "rad"}, {"omega1", "rad/s"}, {"omega2", "rad/s"}};
static const ms_variable lengths[] = {{"s", "m"}, {"v", "m/s"}};
static const ms_variable pressures[] = {{"p1", "Pa"}, {"p2", "Pa"}};
static const ms_variable force[] = {{"f", "N"}};
static const ms_variable opening[] = {{"kappa", "1"}};
static const bool none[4], damper[2] = {false, true};

/* f lengthens the cylinder. */
static const ms_port arm_port[] = {{.name = "cylinder", .input = 0, .output = 1, .gain = 1.0}};
static const ms_port cylinder_port[] = {{.name = "arm", .input = 1, .output = 0, .gain = -1.0}};

static const ms_subsystem arm = {.name = "arm", .nx = 4, .ny = 2, .x = angles, .y = lengths,
                                 .start = arm_start, .f = arm_f, .g = arm_g, .jacobian = arm_jacobian,
                                 .feed_through = none};
static const ms_subsystem cylinder = {.name = "cylinder", .nx = 2, .nu = 2, .nw = 1, .x = pressures,
                                      .u = lengths, .w = opening, .x0_parameter = (const int[]){P1, P2},
                                      .f = cylinder_f,
                                      .jacobian = cylinder_jacobian, .external = position,
                                      .next_time = next_bend};

enum { ARM, CYLINDER, SUBSYSTEMS };

/* What the cylinder gives, and the arm takes. */
static void set_coupling(ms_subsystem *sub, bool by_force)
{
    sub[ARM].nu = sub[CYLINDER].ny = by_force ? 1 : 2;
    sub[ARM].u = sub[CYLINDER].y = by_force ? force : pressures;
    sub[CYLINDER].g = by_force ? force_g : pressures_g;
    sub[CYLINDER].feed_through = by_force ? damper : none;
    sub[ARM].ports = by_force ? arm_port : NULL;
    sub[CYLINDER].ports = by_force ? cylinder_port : NULL;
    sub[ARM].n_ports = sub[CYLINDER].n_ports = by_force;
}

static int build(const double *p, ms_structure *s, ms_error *error)
{
    MS_TRY(ms_structure_make_room(s, SUBSYSTEMS, 4, 0, "the manipulator", error));
    s->n_subsystems = SUBSYSTEMS;
    s->subsystems[ARM] = arm;
    s->subsystems[CYLINDER] = cylinder;
    set_coupling(s->subsystems, p[COUPLING] == FORCE_STATE);
    for (int k = 0; k < s->subsystems[ARM].nu; k++)
        s->wires[s->n_wires++] = (ms_wire){ARM, k, CYLINDER, k, 1.0};
    for (int k = 0; k < 2; k++)
        s->wires[s->n_wires++] = (ms_wire){CYLINDER, k, ARM, k, 1.0};
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "m1-force-state", .summary = "the valve jumps twice; the cylinder gives its force",
     .source = "manoeuvre M1, f-s", MS_SETTINGS({"manoeuvre", 1.0}, {"coupling", FORCE_STATE})},
    {.name = "m1-pressure-state", .summary = "the valve jumps twice; the cylinder gives its pressures",
     .source = "manoeuvre M1, p-s", MS_SETTINGS({"manoeuvre", 1.0}, {"coupling", PRESSURE_STATE})},
    {.name = "m2-force-state", .summary = "the valve swings with 2 Hz; the cylinder gives its force",
     .source = "manoeuvre M2, f-s", MS_SETTINGS({"manoeuvre", 2.0}, {"coupling", FORCE_STATE})},
    {.name = "m2-pressure-state", .summary = "the valve swings with 2 Hz; the cylinder gives its pressures",
     .source = "manoeuvre M2, p-s", MS_SETTINGS({"manoeuvre", 2.0}, {"coupling", PRESSURE_STATE})},
};

const ms_model ms_model_lim_manipulator = {
    .name = "lim-manipulator",
    .summary = "a two-link pendulum moved by a hydraulic cylinder",
    .source = "Laboratorio de Ingenieria Mecanica, co-simulation library, hydraulic manipulator",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 10.0,
    .step_size = 0.001,
    .slow = true,
    .build = build,
};
