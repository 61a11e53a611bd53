/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spectrum.h - eigenvalues of a propagation matrix and the stability that follows (Andersson 2016, 6.1 and
 * Definition 6.1.1). */
#pragma once

#include <stdbool.h>

#include <macrostep/c_linkage.h>
#include <macrostep/status.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_spectrum {
    int n;
    double *eigenvalues; /* (n) pairs re, im, by descending modulus */
    double radius;
    /* An eigenvalue on the unit circle (to 1e-8) whose geometric multiplicity (numerical rank of
     * Psi - lambda I at 1e-8, Psi balanced) is smaller than its algebraic one. Round-off splits such an
     * eigenvalue: those that lie within 1e-4 of each other are looked at together, at their mean. */
    bool defective;
    bool stable; /* radius <= 1 + 1e-8 and not defective */
} ms_spectrum;

/* Of psi (n x n, by rows, kept). Errors: MS_NO_MEMORY, MS_NOT_CONVERGED. */
int ms_spectrum_create(int n, const double *psi, ms_spectrum *spectrum, ms_error *error);
void ms_spectrum_destroy(ms_spectrum *spectrum);

/* Bounds of the round-off of each eigenvalue of that psi into errors (n), to the first order; infinite where an eigenvalue is defective. Returns
 * MS_OK, MS_NO_MEMORY or MS_NOT_CONVERGED. */
int ms_spectrum_errors(const ms_spectrum *spectrum, const double *psi, double *errors);

/* Only the radius, without allocation: psi is overwritten; work: ms_spectrum_work(n) doubles. NaN if psi is not
 * finite or the iteration does not converge.
 *
 * Up to MS_DENSE_EIGENVALUES_MAX rows by ms_dense_eigenvalues, so that it has the same bits on every machine, and to
 * the accuracy given there; by LAPACK's dgeev above, and if the QR algorithm takes more than `steps`
 * (MS_DENSE_QR_STEPS). */
double ms_spectrum_radius(int n, double *psi, double *work);
double ms_spectrum_radius_within(int n, int steps, double *psi, double *work);
int ms_spectrum_work(int n);

/* Singular values of Psi - (re + i im) I, descending, into values (n). Returns MS_OK, MS_NO_MEMORY or
 * MS_NOT_CONVERGED. */
int ms_spectrum_singular_values(int n, const double *psi, double re, double im, double *values);

MS_C_LINKAGE_END
