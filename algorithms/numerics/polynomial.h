/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polynomial.h - extrapolation, interpolation and smoothing as weights.
 *
 * Over a macro-step of length H that starts at T_n every output follows a polynomial in tau = t - T_n,
 *
 *     p(tau) = sum_k c_k tau^k,       c_k = sum_s W[k][s] v_s,
 *
 * whose coefficients are linear in the values v_s that the scheme remembers (its slots). The weights
 * depend on step lengths only: one small matrix serves all outputs. */
#pragma once

#include <stdbool.h>

enum { MS_WEIGHT_DEGREE = 4, MS_WEIGHT_SLOTS = 7 };

/* What a slot holds. The first three serve as past values y_n, y_{n-1}, y_{n-2} or as derivatives
 * y_n, y'_n, y''_n. */
enum ms_slot {
    MS_SLOT_Y0,
    MS_SLOT_Y1,
    MS_SLOT_Y2,
    MS_SLOT_LEFT,       /* p(H) of the last macro-step: the left limit at T_n */
    MS_SLOT_LEFT_SLOPE, /* p'(H) of the last macro-step */
    MS_SLOT_NEW,        /* y_{n+1}, where the subsystem has stepped already (Gauss-Seidel) */
    MS_SLOT_BALANCE     /* amount that a hat of integral 1 feeds back (balance correction) */
};

typedef struct ms_weights {
    int degree;
    double w[MS_WEIGHT_DEGREE + 1][MS_WEIGHT_SLOTS]; /* w[k][slot] */
} ms_weights;

/* Extrapolation of the given order (0, 1, 2) through y_n, y_{n-1}, y_{n-2} at distances h1 = T_n - T_{n-1}
 * and h2 = T_{n-1} - T_{n-2} [s] (Andersson 6.29; order 2 is the true parabola). */
ms_weights ms_weights_past(int order, double h1, double h2);

/* The highest order up to the given one whose differences, extrapolated over h, do not make more than 1e8 times their round-off of
 * it: points may lie close to each other. */
int ms_weights_supported(int order, double h1, double h2, double h);

/* Order 2 as Andersson (6.30) prints it: slope (y_n - y_{n-1})/H instead of the parabola's own slope at T_n,
 * which leaves an error of order H in the slope and order 2 in the scheme. The print has equal steps; the
 * second difference is that of the distances given. */
ms_weights ms_weights_past_as_printed(double h1, double h2);

/* Taylor polynomial of the given order from y_n, y'_n, y''_n (Andersson 6.42). */
ms_weights ms_weights_derivatives(int order);

/* Interpolation for a subsystem whose feeder has stepped already: order 0 holds y_{n+1}; order 1 is the line
 * through y_n and y_{n+1}; order 2 the parabola through y_{n-1}, y_n, y_{n+1} (from past values) or
 * with value and slope at T_n and the value at T_{n+1} (from derivatives). */
ms_weights ms_weights_newest(int order, bool derivatives, double h, double h1);

/* p + (left - p(0)) (1 - tau/H): continuous at T_n, unchanged at T_n + H. For order 1 this is
 * Andersson (6.71d, e); the degree is at least 1. */
ms_weights ms_weights_smooth_c0(ms_weights p, double h);

/* p + the cubic Hermite polynomial of the jumps in value and slope at T_n, zero to first order at T_n + H:
 * continuously differentiable (Eguillon et al. 2022, 26-28); the degree is at least 3. */
ms_weights ms_weights_smooth_c1(ms_weights p, double h);

/* p + v phi with the amount v of MS_SLOT_BALANCE and a hat phi of integral 1 over [0, h] (Moshagen 2021,
 * Table 2):
 *
 *     box        1/h
 *     triangle   4 tau/h^2 for tau < h/2, then 2/h - 4 (tau - h/2)/h^2
 *     smooth     30 s^2 (1 - s)^2 / h,  s = tau/h
 *
 * Piece 1 of the triangle is local to h/2; the other hats have piece 0 only. */
ms_weights ms_weights_box(ms_weights p, double h);
ms_weights ms_weights_triangle(ms_weights p, double h, int piece);
ms_weights ms_weights_smooth_hat(ms_weights p, double h);

/* The weights of int_0^tau p. */
void ms_weights_integral(const ms_weights *p, double tau, double w[MS_WEIGHT_SLOTS]);

/* The weights of the value (derivative = 0) or of a derivative of p at tau. */
void ms_weights_at(const ms_weights *p, int derivative, double tau, double w[MS_WEIGHT_SLOTS]);

/* Lagrange's polynomial that is 1 at nodes[which] and 0 at the other ones of n: its coefficients c (n) by powers. */
void ms_polynomial_lagrange(int n, const double *nodes, int which, double *c);
