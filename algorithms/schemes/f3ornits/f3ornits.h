/* SPDX-License-Identifier: GPL-3.0-or-later */
/* f3ornits.h - the mathematics of F3ORNITS (Eguillon, Lacabanne, Tromeur-Dervout 2022), as functions of
 * numbers.
 *
 * Values of one output at communication times, newest first: t[0] > t[1] > .., y[0], y[1], ... Polynomials are local
 * to the newest time: p(t) = sum_k c[k] (t - t[0])^k. */
#pragma once

enum { MS_F3_DEGREE = 2, MS_F3_POINTS = MS_F3_DEGREE + 2 };

/* The polynomial of degree q <= 2 through the q + 1 newest points (9), (11). */
void ms_f3_extrapolation(int q, const double *t, const double *y, double c[MS_F3_DEGREE + 1]);

/* The polynomial of degree q <= 2 through the newest point that fits the q + 1 before it best (10), (12):
 * constrained least squares. Degree 0 is the constant. */
void ms_f3_least_squares(int q, const double *t, const double *y, double c[MS_F3_DEGREE + 1]);

/* The degree 0..highest whose extrapolation, through the points before the newest one, is closest to it (18), (20).
 * Also returns the errors (highest + 1). Ties, including errors that differ by round-off, are resolved in favour of
 * the lowest degree. Needs highest + 2 points. */
int ms_f3_degree(int highest, const double *t, const double *y, double *errors);

/* p at s after the time it is local to. */
static inline double ms_f3_value(const double c[MS_F3_DEGREE + 1], double s)
{
    return c[0] + s * (c[1] + s * c[2]);
}

/* Largest and smallest value so far, and the damped ones of (36). */
typedef struct ms_f3_extremes {
    double max, min, damped_max, damped_min;
} ms_f3_extremes;

void ms_f3_extremes_start(ms_f3_extremes *e, double y);

/* After a step: damping nu [1/s], length of the step [s]. Bounds at m come from those, the span alpha and the
 * step at m - 1. */
void ms_f3_extremes_update(ms_f3_extremes *e, double y, double nu, double step);

typedef enum ms_f3_normalization {
    MS_F3_MAGNITUDE,       /* |y| (33), where the absolute value is not printed */
    MS_F3_AMPLITUDE,       /* max - min (34) */
    MS_F3_DAMPED_AMPLITUDE /* the damped ones (35) */
} ms_f3_normalization;

/* |miss| / (atol + rtol * the value chosen by the normalisation). */
double ms_f3_error(double miss, double y, const ms_f3_extremes *e, int normalization, double rtol,
                   double atol);

/* The step ratio that an error of a polynomial of degree p allows, error^(-1/(p + 1)) (32); infinite for an
 * error of zero. */
double ms_f3_ratio(double error, int p);

/* The polynomial of lower degree that a subsystem gets which does not take degree q (Figure 7, whose rules
 * are lost: here the best approximation in L2 over the step, which keeps the integral, and with degree 1 the
 * first moment too). c is local to the start of the step, q and degree <= 2. */
void ms_f3_degrade(int degree, double step, double c[MS_F3_DEGREE + 1]);
