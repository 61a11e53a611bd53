/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_work_precision.c - error over work: what of two curves says which is better, and a figure's verdicts. */
#include <math.h>

#include "figure_run.h"
#include "macrostep_work_precision.h"
#include "support.h"
#include "unit_test.h"

/* Twice the work, a quarter of the error. */
static ms_work_curve second_order(double work, double error)
{
    ms_work_curve curve;
    for (int k = 0; k < MS_SETTINGS; k++)
        curve.point[k] = (ms_work_point){ldexp(1.0, -k), ldexp(1.0, k), ldexp(work, k), ldexp(error, -2 * k)};
    return curve;
}

static void test_effects(void **state)
{
    (void)state;
    const ms_work_curve without = second_order(100.0, 0.1);
    ms_work_curve with =
        second_order(50.0, 0.4); /* half the work, four times the error: neither better nor worse */
    support_near(ms_curve_work_at(&without, 0.1), 100.0, 1e-10);
    support_near(ms_curve_work_at(&without, 0.05), 100.0 * sqrt(2.0), 1e-9);
    assert_true(isnan(ms_curve_work_at(&without, 0.11)));
    assert_true(isnan(ms_curve_work_at(&without, 1e-9)));
    ms_smoothing_effect effect = ms_smoothing_effect_of(&without, &with);
    support_near(effect.work[1], 0.5, 1e-12);
    support_near(effect.error[1], 4.0, 1e-12);
    support_near(effect.equal[0], 1.0, 1e-9);
    support_near(effect.equal[2], 1.0, 1e-9);
    support_near(effect.levels[1], 0.1, 1e-12);
    with = second_order(150.0, 0.2); /* worse in both: 1.5 sqrt(2) at the same error */
    effect = ms_smoothing_effect_of(&without, &with);
    support_near(effect.equal[1], 1.5 * sqrt(2.0), 1e-9);
    with.point[3].evaluations *= 10.0; /* a point that others beat does not count */
    with.point[3].error *= 5.0;
    support_near(ms_curve_work_at(&with, with.point[2].error), with.point[2].evaluations, 1e-9);
    support_near(ms_curve_work_at(&with, 0.2 * with.point[3].error), ldexp(150.0, 3), 1e-9);
    with = second_order(150.0, 0.2);
    with.point[5].evaluations = 10.0; /* beats all others */
    support_near(ms_curve_work_at(&with, 0.19), 10.0, 0.0);
    for (int k = 0; k < MS_SETTINGS; k++)
        with.point[k].error = NAN;
    effect = ms_smoothing_effect_of(&without, &with);
    assert_true(isnan(effect.work[1]) && isnan(effect.equal[1]) && isnan(effect.levels[0]));
}

/* What a run has, where it reached its end. */
static void test_point(void **state)
{
    (void)state;
    ms_simulation run = {.errors_valid = true};
    run.result.macro_steps = 7;
    run.result.integrations = 21;
    run.errors.l2_normalized_mean = 0.25;
    const ms_work_point point = ms_work_point_of(0.5, &run);
    assert_true(point.setting == 0.5 && point.steps == 7.0 && point.evaluations == 21.0 &&
                point.error == 0.25);
    run.errors_valid = false;
    const ms_work_point none = ms_work_point_of(0.5, &run);
    assert_true(none.setting == 0.5 && isnan(none.steps) && isnan(none.evaluations) && isnan(none.error));
}

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_effects), cmocka_unit_test(test_point),
                                       cmocka_unit_test(test_work_precision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
