/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ifosmondi_data.h"

void ms_hermite_cubic(double a, double b, double u, double v, double h, double c[HERMITE_DEGREE + 1])
{
    const double secant = (u - a) / h;
    c[0] = a;
    c[1] = b;
    c[2] = (3.0 * secant - 2.0 * b - v) / h;
    c[3] = (b + v - 2.0 * secant) / (h * h);
}

void ms_hermite_parabola(double a, double u, double v, double h, double c[HERMITE_DEGREE + 1])
{
    const double secant = (u - a) / h;
    c[0] = a;
    c[1] = 2.0 * secant - v;
    c[2] = (v - secant) / h;
    c[3] = 0.0;
}

void ms_hermite_first_guess(double a, double b, double h, double c[HERMITE_DEGREE + 1])
{
    c[0] = a;
    c[1] = b;
    c[2] = -b / h;
    c[3] = 0.0;
}
