/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_events.c - state, time and step events of one subsystem, in every solver that stops at events, against
 * closed forms and against CVODE's own root finding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/solver_registry.h>
#include "event_fixture.h"
#include "unit_test.h"

/* State events ------------------------------------------------------------------------------------------- */

/* Impacts and states of the ball; macro-steps so long that two impacts are in one, and that it rises and
 * falls within one. */
static void check_ball(int ball, const ms_solver *solver, int steps, double h)
{
    support_event_log log = {.falling_only = true};
    double height, velocity;
    support_solver_fixture *fixture = support_event_fixture(ball, solver);
    support_event_monitor(fixture, &log);
    support_fixture_run(fixture, steps, h);
    support_ball_exact(steps * h, &height, &velocity);
    if (log.n != 5)
        fail_msg("%s sees %d impacts in %d steps", solver->name, log.n, steps);
    for (int k = 0; k < log.n; k++)
        support_event_near(solver, "the time of an impact", log.t[k], support_ball_impact(k),
                           support_event_tolerance(solver));
    support_event_near(solver, "the height", fixture->x[0], height, 10.0 * support_event_tolerance(solver));
    support_event_near(solver, "the velocity", fixture->x[1], velocity,
                       10.0 * support_event_tolerance(solver));
    support_fixture_drop(fixture);
}

static void test_ball(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        check_ball(SUPPORT_BALL, solver, 30, 0.1);
        check_ball(SUPPORT_BALL, solver, 2, 1.5);
        check_ball(SUPPORT_LINEAR_BALL, solver, 6,
                   0.5); /* the first impact is at the end of the first macro-step */
        check_ball(SUPPORT_BALL, solver, 1, 3.0);
    }
}

/* One micro-step a macro-step: the parabola is exact, and from the floor back to the floor is one
 * micro-step. */
static void test_rise_and_fall(void **state)
{
    (void)state;
    const ms_solver_options one = {.micro_steps = 1};
    support_event_log log = {.falling_only = true};
    support_solver_fixture *fixture =
        support_fixture_of(&support_event_model, SUPPORT_BALL, ms_solver_find("rk4"), &one);
    support_event_monitor(fixture, &log);
    fixture->x[0] = 0.0;
    fixture->x[1] = 5.0; /* falls back at 1 */
    support_fixture_feed(fixture, 1.2, 0);
    support_fixture_advance(fixture, 0.0, 1.2);
    assert_int_equal(log.n, 1);
    assert_true(fabs(log.t[0] - 1.0) < 1e-14);
    support_fixture_drop(fixture);
    fixture = support_fixture_of(&support_event_model, SUPPORT_BALL, ms_solver_find("rk4"), &one);
    log.n = 0;
    support_event_monitor(fixture, &log);
    support_fixture_feed(fixture, 1.5,
                         0); /* falls at 0.5, and the rest of the step is longer than the flight until 1.3 */
    support_fixture_advance(fixture, 0.0, 1.5);
    assert_int_equal(log.n, 2);
    assert_true(fabs(log.t[0] - 0.5) < 1e-14 && fabs(log.t[1] - 1.3) < 1e-13);
    support_fixture_drop(fixture);
}

static void test_against_cvode(void **state)
{
    (void)state;
    double roots[SUPPORT_EVENT_LOG];
    const int n = support_event_roots(4.0, roots);
    assert_int_equal(n, 7); /* two a half swing */
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_event_log log = {0};
        support_solver_fixture *fixture =
            support_fixture_of(&support_pendulum_model, SUPPORT_ANGLE, solver, support_event_options(solver));
        support_event_monitor(fixture, &log);
        support_fixture_run(fixture, 20, 0.2);
        assert_int_equal(log.n, n);
        for (int k = 0; k < n; k++)
            support_event_near(solver, "the time of a root", log.t[k], roots[k],
                               support_event_tolerance(solver));
        support_fixture_drop(fixture);
    }
}

/* Indicators with the same root are one event, those with another are another. */
static void test_simultaneous(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_event_log log = {0};
        support_solver_fixture *fixture = support_event_fixture(SUPPORT_CONTACTS, solver);
        support_event_monitor(fixture, &log);
        support_fixture_run(fixture, 2, 0.5);
        assert_int_equal(log.n, 2);
        support_event_near(solver, "the first root", log.t[0], 0.25, 1e-13);
        support_event_near(solver, "the common root", log.t[1], 0.35, 1e-13);
        const double seen_crossings[] = {1.0 + 10.0 - 1.0, 1.0, 10.0, 2.0};
        assert_memory_equal(fixture->z + 0, seen_crossings + 0, sizeof(double));
        for (int k = 1; k < 4; k++)
            assert_true(fixture->z[k] == seen_crossings[k]);
        support_fixture_drop(fixture);
    }
}

/* An indicator that jumps with a held input, and one that crosses with a line in time, on two pieces. */
static void test_inputs(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_event_log log = {0};
        support_solver_fixture *fixture = support_event_fixture(SUPPORT_RELAY, solver);
        support_event_monitor(fixture, &log);
        for (int n = 0; n < 6; n++) { /* u = 0, 0, 1, 1, 0, 0 */
            support_fixture_feed(fixture, 0.25, 0);
            ms_input_coefficients(&fixture->instance->input, 0, 0)[0] = n == 2 || n == 3;
            support_fixture_advance(fixture, n * 0.25, 0.25);
        }
        assert_int_equal(log.n, 2);
        assert_true(log.t[0] == 0.5 && log.t[1] == 1.0);
        double x = -1.0 + exp(-0.5);
        x = 1.0 + (x - 1.0) * exp(-0.5);
        x = -1.0 + (x + 1.0) * exp(-0.5);
        support_event_near(solver, "the state", fixture->x[0], x, support_event_tolerance(solver));

        ms_input *input = &fixture->instance->input; /* u = 2 s - 0.1, then 0.7 - s / 2 */
        input->degree = 1;
        input->pieces = 2;
        input->end[0] = 0.4;
        input->end[1] = 1.0;
        ms_input_coefficients(input, 0, 0)[0] = -0.1;
        ms_input_coefficients(input, 0, 1)[0] = 2.0;
        ms_input_coefficients(input, 1, 0)[0] = 0.7;
        ms_input_coefficients(input, 1, 1)[0] = -0.5;
        log.n = 0;
        support_fixture_advance(fixture, 1.5, 1.0);
        assert_int_equal(log.n, 2);
        support_event_near(solver, "the rising line", log.t[0], 1.8, 1e-13);
        support_event_near(solver, "the falling line", log.t[1], 2.3, 1e-13);
        support_fixture_drop(fixture);
    }
}

/* Time events -------------------------------------------------------------------------------------------- */

/* After 0.1 k [s] the triangular wave stands at 0 or 0.1 and z has changed its sign, whatever the
 * round-off in the times of macro-steps; with H = 0.25 events lie inside. */
static void test_time_events(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    for (int model = SUPPORT_PULSES; model <= SUPPORT_ALARMS; model++) {
        support_event_log log = {0};
        double sum = 0.0;
        support_solver_fixture *product = support_event_fixture(model, solver),
                               *summed = support_event_fixture(model, solver);
        support_solver_fixture *inside = support_event_fixture(model, solver);
        support_event_monitor(inside, &log);
        for (int n = 0; n < 30; n++, sum += 0.1) {
            support_fixture_feed(product, 0.1, 0);
            support_fixture_feed(summed, 0.1, 0);
            support_fixture_advance(product, n * 0.1, 0.1);
            support_fixture_advance(summed, sum, 0.1);
            const double x = n % 2 == 0 ? 0.1 : 0.0, z = n % 2 == 0 ? -1.0 : 1.0;
            support_event_near(solver, "x", product->x[0], x, 1e-12);
            support_event_near(solver, "x of summed times", summed->x[0], x, 1e-12);
            assert_true(product->z[0] == z && summed->z[0] == z);
        }
        support_fixture_run(inside, 5, 0.25);
        support_event_near(solver, "x with events inside", inside->x[0], 0.05, 1e-12);
        assert_int_equal(log.n, 12);
        for (int k = 0; k < log.n; k++)
            assert_true(log.t[k] == (k + 1) / 10.0);
        support_fixture_drop(product);
        support_fixture_drop(summed);
        support_fixture_drop(inside);
    }
}

static void test_step_events(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_solver_fixture *fixture = support_event_fixture(SUPPORT_STEPS, solver);
        support_fixture_run(fixture, 3, 0.2);
        assert_true(fixture->z[0] == fmin(10.0, (double)fixture->instance->work.micro_steps));
        assert_true(fixture->z[0] == (double)fixture->instance->work.events);
        support_event_near(solver, "the state", fixture->x[0], exp(-0.6), support_event_tolerance(solver));
        support_fixture_drop(fixture);
    }
}

/* Mere breakpoints of the external input of a linear subsystem: `exact` too. */
static void test_breakpoints(void **state)
{
    (void)state;
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
        for (int steps = 1; steps <= 3; steps++) {
            const double tolerance = (*solver)->linear_only ? 1e-14 : support_event_tolerance(*solver);
            const double h = 0.9 / steps, at = 0.4 / 0.9;
            support_solver_fixture *fixture = support_event_fixture(SUPPORT_BROKEN_W, *solver);
            support_sample(fixture->instance, steps == 1, (const double[]){at});
            support_fixture_run(fixture, steps, h);
            support_event_near(*solver, "the state", fixture->x[0], (1.0 - exp(-0.25)) * exp(-0.35),
                               tolerance);
            if (steps == 1)
                support_event_near(*solver, "a sample", fixture->instance->samples[0], 1.0 - exp(-0.1),
                                   tolerance);
            assert_int_equal(fixture->instance->work.events, 0);
            support_fixture_drop(fixture);
        }
}

/* The same with a communication point at the first breakpoint but for round-off, and few steps. */
static void test_breakpoint_at_end(void **state)
{
    (void)state;
    const double ends[] = {nextafter(0.3, 0.0), 0.3, nextafter(0.3, 1.0)};
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
        for (int k = 0; k < MS_COUNT(ends); k++) {
            ms_solver_options options = *support_event_options(*solver);
            options.micro_steps = (*solver)->order < 4 ? 200 : 10;
            const double tolerance = (*solver)->linear_only ? 1e-13
                                     : (*solver)->order > 0 ? support_solver_miss(*solver, 1e-3, 200, 1e-6)
                                                            : support_event_tolerance(*solver);
            support_solver_fixture *fixture =
                support_fixture_of(&support_event_model, SUPPORT_BROKEN_W, *solver, &options);
            support_fixture_feed(fixture, ends[k], 0);
            support_fixture_advance(fixture, 0.0, ends[k]);
            support_event_near(*solver, "the state at the breakpoint", fixture->x[0], 0.0, 1e-14);
            support_fixture_feed(fixture, 0.9 - ends[k], 0);
            support_fixture_advance(fixture, ends[k], 0.9 - ends[k]);
            support_event_near(*solver, "the state", fixture->x[0], (1.0 - exp(-0.25)) * exp(-0.35),
                               tolerance);
            support_fixture_drop(fixture);
        }
}

/* y and y' near a jump of y: a difference quotient does not reach across it. */
static void test_derivative_at_breakpoint(void **state)
{
    (void)state;
    static const double after[] = {-1e-3, -1e-6, 0.0, 1e-16, 1e-6, 1e-3, 0.25 - 1e-6, 0.25, 0.25 + 1e-6};
    support_solver_fixture *fixture = support_event_fixture(SUPPORT_BROKEN_W, ms_solver_find("exact"));
    fixture->x[0] = 0.25;
    for (int k = 0; k < MS_COUNT(after); k++) {
        double dy = NAN;
        const double w = after[k] >= 0.0 && after[k] < 0.25 ? 1.0 : 0.0;
        assert_int_equal(ms_instance_output_derivative(fixture->instance, 0.3 + after[k], NULL, NULL, &dy),
                         MS_OK);
        support_event_near(fixture->instance->solver, "y'", dy, w - 0.25, 1e-14);
    }
    const double before = nextafter(0.3, 0.0); /* right limits */
    double y = NAN, dy = NAN;
    assert_int_equal(ms_instance_outputs(fixture->instance, before, NULL, NULL, &y), MS_OK);
    assert_int_equal(ms_instance_output_derivative(fixture->instance, before, NULL, NULL, &dy), MS_OK);
    assert_true(y == 1.25 && dy == 0.75);
    support_fixture_drop(fixture);
}

/* A subsystem without states, with its output integrated: z = 1 from u = 0 at 0.2 on, 101 from 0.25, 201 from
 * 0.75, and one more where u jumps back. */
static void test_without_states(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        ms_solver_options options = *support_event_options(solver);
        options.integrals = true;
        support_solver_fixture *fixture =
            support_fixture_of(&support_event_model, SUPPORT_COUNTER, solver, &options);
        ms_input *input = &fixture->instance->input; /* u = s - 0.2 */
        support_fixture_feed(fixture, 1.0, 1);
        ms_input_coefficients(input, 0, 0)[0] = -0.2;
        ms_input_coefficients(input, 0, 1)[0] = 1.0;
        support_sample(fixture->instance, 1, (const double[]){0.5});
        support_fixture_advance(fixture, 0.0, 1.0);
        assert_true(fixture->z[0] == 201.0);
        support_event_near(solver, "the integral", *ms_instance_integrals(fixture->instance),
                           0.05 * 1.0 + 0.5 * 101.0 + 0.25 * 201.0, 1e-13);
        support_event_near(solver, "a sample of it", fixture->instance->samples[0], 0.05 * 1.0 + 0.25 * 101.0,
                           1e-13);
        support_fixture_feed(fixture, 0.2, 0);
        ms_input_coefficients(input, 0, 0)[0] = -1.0;
        support_fixture_advance(fixture, 1.0, 0.2);
        assert_true(fixture->z[0] == 202.0);
        support_fixture_drop(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball),
                                       cmocka_unit_test(test_rise_and_fall),
                                       cmocka_unit_test(test_against_cvode),
                                       cmocka_unit_test(test_simultaneous),
                                       cmocka_unit_test(test_inputs),
                                       cmocka_unit_test(test_time_events),
                                       cmocka_unit_test(test_step_events),
                                       cmocka_unit_test(test_breakpoints),
                                       cmocka_unit_test(test_breakpoint_at_end),
                                       cmocka_unit_test(test_derivative_at_breakpoint),
                                       cmocka_unit_test(test_without_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
