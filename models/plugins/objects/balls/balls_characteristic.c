/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balls_characteristic.c - the characteristic polynomial of a real matrix of balls in O(n^3): by elimination to Hessenberg's
 * form, and the recursion for that (J. H. Wilkinson, The Algebraic Eigenvalue Problem, 1965, chapters 6 and 7).
 *
 * Where a column below its diagonal cannot be told from 0, as in matrices with shifts, it is set to 0. With the other columns m_j
 * fixed, det(z I - M) is linear in column k, so that for |z| = 1 it changes by at most |e|_2 prod_{j != k} (1 + |m_j|_2), e being
 * what was left out (Hadamard), and by Cauchy's inequality each coefficient changes by no more. */
#include "balls.h"

#ifdef MS_HAVE_ARB

/* |M_ij|^2 of rows from `first` on, summed. */
static void column_squares(const arb_mat_t M, slong first, slong j, mag_t sum)
{
    mag_t entry;
    mag_init(entry);
    mag_zero(sum);
    for (slong i = first; i < arb_mat_nrows(M); i++) {
        arb_get_mag(entry, arb_mat_entry(M, i, j));
        mag_addmul(sum, entry, entry);
    }
    mag_clear(entry);
}

/* Sets column k below row k + 1 and in it to 0; error += what that may do to a coefficient. */
static void leave_out(arb_mat_t M, slong k, mag_t error)
{
    mag_t change, part, one;
    mag_init(change);
    mag_init(part);
    mag_init(one);
    mag_one(one);
    column_squares(M, k + 1, k, change);
    mag_sqrt(change, change);
    for (slong j = 0; j < arb_mat_nrows(M); j++) {
        if (j == k)
            continue;
        column_squares(M, 0, j, part);
        mag_sqrt(part, part);
        mag_add(part, part, one);
        mag_mul(change, change, part);
    }
    mag_add(error, error, change);
    for (slong i = k + 1; i < arb_mat_nrows(M); i++)
        arb_zero(arb_mat_entry(M, i, k));
    mag_clear(change);
    mag_clear(part);
    mag_clear(one);
}

/* The row from k + 1 on with the largest entry in column k; -1: it is not known well enough to be divided by. */
static slong pivot(const arb_mat_t M, slong k, long bits)
{
    slong best = k + 1;
    for (slong i = k + 2; i < arb_mat_nrows(M); i++)
        if (arf_cmpabs(arb_midref(arb_mat_entry(M, i, k)), arb_midref(arb_mat_entry(M, best, k))) > 0)
            best = i;
    arb_srcptr entry = arb_mat_entry(M, best, k);
    return arb_contains_zero(entry) || arb_rel_accuracy_bits(entry) < bits / 4 ? -1 : best;
}

/* Row and column k + 1 change places with `with`. */
static void exchange(arb_mat_t M, slong k, slong with)
{
    if (with == k + 1)
        return;
    for (slong j = 0; j < arb_mat_nrows(M); j++)
        arb_swap(arb_mat_entry(M, k + 1, j), arb_mat_entry(M, with, j));
    for (slong i = 0; i < arb_mat_nrows(M); i++)
        arb_swap(arb_mat_entry(M, i, k + 1), arb_mat_entry(M, i, with));
}

/* Row i less f times row k + 1, so that column k has 0 there, and column k + 1 more f times column i: a similarity. */
static void eliminate(arb_mat_t M, slong k, slong i, arb_t f, long bits)
{
    const slong n = arb_mat_nrows(M);
    if (arb_is_zero(arb_mat_entry(M, i, k)))
        return;
    arb_div(f, arb_mat_entry(M, i, k), arb_mat_entry(M, k + 1, k), bits);
    arb_zero(arb_mat_entry(M, i, k));
    for (slong j = k + 1; j < n; j++)
        if (!arb_is_zero(arb_mat_entry(M, k + 1, j)))
            arb_submul(arb_mat_entry(M, i, j), f, arb_mat_entry(M, k + 1, j), bits);
    for (slong r = 0; r < n; r++)
        if (!arb_is_zero(arb_mat_entry(M, r, i)))
            arb_addmul(arb_mat_entry(M, r, k + 1), f, arb_mat_entry(M, r, i), bits);
}

/* M to Hessenberg's form, less what error bounds. */
static void reduce(arb_mat_t M, mag_t error, long bits)
{
    arb_t f;
    arb_init(f);
    for (slong k = 0; k + 1 < arb_mat_nrows(M); k++) {
        const slong row = pivot(M, k, bits);
        if (row < 0) {
            leave_out(M, k, error);
            continue;
        }
        exchange(M, k, row);
        for (slong i = k + 2; i < arb_mat_nrows(M); i++)
            eliminate(M, k, i, f, bits);
    }
    arb_clear(f);
}

/* p_k = (z - h_kk) p_{k-1} - sum_i h_ik (h_{i+1,i} .. h_{k,k-1}) p_{i-1}, i = k-1, .., 0; p holds k rows of k + 1 coefficients. */
static void extend(const arb_mat_t H, slong k, arb_ptr *p, long bits)
{
    arb_t product, factor;
    arb_init(product);
    arb_init(factor);
    _arb_vec_set(p[k + 1] + 1, p[k], k + 1);
    arb_one(product);
    for (slong i = k; i >= 0 && !arb_is_zero(product); i--) {
        arb_mul(factor, product, arb_mat_entry(H, i, k), bits);
        for (slong c = 0; c <= i && !arb_is_zero(factor); c++)
            arb_submul(p[k + 1] + c, factor, p[i] + c, bits);
        if (i > 0)
            arb_mul(product, product, arb_mat_entry(H, i, i - 1), bits);
    }
    arb_clear(product);
    arb_clear(factor);
}

void ms_balls_characteristic(arb_mat_t M, arb_poly_t to, long bits)
{
    const slong n = arb_mat_nrows(M);
    mag_t error;
    mag_init(error);
    reduce(M, error, bits);
    arb_ptr *p = flint_malloc(sizeof(arb_ptr) * (size_t)(n + 1));
    for (slong k = 0; k <= n; k++)
        p[k] = _arb_vec_init(n + 1);
    arb_one(p[0]);
    for (slong k = 0; k < n; k++)
        extend(M, k, p, bits);
    arb_poly_zero(to);
    for (slong c = n; c >= 0; c--) {
        if (c < n)
            arb_add_error_mag(p[n] + c, error);
        arb_poly_set_coeff_arb(to, c, p[n] + c);
    }
    for (slong k = 0; k <= n; k++)
        _arb_vec_clear(p[k], n + 1);
    flint_free(p);
    mag_clear(error);
}
#endif
