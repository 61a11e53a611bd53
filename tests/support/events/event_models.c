/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_models.h"

#include "small_model.h"
#include "support.h"

#include <math.h>

static const double GRAVITY = 10.0, RESTITUTION = 0.8;

/* Ball --------------------------------------------------------------------------------------------------- */

static int ball_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = -GRAVITY;
    return 0;
}

static int ball_indicators(const ms_point *at, double *r)
{
    r[0] = at->x[0];
    return 0;
}

static int ball_handle(const ms_point *at, const ms_event *event)
{
    if (event->state && event->crossed[0] < 0)
        event->x[1] = -RESTITUTION * at->x[1];
    return 0;
}

static int ball_g(const ms_point *at, double *y)
{
    y[0] = at->x[1];
    return 0;
}

static void ball_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[1] = 1.0;
    m->C[1] = 1.0;
    m->E[1] = 1.0;
}

static void ball_external(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)p, (void)data;
    w[0] = -GRAVITY;
}

double support_ball_impact(int k)
{
    const double first = sqrt(2.0 * 1.25 / GRAVITY), v = GRAVITY * first;
    double t = first;
    for (int j = 1; j <= k; j++)
        t += 2.0 * v * pow(RESTITUTION, j) / GRAVITY;
    return t;
}

void support_ball_exact(double t, double *h, double *v)
{
    int k = 0;
    while (support_ball_impact(k) <= t)
        k++;
    if (k == 0) {
        *h = 1.25 - 0.5 * GRAVITY * t * t;
        *v = -GRAVITY * t;
    } else {
        const double after = t - support_ball_impact(k - 1),
                     start = GRAVITY * support_ball_impact(0) * pow(RESTITUTION, k);
        *h = start * after - 0.5 * GRAVITY * after * after;
        *v = start - GRAVITY * after;
    }
}

/* Time events -------------------------------------------------------------------------------------------- */

static int follow_z(const ms_point *at, double *dx)
{
    dx[0] = at->z[0];
    return 0;
}

static double pulses_next(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    double k = floor(t * 10.0) - 1.0;
    while (k / 10.0 <= t)
        k += 1.0;
    return k / 10.0;
}

static int pulses_handle(const ms_point *at, const ms_event *event)
{
    if (event->time)
        event->z[0] = -at->z[0];
    return event->time ? 0 : 1;
}

static double alarms_next(double t, const double *z, const double *p, const void *data)
{
    (void)t, (void)p, (void)data;
    return z[1] / 10.0;
}

static int alarms_handle(const ms_point *at, const ms_event *event)
{
    if (!event->time)
        return 1;
    event->z[0] = -at->z[0];
    event->z[1] = at->z[1] + 1.0;
    return 0;
}

static int no_motion(const ms_point *at, double *dx)
{
    (void)at;
    dx[0] = 0.0;
    return 0;
}

static int jumps_handle(const ms_point *at, const ms_event *event)
{
    event->x[0] = at->x[0] + 1.0;
    return 0;
}

static double stuck_next(double t, const double *z, const double *p, const void *data)
{
    (void)t, (void)z, (void)p, (void)data;
    return 0.5;
}

/* Others ------------------------------------------------------------------------------------------------- */

static int decay_f(const ms_point *at, double *dx)
{
    dx[0] = -at->x[0];
    return 0;
}

static bool first_steps(const ms_point *at)
{
    return at->z[0] < 10.0;
}

static int steps_handle(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + 1.0;
    return event->step && !event->state && !event->time ? 0 : 1;
}

int support_relay_f(const ms_point *at, double *dx)
{
    dx[0] = at->z[0] - at->x[0];
    return 0;
}

static int relay_indicators(const ms_point *at, double *r)
{
    r[0] = at->u[0] - 0.5;
    return 0;
}

int support_relay_handle(const ms_point *at, const ms_event *event)
{
    (void)at;
    event->z[0] = event->crossed[0] > 0 ? 1.0 : -1.0;
    return event->state ? 0 : 1;
}

static int contacts_f(const ms_point *at, double *dx)
{
    (void)at;
    dx[0] = 1.0;
    dx[1] = 2.0;
    return 0;
}

static int contacts_indicators(const ms_point *at, double *r)
{
    r[0] = at->x[0] - 0.35;
    r[1] = 0.7 - at->x[1];
    r[2] = at->x[0] + at->x[1] - 0.75;
    return 0;
}

static int contacts_handle(const ms_point *at, const ms_event *event)
{
    for (int k = 0; k < 3; k++)
        event->z[k] = at->z[k] + 10.0 * (event->crossed[k] > 0) + (event->crossed[k] < 0);
    event->z[3] = at->z[3] + 1.0;
    return 0;
}

static int sliding_handle(const ms_point *at, const ms_event *event)
{
    (void)at;
    event->z[0] = event->crossed[0] > 0 ? -1.0 : 1.0;
    return 0;
}

static int counter_indicators(const ms_point *at, double *r)
{
    r[0] = at->u[0];
    return 0;
}

static double counter_next(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return 0.5 * floor((t - 0.25) / 0.5) + 0.75;
}

static int counter_handle(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + (event->state ? 1.0 : 0.0) + (event->time ? 100.0 : 0.0);
    return 0;
}

static int counter_g(const ms_point *at, double *y)
{
    y[0] = at->z[0];
    return 0;
}

static int fast_f(const ms_point *at, double *dx)
{
    dx[0] = -1000.0 * (at->x[0] - cos(at->t));
    return 0;
}

static int fast_indicators(const ms_point *at, double *r)
{
    r[0] = at->x[0] - 0.8;
    return 0;
}

int support_event_count(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + 1.0;
    event->z[1] = at->t;
    return 0;
}

static void broken_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->C[0] = 1.0;
    m->E[0] = 1.0;
    m->F[0] = 1.0;
}

static void broken_external(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = t >= 0.3 && t < 0.55 ? 1.0 : 0.0;
}

static double broken_next(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return t < 0.3 ? 0.3 : t < 0.55 ? 0.55 : INFINITY;
}

static const double high[] = {1.25, 0.0}, one[] = {1.0, 1.0}, low[] = {-1.0, 0.0};

static const ms_subsystem subsystems[] = {
    [SUPPORT_BALL] =
        SUPPORT_SUBSYSTEM("ball", 2, 0, 1, .x0 = high, .f = ball_f, .g = ball_g, .n_indicators = 1,
                          .indicators = ball_indicators, .handle = ball_handle),
    [SUPPORT_LINEAR_BALL] = SUPPORT_SUBSYSTEM(
        "linear-ball", 2, 0, 1, .nw = 1, .x0 = high, .matrices = ball_matrices, .external = ball_external,
        .external_constant = true, .n_indicators = 1, .indicators = ball_indicators, .handle = ball_handle),
    [SUPPORT_PULSES] = SUPPORT_SUBSYSTEM("pulses", 1, 0, 0, .nz = 1, .z0 = one, .f = follow_z,
                                         .next_time = pulses_next, .handle = pulses_handle),
    [SUPPORT_ALARMS] = SUPPORT_SUBSYSTEM("alarms", 1, 0, 0, .nz = 2, .z0 = one, .f = follow_z,
                                         .next_time = alarms_next, .handle = alarms_handle),
    [SUPPORT_JUMPS] =
        SUPPORT_SUBSYSTEM("jumps", 1, 0, 0, .f = no_motion, .next_time = pulses_next, .handle = jumps_handle),
    [SUPPORT_STEPS] = SUPPORT_SUBSYSTEM("steps", 1, 0, 0, .nz = 1, .x0 = one, .f = decay_f,
                                        .step_event = first_steps, .handle = steps_handle),
    [SUPPORT_RELAY] =
        SUPPORT_SUBSYSTEM("relay", 1, 1, 0, .nz = 1, .z0 = low, .f = support_relay_f, .n_indicators = 1,
                          .indicators = relay_indicators, .handle = support_relay_handle),
    [SUPPORT_CONTACTS] = SUPPORT_SUBSYSTEM("contacts", 2, 0, 0, .nz = 4, .f = contacts_f, .n_indicators = 3,
                                           .indicators = contacts_indicators, .handle = contacts_handle),
    [SUPPORT_SLIDING] =
        SUPPORT_SUBSYSTEM("sliding", 1, 0, 0, .nz = 1, .x0 = low, .z0 = one, .f = follow_z, .n_indicators = 1,
                          .indicators = support_first_state, .handle = sliding_handle),
    [SUPPORT_STUCK] = SUPPORT_SUBSYSTEM("stuck", 1, 0, 0, .nz = 1, .f = follow_z, .next_time = stuck_next,
                                        .handle = pulses_handle),
    [SUPPORT_COUNTER] = SUPPORT_SUBSYSTEM("counter", 0, 1, 1, .nz = 1, .g = counter_g, .n_indicators = 1,
                                          .indicators = counter_indicators, .next_time = counter_next,
                                          .handle = counter_handle),
    [SUPPORT_FAST] = SUPPORT_SUBSYSTEM("fast", 1, 0, 0, .nz = 2, .x0 = one, .f = fast_f, .n_indicators = 1,
                                       .indicators = fast_indicators, .handle = support_event_count),
    [SUPPORT_BROKEN_W] = SUPPORT_SUBSYSTEM("broken-w", 1, 0, 1, .nw = 1, .matrices = broken_matrices,
                                           .external = broken_external, .next_time = broken_next)};

const ms_model support_event_model =
    SUPPORT_UNCOUPLED("events", subsystems, .stop_time = 1.0, .step_size = 0.1);
