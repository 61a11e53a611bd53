/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of rows: every row is in one of them, and they are of one length but for a block. */
#include <string.h>

#include "shard.h"
#include "unit_test.h"

static const long sizes[] = {0, 1, 2, 7, 63, 64, 65, 1000, 26220};
static const int shares[] = {1, 2, 3, 7, 64, 1000};

/* Calls check for all sizes and numbers of parts. */
static void for_all(void (*check)(long n, int of))
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
            check(sizes[i], shares[k]);
}

static void check_owners(long n, int of)
{
    for (long k = 0; k < n; k++) {
        int owners = 0;
        for (int i = 1; i <= of; i++)
            owners += ms_shard_has(&(ms_shard){i, of}, n, k);
        assert_int_equal(owners, 1);
        k += n > 5000 ? 97 : 0; /* of the large grid, some */
    }
}

static void check_next(long n, int of)
{
    for (int i = 1; i <= of; i += of / 3 + 1) {
        const ms_shard shard = {i, of};
        long rows = 0;
        for (long k = 0, next = ms_shard_next(&shard, n, 0); k < n; k++) {
            if (!ms_shard_has(&shard, n, k))
                continue;
            assert_int_equal(next, k);
            next = ms_shard_next(&shard, n, k + 1);
            rows++;
        }
        assert_int_equal(ms_shard_next(&shard, n, n), n);
        assert_int_equal(ms_shard_rows(&shard, n), rows);
    }
}

/* Eight blocks or more for each part, so that the last one, which may be missing, is at most an eighth. */
static void check_balance(long n, int of)
{
    const long block = ms_shard_block(n, of);
    long sum = 0;
    assert_true(block >= 1 && (block == 1 || 8 * block * of <= n));
    for (int i = 1; i <= of; i++) {
        const long rows = ms_shard_rows(&(ms_shard){i, of}, n);
        assert_true(rows * of <= n + block * of && rows * of >= n - block * of);
        sum += rows;
    }
    assert_int_equal(sum, n);
}

static void every_row_has_one_owner(void **state)
{
    (void)state;
    for_all(check_owners);
}

static void rows_of_a_part_are_found_one_after_the_other(void **state)
{
    (void)state;
    for_all(check_next);
}

static void parts_are_balanced(void **state)
{
    (void)state;
    for_all(check_balance);
}

static void without_a_shard_all_rows_are_there(void **state)
{
    const ms_shard all = {0};
    (void)state;
    assert_int_equal(ms_shard_rows(&all, 11), 11);
    assert_int_equal(ms_shard_next(&all, 11, 5), 5);
}

static void texts_are_read_or_refused(void **state)
{
    static const char *const wrong[] = {
        "",     "1",    "1/",   "/2",   "0/2",  "3/2",       "1/0",
        "-1/2", "+1/2", "1/2x", "1 /2", "1/ 2", "1/1000001", "99999999999999999999/1"};
    ms_shard shard = {0};
    ms_error error;
    (void)state;
    assert_int_equal(ms_shard_read("3/1000000", &shard, &error), MS_OK);
    assert_true(shard.index == 3 && shard.of == 1000000);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(ms_shard_read(wrong[k], &shard, &error), MS_INVALID);
        assert_non_null(strstr(error.text, "--shard "));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_one_owner),
        cmocka_unit_test(rows_of_a_part_are_found_one_after_the_other), cmocka_unit_test(parts_are_balanced),
        cmocka_unit_test(without_a_shard_all_rows_are_there), cmocka_unit_test(texts_are_read_or_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
