/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_piece.h - the solution of the linear subsystems of solver_fixture.h over one piece of their input. */
#pragma once

#include <stdbool.h>

#include <macrostep/input.h>

/* State and integrals of SUPPORT_FULL or SUPPORT_FIXED over one piece from t: the exponential of one autonomous system in
 * x, q, the derivatives of u, and for w = amplitude sin(omega t + phase) sine and cosine. */
void support_exact_piece(const ms_input *input, int piece, bool is_full, double t, double h, double *x,
                         double *q);
