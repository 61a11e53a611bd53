/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extended_exponential.h - the exponential of a matrix in extended precision, by plain scaling, Taylor's series and squaring. */
#ifndef MS_TESTS_EXTENDED_EXPONENTIAL_H
#define MS_TESTS_EXTENDED_EXPONENTIAL_H

/* E = e^A for A (n x n, by rows); errors of |A| 1e-19 where long double has 64 bits. */
void support_exponential_extended(int n, const long double *A, long double *E);

/* E = e^{At}, rounded. */
void support_exponential(int n, const double *A, double t, double *E);

#endif
