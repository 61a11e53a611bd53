/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "f3ornits.h"

#include <float.h>
#include <math.h>

void ms_f3_extrapolation(int q, const double *t, const double *y, double c[MS_F3_DEGREE + 1])
{
    c[0] = y[0];
    c[1] = c[2] = 0.0;
    if (q >= 1)
        c[1] = (y[0] - y[1]) / (t[0] - t[1]);
    if (q >= 2) { /* Newton's form d1 s + d2 s (s - s1), s1 = t[1] - t[0] */
        const double s1 = t[1] - t[0];
        const double d2 = (c[1] - (y[1] - y[2]) / (t[1] - t[2])) / (t[0] - t[2]);
        c[1] -= d2 * s1;
        c[2] = d2;
    }
}

/* c_1 s + c_2 s^2 = y - y[0] at three points, by normal equations in s / s_3, which lies in (0, 1]. */
static void fit_parabola(const double *t, const double *y, double *c)
{
    const double scale = t[3] - t[0];
    double a11 = 0.0, a12 = 0.0, a22 = 0.0, b1 = 0.0, b2 = 0.0;
    for (int r = 1; r <= 3; r++) {
        const double s = (t[r] - t[0]) / scale, d = y[r] - y[0];
        a11 += s * s;
        a12 += s * s * s;
        a22 += s * s * s * s;
        b1 += s * d;
        b2 += s * s * d;
    }
    const double determinant = a11 * a22 - a12 * a12;
    c[1] = (b1 * a22 - b2 * a12) / (determinant * scale);
    c[2] = (a11 * b2 - a12 * b1) / (determinant * scale * scale);
}

void ms_f3_least_squares(int q, const double *t, const double *y, double c[MS_F3_DEGREE + 1])
{
    c[0] = y[0];
    c[1] = c[2] = 0.0;
    if (q == 1) {
        double ss = 0.0, sd = 0.0;
        for (int r = 1; r <= 2; r++) {
            const double s = t[r] - t[0];
            ss += s * s;
            sd += s * (y[r] - y[0]);
        }
        c[1] = sd / ss;
    } else if (q == 2) {
        fit_parabola(t, y, c);
    }
}

int ms_f3_degree(int highest, const double *t, const double *y, double *errors)
{
    double largest = 0.0;
    for (int r = 0; r <= highest + 1; r++)
        largest = fmax(largest, fabs(y[r]));
    const double round_off = 16.0 * DBL_EPSILON * largest;
    int best = 0;
    for (int q = 0; q <= highest; q++) {
        double c[MS_F3_DEGREE + 1];
        ms_f3_extrapolation(q, t + 1, y + 1, c);
        errors[q] = fabs(y[0] - ms_f3_value(c, t[0] - t[1]));
        if (errors[q] < errors[best] - round_off)
            best = q;
    }
    return best;
}

void ms_f3_extremes_start(ms_f3_extremes *e, double y)
{
    *e = (ms_f3_extremes){y, y, y, y};
}

void ms_f3_extremes_update(ms_f3_extremes *e, double y, double nu, double step)
{
    const double shrink = 0.5 * nu * step * (e->damped_max - e->damped_min);
    e->max = fmax(e->max, y);
    e->min = fmin(e->min, y);
    e->damped_max = fmax(y, e->damped_max - shrink);
    e->damped_min = fmin(y, e->damped_min + shrink);
}

double ms_f3_error(double miss, double y, const ms_f3_extremes *e, int normalization, double rtol,
                   double atol)
{
    const double size = normalization == MS_F3_MAGNITUDE   ? fabs(y)
                        : normalization == MS_F3_AMPLITUDE ? e->max - e->min
                                                           : e->damped_max - e->damped_min;
    return fabs(miss) / (atol + rtol * size);
}

double ms_f3_ratio(double error, int p)
{
    return error > 0.0 ? pow(error, -1.0 / (p + 1)) : INFINITY;
}

void ms_f3_degrade(int degree, double step, double c[MS_F3_DEGREE + 1])
{
    if (degree < 2) { /* s^2 -> h s - h^2/6 */
        c[0] -= c[2] * step * step / 6.0;
        c[1] += c[2] * step;
        c[2] = 0.0;
    }
    if (degree < 1) { /* s -> h/2 */
        c[0] += 0.5 * c[1] * step;
        c[1] = 0.0;
    }
}
