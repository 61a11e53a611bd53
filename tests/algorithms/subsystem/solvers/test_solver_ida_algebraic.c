/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solver_ida_algebraic.c - a differential-algebraic subsystem in ida: algebraic variables behind events, and
 * outside the error test. */
#include <math.h>

#include <macrostep/catalogue.h>
#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "events.h"
#include "small_model.h"
#include "solver_fixture.h"
#include "support.h"
#include "unit_test.h"

/* SWITCHED  x' = 1, 0 = a - (1 + z) (2 + x) + u, y = a; z becomes 3 at t = 0.5, and 4 where x rises
 *           through 0.75
 * WAVE      x' = 1, 0 = a - cos(x) (1 + a^2 / 10): z counts the roots of a
 * FAST      x' = -x, 0 = a - sin(10^4 t)
 * SLOW      x' = -x */
enum { SWITCHED, WAVE, FAST, SLOW };

static int switched_residual(const ms_point *at, const double *dx, double *r)
{
    r[0] = dx[0] - 1.0;
    r[1] = at->x[1] - (1.0 + at->z[0]) * (2.0 + at->x[0]) + at->u[0];
    return 0;
}

static int switched_g(const ms_point *at, double *y)
{
    y[0] = at->x[1];
    return 0;
}

static int switched_indicators(const ms_point *at, double *r)
{
    r[0] = at->x[0] - 0.75;
    return 0;
}

static int switched_handle(const ms_point *at, const ms_event *event)
{
    (void)at;
    event->z[0] = event->time ? 3.0 : 4.0;
    return 0;
}

static int wave_residual(const ms_point *at, const double *dx, double *r)
{
    r[0] = dx[0] - 1.0;
    r[1] = at->x[1] - cos(at->x[0]) * (1.0 + 0.1 * at->x[1] * at->x[1]);
    return 0;
}

static int wave_indicators(const ms_point *at, double *r)
{
    r[0] = at->x[1];
    return 0;
}

static int count(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + 1.0;
    return 0;
}

static int fast_residual(const ms_point *at, const double *dx, double *r)
{
    r[0] = dx[0] + at->x[0];
    r[1] = at->x[1] - sin(1e4 * at->t);
    return 0;
}

static int slow_f(const ms_point *at, double *dx)
{
    dx[0] = -at->x[0];
    return 0;
}

static const bool algebraic[] = {false, true};

static const ms_subsystem subsystems[] = {
    [SWITCHED] =
        SUPPORT_SUBSYSTEM("switched", 2, 1, 1, .nz = 1, .residual = switched_residual, .algebraic = algebraic,
                          .g = switched_g, .n_indicators = 1, .indicators = switched_indicators,
                          .next_time = support_at_half, .handle = switched_handle),
    [WAVE] = SUPPORT_SUBSYSTEM("wave", 2, 0, 0, .nz = 1, .residual = wave_residual, .algebraic = algebraic,
                               .n_indicators = 1, .indicators = wave_indicators, .handle = count),
    [FAST] = SUPPORT_SUBSYSTEM("fast", 2, 0, 0, .x0 = support_one, .residual = fast_residual,
                               .algebraic = algebraic),
    [SLOW] = SUPPORT_SUBSYSTEM("slow", 1, 0, 0, .x0 = support_one, .f = slow_f)};

static const ms_model model = SUPPORT_UNCOUPLED("algebraic", subsystems, .stop_time = 1.0, .step_size = 0.1);

/* What is told of an event. */
static void note(void *self, double t, const ms_event *event)
{
    (void)t;
    *(double *)self = event->x[1];
}

/* With events at the ends of macro-steps, where outputs are read, and on the second piece of an input. */
static void variables_are_consistent_behind_events(void **state)
{
    (void)state;
    for (int integrals = 0; integrals < 2; integrals++) {
        const ms_solver_options options = {.rtol = 1e-9, .atol = 1e-9, .integrals = integrals == 1};
        support_solver_fixture *fixture =
            support_fixture_of(&model, SWITCHED, ms_solver_find("ida"), &options);
        double y = NAN, told = NAN;
        fixture->instance->monitor = (ms_monitor){.self = &told, .event = note};
        support_sample(fixture->instance, 1, (const double[]){1.0});
        support_fixture_feed_jump(fixture, 0.25, 0.5, 7.0, 1.0);
        support_fixture_advance(fixture, 0.0, 0.5);
        assert_int_equal(ms_events_handled(fixture->instance), 1);
        assert_int_equal(ms_instance_outputs(fixture->instance, 0.5, &(double){1.0}, NULL, &y), 0);
        support_near(y, 4.0 * 2.5 - 1.0, 1e-7);
        support_near(told, y, 1e-7);
        support_near(fixture->instance->samples[1], y, 1e-7);
        support_fixture_feed_jump(fixture, 0.1, 0.5, 0.0, 2.0);
        support_fixture_advance(fixture, 0.5, 0.5);
        support_near(told, 5.0 * 2.75 - 2.0, 1e-7);
        support_near(fixture->x[1], 5.0 * 3.0 - 2.0, 1e-7);
        support_fixture_drop(fixture);
    }
}

/* Roots of an algebraic variable, which is exact to the tolerance only: each is met once. */
static void roots_of_variables_are_met_once(void **state)
{
    (void)state;
    for (int e = 3; e <= 9; e++) {
        const ms_solver_options options = {.rtol = pow(10.0, -e), .atol = pow(10.0, -e)};
        support_solver_fixture *fixture = support_fixture_of(&model, WAVE, ms_solver_find("ida"), &options);
        support_fixture_feed(fixture, 5.0, 0);
        assert_int_equal(ms_instance_make_consistent(fixture->instance, 0.0, 5.0), MS_OK);
        for (int n = 0; n < 4; n++) {
            support_fixture_feed(fixture, 5.0, 0);
            support_fixture_advance(fixture, 5.0 * n, 5.0);
        }
        if (fixture->z[0] != 6.0) /* pi/2 .. 11 pi/2 */
            fail_msg("tolerance 1e-%d: %g roots", e, fixture->z[0]);
        support_fixture_drop(fixture);
    }
}

/* Hits of the bar by the woodpecker (Andersson 2016, 8.6.2). */
static void count_hits(void *self, double t, const ms_event *event)
{
    (void)t;
    *(int *)self += event->state && event->crossed[3] > 0 && event->x[5] < 0.0;
}

static void the_woodpecker_hits_the_bar(void **state)
{
    (void)state;
    for (int e = 4; e <= 8; e += 2) {
        const ms_solver_options options = {.rtol = pow(10.0, -e), .atol = pow(10.0, -e)};
        support_solver_fixture *fixture =
            support_fixture_of(ms_catalogue_find("woodpecker"), 0, ms_solver_find("ida"), &options);
        int hits = 0;
        fixture->instance->monitor = (ms_monitor){.self = &hits, .event = count_hits};
        support_fixture_feed(fixture, 0.16, 0);
        support_fixture_advance(fixture, 0.0, 0.16);
        assert_int_equal(hits, 2);
        support_fixture_drop(fixture);
    }
}

/* The error test leaves them out: they may move as fast as they like. */
static void variables_cost_no_micro_steps(void **state)
{
    (void)state;
    const ms_solver_options options = {.rtol = 1e-6, .atol = 1e-6};
    support_solver_fixture *fast = support_fixture_of(&model, FAST, ms_solver_find("ida"), &options),
                           *slow = support_fixture_of(&model, SLOW, ms_solver_find("ida"), &options);
    support_fixture_feed(fast, 1.0, 0);
    support_fixture_feed(slow, 1.0, 0);
    support_fixture_advance(fast, 0.0, 1.0);
    support_fixture_advance(slow, 0.0, 1.0);
    support_near(fast->x[1], sin(1e4), 1e-7);
    assert_true(fabs(fast->x[0] - exp(-1.0)) < 1e-4);
    assert_true(fast->instance->work.micro_steps <= 2 * slow->instance->work.micro_steps);
    support_fixture_drop(fast);
    support_fixture_drop(slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(variables_are_consistent_behind_events),
                                       cmocka_unit_test(roots_of_variables_are_met_once),
                                       cmocka_unit_test(the_woodpecker_hits_the_bar),
                                       cmocka_unit_test(variables_cost_no_micro_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
