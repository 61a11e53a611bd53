/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "step_map.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "matrix.h"
#include "status.h"

enum { PHIS = MS_STEP_MAP_DEGREE + 3, TERMS = 40, SWEEPS = 20 };

size_t ms_step_map_work(int nx, int nu)
{
    const size_t square = (size_t)nx * (size_t)nx, block = (size_t)nx * (size_t)nu;
    return (PHIS + 2) * square + 5 * block + (size_t)nx + 1;
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

static double largest_row_sum(int n, const double *A)
{
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(A[i * n + j]);
        norm = sum > norm || isnan(sum) ? sum : norm;
    }
    return norm;
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

/* Where e^z = X + shift I: shift is 1, so that small parts of z are not lost beside I, until e^z itself is small. */
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

/* The part of a row or column beside the diagonal. */
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

int ms_step_map_exact(const ms_step_map *map, double h, double *work)
{
    const int nx = map->nx, nu = map->nu, last = map->degree + (map->S != NULL ? 2 : 1), square = nx * nx;
    double *phi = work, *Z = phi + PHIS * square, *scratch = Z + square, *B = scratch + square;
    double *exponent = B + 5 * nx * nu, shift = 1.0;
    if (nx == 0)
        return MS_OK;
    memcpy(Z, map->A, sizeof(double) * (size_t)square);
    if (nu > 0)
        memcpy(B, map->B, sizeof(double) * (size_t)(nx * nu));
    balance(nx, Z, exponent);
    scale_rows(nx, nu, exponent, -1, B);
    const double norm = fabs(h) * largest_row_sum(nx, Z);
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

/* With z = kA, k = h/n, one step of the classical method is
 *
 *     x+ = (I + z + z^2/2 + z^3/6 + z^4/24) x
 *          + k/6 ((I + z + z^2/2 + z^3/4) B u(0) + (4 I + 2 z + z^2/2) B u(k/2) + B u(k)),
 *
 * and one of Euler's is x+ = (I + z) x + k B u(0). */
static void one_step(const ms_step_map *map, double k, int order, double *R, double *q0, double *q1,
                     double *z, double *powers)
{
    const int nx = map->nx, nu = map->nu, square = nx * nx, block = nx * nu;
    double *z2 = powers, *z3 = z2 + square, *z4 = z3 + square, *M = z4 + square;
    for (int i = 0; i < square; i++)
        R[i] = z[i] = k * map->A[i];
    if (order == 1) {
        add_diagonal(nx, 1.0, R);
        for (int i = 0; i < block; i++)
            q0[i] = k * map->B[i];
        return;
    }
    product(nx, nx, z, z, z2);
    product(nx, nx, z, z2, z3);
    product(nx, nx, z2, z2, z4);
    for (int i = 0; i < square; i++) {
        R[i] = z[i] + z2[i] / 2.0 + z3[i] / 6.0 + z4[i] / 24.0;
        M[i] = (z[i] + z2[i] / 2.0 + z3[i] / 4.0) * k / 6.0;
    }
    add_diagonal(nx, 1.0, R);
    add_diagonal(nx, k / 6.0, M);
    product(nx, nu, M, map->B, q0);
    for (int i = 0; i < square; i++)
        M[i] = (2.0 * z[i] + z2[i] / 2.0) * k / 6.0;
    add_diagonal(nx, 4.0 * k / 6.0, M);
    product(nx, nu, M, map->B, q1);
}

/* M = a0 I + a1 z + a2 z^2 + a3 z^3, from the powers of one_step. */
static void cubic(int nx, const double a[4], const double *z, const double *powers, double *M)
{
    const int square = nx * nx;
    for (int i = 0; i < square; i++)
        M[i] = a[1] * z[i] + a[2] * powers[i] + a[3] * powers[square + i];
    add_diagonal(nx, a[0], M);
}

/* What the mean state takes of one step: with further states s' = x the classical method gives s+ = s + k M x
 * + k r0 u(0) + k r1 u(k/2),
 *
 *     M = I + z/2 + z^2/6 + z^3/24,   r0 = k/6 (I + z/2 + z^2/4) B,   r1 = k/6 (2 I + z/2) B,
 *
 * and Euler's s+ = s + k x. */
static void one_mean(const ms_step_map *map, double k, int order, const double *z, double *powers, double *M,
                     double *r0, double *r1)
{
    const int nx = map->nx, nu = map->nu;
    if (order == 1) {
        memset(M, 0, sizeof(double) * (size_t)(nx * nx));
        add_diagonal(nx, 1.0, M);
        memset(r0, 0, sizeof(double) * (size_t)(nx * nu));
        memset(r1, 0, sizeof(double) * (size_t)(nx * nu));
        return;
    }
    cubic(nx, (const double[]){1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0}, z, powers, M);
    double *scratch = powers + 3 * nx * nx;
    cubic(nx, (const double[]){k / 6.0, k / 12.0, k / 24.0, 0.0}, z, powers, scratch);
    product(nx, nu, scratch, map->B, r0);
    cubic(nx, (const double[]){k / 3.0, k / 12.0, 0.0, 0.0}, z, powers, scratch);
    product(nx, nu, scratch, map->B, r1);
}

/* Adds what step m of n gives to the mean state, with E and G as they are at its start. */
static void add_mean(const ms_step_map *map, int m, int n, const double *M, const double *r0,
                     const double *r1, double *scratch, double *moved)
{
    const int nx = map->nx, nu = map->nu, square = nx * nx, block = nx * nu;
    double begin = 1.0, middle = 1.0;
    product(nx, nx, M, map->E, scratch);
    for (int i = 0; i < square; i++)
        map->S[i] += scratch[i] / n;
    for (int j = 0; j <= map->degree; j++) {
        double *T = map->T + j * block;
        product(nx, nu, M, map->G + j * block, moved);
        for (int i = 0; i < block; i++)
            T[i] += (moved[i] + r0[i] * begin + r1[i] * middle) / n;
        begin *= (double)m / n;
        middle *= (m + 0.5) / n;
    }
}

int ms_step_map_runge_kutta(const ms_step_map *map, double h, int order, int n, double *work)
{
    const int nx = map->nx, nu = map->nu, square = nx * nx, block = nx * nu;
    double *R = work, *z = R + square, *powers = z + square;
    double *q0 = work + (PHIS + 2) * square, *q1 = q0 + block, *moved = q1 + block;
    double *M = powers + 4 * square, *r0 = moved + block, *r1 = r0 + block;
    const double k = h / n;
    if (nx == 0)
        return MS_OK;
    one_step(map, k, order, R, q0, q1, z, powers);
    memset(map->E, 0, sizeof(double) * (size_t)square);
    memset(map->G, 0, sizeof(double) * (size_t)(map->degree + 1) * (size_t)block);
    add_diagonal(nx, 1.0, map->E);
    if (map->S != NULL) {
        one_mean(map, k, order, z, powers, M, r0, r1);
        memset(map->S, 0, sizeof(double) * (size_t)square);
        memset(map->T, 0, sizeof(double) * (size_t)(map->degree + 1) * (size_t)block);
    }
    for (int m = 0; m < n; m++) {
        if (map->S != NULL)
            add_mean(map, m, n, M, r0, r1, powers, moved);
        product(nx, nx, R, map->E, powers);
        memcpy(map->E, powers, sizeof(double) * (size_t)square);
        double begin = 1.0, middle = 1.0, end = 1.0; /* (tau/h)^j at the three stages */
        for (int j = 0; j <= map->degree; j++) {
            double *G = map->G + j * block;
            product(nx, nu, R, G, moved);
            for (int i = 0; i < block; i++)
                G[i] = moved[i] + q0[i] * begin +
                       (order == 1 ? 0.0 : q1[i] * middle + k / 6.0 * map->B[i] * end);
            begin *= (double)m / n;
            middle *= (m + 0.5) / n;
            end *= (m + 1.0) / n;
        }
    }
    return result(map);
}

void ms_step_map_mean(int degree, int order, int n, double *mean)
{
    for (int k = 0; k <= degree; k++)
        mean[k] = order == 0 ? 1.0 / (k + 1) : 0.0;
    for (int m = 0; m < n && order > 0; m++) {
        double begin = 1.0 / n, middle = begin, end = begin; /* theta^k / n at the three stages */
        for (int k = 0; k <= degree; k++) {
            mean[k] += order == 1 ? begin : (begin + 4.0 * middle + end) / 6.0;
            begin *= (double)m / n;
            middle *= (m + 0.5) / n;
            end *= (m + 1.0) / n;
        }
    }
}
