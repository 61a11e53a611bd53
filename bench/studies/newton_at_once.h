/* SPDX-License-Identifier: GPL-3.0-or-later */
/* newton_at_once.h - consistent outputs and inputs by one Newton iteration for everything, without an evaluation
 * order: for comparison with initialise.h (Andersson 2016, section 5.1). */
#pragma once

#include "initialise.h"

typedef enum ms_unknowns {
    MS_UNKNOWN_INPUTS, /* u - L g(x, u) = 0 */
    MS_UNKNOWN_OUTPUTS /* y - g(x, L y) = 0, from the same inputs */
} ms_unknowns;

/* As ms_initialise; work may be NULL. Errors: MS_NO_SOLUTION (the line says why), MS_UNSUPPORTED (outputs that
 * depend on u': only an evaluation order has a place for them), MS_NO_MEMORY. */
int ms_newton_at_once(const ms_system *system, ms_unknowns unknowns, double t, const double *x, double *u,
                      double *y, ms_initialisation *work, ms_error *error);
