/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_models.h - hybrid subsystems with closed forms, for the tests of events. */
#pragma once

#include <macrostep/model.h>

/* SUPPORT_BALL      h' = v, v' = -10, v+ = -0.8 v where h falls through 0; h = 1.25, v = 0 at the start; y = v
 * SUPPORT_LINEAR_BALL  the same, from matrices with w = -10
 * SUPPORT_PULSES    x' = z; z changes its sign at 0.1, 0.2, 0.3 ..: a function of t
 * SUPPORT_ALARMS    the same with the time of the next event in z
 * SUPPORT_JUMPS     x' = 0, and 1 is added to x at 0.1, 0.2, 0.3 ..
 * SUPPORT_STEPS     x' = -x; z counts micro-steps by step events, up to 10
 * SUPPORT_RELAY     x' = z - x; z = 1 where u is above 0.5 and -1 below
 * SUPPORT_CONTACTS  x' = (1, 2), two indicators with the same root at t = 0.35, and a third with another one
 * SUPPORT_SLIDING   x' = z, z = -sign x: chattering
 * SUPPORT_STUCK     next_time() says 0.5 for ever
 * SUPPORT_COUNTER   no states; z counts the crossings of u through 0 and of times 0.25, 0.75 ..; y = z
 * SUPPORT_FAST      x' = -1000 (x - cos t), with an indicator x - 0.8
 * SUPPORT_BROKEN_W  x' = w - x, y = x + w, w = 1 on [0.3, 0.55), else 0: mere breakpoints of a linear subsystem */
enum support_event_model {
    SUPPORT_BALL,
    SUPPORT_LINEAR_BALL,
    SUPPORT_PULSES,
    SUPPORT_ALARMS,
    SUPPORT_JUMPS,
    SUPPORT_STEPS,
    SUPPORT_RELAY,
    SUPPORT_CONTACTS,
    SUPPORT_SLIDING,
    SUPPORT_STUCK,
    SUPPORT_COUNTER,
    SUPPORT_FAST,
    SUPPORT_BROKEN_W
};
extern const ms_model support_event_model;

/* Counts the event in z[0] (of SUPPORT_FAST and of the pendulums). */
int support_event_count(const ms_point *at, const ms_event *event);

/* Of a relay: x1' = z1 - x1, and z1 = 1 or -1 after its indicator has risen or fallen. */
int support_relay_f(const ms_point *at, double *dx);
int support_relay_handle(const ms_point *at, const ms_event *event);

/* Height and velocity of SUPPORT_BALL at t, and the time of impact k = 0, 1, .. [s]. */
void support_ball_exact(double t, double *h, double *v);
double support_ball_impact(int k);

/* The pendulum of length 1 and gravity 9.81 as a differential-algebraic subsystem of index 1,
 *     x' = v, y' = w, v' = -lambda x, w' = -lambda y - g, 0 = v^2 + w^2 - lambda (x^2 + y^2) - g y,
 * started at rest at (1, 0) with a wrong lambda, with an event indicator: y + 1/2; and by its angle. */
enum { SUPPORT_CARTESIAN, SUPPORT_ANGLE };
extern const ms_model support_pendulum_model;
