/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ifosmondi.h - the callback gamma of ifosmondi and zoh-iterative (scheme_ifosmondi.c), for studies without a
 * run. */
#pragma once

#include <macrostep/cosim.h>
#include "nonlinear.h"

/* The first call of the macro-step from the present time t to t + h: z = (L y, L y') or L y, where a method
 * starts. Errors: those of ms_execution_advance. */
int ms_ifosmondi_begin(ms_cosim *cosim, double t, double h, double *z);

/* gamma(z) = 0 of the macro-step that was begun last, with rule (27). Each call of residual integrates all
 * subsystems from the start of the macro-step and leaves them at its end. */
ms_nonlinear_problem ms_ifosmondi_problem(ms_cosim *cosim);

/* The iterations left to a method after the initial guess, of a limit of N per macro-step: N, or if iterations are
 * calls of gamma, N minus the first call, the residual of the guess and the last call if there is one.
 * Negative: not even those are allowed. */
int ms_ifosmondi_iterations_left(const ms_nonlinear_method *method, int max_iterations, bool last_call);
