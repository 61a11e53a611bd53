/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_work_precision_quarter_car.c - error over work: the verdicts of a figure. */
#include "figure_run.h"
#include "unit_test.h"

/* The cheapest of four. */
static void test_work_precision(void **state)
{
    (void)state;
    support_figure_expect_verdicts(
        "macrostep:work-precision-quarter-car", 2, 2,
        (const support_figure_verdict[]){{"saves evaluations", "reproduced"},
                                         {"pays at the same error", "reproduced"}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work_precision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
