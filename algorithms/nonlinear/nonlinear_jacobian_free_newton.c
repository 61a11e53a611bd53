/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nonlinear_jacobian_free_newton.c - matrix-free Newton-Krylov method with a cubic backtracking line search.
 *
 *     J y = gamma(z)        by GMRES from y = 0 until |residual| <= 1e-5 |gamma(z)|, restarted after 30
 *                           steps, without preconditioner
 *     J v = (gamma(z + h v) - gamma(z)) / h,  h = sqrt(eps) sqrt(1 + |z|) / |v|
 *     z <- z - lambda y     lambda = 1 first, then where the quadratic, later the cubic that interpolates
 *                           |gamma|^2 / 2 is least, kept within [0.1, 0.5] of the last lambda, until
 *             |gamma(z - lambda y)|^2 / 2 <= |gamma(z)|^2 / 2 - alpha lambda |gamma . J y|
 *
 * with alpha = 1e-4, |y| <= maxstep = 1e8, lambda > minlambda = 1e-12 (2-norms). Evaluations: one for each
 * product with J, those of the GMRES steps, of its restarts and of the slope gamma . J y, and one for each
 * lambda. An iteration is a Newton step.
 *
 * Source: Dennis and Schnabel (1983), A6.3.1, and Pernice and Walker (1998), SIAM J. Sci. Comput. 19, for h;
 * with the parameters of Eguillon et al. (2021), Table 3, and the defaults of PETSc's -snes_mf (KSPGMRES,
 * MATMFFD_WP). GMRES ends a cycle after n steps where n < 30, the dimension of the Krylov space, and fails when a
 * cycle does not reduce the residual; PETSc continues. If gamma has no value, lambda is halved; without a value of J
 * v the method ends. */
#include <math.h>
#include <string.h>

#include "nonlinear_shared.h"

enum { RESTART = 30 };
static const double linear_rtol = 1e-5, linear_atol = 1e-50;
static const double alpha = 1e-4, maxstep = 1e8, minlambda = 1e-12;
static const double stol = 1e-8; /* no search along |y| < stol |z| */

typedef struct newtonls {
    int n, max_iterations, krylov; /* krylov: steps of a cycle */
    double *y, *w, *g;             /* (n) Newton step, a point, its residual */
    double *basis;                 /* (n x (krylov + 1)) by columns, orthonormal */
    double *H;                     /* ((krylov + 1) x krylov) by columns: Hessenberg, then triangular */
    double *cosine, *sine;         /* (krylov) rotations */
    double *rhs;                   /* (krylov + 1) */
} newtonls;

/* The point of linearisation. */
typedef struct newton_point {
    const ms_nonlinear_problem *problem;
    ms_nonlinear_counts *counts;
    double *z, *r;
    double norm_r;
} newton_point;

static int create(const ms_nonlinear_setup *setup, void *workspace, ms_error *error)
{
    newtonls *s = workspace;
    (void)error;
    s->n = setup->n;
    s->max_iterations = setup->options->max_iterations;
    s->krylov = s->n < RESTART ? s->n : RESTART;
    const size_t rows = (size_t)s->n, m = (size_t)s->krylov;
    s->y = ms_structure_alloc(setup->memory, 3 * rows + (m + 1) * (rows + m + 3), sizeof *s->y);
    MS_TRY_MEMORY(s->y);
    s->w = s->y + rows;
    s->g = s->w + rows;
    s->basis = s->g + rows;
    s->H = s->basis + (m + 1) * rows;
    s->cosine = s->H + (m + 1) * m;
    s->sine = s->cosine + (m + 1);
    s->rhs = s->sine + (m + 1);
    return MS_OK;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Jv = J v */
static int multiply(newtonls *s, const newton_point *at, const double *v, double *Jv)
{
    return ms_nonlinear_derivative(at->problem, at->z, at->r, v, s->w, Jv, at->counts);
}

/* Orthogonalises basis vector k + 1 against those before it and brings column k of H to triangular form.
 * Returns whether the new vector is not zero. */
static bool arnoldi(newtonls *s, int k)
{
    const int n = s->n;
    double *h = s->H + k * (s->krylov + 1), *v = s->basis + (k + 1) * n;
    for (int j = 0; j <= k; j++) {
        h[j] = dot(n, s->basis + j * n, v);
        ms_nonlinear_step(n, v, -h[j], s->basis + j * n, v);
    }
    h[k + 1] = ms_nonlinear_norm(n, v);
    const bool grows = h[k + 1] > 0.0;
    for (int i = 0; i < n && grows; i++)
        v[i] /= h[k + 1];
    for (int j = 0; j < k; j++) {
        const double t = h[j];
        h[j] = s->cosine[j] * t + s->sine[j] * h[j + 1];
        h[j + 1] = s->cosine[j] * h[j + 1] - s->sine[j] * t;
    }
    const double length = hypot(h[k], h[k + 1]);
    s->cosine[k] = length > 0.0 ? h[k] / length : 1.0;
    s->sine[k] = length > 0.0 ? h[k + 1] / length : 0.0;
    h[k] = length;
    s->rhs[k + 1] = -s->sine[k] * s->rhs[k];
    s->rhs[k] *= s->cosine[k];
    return grows;
}

/* y += basis H^-1 rhs, of the first k basis vectors. */
static int add_combination(newtonls *s, int k)
{
    const int rows = s->krylov + 1;
    for (int i = k - 1; i >= 0; i--) {
        double sum = s->rhs[i];
        for (int j = i + 1; j < k; j++)
            sum -= s->H[i + j * rows] * s->rhs[j];
        if (s->H[i + i * rows] == 0.0)
            return MS_NOT_CONVERGED; /* J is singular */
        s->rhs[i] = sum / s->H[i + i * rows];
    }
    for (int j = 0; j < k; j++)
        ms_nonlinear_step(s->n, s->y, s->rhs[j], s->basis + j * s->n, s->y);
    return MS_OK;
}

/* One cycle of GMRES on basis vector 0, the residual, of norm *residual, which is lowered. */
static int cycle(newtonls *s, const newton_point *at, double target, double *residual)
{
    const int n = s->n;
    int k = 0;
    for (int i = 0; i < n; i++)
        s->basis[i] /= *residual;
    s->rhs[0] = *residual;
    for (bool grows = true; k < s->krylov && grows && *residual > target; k++) {
        MS_TRY(multiply(s, at, s->basis + k * n, s->basis + (k + 1) * n));
        grows = arnoldi(s, k);
        *residual = fabs(s->rhs[k + 1]);
    }
    return add_combination(s, k);
}

/* y: J y = r. */
static int solve_linear(newtonls *s, const newton_point *at)
{
    const int n = s->n;
    const double target = fmax(linear_rtol * at->norm_r, linear_atol);
    double residual = at->norm_r, before = INFINITY;
    memset(s->y, 0, sizeof(double) * (size_t)n);
    memcpy(s->basis, at->r, sizeof(double) * (size_t)n);
    while (residual > target && residual < before) {
        before = residual;
        const int status = cycle(s, at, target, &residual);
        if (status != MS_OK || residual <= target)
            return status;
        MS_TRY(multiply(s, at, s->y, s->basis));
        for (int i = 0; i < n; i++)
            s->basis[i] = at->r[i] - s->basis[i];
        residual = ms_nonlinear_norm(n, s->basis);
    }
    return residual <= target ? MS_OK : MS_NOT_CONVERGED;
}

/* |gamma|^2 at a lambda. */
typedef struct sample {
    double lambda, value;
} sample;

/* The minimiser of the quadratic with value f and slope 2 `slope` at 0 through `now`. */
static double quadratic(double f, double slope, sample now)
{
    return -slope * now.lambda * now.lambda / (now.value - f - 2.0 * now.lambda * slope);
}

/* The minimiser of the cubic that also passes through `last`. */
static double cubic(double f, double slope, sample now, sample last)
{
    const double t = (0.5 * (now.value - f) - now.lambda * slope) / (now.lambda * now.lambda);
    const double t_last = (0.5 * (last.value - f) - last.lambda * slope) / (last.lambda * last.lambda);
    const double a = (t - t_last) / (now.lambda - last.lambda);
    const double b = (now.lambda * t_last - last.lambda * t) / (now.lambda - last.lambda);
    if (a == 0.0)
        return -slope / (2.0 * b);
    return (-b + sqrt(fmax(b * b - 3.0 * a * slope, 0.0))) / (3.0 * a);
}

/* w = z - lambda y, g = gamma(w). */
static int backtrack(newtonls *s, const newton_point *at, double slope, double length, double *norm_g)
{
    const double f = at->norm_r * at->norm_r;
    sample now = {.lambda = 1.0}, last = {.lambda = 0.0};
    int status = MS_OK;
    while (now.lambda > minlambda) {
        double next = 0.5 * now.lambda;
        ms_nonlinear_step(s->n, at->z, -now.lambda, s->y, s->w);
        status = ms_nonlinear_evaluate(at->problem, s->w, s->g, at->counts, norm_g);
        if (ms_nonlinear_stops(status))
            return status;
        if (status == MS_OK) {
            now.value = *norm_g * *norm_g;
            if (0.5 * now.value <= 0.5 * f + alpha * now.lambda * slope)
                return MS_OK;
            if (last.lambda == 0.0 && stol * ms_nonlinear_norm(s->n, at->z) > length)
                return MS_NOT_CONVERGED;
            next = last.lambda == 0.0 ? quadratic(f, slope, now) : cubic(f, slope, now, last);
            next = fmax(fmin(next, 0.5 * now.lambda), 0.1 * now.lambda);
            last = now;
        }
        now.lambda = next;
    }
    return status != MS_OK ? status : MS_NOT_CONVERGED;
}

/* One Newton step. */
static int iterate(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                   ms_nonlinear_counts *counts, double *norm)
{
    newtonls *s = workspace;
    newton_point at = {.problem = problem, .counts = counts, .z = z, .r = r, .norm_r = *norm};
    const int n = s->n;
    MS_TRY(solve_linear(s, &at));
    double length = ms_nonlinear_norm(n, s->y);
    if (!(length > 0.0) || !isfinite(length))
        return MS_NOT_CONVERGED;
    for (int i = 0; i < n && length > maxstep; i++)
        s->y[i] *= maxstep / length;
    length = fmin(length, maxstep);
    MS_TRY(multiply(s, &at, s->y, s->g));
    double slope = -fabs(dot(n, r, s->g));
    if (slope == 0.0)
        slope = -1.0;
    MS_TRY(backtrack(s, &at, slope, length, norm));
    memcpy(z, s->w, sizeof(double) * (size_t)n);
    memcpy(r, s->g, sizeof(double) * (size_t)n);
    return MS_OK;
}

static int solve(void *workspace, const ms_nonlinear_problem *problem, double *z, double *r,
                 ms_nonlinear_counts *counts)
{
    newtonls *s = workspace;
    return ms_nonlinear_iterate(s, s->max_iterations, iterate, problem, z, r, counts);
}

const ms_nonlinear_method ms_nonlinear_jacobian_free_newton = {
    .name = "newtonls",
    .backend = "native",
    .evaluations = 2,
    .newton = true,
    .summary = "matrix-free Newton-GMRES with a cubic backtracking line search",
    .source = "Eguillon et al. (2021), Table 3; Dennis and Schnabel (1983)",
    .workspace = sizeof(newtonls),
    .create = create,
    .solve = solve,
};
