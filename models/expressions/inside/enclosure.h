/* SPDX-License-Identifier: GPL-3.0-or-later */
/* enclosure.h - what a program of time takes for values, and its slope, over an interval of time.
 *
 * Sums, products and quotients of the ends are rounded as values are, and rounding is monotone: so the enclosure holds what the
 * program evaluates to at every time in between, up to an ulp or two of what the mathematical library gives.
 *
 * Source: Moore, Kearfott, Cloud, Introduction to Interval Analysis (2009), ch. 5 and 6. */
#ifndef MS_ENCLOSURE_H
#define MS_ENCLOSURE_H

#include "program.h"

typedef struct ms_interval {
    double lo, hi;
} ms_interval;

typedef struct ms_enclosure {
    ms_interval value, slope;
} ms_enclosure;

/* All results of the program for times in `t`; the other values are those of `of`. */
void ms_program_enclose(const ms_program *program, ms_interval t, const double *const of[MS_NAME_GROUPS],
                        ms_enclosure *result);

#endif
