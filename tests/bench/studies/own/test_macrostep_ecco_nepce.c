/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_ecco_nepce.c - the study of energy-controlled steps and energy-preserving inputs: what was expected holds, what the papers
 * claim is not determined. */

#include "figure_run.h"
#include "unit_test.h"

static void expectations_hold(void **state)
{
    (void)state;
    support_figure_expect_verdicts(
        "macrostep:ecco-nepce", 13, 2,
        (const support_figure_verdict[]){{"held, ecco: largest reduction", "not-determined"},
                                         {"exact integrals, ecco: largest reduction", "not-determined"}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(expectations_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
