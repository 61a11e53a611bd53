/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balls_panel.c - no eigenvalue on the unit circle over a panel of step sizes.
 *
 * The functions of plugin_balls.h are entire in H, as Psi is. The disc of the panel, `wide` times as large, holds the ellipse with
 * foci at the ends of the panel and rho = wide + sqrt(wide^2 - 1). With the bound M of a function on the circle, and so in the disc,
 * the polynomial through N Chebyshev points is off by at most 4 M rho^{1-N}/(rho - 1) on the panel (L. N. Trefethen, Approximation
 * Theory and Approximation Practice, Theorem 8.2). It is shown to stay off zero by more.
 *
 * A panel that begins at 0: there Psi has nx rows of the identity, so that nx rows of I - Psi, and nx (nx - 1)/2 rows of I
 * minus the second compound of Psi, hold a factor H. The functions are divided by these, which leaves them entire, and the
 * bound is taken on the circle, where |H| >= (wide - 1) times half the panel.
 *
 * prod_{i<j} (1 - l_i l_j) is the determinant of Jury's inner matrix of size n - 1 (E. I. Jury, Inners and Stability of Dynamic
 * Systems, 1974). */
#include "balls.h"

#ifdef MS_HAVE_ARB
#include <math.h>
#include <stdbool.h>

enum { DEPTH = 60, PIECES = 1000 };

/* The order of the zero at H = 0 that is divided out. */
static int zero_order(int function, const ms_balls_panel *panel, int states)
{
    if (panel->begin != 0.0 || function == MS_BALLS_MINUS_ONE)
        return 0;
    return function == MS_BALLS_ONE ? states : states * (states - 1) / 2;
}

/* 4 M rho^{1-N}/(rho - 1), M over ((wide - 1) half)^order. */
static void interpolation_error(int function, const ms_balls_panel *panel, int order, const ms_balls *most,
                                arb_t error, long bits)
{
    arb_t wide, rho, rim, half;
    arb_init(wide);
    arb_init(rho);
    arb_init(rim);
    arb_init(half);
    arb_set(error, acb_realref(acb_mat_entry(most->m, function, 0)));
    arb_set_d(wide, panel->wide);
    ms_balls_panel_middle(panel, rim, half);
    arb_sub_ui(rim, wide, 1, bits);
    arb_mul(rim, rim, half, bits);
    arb_pow_ui(rim, rim, (ulong)order, bits);
    arb_div(error, error, rim, bits);
    arb_mul(rho, wide, wide, bits); /* wide + sqrt(wide^2 - 1) */
    arb_sub_ui(rho, rho, 1, bits);
    arb_sqrt(rho, rho, bits);
    arb_add(rho, rho, wide, bits);
    arb_sub_ui(half, rho, 1, bits);
    arb_div(error, error, half, bits);
    arb_pow_ui(rho, rho, (ulong)panel->nodes - 1, bits);
    arb_div(error, error, rho, bits);
    arb_mul_2exp_si(error, error, 2);
    arb_clear(wide);
    arb_clear(rho);
    arb_clear(rim);
    arb_clear(half);
}

/* Do all values have one sign for certain? */
static ms_balls_proof signs(arb_srcptr value, int nodes)
{
    int positive = 0, negative = 0;
    for (int k = 0; k < nodes; k++) {
        positive += arb_is_positive(value + k);
        negative += arb_is_negative(value + k);
    }
    if (positive > 0 && negative > 0)
        return MS_BALLS_WIDE;
    return positive == nodes || negative == nodes ? MS_BALLS_PROVED : MS_BALLS_COARSE;
}

/* The polynomial through values at the nodes: coefficients of Chebyshev's. */
static void interpolate(arb_srcptr value, int nodes, arb_ptr c, long bits)
{
    arb_ptr cosine = _arb_vec_init(4 * nodes);
    for (int m = 0; m < 4 * nodes; m++)
        ms_balls_cosine(m, nodes, cosine + m, bits);
    for (int k = 0; k < nodes; k++) {
        arb_zero(c + k);
        for (int j = 0; j < nodes; j++)
            arb_addmul(c + k, value + j, cosine + (long)k * (2 * j + 1) % (4 * nodes), bits);
        arb_mul_2exp_si(c + k, c + k, k > 0);
        arb_div_si(c + k, c + k, nodes, bits);
    }
    _arb_vec_clear(cosine, 4 * nodes);
}

/* How many coefficients are needed: the last ones, of at most `error` in all, are added to it. Powers of t would make much of them. */
static int shorten(arb_srcptr c, int nodes, arb_t error, long bits)
{
    arb_t sum, size;
    arb_init(sum);
    arb_init(size);
    for (bool small = true; small && nodes > 1; nodes -= small) {
        arb_abs(size, c + nodes - 1);
        arb_add(size, size, sum, bits);
        small = arb_le(size, error);
        if (small)
            arb_swap(sum, size);
    }
    arb_add(error, error, sum, bits);
    arb_clear(sum);
    arb_clear(size);
    return nodes;
}

/* In powers of t, the panel being [-1, 1]: Clenshaw's recursion b_k = c_k + 2 t b_{k+1} - b_{k+2} in polynomials. */
static void expand(arb_srcptr coefficient, int nodes, arb_poly_t to, long bits)
{
    arb_poly_t later, swap;
    arb_t c;
    arb_poly_init(later);
    arb_poly_init(swap);
    arb_init(c);
    arb_poly_zero(to);
    for (int k = nodes - 1; k >= 0; k--) {
        arb_set(c, coefficient + k);
        arb_poly_shift_left(swap, to, 1);
        arb_poly_scalar_mul_2exp_si(swap, swap, k > 0);
        arb_poly_sub(swap, swap, later, bits);
        if (swap->length > 0)
            arb_add(c, c, swap->coeffs, bits);
        arb_poly_swap(later, to);
        arb_poly_swap(to, swap);
        arb_poly_set_coeff_arb(to, 0, c);
    }
    arb_poly_clear(later);
    arb_poly_clear(swap);
    arb_clear(c);
}

/* |p| > error on middle +- half: the value in the middle of p(middle + half s) against the sum of all other coefficients. */
static bool clear_there(const arb_poly_t p, const arb_t error, const arb_t middle, const arb_t half,
                        long bits)
{
    arb_poly_t q;
    mag_t rest, part, scale, width;
    arb_t least;
    arb_poly_init(q);
    mag_init(rest);
    mag_init(part);
    mag_init(scale);
    mag_init(width);
    arb_init(least);
    arb_poly_taylor_shift(q, p, middle, bits);
    arb_get_mag(rest, error);
    arb_get_mag(width, half);
    mag_one(scale);
    for (slong k = 1; k < q->length; k++) {
        mag_mul(scale, scale, width);
        arb_get_mag(part, q->coeffs + k);
        mag_addmul(rest, part, scale);
    }
    arb_get_mag_lower(part, q->coeffs);
    const bool clear = mag_cmp(part, rest) > 0;
    arb_poly_clear(q);
    mag_clear(rest);
    mag_clear(part);
    mag_clear(scale);
    mag_clear(width);
    arb_clear(least);
    return clear;
}

/* The same of smaller and smaller parts, `left` of them at most. */
static bool clear_of_zero(const arb_poly_t p, const arb_t error, const arb_t middle, const arb_t half,
                          int depth, int *left, long bits)
{
    if (clear_there(p, error, middle, half, bits))
        return true;
    if (depth == DEPTH || --*left < 0)
        return false;
    arb_t quarter, part;
    arb_init(quarter);
    arb_init(part);
    arb_mul_2exp_si(quarter, half, -1);
    bool clear = true;
    for (int side = -1; side <= 1 && clear; side += 2) {
        arb_mul_si(part, quarter, side, ARF_PREC_EXACT);
        arb_add(part, part, middle, ARF_PREC_EXACT);
        clear = clear_of_zero(p, error, part, quarter, depth + 1, left, bits);
    }
    arb_clear(quarter);
    arb_clear(part);
    return clear;
}

/* Is more lost to round-off of the coefficients than to the interpolation? */
static bool is_coarse(const arb_poly_t p, const arb_t error)
{
    mag_t sum, most;
    mag_init(sum);
    mag_init(most);
    for (slong k = 0; k < p->length; k++)
        mag_add(sum, sum, arb_radref(p->coeffs + k));
    arb_get_mag(most, error);
    const bool coarse = mag_cmp(sum, most) > 0;
    mag_clear(sum);
    mag_clear(most);
    return coarse;
}

static ms_balls_proof function_nonzero(int function, const ms_balls *values, const ms_balls_panel *panel,
                                       int states, const ms_balls *most, long bits)
{
    const int order = zero_order(function, panel, states);
    arb_ptr value = _arb_vec_init(panel->nodes);
    arb_poly_t p;
    arb_t error, middle, half;
    ms_balls *h = NULL;
    arb_poly_init(p);
    arb_init(error);
    arb_init(middle);
    arb_init(half);
    int left = PIECES;
    ms_balls_proof proof = ms_balls_create(1, 1, &h) == MS_OK ? MS_BALLS_PROVED : MS_BALLS_WIDE;
    for (int k = 0; k < panel->nodes && proof == MS_BALLS_PROVED; k++) {
        ms_balls_at_node(panel, k, h, bits);
        arb_ptr power = acb_realref(acb_mat_entry(h->m, 0, 0));
        arb_pow_ui(power, power, (ulong)order, bits);
        arb_div(value + k, acb_realref(acb_mat_entry(values->m, function, k)), power, bits);
    }
    if (proof == MS_BALLS_PROVED)
        proof = signs(value, panel->nodes);
    if (proof == MS_BALLS_PROVED) {
        interpolation_error(function, panel, order, most, error, bits);
        arb_ptr c = _arb_vec_init(panel->nodes);
        interpolate(value, panel->nodes, c, bits);
        expand(c, shorten(c, panel->nodes, error, bits), p, bits);
        _arb_vec_clear(c, panel->nodes);
        arb_one(half);
        if (!clear_of_zero(p, error, middle, half, 0, &left, bits))
            proof = is_coarse(p, error) ? MS_BALLS_COARSE : MS_BALLS_WIDE;
    }
    _arb_vec_clear(value, panel->nodes);
    ms_balls_destroy(&h);
    arb_poly_clear(p);
    arb_clear(error);
    arb_clear(middle);
    arb_clear(half);
    return proof;
}

ms_balls_proof ms_balls_nonzero(const ms_balls *values, const ms_balls_panel *panel, int states,
                                const ms_balls *most, long bits)
{
    ms_balls_proof proof = acb_mat_is_finite(most->m) ? MS_BALLS_PROVED : MS_BALLS_WIDE;
    for (int k = 0; k < MS_BALLS_FUNCTIONS && proof == MS_BALLS_PROVED; k++)
        proof = function_nonzero(k, values, panel, states, most, bits);
    return proof;
}
#endif
