/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balls_eigenvalues.c - where the eigenvalues of a matrix of balls lie, from its characteristic polynomial, whose many bits
 * make defective ones no harder than others. */
#include "balls.h"

#ifdef MS_HAVE_ARB
#include <math.h>

/* det(z I - psi), real. */
static void characteristic(const ms_balls *psi, arb_poly_t to, long bits)
{
    arb_mat_t real;
    arb_mat_init(real, acb_mat_nrows(psi->m), acb_mat_nrows(psi->m));
    for (slong i = 0; i < acb_mat_nrows(psi->m); i++)
        for (slong j = 0; j < acb_mat_nrows(psi->m); j++)
            acb_get_real(arb_mat_entry(real, i, j), acb_mat_entry(psi->m, i, j));
    ms_balls_characteristic(real, to, bits);
    arb_mat_clear(real);
}

/* One step of Schur's: p (degree d) becomes one of degree d - 1 with the roots within the unit circle, less one that is
 * counted, or as many. By Rouche's theorem: where |a_0| < |a_d|, p and p - k p* with k = a_0/a_d have as many within, and the
 * latter is z times the next; where |a_0| > |a_d| so have p and p - k p* with k = a_d/a_0, of degree d - 1. p* has the
 * coefficients in reverse. Returns how many were counted, or -1. */
static int reduce(arb_ptr p, int d, arb_ptr next, long bits)
{
    arb_t first, last, k;
    arb_init(first);
    arb_init(last);
    arb_init(k);
    arb_abs(first, p);
    arb_abs(last, p + d);
    const int counted = arb_lt(first, last) ? 1 : arb_gt(first, last) ? 0 : -1;
    if (counted >= 0)
        arb_div(k, counted ? p : p + d, counted ? p + d : p, bits);
    for (int i = 0; i < d && counted >= 0; i++) {
        arb_set(next + i, p + i + counted);
        arb_submul(next + i, k, p + d - i - counted, bits);
    }
    arb_clear(first);
    arb_clear(last);
    arb_clear(k);
    return counted;
}

int ms_balls_inside(const ms_balls *psi, double radius, long bits)
{
    arb_poly_t poly;
    arb_t size;
    arb_poly_init(poly);
    arb_init(size);
    characteristic(psi, poly, bits);
    const int n = (int)acb_mat_nrows(psi->m);
    arb_ptr p = _arb_vec_init(n + 1), next = _arb_vec_init(n + 1);
    arb_set_d(size, radius);
    for (int i = n; i >= 0; i--) { /* p(radius z)/radius^n */
        arb_poly_get_coeff_arb(p + i, poly, i);
        arb_pow_ui(next, size, (ulong)(n - i), bits);
        arb_div(p + i, p + i, next, bits);
    }
    int count = 0;
    for (int d = n; d > 0 && count >= 0; d--) {
        const int counted = reduce(p, d, next, bits);
        count = counted < 0 ? -1 : count + counted;
        arb_ptr swap = p;
        p = next;
        next = swap;
    }
    _arb_vec_clear(p, n + 1);
    _arb_vec_clear(next, n + 1);
    arb_poly_clear(poly);
    arb_clear(size);
    return count;
}

/* det(X - Y) with X_ij = a_{n-j+i} for j >= i, Y_ij = a_{i+j-n+2} for i + j >= n - 2, i, j = 0 .. n - 2. */
static void jury(const arb_poly_t p, int n, arb_t value, long bits)
{
    arb_mat_t M;
    arb_t part;
    arb_init(part);
    arb_mat_init(M, n - 1, n - 1);
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++) {
            arb_ptr entry = arb_mat_entry(M, i, j);
            if (j >= i)
                arb_poly_get_coeff_arb(entry, p, n - j + i);
            if (i + j >= n - 2) {
                arb_poly_get_coeff_arb(part, p, i + j - n + 2);
                arb_sub(entry, entry, part, bits);
            }
        }
    arb_mat_det(value, M, bits);
    arb_mat_clear(M);
    arb_clear(part);
}

void ms_balls_functions(const ms_balls *psi, ms_balls *values, int column, long bits)
{
    const int n = (int)acb_mat_nrows(psi->m);
    arb_poly_t p;
    arb_t point;
    arb_poly_init(p);
    arb_init(point);
    characteristic(psi, p, bits);
    arb_ptr to[MS_BALLS_FUNCTIONS];
    for (int k = 0; k < MS_BALLS_FUNCTIONS; k++) {
        acb_zero(acb_mat_entry(values->m, k, column));
        to[k] = acb_realref(acb_mat_entry(values->m, k, column));
    }
    arb_one(point);
    arb_poly_evaluate(to[MS_BALLS_ONE], p, point, bits);
    arb_neg(point, point);
    arb_poly_evaluate(to[MS_BALLS_MINUS_ONE], p, point, bits);
    if (n % 2 != 0)
        arb_neg(to[MS_BALLS_MINUS_ONE], to[MS_BALLS_MINUS_ONE]);
    arb_one(to[MS_BALLS_PAIRS]);
    if (n > 1)
        jury(p, n, to[MS_BALLS_PAIRS], bits);
    arb_poly_clear(p);
    arb_clear(point);
}

double ms_balls_least(const ms_balls *values, int function, int column)
{
    arf_t least;
    arf_init(least);
    arb_get_abs_lbound_arf(least, acb_realref(acb_mat_entry(values->m, function, column)), 30);
    fmpz_t exponent;
    fmpz_init(exponent);
    arf_frexp(least, exponent, least);
    const double bits =
        arf_is_zero(least) ? (double)-INFINITY : log2(arf_get_d(least, ARF_RND_NEAR)) + fmpz_get_d(exponent);
    arf_clear(least);
    fmpz_clear(exponent);
    return bits;
}
#endif
