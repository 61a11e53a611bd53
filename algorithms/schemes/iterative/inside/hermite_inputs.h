/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hermite_inputs.h - one input over a macro-step of length h by values and slopes at its ends: coefficients c by powers of the time
 * since its start (Eguillon et al. 2021). */
#ifndef MS_HERMITE_INPUTS_H
#define MS_HERMITE_INPUTS_H

enum { HERMITE_DEGREE = 3 };

/* The cubic with value a, slope b at 0 and value u, slope v at h (22). */
void ms_hermite_cubic(double a, double b, double u, double v, double h, double c[HERMITE_DEGREE + 1]);

/* The parabola with value a at 0 and value u, slope v at h. */
void ms_hermite_parabola(double a, double u, double v, double h, double c[HERMITE_DEGREE + 1]);

/* The parabola with value a, slope b at 0 and value a again at h (20). */
void ms_hermite_first_guess(double a, double b, double h, double c[HERMITE_DEGREE + 1]);

#endif
