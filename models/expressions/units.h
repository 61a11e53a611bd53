/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - do the units in expressions fit each other?
 *
 * Units are known of names that have one, and of t, which is in seconds; rad is 1. What has an undeclared name as a factor has no
 * known unit, and fits anything. Numbers, comparisons, signs, and functions of what has no known unit are pure numbers: 1 as
 * factors, and anything in sums. What is made of t and numbers alone may be 1 as well, as in sin(2*t), since a number in it may
 * have a unit.
 *
 * Equal units are needed by + - min max hypot atan2 fdim nextafter and remainders, by comparisons, and by both branches of a choice;
 * functions that are not homogeneous, and exponents, need 1; copysign(a, b) has the unit of a, whatever b is. */
#ifndef MS_UNITS_H
#define MS_UNITS_H

#include "expressions.h"

/* Of expressions over these names and their units. expected: (n) the units that the values are to have; NULL, "1" and what is no
 * unit of the SI: any. Errors: MS_INVALID with the fault, "m + s: units do not fit", of the first that is found; MS_NO_MEMORY. */
int ms_expressions_check_units(const ms_expressions *e, const ms_names *names, const char *const *expected,
                               ms_expression_fault *fault);

#endif
