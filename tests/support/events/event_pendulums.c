/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pendulum of event_models.h. */
#include <math.h>

#include "event_models.h"
#include "small_model.h"

static int cartesian_residual(const ms_point *at, const double *dx, double *r)
{
    const double *x = at->x, g = 9.81;
    r[0] = dx[0] - x[2];
    r[1] = dx[1] - x[3];
    r[2] = dx[2] + x[4] * x[0];
    r[3] = dx[3] + x[4] * x[1] + g;
    r[4] = x[2] * x[2] + x[3] * x[3] - x[4] * (x[0] * x[0] + x[1] * x[1]) - g * x[1];
    return 0;
}

static int cartesian_g(const ms_point *at, double *y)
{
    y[0] = at->x[4];
    return 0;
}

static int cartesian_indicators(const ms_point *at, double *r)
{
    r[0] = at->x[1] + 0.5;
    return 0;
}

static int angle_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = -9.81 * sin(at->x[0]);
    return 0;
}

static int angle_g(const ms_point *at, double *y)
{
    y[0] = at->x[1] * at->x[1] + 9.81 * cos(at->x[0]); /* lambda = v^2 - g y on the unit circle */
    return 0;
}

static int angle_indicators(const ms_point *at, double *r)
{
    r[0] = 0.5 - cos(at->x[0]);
    return 0;
}

static const bool algebraic[] = {false, false, false, false, true};
static const double beside[] = {1.0, 0.0, 0.0, 0.0, 7.0}, right_angle[] = {1.5707963267948966, 0.0};

static const ms_subsystem pendulums[] = {
    [SUPPORT_CARTESIAN] =
        SUPPORT_SUBSYSTEM("cartesian", 5, 0, 1, .nz = 2, .x0 = beside, .g = cartesian_g,
                          .residual = cartesian_residual, .algebraic = algebraic, .n_indicators = 1,
                          .indicators = cartesian_indicators, .handle = support_event_count),
    [SUPPORT_ANGLE] =
        SUPPORT_SUBSYSTEM("angle", 2, 0, 1, .nz = 2, .x0 = right_angle, .f = angle_f, .g = angle_g,
                          .n_indicators = 1, .indicators = angle_indicators, .handle = support_event_count)};

const ms_model support_pendulum_model =
    SUPPORT_UNCOUPLED("pendulums", pendulums, .stop_time = 2.0, .step_size = 0.1);
