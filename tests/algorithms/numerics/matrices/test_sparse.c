/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_sparse.c - compressed rows against the same matrices in full. */
#include <math.h>
#include <string.h>

#include "sparse.h"
#include "support.h"
#include "unit_test.h"

enum { ROWS = 9, COLUMNS = ROWS };

/* A row of some entries, of which some come twice, and of rows before it. */
static void add_row(ms_sparse *sparse, double full[ROWS][COLUMNS], int i, unsigned long long *seed)
{
    for (int k = support_random_below(seed, 2 * COLUMNS); k > 0; k--) {
        const int column = support_random_below(seed, COLUMNS);
        const double value = support_random(seed);
        ms_sparse_add(sparse, column, value);
        full[i][column] += value;
    }
    for (int k = i > 0 ? support_random_below(seed, 3) : 0; k > 0; k--) {
        const int of = support_random_below(seed, i);
        const double factor = support_random(seed);
        ms_sparse_add_row(sparse, factor, sparse, of);
        for (int j = 0; j < COLUMNS; j++)
            full[i][j] += factor * full[of][j];
    }
    assert_int_equal(ms_sparse_finish_row(sparse), i);
}

static void products_are_those_of_the_full_matrix(void **state)
{
    (void)state;
    unsigned long long seed = 5;
    for (int trial = 0; trial < support_ensemble(200); trial++) {
        double full[ROWS][COLUMNS] = {{0.0}}, t[2][ROWS], b[ROWS];
        const double *x = t[0], *y = t[1], h = 0.5 + support_random(&seed);
        ms_sparse *sparse = ms_sparse_create(ROWS, COLUMNS);
        assert_non_null(sparse);
        for (int i = 0; i < ROWS; i++)
            add_row(sparse, full, i, &seed);
        for (int j = 0; j < COLUMNS; j++)
            t[0][j] = support_random(&seed), b[j] = support_random(&seed);
        ms_sparse_series(sparse, 1, h, b, t[0]);
        for (int i = 0; i < ROWS; i++) {
            double sum = b[i], size = fabs(b[i]);
            for (int j = 0; j < COLUMNS; j++) {
                sum += full[i][j] * x[j];
                size += fabs(full[i][j]);
            }
            support_near(y[i], h * sum, 1e-14 * (1.0 + size));
        }
        ms_sparse_destroy(&sparse);
        assert_null(sparse);
    }
}

/* Columns stand once in a row, and rows may be empty. */
static void rows_hold_each_column_once(void **state)
{
    (void)state;
    ms_sparse *sparse = ms_sparse_create(3, 4);
    assert_non_null(sparse);
    ms_sparse_add(sparse, 3, 1.0);
    ms_sparse_add(sparse, 0, 2.0);
    ms_sparse_add(sparse, 3, 4.0);
    ms_sparse_finish_row(sparse);
    ms_sparse_finish_row(sparse);
    ms_sparse_add_row(sparse, -1.0, sparse, 0);
    ms_sparse_finish_row(sparse);
    static const size_t at[] = {0, 2, 2, 4};
    static const int columns[] = {3, 0, 3, 0};
    static const double values[] = {5.0, 2.0, -5.0, -2.0};
    assert_memory_equal(sparse->row_at, at, sizeof at);
    assert_memory_equal(sparse->column, columns, sizeof columns);
    assert_memory_equal(sparse->value, values, sizeof values);
    assert_false(sparse->no_memory);
    ms_sparse_destroy(&sparse);
    ms_sparse_destroy(&sparse);
}

/* Terms of a large banded matrix, which are made in strips of rows, have the bits of those that are made one after the other. */
static void strips_do_not_change_a_series(void **state)
{
    (void)state;
    enum { MANY = 5000, TERMS = 7 };
    static double t[TERMS + 1][MANY], one[2][MANY], b[MANY];
    unsigned long long seed = 11;
    for (int band = 0; band < 400; band = 3 * band + 1) {
        ms_sparse *sparse = ms_sparse_create(MANY, MANY);
        assert_non_null(sparse);
        for (int i = 0; i < MANY; i++) {
            for (int j = i - band > 0 ? i - band : 0; j <= i + band && j < MANY; j += 1 + band / 2)
                ms_sparse_add(sparse, j, support_random(&seed));
            ms_sparse_finish_row(sparse);
            t[0][i] = support_random(&seed);
            b[i] = support_random(&seed);
        }
        ms_sparse_series(sparse, TERMS, 0.3, b, t[0]);
        for (int k = 1; k <= TERMS; k++) {
            memcpy(one[0], t[k - 1], sizeof one[0]);
            ms_sparse_series(sparse, 1, 0.3 / k, k == 1 ? b : NULL, one[0]);
            assert_memory_equal(one[1], t[k], sizeof one[1]);
        }
        ms_sparse_destroy(&sparse);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_those_of_the_full_matrix),
                                       cmocka_unit_test(rows_hold_each_column_once),
                                       cmocka_unit_test(strips_do_not_change_a_series)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
