/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_eguillon2022_log.c - figures 1 to 12 of Eguillon et al. (2022): their verdicts, and the log of a run
 * by which they judge. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eguillon2022_log.h"
#include "figure_run.h"
#include "support.h"
#include "unit_test.h"

/* Verdicts --------------------------------------------------------------------------------------------- */

static void test_verdicts(void **state)
{
    (void)state;
    support_figure_expect_verdicts("eguillon2022:fig1", 7, 0, NULL);
    support_figure_expect_verdicts("eguillon2022:fig2", 4, 0, NULL);
    support_figure_expect_verdicts("eguillon2022:fig3", 2, 0, NULL);
    support_figure_expect_verdicts("eguillon2022:fig4", 5, 0, NULL);
    support_figure_expect_verdicts("eguillon2022:fig5", 4, 0, NULL);
    support_figure_expect_verdicts("eguillon2022:fig6", 2, 0, NULL);
    support_figure_expect_verdicts(
        "eguillon2022:fig7", 3, 1,
        (support_figure_verdict[]){{"the rules of the printed table", "not-determined"}});
    support_figure_expect_verdicts("eguillon2022:fig8", 4, 0, NULL);
    support_figure_expect_verdicts(
        "eguillon2022:fig10", 2, 1,
        (support_figure_verdict[]){{"the shape of the preset force", "not-determined"}});
    support_figure_expect_verdicts("eguillon2022:fig11", 1, 0, NULL);
    support_figure_expect_verdicts("eguillon2022:fig12", 3, 0, NULL);
    support_figure_expect_verdicts(
        "eguillon2022:steps", 10, 3,
        (support_figure_verdict[]){{"first step has a limited influence on the error", "deviates"},
                                   {"the change makes coupling variables", "not-determined"},
                                   {"the less smoothing shows", "not-determined"}});
}

/* The log against closed forms ------------------------------------------------------------------------- */

enum { POINTS = 5 };

/* Communications of one output at given times. */
static ms_clock_log written(double (*y)(double t), double row[POINTS][2])
{
    static const double times[POINTS] = {0.0, 1.0, 2.0, 3.0, 5.0};
    for (int n = 0; n < POINTS; n++) {
        row[n][0] = times[n];
        row[n][1] = y(times[n]);
    }
    return (ms_clock_log){.ny = 1, .steps = POINTS - 1, .columns = 2, .row = &row[0][0]};
}

static double constant(double t)
{
    (void)t;
    return 3.0;
}

static double line(double t)
{
    return 2.0 - t;
}

static double parabola(double t)
{
    return 1.0 + t * t;
}

static double cube(double t)
{
    return t * t * t;
}

static double step(double t)
{
    return t < 2.5 ? 0.0 : 1.0;
}

static void the_log_finds_degrees(void **state)
{
    (void)state;
    double (*const signals[])(double t) = {constant, line, parabola};
    double row[POINTS][2], errors[3];
    int candidates;
    for (int degree = 0; degree < 3; degree++) {
        const ms_clock_log clock = written(signals[degree], row);
        assert_int_equal(ms_clock_degree(&clock, 0, 3, errors, &candidates), degree);
        assert_int_equal(candidates, 3);
        support_near(errors[degree], 0.0, 1e-14);
        support_near(ms_clock_extrapolation(&clock, 0, 3, degree, 5.0), signals[degree](5.0), 1e-13);
        assert_int_equal(ms_clock_degree(&clock, 0, 1, NULL, &candidates), 0);
        assert_int_equal(candidates, 1);
    }
    ms_clock_log clock = written(cube, row);
    assert_int_equal(ms_clock_degree(&clock, 0, 3, errors, NULL), 2); /* 0, 1, 8 against 27 */
    support_near(errors[0], 19.0, 1e-13);
    support_near(errors[1], 12.0, 1e-13);
    support_near(errors[2], 6.0, 1e-13);
    clock = written(step, row);
    assert_int_equal(ms_clock_degree(&clock, 0, 3, errors, NULL), 0); /* a tie */
    assert_int_equal(ms_clock_degree(&clock, 0, 4, errors, NULL), 0); /* 1 against 1, 3, 6 */
    support_near(errors[1], 2.0, 1e-13);
    support_near(errors[2], 5.0, 1e-13);
    assert_int_equal(ms_clock_latest(&clock, 2.0), 2);
    assert_int_equal(ms_clock_latest(&clock, 4.9), 3);
    assert_int_equal(ms_clock_latest(&clock, 9.0), 4);
}

/* Runs ------------------------------------------------------------------------------------------------- */

#define MASSES "run two-masses-springs-dampers --case constant --scheme f3ornits --scheduler asynchronous "

/* Steps 0.2 and 0.5 s: to 1 s the right one runs 0.3 s past 0.2 s and 0.4 s past 0.6 s, the left one 0.1 s
 * past 0.5 s. */
static int draw_overruns(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    assert_int_equal(ms_run_log_create(drawing, NULL, &log, error,
                                       MASSES "--stop-time 1 --mask left:step=0.2 --mask right:step=0.5"),
                     MS_OK);
    assert_int_equal(log.clock[0].steps, 5);
    assert_int_equal(log.clock[1].steps, 2);
    assert_int_equal(log.communications, 7); /* 0, 0.2, 0.4, 0.5, 0.6, 0.8, 1 */
    assert_int_equal(log.clock[0].idle, 1);
    assert_int_equal(log.clock[1].idle, 4);
    assert_true(log.clock[0].ends_exactly && log.clock[1].ends_exactly);
    const ms_overrun left = ms_run_log_overrun(&log, 0), right = ms_run_log_overrun(&log, 1);
    assert_int_equal(left.steps, 1);
    support_near(left.time, 0.1, 1e-12);
    assert_int_equal(right.steps, 2);
    support_near(right.time, 0.7, 1e-12);
    support_near(right.longest, 0.4, 1e-12);
    ms_run_log_destroy(&log);
    return MS_OK;
}

/* Inputs match, unless one of them is changed. */
static int draw_match(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    assert_int_equal(
        ms_run_log_create(drawing, NULL, &log, error, MASSES "--stop-time 3 --mask left:step=0.25"), MS_OK);
    support_near(ms_run_log_match(&log).difference, 0.0, 1e-12);
    ms_clock_log *right = &log.clock[1];
    const size_t input = (size_t)(1 + right->nx + right->ny);
    right->row[3 * (size_t)right->columns + input] += 1e-3; /* of at most 1 m */
    assert_true(ms_run_log_match(&log).difference >= 0.9e-3);
    ms_run_log_destroy(&log);
    return MS_OK;
}

/* Without perturbation: 16 m/s at 10 s by the momentum of the trapezoid, then 16 m/s^2 where inputs are
 * held. */
static int draw_car(ms_drawing *drawing, ms_error *error)
{
    ms_run_log log;
    assert_int_equal(
        ms_run_log_create(drawing, NULL, &log, error, "run controlled-car --case unperturbed --stop-time 20"),
        MS_OK);
    support_near(ms_clock_time(&log.clock[0], 100), 10.0, 1e-12);
    support_near(ms_clock_state(&log.clock[0], 100, 1), 16.0,
                 0.11); /* held force: a step of 0.1 s at 1 kN/s, both ramps */
    support_near(ms_clock_state(&log.clock[0], 200, 1) - ms_clock_state(&log.clock[0], 100, 1), 160.0,
                 16.0 * 0.1 + 1e-6);
    assert_true(ms_clock_input_at(&log.clock[1], 150, 0, 1, 15.05) == 0.0);
    ms_run_log_destroy(&log);
    return MS_OK;
}

static void the_log_counts_communications(void **state)
{
    (void)state;
    support_figure_run(draw_overruns);
}

static void the_log_compares_inputs(void **state)
{
    (void)state;
    support_figure_run(draw_match);
}

static void held_inputs_accelerate_the_car(void **state)
{
    (void)state;
    support_figure_run(draw_car);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_finds_degrees),   cmocka_unit_test(the_log_counts_communications),
        cmocka_unit_test(the_log_compares_inputs), cmocka_unit_test(held_inputs_accelerate_the_car),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
