/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exponential.c - exponentials and phi-functions against extended precision, on matrices that are hard. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/status.h>
#include "dense.h"
#include "exponential.h"
#include "extended_exponential.h"
#include "matrix.h"
#include "support.h"
#include "unit_test.h"

enum { N = 6, P = 4 };

typedef struct hard_matrix {
    const char *name;
    int n;
    double A[N * N];
} hard_matrix;

/* clang-format off */
static const hard_matrix hard[] = {
    {"zero", 3, {0.0}},
    {"a number", 1, {-0.7}},
    {"a number that decays", 1, {-90.0}},
    {"a number that decays to nothing", 1, {-1e8}},
    {"a number that grows", 1, {300.0}},
    {"one Jordan block", 4, {-1, 1, 0, 0,  0, -1, 1, 0,  0, 0, -1, 1,  0, 0, 0, -1}},
    {"a large Jordan block", 3, {-1, 1e6, 0,  0, -1, 1e6,  0, 0, -1}},
    {"nilpotent", 4, {0, 1e5, 1, 2,  0, 0, -1e4, 3,  0, 0, 0, 1e3,  0, 0, 0, 0}},
    {"nilpotent and full", 2, {1e3, 1e3, -1e3, -1e3}},
    {"defective and full", 2, {1.5, 1, -2.25, -1.5}},
    {"nearly equal", 2, {1, 1, 0, 1.0 + 1e-9}},
    {"nearly equal and stiff", 3, {-1e4, 1e4, 0,  0, -1e4 - 1e-6, 1e3,  0, 0, -1e4 + 1e-6}},
    {"stiff 1e8", 2, {-1e8, 0, 0, -1}},
    {"stiff 1e8 and not normal", 2, {-1e8, 1e8, 0, -1}},
    {"stiff 1e8 and full", 3, {-1e8, 3e7, 1,  2e7, -4e7, -5,  1, 2, -3}},
    {"stiff, slow and unstable", 3, {-1e6, 1e3, 0,  0, 0.5, 1,  1, 0, -1e-3}},
    {"rotation by 1e8", 2, {0, 1e8, -1e8, 0}},
    {"large imaginary parts", 4, {-1, 1e4, 1, 0,  -1e4, -1, 0, 1,  0, 0, -2, 3e4,  0, 0, -3e4, -2}},
    {"not normal", 3, {-0.5, 1e4, 1e8,  0, -0.6, 1e4,  0, 0, -0.7}},
    {"of bad units", 2, {0, 1e-6, -1e9, -1e2}},
    {"Ward's", 3, {-131, 19, 18,  -390, 56, 54,  -387, 57, 52}}, /* SIAM J. Numer. Anal. 14, 1977, test 3 */
    {"wheel of a car", 2, {0, 1, -4125, -25}},
    {"tiny", 2, {1e-300, 2e-300, 3e-300, -1e-300}},
};
/* clang-format on */

static double frobenius(int n, const double *M)
{
    double sum = 0.0;
    for (int i = 0; i < n * n; i++)
        sum += M[i] * M[i];
    return sqrt(sum);
}

/* hA as a block of `large` (of order `order`). */
static void put(int n, int order, int row, int column, double h, const double *A, support_twofold *large)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            large[(row + i) * order + column + j] = support_twofold_product(h, A[i * n + j]);
}

/* A block of the first rows. */
static void take(int n, int order, int column, const support_twofold *large, support_twofold *M)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            M[i * n + j] = large[i * order + column + j];
}

static void round_off(int n, const support_twofold *M, double *rounded)
{
    for (int i = 0; i < n * n; i++)
        rounded[i] = M[i].high;
}

/* phi_k(Ah), k = 0 to P: the first row of blocks of exp [Ah I . .; . . I .; ...]. */
static void phi_extended(int n, const double *A, double h, support_twofold phi[P + 1][N * N])
{
    enum { MOST = N * (P + 1) };
    static support_twofold M[MOST * MOST], X[MOST * MOST];
    const int order = n * (P + 1);
    memset(M, 0, sizeof M);
    put(n, order, 0, 0, h, A, M);
    for (int i = 0; i < n * P; i++)
        M[i * order + i + n].high = 1.0;
    support_exponential_twofold(order, M, X);
    for (int k = 0; k <= P; k++)
        take(n, order, k * n, X, phi[k]);
}

/* |L| |Ah|/|e^{Ah}| for the derivative L of the exponential, taken in the entry that matters most: no more than the
 * condition. [Ah, D; 0, Ah] has L(D) in its exponential. */
static double condition(int n, const double *A, double h, const support_twofold *exponential)
{
    support_twofold M[4 * N * N], X[4 * N * N], L[N * N];
    double most = 0.0, rounded[N * N];
    for (int entry = 0; entry < n * n; entry++) {
        memset(M, 0, sizeof M);
        put(n, 2 * n, 0, 0, h, A, M);
        put(n, 2 * n, n, n, h, A, M);
        M[entry / n * 2 * n + n + entry % n].high = 1.0;
        support_exponential_twofold(2 * n, M, X);
        take(n, 2 * n, n, X, L);
        round_off(n, L, rounded);
        most = fmax(most, frobenius(n, rounded));
    }
    round_off(n, exponential, rounded);
    const double size = frobenius(n, rounded);
    return size > 0.0 ? most * fabs(h) * frobenius(n, A) / size : 1.0;
}

static void assert_near(const char *what, int k, double h, int n, const double *M,
                        const support_twofold *expected, double tolerance)
{
    double error[N * N], rounded[N * N];
    for (int i = 0; i < n * n; i++)
        error[i] = (M[i] - expected[i].high) - expected[i].low;
    round_off(n, expected, rounded);
    const double relative = frobenius(n, error) / (frobenius(n, rounded) + DBL_MIN / DBL_EPSILON);
    if (!(relative <= tolerance))
        fail_msg("%s, h = %g: phi_%d errs by %.2e, not %.2e", what, h, k, relative, tolerance);
}

typedef struct prepared {
    ms_exponential of;
    double *memory;
} prepared;

static prepared prepare(int n, int m, const double *A, const double *B)
{
    prepared p = {.memory = malloc(sizeof(double) * ms_exponential_size(n, m))};
    assert_non_null(p.memory);
    ms_exponential_prepare(&p.of, n, m, A, B, p.memory);
    return p;
}

static void fill_identity(int n, double *I)
{
    memset(I, 0, sizeof *I * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        I[i * (n + 1)] = 1.0;
}

static void check(const hard_matrix *of, double h)
{
    static support_twofold phi[P + 1][N * N];
    double identity[N * N], E[N * N], W[P * N * N];
    const int n = of->n;
    fill_identity(n, identity);
    phi_extended(n, of->A, h, phi);
    const double tolerance = 1e-14 * fmax(1.0, condition(n, of->A, h, phi[0]));
    prepared p = prepare(n, n, of->A, identity);
    assert_int_equal(ms_exponential_evaluate(&p.of, h, P, E, W), MS_OK);
    assert_near(of->name, 0, h, n, E, phi[0], tolerance);
    for (int k = 1; k <= P; k++)
        assert_near(of->name, k, h, n, W + (k - 1) * n * n, phi[k], tolerance);
    free(p.memory);
}

static void test_hard_matrices(void **state)
{
    (void)state;
    static const double lengths[] = {1.0, 0.3, 1e-2, 1e-5, 1e-9, 0.0};
    for (int m = 0; m < MS_COUNT(hard); m++)
        for (int k = 0; k < MS_COUNT(lengths); k++)
            check(&hard[m], lengths[k]);
}

static void fill_random(int size, double factor, double *M, unsigned long long *seed)
{
    for (int i = 0; i < size; i++)
        M[i] = factor * support_random(seed);
}

/* All degrees of the polynomial, and one squaring after the other. */
static void test_random_matrices_of_all_sizes(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    hard_matrix random = {.name = "random"};
    for (random.n = 1; random.n <= N; random.n++)
        for (double h = 1e-5; h < 100.0; h *= 2.9) {
            fill_random(random.n * random.n, 1.0, random.A, &seed);
            check(&random, h);
        }
}

/* phi_k(Ah) B is phi_k(Ah) times B. */
static void test_phi_times_a_matrix(void **state)
{
    (void)state;
    unsigned long long seed = 6;
    for (int n = 1; n <= N; n++)
        for (int m = 0; m <= N; m++) {
            double A[N * N], B[N * N], I[N * N], E[N * N], F[N * N], phi[P * N * N], W[P * N * N],
                product[N * N];
            fill_random(n * n, 3.0, A, &seed);
            fill_random(n * m, 1.0, B, &seed);
            fill_identity(n, I);
            prepared all = prepare(n, n, A, I), some = prepare(n, m, A, B);
            assert_int_equal(ms_exponential_evaluate(&all.of, 0.7, P, E, phi), MS_OK);
            assert_int_equal(ms_exponential_evaluate(&some.of, 0.7, P, F, W), MS_OK);
            assert_memory_equal(E, F, sizeof(double) * (size_t)(n * n));
            for (int k = 0; k < P; k++) {
                ms_dense_product(n, n, m, phi + k * n * n, B, product);
                support_near_all(n * m, W + k * n * m, product, 1e-11);
            }
            free(all.memory);
            free(some.memory);
        }
}

/* What has been asked before does not matter. */
static void test_bits_depend_on_the_length_alone(void **state)
{
    (void)state;
    enum { LENGTHS = 40, SIZE = 3 };
    const double A[SIZE * SIZE] = {-1e3, 3.0, 0.5, 7.0, -2.0, 1.0, 0.0, -4.0, 1e-3},
                          B[SIZE] = {1.0, -2.0, 0.1};
    double first[LENGTHS][SIZE * (SIZE + P)], again[SIZE * (SIZE + P)];
    prepared one = prepare(SIZE, 1, A, B);
    for (int k = 0; k < LENGTHS; k++)
        ms_exponential_evaluate(&one.of, pow(0.6, k), P, first[k], first[k] + SIZE * SIZE);
    for (int k = LENGTHS - 1; k >= 0; k--) {
        prepared other = prepare(SIZE, 1, A, B);
        ms_exponential_evaluate(&other.of, pow(0.6, k), P, again, again + SIZE * SIZE);
        assert_memory_equal(again, first[k], sizeof again);
        ms_exponential_evaluate(&one.of, pow(0.6, k), P, again, again + SIZE * SIZE);
        assert_memory_equal(again, first[k], sizeof again);
        free(other.memory);
    }
    free(one.memory);
}

/* x1' = r (x2 - x1), x2' = -x2: the slow solution keeps its digits, however fast the other one decays. */
static void test_slow_solutions_of_stiff_systems_keep_their_digits(void **state)
{
    (void)state;
    for (double r = 1e2; r <= 1e12; r *= 10.0) {
        const double A[] = {-r, r, 0.0, -1.0}, B[] = {0.0, 1.0};
        double E[4], W[2];
        prepared p = prepare(2, 1, A, B);
        assert_int_equal(ms_exponential_evaluate(&p.of, 1.0, 1, E, W), MS_OK);
        support_near(E[3], exp(-1.0), 1e-14);
        support_near(E[1], r / (r - 1.0) * (exp(-1.0) - exp(-r)), 1e-14);
        support_near(W[1], 1.0 - exp(-1.0), 1e-14);
        free(p.memory);
    }
}

/* e^A e^-A = I and e^{2A} = (e^A)^2 on both sides of the size up to which products are our own. */
static void test_both_sides_of_the_limit(void **state)
{
    (void)state;
    unsigned long long seed = 3;
    for (int n = MS_DENSE_SIZE_MAX - 1; n <= MS_DENSE_SIZE_MAX + 2; n++) {
        const size_t bytes = sizeof(double) * (size_t)(n * n);
        double *A = malloc(bytes), *E = malloc(bytes), *F = malloc(bytes), *G = malloc(bytes);
        assert_true(A != NULL && E != NULL && F != NULL && G != NULL);
        fill_random(n * n, 1.0 / sqrt(n), A, &seed);
        prepared p = prepare(n, 0, A, NULL);
        assert_int_equal(ms_exponential_evaluate(&p.of, 1.0, 0, E, NULL), MS_OK);
        assert_int_equal(ms_exponential_evaluate(&p.of, -1.0, 0, F, NULL), MS_OK);
        ms_matrix_product(n, n, n, E, F, G);
        for (int i = 0; i < n * n; i++)
            support_near(G[i], i % (n + 1) == 0 ? 1.0 : 0.0, 1e-12);
        assert_int_equal(ms_exponential_evaluate(&p.of, 2.0, 0, F, NULL), MS_OK);
        ms_matrix_product(n, n, n, E, E, G);
        support_near_all(n * n, G, F, 1e-11);
        free(p.memory);
        free(A);
        free(E);
        free(F);
        free(G);
    }
}

static int status_of(const double A[4], double h)
{
    const double B[2] = {1.0, 1.0};
    double E[4], W[2];
    prepared p = prepare(2, 1, A, B);
    const int status = ms_exponential_evaluate(&p.of, h, 1, E, W);
    free(p.memory);
    return status;
}

/* Of A = -I + N with ones above the diagonal entry (i, i + k) is e^-h h^k/k!, by products of our own and of BLAS. */
static void test_orders_around_that_of_blas(void **state)
{
    (void)state;
    const double h = 0.5;
    for (int n = MS_DENSE_SIZE_MAX - 1; n <= MS_DENSE_SIZE_MAX + 2; n++) {
        const size_t size = (size_t)n * (size_t)n;
        double *A = calloc(2 * size + ms_exponential_size(n, 0), sizeof *A), *E = A + size;
        ms_exponential e;
        assert_non_null(A);
        for (int i = 0; i < n; i++) {
            A[i * n + i] = -1.0;
            if (i + 1 < n)
                A[i * n + i + 1] = 1.0;
        }
        ms_exponential_prepare(&e, n, 0, A, NULL, E + size);
        assert_int_equal(ms_exponential_evaluate(&e, h, 0, E, NULL), MS_OK);
        for (int i = 0; i < n; i++) {
            double expected = exp(-h);
            for (int j = 0; j < n; j++) {
                if (j > i)
                    expected *= h / (j - i);
                assert_true(fabs(E[i * n + j] - (j < i ? 0.0 : expected)) < 1e-14);
            }
        }
        free(A);
    }
}

static void test_what_is_not_finite_is_refused(void **state)
{
    (void)state;
    const double grows[] = {1.0, 0.0, 0.0, -1.0}, nan[] = {1.0, NAN, 0.0, 1.0},
                 inf[] = {0.0, 0.0, INFINITY, 0.0};
    const double shift[] = {0.0, 1.0, 0.0, 0.0}, huge[] = {0.0, 1e308, 0.0, 0.0};
    assert_int_equal(status_of(grows, 700.0), MS_OK);
    assert_int_equal(status_of(grows, 800.0), MS_SOLVER_FAILED);
    assert_int_equal(status_of(grows, 1e300), MS_SOLVER_FAILED);
    assert_int_equal(status_of(grows, INFINITY), MS_SOLVER_FAILED);
    assert_int_equal(status_of(nan, 1.0), MS_SOLVER_FAILED);
    assert_int_equal(status_of(inf, 1.0), MS_SOLVER_FAILED);
    assert_int_equal(status_of(shift, 1e200), MS_OK);
    assert_int_equal(status_of(huge, 1e-3), MS_OK);
    assert_int_equal(status_of(huge, 10.0), MS_SOLVER_FAILED);
    prepared none = prepare(0, 0, NULL, NULL);
    assert_int_equal(ms_exponential_evaluate(&none.of, 1.0, 1, NULL, NULL), MS_OK);
    free(none.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_matrices),
        cmocka_unit_test(test_random_matrices_of_all_sizes),
        cmocka_unit_test(test_phi_times_a_matrix),
        cmocka_unit_test(test_bits_depend_on_the_length_alone),
        cmocka_unit_test(test_slow_solutions_of_stiff_systems_keep_their_digits),
        cmocka_unit_test(test_both_sides_of_the_limit),
        cmocka_unit_test(test_orders_around_that_of_blas),
        cmocka_unit_test(test_what_is_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
