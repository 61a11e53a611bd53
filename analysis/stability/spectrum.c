/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/spectrum.h>

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "long_call.h"

/* Round-off splits a defective eigenvalue of multiplicity m by about eps^{1/m}; eigenvalues within these
 * distances are treated as one. */
static const double neighbourhood[] = {1e-7, 1e-6, 1e-5, 1e-4};
static const double circle = 1e-8, rank_tolerance = 1e-8;

/* The spread of close but distinct eigenvalues reflects the angle of their eigenvectors; singular
 * values that exceed the spread by this factor do not belong to them. */
static const double spread_factor = 1e3;

enum { SMALL = 64 };

/* Workspace for the eigenvalues and dgeev: unblocked, blocked reduction. */
static int lapack_work(int n)
{
    return 2 * n + (n <= SMALL ? 4 * n : 40 * n + 4200) + 1;
}

int ms_spectrum_work(int n)
{
    return lapack_work(n) + (n <= MS_DENSE_EIGENVALUES_MAX ? n * n : 0);
}

static int finite(int n, const double *psi)
{
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        sum += psi[i] - psi[i];
    return sum == 0.0;
}

/* stored by rows it is the transpose, which has the same eigenvalues. */
static int eigenvalues(int n, double *psi, double *work)
{
    double *re = work, *im = re + n;
    if (n == 0)
        return MS_OK;
    if (!finite(n, psi))
        return MS_NOT_CONVERGED;
    const double operations = 10.0 * n * n * n;
    ms_long_call_begin(operations);
    const int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, psi, n, re, im, NULL, 1, NULL, 1,
                                        im + n, lapack_work(n) - 2 * n);
    ms_long_call_end(operations);
    return info == 0 ? MS_OK : MS_NOT_CONVERGED;
}

/* work: a copy of psi, and the eigenvalues. Small matrices use our own code, unless it fails. */
double ms_spectrum_radius_within(int n, int steps, double *psi, double *work)
{
    double radius = 0.0, *re = work;
    int status = MS_NOT_CONVERGED;
    if (n <= MS_DENSE_EIGENVALUES_MAX) {
        memcpy(work, psi, sizeof *psi * (size_t)n * (size_t)n);
        re += n * n;
        status = ms_dense_eigenvalues(n, steps, work, re, re + n);
    }
    if (status == MS_NOT_CONVERGED)
        status = eigenvalues(n, psi, re);
    if (status != MS_OK)
        return NAN;
    for (int k = 0; k < n; k++)
        radius = fmax(radius, hypot(re[k], re[n + k]));
    return radius;
}

double ms_spectrum_radius(int n, double *psi, double *work)
{
    return ms_spectrum_radius_within(n, MS_DENSE_QR_STEPS, psi, work);
}

/* Singular values of M (n x n), which is overwritten. We allocate the workspace, since LAPACKE prints a message if it cannot. */
static int singular_values(int n, double *M, double *values)
{
    double size = 0.0;
    int info =
        LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'N', n, n, NULL, n, NULL, NULL, 1, NULL, 1, &size, -1, NULL);
    if (info != 0)
        return MS_NOT_CONVERGED;
    double *work = malloc(sizeof *work * ((size_t)size + 1));
    lapack_int *integers = malloc(sizeof *integers * (8 * (size_t)n + 1));
    const double operations = 4.0 * n * n * n;
    const bool ready = work != NULL && integers != NULL;
    ms_long_call_begin(operations);
    if (ready)
        info = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'N', n, n, M, n, values, NULL, 1, NULL, 1, work,
                                   (int)size, integers);
    ms_long_call_end(operations);
    MS_FREE(work, integers);
    return !ready ? MS_NO_MEMORY : info == 0 ? MS_OK : MS_NOT_CONVERGED;
}

/* M = psi - (re + i im) I = X + i Y is taken as the real matrix [X, -Y; Y, X], which has each singular value
 * twice: OpenBLAS's complex kernels (0.3.21) read past the ends of their vectors. */
int ms_spectrum_singular_values(int n, const double *psi, double re, double im, double *values)
{
    const size_t size = (size_t)n, twice = im != 0.0 ? 2 * size : size;
    double *M = calloc(twice * twice + twice + 1, sizeof *M);
    MS_TRY_MEMORY(M);
    double *all = M + twice * twice;
    for (size_t block = 0; block < twice; block += size)
        for (size_t i = 0; i < size; i++) {
            for (size_t j = 0; j < size; j++)
                M[(block + i) * twice + block + j] = psi[i * size + j] - (i == j ? re : 0.0);
            if (twice > size)
                M[(block + i) * twice + size - block + i] = block > 0 ? -im : im;
        }
    const int status = singular_values((int)twice, M, all);
    for (size_t k = 0; k < size; k++)
        values[k] = all[k * (twice / size)];
    free(M);
    return status;
}

/* Descending modulus; equal ones with the larger real part first, and the pair + i before - i. */
static int compare(const void *a, const void *b)
{
    const double *l = a, *r = b;
    const double left[] = {hypot(l[0], l[1]), l[0], l[1]}, right[] = {hypot(r[0], r[1]), r[0], r[1]};
    for (int k = 0; k < 3; k++)
        if (left[k] != right[k])
            return left[k] < right[k] ? 1 : -1;
    return 0;
}

/* A cluster of eigenvalues near eigenvalue k: number, mean, and spread. */
typedef struct cluster {
    int size;
    double re, im, spread;
} cluster;

static cluster gather(const ms_spectrum *s, int k, double distance)
{
    const double *at = s->eigenvalues + 2 * k;
    cluster c = {0};
    for (int j = 0; j < s->n; j++) {
        const double *value = s->eigenvalues + 2 * j;
        if (hypot(value[0] - at[0], value[1] - at[1]) <= distance) {
            c.size++;
            c.re += value[0];
            c.im += value[1];
        }
    }
    c.re /= c.size;
    c.im /= c.size;
    for (int j = 0; j < s->n; j++) {
        const double *value = s->eigenvalues + 2 * j;
        if (hypot(value[0] - at[0], value[1] - at[1]) <= distance)
            c.spread = fmax(c.spread, hypot(value[0] - c.re, value[1] - c.im));
    }
    return c;
}

/* Fewer singular values of psi - mean I vanish than there are eigenvalues in the cluster, and at least one does. */
static int cluster_defective(int n, const double *psi, const cluster *c, double *values, bool *defective)
{
    MS_TRY(ms_spectrum_singular_values(n, psi, c->re, c->im, values));
    const double scale = fmax(1.0, values[0]);
    const double zero = rank_tolerance * scale, near = fmax(zero, spread_factor * c->spread);
    *defective = values[n - 1] <= zero && values[n - c->size] > near;
    return MS_OK;
}

/* psi with rows and columns balanced by powers of two, so that units do not decide what is small. */
static int balanced(int n, const double *psi, double *copy, double *scale)
{
    lapack_int low, high;
    memcpy(copy, psi, sizeof(double) * (size_t)n * (size_t)n);
    return LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', n, copy, n, &low, &high, scale) == 0 ? MS_OK
                                                                                      : MS_NOT_CONVERGED;
}

static int find_defective(const double *psi, ms_spectrum *s)
{
    const int n = s->n;
    const size_t size = (size_t)n;
    double *copy = malloc(sizeof *copy * (size * size + 2 * size + 1));
    MS_TRY_MEMORY(copy);
    double *values = copy + size * size;
    int status = balanced(n, psi, copy, values + n), checked = 0;
    cluster last = {0};
    for (int k = 0; k < n && status == MS_OK && !s->defective; k++) {
        const double *at = s->eigenvalues + 2 * k;
        if (at[1] < 0.0 || fabs(hypot(at[0], at[1]) - 1.0) > 2e-4)
            continue;
        for (size_t d = 0;
             d < sizeof neighbourhood / sizeof *neighbourhood && status == MS_OK && !s->defective; d++) {
            const cluster c = gather(s, k, neighbourhood[d]);
            const bool again =
                checked && c.size == last.size && hypot(c.re - last.re, c.im - last.im) <= DBL_EPSILON;
            if (c.size < 2 || again || fabs(hypot(c.re, c.im) - 1.0) >= circle)
                continue;
            status = cluster_defective(n, copy, &c, values, &s->defective);
            last = c;
            checked = 1;
        }
    }
    free(copy);
    return status;
}

int ms_spectrum_create(int n, const double *psi, ms_spectrum *s, ms_error *error)
{
    const size_t size = (size_t)n;
    *s = (ms_spectrum){.n = n};
    double *copy = malloc(sizeof *copy * (size * size + (size_t)lapack_work(n)));
    s->eigenvalues = malloc(sizeof *copy * (2 * size + 1));
    int status = copy != NULL && s->eigenvalues != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK) {
        double *work = copy + size * size;
        memcpy(copy, psi, sizeof *copy * size * size);
        status = eigenvalues(n, copy, work);
        for (int k = 0; k < n && status == MS_OK; k++) {
            s->eigenvalues[2 * k] = work[k];
            s->eigenvalues[2 * k + 1] = work[n + k];
        }
    }
    if (status == MS_OK && n > 0) {
        qsort(s->eigenvalues, size, 2 * sizeof *s->eigenvalues, compare);
        s->radius = hypot(s->eigenvalues[0], s->eigenvalues[1]);
        status = find_defective(psi, s);
    }
    s->stable = status == MS_OK && s->radius <= 1.0 + circle && !s->defective;
    free(copy);
    if (status == MS_NO_MEMORY)
        ms_fail(error, status, "not enough memory for the eigenvalues of a matrix of %d rows", n);
    else if (status != MS_OK)
        ms_fail(error, status,
                "the eigenvalues of a matrix of %d rows were not found: it is not finite, or dgeev failed",
                n);
    if (status != MS_OK)
        ms_spectrum_destroy(s);
    return status;
}

void ms_spectrum_destroy(ms_spectrum *s)
{
    free(s->eigenvalues);
    *s = (ms_spectrum){0};
}
