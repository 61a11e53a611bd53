/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - a double as the shortest decimal that reads back to it, and what a decimal reads to: with a decimal point in every locale. */
#pragma once

#include <locale.h>

enum { MS_NUMBER_SIZE = 32 }; /* the longest text, "-2.2250738585072014e-308", and its end */

/* Writes a finite value and returns the length: the fewest significant digits that are read back to the same double, and of
 * these the nearest; 0.1, 1e-7, 1.5e16, positional from 1e-4 to below 1e16. `text` has MS_NUMBER_SIZE bytes. */
int ms_number_text(double value, char *text);

/* Has the thread write numbers with a point, whatever locale its program has chosen; returns its locale, to be given back by uselocale(). */
locale_t ms_number_locale(void);

/* strtod() under the C locale, whatever that of the thread is. */
double ms_number_read(const char *text, char **end);
