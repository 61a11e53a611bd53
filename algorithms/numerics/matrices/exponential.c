/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "exponential.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <macrostep/status.h>
#include "dense.h"
#include "matrix.h"

enum { POWERS = 5, BLOCKS_MAX = 4, DEGREE_MAX = POWERS * BLOCKS_MAX, SQUARINGS_MAX = 1000 };

/* Up to theta degree m = 5 (i + 1) is sufficient: theta^m = (m + 1)! 2^-53, so that the relative truncation error of e^z - 1 is 2^-53. */
static const double theta[BLOCKS_MAX] = {2.4018e-3, 0.14610, 0.66742, 1.5405};

/* Powers of the scale of N up to DEGREE_MAX do not overflow below. */
static const double LARGEST_SCALE = 0x1p50;

/* clang-format off */
static const double inverse_factorial[DEGREE_MAX + MS_PHI_MAX + 1] = {
    1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0,
    1.0 / 362880.0, 1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0,
    1.0 / 87178291200.0, 1.0 / 1307674368000.0, 1.0 / 20922789888000.0, 1.0 / 355687428096000.0,
    1.0 / 6402373705728000.0, 1.0 / 121645100408832000.0, 1.0 / 2432902008176640000.0,
    1.0 / 51090942171709440000.0, 1.0 / 1124000727777607680000.0, 1.0 / 25852016738884976640000.0,
    1.0 / 620448401733239439360000.0, 1.0 / 15511210043330985984000000.0,
    1.0 / 403291461126605635584000000.0, 1.0 / 10888869450418352160768000000.0,
    1.0 / 304888344611713860501504000000.0};
/* clang-format on */

/* How Ah is brought to z = scale N, on which Taylor's polynomial of degree 5 blocks serves: Ah = 2^squarings z. */
typedef struct scaling {
    double scale;
    int blocks, squarings;
} scaling;

/* Once for a matrix ---------------------------------------------------------------------------------------- */

size_t ms_exponential_size(int n, int m)
{
    const size_t widest = (size_t)(n > m ? n : m);
    return (size_t)n * ((POWERS + 1) * ((size_t)n + (size_t)m) + widest) + 1;
}

/* N^j R (n x columns) for j = known + 1 to POWERS behind those for 0 to `known`, which are at the front. */
static void fill_powers(int n, int columns, const double *N, int known, double *R)
{
    const int size = n * columns;
    for (int j = known; j < POWERS; j++)
        ms_matrix_product(n, n, columns, N, R + j * size, R + (j + 1) * size);
}

/* x^{1/k} for 0 <= x <= 2^k by Newton's method from above, with the same bits on every machine. */
static double root(double x, int k)
{
    double last, y = 2.0;
    do {
        double power = 1.0;
        for (int j = 1; j < k; j++)
            power *= y;
        last = y;
        y = x > 0.0 ? ((k - 1) * last + x / power) / k : x;
    } while (y < last && y > 0.0);
    return isnan(x) ? x : fmin(y, last);
}

/* |z^j| <= alpha^j for all j that a polynomial leaves out, where alpha bounds |z^3|^{1/3} and |z^4|^{1/4}; and from
 * j = 12 on where it bounds |z^4|^{1/4} and |z^5|^{1/5}. */
static void fill_reach(ms_exponential *e)
{
    double norm[POWERS + 1];
    for (int k = 3; k <= POWERS; k++)
        norm[k] = root(ms_matrix_norm(e->n, e->power + k * e->n * e->n), k);
    const double early = norm[3] > norm[4] || isnan(norm[3]) ? norm[3] : norm[4];
    const double late = fmin(early, fmax(norm[4], norm[5]));
    for (int i = 0; i < BLOCKS_MAX; i++) {
        const double alpha = POWERS * (i + 1) + 1 < 12 ? early : late;
        e->reach[i] = isnan(early) ? NAN : fmin(LARGEST_SCALE, theta[i] / alpha);
    }
}

void ms_exponential_prepare(ms_exponential *e, int n, int m, const double *A, const double *B, double *memory)
{
    const size_t size = (size_t)n * (size_t)n, width = (size_t)n * (size_t)m;
    *e = (ms_exponential){.n = n, .m = m, .power = memory};
    e->moment = e->power + (POWERS + 1) * size;
    e->work = e->moment + (POWERS + 1) * width;
    double *N = e->power + size;
    const double norm = ms_matrix_norm(n, A);
    int exponent = 1;
    if (isfinite(norm) && norm > 0.0)
        frexp(norm, &exponent);
    e->unit = ldexp(1.0, exponent - 1);
    for (size_t i = 0; i < size; i++)
        N[i] = ldexp(A[i], 1 - exponent);
    memset(e->power, 0, sizeof(double) * size);
    for (int i = 0; i < n; i++)
        e->power[i * (n + 1)] = 1.0;
    fill_powers(n, n, N, 1, e->power); /* N is one of them */
    if (m > 0)
        memcpy(e->moment, B, sizeof(double) * width);
    fill_powers(n, m, N, 0, e->moment);
    fill_reach(e);
}

/* Taylor's polynomials ----------------------------------------------------------------------------------- */

static bool choose_scaling(const ms_exponential *e, double h, scaling *of)
{
    *of = (scaling){.scale = h * e->unit, .blocks = BLOCKS_MAX};
    while (!(fabs(of->scale) <= e->reach[BLOCKS_MAX - 1])) {
        if (++of->squarings > SQUARINGS_MAX)
            return false;
        of->scale *= 0.5;
    }
    if (of->squarings == 0)
        while (of->blocks > 1 && fabs(of->scale) <= e->reach[of->blocks - 2])
            of->blocks--;
    return true;
}

/* The coefficients of e^z - 1 and of phi_p, in powers of N. */
static void fill_coefficients(const scaling *of, int p, double *exponential, double *phi)
{
    const double s = of->scale, s2 = s * s;
    double even = 1.0, odd = s; /* powers of s, in two chains */
    exponential[0] = 0.0;
    phi[0] = inverse_factorial[p];
    for (int j = 1; j <= POWERS * of->blocks; j += 2) {
        even *= s2;
        exponential[j] = odd * inverse_factorial[j];
        phi[j] = odd * inverse_factorial[j + p];
        exponential[j + 1] = even * inverse_factorial[j + 1];
        phi[j + 1] = even * inverse_factorial[j + 1 + p];
        odd *= s2;
    }
}

/* Z = sum_j c_j N^j R (n x columns), j = 0 to 5 blocks, of the powers N^j R. */
static void evaluate_polynomial(const ms_exponential *e, int blocks, const double *c, int columns,
                                const double *R, double *Z)
{
    const int size = e->n * columns;
    const double *N5 = e->power + POWERS * e->n * e->n;
    c += POWERS * (blocks - 1);
    ms_dense_combine(size, c, c[POWERS], R, R + POWERS * size, Z);
    for (int k = blocks - 2; k >= 0; k--) { /* Z = N^5 Z + sum_{j<5} c_{5k+j} N^j R */
        ms_matrix_product(e->n, e->n, columns, N5, Z, e->work);
        c -= POWERS;
        ms_dense_combine(size, c, 1.0, R, e->work, Z);
    }
}

/* W_p by Taylor's polynomial, and W_k = z W_{k+1} + B/k! below it. */
static void fill_phi(const ms_exponential *e, const scaling *of, const double *c, int p, double *W)
{
    const int size = e->n * e->m;
    evaluate_polynomial(e, of->blocks, c, e->m, e->moment, W + (p - 1) * size);
    for (int k = p - 1; k >= 1; k--) {
        double *Wk = W + (k - 1) * size;
        ms_matrix_product(e->n, e->n, e->m, e->power + e->n * e->n, Wk + size, e->work);
        for (int i = 0; i < size; i++)
            Wk[i] = of->scale * e->work[i] + inverse_factorial[k] * e->moment[i];
    }
}

/* Squarings ------------------------------------------------------------------------------------------------ */

/* X = e^z - shift I, with shift 1 as long as e^z is not small. */
typedef struct squared {
    double *X;
    double shift;
} squared;

/* W_k(2z) = 2^-k (e^z W_k + sum_{j=1}^k W_j/(k - j)!) */
static void double_phi(const ms_exponential *e, const squared *of, int p, double *W)
{
    const int size = e->n * e->m;
    for (int k = p; k >= 1; k--) {
        const double factor = 1.0 / (double)(1 << k);
        double *Wk = W + (k - 1) * size;
        ms_matrix_product(e->n, e->n, e->m, of->X, Wk, e->work);
        for (int i = 0; i < size; i++) {
            double sum = e->work[i] + (1.0 + of->shift) * Wk[i];
            for (int j = 1; j < k; j++)
                sum += inverse_factorial[j] * Wk[i - j * size];
            Wk[i] = factor * sum;
        }
    }
}

/* To the whole exponential. */
static void complete(int n, squared *of)
{
    for (int i = 0; i < n; i++)
        of->X[i * (n + 1)] += of->shift;
    of->shift = 0.0;
}

/* (X + I)^2 - I = X^2 + 2 X */
static void square(const ms_exponential *e, squared *of)
{
    const int n = e->n, size = n * n;
    ms_matrix_product(n, n, n, of->X, of->X, e->work);
    for (int i = 0; i < size; i++)
        of->X[i] = e->work[i] + 2.0 * of->shift * of->X[i];
}

/* Is e^z small? */
static bool is_small(int n, const squared *of)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(of->X[i * n + j] + (i == j ? of->shift : 0.0));
        if (!(sum <= 0.5))
            return false;
    }
    return true;
}

static bool all_finite(int size, const double *M)
{
    double sum = 0.0;
    for (int i = 0; i < size; i++)
        sum += fabs(M[i]);
    return isfinite(sum);
}

int ms_exponential_evaluate(const ms_exponential *e, double h, int p, double *E, double *W)
{
    scaling of;
    double exponential[DEGREE_MAX + 2], phi[DEGREE_MAX + 2];
    squared result = {E, 1.0};
    if (!choose_scaling(e, h, &of))
        return MS_SOLVER_FAILED;
    fill_coefficients(&of, p, exponential, phi);
    evaluate_polynomial(e, of.blocks, exponential, e->n, e->power, E);
    if (p > 0 && e->m > 0)
        fill_phi(e, &of, phi, p, W);
    for (int k = 0; k < of.squarings; k++) {
        double_phi(e, &result, p, W);
        square(e, &result);
        if (result.shift > 0.0 && is_small(e->n, &result))
            complete(e->n, &result);
    }
    complete(e->n, &result);
    return all_finite(e->n * e->n, E) && all_finite(p * e->n * e->m, W) ? MS_OK : MS_SOLVER_FAILED;
}
