/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounded.h - numbers with the digits that are known. */
#pragma once

enum { MS_ROUNDED_SIZE = 40 };

/* The value with at most that many significant digits, without trailing zeros. If its error is known (>= 0, otherwise NaN), the last
 * digit is that of the error's first digit; at least one digit, and significant zeros, are kept. */
void ms_rounded_text(double value, double error, int digits, char text[MS_ROUNDED_SIZE]);
