/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bell.c - a bell: a pendulum that a wall stops.
 *
 *     theta' = omega,  omega' = -(g0 / l) sin theta            Andersson 2016 (8.5), (8.6)
 *     wall at theta = -3 pi / 4: indicator theta + 3 pi / 4    (8.7)
 *     at the wall omega+ = -omega-                             (8.8)
 *
 * The indicator has 3 pi / 4 with the digits behind those of a double, so that it is zero at no angle, as the
 * wall itself is at none. It is met again as soon as theta comes back through the wall's angle. So z = armed
 * says whether the wall acts: it is disarmed by the impact, and armed again by a step event, after the first
 * micro-step at whose end omega is negative (Andersson 2016, 8.3). With armed-always = 1 the wall acts
 * always, and the pendulum sticks to it, as the text says.
 *
 * Not printed, chosen here: l = 1 m, g0 = 9.81 m/s^2, start at theta = pi / 2 with omega = -4 rad/s, 10 s. */
#include <math.h>

#include <macrostep/model.h>

enum { GRAVITY, LENGTH, ARMED_ALWAYS };
enum { THETA, OMEGA };

/* 3 pi / 4 is the sum. */
static const double wall = 2.35619449019234483700, wall_rest = 9.1848509936051484e-17;

static int bell_f(const ms_point *at, double *dx)
{
    dx[THETA] = at->x[OMEGA];
    dx[OMEGA] = -at->p[GRAVITY] / at->p[LENGTH] * sin(at->x[THETA]);
    return 0;
}

static int bell_indicators(const ms_point *at, double *r)
{
    const bool armed = at->z[0] != 0.0 || at->p[ARMED_ALWAYS] != 0.0;
    r[0] = armed ? (at->x[THETA] + wall) + wall_rest : 1.0;
    return 0;
}

static bool bell_step_event(const ms_point *at)
{
    return at->z[0] == 0.0 && at->x[OMEGA] < 0.0;
}

static int bell_handle(const ms_point *at, const ms_event *event)
{
    if (event->state) {
        event->x[OMEGA] = -at->x[OMEGA];
        event->z[0] = 0.0;
    } else if (event->step) {
        event->z[0] = 1.0;
    }
    return 0;
}

/* Energy over l^2 and mass 1 kg. */
static double bell_energy(const double *x, const double *p, const void *data)
{
    (void)data;
    return 0.5 * p[LENGTH] * p[LENGTH] * x[OMEGA] * x[OMEGA] + p[GRAVITY] * p[LENGTH] * (1.0 - cos(x[THETA]));
}

static const ms_variable states[] = {{"theta", "rad"}, {"omega", "rad/s"}};
static const ms_variable discrete[] = {{"armed", "1"}};
static const double start[] = {1.57079632679489662, -4.0};
static const double armed[] = {1.0};
static const double nominal[] = {1.0, 1.0};

static const ms_subsystem subsystems[] = {{.name = "bell", .nx = 2, .nz = 1, .x = states, .z = discrete,
                                           .x0 = start, .x_nominal = nominal, .z0 = armed, .f = bell_f,
                                           .n_indicators = 1, .indicators = bell_indicators,
                                           .step_event = bell_step_event, .handle = bell_handle,
                                           .energy = bell_energy}};

static const ms_parameter parameters[] = {
    [GRAVITY] = {.name = "g0", .unit = "m/s^2", .summary = "gravity", .value = 9.81, .max = 100.0},
    [LENGTH] = {.name = "l", .unit = "m", .summary = "length of the pendulum", .value = 1.0, .max = 100.0,
                .min_excluded = true},
    [ARMED_ALWAYS] = {.name = "armed-always", .unit = "1",
                      .summary = "1: the wall acts always, without a step event", .max = 1.0,
                      .integer = true},
};

static const ms_case cases[] = {
    {.name = "default", .summary = "start at a right angle, towards the wall", .source = "chosen here"}};

const ms_model ms_model_bell = {.name = "bell",
                                .summary = "a pendulum that a wall stops, with state and step events",
                                .source = "Andersson 2016, 8.3, (8.5)-(8.8)",
                                MS_LIST(parameters, parameters),
                                MS_LIST(cases, cases),
                                MS_LIST(subsystems, subsystems),
                                .stop_time = 10.0,
                                .step_size = 0.01};
