/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_estimate.h - outputs at the end of a macro-step by estimate, without a step: for subsystems that integrate once and cannot roll
 * back (COSTARICA), and as equations that are linear in the inputs at the end (MISSILES).
 *
 * With A, B, C, D of a subsystem at (T_n, x_n, u_n), f(s) and g(s) at (T_n + s, x_n, u_n), and u(s) = sum_k c_k s^k:
 *
 *     dx  = int_0^h e^{A (h - s)} (f(s) + B (u(s) - u_n)) ds
 *     y^  = g(h) + C dx + D (u(h) - u_n)        y^' = g'(h) + C (f(h) + A dx + B (u(h) - u_n)) + D u'(h)
 *
 * Where external inputs vary, f(s) is interpolated at six times of the macro-step, with nothing known of jumps inside. On linear
 * subsystems that is what an exact step gives, to round-off, or to h^7 where external inputs vary. After Eguillon, Lacabanne and
 * Tromeur-Dervout, COSTARICA and MISSILES.
 *
 * Needs: directional derivatives, x' = f, external inputs known beforehand. */
#ifndef MS_OUTPUT_ESTIMATE_H
#define MS_OUTPUT_ESTIMATE_H

#include <macrostep/cosim.h>

typedef struct ms_output_estimate ms_output_estimate;

/* It goes with the co-simulation. For inputs of that degree, up to HERMITE_DEGREE, and where it is asked for (HERMITE_DEGREE) their equations. Errors:
 * MS_UNSUPPORTED (a subsystem that it does not fit, by name, or too many equations), MS_NO_MEMORY. */
int ms_output_estimate_create(ms_cosim *cosim, int degree, bool equations, ms_output_estimate **estimate,
                              ms_error *error);

/* Linearises at T_n = t, where the co-simulation is with inputs u (nu). Allocates nothing. Returns MS_OK
 * or MS_SOLVER_FAILED with the line in cosim->error. */
int ms_output_estimate_begin(ms_cosim *cosim, ms_output_estimate *estimate, double t, double h,
                             const double *u);

/* y^ into cosim->y_raw and, where dy (ny) is not NULL, y^' for the inputs that instances have. */
void ms_output_estimate_outputs(ms_cosim *cosim, const ms_output_estimate *estimate, double *dy);

/* Equations of values and slopes z = (u, u') at the end under Hermite's inputs (first: the parabolas of a first macro-step): y^ and
 * y^' are affine in z, with the matrix S of their coefficients. factor: the factors of I - L S. solve: r = (I - L S)^-1 r (2 nu).
 * Allocate nothing. factor returns MS_OK or MS_NO_SOLUTION. */
int ms_output_estimate_factor(const ms_cosim *cosim, ms_output_estimate *estimate, bool first);
void ms_output_estimate_solve(const ms_cosim *cosim, const ms_output_estimate *estimate, double *r);

#endif
