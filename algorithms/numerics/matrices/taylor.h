/* SPDX-License-Identifier: GPL-3.0-or-later */
/* taylor.h - Taylor's series of x' = A x + f_0 + f_1 tau + .. + f_d tau^d, for lengths that do not recur.
 *
 *     x(theta h) = sum_k s_k theta^k,   s_0 = x(0),   s_k+1 = h/(k + 1) (A s_k + h^k f_k)
 *
 * costs one product of A with a vector per term, and a sum for every theta: far less than a matrix exponential for
 * each length (exponential.h). It is accurate if |A h| is at most about 2, since its terms then do not cancel:
 * MS_TAYLOR_TERMS of them must reach round-off. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MS_TAYLOR_TERMS = 25 };

typedef struct ms_taylor {
    int n, lanes;    /* lanes: n rounded up to an even number, padded with a zero */
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
