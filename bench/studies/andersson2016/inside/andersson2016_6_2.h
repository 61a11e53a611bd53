/* SPDX-License-Identifier: GPL-3.0-or-later */
/* andersson2016_6_2.h - what the figures of Andersson's section 6.2 share: the double pendulum,
 * models/double_pendulum.c.
 *
 * D L has the eigenvalues 0, 0, +-i rho with rho = sqrt(m2 / m1) |sin(alpha2 - alpha1)|. With constant
 * extrapolation the outputs differ from the solved loop at the same states by r_n, (I - D L) r_n = D L
 * (y_{n-1} - y_n). In the norm sqrt(|a|^2 + |f|^2 / (m1 m2)) of accelerations a and forces f, |r_n| = rho
 * |r_{n-1}| for states that do not move. */
#ifndef MS_ANDERSSON2016_6_2_H
#define MS_ANDERSSON2016_6_2_H

#include "study.h"

/* Runs that end; runs that may diverge, where 1e-12 would cost seconds while all explodes. */
extern const char *const ms_pendulum_tight, *const ms_pendulum_loose;

/* What is measured along a run with constant extrapolation, inconsistent. */
typedef struct ms_pendulum_run {
    double m1, m2;
    double formula;        /* largest difference of rho(D L) from the formula, and of real parts from 0 */
    double first, largest; /* |r_1|, max |r_n| */
    double predicted, observed; /* growth per step, geometric means over the first steps with rho > 1 */
    double until;               /* the end of these [s] */
} ms_pendulum_run;

/* Rows of time, omega1, omega2, fx, rho, |r_n|, and |r_1| times the product of rho so far; data may be
 * NULL. */
int ms_pendulum_follow(const ms_study *study, ms_pendulum_run *run, ms_data *data, ms_error *error);

/* Rows of time, omega1, omega2, fx; *left_at: the first time with |fx| > limit [N], or NaN. */
void ms_pendulum_motion(const ms_study *study, double limit, double *left_at, ms_data *data);

/* Rows of time, omega1, omega2 of the reference, and rho on it. *largest: of rho. */
int ms_pendulum_reference(ms_study *study, double m1, double m2, ms_data *data, double *largest,
                          ms_error *error);

#endif
