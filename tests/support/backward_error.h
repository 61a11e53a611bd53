/* SPDX-License-Identifier: GPL-3.0-or-later */
/* backward_error.h - how well a number fits as an eigenvalue, or as a spectral radius. */
#pragma once

/* sigma_min(Psi - lambda I) / ||Psi||_2: the backward error of lambda = re + i im as an eigenvalue of Psi (n x n). NaN
 * without memory, or where an entry is not finite. */
double support_backward_error(int n, const double *psi, double re, double im);

/* Between which bounds the spectral radius of Psi + E lies for all ||E||_F <= n eps ||Psi||_F, by LAPACK's eigenvalues
 * and their conditions (to first order, so that those of defective eigenvalues are wide). radius: of LAPACK. */
void support_radius_bounds(int n, const double *psi, double *lower, double *radius, double *upper);

/* The same for each modulus (n), descending: between lower[k] and upper[k] lies that of eigenvalue k of Psi + E for all
 * ||E||_2 <= r, to first order, with twice the room. NaN without memory. */
void support_modulus_bounds(int n, const double *psi, double r, double *lower, double *upper);

/* For qsort of double: the largest first. */
int support_descending(const void *a, const void *b);
