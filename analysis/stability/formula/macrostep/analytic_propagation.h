/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation.h - the propagation matrix Psi(H) by formula from A, B, C, D, L (Andersson 2016, ch. 6, re-derived
 * for the memory that the engine keeps), in the coordinates of propagation.h. It knows nothing of the code that runs.
 * Matrices are stored by rows (n x n). */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/modelled.h>
#include <macrostep/system.h>

MS_C_LINKAGE_BEGIN

/* A workspace for the formula, so that maps and bisections allocate once. */
typedef struct ms_analytic_propagation ms_analytic_propagation;

/* The options that the formulas of explicit and of iterated schemes model. */
extern const ms_modelled ms_analytic_propagation_explicit_models[], ms_analytic_propagation_iterated_models[],
    ms_analytic_propagation_split_models[];

/* The system is kept, not copied. Capabilities are not looked at: ms_propagation_exists does that. Errors:
 * MS_UNSUPPORTED (an option that the formula does not model), MS_NO_SOLUTION (det(I - D L) = 0),
 * MS_INVALID (`sequence`), MS_NO_MEMORY. */
int ms_analytic_propagation_create(const ms_system *system, const ms_options *options,
                                   ms_analytic_propagation **formula, ms_error *error);
void ms_analytic_propagation_destroy(ms_analytic_propagation **formula); /* NULL-safe */
int ms_analytic_propagation_dimension(const ms_analytic_propagation *formula);

/* The same formula for another system of the same shape (other parameter values, say). Allocates nothing.
 * Errors: MS_INVALID (the shape), MS_NO_SOLUTION; the formula then has to be bound again. */
int ms_analytic_propagation_bind(ms_analytic_propagation *formula, const ms_system *system, ms_error *error);

/* Psi(h) into psi (n x n); h = 0 is the limit H -> 0, see analytic_propagation.c and
 * analytic_propagation_iterated.c for its coordinates. Allocates nothing. Returns MS_OK, MS_SOLVER_FAILED
 * where an exponential is not finite, or MS_NO_SOLUTION where a converged macro-step is not unique. */
int ms_analytic_propagation_evaluate(ms_analytic_propagation *formula, double h, double *psi);

/* How much relative errors of the system's matrices grow on their way into psi = Psi(h), h > 0, at least 1;
 * see analytic_propagation_compare.c. Returns MS_OK or MS_NO_MEMORY. */
int ms_analytic_propagation_condition(ms_analytic_propagation *formula, double h, const double *psi,
                                      double *condition);

/* Do psi, by the formula, and a probe (n x n) of Psi(h), h > 0, agree up to round-off, 1e-8 times the
 * condition? Errors: MS_DISAGREE, MS_NO_MEMORY. */
int ms_analytic_propagation_compare(ms_analytic_propagation *formula, double h, const double *psi, int n,
                                    const double *probe, ms_error *error);

/* What the status says, for messages. */
const char *ms_analytic_propagation_reason(int status);

MS_C_LINKAGE_END
