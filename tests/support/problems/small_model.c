/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "small_model.h"

#include <math.h>

#define SIX(letter)                                                                                          \
    {                                                                                                        \
        {letter "1", "1"}, {letter "2", "1"}, {letter "3", "1"}, {letter "4", "1"}, {letter "5", "1"},       \
        {                                                                                                    \
            letter "6", "1"                                                                                  \
        }                                                                                                    \
    }
const ms_variable support_x[SUPPORT_VARIABLES] = SIX("x"), support_u[SUPPORT_VARIABLES] = SIX("u"),
                  support_y[SUPPORT_VARIABLES] = SIX("y"), support_w[SUPPORT_VARIABLES] = SIX("w"),
                  support_z[SUPPORT_VARIABLES] = SIX("z");

const ms_case support_case[1] = {{.name = "only", .summary = "-", .source = "-"}};
const ms_wire support_ring[2] = {{0, 0, 1, 0, 1.0}, {1, 0, 0, 0, 1.0}};
const bool support_no_feed_through[SUPPORT_VARIABLES * SUPPORT_VARIABLES] = {false};
const double support_one[SUPPORT_VARIABLES] = {1.0};

int support_no_states(const ms_point *at, double *dx)
{
    (void)at, (void)dx;
    return 0;
}

int support_integrate(const ms_point *at, double *dx)
{
    dx[0] = at->u[0];
    return 0;
}

int support_wall(const ms_point *at, double *dx)
{
    dx[0] = 1.0;
    return at->x[0] > 0.5;
}

int support_first_state(const ms_point *at, double *y)
{
    y[0] = at->x[0];
    return 0;
}

int support_pass(const ms_point *at, double *y)
{
    y[0] = at->u[0];
    return 0;
}

double support_at_half(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return t < 0.5 ? 0.5 : INFINITY;
}
