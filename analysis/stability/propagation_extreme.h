/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_extreme.h - eigenvalues of Psi(h) of largest modulus where the matrix is too large to be made: Arnoldi's
 * method on macro-steps of the engine, one a product (arnoldi.h says what it finds, and when it does not). */
#ifndef MS_PROPAGATION_EXTREME_H
#define MS_PROPAGATION_EXTREME_H

#include <macrostep/choices.h>
#include <macrostep/system.h>
#include "arnoldi.h"

/* What is asked of k eigenvalues of an n x n matrix where nothing else was said: residuals of 1e-8 |lambda|, as many
 * products as keep the time within bounds. */
ms_arnoldi_request ms_propagation_extreme_request(int n, int k);

typedef struct ms_propagation_extreme {
    int n; /* rows of Psi */
    ms_arnoldi found;
    int defective, stable; /* 1, 0, or -1: not known from what was found; see spectrum.h for what they mean */
} ms_propagation_extreme;

/* For h > 0, without ever making Psi; memory for some subspace + 10 times the state of the co-simulation. A macro-step
 * that does not act linearly on two test vectors is refused. request.applications 0: as
 * ms_propagation_extreme_request says. Errors: those of ms_propagation_probe and, not a failure, MS_NOT_CONVERGED of
 * ms_arnoldi_create; MS_INTERRUPTED; MS_SOLVER_FAILED (a macro-step is not finite). */
int ms_propagation_extreme_create(const ms_system *system, const ms_options *options, double h,
                                  const ms_arnoldi_request *request, ms_propagation_extreme *extreme,
                                  ms_error *error);
void ms_propagation_extreme_destroy(ms_propagation_extreme *extreme);

#endif
