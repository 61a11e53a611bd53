/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input_fit.h - the parabola through three values of an input over a step. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Its first and second derivative at the start, from the values at the start, in the middle and at the end of a step of length h. A
 * straight line where they lie on one up to round-off, or where no parabola is allowed. */
static inline void ms_input_fit(double h, const double at[3], bool parabola, double *slope, double *curve)
{
    const double bend = (at[2] - at[1]) - (at[1] - at[0]);
    const double size = fmax(fabs(at[0]), fmax(fabs(at[1]), fabs(at[2])));
    const bool bent = parabola && fabs(bend) > 4.0 * DBL_EPSILON * size;
    *curve = bent ? 4.0 * bend / (h * h) : 0.0;
    *slope = (at[2] - at[0]) / h - 0.5 * *curve * h;
}
