/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balls_circle.c - bounds over a circle of step sizes: of the entries of T^-1 psi T, psi being an entire function of H, and from
 * these of the functions of plugin_balls.h.
 *
 * With psi = sum_k a_k z^k, z = (H - middle)/radius, the discrete Fourier transform of psi at N points of the circle gives
 * a_k + a_{k+N} + a_{k+2N} + .. for k < N, and by Cauchy's inequality |a_k| <= M q^k, where M bounds psi over a disc 1/q times as
 * large, for which one ball does. So an entry of T^-1 psi T is at most the sum of the moduli of those of T^-1 a_k T.
 *
 * Let m_ij bound the entries, r_i the norms of the rows. By Hadamard's inequality
 *
 *     |det(I +- psi)| <= prod_i sqrt(1 + 2 m_ii + r_i^2),
 *     |prod_{i<j} (1 - l_i l_j)| <= prod_{i<j} sqrt(1 + 2 (m_ii m_jj + m_ij m_ji) + r_i^2 r_j^2),
 *
 * as the latter is det(I - C), C the second compound of psi, whose row (i, j) has at most the norm r_i r_j. */
#include "balls.h"

#ifdef MS_HAVE_ARB
#if __has_include(<flint/acb_dft.h>)
#include <flint/acb_dft.h>
#else
#include <acb_dft.h>
#endif

enum { N = 2 * (MS_BALLS_SAMPLES - 1), LAST = MS_BALLS_TERMS - 1 };

/* Terms ---------------------------------------------------------------------------------------------------- */

/* Of an entry: M q^k, times 2 for what follows it. */
static void remainder_from(const ms_balls *disc, slong i, slong j, slong k, mag_t to)
{
    acb_get_mag(to, acb_mat_entry(disc->m, i, j));
    mag_mul_2exp_si(to, to, 1 - MS_BALLS_FARTHER * k);
}

/* Entry i, j at all points of the circle: the lower half is conjugate to the upper one. */
static void gather(ms_balls *const *sample, slong i, slong j, acb_ptr value)
{
    for (int k = 0; k < MS_BALLS_SAMPLES; k++)
        acb_set(value + k, acb_mat_entry(sample[k]->m, i, j));
    for (int k = MS_BALLS_SAMPLES; k < N; k++)
        acb_conj(value + k, value + N - k);
}

/* a_0 .. a_{LAST-1} of entry i, j, and in a[LAST] a ball about 0 that holds the sum of all moduli from a_LAST on. value: its transform. */
static void set_terms(acb_srcptr value, const ms_balls *disc, slong i, slong j, arb_mat_t *a, long bits)
{
    mag_t size;
    arb_t term;
    mag_init(size);
    arb_init(term);
    arb_ptr last = arb_mat_entry(a[LAST], i, j);
    remainder_from(disc, i, j, N, size);
    arb_zero(last);
    arb_add_error_mag(last, size);
    for (int k = 0; k < N; k++) {
        arb_div_si(term, acb_realref(value + k), N, bits);
        remainder_from(disc, i, j, k + N, size);
        arb_add_error_mag(term, size);
        if (k < LAST)
            arb_set(arb_mat_entry(a[k], i, j), term);
        arb_get_mag(size, term);
        if (k >= LAST)
            arb_add_error_mag(last, size);
    }
    mag_clear(size);
    arb_clear(term);
}

static void transform(ms_balls *const *sample, const ms_balls *disc, arb_mat_t *a, long bits)
{
    const slong n = acb_mat_nrows(disc->m);
    acb_ptr value = _acb_vec_init(N), transformed = _acb_vec_init(N);
    acb_dft_pre_t prepared;
    acb_dft_precomp_init(prepared, N, bits);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            gather(sample, i, j, value);
            acb_dft_precomp(transformed, value, prepared, bits);
            set_terms(transformed, disc, i, j, a, bits);
        }
    acb_dft_precomp_clear(prepared);
    _acb_vec_clear(value, N);
    _acb_vec_clear(transformed, N);
}

static void set_real(arb_mat_t to, const ms_balls *from)
{
    for (slong i = 0; i < arb_mat_nrows(to); i++)
        for (slong j = 0; j < arb_mat_ncols(to); j++)
            arb_set(arb_mat_entry(to, i, j), acb_realref(acb_mat_entry(from->m, i, j)));
}

static void set_moduli(const arb_mat_t M, double *moduli)
{
    mag_t size;
    mag_init(size);
    for (slong i = 0; i < arb_mat_nrows(M); i++)
        for (slong j = 0; j < arb_mat_ncols(M); j++) {
            arb_get_mag(size, arb_mat_entry(M, i, j));
            *moduli++ = mag_get_d(size);
        }
    mag_clear(size);
}

void ms_balls_terms(ms_balls *const *sample, const ms_balls *disc, const ms_balls *inverse, const ms_balls *T,
                    double *moduli, long bits)
{
    const slong n = acb_mat_nrows(disc->m);
    arb_mat_t a[MS_BALLS_TERMS], left, right;
    arb_mat_init(left, n, n);
    arb_mat_init(right, n, n);
    for (int k = 0; k < MS_BALLS_TERMS; k++)
        arb_mat_init(a[k], n, n);
    set_real(left, inverse);
    set_real(right, T);
    transform(sample, disc, a, bits);
    for (int k = 0; k < MS_BALLS_TERMS; k++) {
        arb_mat_mul_classical(a[k], left, a[k], bits);
        arb_mat_mul_classical(a[k], a[k], right, bits);
        set_moduli(a[k], moduli + k * n * n);
        arb_mat_clear(a[k]);
    }
    arb_mat_clear(left);
    arb_mat_clear(right);
}

/* Functions ------------------------------------------------------------------------------------------------ */

/* product *= 1 + 2 a + b */
static void multiply(mag_t product, const mag_t a, const mag_t b)
{
    mag_t factor;
    mag_init(factor);
    mag_mul_2exp_si(factor, a, 1);
    mag_add(factor, factor, b);
    mag_add_ui(factor, factor, 1);
    mag_mul(product, product, factor);
    mag_clear(factor);
}

/* The squares of the norms of the rows; m (n x n), row (n). */
static void row_squares(int n, mag_srcptr m, mag_ptr row)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            mag_addmul(row + i, m + i * n + j, m + i * n + j);
}

/* The squares of both products. */
static void multiply_rows(int n, mag_srcptr m, mag_srcptr row, mag_t single, mag_t pairs)
{
    mag_t diagonal, squares;
    mag_init(diagonal);
    mag_init(squares);
    mag_one(single);
    mag_one(pairs);
    for (int i = 0; i < n; i++) {
        multiply(single, m + i * n + i, row + i);
        for (int j = 0; j < i; j++) {
            mag_mul(diagonal, m + i * n + i, m + j * n + j);
            mag_addmul(diagonal, m + i * n + j, m + j * n + i);
            mag_mul(squares, row + i, row + j);
            multiply(pairs, diagonal, squares);
        }
    }
    mag_clear(diagonal);
    mag_clear(squares);
}

static void set_root(const mag_t square, acb_t to)
{
    mag_t root;
    mag_init(root);
    mag_sqrt(root, square);
    acb_zero(to);
    arf_set_mag(arb_midref(acb_realref(to)), root);
    mag_clear(root);
}

void ms_balls_bounds(int n, const double *moduli, const double *scale, ms_balls *most)
{
    mag_ptr m = _mag_vec_init(n * n), row = _mag_vec_init(n);
    mag_t single, pairs;
    mag_init(single);
    mag_init(pairs);
    for (int e = 0; e < n * n; e++) {
        mag_set_d(single, scale[e % n] / scale[e / n]);
        mag_set_d(m + e, moduli[e]);
        mag_mul(m + e, m + e, single);
    }
    row_squares(n, m, row);
    multiply_rows(n, m, row, single, pairs);
    set_root(single, acb_mat_entry(most->m, MS_BALLS_ONE, 0));
    set_root(single, acb_mat_entry(most->m, MS_BALLS_MINUS_ONE, 0));
    set_root(pairs, acb_mat_entry(most->m, MS_BALLS_PAIRS, 0));
    _mag_vec_clear(m, n * n);
    _mag_vec_clear(row, n);
    mag_clear(single);
    mag_clear(pairs);
}
#endif
