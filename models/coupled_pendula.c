/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coupled-pendula: two pendula side by side whose bobs a spring connects, as three subsystems.
 *
 *     pendulum   theta' = omega                                                 for left and right
 *                omega' = (-g + u3) sin(theta) / l + (u1 + u2) cos(theta) / l   (7.18), where l = 1 m
 *                u1 = w / m, u2 = fx / m, u3 = fy / m
 *                y = (vx, vy) = l omega (cos(theta), sin(theta))
 *                energy m l^2 omega^2 / 2 + m g l (1 - cos(theta))
 *     spring     ex' = vx_right - vx_left, ey' = vy_right - vy_left
 *                (fx_left, fy_left) = k (1 - l0 / d) (ex, ey) = -(fx_right, fy_right),   d = |(ex, ey)|
 *                energy k (d - l0)^2 / 2
 *     u_pendulum = force of the spring [N], u_spring = velocities of the bobs [m/s]
 *
 * Angles are measured from the downward vertical, axes are x to the right and y upward. The left pivot is the
 * origin and the right one is `distance` away, so that a bob is at (pivot + l sin(theta), -l cos(theta)) and e is the
 * vector from the left bob to the right one; a force F on a bob has the tangential component Fx cos(theta) + Fy
 * sin(theta), which gives (7.18) and its u2 and u3. w is the excitation at the pivots: an acceleration a of both
 * pivots acts on the bobs as the force -m a in their frame.
 *
 * In this form each end of the spring is a bond of force and velocity, no subsystem has feed-through, and all
 * energies are declared. The monolithic model keeps two invariants: e minus the difference of the bobs'
 * positions is zero at the start and stays so. If the spring is as long as the distance of the pivots (l0 =
 * distance), both pendula hang at rest, and small motions about that have the angular frequencies sqrt(g / l) (in
 * phase) and sqrt(g / l + 2 k / m) (in opposite phase). f and g are undefined for d = 0.
 *
 * Source: Andersson (2016), 7.4.2, (7.18), Figure 7.6, Table 7.3.
 * Not printed, chosen here: m = 1 kg, l = 1 m, g = 9.81 m/s^2, and in case `stiff` k = 1000 N/m, pivots 0.5 m
 * apart, l0 = 1 m, both pendula at 0.5 rad at rest, no excitation (the spring is half compressed), H = 0.002
 * s. Case `soft`, the default, is this project's own. */
#include <math.h>

#include <macrostep/model.h>

enum { M, L, G, K, REST, DISTANCE, THETA1, OMEGA1, THETA2, OMEGA2, EXCITATION, FREQUENCY, N_PARAMETERS };

static const ms_parameter parameters[N_PARAMETERS] = {
    [M] = {"m", "kg", "mass of each bob", 1.0, 0.0, INFINITY, true, false},
    [L] = {"l", "m", "length of each pendulum", 1.0, 0.0, INFINITY, true, false},
    [G] = {"g", "m/s^2", "gravity", 9.81, 0.0, INFINITY, false, false},
    [K] = {"k", "N/m", "stiffness of the spring", 10.0, 0.0, INFINITY, true, false},
    [REST] = {"rest_length", "m", "length of the unloaded spring", 0.5, 0.0, INFINITY, false, false},
    [DISTANCE] = {"distance", "m", "distance of the pivots", 0.5, 0.0, INFINITY, true, false},
    [THETA1] = {"theta1", "rad", "start angle of the left pendulum", 0.5, -INFINITY, INFINITY, false, false},
    [OMEGA1] = {"omega1", "rad/s", "its start angular velocity", 0.0, -INFINITY, INFINITY, false, false},
    [THETA2] = {"theta2", "rad", "start angle of the right pendulum", -0.2, -INFINITY, INFINITY, false,
                false},
    [OMEGA2] = {"omega2", "rad/s", "its start angular velocity", 0.0, -INFINITY, INFINITY, false, false},
    [EXCITATION] = {"excitation", "N", "amplitude of the force w = excitation sin(2 pi frequency t)", 0.0,
                    0.0, INFINITY, false, false},
    [FREQUENCY] = {"frequency", "Hz", "its frequency", 1.0, 0.0, INFINITY, false, false},
};

/* Pendula ---------------------------------------------------------------------------------------------- */

static int pendulum_f(const ms_point *at, double *dx)
{
    const double m = at->p[M], g = at->p[G], fx = at->w[0] + at->u[0], fy = at->u[1];
    dx[0] = at->x[1];
    dx[1] = ((-g + fy / m) * sin(at->x[0]) + fx / m * cos(at->x[0])) / at->p[L];
    return 0;
}

static int pendulum_g(const ms_point *at, double *y)
{
    const double speed = at->p[L] * at->x[1];
    y[0] = speed * cos(at->x[0]);
    y[1] = speed * sin(at->x[0]);
    return 0;
}

static int pendulum_jacobian(const ms_point *at, const ms_blocks *block)
{
    const double m = at->p[M], l = at->p[L], g = at->p[G], fx = at->w[0] + at->u[0], fy = at->u[1];
    const double c = cos(at->x[0]), s = sin(at->x[0]), omega = at->x[1];
    if (block->A != NULL) {
        block->A[0] = block->A[3] = 0.0;
        block->A[1] = 1.0;
        block->A[2] = ((-g + fy / m) * c - fx / m * s) / l;
    }
    if (block->B != NULL) {
        block->B[0] = block->B[1] = 0.0;
        block->B[2] = c / (m * l);
        block->B[3] = s / (m * l);
    }
    if (block->C != NULL) {
        block->C[0] = -l * omega * s;
        block->C[1] = l * c;
        block->C[2] = l * omega * c;
        block->C[3] = l * s;
    }
    if (block->D != NULL)
        for (int k = 0; k < 4; k++)
            block->D[k] = 0.0;
    return 0;
}

static double pendulum_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    const double speed = p[L] * x[1];
    return 0.5 * p[M] * speed * speed + p[M] * p[G] * p[L] * (1.0 - cos(x[0]));
}

static void pendulum_external(double t, const double *p, const void *data, double *w)
{
    (void)data;
    w[0] = p[EXCITATION] * sin(2.0 * 3.14159265358979323846 * p[FREQUENCY] * t);
}

/* Spring ----------------------------------------------------------------------------------------------- */

static int spring_f(const ms_point *at, double *dx)
{
    dx[0] = at->u[2] - at->u[0];
    dx[1] = at->u[3] - at->u[1];
    return 0;
}

static int spring_g(const ms_point *at, double *y)
{
    const double d = hypot(at->x[0], at->x[1]);
    if (!(d > 0.0))
        return 1;
    const double tension = at->p[K] * (1.0 - at->p[REST] / d); /* by elongation [N/m] */
    for (int k = 0; k < 2; k++) {
        y[k] = tension * at->x[k];
        y[2 + k] = -y[k];
    }
    return 0;
}

static int spring_jacobian(const ms_point *at, const ms_blocks *block)
{
    const double d = hypot(at->x[0], at->x[1]);
    if (!(d > 0.0))
        return 1;
    if (block->A != NULL)
        for (int k = 0; k < 4; k++)
            block->A[k] = 0.0;
    for (int k = 0; k < 8 && block->B != NULL; k++)
        block->B[k] = k % 4 == k / 4 ? -1.0 : k % 4 == 2 + k / 4 ? 1.0 : 0.0;
    for (int i = 0; i < 2 && block->C != NULL; i++)
        for (int j = 0; j < 2; j++) { /* k ((1 - l0/d) I + l0 e e^T / d^3) */
            const double same = i == j ? 1.0 - at->p[REST] / d : 0.0;
            const double c = at->p[K] * (same + at->p[REST] * (at->x[i] / d) * (at->x[j] / d) / d);
            block->C[2 * i + j] = c;
            block->C[2 * (2 + i) + j] = -c;
        }
    if (block->D != NULL)
        for (int k = 0; k < 16; k++)
            block->D[k] = 0.0;
    return 0;
}

static double spring_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    const double elongation = hypot(x[0], x[1]) - p[REST];
    return 0.5 * p[K] * elongation * elongation;
}

static void spring_start(const double *p, const void *data, double *x)
{
    (void)data;
    x[0] = p[DISTANCE] + p[L] * (sin(p[THETA2]) - sin(p[THETA1]));
    x[1] = p[L] * (cos(p[THETA1]) - cos(p[THETA2]));
}

/* Model ------------------------------------------------------------------------------------------------ */

static const ms_variable angles[] = {{"theta", "rad"}, {"omega", "rad/s"}};
static const ms_variable forces[] = {{"fx", "N"}, {"fy", "N"}};
static const ms_variable velocities[] = {{"vx", "m/s"}, {"vy", "m/s"}};
static const ms_variable excitation[] = {{"w", "N"}};
static const ms_variable elongations[] = {{"ex", "m"}, {"ey", "m"}};
static const ms_variable end_velocities[] = {
    {"vx_left", "m/s"}, {"vy_left", "m/s"}, {"vx_right", "m/s"}, {"vy_right", "m/s"}};
static const ms_variable end_forces[] = {
    {"fx_left", "N"}, {"fy_left", "N"}, {"fx_right", "N"}, {"fy_right", "N"}};
static const bool no_feed_through[16] = {false};

/* The force on a bob does the power F v on the pendulum and -F v on the spring. */
static const ms_port pendulum_ports[] = {{.name = "x", .input = 0, .output = 0, .gain = 1.0},
                                         {.name = "y", .input = 1, .output = 1, .gain = 1.0}};
static const ms_port spring_ports[] = {{.name = "left-x", .input = 0, .output = 0, .gain = -1.0},
                                       {.name = "left-y", .input = 1, .output = 1, .gain = -1.0},
                                       {.name = "right-x", .input = 2, .output = 2, .gain = -1.0},
                                       {.name = "right-y", .input = 3, .output = 3, .gain = -1.0}};

static const ms_subsystem subsystems[] = {
    {.name = "left", .nx = 2, .nu = 2, .ny = 2, .nw = 1, .x = angles, .u = forces, .y = velocities,
     .w = excitation, .x0_parameter = (const int[]){THETA1, OMEGA1}, .f = pendulum_f, .g = pendulum_g,
     .jacobian = pendulum_jacobian,
     .feed_through = no_feed_through, .external = pendulum_external, .energy = pendulum_energy,
     MS_LIST(ports, pendulum_ports)},
    {.name = "right", .nx = 2, .nu = 2, .ny = 2, .nw = 1, .x = angles, .u = forces, .y = velocities,
     .w = excitation, .x0_parameter = (const int[]){THETA2, OMEGA2}, .f = pendulum_f, .g = pendulum_g,
     .jacobian = pendulum_jacobian,
     .feed_through = no_feed_through, .external = pendulum_external, .energy = pendulum_energy,
     MS_LIST(ports, pendulum_ports)},
    {.name = "spring", .nx = 2, .nu = 4, .ny = 4, .x = elongations, .u = end_velocities, .y = end_forces,
     .start = spring_start, .f = spring_f, .g = spring_g, .jacobian = spring_jacobian,
     .feed_through = no_feed_through, .energy = spring_energy, MS_LIST(ports, spring_ports)},
};

static const ms_wire wires[] = {
    {.to = 0, .input = 0, .from = 2, .output = 0, .gain = 1.0},
    {.to = 0, .input = 1, .from = 2, .output = 1, .gain = 1.0},
    {.to = 1, .input = 0, .from = 2, .output = 2, .gain = 1.0},
    {.to = 1, .input = 1, .from = 2, .output = 3, .gain = 1.0},
    {.to = 2, .input = 0, .from = 0, .output = 0, .gain = 1.0},
    {.to = 2, .input = 1, .from = 0, .output = 1, .gain = 1.0},
    {.to = 2, .input = 2, .from = 1, .output = 0, .gain = 1.0},
    {.to = 2, .input = 3, .from = 1, .output = 1, .gain = 1.0},
};

static const ms_case cases[] = {
    {.name = "soft", .summary = "10 N/m, as long as the pivots are apart: energy wanders between the pendula",
     .source = "this project",
     MS_SETTINGS({"k", 10.0}, {"rest_length", 0.5}, {"theta1", 0.5}, {"theta2", -0.2})},
    {.name = "stiff", .summary = "1000 N/m, half compressed at the start",
     .source = "Table 7.3, values chosen here",
     MS_SETTINGS({"k", 1000.0}, {"rest_length", 1.0}, {"theta1", 0.5}, {"theta2", 0.5}),
     .stop_time = 2.0, .step_size = 0.002},
};

const ms_model ms_model_coupled_pendula = {
    .name = "coupled-pendula",
    .summary = "two pendula whose bobs a spring connects, with energies",
    .source = "Andersson (2016), 7.4.2, (7.18), Figure 7.6, Table 7.3",
    MS_MODEL_LISTS,
    .stop_time = 5.0, .step_size = 0.02,
};
