/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dense_eigenvalues.c - eigenvalues of our own: backward errors by LAPACK's singular values, radii against dgeev,
 * and matrices whose eigenvalues are known. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/status.h>
#include "backward_error.h"
#include "dense.h"
#include "support.h"
#include "unit_test.h"

enum { MOST = MS_DENSE_EIGENVALUES_MAX };

/* Of A, which stays. */
static void eigenvalues(int n, const double *A, double *re, double *im)
{
    double copy[MOST * MOST];
    memcpy(copy, A, sizeof *A * (size_t)(n * n));
    assert_int_equal(ms_dense_eigenvalues(n, MS_DENSE_QR_STEPS, copy, re, im), MS_OK);
}

static double radius(int n, const double *A)
{
    double re[MOST], im[MOST], largest = 0.0;
    eigenvalues(n, A, re, im);
    for (int k = 0; k < n; k++)
        largest = fmax(largest, hypot(re[k], im[k]));
    return largest;
}

static int zeros(int n, const double *A)
{
    double re[MOST], im[MOST];
    int count = 0;
    eigenvalues(n, A, re, im);
    for (int k = 0; k < n; k++)
        count += re[k] == 0.0 && im[k] == 0.0;
    return count;
}

/* Eigenvalues of a real matrix near A: small backward errors, pairs side by side, the right sum, and the radius as
 * close to LAPACK's as the condition of the eigenvalues allows. */
static void check(const char *what, int n, const double *A)
{
    double re[MOST], im[MOST], sum = 0.0, size = 0.0, lower, lapack, upper;
    eigenvalues(n, A, re, im);
    for (int i = 0; i < n * n; i++)
        size = hypot(size, A[i]);
    for (int k = 0; k < n; k++) {
        const double error = support_backward_error(n, A, re[k], im[k]);
        if (!(error <= 4.0 * n * DBL_EPSILON))
            fail_msg("%s of order %d: %g %+g i has the backward error %g", what, n, re[k], im[k], error);
        if (im[k] > 0.0)
            assert_true(k + 1 < n && im[k + 1] == -im[k] && re[k + 1] == re[k]);
        sum += re[k] - A[k * n + k];
    }
    support_near(sum, 0.0, 16.0 * n * DBL_EPSILON * size);
    support_radius_bounds(n, A, &lower, &lapack, &upper);
    const double own = radius(n, A), slack = 4.0 * n * DBL_EPSILON * lapack;
    if (!(own >= lower - slack && own <= upper + slack))
        fail_msg("%s of order %d: radius %.17g, LAPACK's is %.17g", what, n, own, lapack);
}

static void fill(int n, double share, double *A, unsigned long long *seed)
{
    for (int i = 0; i < n * n; i++) {
        A[i] = support_random(seed);
        if (0.5 + 0.5 * support_random(seed) > share)
            A[i] = 0.0;
    }
}

static void test_random_matrices(void **state)
{
    (void)state;
    static const double shares[] = {1.0, 0.5, 0.2, 0.1};
    unsigned long long seed = 1;
    double A[MOST * MOST];
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        for (int n = 1; n <= MOST; n += n < 20 ? 1 : 11)
            for (int sample = 0; sample < (n < 20 ? 10 : 1); sample++) {
                fill(n, shares[k], A, &seed);
                check("a random matrix", n, A);
            }
}

/* Rows and columns that are multiples of others, as outputs and histories make them: all of their zeros are exact,
 * in whatever order they stand. */
static void test_multiples_are_zeros(void **state)
{
    (void)state;
    unsigned long long seed = 2;
    double A[MOST * MOST];
    for (int n = 3; n <= 24; n++)
        for (int columns = 0; columns < 2; columns++) {
            fill(n, 1.0, A, &seed);
            const int step = columns ? n : 1, across = columns ? 1 : n;
            for (int k = 0; k < n / 3; k++) {
                const int from = n - 1 - k, to = k % 2 == 0 ? k : n / 3 + k / 2;
                const double c = ldexp(k % 3 == 0 ? 1.0 : -1.0, k % 5); /* products are exact */
                for (int l = 0; l < n && from != to; l++)
                    A[to * across + l * step] = c * A[from * across + l * step];
            }
            assert_int_equal(zeros(n, A), n / 3);
            check("a matrix of repeated lines", n, A);
        }
}

/* Rows that differ by more than round-off are two: the eigenvalues of [1, 1; 1, 1 + d] are 2 + d/2 and d/2, nearly. */
static void test_near_multiples_are_none(void **state)
{
    (void)state;
    for (double d = 1e-13; d < 1e-3; d *= 10.0) {
        const double A[] = {1.0, 1.0, 1.0, 1.0 + d};
        double re[2], im[2];
        eigenvalues(2, A, re, im);
        support_near(fmin(re[0], re[1]), 0.5 * d, 1e-15 + d * d);
    }
}

/* A shift register that is read through one combination: x+ = a x + b (c1 p + c2 q), p and q the states k steps ago.
 * All but k + 1 eigenvalues are 0, and those are the roots of z^(k+1) = a z^k + b (c1 + c2). */
static void test_histories(void **state)
{
    (void)state;
    for (int k = 1; k <= 8; k++) {
        const int n = 1 + 3 * k; /* x, then k past pairs and k values that nobody reads */
        const double a = 0.5, b = 0.25, c1 = 1.0 / 3.0, c2 = 3.0;
        double A[MOST * MOST] = {0}, re[MOST], im[MOST];
        A[0] = a;
        A[2 * k - 1] = b * c1;
        A[2 * k] = b * c2;
        for (int i = 1; i <= 2 * k; i++)
            A[i * n + (i <= 2 ? 0 : i - 2)] = 1.0;
        for (int i = 2 * k + 1; i < n; i++)
            A[i * n + (i == 2 * k + 1 ? 0 : i - 1)] = 1.0;
        assert_int_equal(zeros(n, A), n - k - 1);
        eigenvalues(n, A, re, im);
        for (int i = 0; i < n; i++) {
            const double modulus = hypot(re[i], im[i]), angle = atan2(im[i], re[i]);
            if (modulus == 0.0)
                continue;
            const double left_re =
                pow(modulus, k + 1) * cos((k + 1) * angle) - a * pow(modulus, k) * cos(k * angle);
            const double left_im =
                pow(modulus, k + 1) * sin((k + 1) * angle) - a * pow(modulus, k) * sin(k * angle);
            support_near(left_re, b * (c1 + c2), 1e-13);
            support_near(left_im, 0.0, 1e-13);
        }
    }
}

/* A -> Q A Q' with Q a product of rotations in all planes, so that no structure is left to see. */
static void rotate(int n, double *A)
{
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            const double c = cos(1.0 + a + 2.0 * b), s = sin(1.0 + a + 2.0 * b);
            for (int columns = 0; columns < 2; columns++)
                for (int l = 0; l < n; l++) {
                    double *p = columns ? &A[l * n + a] : &A[a * n + l],
                           *q = columns ? &A[l * n + b] : &A[b * n + l];
                    const double before = *p;
                    *p = c * before - s * *q;
                    *q = s * before + c * *q;
                }
        }
}

/* One Jordan block of the eigenvalue `value`: as it stands exact, rotated to the n-th root of round-off. */
static void test_jordan_blocks(void **state)
{
    (void)state;
    static const double values[] = {0.0, 1.0, -0.5};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (int n = 1; n <= 12; n++) {
            double A[MOST * MOST] = {0};
            for (int i = 0; i < n; i++) {
                A[i * n + i] = values[k];
                if (i + 1 < n)
                    A[i * n + i + 1] = 1.0;
            }
            assert_true(radius(n, A) == fabs(values[k]));
            rotate(n, A);
            support_near(radius(n, A), fabs(values[k]), pow(64.0 * n * DBL_EPSILON, 1.0 / n));
        }
}

/* [R, R, R, ..; 0, R, R, ..; ..] with R a rotation, its rows and columns in another order: defective, but each block
 * alone is not, and the radius is 1 to round-off. */
static void test_blocks_stay_apart(void **state)
{
    (void)state;
    const double c = cos(1.0), s = sin(1.0), R[2][2] = {{c, -s}, {s, c}};
    for (int blocks = 1; blocks <= 16; blocks++) {
        const int n = 2 * blocks;
        int step = 5;
        double A[MOST * MOST] = {0};
        while (n % step == 0)
            step += 2;
        for (int i = 0; i < n; i++)
            for (int j = i - i % 2; j < n; j++)
                A[i * step % n * n + j * step % n] = R[i % 2][j % 2];
        support_near(radius(n, A), 1.0, 4.0 * DBL_EPSILON);
    }
}

static void test_matrices_without_eigenvalues_to_find(void **state)
{
    (void)state;
    double A[MOST * MOST] = {0};
    for (int n = 0; n <= MOST; n += 16)
        assert_true(radius(n, A) == 0.0 && zeros(n, A) == n);
    const double nilpotent[] = {1.0, -1.0, 1.0, -1.0};
    assert_true(radius(2, nilpotent) == 0.0);
    for (int i = 0; i < 12; i++) /* below the diagonal alone, with holes */
        for (int j = 0; j < 12; j++)
            A[i * 12 + j] = i > j && (i + j) % 3 != 0 ? 1.0 + i * j : 0.0;
    assert_true(radius(12, A) == 0.0);
}

/* z^n = 1, and a rotation in every pair of coordinates: all on the unit circle. */
static void test_circles(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n += n < 16 ? 1 : 16) {
        double A[MOST * MOST] = {0}, re[MOST], im[MOST];
        for (int i = 0; i < n; i++)
            A[i * n + (i + 1) % n] = 1.0;
        for (int turned = 0; turned < 2; turned++) {
            check("a cycle", n, A);
            eigenvalues(n, A, re, im);
            for (int k = 0; k < n; k++)
                support_near(hypot(re[k], im[k]), 1.0, 64.0 * n * DBL_EPSILON);
            rotate(n, A);
        }
    }
}

/* (z - 1) (z - 2) .. (z - n). Wilkinson's polynomial is ill-conditioned: backward errors are what counts. */
static void test_companion_matrices(void **state)
{
    (void)state;
    for (int n = 1; n <= 12; n++) {
        double A[MOST * MOST] = {0}, p[MOST] = {1.0};
        for (int root = 1; root <= n; root++)
            for (int i = root; i > 0; i--)
                p[i] -= root * p[i - 1];
        for (int i = 0; i < n; i++) {
            A[i] = -p[i + 1];
            if (i + 1 < n)
                A[(i + 1) * n + i] = 1.0;
        }
        check("a companion matrix", n, A);
    }
}

/* D A D^-1 with powers of 2 has the eigenvalues of A, to the backward error of A: balancing undoes D. */
static void test_graded_matrices(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int n = 2; n <= 20; n++) {
        double A[MOST * MOST], B[MOST * MOST], re[MOST], im[MOST];
        fill(n, 1.0, A, &seed);
        check("a matrix before it is graded", n, A);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                B[i * n + j] = ldexp(A[i * n + j], 7 * (i * i % 11) - 7 * (j * j % 11));
        eigenvalues(n, B, re, im);
        for (int k = 0; k < n; k++)
            assert_true(support_backward_error(n, A, re[k], im[k]) <= 4.0 * n * DBL_EPSILON);
    }
}

/* Entries near both ends of the exponents. */
static void test_sizes(void **state)
{
    (void)state;
    static const int exponents[] = {-1000, -500, -299, 299, 500, 1000};
    unsigned long long seed = 4;
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
        for (int n = 1; n <= 12; n++) {
            double A[MOST * MOST];
            fill(n, 1.0, A, &seed);
            const double expected = radius(n, A);
            for (int i = 0; i < n * n; i++)
                A[i] = ldexp(A[i], exponents[k]);
            support_near(ldexp(radius(n, A), -exponents[k]), expected, 1e-13 * expected);
        }
}

static void test_failures(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    unsigned long long seed = 5;
    double A[25], re[5], im[5];
    for (int k = 0; k < 3; k++) {
        fill(5, 1.0, A, &seed);
        A[7 * k] = bad[k];
        assert_int_equal(ms_dense_eigenvalues(5, MS_DENSE_QR_STEPS, A, re, im), MS_SOLVER_FAILED);
    }
    fill(5, 1.0, A, &seed);
    assert_int_equal(ms_dense_eigenvalues(5, 1, A, re, im), MS_NOT_CONVERGED);
}

/* The sum of a row without its diagonal may vanish by round-off: [a 1; c -a] has +-sqrt(a^2 + c). */
static void a_row_that_is_lost_beside_its_diagonal(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { /* and a column */
        double A[] = {1e20, 1.0, 1e25, -1e20}, re[2], im[2];
        A[1] = k == 0 ? 1.0 : 1e25;
        A[2] = k == 0 ? 1e25 : 1.0;
        eigenvalues(2, A, re, im);
        support_near(fmax(re[0], re[1]), 1e20, 1e8);
        support_near(fmin(re[0], re[1]), -1e20, 1e8);
        assert_true(im[0] == 0.0 && im[1] == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_that_is_lost_beside_its_diagonal),
        cmocka_unit_test(test_random_matrices),
        cmocka_unit_test(test_multiples_are_zeros),
        cmocka_unit_test(test_near_multiples_are_none),
        cmocka_unit_test(test_histories),
        cmocka_unit_test(test_jordan_blocks),
        cmocka_unit_test(test_blocks_stay_apart),
        cmocka_unit_test(test_matrices_without_eigenvalues_to_find),
        cmocka_unit_test(test_circles),
        cmocka_unit_test(test_companion_matrices),
        cmocka_unit_test(test_graded_matrices),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
