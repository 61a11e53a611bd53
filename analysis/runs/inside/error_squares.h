/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error_squares.h - the errors of a variable that is known at points only: max is over them and end the last one, the integrals
 * of rmse and l2 are those of the trapezoidal rule. */
#pragma once

#include <math.h>

#include <macrostep/error_norms.h>

/* The squares of error and reference at the last point, and their integrals. */
typedef struct ms_error_squares {
    double e, reference;
    double e_integral, reference_integral;
} ms_error_squares;

/* Adds a point, h behind the one before (0: the first one). */
static inline void ms_error_squares_add(ms_state_errors *errors, ms_error_squares *sums, double h,
                                        double difference, double reference)
{
    const double e = difference * difference, square = reference * reference;
    sums->e_integral += 0.5 * h * (sums->e + e);
    sums->reference_integral += 0.5 * h * (sums->reference + square);
    sums->e = e;
    sums->reference = square;
    errors->end = fabs(difference);
    errors->max = fmax(errors->max, errors->end);
}

/* rmse and l2 over `elapsed`; NaN of a single point, l2 as well where the reference is within its own error of zero. */
static inline void ms_error_squares_conclude(ms_state_errors *errors, const ms_error_squares *sums,
                                             double elapsed, double reference_error)
{
    const double own = isnan(reference_error) ? 0.0 : reference_error;
    const bool vanishes = !(sqrt(sums->reference_integral) > own * sqrt(elapsed));
    errors->rmse = elapsed > 0.0 ? sqrt(sums->e_integral / elapsed) : NAN;
    errors->l2 = elapsed > 0.0 && !vanishes ? sqrt(sums->e_integral / sums->reference_integral) : NAN;
}
