/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common_step.h - steps that subsystems impose, and the step that they have in common. Lengths that a file writes in decimals, 1/60 as
 * 0.0166666666666667, are the same to 5e-9, nine digits, as long as that is at most a hundredth of a step. */
#pragma once

/* How many steps of that length `whole` consists of; 0: not of a whole number of them. Both are positive [s]. */
double ms_steps_within(double step, double whole);

/* That step, or the one that it is to those digits and of which `whole` consists to the last one. Both are positive [s]. */
double ms_fitted_step(double step, double whole);

/* The least multiple of both steps [s], where 0 is a step of any length; NaN: none within 10000 of the longer one. */
double ms_common_step(double a, double b);
