/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_extreme.h - eigenvalues of Psi(h) of largest modulus if the matrix is too large to be formed: Arnoldi's
 * method with macro-steps of the engine, one per product (arnoldi.h: results and failures), and where these converge slowly with
 * shifts of the band matrix that they show (propagation_shift.h). */
#pragma once

#include <macrostep/choices.h>
#include <macrostep/system.h>
#include "arnoldi.h"

/* The default request for k eigenvalues of an n x n matrix: residuals of 1e-8 |lambda|, and a number of
 * products that bounds the time. */
ms_arnoldi_request ms_propagation_extreme_request(int n, int k);

typedef struct ms_propagation_extreme {
    int n; /* rows of Psi */
    ms_arnoldi found;
    int shifts;            /* of propagation_shift.h, whose solutions count as applications; 0: none */
    int defective, stable; /* 1, 0, or -1: unknown from the eigenvalues found; meaning: spectrum.h. Unless all
                              are found others may be larger, so that only 0 of stable is known */
} ms_propagation_extreme;

/* For h > 0, without forming Psi; needs memory for about subspace + 10 states of the co-simulation, and for the band matrix. A macro-step that
 * does not act linearly on two test vectors is refused. request.applications 0: as ms_propagation_extreme_request
 * says. Errors: those of ms_propagation_probe; MS_NOT_CONVERGED of ms_arnoldi_create, which is not a failure;
 * MS_INTERRUPTED; MS_SOLVER_FAILED (a macro-step is not finite). */
int ms_propagation_extreme_create(const ms_system *system, const ms_options *options, double h,
                                  const ms_arnoldi_request *request, ms_propagation_extreme *extreme,
                                  ms_error *error);
void ms_propagation_extreme_destroy(ms_propagation_extreme *extreme);
