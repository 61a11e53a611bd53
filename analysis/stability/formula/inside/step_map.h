/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_map.h - one linear subsystem over one macro-step under polynomial input, by formula:
 *
 *     x(h) = E x(0) + sum_k G_k c_k,      u(tau) = sum_k c_k (tau/h)^k,   k = 0 .. degree,
 *
 * and optionally the mean state
 *
 *     1/h int_0^h x dtau = S x(0) + sum_k T_k c_k,
 *
 * which the method gives for the additional states s' = x/h, so that means of outputs y = C x + D u are C s and D
 * times what the same method gives for the mean of u (ms_step_map_mean).
 *
 * Independent of the micro-solvers, so that a comparison is meaningful. Matrices are stored by rows. */
#pragma once

#include <stddef.h>

#include "runge_kutta.h"

enum { MS_STEP_MAP_DEGREE = 4 };

typedef struct ms_step_map {
    int nx, nu, degree;  /* degree <= MS_STEP_MAP_DEGREE */
    const double *A, *B; /* nx x nx, nx x nu */
    double *E, *G;       /* nx x nx; (degree + 1) blocks of nx x nu */
    double *S, *T;       /* of the same shapes; both NULL: not wanted */
} ms_step_map;

/* Doubles of work for it. */
size_t ms_step_map_work(int nx, int nu);

/* The map of a step of length h, by n equal steps of an explicit Runge-Kutta method, as polynomials in hA/n, or solved exactly (NULL):
 * E = phi_0(hA), G_k = k! h phi_{k+1}(hA) B with phi_0(z) = e^z and phi_k(z) = z
 * phi_{k+1}(z) + 1/k! (Andersson 6.12, 6.35 and 6.46 are h phi_1 B L, h phi_2 B L and h^2 phi_2 B L), S =
 * phi_1(hA), T_k = k! h phi_{k+2}(hA) B. phi by its Taylor series at hA/2^s, then doubled s times, A balanced, and e^z - I in
 * place of e^z until that is small: neither units nor fast modes take digits from the others. Returns
 * MS_OK or MS_SOLVER_FAILED (not finite). */
int ms_step_map_fill(const ms_step_map *map, double h, const ms_runge_kutta *method, int n, double *work);

/* mean[k] = int_0^1 theta^k dtheta, k = 0 .. degree: by n equal steps of a method, or exactly (NULL). */
void ms_step_map_mean(int degree, const ms_runge_kutta *method, int n, double *mean);
