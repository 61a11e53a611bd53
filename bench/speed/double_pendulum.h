/* SPDX-License-Identifier: GPL-3.0-or-later */
/* double_pendulum.h - the whole double pendulum by hand (models/double_pendulum.c, default case), in point masses, and the
 * classical Runge-Kutta loop over it: a peer, and an amount of the machine's own work.
 *
 *     (m1 + m2) l1^2 a1'' + m2 l1 l2 cos(a1 - a2) a2'' = -m2 l1 l2 a2'^2 sin(a1 - a2) - (m1 + m2) g l1 sin(a1) - d a1'
 *     m2 l1 l2 cos(a1 - a2) a1'' + m2 l2^2 a2''        =  m2 l1 l2 a1'^2 sin(a1 - a2) - m2 g l2 sin(a2)
 *
 * with m1 = l1 = l2 = 1, m2 = 1.5, d = 0.5, g = 9.81. x = (a1, a1', a2, a2'). */
#pragma once

#include <math.h>

enum { DOUBLE_PENDULUM_STATES = 4 };

static const double double_pendulum_start[DOUBLE_PENDULUM_STATES] = {-1.0, 0.0, 0.3, 0.0};

static inline void double_pendulum(const double *x, double *dx)
{
    const double m1 = 1.0, m2 = 1.5, d = 0.5, g = 9.81;
    const double c = cos(x[0] - x[2]), s = sin(x[0] - x[2]);
    const double r1 = -m2 * x[3] * x[3] * s - (m1 + m2) * g * sin(x[0]) - d * x[1];
    const double r2 = x[1] * x[1] * s - g * sin(x[2]); /* by m2 */
    dx[0] = x[1];
    dx[1] = (r1 - m2 * c * r2) / (m1 + m2 - m2 * c * c);
    dx[2] = x[3];
    dx[3] = r2 - c * dx[1];
}

/* to = x + h k */
static inline void double_pendulum_add(const double *x, double h, const double *k, double *to)
{
    for (int i = 0; i < DOUBLE_PENDULUM_STATES; i++)
        to[i] = x[i] + h * k[i];
}

static inline void double_pendulum_rk4(double h, long steps, double *x)
{
    double k1[4], k2[4], k3[4], k4[4], at[4];
    for (long n = 0; n < steps; n++) {
        double_pendulum(x, k1);
        double_pendulum_add(x, 0.5 * h, k1, at);
        double_pendulum(at, k2);
        double_pendulum_add(x, 0.5 * h, k2, at);
        double_pendulum(at, k3);
        double_pendulum_add(x, h, k3, at);
        double_pendulum(at, k4);
        for (int i = 0; i < DOUBLE_PENDULUM_STATES; i++)
            x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}
