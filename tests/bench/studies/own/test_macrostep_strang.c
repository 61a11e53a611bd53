/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_strang.c - the study of Strang's exchange beside the explicit schemes: what was expected holds. */

#include "figure_run.h"
#include "unit_test.h"

static void expectations_hold(void **state)
{
    (void)state;
    support_figure_expect_verdicts("macrostep:strang", 11, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(expectations_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
