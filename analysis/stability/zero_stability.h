/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zero_stability.h - does what a scheme remembers stay bounded as its macro-steps become short and many?
 *
 * Psi(H) has the spectral radius rho in the limit H -> 0. The states stand still there and have the eigenvalues 1; where rho is larger, an
 * error grows by rho in each macro-step, and the more of them there are the larger it becomes: no order of consistency helps. */
#ifndef MS_ZERO_STABILITY_H
#define MS_ZERO_STABILITY_H

#include <macrostep/choices.h>
#include <macrostep/system.h>

/* rho in the limit H -> 0, by formula (analytic_propagation.h), where there is none by the probe of macro-steps so short that a 16th of them
 * changes it by less than 1e-6. Of a nonlinear system that of its linearisation at the start. Micro-solvers do not matter: they are
 * taken to be exact. NaN: there is none, or Psi has more than `largest` rows. Errors: MS_NO_MEMORY. */
int ms_zero_stability_radius(const ms_system *system, const ms_options *options, int largest, double *radius,
                             ms_error *error);

/* Does that radius forbid convergence? One within 1e-4 of 1 does not: round-off moves defective eigenvalues by that much. */
bool ms_zero_stability_lost(double radius);

#endif
