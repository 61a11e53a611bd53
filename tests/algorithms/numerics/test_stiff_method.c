/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_stiff_method.c - the coefficients against what defines the families: order conditions, known weights, stability. */
#include <complex.h>
#include <math.h>

#include "stiff_method.h"
#include "support.h"
#include "unit_test.h"

enum { S = MS_STIFF_STAGES };

static ms_stiff_method method_of(ms_stiff_family family)
{
    ms_stiff_method method;
    assert_int_equal(ms_stiff_method_fill(family, &method), MS_OK);
    return method;
}

/* sum_j a_j c_j^(k - 1). */
static double moment(const ms_stiff_method *m, const double *a, int k)
{
    double sum = 0.0;
    for (int j = 0; j < S; j++)
        sum += a[j] * pow(m->c[j], k - 1);
    return sum;
}

/* B(p): quadrature of the order, and no more; C(q): of the stages. */
static void check_conditions(ms_stiff_family family, int order, int stages, double first, double last)
{
    const ms_stiff_method m = method_of(family);
    assert_int_equal(m.order, order);
    support_near(m.c[S - 1], 1.0, 0.0);
    for (int k = 1; k <= order; k++)
        support_near(moment(&m, m.a[S - 1], k), 1.0 / k, 1e-15);
    assert_true(fabs(moment(&m, m.a[S - 1], order + 1) - 1.0 / (order + 1)) > 1e-9);
    for (int i = 0; i < S; i++)
        for (int k = 1; k <= stages; k++)
            support_near(moment(&m, m.a[i], k), pow(m.c[i], k) / k, 1e-15);
    support_near(m.a[S - 1][0], first, 1e-15);
    support_near(m.a[S - 1][S - 1], last, 1e-15);
}

/* b_s of Radau is 1/s^2; b_1 = b_s of Lobatto 1/(s (s - 1)), and a_i1 = b_1 makes it IIIC. */
static void test_conditions(void **state)
{
    (void)state;
    const ms_stiff_method radau = method_of(MS_STIFF_RADAU_IIA), lobatto = method_of(MS_STIFF_LOBATTO_IIIC);
    check_conditions(MS_STIFF_RADAU_IIA, 13, S, radau.a[S - 1][0], 1.0 / 49.0);
    check_conditions(MS_STIFF_LOBATTO_IIIC, 12, S - 1, 1.0 / 42.0, 1.0 / 42.0);
    for (int i = 0; i < S; i++)
        support_near(lobatto.a[i][0], 1.0 / 42.0, 1e-15);
}

/* A^-1 A = I, and its eigenvectors put it together again. */
static void check_inverse(ms_stiff_family family)
{
    const ms_stiff_method m = method_of(family);
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            double product = 0.0, sum = m.real * m.real_v[i] * m.real_u[j];
            for (int k = 0; k < S; k++)
                product += m.inverse[i][k] * m.a[k][j];
            for (int k = 0; k < MS_STIFF_PAIRS; k++)
                sum += 2.0 * creal(m.pair[k] * m.pair_v[k][i] * m.pair_u[k][j]);
            support_near(product, i == j, 1e-13);
            support_near(sum, m.inverse[i][j], 1e-8);
        }
}

static void test_inverse(void **state)
{
    (void)state;
    check_inverse(MS_STIFF_RADAU_IIA);
    check_inverse(MS_STIFF_LOBATTO_IIIC);
}

/* The embedded formula sees no polynomial of its order as an error: gamma x' + sum e_i z_i = 0 where z = A x'. */
static void test_error(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        const ms_stiff_method m = method_of((ms_stiff_family)f);
        for (int k = 1; k <= S + 1; k++) { /* x' = t^(k - 1) */
            double error = k == 1 ? m.gamma : 0.0;
            for (int i = 0; i < S; i++)
                error += m.e[i] * moment(&m, m.a[i], k);
            if (k <= S)
                support_near(error, 0.0, 1e-14);
            else
                assert_int_equal(fabs(error) > 1e-9, f == MS_STIFF_RADAU_IIA);
        }
    }
}

/* Through the stages, what the polynomial of z says is z. */
static void test_basis(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        const ms_stiff_method m = method_of((ms_stiff_family)f);
        for (int i = 0; i < S; i++) { /* of t^3, which vanishes at 0 */
            double sum = 0.0;
            for (int j = 0; j < S; j++)
                sum += ms_stiff_method_basis(&m, j, m.c[i]) * pow(m.c[j], 3);
            support_near(sum, pow(m.c[i], 3), 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_basis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
