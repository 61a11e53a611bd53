/* SPDX-License-Identifier: GPL-3.0-or-later */
/* woodpecker, woodpecker-explicit: a toy woodpecker on a sleeve that slides down a bar or is blocked by it.
 *
 * q = (z, phiS, phiB): height of the sleeve, angles of sleeve and bird. The discrete variable `state` is 1
 * (the sleeve is free), 2 or 3 (it is blocked at its upper left and lower right, or at its other corners): equations
 * F_i, i = I, II, III (8.10).
 *
 *     M q'' = (-(mS + mB) g,  cP (phiB - phiS) - mB lS g,  cP (phiS - phiB) - mB lG g) - G^T lambda
 *         ( mS + mB   mB lS            mB lG           )
 *     M = ( mB lS     JS + mB lS^2     mB lS lG        )                          Andersson 2016, (A.2)
 *         ( mB lG     mB lS lG         JB + mB lG^2    )
 *     state 1    lambda = 0                                                                   (A.1)
 *     state 2    G^T lambda = (lambda2, hS lambda1 + rS lambda2, 0)                           (A.3)
 *                0 = hS phiS'',  0 = z'' + rS phiS''
 *     state 3    G^T lambda = (lambda2, -hS lambda1 + rS lambda2, 0)                          (A.4)
 *                0 = -hS phiS'',  0 = z'' + rS phiS''
 *
 * Events, with the indicators of (8.15): g1 = hS phiS + (rS - r0), g2 = hS phiS - (rS - r0), g3 = lambda1,
 * g4 = hB phiB - lS - lG + lB + r0.
 *     1 -> 2   g1 falls through zero and phiB' < 0       (8.12)
 *     1 -> 3   g2 rises through zero and phiB' > 0       (8.11)
 *     2 -> 1   g3 rises through zero and phiB' > 0       (8.13); with release = 1 at any change of its sign
 *     3 -> 1   g3 rises through zero and phiB' < 0       (8.13)
 *     hit      g4 rises through zero and phiB' > 0: phiB' becomes -phiB'; the state stays (8.14)
 * Blocking takes z' and phiS' to zero and keeps I = mB lG z' + mB lS lG phiS' + (JB + mB lG^2) phiB', (8.16)
 * and (8.17). The contact pushes with -lambda1; behind an impact it also pulls, for about 2 ms, until g3
 * falls through zero. An indicator that no transition of the present state asks for is constant.
 *
 * `woodpecker` is the differential-algebraic form with states (q, q', lambda1, lambda2); in
 * `woodpecker-explicit` the multipliers are eliminated. What the print leaves open or gets wrong:
 * - (A.3e), (A.4e) print z' + rS phiS' = 0 (index 2), and the Modelica form z'' + rS phiS'' = 0 (index 1).
 *   Taken is the latter: consistent start values can be computed for it, and as the handler sets z' = phiS' =
 *   0, which both forms then keep, there is no drift.
 * - (A.3a) misses -lambda2; the first-state equations of the Python form have lS where (A.1c) has lG; (8.16)
 *   and (8.17) have lG where (A.2c) has lG^2; the Modelica form starts with phiB'' = 140.059, its multipliers
 *   belong to 1400.59.
 * - (8.13) does not say which way lambda1 changes its sign. Taken is rising, where the contact ceases to push.
 *   The listing takes rising and falling from state 2, and those with phiB' < 0, which rise, from state 3
 *   (release = 1): a falling lambda1 then frees the sleeve where the contact begins to push, the sleeve drops
 *   by 20 um, and its corner blocks it again 2 ms later. All hits but the first shift, by up to 5.3e-5 s within
 *   1 s. As lambda1 depends on phiB alone the sign of phiB' says the same as `rises`, and is not at the mercy of
 *   round-off in lambda1.
 * - the Python form starts at phiS = -0.1, where the sleeve is blocked 3 % before its contact angle, the
 *   Modelica form at the contact angle. Both are cases. */
#include <macrostep/model.h>

enum { M_S, M_B, J_S, J_B, R_0, R_S, H_S, L_S, L_G, L_B, H_B, C_P, GRAVITY, PHI_S0, PHI_B0, RELEASE };
enum { Z, PHI_S, PHI_B, DZ, DPHI_S, DPHI_B, LAMBDA_1, LAMBDA_2 };
enum { FREE = 1, BLOCKED_LEFT = 2, BLOCKED_RIGHT = 3 };

/* Mechanics ---------------------------------------------------------------------------------------------- */

/* M a, (A.2). */
static void inertia(const double *p, const double a[3], double Ma[3])
{
    const double bl = p[M_B] * p[L_S], bg = p[M_B] * p[L_G], sg = p[M_B] * p[L_S] * p[L_G];
    Ma[0] = (p[M_S] + p[M_B]) * a[0] + bl * a[1] + bg * a[2];
    Ma[1] = bl * a[0] + (p[J_S] + bl * p[L_S]) * a[1] + sg * a[2];
    Ma[2] = bg * a[0] + sg * a[1] + (p[J_B] + bg * p[L_G]) * a[2];
}

/* Spring and weight. */
static void applied(const double *p, const double *x, double force[3])
{
    const double spring = p[C_P] * (x[PHI_B] - x[PHI_S]);
    force[0] = -(p[M_S] + p[M_B]) * p[GRAVITY];
    force[1] = spring - p[M_B] * p[L_S] * p[GRAVITY];
    force[2] = -spring - p[M_B] * p[L_G] * p[GRAVITY];
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) +
           c[0] * (a[1] * b[2] - a[2] * b[1]);
}

/* a = M^-1 force, by Cramer's rule. */
static void solve_inertia(const double *p, const double force[3], double a[3])
{
    double column[3][3];
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0.0, 0.0, 0.0};
        unit[j] = 1.0;
        inertia(p, unit, column[j]);
    }
    const double whole = determinant(column[0], column[1], column[2]);
    a[0] = determinant(force, column[1], column[2]) / whole;
    a[1] = determinant(column[0], force, column[2]) / whole;
    a[2] = determinant(column[0], column[1], force) / whole;
}

/* q'' in the given state. */
static void accelerations(const double *p, const double *x, int state, double a[3])
{
    double force[3];
    applied(p, x, force);
    a[0] = a[1] = 0.0;
    if (state == FREE)
        solve_inertia(p, force, a);
    else
        a[2] = force[2] / (p[J_B] + p[M_B] * p[L_G] * p[L_G]);
}

/* lambda1 in a blocked state, from the first two rows of (A.3), (A.4). */
static double multiplier(const double *p, const double *x, int state)
{
    double force[3], a[3], Ma[3];
    applied(p, x, force);
    accelerations(p, x, state, a);
    inertia(p, a, Ma);
    const double lambda2 = force[0] - Ma[0];
    const double moment = force[1] - Ma[1] - p[R_S] * lambda2;
    return (state == BLOCKED_LEFT ? moment : -moment) / p[H_S];
}

static double energy(const double *x, const double *p, const void *data)
{
    (void)data;
    double momentum[3];
    const double *v = x + DZ, twist = x[PHI_B] - x[PHI_S];
    inertia(p, v, momentum);
    const double kinetic = 0.5 * (v[0] * momentum[0] + v[1] * momentum[1] + v[2] * momentum[2]);
    const double height = (p[M_S] + p[M_B]) * x[Z] + p[M_B] * p[L_S] * x[PHI_S] + p[M_B] * p[L_G] * x[PHI_B];
    return kinetic + 0.5 * p[C_P] * twist * twist + p[GRAVITY] * height;
}

/* Events ------------------------------------------------------------------------------------------------- */

static int state_of(const ms_point *at)
{
    return (int)at->z[0];
}

static void indicate(const ms_point *at, double lambda1, double *r)
{
    const double *p = at->p, *x = at->x;
    const double slack = p[R_S] - p[R_0];
    const bool free_sleeve = state_of(at) == FREE;
    r[0] = free_sleeve ? p[H_S] * x[PHI_S] + slack : 1.0;
    r[1] = free_sleeve ? p[H_S] * x[PHI_S] - slack : 1.0;
    r[2] = free_sleeve ? 1.0 : lambda1;
    r[3] = p[H_B] * x[PHI_B] - p[L_S] - p[L_G] + p[L_B] + p[R_0];
}

static int explicit_indicators(const ms_point *at, double *r)
{
    indicate(at, state_of(at) == FREE ? 0.0 : multiplier(at->p, at->x, state_of(at)), r);
    return 0;
}

static int implicit_indicators(const ms_point *at, double *r)
{
    indicate(at, at->x[LAMBDA_1], r);
    return 0;
}

/* Blocks the sleeve: I- = I+ with z'+ = phiS'+ = 0. */
static void block(const double *p, int state, double *x, double *z)
{
    double momentum[3];
    inertia(p, x + DZ, momentum);
    x[DPHI_B] = momentum[2] / (p[J_B] + p[M_B] * p[L_G] * p[L_G]);
    x[DZ] = x[DPHI_S] = 0.0;
    z[0] = state;
}

/* Does this change of sign of lambda1 free the sleeve? */
static bool releases(const ms_point *at, int crossed)
{
    const double speed = at->x[DPHI_B];
    if (at->p[RELEASE] > 0.0 && state_of(at) == BLOCKED_LEFT)
        return crossed != 0;
    return crossed > 0 &&
           (state_of(at) == BLOCKED_LEFT ? speed > 0.0 : state_of(at) == BLOCKED_RIGHT && speed < 0.0);
}

static int handle(const ms_point *at, const ms_event *event)
{
    const int state = state_of(at);
    const int *crossed = event->crossed;
    const double speed = at->x[DPHI_B];
    if (crossed[3] > 0 && speed > 0.0)
        event->x[DPHI_B] = -speed;
    else if (state == FREE && crossed[0] < 0 && speed < 0.0)
        block(at->p, BLOCKED_LEFT, event->x, event->z);
    else if (state == FREE && crossed[1] > 0 && speed > 0.0)
        block(at->p, BLOCKED_RIGHT, event->x, event->z);
    else if (releases(at, crossed[2]))
        event->z[0] = FREE;
    return 0;
}

static int implicit_handle(const ms_point *at, const ms_event *event)
{
    const int status = handle(at, event);
    if (event->z[0] == FREE) /* the others are computed anew where integration goes on */
        event->x[LAMBDA_1] = event->x[LAMBDA_2] = 0.0;
    return status;
}

/* Two forms ---------------------------------------------------------------------------------------------- */

static void start(const double *p, const void *data, double *x)
{
    (void)data;
    x[PHI_S] = p[PHI_S0];
    x[PHI_B] = p[PHI_B0];
}

static int explicit_f(const ms_point *at, double *dx)
{
    for (int j = 0; j < 3; j++)
        dx[j] = at->x[DZ + j];
    accelerations(at->p, at->x, state_of(at), dx + DZ);
    return 0;
}

static int implicit_residual(const ms_point *at, const double *dx, double *r)
{
    const double *p = at->p, *x = at->x, *a = dx + DZ;
    const double side = state_of(at) == BLOCKED_LEFT ? 1.0 : -1.0;
    double force[3], Ma[3];
    applied(p, x, force);
    inertia(p, a, Ma);
    for (int j = 0; j < 3; j++) {
        r[j] = dx[j] - x[DZ + j];
        r[DZ + j] = Ma[j] - force[j];
    }
    if (state_of(at) == FREE) {
        r[LAMBDA_1] = x[LAMBDA_1];
        r[LAMBDA_2] = x[LAMBDA_2];
    } else {
        r[DZ] += x[LAMBDA_2];
        r[DPHI_S] += side * p[H_S] * x[LAMBDA_1] + p[R_S] * x[LAMBDA_2];
        r[LAMBDA_1] = side * p[H_S] * a[1];
        r[LAMBDA_2] = a[0] + p[R_S] * a[1];
    }
    return 0;
}

/* Descriptors -------------------------------------------------------------------------------------------- */

static const ms_variable states[] = {{"z", "m"},       {"phiS", "rad"},    {"phiB", "rad"},
                                     {"zp", "m/s"},    {"phiSp", "rad/s"}, {"phiBp", "rad/s"},
                                     {"lambda1", "N"}, {"lambda2", "N"}};
static const ms_variable discrete[] = {{"state", "1"}};
static const double start_state[] = {BLOCKED_LEFT};
static const double nominal[] = {1.0, 1.0, 1.0, 1.0,
                                 1.0, 1.0, 1.0, 1.0}; /* steps of differences go by them */
static const bool algebraic[] = {[LAMBDA_1] = true, [LAMBDA_2] = true};

static const ms_subsystem explicit_form[] = {{.name = "woodpecker", .nx = 6, .nz = 1, .x = states,
                                              .z = discrete, .z0 = start_state, .start = start,
                                              .x_nominal = nominal, .f = explicit_f, .n_indicators = 4,
                                              .indicators = explicit_indicators, .handle = handle,
                                              .energy = energy}};

static const ms_subsystem implicit_form[] = {{.name = "woodpecker", .nx = 8, .nz = 1, .x = states,
                                              .z = discrete, .z0 = start_state, .start = start,
                                              .x_nominal = nominal, .residual = implicit_residual,
                                              .algebraic = algebraic, .n_indicators = 4,
                                              .indicators = implicit_indicators, .handle = implicit_handle,
                                              .energy = energy}};

#define POSITIVE .max = 1.0, .min_excluded = true

static const ms_parameter parameters[] = {
    [M_S] = {.name = "mS", .unit = "kg", .summary = "mass of the sleeve", .value = 3.0e-4, POSITIVE},
    [M_B] = {.name = "mB", .unit = "kg", .summary = "mass of the bird", .value = 4.5e-3, POSITIVE},
    [J_S] = {.name = "JS", .unit = "kg m^2", .summary = "inertia of the sleeve", .value = 5.0e-9, POSITIVE},
    [J_B] = {.name = "JB", .unit = "kg m^2", .summary = "inertia of the bird", .value = 7.0e-7, POSITIVE},
    [R_0] = {.name = "r0", .unit = "m", .summary = "radius of the bar", .value = 2.5e-3, POSITIVE},
    [R_S] = {.name = "rS", .unit = "m", .summary = "inner radius of the sleeve", .value = 3.1e-3, POSITIVE},
    [H_S] =
        {.name = "hS", .unit = "m", .summary = "half the height of the sleeve", .value = 5.8e-3, POSITIVE},
    [L_S] = {.name = "lS", .unit = "m", .summary = "from the middle of the sleeve to the spring",
             .value = 1.0e-2, POSITIVE},
    [L_G] = {.name = "lG", .unit = "m", .summary = "from the spring to the bird's centre of mass",
             .value = 1.5e-2, POSITIVE},
    [L_B] = {.name = "lB", .unit = "m", .summary = "length of the beak", .value = 2.01e-2, POSITIVE},
    [H_B] = {.name = "hB", .unit = "m", .summary = "height of the beak", .value = 2.0e-2, POSITIVE},
    [C_P] =
        {.name = "cP", .unit = "N m/rad", .summary = "stiffness of the spring", .value = 5.6e-3, POSITIVE},
    [GRAVITY] = {.name = "g", .unit = "m/s^2", .summary = "gravity", .value = 9.81, .max = 100.0},
    [PHI_S0] = {.name = "phiS0", .unit = "rad", .summary = "start value of phiS", .value = -0.1, .min = -1.0,
                .max = 1.0},
    [PHI_B0] = {.name = "phiB0", .unit = "rad", .summary = "start value of phiB", .value = -0.65, .min = -2.0,
                .max = 2.0},
    [RELEASE] =
        {.name = "release", .unit = "1",
         .summary = "the sleeve is freed where lambda1 rises (0), or at any change of its sign as listed (1)",
         .value = 0.0, .max = 1.0, .integer = true},
};

static const ms_case cases[] = {
    {.name = "python", .summary = "start at phiS = -0.1", .source = "8.6.2, A.1, Python form"},
    {.name = "modelica", .summary = "start at phiS = -0.10344", .source = "9.3.1, A.1, Modelica form",
     MS_SETTINGS({"phiS0", -0.10344})}};

const ms_model ms_model_woodpecker = {.name = "woodpecker",
                                      .summary = "a toy woodpecker: a hybrid differential-algebraic system",
                                      .source = "Andersson 2016, 8.6.2, 9.3.1, A.1",
                                      MS_LIST(parameters, parameters),
                                      MS_LIST(cases, cases),
                                      MS_LIST(subsystems, implicit_form),
                                      .stop_time = 1.0,
                                      .step_size = 0.001};

const ms_model ms_model_woodpecker_explicit = {
    .name = "woodpecker-explicit",
    .summary = "the toy woodpecker with its multipliers eliminated: x' = f with events",
    .source = "Andersson 2016, 8.6.2, 9.3.1, A.1",
    MS_LIST(parameters, parameters),
    MS_LIST(cases, cases),
    MS_LIST(subsystems, explicit_form),
    .stop_time = 1.0,
    .step_size = 0.001};
