/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation.h - the propagation matrix Psi(H): one macro-step of a scheme on a linear system, its memory
 * included.
 *
 * Psi is obtained twice, in the same coordinates, those of the co-simulation's lin block (states, then the
 * scheme's memory): by formula (analytic_propagation.h), and by a probe that sends unit vectors through one
 * macro-step of the very code that runs. Matrices are stored by rows (n x n). */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/choices.h>
#include <macrostep/scheme.h>

MS_C_LINKAGE_BEGIN

/* Does the variant have a linear propagation on this system? Otherwise MS_UNSUPPORTED with the reason: a
 * nonlinear system or micro-solver, a step controller. */
int ms_propagation_exists(const ms_system *system, const ms_options *options, ms_error *error);

/* Is Psi small enough for all its eigenvalues? Otherwise MS_INVALID and what would be needed. */
int ms_propagation_fits(const ms_system *system, ms_error *error);

/* The same options for equal macro-steps h (0: the system's) from time 0: linear systems without external
 * inputs do not know the time. Schemes that iterate do so to round-off, with the native Newton method. */
ms_options ms_propagation_options(const ms_system *system, const ms_scheme *scheme, const ms_options *options,
                                  double h);

/* Psi(h) by the probe: aux frozen at its steady values for equal steps h, external inputs zero, options as
 * above. *n: dimension, *psi: (n x n), owned by the caller. Errors: those of ms_cosim_create, MS_UNSUPPORTED,
 * MS_SOLVER_FAILED, MS_NOT_CONVERGED (an iteration that stagnates above 1e-12), MS_NO_MEMORY. */
int ms_propagation_probe(const ms_system *system, const ms_options *options, double h, int *n, double **psi,
                         ms_error *error);

/* rho(Psi(h)) by formula, or by the probe if there is no formula; NaN if the variant has no linear
 * propagation or a dimension above `largest`, and without memory: errno is ENOMEM then, otherwise 0. */
double ms_propagation_radius(const ms_system *system, const ms_options *options, double h, int largest);

/* Do formula (analytic_propagation.h) and probe of a variant on a system agree? MS_OK also without a formula or a probe, and for h = 0. */
int ms_propagation_check(const ms_system *system, const ms_options *options, double h, ms_error *error);

MS_C_LINKAGE_END
