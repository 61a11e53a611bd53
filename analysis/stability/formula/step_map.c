/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step_map.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <macrostep/status.h>
#include "matrix.h"

enum { PHIS = MS_STEP_MAP_DEGREE + 3, TERMS = 40, SWEEPS = 20, STAGES = MS_RUNGE_KUTTA_STAGES };

size_t ms_step_map_work(int nx, int nu)
{
    const size_t square = (size_t)nx * (size_t)nx, block = (size_t)nx * (size_t)nu;
    const size_t exact = (PHIS + 2) * square + 5 * block + (size_t)nx + 1;
    const size_t stages = (STAGES + 4) * square + (2 + (STAGES + 2) * STAGES) * block + 1;
    return exact > stages ? exact : stages;
}

/* C = A B for A (n x n), B (n x m). Calls of BLAS cost more than the products of small matrices. */
static void product(int n, int m, const double *A, const double *B, double *C)
{
    if (n >= 12) {
        ms_matrix_product(n, n, m, A, B, C);
        return;
    }
    for (int i = 0; i < n; i++, A += n, C += m) {
        for (int c = 0; c < m; c++)
            C[c] = A[0] * B[c];
        for (int j = 1; j < n; j++)
            for (int c = 0; c < m; c++)
                C[c] += A[j] * B[j * m + c];
    }
}

static void add_diagonal(int n, double value, double *M)
{
    for (int i = 0; i < n; i++)
        M[i * n + i] += value;
}

/* phi_last(Z) = sum_j Z^j / (j + last)! by Horner's rule, up to terms of 1e-18; norm >= ||Z||. */
static void taylor(int nx, int last, double norm, const double *Z, double *phi, double *scratch)
{
    double inverse[TERMS], bound = 1.0; /* inverse[j] = 1/(j + last)! */
    int terms = 0;
    inverse[0] = 1.0;
    for (int j = 2; j <= last; j++)
        inverse[0] /= j;
    while (bound > 1e-18 && terms + 1 < TERMS) {
        terms++;
        inverse[terms] = inverse[terms - 1] / (terms + last);
        bound *= norm / (terms + last);
    }
    const size_t square = (size_t)nx * (size_t)nx;
    memset(phi, 0, sizeof(double) * square);
    add_diagonal(nx, inverse[terms], phi);
    for (int j = terms - 1; j >= 0; j--) {
        product(nx, nx, Z, phi, scratch);
        memcpy(phi, scratch, sizeof(double) * square);
        add_diagonal(nx, inverse[j], phi);
    }
}

/* While e^z = X + shift I: shift is 1, so that small parts of z are not lost next to I, until e^z itself is small. */
static void complete(int nx, double *X, double *shift)
{
    add_diagonal(nx, *shift, X);
    *shift = 0.0;
}

/* phi_k(2z) = 2^-k (e^z phi_k(z) + sum_{j=1..k} phi_j(z) / (k - j)!), the highest k first, and e^{2z} - I = X^2 + 2 X. */
static void twice(int nx, int last, double *phi, double shift, double *scratch)
{
    static const double inverse[PHIS - 1] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0};
    const int square = nx * nx;
    for (int k = last; k >= 0; k--) {
        const double share = ldexp(1.0, -k), own = k == 0 ? 2.0 * shift : shift;
        double *target = phi + k * square;
        product(nx, nx, phi, target, scratch);
        for (int i = 0; i < square; i++) {
            double sum = scratch[i] + own * target[i];
            for (int j = 1; j <= k; j++)
                sum += inverse[k - j] * phi[j * square + i];
            target[i] = share * sum;
        }
    }
}

/* The off-diagonal part of a row or column. */
static double beside(int n, int i, const double *first, int step)
{
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += j != i ? fabs(first[j * step]) : 0.0;
    return sum;
}

/* The exponent by which row i of A and column i come nearest to each other; 0 where that gains little. */
static int balancing_exponent(int n, int i, const double *A)
{
    const double row = beside(n, i, A + i * n, 1), column = beside(n, i, A + i, n);
    if (!(row > 0.0) || !(column > 0.0) || !isfinite(row) || !isfinite(column))
        return 0;
    const int exponent = (int)rint(0.5 * (log2(row) - log2(column)));
    return ldexp(column, exponent) + ldexp(row, -exponent) < 0.95 * (row + column) ? exponent : 0;
}

/* A = D^-1 A D with D = diag(2^exponent), so that units of the states decide nothing (Parlett, Reinsch 1969). */
static void balance(int n, double *A, double *exponent)
{
    bool moved = true;
    for (int i = 0; i < n; i++)
        exponent[i] = 0.0;
    for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
        moved = false;
        for (int i = 0; i < n; i++) {
            const int e = balancing_exponent(n, i, A);
            for (int j = 0; j < n && e != 0; j++) {
                A[i * n + j] = ldexp(A[i * n + j], j != i ? -e : 0);
                A[j * n + i] = ldexp(A[j * n + i], j != i ? e : 0);
            }
            exponent[i] += e;
            moved = moved || e != 0;
        }
    }
}

/* M (n x m) = D^sign M. */
static void scale_rows(int n, int m, const double *exponent, int sign, double *M)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < m; c++)
            M[i * m + c] = ldexp(M[i * m + c], sign * (int)exponent[i]);
}

/* M = D M D^-1. */
static void scale_both(int n, const double *exponent, double *M)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < n; c++)
            M[i * n + c] = ldexp(M[i * n + c], (int)(exponent[i] - exponent[c]));
}

static int finite(size_t n, const double *v)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] - v[i];
    return sum == 0.0 ? MS_OK : MS_SOLVER_FAILED;
}

static int result(const ms_step_map *map)
{
    const size_t nx = (size_t)map->nx, nu = (size_t)map->nu;
    const size_t blocks = (size_t)(map->degree + 1) * nx * nu;
    if (finite(nx * nx, map->E) != MS_OK || finite(blocks, map->G) != MS_OK)
        return MS_SOLVER_FAILED;
    if (map->S == NULL)
        return MS_OK;
    return finite(nx * nx, map->S) == MS_OK ? finite(blocks, map->T) : MS_SOLVER_FAILED;
}

/* G_k = k! h phi_{k + offset} B, B balanced, G not. */
static void inputs_exact(const ms_step_map *map, double h, int offset, const double *phi, const double *B,
                         const double *exponent, double *G)
{
    const int nx = map->nx, nu = map->nu;
    double factor = h;
    for (int k = 0; k <= map->degree; k++, G += nx * nu) { /* factor = k! h */
        factor *= k > 1 ? k : 1;
        product(nx, nu, phi + (k + offset) * nx * nx, B, G);
        for (int i = 0; i < nx * nu; i++)
            G[i] *= factor;
        scale_rows(nx, nu, exponent, 1, G);
    }
}

/* phi_last by its series, those below by phi_k = z phi_{k+1} + I/k!, and e^z - I in place of phi_0. */
static void fill_phi(int nx, int last, double norm, const double *Z, double *phi, double *scratch)
{
    const int square = nx * nx;
    double inverse = 1.0;
    taylor(nx, last, norm, Z, phi + last * square, scratch);
    for (int k = 2; k < last; k++)
        inverse /= k;
    for (int k = last - 1; k >= 0; k--) { /* inverse = 1/k! */
        product(nx, nx, Z, phi + (k + 1) * square, phi + k * square);
        if (k > 0)
            add_diagonal(nx, inverse, phi + k * square);
        inverse *= k > 0 ? k : 1;
    }
}

/* Is X + I small? */
static bool is_small(int nx, const double *X)
{
    double norm = 0.0;
    for (int i = 0; i < nx; i++)
        norm = fmax(norm, fabs(X[i * nx + i] + 1.0) + beside(nx, i, X + i * nx, 1));
    return norm <= 0.5;
}

static int solve_exactly(const ms_step_map *map, double h, double *work)
{
    const int nx = map->nx, nu = map->nu, last = map->degree + (map->S != NULL ? 2 : 1), square = nx * nx;
    double *phi = work, *Z = phi + PHIS * square, *scratch = Z + square, *B = scratch + square;
    double *exponent = B + 5 * nx * nu, shift = 1.0;
    memcpy(Z, map->A, sizeof(double) * (size_t)square);
    if (nu > 0)
        memcpy(B, map->B, sizeof(double) * (size_t)(nx * nu));
    balance(nx, Z, exponent);
    scale_rows(nx, nu, exponent, -1, B);
    const double norm = fabs(h) * ms_matrix_norm(nx, Z);
    int doublings = 0;
    if (!isfinite(norm))
        return MS_SOLVER_FAILED;
    if (norm > 0.5)
        frexp(norm / 0.5, &doublings);
    if (doublings > 1000)
        return MS_SOLVER_FAILED;
    const double part = ldexp(1.0, -doublings);
    for (int i = 0; i < square; i++)
        Z[i] = part * (h * Z[i]);
    fill_phi(nx, last, ldexp(norm, -doublings), Z, phi, scratch);
    for (int d = 0; d < doublings; d++) {
        twice(nx, last, phi, shift, scratch);
        if (shift > 0.0 && is_small(nx, phi))
            complete(nx, phi, &shift);
    }
    complete(nx, phi, &shift);
    memcpy(map->E, phi, sizeof(double) * (size_t)square);
    scale_both(nx, exponent, map->E);
    inputs_exact(map, h, 1, phi, B, exponent, map->G);
    if (map->S != NULL) {
        memcpy(map->S, phi + square, sizeof(double) * (size_t)square);
        scale_both(nx, exponent, map->S);
        inputs_exact(map, h, 2, phi, B, exponent, map->T);
    }
    return result(map);
}

/* One step of length k of a Runge-Kutta method, as x+ = R x + sum_l q_l u(c_l k), and for further states s' = x as s+ = s + k (M x +
 * sum_l r_l u(c_l k)). At stage i
 *
 *     x_i = X_i x + sum_{l<i} V_il u_l,     X_i = I + k sum_{j<i} a_ij P_j,     V_il = k sum_{l<=j<i} a_ij Q_jl,
 *     f_i = P_i x + sum_{l<=i} Q_il u_l,    P_i = A X_i,     Q_il = A V_il,     Q_ii = B,
 *
 * and R = I + k sum_i b_i P_i, q_l = k sum_i b_i Q_il, M = sum_i b_i X_i, r_l = sum_i b_i V_il. */
typedef struct one_step {
    double *R, *M;          /* nx x nx */
    double *q, *r;          /* stages of nx x nu */
    double *X, *P;          /* nx x nx; stages of them */
    double *V, *Q;          /* nx x nu; (stages x stages) of them */
    double *square, *moved; /* scratch: nx x nx, nx x nu */
} one_step;

/* to += factor from */
static void add_times(int size, double factor, const double *from, double *to)
{
    for (int i = 0; i < size && factor != 0.0; i++)
        to[i] += factor * from[i];
}

static void clear(int size, double *to)
{
    memset(to, 0, sizeof *to * (size_t)size);
}

static one_step place_step(const ms_step_map *map, double *work)
{
    const int square = map->nx * map->nx, block = map->nx * map->nu;
    one_step s = {.R = work};
    s.M = s.R + square;
    s.X = s.M + square;
    s.square = s.X + square;
    s.P = s.square + square;
    s.V = s.P + STAGES * square;
    s.moved = s.V + block;
    s.q = s.moved + block;
    s.r = s.q + STAGES * block;
    s.Q = s.r + STAGES * block;
    return s;
}

/* V_il and Q_il of stage i, and what they give to the step. */
static void stage_input(const ms_step_map *map, const ms_runge_kutta *method, double k, int i, int l,
                        one_step *s)
{
    const int block = map->nx * map->nu;
    const double b = (double)method->b[i] / method->divisor;
    double *Q = s->Q + (i * STAGES + l) * block;
    if (l == i) {
        memcpy(Q, map->B, sizeof *Q * (size_t)block);
    } else {
        clear(block, s->V);
        for (int j = l; j < i; j++)
            add_times(block, k * method->a[i][j] / method->divisor, s->Q + (j * STAGES + l) * block, s->V);
        product(map->nx, map->nu, map->A, s->V, Q);
        add_times(block, b, s->V, s->r + l * block);
    }
    add_times(block, k * b, Q, s->q + l * block);
}

static void stage(const ms_step_map *map, const ms_runge_kutta *method, double k, int i, one_step *s)
{
    const int square = map->nx * map->nx;
    const double b = (double)method->b[i] / method->divisor;
    clear(square, s->X);
    for (int j = 0; j < i; j++)
        add_times(square, k * method->a[i][j] / method->divisor, s->P + j * square, s->X);
    add_diagonal(map->nx, 1.0, s->X);
    product(map->nx, map->nx, map->A, s->X, s->P + i * square);
    add_times(square, k * b, s->P + i * square, s->R);
    add_times(square, b, s->X, s->M);
    for (int l = 0; l <= i && map->nu > 0; l++)
        stage_input(map, method, k, i, l, s);
}

static void make_step(const ms_step_map *map, const ms_runge_kutta *method, double k, one_step *s)
{
    const int square = map->nx * map->nx, block = map->nx * map->nu;
    clear(square, s->R);
    clear(square, s->M);
    clear(STAGES * block, s->q);
    clear(STAGES * block, s->r);
    for (int i = 0; i < method->stages; i++)
        stage(map, method, k, i, s);
    add_diagonal(map->nx, 1.0, s->R);
}

/* ((m + c_l)/n)^j, the input's theta^j at stage l of step m. */
static double at_stage(const ms_runge_kutta *method, int m, int l, int n, int j)
{
    const double theta = (m + (double)ms_runge_kutta_node(method, l) / method->divisor) / n;
    double power = 1.0;
    for (; j > 0; j--)
        power *= theta;
    return power;
}

/* Adds the contribution of step m of n to the mean state, with E and G at its start. */
static void add_mean(const ms_step_map *map, const ms_runge_kutta *method, int m, int n, const one_step *s)
{
    const int nx = map->nx, nu = map->nu, block = nx * nu;
    product(nx, nx, s->M, map->E, s->square);
    add_times(nx * nx, 1.0 / n, s->square, map->S);
    for (int j = 0; j <= map->degree; j++) {
        product(nx, nu, s->M, map->G + j * block, s->moved);
        for (int l = 0; l < method->stages; l++)
            add_times(block, at_stage(method, m, l, n, j), s->r + l * block, s->moved);
        add_times(block, 1.0 / n, s->moved, map->T + j * block);
    }
}

/* E and G behind step m. */
static void add_step(const ms_step_map *map, const ms_runge_kutta *method, int m, int n, const one_step *s)
{
    const int nx = map->nx, nu = map->nu, square = nx * nx, block = nx * nu;
    product(nx, nx, s->R, map->E, s->square);
    memcpy(map->E, s->square, sizeof(double) * (size_t)square);
    for (int j = 0; j <= map->degree; j++) {
        double *G = map->G + j * block;
        product(nx, nu, s->R, G, s->moved);
        for (int l = 0; l < method->stages; l++)
            add_times(block, at_stage(method, m, l, n, j), s->q + l * block, s->moved);
        memcpy(G, s->moved, sizeof(double) * (size_t)block);
    }
}

static int take_steps(const ms_step_map *map, double h, const ms_runge_kutta *method, int n, double *work)
{
    const int nx = map->nx, square = nx * nx, blocks = (map->degree + 1) * nx * map->nu;
    one_step s = place_step(map, work);
    make_step(map, method, h / n, &s);
    clear(square, map->E);
    clear(blocks, map->G);
    add_diagonal(nx, 1.0, map->E);
    if (map->S != NULL) {
        clear(square, map->S);
        clear(blocks, map->T);
    }
    for (int m = 0; m < n; m++) {
        if (map->S != NULL)
            add_mean(map, method, m, n, &s);
        add_step(map, method, m, n, &s);
    }
    return result(map);
}

int ms_step_map_fill(const ms_step_map *map, double h, const ms_runge_kutta *method, int n, double *work)
{
    if (map->nx == 0)
        return MS_OK;
    return method != NULL ? take_steps(map, h, method, n, work) : solve_exactly(map, h, work);
}

void ms_step_map_mean(int degree, const ms_runge_kutta *method, int n, double *mean)
{
    for (int k = 0; k <= degree; k++)
        mean[k] = method == NULL ? 1.0 / (k + 1) : 0.0;
    for (int m = 0; m < n && method != NULL; m++)
        for (int k = 0; k <= degree; k++) {
            double sum = 0.0;
            for (int l = 0; l < method->stages; l++)
                sum += method->b[l] * at_stage(method, m, l, n, k);
            mean[k] += sum / method->divisor / n;
        }
}
