/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explicit_parts.h - a macro-step of jacobi in two parts, for step control that judges some subsystems before the others step:
 * those that cannot roll back step once it is decided.
 *
 * Not where errors of balances are fed back, and not where other ranks hold the state. */
#pragma once

#include <macrostep/cosim.h>

/* Inputs of all subsystems, and the step from t to t + h of the selected ones (n), including their y_raw and u_left. Returns as
 * step() of a scheme; nothing is stored in the history. */
int ms_explicit_try(ms_cosim *cosim, double t, double h, const bool *which);

/* Completes the same macro-step: the other subsystems step under their inputs, and the history is updated. */
int ms_explicit_complete(ms_cosim *cosim, double t, double h, const bool *others);
