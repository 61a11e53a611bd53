/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_eguillon2022_log.c - figures 1 to 12 of Eguillon et al. (2022): their verdicts, and the log of a run
 * by which they judge. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eguillon2022_log.h"
#include "figure_run.h"
#include "measurement.h"
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

extern const ms_measurement ms_measurement_clocks;

static json_t *clocks_of(ms_drawing *drawing, const char *words)
{
    json_t *answer = json_object();
    ms_error error = {0};
    if (ms_measurement_clocks.measure(drawing, words, answer, &error) != MS_OK)
        fail_msg("%s: %s", words, error.text);
    return answer;
}

static double number_at(const json_t *answer, const char *table, const char *column, size_t row)
{
    return json_number_value(json_array_get(json_object_get(json_object_get(answer, table), column), row));
}

/* Steps 0.2 and 0.5 s: to 1 s the right one runs 0.3 s past 0.2 s and 0.4 s past 0.6 s, the left one 0.1 s
 * past 0.5 s. Communications at 0, 0.2, 0.4, 0.5, 0.6, 0.8, 1 s. */
static int draw_overruns(ms_drawing *drawing, ms_error *error)
{
    static const double past[] = {0.0, 0.0, 0.1, 0.0, 0.0, 0.3, 0.4}; /* five steps of left, two of right */
    static const int idle[] = {1, 4};
    (void)error;
    json_t *answer =
        clocks_of(drawing, "0 0 0 " MASSES "--stop-time 1 --mask left:step=0.2 --mask right:step=0.5");
    for (size_t k = 0; k < 7; k++) {
        assert_true(number_at(answer, "steps", "subsystem", k) == (k < 5 ? 1 : 2));
        support_near(number_at(answer, "steps", "past", k), past[k], 1e-12);
    }
    assert_int_equal(json_array_size(json_object_get(json_object_get(answer, "communications"), "time")), 7);
    for (int i = 0; i < 2; i++) {
        const json_t *subsystem = json_object_get(answer, i == 0 ? "left" : "right");
        assert_int_equal(json_integer_value(json_object_get(subsystem, "steps")), i == 0 ? 5 : 2);
        assert_int_equal(json_integer_value(json_object_get(subsystem, "idle")), idle[i]);
        assert_int_equal(json_integer_value(json_object_get(subsystem, "ends")), 1);
    }
    json_decref(answer);
    return MS_OK;
}

/* Inputs are what the formulas of the paper make of the communicated values; from the second step on they move. */
static int draw_match(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    json_t *answer = clocks_of(drawing, "0 0 0 " MASSES "--stop-time 3 --mask left:step=0.25");
    const size_t n = json_array_size(json_object_get(json_object_get(answer, "inputs"), "step"));
    double moved = 0.0;
    assert_true(n > 20);
    for (size_t k = 0; k < n; k++)
        for (int at = 0; at < 3; at++) {
            const char value[] = {'v', 'a', 'l', 'u', 'e', (char)('0' + at), '\0'};
            const char estimate[] = {'e', 's', 't', 'i', 'm', 'a', 't', 'e', (char)('0' + at), '\0'};
            support_near(number_at(answer, "inputs", value, k), number_at(answer, "inputs", estimate, k),
                         1e-12);
            moved = fmax(moved,
                         fabs(number_at(answer, "inputs", value, k) - number_at(answer, "inputs", "c0", k)));
        }
    assert_true(moved > 1e-3);
    json_decref(answer);
    return MS_OK;
}

/* x' = 1 on a clock of 0.5 s feeds input 3 of a reader on a clock of 1 s, the one before it comes from a third on a clock of 0.25 s, and
 * nothing feeds the first, which therefore runs past nothing. */
static int draw_unfed(ms_drawing *drawing, ms_error *error)
{
    (void)error;
    char path[512], words[700];
    support_temporary_file(
        "{\"subsystems\": [{\"name\": \"reader\", \"A\": [[0]], \"B\": [[1, 1, 1]], \"C\": [[1]]}, "
        "{\"name\": \"half\", \"states\": {\"x\": {\"derivative\": \"1\"}}, \"outputs\": {\"y\": \"x\"}}, "
        "{\"name\": \"quarter\", \"states\": {\"x\": {\"derivative\": \"1\"}}, \"outputs\": {\"y\": \"x\"}}], "
        "\"wires\": [[1, 2, 1], [2, 1, 1]]}",
        path, sizeof path);
    snprintf(words, sizeof words,
             "4 0 2 run --system %s --scheme f3ornits --scheduler asynchronous --stop-time 2 --step-size 1 "
             "--mask reader:step=1 --mask half:step=0.5 --mask quarter:step=0.25",
             path);
    json_t *answer = clocks_of(drawing, words);
    remove(path);
    static const double first[] = {NAN, 0.25, 0.5}; /* until when input 1, 2, 3 of the step from 0 has news */
    for (size_t k = 0; k < json_array_size(json_object_get(json_object_get(answer, "used"), "time")); k++) {
        const int input = (int)number_at(answer, "used", "input", k);
        const bool past = number_at(answer, "used", "past", k) > 0.0;
        if (number_at(answer, "used", "step", k) == 0.0) {
            const double limit = isnan(first[input - 1]) ? 1.0 : first[input - 1],
                         t = number_at(answer, "used", "time", k);
            assert_true(past ? t >= limit : t <= limit);
        }
    }
    json_decref(answer);
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

static void an_input_without_wires_runs_past_nothing(void **state)
{
    (void)state;
    support_figure_run(draw_unfed);
}

static void held_inputs_accelerate_the_car(void **state)
{
    (void)state;
    support_figure_run(draw_car);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_finds_degrees),
        cmocka_unit_test(the_log_counts_communications),
        cmocka_unit_test(the_log_compares_inputs),
        cmocka_unit_test(an_input_without_wires_runs_past_nothing),
        cmocka_unit_test(held_inputs_accelerate_the_car),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
