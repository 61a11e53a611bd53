/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounded.h - numbers with the digits that are known. */
#ifndef MS_ROUNDED_H
#define MS_ROUNDED_H

enum { MS_ROUNDED_SIZE = 40 };

/* The value with at most so many significant digits, zeros at its end left out. Where its error is known (>= 0, else NaN) the last
 * digit is that of the error's first one, at least one digit stays, and zeros that are known stay as well. */
void ms_rounded_text(double value, double error, int digits, char text[MS_ROUNDED_SIZE]);

#endif
