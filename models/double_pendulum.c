/* SPDX-License-Identifier: GPL-3.0-or-later */
/* double-pendulum: two rigid pendulums, coupled by the acceleration of the upper tip and the force upon it.
 *
 *     top      alpha' = omega
 *              omega' = (e l - d omega) / (m l^2),   e = u1 cos(alpha) + (u2 - m g) sin(alpha)
 *              y1 = a cos(alpha) - omega^2 l sin(alpha)
 *              y2 = a sin(alpha) + omega^2 l cos(alpha),   a = e / m - d omega / (m l)
 *     bottom   alpha' = omega
 *              omega' = -(g sin(alpha) + u1 cos(alpha) + u2 sin(alpha)) / l
 *              y1 = -m q sin(alpha)
 *              y2 =  m q cos(alpha),   q = u1 sin(alpha) - u2 cos(alpha) - l omega^2 - g cos(alpha)
 *     u_top = y_bottom [N], u_bottom = y_top [m/s^2]
 *
 * Angles are measured from the downward vertical, axes are x to the right and y upward; a = l omega' is the
 * tip's tangential acceleration. D L has the eigenvalues 0 (twice) and +-i sqrt(m2/m1) |sin(alpha2 -
 * alpha1)|.
 *
 * No energies are declared: that of the lower pendulum depends on the states of both subsystems.
 *
 * Source: Andersson (2016), Examples 6.2.1 and 6.2.2, (6.56)-(6.59), Table 6.2, Figures 6.8-6.11.
 * Misprint: (6.57) lacks the damping term of a, so that the coupled pendulum is not the monolithic one.
 * Parameter output_damping is 1 with the term (case `damped`) and 0 as printed (case `as-printed`).
 * Not printed, chosen here: g = 9.81 m/s^2, omega(0) = 0, end 5 s. */
#include <math.h>

#include <macrostep/model.h>

enum { M1, M2, L1, L2, D1, G, ALPHA1, ALPHA2, OUTPUT_DAMPING, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [M1] = {"m1", "kg", "mass of the upper pendulum", 1.0, 0.0, INFINITY, true, false},
    [M2] = {"m2", "kg", "mass of the lower pendulum", 1.5, 0.0, INFINITY, true, false},
    [L1] = {"l1", "m", "length of the upper pendulum", 1.0, 0.0, INFINITY, true, false},
    [L2] = {"l2", "m", "length of the lower pendulum", 1.0, 0.0, INFINITY, true, false},
    [D1] = {"d1", "N m s", "damping at the upper pivot", 0.5, 0.0, INFINITY, false, false},
    [G] = {"g", "m/s^2", "gravity", 9.81, 0.0, INFINITY, false, false},
    [ALPHA1] = {"alpha1", "rad", "start angle of the upper pendulum", -1.0, -INFINITY, INFINITY, false,
                false},
    [ALPHA2] = {"alpha2", "rad", "start angle of the lower pendulum", 0.3, -INFINITY, INFINITY, false, false},
    [OUTPUT_DAMPING] = {"output_damping", "1", "1: outputs with the damping term, 0: as printed", 1.0,
                        0.0, 1.0, false, true},
};

/* Upper pendulum ----------------------------------------------------------------------------------------- */

/* e, the force on the tip in the tangential direction. */
static double tangential_force(const ms_point *at)
{
    return at->u[0] * cos(at->x[0]) + (at->u[1] - at->p[M1] * at->p[G]) * sin(at->x[0]);
}

static int top_f(const ms_point *at, double *dx)
{
    const double m = at->p[M1], l = at->p[L1], d = at->p[D1], omega = at->x[1];
    dx[0] = omega;
    dx[1] = (tangential_force(at) * l - d * omega) / (m * l * l);
    return 0;
}

static int top_g(const ms_point *at, double *y)
{
    const double m = at->p[M1], l = at->p[L1], d = at->p[D1] * at->p[OUTPUT_DAMPING];
    const double c = cos(at->x[0]), s = sin(at->x[0]), omega = at->x[1];
    const double a = tangential_force(at) / m - d * omega / (m * l);
    y[0] = a * c - omega * omega * l * s;
    y[1] = a * s + omega * omega * l * c;
    return 0;
}

static int top_jacobian(const ms_point *at, const ms_blocks *block)
{
    const double m = at->p[M1], l = at->p[L1], d = at->p[D1] * at->p[OUTPUT_DAMPING];
    const double c = cos(at->x[0]), s = sin(at->x[0]), omega = at->x[1];
    const double a = tangential_force(at) / m - d * omega / (m * l);
    const double e_alpha = -at->u[0] * s + (at->u[1] - m * at->p[G]) * c; /* de/dalpha */
    if (block->A != NULL) {
        block->A[1] = 1.0;
        block->A[2] = e_alpha / (m * l);
        block->A[3] = -at->p[D1] / (m * l * l);
    }
    if (block->B != NULL) {
        block->B[2] = c / (m * l);
        block->B[3] = s / (m * l);
    }
    if (block->C != NULL) {
        block->C[0] = e_alpha / m * c - a * s - omega * omega * l * c;
        block->C[1] = -d / (m * l) * c - 2.0 * omega * l * s;
        block->C[2] = e_alpha / m * s + a * c - omega * omega * l * s;
        block->C[3] = -d / (m * l) * s + 2.0 * omega * l * c;
    }
    if (block->D != NULL) {
        block->D[0] = c * c / m;
        block->D[1] = block->D[2] = s * c / m;
        block->D[3] = s * s / m;
    }
    return 0;
}

/* Lower pendulum ----------------------------------------------------------------------------------------- */

/* q, minus the tension of the rod by mass. */
static double negative_tension(const ms_point *at)
{
    const double c = cos(at->x[0]), s = sin(at->x[0]), omega = at->x[1];
    return at->u[0] * s - at->u[1] * c - at->p[L2] * omega * omega - at->p[G] * c;
}

static int bottom_f(const ms_point *at, double *dx)
{
    const double c = cos(at->x[0]), s = sin(at->x[0]);
    dx[0] = at->x[1];
    dx[1] = -(at->p[G] * s + at->u[0] * c + at->u[1] * s) / at->p[L2];
    return 0;
}

static int bottom_g(const ms_point *at, double *y)
{
    const double q = negative_tension(at);
    y[0] = -at->p[M2] * q * sin(at->x[0]);
    y[1] = at->p[M2] * q * cos(at->x[0]);
    return 0;
}

static int bottom_jacobian(const ms_point *at, const ms_blocks *block)
{
    const double m = at->p[M2], l = at->p[L2], g = at->p[G];
    const double c = cos(at->x[0]), s = sin(at->x[0]), omega = at->x[1];
    const double q = negative_tension(at);
    const double q_alpha = at->u[0] * c + at->u[1] * s + g * s; /* dq/dalpha */
    if (block->A != NULL) {
        block->A[1] = 1.0;
        block->A[2] = (at->u[0] * s - at->u[1] * c - g * c) / l;
    }
    if (block->B != NULL) {
        block->B[2] = -c / l;
        block->B[3] = -s / l;
    }
    if (block->C != NULL) {
        block->C[0] = -m * (q_alpha * s + q * c);
        block->C[1] = 2.0 * m * l * omega * s;
        block->C[2] = m * (q_alpha * c - q * s);
        block->C[3] = -2.0 * m * l * omega * c;
    }
    if (block->D != NULL) {
        block->D[0] = -m * s * s;
        block->D[1] = block->D[2] = m * s * c;
        block->D[3] = -m * c * c;
    }
    return 0;
}

/* Model -------------------------------------------------------------------------------------------------- */

static const ms_variable states[] = {{"alpha", "rad"}, {"omega", "rad/s"}};
static const ms_variable forces[] = {{"fx", "N"}, {"fy", "N"}};
static const ms_variable accelerations[] = {{"ax", "m/s^2"}, {"ay", "m/s^2"}};

static const ms_subsystem subsystems[] = {
    {.name = "top", .nx = 2, .nu = 2, .ny = 2, .x = states, .u = forces, .y = accelerations,
     .x0_parameter = (const int[]){ALPHA1, -1}, .f = top_f, .g = top_g, .jacobian = top_jacobian},
    {.name = "bottom", .nx = 2, .nu = 2, .ny = 2, .x = states, .u = accelerations, .y = forces,
     .x0_parameter = (const int[]){ALPHA2, -1}, .f = bottom_f, .g = bottom_g, .jacobian = bottom_jacobian},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 1, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 1, .output = 1, .gain = 1.0},
    {.to = 1, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 1, .input = 1, .from = 0, .output = 1, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "damped", .summary = "outputs with the damping term: the monolithic pendulum",
     .source = "Table 6.2", MS_SETTINGS({"output_damping", 1.0})},
    {.name = "as-printed", .summary = "outputs as printed, without the damping term",
     .source = "(6.57), Table 6.2", MS_SETTINGS({"output_damping", 0.0})},
};

const ms_model ms_model_double_pendulum = {
    .name = "double-pendulum",
    .summary = "two pendulums coupled by force and acceleration",
    .source = "Andersson (2016), Example 6.2.1, (6.56)-(6.59), Table 6.2",
    MS_MODEL_LISTS,
    .stop_time = 5.0, .step_size = 0.01,
};
