/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_rho.c - spectral radii over the step size: more step sizes than there is room for are refused. */
#include <string.h>

#include "figure_run.h"
#include "macrostep_rho.h"
#include "unit_test.h"

enum { MOST = 256 };

static int draw(ms_drawing *drawing, ms_error *error)
{
    double step[MOST + 1], rho[MOST + 1];
    ms_critical critical = {0};
    ms_study study;
    ms_fill_axis(MOST + 1, 0.1, 0.2, step);
    for (int k = 0; k <= MOST; k++)
        rho[k] = -1.0;
    assert_int_equal(ms_study_bind(drawing, &study, error, "stability spring-mass"), MS_OK);
    assert_int_equal(ms_rho_measure(&study, MOST + 1, step, 0.2, NULL, rho, &critical, error), MS_INVALID);
    assert_non_null(strstr(error->text, "257"));
    for (int k = 0; k <= MOST; k++)
        assert_true(rho[k] == -1.0);
    assert_int_equal(ms_rho_measure(&study, MOST, step, 0.2, NULL, rho, &critical, error), MS_OK);
    for (int k = 0; k < MOST; k++) /* held inputs on an oscillator of 1 rad/s: it grows */
        assert_true(rho[k] > 1.0);
    ms_critical_destroy(&critical);
    ms_study_destroy(&study);
    return MS_OK;
}

static void test_too_many(void **state)
{
    (void)state;
    support_figure_run(draw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_too_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
