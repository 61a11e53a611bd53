/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time left, by the pace of work whose end is known. */
#include <math.h>

#include "progress.h"
#include "support.h"
#include "unit_test.h"

static void of_steady_work_both_paces_are_one(void **state)
{
    double least, most;
    (void)state;
    for (int n = 2; n < 3000; n = 2 * n - 1) {
        ms_pace pace = {0};
        for (int k = 0; k <= n; k++)
            ms_pace_note(&pace, 7.0 + k, 0.25 * k / n);
        assert_true(ms_pace_left(&pace, &least, &most));
        support_near(least, 3.0 * n, 1e-9 * n); /* a quarter took n seconds */
        support_near(most, 3.0 * n, 1e-9 * n);
    }
}

static void of_work_that_slows_down_it_is_between_both(void **state)
{
    ms_pace pace = {0};
    double least, most;
    (void)state;
    for (int k = 0; k <= 300; k++) /* 1/400 a second for 100 seconds, then 1/2000 */
        ms_pace_note(&pace, k, k <= 100 ? k / 400.0 : 0.25 + (k - 100) / 2000.0);
    assert_true(ms_pace_left(&pace, &least, &most));
    support_near(most, 0.65 * 2000.0, 1e-6);        /* as it is now: 0.65 are left */
    support_near(least, 0.65 * 300.0 / 0.35, 1e-6); /* as it was on the whole */
}

static void without_a_pace_there_is_no_time(void **state)
{
    ms_pace pace = {0};
    double least, most;
    (void)state;
    assert_false(ms_pace_left(&pace, &least, &most));
    ms_pace_note(&pace, 1.0, 0.0);
    assert_false(ms_pace_left(&pace, &least, &most)); /* only begun */
    ms_pace_note(&pace, 2.0, 0.0);
    assert_false(ms_pace_left(&pace, &least, &most)); /* nothing is done */
    for (int k = 3; k < 100; k++)
        ms_pace_note(&pace, k, 0.5);
    assert_false(ms_pace_left(&pace, &least, &most)); /* nothing has moved for long */
}

static void samples_are_thinned_out(void **state)
{
    ms_pace pace = {0};
    (void)state;
    for (int k = 0; k < 100000; k++) {
        ms_pace_note(&pace, k, 1e-6 * k);
        assert_in_range(pace.n, 1, MS_PROGRESS_SAMPLES);
        assert_true(pace.time[0] == 0.0 && pace.time[pace.n - 1] == k); /* begin and end stay */
    }
    for (int k = 1; k < pace.n; k++)
        assert_true(pace.time[k] > pace.time[k - 1]);
    assert_true(pace.n > MS_PROGRESS_SAMPLES / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_steady_work_both_paces_are_one),
        cmocka_unit_test(of_work_that_slows_down_it_is_between_both),
        cmocka_unit_test(without_a_pace_there_is_no_time),
        cmocka_unit_test(samples_are_thinned_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
