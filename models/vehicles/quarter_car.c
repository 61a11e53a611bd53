/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quarter-car: chassis and wheel on a step of the road, split in two ways.
 *
 *     chassis   mc xc'' = F                       F = kc (xw - xc) + d(xw' - xc')
 *     wheel     mw xw'' = kw (road - xw) - F
 *
 *     d(v) = dc v (v^2 + e^2)^((n - 1)/2)         n = damper_exponent, e = damper_smoothing
 *
 * The damper is linear, d(v) = dc v, with n = 1. With n = 1/2 it is dc |v|^(1/2) sign(v), whose infinite slope at v = 0 the
 * velocity e makes finite. The height of the road [m] is a constant external input of the wheel.
 *
 * The splits (parameter coupling); the coupled system is the same for both:
 *
 *     0  by displacements: y = (x, x') of each, the other's input; both hold the suspension. No feed-through, and no
 *        energies, as that of the suspension depends on the states of both.
 *     1  bonded: the chassis takes F and gives xc'; the wheel takes xc', integrates it to xc in a state of its own, and
 *        gives F, with the feed-through -dc. F xc' is the power into the chassis and out of the wheel, and each has its
 *        energy. As xc is a state of both sides, the coupled system has a fifth eigenvalue, 0.
 *
 * Source: Andersson (2016), 9.3.2, (9.11)-(9.12), for split 0; Sadjina et al. (2017), for split 1 and the damper
 * with n = 1/2, with the values of the former; e is chosen here.
 * Misprint: (9.11b) has + kc (xw - xc) + dc (xw' - xc'), which makes the wheel unstable. Parameter
 * printed_signs is 0 with the signs above (case `physical`) and 1 as printed (case `as-printed`, by displacements only).
 * Not printed, chosen here: zero start values, end 1 s, step 0.001 s. */
#include <math.h>

#include <macrostep/model.h>

enum { MC, MW, KC, KW, DC, ROAD, PRINTED_SIGNS, COUPLING, EXPONENT, SMOOTHING, N_PARAMETERS };
enum { BY_DISPLACEMENTS, BONDED };

static const ms_parameter parameters[N_PARAMETERS] = {
    [MC] = {"mc", "kg", "mass of the chassis", 400.0, 0.0, INFINITY, true, false},
    [MW] = {"mw", "kg", "mass of the wheel", 40.0, 0.0, INFINITY, true, false},
    [KC] = {"kc", "N/m", "stiffness of the suspension", 15000.0, 0.0, INFINITY, false, false},
    [KW] = {"kw", "N/m", "stiffness of the tyre", 150000.0, 0.0, INFINITY, false, false},
    [DC] = {"dc", "N s/m", "damping of the suspension, at 1 m/s", 1000.0, 0.0, INFINITY, false, false},
    [ROAD] = {"road", "m", "height of the road", 0.1, -INFINITY, INFINITY, false, false},
    [PRINTED_SIGNS] = {"printed_signs", "1", "0: physical signs of the coupling forces, 1: as printed", 0.0,
                       0.0, 1.0, false, true},
    [COUPLING] = {"coupling", "1", "0: by displacements, 1: by force and velocity, with power ports", 0.0,
                  0.0, 1.0, false, true},
    [EXPONENT] = {"damper_exponent", "1", "power of the velocity that the damper's force is of", 1.0, 0.0,
                  2.0, true, false},
    [SMOOTHING] = {"damper_smoothing", "m/s", "velocity below which that force is linear", 1e-6, 0.0,
                   INFINITY, true, false},
};

/* The suspension ----------------------------------------------------------------------------------------- */

/* d(v), and its derivative. */
static double damper(const double *p, double v)
{
    const double e = p[SMOOTHING];
    return p[DC] * v * pow(v * v + e * e, 0.5 * (p[EXPONENT] - 1.0));
}

static double damper_slope(const double *p, double v)
{
    const double e = p[SMOOTHING], square = v * v + e * e;
    return p[DC] * pow(square, 0.5 * (p[EXPONENT] - 3.0)) * (p[EXPONENT] * v * v + e * e);
}

static double suspension(const double *p, double elongation, double rate)
{
    return p[KC] * elongation + damper(p, rate);
}

/* Rows of matrices, where they are wanted. */
static void fill(double *row, int n, const double *values)
{
    for (int k = 0; k < n && row != NULL; k++)
        row[k] = values[k];
}

/* By displacements: both subsystems hold the suspension ---------------------------------------------------- */

/* What F does to the wheel. */
static double wheel_sign(const double *p)
{
    return p[PRINTED_SIGNS] != 0.0 ? 1.0 : -1.0;
}

/* Of a damper of slope d. */
static void chassis_blocks(const double *p, double d, const ms_blocks *m)
{
    fill(m->A, 4, (const double[]){0.0, 1.0, -p[KC] / p[MC], -d / p[MC]});
    fill(m->B, 4, (const double[]){0.0, 0.0, p[KC] / p[MC], d / p[MC]});
    fill(m->C, 4, (const double[]){1.0, 0.0, 0.0, 1.0});
    fill(m->D, 4, (const double[4]){0.0});
}

static void wheel_blocks(const double *p, double d, const ms_blocks *m)
{
    const double sign = wheel_sign(p);
    fill(m->A, 4, (const double[]){0.0, 1.0, (sign * p[KC] - p[KW]) / p[MW], sign * d / p[MW]});
    fill(m->B, 4, (const double[]){0.0, 0.0, -sign * p[KC] / p[MW], -sign * d / p[MW]});
    fill(m->C, 4, (const double[]){1.0, 0.0, 0.0, 1.0});
    fill(m->D, 4, (const double[4]){0.0});
    fill(m->E, 2, (const double[]){0.0, p[KW] / p[MW]});
}

static void chassis_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    chassis_blocks(p, p[DC], m);
}

static void wheel_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    wheel_blocks(p, p[DC], m);
}

static int chassis_jacobian(const ms_point *at, const ms_blocks *m)
{
    chassis_blocks(at->p, damper_slope(at->p, at->u[1] - at->x[1]), m);
    return 0;
}

static int wheel_jacobian(const ms_point *at, const ms_blocks *m)
{
    wheel_blocks(at->p, damper_slope(at->p, at->x[1] - at->u[1]), m);
    return 0;
}

static int chassis_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = suspension(at->p, at->u[0] - at->x[0], at->u[1] - at->x[1]) / at->p[MC];
    return 0;
}

static int wheel_f(const ms_point *at, double *dx)
{
    const double *p = at->p, F = suspension(p, at->x[0] - at->u[0], at->x[1] - at->u[1]);
    dx[0] = at->x[1];
    dx[1] = (p[KW] * (at->w[0] - at->x[0]) + wheel_sign(p) * F) / p[MW];
    return 0;
}

static int states_g(const ms_point *at, double *y)
{
    y[0] = at->x[0];
    y[1] = at->x[1];
    return 0;
}

/* Bonded: the wheel holds it ------------------------------------------------------------------------------- */

static void driven_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[1] = 1.0;
    m->B[1] = 1.0 / p[MC];
    m->C[1] = 1.0;
}

static void holder_blocks(const double *p, double d, const ms_blocks *m)
{
    fill(m->A, 9,
         (const double[]){0.0, 1.0, 0.0, -(p[KC] + p[KW]) / p[MW], -d / p[MW], p[KC] / p[MW], 0.0, 0.0, 0.0});
    fill(m->B, 3, (const double[]){0.0, d / p[MW], 1.0});
    fill(m->C, 3, (const double[]){p[KC], d, -p[KC]});
    fill(m->D, 1, (const double[]){-d});
    fill(m->E, 3, (const double[]){0.0, p[KW] / p[MW], 0.0});
}

static void holder_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    holder_blocks(p, p[DC], m);
}

static int holder_jacobian(const ms_point *at, const ms_blocks *m)
{
    holder_blocks(at->p, damper_slope(at->p, at->x[1] - at->u[0]), m);
    return 0;
}

static int holder_g(const ms_point *at, double *y)
{
    y[0] = suspension(at->p, at->x[0] - at->x[2], at->x[1] - at->u[0]);
    return 0;
}

static int holder_f(const ms_point *at, double *dx)
{
    double F;
    holder_g(at, &F);
    dx[0] = at->x[1];
    dx[1] = (at->p[KW] * (at->w[0] - at->x[0]) - F) / at->p[MW];
    dx[2] = at->u[0];
    return 0;
}

static double driven_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 0.5 * p[MC] * x[1] * x[1];
}

/* The tyre's is that of its compression. */
static double holder_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    const double tyre = x[0] - p[ROAD], spring = x[0] - x[2];
    return 0.5 * (p[MW] * x[1] * x[1] + p[KW] * tyre * tyre + p[KC] * spring * spring);
}

/* The model ------------------------------------------------------------------------------------------------ */

static void road(double t, const double *p, const void *data, double *w)
{
    (void)t;
    (void)data;
    w[0] = p[ROAD];
}

static const ms_variable states[] = {{"x", "m"}, {"v", "m/s"}, {"xc", "m"}};
static const ms_variable force[] = {{"F", "N"}};
static const ms_variable height[] = {{"road", "m"}};

/* F pulls the chassis up. */
static const ms_port driven_end[] = {{.name = "suspension", .input = 0, .output = 0, .gain = 1.0}};
static const ms_port holder_end[] = {{.name = "suspension", .input = 0, .output = 0, .gain = -1.0}};

/* [split][chassis, wheel]; functions of both forms of the damper, one of which build() takes away. */
static const ms_subsystem splits[2][2] = {
    [BY_DISPLACEMENTS] = {{.name = "chassis", .nx = 2, .nu = 2, .ny = 2, .x = states, .u = states,
                           .y = states, .matrices = chassis_matrices, .f = chassis_f, .g = states_g,
                           .jacobian = chassis_jacobian},
                          {.name = "wheel", .nx = 2, .nu = 2, .ny = 2, .nw = 1, .x = states, .u = states,
                           .y = states, .w = height, .matrices = wheel_matrices, .f = wheel_f, .g = states_g,
                           .jacobian = wheel_jacobian, .external = road, .external_constant = true}},
    [BONDED] = {{.name = "chassis", .nx = 2, .nu = 1, .ny = 1, .x = states, .u = force, .y = &states[1],
                 .matrices = driven_matrices, .energy = driven_energy, .ports = driven_end, .n_ports = 1},
                {.name = "wheel", .nx = 3, .nu = 1, .ny = 1, .nw = 1, .x = states, .u = &states[1],
                 .y = force, .w = height, .matrices = holder_matrices, .f = holder_f, .g = holder_g,
                 .jacobian = holder_jacobian, .external = road, .external_constant = true,
                 .energy = holder_energy, .ports = holder_end, .n_ports = 1}},
};
static const bool no_feed_through[4];

/* The subsystem with the damper that p has. */
static ms_subsystem with_damper(const ms_subsystem *both, const double *p)
{
    ms_subsystem s = *both;
    if (p[EXPONENT] == 1.0 || s.f == NULL) {
        s.f = s.g = NULL;
        s.jacobian = NULL;
        return s;
    }
    s.matrices = NULL;
    if (p[COUPLING] == BY_DISPLACEMENTS)
        s.feed_through = no_feed_through;
    return s;
}

static int build(const double *p, ms_structure *s, ms_error *error)
{
    const int coupling = (int)p[COUPLING], wires_each = coupling == BONDED ? 1 : 2;
    if (coupling == BONDED && p[PRINTED_SIGNS] != 0.0)
        return ms_fail(error, MS_INVALID,
                       "parameter printed_signs of model quarter-car is 1: it must be 0 with coupling=1");
    MS_TRY(ms_structure_make_room(s, 2, 4, 0, "the quarter car", error));
    s->n_subsystems = 2;
    for (int i = 0; i < 2; i++) {
        s->subsystems[i] = with_damper(&splits[coupling][i], p);
        for (int k = 0; k < wires_each; k++)
            s->wires[s->n_wires++] = (ms_wire){.to = i, .input = k, .from = 1 - i, .output = k, .gain = 1.0};
    }
    return MS_OK;
}

static const ms_case cases[] = {
    {.name = "physical", .summary = "forces on the wheel with their physical signs",
     .source = "(9.11)-(9.12)", MS_SETTINGS({"printed_signs", 0.0})},
    {.name = "as-printed", .summary = "forces on the wheel with the printed signs", .source = "(9.11b)",
     MS_SETTINGS({"printed_signs", 1.0})},
    {.name = "bonded",
     .summary = "the wheel gives the force and takes the velocity of the chassis, with power ports",
     .source = "Sadjina et al. (2017)", MS_SETTINGS({"coupling", BONDED})},
    {.name = "bonded-nonlinear",
     .summary = "the same with a damper whose force is of the root of the velocity",
     .source = "Sadjina et al. (2017)", MS_SETTINGS({"coupling", BONDED}, {"damper_exponent", 0.5})},
};

const ms_model ms_model_quarter_car = {
    .name = "quarter-car",
    .summary = "chassis and wheel on a step of the road",
    .source = "Andersson (2016), 9.3.2, (9.11)-(9.12)",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    .stop_time = 1.0,
    .step_size = 0.001,
    .build = build,
};
