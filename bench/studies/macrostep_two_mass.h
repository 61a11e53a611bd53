/* macrostep_two_mass.h - the plane that all maps of the two-mass oscillator share. */
#ifndef MS_TWO_MASS_H
#define MS_TWO_MASS_H

#include <math.h>

static const double step_range[] = {0.01, 10.0}, ratio_range[] = {0.01, 100.0}; /* H omega1, m2/m1 */

/* n points of the range in equal ratios. */
static inline void fill_axis(int n, const double range[2], double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = range[0] * pow(range[1] / range[0], (double)k / (n - 1));
}

#endif
