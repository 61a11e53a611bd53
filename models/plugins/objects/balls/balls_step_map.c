/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balls.h"

#ifdef MS_HAVE_ARB
#include <math.h>
#include <stdbool.h>

enum { PHIS = 7, TERMS = 400 };

/* phi ---------------------------------------------------------------------------------------------------- */

typedef struct phis {
    int last;
    acb_mat_t phi[PHIS], scratch, other;
    long bits;
} phis;

static void phis_init(phis *p, slong nx, int last, long bits)
{
    p->last = last;
    p->bits = bits;
    for (int k = 0; k < PHIS; k++)
        acb_mat_init(p->phi[k], nx, nx);
    acb_mat_init(p->scratch, nx, nx);
    acb_mat_init(p->other, nx, nx);
}

static void phis_clear(phis *p)
{
    for (int k = 0; k < PHIS; k++)
        acb_mat_clear(p->phi[k]);
    acb_mat_clear(p->scratch);
    acb_mat_clear(p->other);
}

static void add_diagonal(acb_mat_t M, const arb_t value, long bits)
{
    for (slong i = 0; i < acb_mat_nrows(M); i++)
        acb_add_arb(acb_mat_entry(M, i, i), acb_mat_entry(M, i, i), value, bits);
}

/* 1/k! */
static void inverse_factorial(int k, arb_t value, long bits)
{
    arb_fac_ui(value, (ulong)k, bits);
    arb_inv(value, value, bits);
}

/* Terms of sum_j Z^j/(j + last)! so that the remainder is below 2^-bits times the first, or all; `rest` bounds the remainder,
 * for norms below 100. */
static int taylor_terms(const mag_t norm, int last, long bits, mag_t rest)
{
    const double size = mag_get_d(norm);
    double term = 0.0; /* log2 of norm^j last!/(j + last)! */
    int terms = 0;
    while (terms < TERMS - 1 && (term > (double)-bits || terms + 1 < 2.0 * size)) {
        terms++;
        term += log2(fmax(size, 1e-300)) - log2(terms + last);
    }
    mag_t factorial; /* norm^(terms + 1)/(terms + 1 + last)! times 2, as the next quotient is at most 1/2 */
    mag_init(factorial);
    mag_pow_ui(rest, norm, (ulong)terms + 1);
    mag_rfac_ui(factorial, (ulong)(terms + 1 + last));
    mag_mul(rest, rest, factorial);
    mag_mul_2exp_si(rest, rest, 1);
    mag_clear(factorial);
    if (!(2.0 * size * (1.0 + 1e-6) <= terms + 2 + last))
        mag_inf(rest);
    return terms;
}

/* What the series leaves: of a real argument it is real. */
static void add_rest(acb_mat_t M, const mag_t rest, bool real)
{
    for (slong i = 0; i < acb_mat_nrows(M); i++)
        for (slong j = 0; j < acb_mat_ncols(M); j++) {
            arb_add_error_mag(acb_realref(acb_mat_entry(M, i, j)), rest);
            if (!real)
                arb_add_error_mag(acb_imagref(acb_mat_entry(M, i, j)), rest);
        }
}

/* phi_0 .. phi_last of Z by Taylor's series and phi_k = Z phi_{k+1} + 1/k!. */
static void phis_taylor(phis *p, const acb_mat_t Z)
{
    mag_t norm, rest;
    arb_t part;
    mag_init(norm);
    mag_init(rest);
    arb_init(part);
    acb_mat_bound_inf_norm(norm, Z);
    const int terms = taylor_terms(norm, p->last, p->bits, rest);
    acb_mat_struct *phi = p->phi[p->last];
    acb_mat_zero(phi);
    inverse_factorial(terms + p->last, part, p->bits);
    for (int j = terms; j >= 0; j--) { /* part = 1/(j + last)! */
        acb_mat_mul(p->scratch, Z, phi, p->bits);
        acb_mat_swap(phi, p->scratch);
        add_diagonal(phi, part, p->bits);
        arb_mul_si(part, part, j + p->last, p->bits);
    }
    add_rest(phi, rest, acb_mat_is_real(Z));
    for (int k = p->last - 1; k >= 0; k--) {
        acb_mat_mul(p->phi[k], Z, p->phi[k + 1], p->bits);
        inverse_factorial(k, part, p->bits);
        add_diagonal(p->phi[k], part, p->bits);
    }
    mag_clear(norm);
    mag_clear(rest);
    arb_clear(part);
}

/* to += factor/k! M */
static void add_part(phis *p, acb_mat_t to, const acb_mat_t M, const acb_t factor, int k)
{
    acb_t part;
    acb_init(part);
    inverse_factorial(k, acb_realref(part), p->bits);
    acb_mul(part, part, factor, p->bits);
    acb_mat_scalar_addmul_acb(to, M, part, p->bits);
    acb_clear(part);
}

/* phi_k(2z) = 2^-k (phi_0(z) phi_k(z) + sum_{j=1..k} phi_j(z)/(k - j)!), the highest k first. */
static void phis_double(phis *p)
{
    acb_t one;
    acb_init(one);
    acb_one(one);
    for (int k = p->last; k >= 0; k--) {
        acb_mat_mul(p->other, p->phi[0], p->phi[k], p->bits);
        for (int j = 1; j <= k; j++)
            add_part(p, p->other, p->phi[j], one, k - j);
        acb_mat_scalar_mul_2exp_si(p->phi[k], p->other, -k);
    }
    acb_clear(one);
}

/* of h A */
static void phis_at(phis *p, const acb_mat_t A, const acb_t h)
{
    mag_t norm;
    acb_mat_t Z;
    mag_init(norm);
    acb_mat_init(Z, acb_mat_nrows(A), acb_mat_nrows(A));
    acb_mat_scalar_mul_acb(Z, A, h, p->bits);
    acb_mat_bound_inf_norm(norm, Z);
    const double size = mag_get_d(norm);
    const int least = acb_rel_accuracy_bits(h) > 20 ? -5 : 1; /* doubling widens what is wide */
    const int doublings = size > ldexp(1.0, least) && size < 1e300 ? ilogb(size) + 1 - least : 0;
    acb_mat_scalar_mul_2exp_si(Z, Z, -doublings);
    phis_taylor(p, Z);
    for (int d = 0; d < doublings; d++)
        phis_double(p);
    acb_mat_clear(Z);
    mag_clear(norm);
}

/* From phi(c A) to phi((c + d) A), with w = d/c and phi(d A):
 *
 *     (1 + w)^k phi_k((c + d) A) = e^{d A} phi_k(c A) + sum_{j=1..k} w^j phi_j(d A)/(k - j)! */
static void phis_move(phis *p, const phis *by, const acb_t w)
{
    acb_t power, whole;
    acb_init(power);
    acb_init(whole);
    for (int k = p->last; k >= 0; k--) {
        acb_mat_mul(p->other, by->phi[0], p->phi[k], p->bits);
        acb_one(power);
        for (int j = 1; j <= k; j++) {
            acb_mul(power, power, w, p->bits);
            add_part(p, p->other, by->phi[j], power, k - j);
        }
        acb_add_ui(whole, w, 1, p->bits);
        acb_inv(whole, whole, p->bits);
        acb_pow_ui(whole, whole, (ulong)k, p->bits);
        acb_mat_scalar_mul_acb(p->phi[k], p->other, whole, p->bits);
    }
    acb_clear(power);
    acb_clear(whole);
}

/* Is phi of hA better moved to, from the middle c of h, by d = c w? Where h is wide and hA large, as doubling widens, and 0 is far. */
static bool is_moved(const acb_mat_t A, const acb_t h, const acb_t w, long bits)
{
    acb_mat_t Z;
    mag_t norm, size;
    acb_mat_init(Z, acb_mat_nrows(A), acb_mat_nrows(A));
    mag_init(norm);
    mag_init(size);
    acb_mat_scalar_mul_acb(Z, A, h, bits);
    acb_mat_bound_inf_norm(norm, Z);
    acb_get_mag(size, w);
    const bool moved = acb_rel_accuracy_bits(h) <= 20 && mag_get_d(norm) > 2.0 && mag_get_d(size) < 0.7;
    acb_mat_clear(Z);
    mag_clear(norm);
    mag_clear(size);
    return moved;
}

static void phis_of(phis *p, const acb_mat_t A, const acb_t h)
{
    acb_t c, d, w;
    acb_init(c);
    acb_init(d);
    acb_init(w);
    acb_get_mid(c, h);
    acb_sub(d, h, c, p->bits);
    acb_div(w, d, c, p->bits);
    if (is_moved(A, h, w, p->bits)) {
        phis by;
        phis_init(&by, acb_mat_nrows(A), p->last, p->bits);
        phis_at(p, A, c);
        phis_at(&by, A, d);
        phis_move(p, &by, w);
        phis_clear(&by);
    } else {
        phis_at(p, A, h);
    }
    acb_clear(c);
    acb_clear(d);
    acb_clear(w);
}

/* E = phi_0(hA), G_k = k! h phi_{k+1}(hA) B. */
static void step_exact(const ms_balls *A, const ms_balls *B, const acb_t h, int degree, ms_balls *E,
                       ms_balls *const *G, long bits)
{
    phis p;
    acb_t factor;
    acb_init(factor);
    phis_init(&p, acb_mat_nrows(A->m), degree + 1, bits);
    phis_of(&p, A->m, h);
    acb_mat_set(E->m, p.phi[0]);
    acb_set(factor, h);
    for (int k = 0; k <= degree; k++) {
        acb_mul_ui(factor, factor, k > 1 ? (ulong)k : 1, bits);
        acb_mat_mul(G[k]->m, p.phi[k + 1], B->m, bits);
        acb_mat_scalar_mul_acb(G[k]->m, G[k]->m, factor, bits);
    }
    phis_clear(&p);
    acb_clear(factor);
}

/* Runge-Kutta -------------------------------------------------------------------------------------------- */

/* to += number/divisor M */
static void add_times(const acb_mat_t M, long number, long divisor, acb_mat_t to, long bits)
{
    arb_t factor;
    if (number == 0)
        return;
    arb_init(factor);
    arb_set_si(factor, number);
    arb_div_si(factor, factor, divisor, bits);
    acb_mat_scalar_addmul_arb(to, M, factor, bits);
    arb_clear(factor);
}

/* to += (number/divisor)^j M */
static void add_power(const acb_mat_t M, long number, long divisor, int j, acb_mat_t to, long bits)
{
    arb_t theta;
    arb_init(theta);
    arb_set_si(theta, number);
    arb_div_si(theta, theta, divisor, bits);
    arb_pow_ui(theta, theta, (ulong)j, bits);
    acb_mat_scalar_addmul_arb(to, M, theta, bits);
    arb_clear(theta);
}

enum { STAGES = MS_RUNGE_KUTTA_STAGES };

/* A step of length k, x+ = R x + sum_l q_l u(c_l k), by its stages (step_map.c has the formulas); Z = k A. */
typedef struct one_step {
    acb_mat_t Z, R, q[STAGES];
    acb_mat_t P[STAGES], Q[STAGES][STAGES]; /* k P_i, k Q_il */
    acb_mat_t X, V;
} one_step;

static void step_each(one_step *s, slong nx, slong nu, bool begin)
{
    acb_mat_t *square[] = {&s->Z, &s->R, &s->X};
    for (int i = 0; i < 3; i++)
        begin ? acb_mat_init(*square[i], nx, nx) : acb_mat_clear(*square[i]);
    begin ? acb_mat_init(s->V, nx, nu) : acb_mat_clear(s->V);
    for (int i = 0; i < STAGES; i++) {
        begin ? acb_mat_init(s->P[i], nx, nx) : acb_mat_clear(s->P[i]);
        begin ? acb_mat_init(s->q[i], nx, nu) : acb_mat_clear(s->q[i]);
        for (int l = 0; l < STAGES; l++)
            begin ? acb_mat_init(s->Q[i][l], nx, nu) : acb_mat_clear(s->Q[i][l]);
    }
}

static void stage_input(const acb_mat_t kB, const ms_runge_kutta *method, int i, int l, one_step *s,
                        long bits)
{
    if (l == i) {
        acb_mat_set(s->Q[i][l], kB);
    } else {
        acb_mat_zero(s->V);
        for (int j = l; j < i; j++)
            add_times(s->Q[j][l], method->a[i][j], method->divisor, s->V, bits);
        acb_mat_mul(s->Q[i][l], s->Z, s->V, bits);
    }
    add_times(s->Q[i][l], method->b[i], method->divisor, s->q[l], bits);
}

static void make_step(const acb_mat_t kB, const ms_runge_kutta *method, one_step *s, long bits)
{
    acb_mat_one(s->R);
    for (int i = 0; i < method->stages; i++) {
        acb_mat_one(s->X);
        for (int j = 0; j < i; j++)
            add_times(s->P[j], method->a[i][j], method->divisor, s->X, bits);
        acb_mat_mul(s->P[i], s->Z, s->X, bits);
        add_times(s->P[i], method->b[i], method->divisor, s->R, bits);
        for (int l = 0; l <= i; l++)
            stage_input(kB, method, i, l, s, bits);
    }
}

static void step_runge_kutta(const ms_balls *A, const ms_balls *B, const acb_t h,
                             const ms_runge_kutta *method, int n, int degree, ms_balls *E, ms_balls *const *G,
                             long bits)
{
    const slong nx = acb_mat_nrows(A->m), nu = acb_mat_ncols(B->m);
    one_step s;
    acb_t k;
    acb_mat_t kB;
    acb_init(k);
    acb_mat_init(kB, nx, nu);
    step_each(&s, nx, nu, true);
    acb_div_si(k, h, n, bits);
    acb_mat_scalar_mul_acb(s.Z, A->m, k, bits);
    acb_mat_scalar_mul_acb(kB, B->m, k, bits);
    make_step(kB, method, &s, bits);
    acb_mat_one(E->m);
    for (int j = 0; j <= degree; j++)
        acb_mat_zero(G[j]->m);
    for (int m = 0; m < n; m++) {
        acb_mat_mul(E->m, s.R, E->m, bits);
        for (int j = 0; j <= degree; j++) {
            acb_mat_mul(G[j]->m, s.R, G[j]->m, bits);
            for (int l = 0; l < method->stages; l++)
                add_power(s.q[l], (long)m * method->divisor + ms_runge_kutta_node(method, l),
                          (long)n * method->divisor, j, G[j]->m, bits);
        }
    }
    step_each(&s, nx, nu, false);
    acb_mat_clear(kB);
    acb_clear(k);
}

int ms_balls_step_map(const ms_balls *A, const ms_balls *B, const ms_balls *h, const ms_runge_kutta *method,
                      int steps, int degree, ms_balls *E, ms_balls *const *G, long bits)
{
    if (degree + 1 >= PHIS)
        return MS_UNSUPPORTED;
    acb_t length;
    acb_init(length);
    acb_set(length, acb_mat_entry(h->m, 0, 0));
    if (method == NULL)
        step_exact(A, B, length, degree, E, G, bits);
    else
        step_runge_kutta(A, B, length, method, steps, degree, E, G, bits);
    acb_clear(length);
    return acb_mat_is_finite(E->m) ? MS_OK : MS_SOLVER_FAILED;
}
#endif
