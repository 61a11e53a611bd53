/* SPDX-License-Identifier: GPL-3.0-or-later */
/* propagation_shift.h - eigenvalues of largest modulus of a band matrix Psi that are too close to each other for products alone:
 * Arnoldi's method with Re((Psi - s I)^-1), whose largest eigenvalues are those of Psi next to s.
 *
 * A shift s stands a little outside the spectrum, next to its largest Ritz value so far, at the distance of the next one. It is moved
 * until the largest of the eigenvalues found next to it are not the most distant ones. What is elsewhere is known only as
 * far as the Ritz values at the start show it. */
#pragma once

#include "arnoldi.h"
#include "propagation_band.h"

/* The request.k largest into `found`, which is what products alone have found, and is improved: eigenvalues, residuals, conditions, and
 * how many have converged. Its applications are incremented by the solutions, to request.applications at most; *shifts is how many there were.
 * Errors: MS_NOT_CONVERGED (the eigenvalues are as they were), MS_INTERRUPTED, MS_NO_MEMORY, those of psi. */
int ms_propagation_shift(const ms_propagation_band *band, const ms_arnoldi_map *psi,
                         const ms_arnoldi_request *request, ms_arnoldi *found, int *shifts);
