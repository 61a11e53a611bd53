/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stiff_newton.c - the simplified Newton method of the implicit methods of high order.
 *
 * With r = h A f(z) - z the increments solve ((h A)^-1 x I - I x J) dz = (h A)^-1 r. In coordinates w of the eigenvectors of A^-1
 * that is (lambda/h I - J) dw = w of the right side, one eigenvalue at a time: the real one, and one of each pair. r is formed in
 * the coordinates of z, so that round-off of the transformation does not affect the solution. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver_stiff.h"

enum { S = MS_STIFF_STAGES, PAIRS = MS_STIFF_PAIRS, ITERATIONS_MAX = 20 };

/* The iteration ends when the remaining error is below OF_TOLERANCE times the tolerance, or below round-off of the states and their changes; or
 * when convergence stalls (round-off of f) at less than STALLED times that bound. */
static const double OF_TOLERANCE = 0.02, STALLED = 1e4;

struct ms_stiff_newton {
    double h;                                          /* for which the factors hold [s] */
    double *J;                                         /* (nx x nx) by rows */
    double *real, *w;                                  /* (nx x nx), (nx) */
    double complex *complex_factor[PAIRS], *complex_w; /* (nx x nx) each, (nx) */
    lapack_int *pivots;                                /* ((1 + PAIRS) x nx) */
};

int ms_stiff_newton_create(ms_stiff_data *data)
{
    const size_t nx = (size_t)data->nx, n2 = nx * nx;
    ms_stiff_newton *newton = data->newton = calloc(1, sizeof *newton);
    MS_TRY_MEMORY(newton);
    newton->J = malloc(sizeof *newton->J * (2 * n2 + nx));
    newton->complex_w = malloc(sizeof *newton->complex_w * (PAIRS * n2 + nx));
    newton->pivots = malloc(sizeof *newton->pivots * (1 + PAIRS) * nx);
    MS_TRY_MEMORY(newton->J != NULL && newton->complex_w != NULL && newton->pivots != NULL);
    newton->real = newton->J + n2;
    newton->w = newton->real + n2;
    for (size_t k = 0; k < PAIRS; k++)
        newton->complex_factor[k] = newton->complex_w + nx + k * n2;
    return MS_OK;
}

void ms_stiff_newton_destroy(ms_stiff_data *data)
{
    if (data->newton == NULL)
        return;
    MS_FREE(data->newton->J, data->newton->complex_w, data->newton->pivots, data->newton);
    data->newton = NULL;
}

/* Factors of lambda/h I - J, by columns. */
static bool factor_real(const ms_stiff_data *data, double shift)
{
    const ms_stiff_newton *newton = data->newton;
    const int n = data->nx;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            newton->real[j * n + i] = (i == j ? shift : 0.0) - newton->J[i * n + j];
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, newton->real, n, newton->pivots) == 0;
}

static bool factor_complex(const ms_stiff_data *data, int k, double complex shift)
{
    const ms_stiff_newton *newton = data->newton;
    const int n = data->nx;
    double complex *M = newton->complex_factor[k];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            M[j * n + i] = (i == j ? shift : 0.0) - newton->J[i * n + j];
    return LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, n, n, M, n, newton->pivots + (k + 1) * n) == 0;
}

/* If terms J_lm x_m of x'_l cancel, eps times the sum of their magnitudes remains as round-off, integrated over the step or over the time in which
 * state l decays. */
static void fill_noise(const ms_stiff_data *data, const double *x, double h)
{
    const double *J = data->newton->J;
    const int n = data->nx;
    for (int l = 0; l < n; l++) {
        double sum = 0.0;
        for (int m = 0; m < n; m++)
            sum += fabs(J[l * n + m] * x[m]);
        data->noise[l] = DBL_EPSILON * sum * h / (1.0 + data->method.gamma * h * fabs(J[l * n + l]));
    }
}

int ms_stiff_newton_factor(ms_stiff_data *data, double t, const double *x, double h, bool same)
{
    ms_stiff_newton *newton = data->newton;
    const int n = data->nx;
    if (same && newton->h == h)
        return MS_OK;
    newton->h = 0.0;
    if (!same && (ms_instance_jacobian(data->instance, data->piece, t, x, newton->J) != 0 ||
                  !ms_micro_finite(n * n, newton->J)))
        return MS_NO_SOLUTION;
    bool regular = factor_real(data, data->method.real / h);
    for (int k = 0; k < PAIRS && regular; k++)
        regular = factor_complex(data, k, data->method.pair[k] / h);
    newton->h = regular ? h : 0.0;
    fill_noise(data, x, h);
    return regular ? MS_OK : MS_NO_SOLUTION;
}

void ms_stiff_newton_filter(ms_stiff_data *data, double h, double *v)
{
    const ms_stiff_newton *newton = data->newton;
    const int n = data->nx;
    for (int l = 0; l < n; l++)
        v[l] *= data->method.real / h;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, newton->real, n, newton->pivots, v, n);
}

/* The slopes at all stages. Returns what f returns. */
static int evaluate(ms_stiff_data *data, double t, double h, const double *x)
{
    const int nx = data->nx, n = data->n;
    int status = 0;
    for (int i = 0; i < S && status == 0; i++) {
        for (int l = 0; l < n; l++)
            data->stage[l] = x[l] + (l < nx ? data->z[i * nx + l] : 0.0);
        const double at = i + 1 < S ? t + data->method.c[i] * h : t + h;
        status =
            ms_micro_rhs(data->instance, data->piece, fmin(at, data->end), data->stage, data->slope + i * n);
    }
    return status;
}

/* r := h A f - z, then (h A)^-1 r. */
static void right_side(ms_stiff_data *data, double h)
{
    const ms_stiff_method *m = &data->method;
    const int nx = data->nx, n = data->n;
    for (int l = 0; l < nx; l++) {
        double r[S];
        for (int i = 0; i < S; i++) {
            double sum = 0.0;
            for (int j = 0; j < S; j++)
                sum += m->a[i][j] * data->slope[j * n + l];
            r[i] = h * sum - data->z[i * nx + l];
        }
        for (int i = 0; i < S; i++) {
            double sum = 0.0;
            for (int j = 0; j < S; j++)
                sum += m->inverse[i][j] * r[j];
            data->r[i * nx + l] = sum / h;
        }
    }
}

static void add_real(ms_stiff_data *data, double *dz)
{
    const ms_stiff_newton *newton = data->newton;
    const ms_stiff_method *m = &data->method;
    const int n = data->nx;
    double *w = newton->w;
    for (int l = 0; l < n; l++) {
        w[l] = 0.0;
        for (int i = 0; i < S; i++)
            w[l] += m->real_u[i] * data->r[i * n + l];
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, newton->real, n, newton->pivots, w, n);
    for (int i = 0; i < S; i++)
        for (int l = 0; l < n; l++)
            dz[i * n + l] += m->real_v[i] * w[l];
}

static void add_pair(ms_stiff_data *data, int k, double *dz)
{
    const ms_stiff_newton *newton = data->newton;
    const ms_stiff_method *m = &data->method;
    const int n = data->nx;
    double complex *w = newton->complex_w;
    for (int l = 0; l < n; l++) {
        w[l] = 0.0;
        for (int i = 0; i < S; i++)
            w[l] += m->pair_u[k][i] * data->r[i * n + l];
    }
    LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, newton->complex_factor[k], n,
                        newton->pivots + (k + 1) * n, w, n);
    for (int i = 0; i < S; i++)
        for (int l = 0; l < n; l++)
            dz[i * n + l] += 2.0 * creal(m->pair_v[k][i] * w[l]);
}

/* The larger number; NaN if b is NaN. */
static double larger(double a, double b)
{
    return b <= a ? a : b;
}

/* Adds an increment to z of the step from x. Returns the largest of its entries relative to what is acceptable. */
static double correct(ms_stiff_data *data, double h, const double *x, double *dz)
{
    double largest = 0.0;
    right_side(data, h);
    memset(dz, 0, sizeof *dz * S * (size_t)data->nx);
    add_real(data, dz);
    for (int k = 0; k < PAIRS; k++)
        add_pair(data, k, dz);
    for (int l = 0; l < data->nx; l++) {
        double size = fabs(x[l]), change = 0.0;
        for (int i = 0; i < S; i++) {
            double *z = &data->z[i * data->nx + l];
            *z += dz[i * data->nx + l];
            size = larger(size, fabs(*z));
            change = larger(change, fabs(dz[i * data->nx + l]));
        }
        largest = larger(largest, change / fmax(OF_TOLERANCE * data->scale[l],
                                                fmax(DBL_EPSILON * size, 2.0 * data->noise[l])));
    }
    return largest;
}

/* Iterates until the increments are small. Returns MS_OK or MS_NOT_CONVERGED. */
static int iterate(ms_stiff_data *data, double t, double h, const double *x)
{
    double before = INFINITY;
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        if (evaluate(data, t, h, x) != 0)
            return MS_NOT_CONVERGED;
        const double now = correct(data, h, x, data->increment), rate = now / before;
        if (!isfinite(now))
            return MS_NOT_CONVERGED;
        if (now <= 1.0 || (k > 0 && rate < 1.0 && now * rate / (1.0 - rate) <= 1.0))
            return MS_OK;
        if (k > 1 && rate >= 0.9)
            return before <= STALLED ? MS_OK : MS_NOT_CONVERGED;
        before = now;
    }
    return MS_NOT_CONVERGED;
}

int ms_stiff_newton_solve(ms_stiff_data *data, double t, double h, const double *x)
{
    const int status = iterate(data, t, h, x);
    if (status == MS_OK &&
        data->n > data->nx) /* integrals of outputs use the slopes at the stages directly */
        return evaluate(data, t, h, x) == 0 ? MS_OK : MS_NOT_CONVERGED;
    return status;
}
