/* SPDX-License-Identifier: GPL-3.0-or-later */
/* taylor.h - Taylor's series of x' = A x + f_0 + f_1 tau + .. + f_d tau^d, for lengths that do not come again.
 *
 *     x(theta h) = sum_k s_k theta^k,   s_0 = x(0),   s_k+1 = h/(k + 1) (A s_k + h^k f_k)
 *
 * costs as many products of A with a vector as it has terms, and every theta a sum: what a matrix exponential for each
 * length (exponential.h) would cost many times over. It serves where |A h| is no more than 2 or so, as its terms then
 * lose no digits by cancellation: MS_TAYLOR_TERMS of them have to reach round-off. */
#ifndef MS_TAYLOR_H
#define MS_TAYLOR_H

#include <stdbool.h>
#include <stddef.h>

enum { MS_TAYLOR_TERMS = 25 };

typedef struct ms_taylor {
    int n, lanes;    /* lanes: n, up to an even number, where a zero stands */
    int terms;       /* of the last series */
    double *columns; /* of A (n x lanes) */
    double *series;  /* s_k (MS_TAYLOR_TERMS x lanes) */
    double *f;       /* f_k (degree + 1, lanes), for the caller to fill before each series */
    double *size;    /* sums of |s_k| so far (lanes) */
} ms_taylor;

/* For A (n x n) and f up to a degree. memory: ms_taylor_size(n, degree) doubles, which the result keeps using. */
void ms_taylor_prepare(ms_taylor *taylor, int n, int degree, const double *A, double *memory);
size_t ms_taylor_size(int n, int degree);

/* The series over h from x (n), driven by f up to that degree, which it overwrites. Does it reach round-off? Its last two
 * terms then are no more than a tenth of it in each entry, relative to all terms of that entry and 1e-8 of the largest ones. */
bool ms_taylor_expand(ms_taylor *taylor, int degree, double h, const double *x);

/* x (n) at theta in [0, 1] of the last series. */
void ms_taylor_sum(const ms_taylor *taylor, double theta, double *x);

/* Quadratures of int_0^h e^{A (h - s)} v(s) ds over the same h, by as many powers of A as the last series has terms (at least two),
 * whose place they take: sum_j A^j m_j, m_j = int (h - s)^j/j! v(s) ds. Moments are cleared, each node of the formula adds its
 * v (n), times its weight, at h - s, and the sum is r (n). */
void ms_taylor_clear_moments(ms_taylor *taylor);
void ms_taylor_add_moments(ms_taylor *taylor, double left, const double *v);
void ms_taylor_sum_moments(ms_taylor *taylor, double *r);

#endif
