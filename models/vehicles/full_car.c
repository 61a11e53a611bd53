/* SPDX-License-Identifier: GPL-3.0-or-later */
/* full-car: a body on four wheels, five linear subsystems.
 *
 * Axes: x forwards, y to the left, z upwards, origin in the body's centre of mass; deviations from rest under
 * gravity. Wheel i is at r = (x, y, 0): x = a in front, -b behind; y = track/2 left, -track/2 right.
 *
 *     chassis  z'' = sum f_z / m                      heave z, roll phi about x, pitch theta about y
 *              phi'' = (sum t_x + m h a_y) / i_x
 *              theta'' = (sum t_y - m h a_x) / i_y
 *              y = height and velocity of each corner: z_c = z + y phi - x theta, v_c = z_c'
 *     wheel    z_w'' = (k_t (road - z_w) - f_z) / m_w,   f_z = k (z_w - z_c) + d (z_w' - v_c)
 *              y = f = f_z (-tan caster, side tan inclination, 1),  t = r x f    u = (z_c, v_c)
 *
 * f and t are force and moment of the strut on the body, about the centre of mass: spatial vectors, as outputs of a
 * wheel. The strut leans backwards by the caster angle and inwards by the inclination, side = -1 left and 1 right; k,
 * d are those of vertical motion. The body follows its course at its speed for any f_x, f_y and t_z: these are taken
 * by the guidance, do no work, and change none of its states. The course acts through the accelerations a_x, a_y of
 * the centre of mass at the height h above the axes of roll and pitch.
 *
 * Wheels have direct feed-through, from both inputs to all six outputs; the chassis has none, so that
 * there is no algebraic loop: all outputs follow from one evaluation of the chassis and then of each
 * wheel, five in all, and from 1 + 4 * 6 = 25 if outputs of a wheel are evaluated one by one.
 *
 * With a = b and equal springs and dampers the eigenvalues are those of three quarter cars,
 *
 *     (M s^2 + d s + k)(m_w s^2 + d s + k + k_t) = (d s + k)^2,   M = m/4, i_x/track^2, i_y/(4 a^2)
 *
 * for heave, roll and pitch, and m_w s^2 + d s + k + k_t = 0 where the wheels of each diagonal move
 * against those of the other one.
 *
 * External inputs: the road's height under each wheel, a bump B/2 (1 - cos(2 pi xi)), xi = 0 .. 1 along
 * its length; and a_x, a_y. The front axle is at s = speed t + acceleration t^2/2, the rear axle a + b
 * behind. The course of the case `eight` has the curvature kappa sin(2 pi s/L), kappa = 3 pi^2/(2 L), so
 * that each of its two loops turns by 3 pi/2, and a_y = kappa sin(2 pi s/L) s'^2.
 *
 * No energies are declared: that of the suspension depends on the states of two subsystems.
 *
 * Source: made here. It replaces the race car of Andersson (2016), 5.3.2, 6.4.2, 9.3.4 and A.4, a
 * commercial model of 47 states and 172 connections. Taken over: five subsystems, six outputs of each
 * wheel (t, f) with feed-through, a chassis without, an eight-shaped course with increasing speed, 25 s in
 * steps of 0.01 s. Chosen here: everything else; the values are in the range of passenger cars. */
#include <math.h>

#include <macrostep/model.h>

enum {
    M, I_X, I_Y, A, B, TRACK, H, M_W, K_FRONT, K_REAR, D_FRONT, D_REAR, K_T, CASTER, INCLINATION,
    SPEED, ACCELERATION, COURSE, BUMP, BUMP_AT, BUMP_LENGTH, BUMP_SIDE, N_PARAMETERS
};
enum { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS };
enum { BOTH_SIDES, LEFT_SIDE };
enum { FX, FY, FZ, TX, TY, TZ, COMPONENTS };

static const double PI = 3.14159265358979323846;

static const ms_parameter parameters[N_PARAMETERS] = {
    [M] = {"m", "kg", "mass of the body", 1200.0, 0.0, INFINITY, true, false},
    [I_X] = {"i_x", "kg m^2", "moment of inertia about the roll axis", 500.0, 0.0, INFINITY, true, false},
    [I_Y] = {"i_y", "kg m^2", "moment of inertia about the pitch axis", 1800.0, 0.0, INFINITY, true, false},
    [A] = {"a", "m", "centre of mass to the front axle", 1.2, 0.0, INFINITY, true, false},
    [B] = {"b", "m", "centre of mass to the rear axle", 1.4, 0.0, INFINITY, true, false},
    [TRACK] = {"track", "m", "distance of left and right wheels", 1.5, 0.0, INFINITY, true, false},
    [H] = {"h", "m", "centre of mass above the axes of roll and pitch", 0.45, 0.0, INFINITY, false, false},
    [M_W] = {"m_w", "kg", "mass of each wheel", 40.0, 0.0, INFINITY, true, false},
    [K_FRONT] = {"k_front", "N/m", "stiffness of each front strut", 20000.0, 0.0, INFINITY, false, false},
    [K_REAR] = {"k_rear", "N/m", "stiffness of each rear strut", 22000.0, 0.0, INFINITY, false, false},
    [D_FRONT] = {"d_front", "N s/m", "damping of each front strut", 1500.0, 0.0, INFINITY, false, false},
    [D_REAR] = {"d_rear", "N s/m", "damping of each rear strut", 1500.0, 0.0, INFINITY, false, false},
    [K_T] = {"k_t", "N/m", "stiffness of each tyre", 200000.0, 0.0, INFINITY, true, false},
    [CASTER] = {"caster", "rad", "angle by which struts lean backwards", 0.1, -1.0, 1.0, false, false},
    [INCLINATION] = {"inclination", "rad", "angle by which struts lean inwards", 0.2, -1.0, 1.0, false,
                     false},
    [SPEED] = {"speed", "m/s", "speed at the start", 10.0, 0.0, INFINITY, false, false},
    [ACCELERATION] = {"acceleration", "m/s^2", "increase of the speed", 0.0, 0.0, INFINITY, false, false},
    [COURSE] = {"course", "m", "length of the eight-shaped course; 0: straight on", 0.0, 0.0, INFINITY, false,
                false},
    [BUMP] = {"bump", "m", "height of the bump", 0.05, -INFINITY, INFINITY, false, false},
    [BUMP_AT] = {"bump_at", "m", "where the bump begins, ahead of the front axle", 0.0, 0.0, INFINITY, false,
                 false},
    [BUMP_LENGTH] = {"bump_length", "m", "length of the bump", 2.0, 0.0, INFINITY, true, false},
    [BUMP_SIDE] = {"bump_side", "1", "0: under both wheels of an axle, 1: under the left one", 0.0, 0.0, 1.0,
                   false, true},
};

static double wheel_x(const double *p, int wheel)
{
    return wheel == FRONT_LEFT || wheel == FRONT_RIGHT ? p[A] : -p[B];
}

static double wheel_y(const double *p, int wheel)
{
    return (wheel == FRONT_LEFT || wheel == REAR_LEFT ? 0.5 : -0.5) * p[TRACK];
}

/* Road and course ---------------------------------------------------------------------------------------- */

static double front_axle(double t, const double *p)
{
    return (p[SPEED] + 0.5 * p[ACCELERATION] * t) * t;
}

static void road(double t, const double *p, const void *data, double *w)
{
    const int wheel = *(const int *)data;
    const double behind = p[A] - wheel_x(p, wheel);
    const double along = (front_axle(t, p) - behind - p[BUMP_AT]) / p[BUMP_LENGTH];
    const bool hit = p[BUMP_SIDE] == BOTH_SIDES || wheel == FRONT_LEFT || wheel == REAR_LEFT;
    w[0] = hit && along > 0.0 && along < 1.0 ? 0.5 * p[BUMP] * (1.0 - cos(2.0 * PI * along)) : 0.0;
}

static void accelerations(double t, const double *p, const void *data, double *w)
{
    (void)data;
    const double speed = p[SPEED] + p[ACCELERATION] * t, length = p[COURSE];
    w[0] = p[ACCELERATION];
    w[1] = length > 0.0
               ? 1.5 * PI * PI / length * sin(2.0 * PI * front_axle(t, p) / length) * speed * speed
               : 0.0;
}

/* Chassis ------------------------------------------------------------------------------------------------ */

/* x = (z, z', phi, phi', theta, theta'), u = f and t of each wheel, y = (z_c, v_c) of each. */
static void chassis_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    enum { NX = 6, NU = WHEELS * COMPONENTS, NW = 2 };
    m->A[1] = m->A[2 * NX + 3] = m->A[4 * NX + 5] = 1.0;
    for (int i = 0; i < WHEELS; i++) {
        const double corner[] = {1.0, wheel_y(p, i), -wheel_x(p, i)};
        m->B[1 * NU + i * COMPONENTS + FZ] = 1.0 / p[M];
        m->B[3 * NU + i * COMPONENTS + TX] = 1.0 / p[I_X];
        m->B[5 * NU + i * COMPONENTS + TY] = 1.0 / p[I_Y];
        for (int k = 0; k < 3; k++) {
            m->C[(2 * i) * NX + 2 * k] = corner[k];
            m->C[(2 * i + 1) * NX + 2 * k + 1] = corner[k];
        }
    }
    m->E[3 * NW + 1] = p[M] * p[H] / p[I_X];
    m->E[5 * NW] = -p[M] * p[H] / p[I_Y];
}

/* Wheels ------------------------------------------------------------------------------------------------- */

/* x = (z_w, z_w'), u = (z_c, v_c), y = (f, t). */
static void wheel_matrices(const double *p, const void *data, const ms_blocks *m)
{
    const int wheel = *(const int *)data;
    const bool front = wheel == FRONT_LEFT || wheel == FRONT_RIGHT;
    const double k = p[front ? K_FRONT : K_REAR], d = p[front ? D_FRONT : D_REAR];
    const double x = wheel_x(p, wheel), y = wheel_y(p, wheel), side = y > 0.0 ? -1.0 : 1.0;
    const double fx = -tan(p[CASTER]), fy = side * tan(p[INCLINATION]);
    const double share[COMPONENTS] = {fx, fy, 1.0, y, -x, x * fy - y * fx}; /* f and r x f for f_z = 1 */
    m->A[1] = 1.0;
    m->A[2] = -(k + p[K_T]) / p[M_W];
    m->A[3] = -d / p[M_W];
    m->B[2] = k / p[M_W];
    m->B[3] = d / p[M_W];
    m->E[1] = p[K_T] / p[M_W];
    for (int j = 0; j < COMPONENTS; j++) {
        m->C[2 * j] = share[j] * k;
        m->C[2 * j + 1] = share[j] * d;
        m->D[2 * j] = -share[j] * k;
        m->D[2 * j + 1] = -share[j] * d;
    }
}

/* Model -------------------------------------------------------------------------------------------------- */

static const ms_variable body[] = {{"z", "m"},          {"v_z", "m/s"},    {"phi", "rad"},
                                   {"omega_x", "rad/s"}, {"theta", "rad"}, {"omega_y", "rad/s"}};
static const ms_variable wheel_states[] = {{"z_w", "m"}, {"v_w", "m/s"}};
static const ms_variable corner[] = {{"z_c", "m"}, {"v_c", "m/s"}};
static const ms_variable corners[] = {{"z_fl", "m"}, {"v_fl", "m/s"}, {"z_fr", "m"}, {"v_fr", "m/s"},
                                      {"z_rl", "m"}, {"v_rl", "m/s"}, {"z_rr", "m"}, {"v_rr", "m/s"}};
static const ms_variable strut[] = {{"f_x", "N"},   {"f_y", "N"},   {"f_z", "N"},
                                    {"t_x", "N m"}, {"t_y", "N m"}, {"t_z", "N m"}};
#define OF_WHEEL(w)                                                                                          \
    {"f_x_" w, "N"}, {"f_y_" w, "N"}, {"f_z_" w, "N"}, {"t_x_" w, "N m"}, {"t_y_" w, "N m"}, {"t_z_" w, "N m"}
static const ms_variable struts[] = {OF_WHEEL("fl"), OF_WHEEL("fr"), OF_WHEEL("rl"), OF_WHEEL("rr")};
static const ms_variable accelerated[] = {{"a_x", "m/s^2"}, {"a_y", "m/s^2"}}, height[] = {{"road", "m"}};
static const int wheels[] = {FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT};

#define WHEEL(name_, index)                                                                                  \
    {.name = name_, .nx = 2, .nu = 2, .ny = COMPONENTS, .nw = 1, .x = wheel_states, .u = corner, .y = strut, \
     .w = height, .matrices = wheel_matrices, .external = road, .data = &wheels[index]}

static const ms_subsystem subsystems[] = {
    {.name = "chassis", .nx = 6, .nu = WHEELS * COMPONENTS, .ny = 2 * WHEELS, .nw = 2, .x = body, .u = struts,
     .y = corners, .w = accelerated, .matrices = chassis_matrices, .external = accelerations},
    WHEEL("front-left", FRONT_LEFT),
    WHEEL("front-right", FRONT_RIGHT),
    WHEEL("rear-left", REAR_LEFT),
    WHEEL("rear-right", REAR_RIGHT),
};

/* Subsystem i is wheel i - 1: height and velocity of its corner, and what its strut does to the body. */
#define CORNER(i, j) {i, j, 0, 2 * ((i)-1) + (j), 1.0}
#define STRUT(i, j) {0, COMPONENTS *((i)-1) + (j), i, j, 1.0}
#define WIRES(i)                                                                                             \
    CORNER(i, 0), CORNER(i, 1), STRUT(i, FX), STRUT(i, FY), STRUT(i, FZ), STRUT(i, TX), STRUT(i, TY),        \
        STRUT(i, TZ)

static const ms_wire wires[] = {WIRES(1), WIRES(2), WIRES(3), WIRES(4)};

static const ms_case cases[] = {
    {.name = "bump", .summary = "straight on over a bump at 10 m/s: heave and pitch",
     .source = "chosen here"},
    {.name = "one-sided", .summary = "the bump under the left wheels: heave, pitch and roll",
     .source = "chosen here", MS_SETTINGS({"bump_side", LEFT_SIDE})},
    {.name = "eight", .summary = "an eight-shaped course with increasing speed: the body leans both ways",
     .source = "after Andersson (2016), 5.3.2 and A.4",
     MS_SETTINGS({"speed", 3.0}, {"acceleration", 0.24}, {"course", 150.0}, {"bump", 0.0}),
     .stop_time = 25.0, .step_size = 0.01},
};

const ms_model ms_model_full_car = {
    .name = "full-car",
    .summary = "a body on four wheels: five subsystems, feed-through in the wheels, no loop",
    .source = "made here, in place of the race car of Andersson (2016), 5.3.2 and 9.3.4",
    MS_MODEL_LISTS,
    .stop_time = 2.0, .step_size = 0.005,
};
