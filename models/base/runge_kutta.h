/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runge_kutta.h - explicit Runge-Kutta methods as data: s stages of a step of length k from (t, x),
 *
 *     f_i = f(t + c_i k, x + k sum_{j<i} a_ij f_j),     c_i = sum_j a_ij,     x+ = x + k sum_i b_i f_i,
 *
 * with whole numbers over one divisor, so that each reader has its own arithmetic of them.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1. */
#pragma once

enum { MS_RUNGE_KUTTA_STAGES = 6 };

typedef struct ms_runge_kutta {
    int stages, divisor;                                 /* s <= MS_RUNGE_KUTTA_STAGES */
    int a[MS_RUNGE_KUTTA_STAGES][MS_RUNGE_KUTTA_STAGES]; /* divisor times a_ij, by rows */
    int b[MS_RUNGE_KUTTA_STAGES];                        /* divisor times b_i */
} ms_runge_kutta;

/* divisor times c_i. */
static inline int ms_runge_kutta_node(const ms_runge_kutta *method, int i)
{
    int sum = 0;
    for (int j = 0; j < i; j++)
        sum += method->a[i][j];
    return sum;
}
