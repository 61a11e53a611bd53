/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zero_stability.h - does the memory of a scheme stay bounded as the number of macro-steps grows and they become short?
 *
 * Psi(H) has the spectral radius rho in the limit H -> 0. The states are constant there, with eigenvalues 1; if rho is larger, an
 * error grows by the factor rho in each macro-step, the more the shorter they are: no order of consistency helps. */
#pragma once

#include <macrostep/choices.h>
#include <macrostep/system.h>

/* rho in the limit H -> 0, by formula (analytic_propagation.h), or otherwise by probing macro-steps so short that a 16th of them
 * changes it by less than 1e-6. For a nonlinear system that of its linearisation at the start. Micro-solvers are assumed
 * to be exact. NaN: there is none, or Psi has more than `largest` rows. Errors: MS_NO_MEMORY. */
int ms_zero_stability_radius(const ms_system *system, const ms_options *options, int largest, double *radius,
                             ms_error *error);

/* Does that radius preclude convergence? One within 1e-4 of 1 does not: round-off perturbs defective eigenvalues by that much. */
bool ms_zero_stability_lost(double radius);
