/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of libraries that take long: a program that is to end knows of them. */
#include <stdlib.h>

#include "long_call.h"
#include "matrix.h"
#include "unit_test.h"

static volatile sig_atomic_t stop;
static int refused;

static void refuse(void)
{
    refused++;
}

static void only_long_ones_count(void **state)
{
    (void)state;
    assert_false(ms_long_call_at_work());
    ms_long_call_begin(1e3);
    assert_false(ms_long_call_at_work());
    ms_long_call_begin(1e12);
    ms_long_call_begin(1e12);
    assert_true(ms_long_call_at_work());
    ms_long_call_end(1e12);
    assert_true(ms_long_call_at_work());
    ms_long_call_end(1e12);
    ms_long_call_end(1e3);
    assert_false(ms_long_call_at_work());
}

/* A product of 2 x 700^3 operations is one; without a stop, with one that is zero, and with one that came before. */
static void products_ask_before_they_begin(void **state)
{
    (void)state;
    enum { N = 700 };
    double *memory = calloc(3 * (size_t)N * N, sizeof *memory);
    assert_non_null(memory);
    double *A = memory, *B = A + N * N, *C = B + N * N;
    ms_matrix_product(N, N, N, A, B, C);
    ms_long_call_refused(&stop, refuse);
    ms_matrix_product(N, N, N, A, B, C);
    assert_int_equal(refused, 0);
    stop = 1;
    ms_matrix_product(N, N, N, A, B, C);
    assert_int_equal(refused, 1);
    ms_matrix_product(10, 10, 10, A, B, C);
    assert_int_equal(refused, 1);
    ms_long_call_refused(NULL, NULL);
    ms_matrix_product(N, N, N, A, B, C);
    assert_int_equal(refused, 1);
    assert_false(ms_long_call_at_work());
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_long_ones_count),
        cmocka_unit_test(products_ask_before_they_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
