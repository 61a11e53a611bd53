/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stiff_method.h - the coefficients of two families of implicit Runge-Kutta methods with 7 stages, computed where they are asked for.
 *
 *     Radau IIA      order 13, nodes c are the zeros of P_s(2 c - 1) - P_{s-1}(2 c - 1), a_ij = int_0^{c_i} l_j
 *     Lobatto IIIC   order 12, those of P_s(2 c - 1) - P_{s-2}(2 c - 1), a_i1 = b_1 and sum_j a_ij q(c_j) = int_0^{c_i} q for all
 *                    polynomials q of degree s - 2
 *
 * with Lagrange's polynomials l_j. Both are L-stable and end with a stage at c = 1. Coefficients hold to round-off: zeros,
 * integrals and the inverse are computed with long double.
 *
 * A^-1 has one real eigenvalue and (s - 1)/2 pairs of complex ones, so that Newton's method solves systems of the size of
 * one stage. What belongs to them comes from LAPACK; it decides how Newton's iteration converges, not to what.
 *
 * Source: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.5, tables 5.13, and IV.8. */
#pragma once

#include <complex.h>
#include <stdbool.h>

#include <macrostep/status.h>

enum { MS_STIFF_STAGES = 7, MS_STIFF_PAIRS = (MS_STIFF_STAGES - 1) / 2 };

typedef enum ms_stiff_family { MS_STIFF_RADAU_IIA, MS_STIFF_LOBATTO_IIIC } ms_stiff_family;

typedef struct ms_stiff_method {
    double c[MS_STIFF_STAGES];
    double a[MS_STIFF_STAGES][MS_STIFF_STAGES], inverse[MS_STIFF_STAGES][MS_STIFF_STAGES]; /* A and A^-1 */
    int order;
    /* Error: gamma h f(t, x) + sum_i e_i z_i is the difference from an embedded formula with f at the start of the step, of order s and
     * s - 1; gamma is 1 over the real eigenvalue. */
    double gamma, e[MS_STIFF_STAGES];
    /* Eigenvalues of A^-1, their right vectors v and left ones u with u v = 1. */
    double real, real_v[MS_STIFF_STAGES], real_u[MS_STIFF_STAGES];
    double complex pair[MS_STIFF_PAIRS], pair_v[MS_STIFF_PAIRS][MS_STIFF_STAGES],
        pair_u[MS_STIFF_PAIRS][MS_STIFF_STAGES];
    double weight[MS_STIFF_STAGES]
                 [MS_STIFF_STAGES]; /* of z_i in the power k + 1 of the polynomial through all
                                                        z_i, less its value at 0 */
} ms_stiff_method;

/* Returns MS_OK or MS_NOT_CONVERGED (LAPACK's eigenvalues). */
int ms_stiff_method_fill(ms_stiff_family family, ms_stiff_method *method);

/* What stage i has in that polynomial at s = (t - t0)/h: the sum over k of weight[k][i] s^(k + 1). For guesses of the next step. */
double ms_stiff_method_basis(const ms_stiff_method *method, int i, double s);
