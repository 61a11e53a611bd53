/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_arnoldi.c - the restarted Arnoldi method on matrices whose eigenvalues are known, and on random ones against
 * LAPACK's: residuals by singular values, moduli within what residuals and conditions allow. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/status.h>
#include "allocations.h"
#include "arnoldi.h"
#include "backward_error.h"
#include "support.h"
#include "unit_test.h"

enum { MOST = 600, LIMIT = 200000, RANDOM = 300 };

static const double TOLERANCE = 1e-8;

/* A known matrix: Q B Q with B block diagonal and Q = I - 2 q q' of a fixed q, so that all entries are there. */
typedef struct known {
    int n;
    double diagonal[MOST], above[MOST],
        below[MOST]; /* B: row i has above[i] at i + 1, row i + 1 has below[i] at i */
    double q[MOST], scale;
    long calls, allocations;
    bool count;
} known;

static void reflect(const known *m, double *v)
{
    double sum = 0.0;
    for (int i = 0; i < m->n; i++)
        sum += m->q[i] * v[i];
    for (int i = 0; i < m->n; i++)
        v[i] -= 2.0 * sum * m->q[i];
}

static int multiply(void *self, const double *v, double *to)
{
    known *m = self;
    double w[MOST];
    if (m->count && m->calls++ > 0)
        m->allocations += ms_allocations_count(false);
    memcpy(w, v, sizeof *w * (size_t)m->n);
    reflect(m, w);
    for (int i = 0; i < m->n; i++)
        to[i] = m->scale * (m->diagonal[i] * w[i] + (i + 1 < m->n ? m->above[i] * w[i + 1] : 0.0) +
                            (i > 0 ? m->below[i - 1] * w[i - 1] : 0.0));
    reflect(m, to);
    if (m->count)
        ms_allocations_count(true);
    return MS_OK;
}

static known *make(int n)
{
    known *m = calloc(1, sizeof *m);
    double sum = 0.0;
    assert_non_null(m);
    m->n = n;
    m->scale = 1.0;
    for (int i = 0; i < n; i++) {
        m->q[i] = 1.0 + i % 5;
        sum += m->q[i] * m->q[i];
    }
    for (int i = 0; i < n; i++)
        m->q[i] /= sqrt(sum);
    return m;
}

/* The pair r e^{+-i phi} at rows i and i + 1. */
static void set_pair(known *m, int i, double r, double phi)
{
    m->diagonal[i] = m->diagonal[i + 1] = r * cos(phi);
    m->above[i] = -r * sin(phi);
    m->below[i] = r * sin(phi);
}

static int find(known *m, int k, int subspace, long applications, ms_arnoldi *found)
{
    const ms_arnoldi_map map = {.n = m->n, .apply = multiply, .self = m, .round_off = 1e-14};
    const ms_arnoldi_request request = {
        .k = k, .subspace = subspace, .applications = applications, .tolerance = TOLERANCE};
    return ms_arnoldi_create(&map, &request, found);
}

static void near_value(const ms_arnoldi *found, int k, double re, double im, double tolerance)
{
    const double *value = found->eigenvalues + 2 * k;
    if (!(hypot(value[0] - re, value[1] - im) <= tolerance))
        fail_msg("eigenvalue %d is %.17g %+.17g i, not %g %+g i", k, value[0], value[1], re, im);
}

static void all_converged(const ms_arnoldi *found, int status, int n)
{
    assert_int_equal(status, MS_OK);
    assert_int_equal(found->n, n);
    assert_int_equal(found->converged, n);
    for (int k = 0; k < n; k++)
        assert_true(found->residuals[k] <=
                    TOLERANCE * hypot(found->eigenvalues[2 * k], found->eigenvalues[2 * k + 1]));
}

/* Known eigenvalues -------------------------------------------------------------------------------------- */

/* Normal matrices: what a residual is, an eigenvalue is off. */
static void finds_real_eigenvalues(void **state)
{
    (void)state;
    known *m = make(500);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i++)
        m->diagonal[i] = (i % 3 == 1 ? -1.0 : 1.0) * (1.0 - (double)i / m->n);
    all_converged(&found, find(m, 6, 0, LIMIT, &found), 6);
    for (int k = 0; k < 6; k++)
        near_value(&found, k, m->diagonal[k], 0.0, 1e-8);
    assert_false(found.complete);
    ms_arnoldi_destroy(&found);
    free(m);
}

/* Also: an odd number of eigenvalues does not cut a pair. */
static void finds_complex_clusters(void **state)
{
    (void)state;
    known *m = make(400);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i += 2)
        set_pair(m, i, i < 10 ? 1.0 - 1e-3 * i : 0.9 * (1.0 - (double)i / m->n), 0.1 + i);
    all_converged(&found, find(m, 7, 0, LIMIT, &found), 8);
    for (int k = 0; k < 8; k += 2) {
        const double r = 1.0 - 1e-3 * k, phi = 0.1 + k;
        near_value(&found, k, r * cos(phi), fabs(r * sin(phi)), 1e-8);
        near_value(&found, k + 1, r * cos(phi), -fabs(r * sin(phi)), 1e-8);
    }
    ms_arnoldi_destroy(&found);
    free(m);
}

/* Of M^-1, whose largest belong to the smallest of M. */
static void answers_eigenvalues_of_another_map(void **state)
{
    (void)state;
    known *m = make(200), *inverse = make(200);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i += 2) {
        const double r = i < 8 ? 0.1 + 0.01 * i : 1.0 + i;
        set_pair(m, i, r, 0.1 + i);
        set_pair(inverse, i, 1.0 / r, -0.1 - i);
    }
    const ms_arnoldi_map of = {.n = m->n, .apply = multiply, .self = m, .round_off = 1e-14},
                         map = {.n = m->n, .apply = multiply, .self = inverse, .round_off = 1e-14, .of = &of};
    const ms_arnoldi_request request = {.k = 4, .applications = LIMIT, .tolerance = TOLERANCE};
    assert_int_equal(ms_arnoldi_create(&map, &request, &found), MS_OK);
    assert_int_equal(found.n, 4);
    for (int k = 0; k < 4; k += 2) {
        const double r = 0.1 + 0.01 * k, phi = 0.1 + k;
        near_value(&found, k, r * cos(phi), fabs(r * sin(phi)), 1e-8);
        near_value(&found, k + 1, r * cos(phi), -fabs(r * sin(phi)), 1e-8);
        assert_true(found.residuals[k] <= 1e-8);
    }
    ms_arnoldi_destroy(&found);
    free(m);
    free(inverse);
}

static void finds_both_of_opposite_eigenvalues(void **state)
{
    (void)state;
    known *m = make(300);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i++) {
        const int pair = i / 2;
        m->diagonal[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 - (double)pair / m->n);
    }
    all_converged(&found, find(m, 6, 0, LIMIT, &found), 6);
    for (int k = 0; k < 6; k += 2) {
        const double expected = m->diagonal[k], sign = found.eigenvalues[2 * k] > 0.0 ? 1.0 : -1.0;
        near_value(&found, k, sign * expected, 0.0, 1e-8);
        near_value(&found, k + 1, -sign * expected, 0.0, 1e-8);
    }
    ms_arnoldi_destroy(&found);
    free(m);
}

/* One start vector holds one direction of an eigenspace; another one brings the next. */
static void finds_all_copies_of_a_repeated_eigenvalue(void **state)
{
    (void)state;
    known *m = make(300);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i++) {
        const int group = i / 3;
        m->diagonal[i] = i < 6 ? 2.0 - 0.25 * group : 1.0 - (double)i / m->n;
    }
    all_converged(&found, find(m, 6, 0, LIMIT, &found), 6);
    for (int k = 0; k < 6; k++)
        near_value(&found, k, m->diagonal[k], 0.0, 1e-8);
    ms_arnoldi_destroy(&found);
    free(m);
}

/* Residuals r move an eigenvalue of a Jordan block of order 3 by r^(1/3), their mean by r. */
static void finds_defective_eigenvalues(void **state)
{
    (void)state;
    known *m = make(200);
    ms_arnoldi found;
    double re = 0.0, im = 0.0;
    for (int i = 0; i < m->n; i++)
        m->diagonal[i] = i < 3 ? 1.0 : 0.6 * (1.0 - (double)i / m->n);
    m->above[0] = m->above[1] = 1.0;
    assert_int_equal(find(m, 3, 0, LIMIT, &found), MS_OK);
    assert_int_equal(found.converged, 3);
    for (int k = 0; k < 3; k++) {
        near_value(&found, k, 1.0, 0.0, 2.0 * cbrt(TOLERANCE));
        re += found.eigenvalues[2 * k] / 3.0;
        im += found.eigenvalues[2 * k + 1] / 3.0;
        assert_true(found.conditions[k] > 1e4);
    }
    support_near(re, 1.0, 10.0 * TOLERANCE);
    support_near(im, 0.0, 10.0 * TOLERANCE);
    ms_arnoldi_destroy(&found);
    free(m);
}

static void takes_zero_and_nilpotent_matrices(void **state)
{
    (void)state;
    for (int nilpotent = 0; nilpotent < 2; nilpotent++) {
        known *m = make(150);
        ms_arnoldi found;
        for (int i = 0; i < m->n; i++)
            m->above[i] = nilpotent != 0 && i % 2 == 0 ? 1.0 : 0.0;
        assert_int_equal(find(m, 4, 0, LIMIT, &found), MS_OK);
        for (int k = 0; k < found.n; k++)
            near_value(&found, k, 0.0, 0.0, 1e-7); /* sqrt(eps) of blocks of order 2 */
        ms_arnoldi_destroy(&found);
        free(m);
    }
}

/* More than there are: all of them, from the whole space. */
static void gives_all_of_a_small_matrix(void **state)
{
    (void)state;
    known *m = make(7);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i++)
        m->diagonal[i] = i < 3 ? 5.0 : 7.0 - i;
    all_converged(&found, find(m, 50, 0, LIMIT, &found), 7);
    assert_true(found.complete);
    const double expected[] = {5.0, 5.0, 5.0, 4.0, 3.0, 2.0, 1.0};
    for (int i = 3; i < 7; i++)
        m->diagonal[i] = expected[i];
    for (int k = 0; k < 7; k++)
        near_value(&found, k, k < 3 ? 5.0 : 7.0 - k, 0.0, 1e-13);
    ms_arnoldi_destroy(&found);
    m->n = 0;
    assert_int_equal(find(m, 3, 0, LIMIT, &found), MS_OK);
    assert_int_equal(found.n, 0);
    ms_arnoldi_destroy(&found);
    free(m);
}

static void takes_very_large_and_very_small_numbers(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        known *m = make(200);
        ms_arnoldi found;
        m->scale = pow(10.0, 250.0 * sign);
        for (int i = 0; i < m->n; i++)
            m->diagonal[i] = 1.0 - (double)i / m->n;
        all_converged(&found, find(m, 2, 0, LIMIT, &found), 2);
        near_value(&found, 0, m->scale, 0.0, 1e-8 * m->scale);
        near_value(&found, 1, m->scale * 0.995, 0.0, 1e-8 * m->scale);
        ms_arnoldi_destroy(&found);
        free(m);
    }
}

/* Endings ------------------------------------------------------------------------------------------------ */

/* Eigenvalues that lie ever closer to 1, as those of a long chain: named, with residuals. Of a symmetric matrix Ritz
 * values are lower estimates. */
static void says_what_has_not_converged(void **state)
{
    (void)state;
    known *m = make(MOST);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i++)
        m->diagonal[i] = 1.0 - 1e-6 * i * i;
    assert_int_equal(find(m, 2, 0, 60, &found), MS_NOT_CONVERGED);
    assert_int_equal(found.n, 2);
    assert_true(found.converged < 2);
    assert_int_equal(found.applications, 60);
    assert_true(found.residuals[0] > TOLERANCE);
    assert_true(found.eigenvalues[0] < 1.0 && found.eigenvalues[0] >= 1.0 - found.residuals[0]);
    ms_arnoldi_destroy(&found);
    all_converged(&found, find(m, 2, 0, LIMIT, &found), 2);
    near_value(&found, 0, 1.0, 0.0, 1e-8);
    ms_arnoldi_destroy(&found);
    free(m);
}

static int fails(void *self, const double *v, double *to)
{
    const known *m = self;
    memcpy(to, v, sizeof *v * (size_t)m->n);
    to[3] = m->scale;
    return m->calls != 0 ? MS_NO_SOLUTION : MS_OK;
}

static void ends_where_products_do(void **state)
{
    (void)state;
    known *m = make(10);
    ms_arnoldi found;
    volatile sig_atomic_t stop = 1;
    const ms_arnoldi_map map = {.n = m->n, .apply = fails, .self = m};
    ms_arnoldi_request request = {.k = 1, .applications = 100, .tolerance = TOLERANCE};
    m->scale = INFINITY;
    assert_int_equal(ms_arnoldi_create(&map, &request, &found), MS_SOLVER_FAILED);
    m->scale = NAN;
    assert_int_equal(ms_arnoldi_create(&map, &request, &found), MS_SOLVER_FAILED);
    m->calls = 1;
    assert_int_equal(ms_arnoldi_create(&map, &request, &found), MS_NO_SOLUTION);
    request.stop = &stop;
    assert_int_equal(ms_arnoldi_create(&map, &request, &found), MS_INTERRUPTED);
    assert_null(found.eigenvalues);
    free(m);
}

static void allocates_nothing_between_products(void **state)
{
    (void)state;
    known *m = make(400);
    ms_arnoldi found;
    for (int i = 0; i < m->n; i += 2)
        set_pair(m, i, 1.0 - 1e-4 * i, 0.3 * i);
    assert_int_equal(find(m, 3, 0, LIMIT, &found), MS_OK); /* libraries allocate when they are first used */
    ms_arnoldi_destroy(&found);
    m->count = true;
    assert_int_equal(find(m, 3, 0, LIMIT, &found), MS_OK);
    ms_allocations_count(false);
    assert_true(found.restarts > 10);
    assert_int_equal(m->allocations, 0);
    ms_arnoldi_destroy(&found);
    free(m);
}

/* Random matrices ---------------------------------------------------------------------------------------- */

typedef struct dense {
    int n;
    double *M; /* by rows */
} dense;

static int multiply_dense(void *self, const double *v, double *to)
{
    const dense *d = self;
    for (int i = 0; i < d->n; i++) {
        to[i] = 0.0;
        for (int j = 0; j < d->n; j++)
            to[i] += d->M[i * d->n + j] * v[j];
    }
    return MS_OK;
}

static void check_random(dense *d, int k)
{
    double lower[MOST], upper[MOST], norm = 0.0, largest = 0.0;
    ms_arnoldi found;
    const ms_arnoldi_map map = {.n = d->n, .apply = multiply_dense, .self = d, .round_off = 1e-14};
    const ms_arnoldi_request request = {.k = k, .subspace = 1, .applications = LIMIT, .tolerance = TOLERANCE};
    assert_int_equal(ms_arnoldi_create(&map, &request, &found), MS_OK);
    for (int i = 0; i < d->n * d->n; i++)
        norm = hypot(norm, d->M[i]);
    for (int j = 0; j < found.n; j++) {
        const double error =
            norm * support_backward_error(d->n, d->M, found.eigenvalues[2 * j], found.eigenvalues[2 * j + 1]);
        largest = fmax(largest, found.residuals[j]);
        if (!(error <= sqrt(d->n) * (found.residuals[j] + d->n * DBL_EPSILON * norm)))
            fail_msg("order %d: eigenvalue %d has the residual %g, but at least %g", d->n, j,
                     found.residuals[j], error);
    }
    support_modulus_bounds(d->n, d->M, largest + d->n * DBL_EPSILON * norm, lower, upper);
    for (int j = 0; j < found.n; j++) {
        const double modulus = hypot(found.eigenvalues[2 * j], found.eigenvalues[2 * j + 1]);
        if (!(modulus >= lower[j] && modulus <= upper[j]))
            fail_msg("order %d, %d of %d: modulus %.17g is not in [%.17g, %.17g]", d->n, j, k, modulus,
                     lower[j], upper[j]);
    }
    ms_arnoldi_destroy(&found);
}

/* Full, sparse, and with whole rows of zeros, which bring zero eigenvalues. */
static void finds_the_largest_of_random_matrices(void **state)
{
    (void)state;
    unsigned long long seed = 17;
    for (int k = 0; k < support_ensemble(RANDOM); k++) {
        const int n = 1 + (int)(40.0 * fabs(support_random(&seed)));
        dense d = {n, calloc((size_t)(n * n), sizeof(double))};
        for (int i = 0; i < n * n; i++) {
            const double value = support_random(&seed), chance = support_random(&seed);
            d.M[i] = (k % 3 == 1 && chance < 0.4) || (k % 3 == 2 && i / n % 2 == 0) ? 0.0 : value;
        }
        check_random(&d, 1 + k % 5);
        free(d.M);
    }
}

int main(void)
{
    ms_allocations_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_real_eigenvalues),
        cmocka_unit_test(finds_complex_clusters),
        cmocka_unit_test(answers_eigenvalues_of_another_map),
        cmocka_unit_test(finds_both_of_opposite_eigenvalues),
        cmocka_unit_test(finds_all_copies_of_a_repeated_eigenvalue),
        cmocka_unit_test(finds_defective_eigenvalues),
        cmocka_unit_test(takes_zero_and_nilpotent_matrices),
        cmocka_unit_test(gives_all_of_a_small_matrix),
        cmocka_unit_test(takes_very_large_and_very_small_numbers),
        cmocka_unit_test(says_what_has_not_converged),
        cmocka_unit_test(ends_where_products_do),
        cmocka_unit_test(allocates_nothing_between_products),
        cmocka_unit_test(finds_the_largest_of_random_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
