/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common_step.h"

#include <math.h>

static const double ALIKE = 5e-9; /* as exact as nine digits, which tools write */
static const double LEFT = 0.01;  /* what may be left over at most, in steps, however many there are */

double ms_steps_within(double step, double whole)
{
    const double n = whole / step, nearest = round(n);
    return nearest >= 1.0 && fabs(n - nearest) <= fmin(ALIKE * nearest, LEFT) ? nearest : 0.0;
}

double ms_fitted_step(double step, double whole)
{
    const double n = ms_steps_within(step, whole);
    return n > 0.0 && fabs(n * step - whole) > 1e-12 * whole ? whole / n : step;
}

double ms_common_step(double a, double b)
{
    enum { MULTIPLES = 10000 };
    const double longer = fmax(a, b), shorter = fmin(a, b);
    if (shorter == 0.0)
        return longer;
    for (int k = 1; k <= MULTIPLES; k++)
        if (ms_steps_within(shorter, k * longer) > 0.0)
            return k * longer;
    return NAN;
}
