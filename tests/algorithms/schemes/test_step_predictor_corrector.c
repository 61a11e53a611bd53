/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_step_predictor_corrector.c - step and order control of semi-implicit: errors follow the tolerance, estimates on
 * polynomials are exact, steps follow the order, and refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/cosim_state.h>
#include <macrostep/simulation.h>
#include "predictor_corrector.h"
#include "step_control.h"
#include "support.h"
#include "unit_test.h"

enum { TOLERANCES = 7 };

#define CONTROLLED "scheme=semi-implicit error-controlled=predictor-corrector "

/* The largest error of a run with that tolerance, and how many macro-steps it took. */
static double error_of(const ms_system *system, const char *text, double tolerance, long *steps)
{
    const ms_options options =
        support_options_of(CONTROLLED "%s rtol=%.17g atol=%.17g", text, tolerance, tolerance);
    const ms_simulation_options request = {.errors = true};
    ms_simulation simulation;
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, NULL), MS_OK);
    assert_int_equal(simulation.result.reason, MS_REASON_END_TIME);
    const double error = simulation.errors.max;
    *steps = simulation.result.macro_steps;
    ms_simulation_destroy(&simulation);
    return error;
}

/* From 1e-2 on, n tolerances a factor of ten apart: errors over tolerances span no more than a factor of ten, and the slope of
 * log error over log tolerance is near 1. */
static void check_proportional(const char *model, const char *text, int n)
{
    ms_system *system = support_system(model, "");
    double least = INFINITY, most = 0.0, xy = 0.0, xx = 0.0;
    for (int k = 0; k < n; k++) {
        long steps;
        const double tolerance = pow(10.0, -2 - k), error = error_of(system, text, tolerance, &steps);
        const double x = k - 0.5 * (n - 1);
        least = fmin(least, error / tolerance);
        most = fmax(most, error / tolerance);
        xy -= x * log10(error);
        xx += x * x;
    }
    if (!(most <= 10.0 * least && xy >= 0.8 * xx && xy <= 1.2 * xx))
        fail_msg("%s %s: errors over tolerances from %g to %g, slope %g", model, text, least, most, xy / xx);
    ms_system_destroy(&system);
}

static void errors_are_proportional_to_the_tolerance(void **state)
{
    (void)state;
    check_proportional("lim-oscillator", "stop-time=2", TOLERANCES);
    check_proportional("mass-spring-damper", "", TOLERANCES);
    check_proportional("double-pendulum", "solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-12", TOLERANCES);
    check_proportional("example-6.3.1", "solver=gsl-rk8pd solver-rtol=1e-12 solver-atol=1e-12", TOLERANCES);
}

static void so_they_are_with_each_degree_alone(void **state)
{
    (void)state;
    check_proportional("mass-spring-damper", "order-control=off input-degree=0", 3);
    check_proportional("mass-spring-damper", "order-control=off input-degree=1", 5);
    check_proportional("mass-spring-damper", "order-control=off input-degree=2", TOLERANCES);
    check_proportional("mass-spring-damper", "order-control=off input-degree=3", TOLERANCES);
}

/* Steps are as tolerance^(1/(k + 1)); and orders that are chosen need no more of them than the best of fixed ones, but for a tenth. */
static void steps_follow_the_order(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    long best = 1000000, chosen;
    for (int degree = 1; degree <= 3; degree++) {
        char text[64];
        long loose, tight;
        snprintf(text, sizeof text, "order-control=off input-degree=%d", degree);
        error_of(system, text, 1e-4, &loose);
        error_of(system, text, 1e-6, &tight);
        const double order = 2.0 / log10((double)tight / (double)loose);
        if (!(fabs(order - (degree + 1)) < 0.3))
            fail_msg("degree %d: %ld and %ld macro-steps, order %g", degree, loose, tight, order);
        best = tight < best ? tight : best;
    }
    error_of(system, "", 1e-6, &chosen);
    assert_true((double)chosen < 1.1 * (double)best);
    ms_system_destroy(&system);
}

/* The rules ------------------------------------------------------------------------------------------------ */

static double factor_of(const ms_predictor_errors *e, int j)
{
    return e->error[j] > 0.0 ? 0.9 * pow(e->error[j], -1.0 / (j + 1)) : 2.0;
}

/* The degree from `low` to `high` with the largest factor. */
static int best_of(const ms_predictor_errors *e, int low, int high)
{
    int best = e->degree;
    for (int j = low; j <= high; j++)
        if (j >= 0 && j < e->n && factor_of(e, j) > factor_of(e, best))
            best = j;
    return best;
}

/* What comes after a macro-step of length h: its degree, and its length returned. */
static double next_of(const ms_predictor_errors *e, double h, int *degree)
{
    const int q = e->degree;
    const bool accepted = e->error[q] <= 1.0;
    *degree = !accepted ? best_of(e, q - 1, q) : e->same > q ? best_of(e, q - 1, q + 1) : q;
    const double f = fmin(accepted ? 2.0 : 0.9, fmax(0.2, factor_of(e, *degree < e->n ? *degree : q)));
    return accepted && f >= 1.0 && f <= 1.2 ? h : f * h;
}

/* Each macro-step is taken once beforehand, for its errors; a hit now and then, which no prediction knows of. */
static void degrees_and_lengths_follow_the_rules(void **state)
{
    (void)state;
    ms_system *system = support_system("mass-spring-damper", "");
    const ms_options options = support_options(
        CONTROLLED "rtol=1e-5 atol=1e-5 step-size=1e-3 stop-time=1e3 max-step=1e3 min-step=0");
    ms_cosim *cosim = support_cosim(system, &options);
    ms_step_control *control;
    double *saved = malloc(sizeof *saved * ms_cosim_state_size(cosim)), t = 0.0, h = 1e-3;
    int rejections = 0, lowered = 0, degree = 0;
    assert_non_null(saved);
    assert_int_equal(ms_step_control_create(cosim, &control, NULL), MS_OK);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    for (int k = 0; k < 300; k++) {
        ms_step_attempt attempt;
        if (k % 40 == 39)
            cosim->x[0] += 1e-3 * k;
        ms_cosim_save(cosim, saved);
        assert_int_equal(ms_cosim_step(cosim, t, h), MS_OK);
        const ms_predictor_errors e = ms_predictor_errors_of(cosim);
        ms_cosim_restore(cosim, saved);
        assert_int_equal(e.degree, degree);
        const bool accepted = e.error[e.degree] <= 1.0;
        assert_int_equal(ms_step_control_attempt(control, t, &attempt), accepted ? MS_OK : MS_STEP_REJECTED);
        support_near(attempt.h, h, 1e-9 * h);
        h = next_of(&e, attempt.h, &degree);
        t = accepted ? attempt.next : t;
        rejections += !accepted;
        lowered += !accepted && degree < e.degree;
    }
    assert_true(rejections > 5 && lowered > 0);
    free(saved);
    ms_step_control_destroy(&control);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

/* Estimates --------------------------------------------------------------------------------------------- */

/* y = t^degree from a chain of integrators; whoever takes it does nothing with it. */
static ms_model *power_of_time(int degree)
{
    char json[600];
    static const char *const start[] = {"[0,0,0,0,1]", "[0,0,0,1,0]", "[0,0,2,0,0]", "[0,6,0,0,0]",
                                        "[24,0,0,0,0]"};
    snprintf(
        json, sizeof json,
        "{\"subsystems\": [{\"name\": \"source\", \"A\": [[0,0,0,0,0],[1,0,0,0,0],[0,1,0,0,0],[0,0,1,0,0],"
        "[0,0,0,1,0]], \"B\": [[],[],[],[],[]], \"C\": [[0,0,0,0,1]], \"x0\": %s}, "
        "{\"name\": \"sink\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]]}], \"wires\": [[0, 0, 1]]}",
        start[degree]);
    return support_model_read(json);
}

/* Equal macro-steps: the defect of degree j on t^(j+1) is (j + 1)! h^(j+1) times 1/2, 1/12, 1/24, 19/720, and nothing on lower
 * powers. */
static void estimates_on_powers_are_those_of_adams_and_moulton(void **state)
{
    (void)state;
    static const double constant[] = {1.0 / 2.0, 2.0 / 12.0, 6.0 / 24.0, 24.0 * 19.0 / 720.0};
    const double h = 0.25;
    for (int power = 1; power <= 4; power++) {
        ms_model *model = power_of_time(power);
        ms_system *system = support_system_of(model);
        const ms_options options = support_options_of(CONTROLLED "atol=1 rtol=1e-300 step-size=%g", h);
        ms_cosim *cosim = support_cosim(system, &options);
        ms_predictor_errors e = {0};
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        for (int k = 0; k < 6; k++) {
            assert_int_equal(ms_cosim_step(cosim, k * h, h), MS_OK);
            e = ms_predictor_errors_of(cosim);
            assert_int_equal(e.n, k < 3 ? k + 1 : 4);
        }
        support_near(e.error[power - 1], constant[power - 1] * pow(h, power), 1e-13);
        for (int j = power; j < 4; j++)
            support_near(e.error[j], 0.0, 1e-13);
        ms_cosim_destroy(&cosim);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* Macro-steps of 1 and 2, y = t^2: the line through t = 0 and 1 misses (3 - 0)(3 - 1) = 6 at t = 3, and the one through 1 and 3
 * misses int_1^3 (t - 1)(t - 3) dt = -4/3, over the length 2. A held value misses 9 - 1, of which one half counts. */
static void estimates_know_the_lengths_of_macro_steps(void **state)
{
    (void)state;
    ms_model *model = power_of_time(2);
    ms_system *system = support_system_of(model);
    const ms_options options = support_options(CONTROLLED "atol=1 rtol=1e-300 step-size=1 stop-time=10");
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_cosim_start(cosim), MS_OK);
    assert_int_equal(ms_cosim_step(cosim, 0.0, 1.0), MS_OK);
    assert_int_equal(ms_cosim_step(cosim, 1.0, 2.0), MS_OK);
    support_near(ms_predictor_errors_of(cosim).error[1], 2.0 / 3.0, 1e-13);
    support_near(ms_predictor_errors_of(cosim).error[0], 0.5 * 8.0, 1e-13);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Held inputs on y = t: the defect of a macro-step of 1 is one half of the tolerance, so that the next one is 0.9/0.5 as long; and
 * from 2 tolerances 0.9/2 as long. */
static void lengths_go_with_the_defect(void **state)
{
    (void)state;
    static const double tolerance[] = {1.0, 0.25};
    ms_model *model = power_of_time(1);
    ms_system *system = support_system_of(model);
    for (int k = 0; k < 2; k++) {
        const ms_options options = support_options_of(
            CONTROLLED "order-control=off input-degree=0 atol=%g rtol=1e-300 step-size=1 stop-time=10",
            tolerance[k]);
        ms_cosim *cosim = support_cosim(system, &options);
        ms_step_control *control;
        ms_step_attempt attempt;
        assert_int_equal(ms_step_control_create(cosim, &control, NULL), MS_OK);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        assert_int_equal(ms_step_control_attempt(control, 0.0, &attempt), k == 0 ? MS_OK : MS_STEP_REJECTED);
        support_near(attempt.estimate, 0.5 / tolerance[k], 1e-13);
        ms_step_control_attempt(control, attempt.rejected ? 0.0 : attempt.next, &attempt);
        support_near(attempt.h, 0.9 * tolerance[k] / 0.5, 1e-13);
        ms_step_control_destroy(&control);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* Refusals ---------------------------------------------------------------------------------------------- */

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    support_refuses("quarter-car", "error-controlled=predictor-corrector",
                    "scheme jacobi has no predicted inputs");
    support_refuses("quarter-car", "scheme=semi-implicit order-control=off",
                    "requires `error-controlled` predictor-corrector");
    support_refuses("quarter-car", CONTROLLED "input-degree=2", "with `order-control` off it is fixed");
    support_refuses("quarter-car", CONTROLLED "mask=wheel:input-degree=2", "with `order-control` off");
    support_refuses("quarter-car", "scheme=semi-implicit rtol=1e-3", "requires `error-controlled`");
}

/* Below the shortest step the run ends with that reason. */
static void a_step_that_is_too_short_ends_the_run(void **state)
{
    (void)state;
    ms_system *system = support_system("lim-oscillator", "");
    const ms_options options = support_options(CONTROLLED "rtol=1e-10 atol=1e-10 min-step=1e-3 stop-time=1");
    assert_int_equal(support_run(system, &options, NULL, NULL).reason, MS_REASON_STEP_SIZE_UNDERFLOW);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_and_lengths_follow_the_rules),
        cmocka_unit_test(errors_are_proportional_to_the_tolerance),
        cmocka_unit_test(so_they_are_with_each_degree_alone),
        cmocka_unit_test(steps_follow_the_order),
        cmocka_unit_test(estimates_on_powers_are_those_of_adams_and_moulton),
        cmocka_unit_test(estimates_know_the_lengths_of_macro_steps),
        cmocka_unit_test(lengths_go_with_the_defect),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(a_step_that_is_too_short_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
