/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_schur_form.c - eigenvalues of a real Schur form brought to its head: pairs stay together, all or none may be chosen. */
#include <math.h>

#include "allocations.h"
#include "arnoldi_parts.h"
#include "support.h"
#include "unit_test.h"

enum { N = 5 };

/* By columns: the pair 2 +- 3 i, and 7, -1, 4. */
static const double matrix[N * N] = {2.0, 3.0, 0.0, 0.0, 0.0, -3.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.5, 7.0,
                                     0.0, 0.0, 0.2, 1.0, 0.3, -1.0, 0.0, 0.4, 0.6, 1.0, 0.7, 4.0};

static bool is_chosen(const ms_schur_form *form, int k, double re, double im)
{
    return fabs(form->re[k] - re) < 1e-12 && fabs(fabs(form->im[k]) - im) < 1e-12;
}

/* Q T Q' is the matrix. */
static void check_form(const ms_schur_form *form)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (int k = 0; k < N; k++)
                for (int l = 0; l < N; l++)
                    sum += form->Q[i + k * N] * form->T[k + l * N] * form->Q[j + l * N];
            support_near(sum, matrix[i + j * N], 1e-12);
        }
}

/* Chosen are eigenvalues of that real part, of a pair its first half alone. */
static int order_of(ms_schur_form *form, int n, const double *parts)
{
    int chosen[N] = {0};
    assert_int_equal(ms_schur_form_decompose(form, N, matrix, N), MS_OK);
    for (int k = 0; k < N; k++)
        for (int p = 0; p < n; p++)
            chosen[k] |= fabs(form->re[k] - parts[p]) < 1e-9 && form->im[k] >= 0.0;
    return ms_schur_form_order(form, chosen);
}

static void what_is_chosen_comes_first(void **state)
{
    (void)state;
    static const double all[] = {7.0, -1.0, 4.0, 2.0};
    ms_schur_form form;
    assert_int_equal(ms_schur_form_create(N, &form), MS_OK);
    assert_int_equal(order_of(&form, 0, all), 0);
    check_form(&form);
    assert_int_equal(order_of(&form, 4, all), N); /* the whole of it, the pair with it */
    check_form(&form);
    assert_int_equal(order_of(&form, 2, all + 1), 2);
    assert_true(is_chosen(&form, 0, -1.0, 0.0) || is_chosen(&form, 0, 4.0, 0.0));
    assert_true(is_chosen(&form, 1, -1.0, 0.0) || is_chosen(&form, 1, 4.0, 0.0));
    check_form(&form);
    assert_int_equal(order_of(&form, 1, all + 3), 2); /* half of a pair is the pair */
    assert_true(is_chosen(&form, 0, 2.0, 3.0) && is_chosen(&form, 1, 2.0, 3.0));
    check_form(&form);
    ms_schur_form_destroy(&form);
}

static void refused_memory_is_said(void **state)
{
    (void)state;
    for (int refused = 1; refused <= 2; refused++) {
        ms_schur_form form;
        ms_allocations_refuse(refused);
        const int status = ms_schur_form_create(N, &form);
        ms_allocations_refuse(0);
        assert_int_equal(status, MS_NO_MEMORY);
        assert_null(form.T);
        assert_null(form.select);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_chosen_comes_first),
        cmocka_unit_test(refused_memory_is_said),
    };
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
