/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analytic_propagation_iterated.c - the propagation matrix of a macro-step whose iteration has converged,
 * `ifosmondi` and `zoh-iterative` (Eguillon et al. 2021, 3.1-3.2), `ijcsa` and `semi-implicit`: no iteration is left, one
 * dense system gives it.
 *
 * The memory is v = (x, y, a, hb): outputs, and values and slopes of the inputs at T_n (zoh-iterative has no b). With E and G_k of
 * step_map.h and theta = tau/h the cubic input with values a, u+ and slopes b, u'+ at theta = 0, 1 has the coefficients
 *
 *     c_0 = a,   c_1 = hb,   c_2 = 3 (u+ - a) - 2 hb - hu'+,   c_3 = 2 (a - u+) + hb + hu'+,
 *
 * so that x+ = E x + K_a a + K_b hb + M_0 u+ + M_1 hu'+ with
 *
 *     M_0 = 3 G_2 - 2 G_3,   M_1 = G_3 - G_2,   K_a = G_0 - M_0,   K_b = G_1 - 2 G_2 + G_3.
 *
 * Held inputs have x+ = E x + M_0 u+, M_0 = G_0. Inputs through past ones remember v = (x, y, u_n, .., u_{n-k}) and are Lagrange's
 * polynomials of degree k at theta = 1, 0, .., 1 - k, whose coefficients are in `through`: x+ = E x + sum_j K_j u_{n-j} + M_0 u+.
 * Outputs and their derivatives at T_n + h are
 *
 *     y+   = C x+ + D u+
 *     hy'+ = h C (A x+ + B u+) + D hu'+    exact, or    y+ - y    differences.
 *
 * Since u+ = L y+ and u'+ = L y'+ these are as many linear equations as unknowns (y+, hy'+). They have no unique solution if the
 * converged macro-step has none, independent of the iteration. The first macro-step of a run, whose input is a parabola, is
 * different.
 *
 * h = 0: E = I, G = 0 and the memory with hb. Then x+ = x, y+ = (I - D L)^-1 C x and hy'+ = 0, or y+ - y: the eigenvalues are 1
 * for each state, and 0, for any eigenvalues of D L. */
#include <math.h>
#include <string.h>

#include "analytic_propagation_parts.h"
#include "matrix.h"

enum { HELD = 1, CUBIC = 2 }; /* unknowns an output: y+, and hy'+ */

struct propagation_iterated {
    int unknowns;
    int past; /* communication points whose inputs are remembered; 0: values and slopes at the last one */
    bool differences;
    double *M;       /* the system (m x m), m = unknowns ny */
    double *rows;    /* its right sides, then (y+, hy'+) (m rows of n) */
    double *column;  /* (m) */
    double *weights; /* M_0 and, for cubics, M_1 of each subsystem (nx_i x nu_i) */
    double *CA, *CB; /* h C A, h C B of a subsystem (ny_i x nx_i, ny_i x nu_i) */
    double *Q;       /* what its inputs give in its equations (ny_i x nu_i) */
    int *pivots;     /* (m) */
};

typedef struct propagation_iterated iterated;

/* Coefficients by powers of theta of the polynomials of degree k that are 1 at theta = 1, 0, -1, -2 and 0 at the other ones of
 * the first k + 1: [k][which][power]. */
static const double through[4][4][4] = {
    {{1.0}},
    {{0.0, 1.0}, {1.0, -1.0}},
    {{0.0, 0.5, 0.5}, {1.0, 0.0, -1.0}, {0.0, -0.5, 0.5}},
    {{0.0, 1.0 / 3.0, 0.5, 1.0 / 6.0},
     {1.0, 0.5, -1.0, -0.5},
     {0.0, -1.0, 0.5, 0.5},
     {0.0, 1.0 / 6.0, 0.0, -1.0 / 6.0}},
};

/* Creation -------------------------------------------------------------------------------------------- */

int ms_analytic_propagation_iterated_create(ms_analytic_propagation *f, const ms_variant *v)
{
    const ms_system *s = f->system;
    const bool held = !v->scheme->slopes, past = v->scheme->through_past;
    if (v->scheme->form != MS_FORM_CONVERGED)
        return MS_OK;
    iterated *it = ms_structure_alloc(&f->owned, 1, sizeof *it);
    f->iterated = it;
    MS_TRY_MEMORY(it);
    it->unknowns = held ? HELD : CUBIC;
    it->differences = v->initial.output_derivatives == MS_YDOT_DIFFERENCES && !v->scheme->at_once;
    it->past = past ? v->iteration.input_degree + 1 : 0;
    f->degree = past ? v->iteration.input_degree : held ? 0 : 3;
    f->n = s->nx + s->ny + (past ? it->past : it->unknowns) * s->nu;
    f->slope_column = held ? -1 : s->nx + s->ny + s->nu;
    const size_t n = (size_t)f->n, nx = (size_t)s->nx, nu = (size_t)s->nu, ny = (size_t)s->ny;
    const size_t m = (size_t)it->unknowns * ny;
    it->M =
        ms_structure_alloc(&f->owned, m * (m + n + 1) + CUBIC * nx * nu + ny * (nx + 2 * nu), sizeof *it->M);
    it->pivots = ms_structure_alloc(&f->owned, m, sizeof *it->pivots);
    MS_TRY_MEMORY(it->M != NULL && it->pivots != NULL);
    it->rows = it->M + m * m;
    it->column = it->rows + m * n;
    it->weights = it->column + m;
    it->CA = it->weights + CUBIC * nx * nu;
    it->CB = it->CA + ny * nx;
    it->Q = it->CB + ny * nu;
    return MS_OK;
}

/* One subsystem --------------------------------------------------------------------------------------- */

/* sum_k c_k G_k of polynomial `which` of the degree, one entry of each G. */
static double power_sum(const ms_analytic_propagation *f, int which, const double *G, int block)
{
    double sum = 0.0;
    for (int k = 0; k <= f->degree; k++)
        sum += through[f->degree][which][k] * G[k * block];
    return sum;
}

/* M_0 and M_1 (W), and the part of x+ that the memory gives into psi. */
static void split(const ms_analytic_propagation *f, int i, double *W, double *psi)
{
    const ms_system *s = f->system;
    const iterated *it = f->iterated;
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu, block = nx * nu;
    const int a = s->nx + s->ny + s->u_at[i], b = a + s->nu;
    const double *G = f->G;
    for (int r = 0; r < nx; r++) {
        double *row = propagation_row(psi, s->x_at[i] + r, n);
        memcpy(row + s->x_at[i], f->E + r * nx, sizeof(double) * (size_t)nx);
        for (int l = 0, k = r * nu; l < nu; l++, k++) {
            if (it->past > 0) {
                W[k] = power_sum(f, 0, G + k, block);
                for (int j = 1; j < it->past; j++)
                    row[a + (j - 1) * s->nu + l] = power_sum(f, j, G + k, block);
                continue;
            }
            if (it->unknowns == HELD) {
                W[k] = G[k];
                continue;
            }
            W[k] = 3.0 * G[2 * block + k] - 2.0 * G[3 * block + k];
            W[block + k] = G[3 * block + k] - G[2 * block + k];
            row[a + l] = G[k] - W[k];
            row[b + l] = G[block + k] - 2.0 * G[2 * block + k] + G[3 * block + k];
        }
    }
}

/* Equations of the outputs of subsystem i at `row` of the system: minus Q for its inputs, what outputs feed
 * them being the unknowns from `column` on. */
static void subtract(const ms_analytic_propagation *f, int i, int row, int column)
{
    const ms_system *s = f->system;
    const iterated *it = f->iterated;
    const int m = it->unknowns * s->ny, nu = s->sub[i].nu;
    for (int j = 0; j < s->sub[i].ny; j++)
        for (int l = 0; l < nu; l++)
            for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
                propagation_row(it->M, row + s->y_at[i] + j, m)[column + s->wire_output[w]] -=
                    it->Q[j * nu + l] * s->wire_gain[w];
}

/* Q = P W + R, W one of M_0, M_1; R may be NULL. */
static void add_equations(const ms_analytic_propagation *f, int i, int row, int column, const double *P,
                          const double *W, const double *R)
{
    const int nx = f->system->sub[i].nx, nu = f->system->sub[i].nu, ny = f->system->sub[i].ny;
    const size_t bytes = sizeof(double) * (size_t)ny * (size_t)nu;
    if (R != NULL)
        memcpy(f->iterated->Q, R, bytes);
    else
        memset(f->iterated->Q, 0, bytes);
    ms_analytic_propagation_add_product(ny, nx, nu, 1.0, P, W, f->iterated->Q);
    subtract(f, i, row, column);
}

/* Equations of hy'+ of subsystem i. */
static void differentiate(const ms_analytic_propagation *f, int i, double h, const double *W, const double *x)
{
    const ms_system *s = f->system;
    const ms_blocks *m = &s->blocks[i];
    iterated *it = f->iterated;
    const int n = f->n, nx = s->sub[i].nx, nu = s->sub[i].nu, ny = s->sub[i].ny, at = s->y_at[i];
    if (it->differences) {
        for (int j = 0; j < ny; j++) {
            propagation_row(it->rows, s->ny + at + j, n)[s->nx + at + j] = -1.0;
            propagation_row(it->M, s->ny + at + j, CUBIC * s->ny)[at + j] -= 1.0;
        }
        return;
    }
    memset(it->CA, 0, sizeof(double) * (size_t)ny * (size_t)nx);
    memset(it->CB, 0, sizeof(double) * (size_t)ny * (size_t)nu);
    ms_analytic_propagation_add_product(ny, nx, nx, h, m->C, m->A, it->CA);
    ms_analytic_propagation_add_product(ny, nx, nu, h, m->C, m->B, it->CB);
    ms_analytic_propagation_add_product(ny, nx, n, 1.0, it->CA, x, propagation_row(it->rows, s->ny + at, n));
    add_equations(f, i, s->ny, 0, it->CA, W, it->CB);
    add_equations(f, i, s->ny, s->ny, it->CA, W + nx * nu, m->D);
}

/* E and G_k; at h = 0 the identity and zero. */
static int solve_subsystem(const ms_analytic_propagation *f, int i, double h)
{
    const int nx = f->system->sub[i].nx, nu = f->system->sub[i].nu;
    if (h != 0.0)
        return ms_analytic_propagation_subsystem(f, i, h);
    memset(f->E, 0, sizeof(double) * (size_t)nx * (size_t)nx);
    memset(f->G, 0, sizeof(double) * (size_t)(f->degree + 1) * (size_t)nx * (size_t)nu);
    for (int k = 0; k < nx; k++)
        f->E[k * nx + k] = 1.0;
    return MS_OK;
}

static int add_subsystem(const ms_analytic_propagation *f, int i, double h, double *W, double *psi)
{
    const ms_system *s = f->system;
    const ms_blocks *m = &s->blocks[i];
    iterated *it = f->iterated;
    const double *x = propagation_row(psi, s->x_at[i], f->n);
    MS_TRY(solve_subsystem(f, i, h));
    split(f, i, W, psi);
    ms_analytic_propagation_add_product(s->sub[i].ny, s->sub[i].nx, f->n, 1.0, m->C, x,
                                        propagation_row(it->rows, s->y_at[i], f->n));
    add_equations(f, i, 0, 0, m->C, W, m->D);
    if (it->unknowns == HELD)
        return MS_OK;
    add_equations(f, i, 0, s->ny, m->C, W + s->sub[i].nx * s->sub[i].nu, NULL);
    differentiate(f, i, h, W, x);
    return MS_OK;
}

/* All together ---------------------------------------------------------------------------------------- */

/* Scales each equation by its largest coefficient: there are stiff ones among others. */
static void balance(const ms_analytic_propagation *f)
{
    iterated *it = f->iterated;
    const int m = it->unknowns * f->system->ny, n = f->n;
    for (int j = 0; j < m; j++) {
        double *row = propagation_row(it->M, j, m), *right = propagation_row(it->rows, j, n), most = 0.0;
        int exponent = 0;
        for (int c = 0; c < m; c++)
            most = fmax(most, fabs(row[c]));
        frexp(most, &exponent);
        for (int c = 0; c < m && isfinite(most); c++)
            row[c] = ldexp(row[c], -exponent);
        for (int c = 0; c < n && isfinite(most); c++)
            right[c] = ldexp(right[c], -exponent);
    }
}

/* rows = M^-1 rows. */
static int solve(const ms_analytic_propagation *f)
{
    iterated *it = f->iterated;
    const int m = it->unknowns * f->system->ny, n = f->n;
    for (int j = 0; j < m; j++)
        propagation_row(it->M, j, m)[j] += 1.0;
    balance(f);
    if (ms_matrix_factor(m, it->M, it->pivots) != MS_OK)
        return MS_NO_SOLUTION;
    for (int c = 0; c < n; c++) {
        for (int j = 0; j < m; j++)
            it->column[j] = propagation_row(it->rows, j, n)[c];
        ms_matrix_solve(m, it->M, it->pivots, it->column);
        for (int j = 0; j < m; j++)
            propagation_row(it->rows, j, n)[c] = it->column[j];
    }
    return MS_OK;
}

/* What was the newest input is the next one. */
static void grow_older(const ms_analytic_propagation *f, double *psi)
{
    const ms_system *s = f->system;
    for (int l = 0, at = s->nx + s->ny; l < (f->iterated->past - 1) * s->nu; l++)
        propagation_row(psi, at + s->nu + l, f->n)[at + l] = 1.0;
}

/* y+, u+ = L y+ and hu'+ = L hy'+ into psi, and what they give of x+. */
static void finish(const ms_analytic_propagation *f, double *psi)
{
    const ms_system *s = f->system;
    const iterated *it = f->iterated;
    const int n = f->n;
    const double *W = it->weights;
    memcpy(propagation_row(psi, s->nx, n), it->rows, sizeof(double) * (size_t)s->ny * (size_t)n);
    for (int k = 0; k < it->unknowns; k++) {
        const double *y = propagation_row(it->rows, k * s->ny, n);
        double *u = propagation_row(psi, s->nx + s->ny + k * s->nu, n);
        for (int i = 0; i < s->n; i++)
            ms_analytic_propagation_couple(f, i, y, propagation_row(u, s->u_at[i], n));
    }
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < it->unknowns; k++, W += s->sub[i].nx * s->sub[i].nu)
            ms_analytic_propagation_add_product(
                s->sub[i].nx, s->sub[i].nu, n, 1.0, W,
                propagation_row(psi, s->nx + s->ny + k * s->nu + s->u_at[i], n),
                propagation_row(psi, s->x_at[i], n));
}

int ms_analytic_propagation_iterated_evaluate(ms_analytic_propagation *f, double h, double *psi)
{
    const ms_system *s = f->system;
    iterated *it = f->iterated;
    const size_t n = (size_t)f->n, m = (size_t)(it->unknowns * s->ny);
    double *W = it->weights;
    memset(psi, 0, sizeof(double) * n * n);
    memset(it->M, 0, sizeof(double) * m * (m + n));
    for (int i = 0; i < s->n; i++) {
        MS_TRY(add_subsystem(f, i, h, W, psi));
        W += it->unknowns * s->sub[i].nx * s->sub[i].nu;
    }
    MS_TRY(solve(f));
    finish(f, psi);
    grow_older(f, psi);
    ms_analytic_propagation_unscale(f, h, psi);
    return MS_OK;
}

double ms_analytic_propagation_iterated_inverse(const ms_analytic_propagation *f)
{
    const iterated *it = f->iterated;
    const int m = it->unknowns * f->system->ny;
    double norm = 0.0;
    for (int c = 0; c < m; c++) {
        memset(it->column, 0, sizeof(double) * (size_t)m);
        it->column[c] = 1.0;
        ms_matrix_solve(m, it->M, it->pivots, it->column);
        for (int j = 0; j < m; j++)
            norm = hypot(norm, it->column[j]);
    }
    return norm;
}
