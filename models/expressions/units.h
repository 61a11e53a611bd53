/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - checks that the units in expressions are consistent.
 *
 * Names with a declared unit, and t (seconds), have known units; rad is 1. A product with an undeclared name has an unknown unit,
 * which matches any. Numbers, comparisons, signs, and functions of unknown units are pure numbers: 1 in products, and anything in
 * sums. Expressions of t and numbers alone may also have unit 1, as in sin(2*t), since a number in them may have a unit.
 *
 * Equal units are needed by + - min max hypot atan2 fdim nextafter and remainders, by comparisons, and by both branches of a choice;
 * functions that are not homogeneous, and exponents, need 1; copysign(a, b) has the unit of a, for any b. */
#pragma once

#include "expressions.h"

/* Checks expressions over these names and their units. expected: (n) the required units of the values; NULL, "1" and a text that is not a
 * unit of the SI: any. Errors: MS_INVALID with the first fault, "m + s: units do not fit"; MS_NO_MEMORY. */
int ms_expressions_check_units(const ms_expressions *e, const ms_names *names, const char *const *expected,
                               ms_expression_fault *fault);
