/* SPDX-License-Identifier: GPL-3.0-or-later */
/* certificate.h - proofs about rho(Psi(H)), the spectral radius of a scheme on a linear model, in ball arithmetic: that it is
 * below 1 for all H of an interval, above 1 at a point, or within bounds at a step size. The entries of A, B, C, D, L count as
 * the doubles that they are.
 *
 * Intervals are cut into panels. In the middle of each all eigenvalues are shown to lie within the unit circle (Schur, Cohn), and
 * over the panel none reaches it, as three functions of H are shown not to vanish (plugin_balls.h). On a panel that begins at 0
 * these are divided by their zero there, which is that of the eigenvalues 1 of the states: the proof holds for 0 < H. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include <macrostep/choices.h>
#include <macrostep/system.h>

typedef struct ms_certifier ms_certifier;

/* Opens macrostep-balls.so. The system is kept, not copied. Errors: MS_UNSUPPORTED (built without Arb, a nonlinear system, those
 * of ms_analytic_propagation_balls_create), MS_NO_MEMORY. */
int ms_certifier_create(const ms_system *system, const ms_options *options, ms_certifier **certifier,
                        ms_error *error);
void ms_certifier_destroy(ms_certifier **certifier); /* NULL-safe */

typedef struct ms_certificate {
    double interval[2];
    int proved_count, gap_count, unstable_count;
    double (*proved)[2]; /* ascending, disjoint: rho < 1 for all H of each, without 0 */
    double (*gap)[2];    /* the rest of the interval */
    double *unstable;    /* step sizes at which rho > 1: in gaps, and next to the interval */
    int subintervals;    /* panels that were proved */
    long evaluations;    /* of Psi */
    long bits;           /* of the precision, the most that was taken */
    bool exhausted;      /* as many evaluations as there may be */
} ms_certificate;

/* Of an interval that was found stable within [0, largest]. An end of it that is neither 0 nor largest is a crossing: it is
 * placed in balls to 1e-8 of the length, where rho passes 1 close by, and the interval of the certificate ends there, where
 * rho > 1. The proof is sought up to 1e-7 of the length beside it. If there is none, instability is tried 1e-6 of the length beyond. Errors:
 * MS_INTERRUPTED, MS_NO_MEMORY. */
int ms_certifier_interval(ms_certifier *certifier, const double interval[2], double largest,
                          const volatile sig_atomic_t *stop, ms_certificate *certificate, ms_error *error);
void ms_certificate_destroy(ms_certificate *certificate); /* safe to repeat */

/* Is the whole interval proved except for 1e-6 of its length at each end? */
bool ms_certificate_holds(const ms_certificate *certificate);

/* Bounds of rho at the step size h > 0 about an estimate: low <= rho <= high; low is 0, or high INFINITY, where nothing better
 * is proved. *bits: the precision. Errors: MS_INVALID where Psi(h) is not finite. */
int ms_certifier_radius(ms_certifier *certifier, double h, double estimate, double bounds[2], long *bits,
                        ms_error *error);
