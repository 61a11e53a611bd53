/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rank_parts.h"

#include "unit_test.h"

/* What one rank alone gives: all of everything is its own, and there is nobody to send to or to hear from. */
static void one_rank_is_all_there_are(void **state)
{
    (void)state;
    const ms_plugin_mpi *alone = &ms_rank_alone;
    const double own[] = {1.5, -2.5};
    double all[2] = {0.0}, scattered[2] = {0.0}, gathered[3] = {0.0};
    int rank = -1, ranks = -1, from = -1;
    const int bytes = (int)sizeof own, behind = (int)sizeof own[0], first = 0;
    char *heard = (char *)&rank;
    size_t size;
    void *exchange = NULL;
    assert_int_equal(alone->begin(&rank, &ranks), MS_OK);
    assert_true(rank == 0 && ranks == 1);
    alone->largest(own, 2, all);
    assert_memory_equal(all, own, sizeof own);
    alone->scatter((const char *)own, &bytes, &first, (char *)scattered, bytes);
    assert_memory_equal(scattered, own, sizeof own);
    alone->gather((const char *)own, bytes, (char *)gathered, &bytes, &behind);
    assert_true(gathered[0] == 0.0);
    assert_memory_equal(gathered + 1, own, sizeof own);
    assert_int_equal(alone->send(1, own, sizeof own), MS_IO);
    assert_int_equal(alone->receive(&from, &heard, &size), MS_OK);
    assert_true(heard == NULL && from == -1);
    alone->hand_on(1, 7.0);
    assert_true(alone->take_over(0) == 0.0); /* nothing has been added up before it */
    assert_int_equal(alone->exchange_create(1, NULL, &exchange), MS_UNSUPPORTED);
    assert_int_equal(alone->exchange_create(0, NULL, &exchange), MS_OK);
    alone->exchange_expect(exchange);
    alone->exchange_swap(exchange);
    alone->exchange_destroy(&exchange);
    assert_null(exchange);
    alone->end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_rank_is_all_there_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
