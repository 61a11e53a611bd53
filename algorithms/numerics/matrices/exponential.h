/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exponential.h - e^{Ah} and phi-functions of Ah for one matrix A and many lengths h.
 *
 *     phi_0(z) = e^z,   phi_k(z) = (phi_{k-1}(z) - 1/(k-1)!)/z = sum_j z^j/(j + k)!
 *
 * Matrix products that do not depend on h are computed once: powers of A up to the fifth, alone and times B. For each h follow Taylor's
 * polynomial of degree 5, 10, 15 or 20, evaluated with these powers (Paterson and Stockmeyer 1973), followed by squarings if Ah is too
 * large. Their number is determined not by |A|, which may far exceed the growth of powers of A, but by |A^k|^{1/k} (Al-Mohy and Higham,
 * SIAM J. Matrix Anal. Appl. 31, 2009). Squaring works on e^z - I until e^z is small: matrices near the identity keep their digits in any
 * number of squarings (Zhong and Williams, Proc. IMechE C 208, 1994). A result depends only on A, B, h and k.
 *
 * Up to MS_DENSE_SIZE_MAX its bits are the same on every machine. Its error relative to its norm is at most 1e-14 max(1, condition of
 * the exponential at Ah). */
#pragma once

#include <stddef.h>

enum { MS_PHI_MAX = 8 }; /* the largest k */

typedef struct ms_exponential {
    int n, m;
    double unit;            /* A = unit N, a power of two */
    double reach[4];        /* |h unit| up to which polynomials of degree 5, 10, 15, 20 serve */
    double *power, *moment; /* N^j (n x n) and N^j B (n x m), j = 0..5 */
    double *work;
} ms_exponential;

/* For A (n x n) and B (n x m). memory: ms_exponential_size(n, m) doubles, which the result keeps using. What is not
 * finite is reported by ms_exponential_evaluate. */
void ms_exponential_prepare(ms_exponential *e, int n, int m, const double *A, const double *B,
                            double *memory);
size_t ms_exponential_size(int n, int m);

/* E = e^{Ah} (n x n) and, for k = 1 to p <= MS_PHI_MAX, W_k = phi_k(Ah) B (n x m) one behind the other.
 * Returns MS_OK or MS_SOLVER_FAILED (not finite). */
int ms_exponential_evaluate(const ms_exponential *e, double h, int p, double *E, double *W);
