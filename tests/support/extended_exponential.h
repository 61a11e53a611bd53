/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extended_exponential.h - the exponential of a matrix in extended precision, by plain scaling, Taylor's series and
 * squaring.
 *
 * Numbers are unevaluated sums of two doubles, with some 32 digits (Dekker, Numer. Math. 18, 1971): long double has no
 * more digits than double on some machines, and under valgrind. */
#pragma once

typedef struct support_twofold {
    double high, low;
} support_twofold;

/* a b, exactly. */
support_twofold support_twofold_product(double a, double b);

/* E = e^A for A (n x n, by rows); errors of |A| 1e-31. */
void support_exponential_twofold(int n, const support_twofold *A, support_twofold *E);

/* E = e^{At}, rounded. */
void support_exponential(int n, const double *A, double t, double *E);

/* x = e^{At} x for n <= 8. */
void support_propagate(int n, const double *A, double t, double *x);
