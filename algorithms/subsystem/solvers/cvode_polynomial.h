/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cvode_polynomial.h - the polynomial from which CVODE predicts, for figures of its history (Andersson 2016, ch.
 * 7). */
#pragma once

#include <macrostep/instance.h>

enum { MS_CVODE_ORDER_MAX = 12 };

/* The predictor polynomial of an instance's CVODE, given by its derivatives at CVODE's current time:
 * derivative[j * nx + i] = x_i^(j), j = 0..*order, with room for MS_CVODE_ORDER_MAX + 1 of them. It is read
 * between macro-steps, before any correction. Returns MS_OK, MS_UNSUPPORTED (a solver other than cvode-bdf
 * and cvode-adams) or MS_SOLVER_FAILED (no step has been taken). */
int ms_cvode_polynomial(const ms_instance *instance, int *order, double *derivative);
