/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_events_round_off.c - events that lie within a few units in the last place of each other, or of the
 * ends of macro-steps, in every solver that stops at events. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "event_fixture.h"
#include "small_model.h"
#include "unit_test.h"

/* x' = 1 from x = -LENGTH at t = MIDDLE - LENGTH: near MIDDLE time has a resolution of EPS, and x, which is
 * zero there, a far finer one. A constant state keeps first steps from ending right there.
 *
 * NEAR_ROOTS   indicators x and x - 12 EPS; z counts their rises and the calls of the handler
 * NEAR_TIMES   time events at MIDDLE and 10 EPS later, an indicator x - 5 EPS between them
 * JUMPING      w jumps from -1 to 1 at 0.3, a time event, and the indicator is w
 *
 * The last two write down their events in z[0], a digit for each: 1 a state event, 2 a time event, 3 both. */
enum { NEAR_ROOTS, NEAR_TIMES, JUMPING };
#define EPS DBL_EPSILON
static const double MIDDLE = 1.5, LENGTH = 0x1.35p-10, CHANGE = 0.3;

static int drift(const ms_point *at, double *dx)
{
    (void)at;
    dx[0] = 1.0;
    dx[1] = 0.0;
    return 0;
}

static int near_roots(const ms_point *at, double *r)
{
    r[0] = at->x[0];
    r[1] = at->x[0] - 12.0 * EPS;
    return 0;
}

static int count_rises(const ms_point *at, const ms_event *event)
{
    for (int k = 0; k < 2; k++)
        event->z[k] = at->z[k] + (event->crossed[k] > 0 ? 1.0 : 0.0);
    event->z[2] = at->z[2] + 1.0;
    return 0;
}

static int between(const ms_point *at, double *r)
{
    r[0] = at->x[0] - 5.0 * EPS;
    return 0;
}

static double near_times(double t, const double *z, const double *p, const void *data)
{
    (void)t, (void)p, (void)data;
    return z[1] == 0.0 ? MIDDLE : z[1] == 1.0 ? MIDDLE + 10.0 * EPS : INFINITY;
}

static int write_down(const ms_point *at, const ms_event *event)
{
    event->z[0] = 10.0 * at->z[0] + (event->state ? 1.0 : 0.0) + (event->time ? 2.0 : 0.0);
    event->z[1] = at->z[1] + (event->time ? 1.0 : 0.0);
    return 0;
}

static void jump(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = t < CHANGE ? -1.0 : 1.0;
}

static int follow_w(const ms_point *at, double *dx)
{
    dx[0] = at->w[0];
    return 0;
}

static int indicate_w(const ms_point *at, double *r)
{
    r[0] = at->w[0];
    return 0;
}

static double time_of_jump(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return t < CHANGE ? CHANGE : INFINITY;
}

static const double before[] = {-0x1.35p-10, 1.0};

static const ms_subsystem subsystems[] = {
    [NEAR_ROOTS] = SUPPORT_SUBSYSTEM("near-roots", 2, 0, 0, .nz = 3, .x0 = before, .f = drift,
                                     .n_indicators = 2, .indicators = near_roots, .handle = count_rises),
    [NEAR_TIMES] =
        SUPPORT_SUBSYSTEM("near-times", 2, 0, 0, .nz = 2, .x0 = before, .f = drift, .n_indicators = 1,
                          .indicators = between, .next_time = near_times, .handle = write_down),
    [JUMPING] = SUPPORT_SUBSYSTEM("jumping", 1, 0, 0, .nw = 1, .nz = 2, .f = follow_w, .external = jump,
                                  .n_indicators = 1, .indicators = indicate_w, .next_time = time_of_jump,
                                  .handle = write_down)};

static const ms_model model = SUPPORT_UNCOUPLED("round-off", subsystems, .stop_time = 1.0, .step_size = 0.1);

static support_solver_fixture *make_near(int subsystem, const ms_solver *solver)
{
    return support_fixture_of(&model, subsystem, solver, support_event_options(solver));
}

/* Roots within round-off of each other are one event. */
static void near_roots_are_one_event(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_event_log log = {0};
        support_solver_fixture *fixture = make_near(NEAR_ROOTS, solver);
        support_event_monitor(fixture, &log);
        support_fixture_feed(fixture, 2.7 * LENGTH, 0);
        support_fixture_advance(fixture, MIDDLE - LENGTH, 2.7 * LENGTH);
        for (int k = 0; k < 3; k++)
            if (fixture->z[k] != 1.0)
                fail_msg("%s: z[%d] is %g, not 1; %d events, %g units behind the first root", solver->name, k,
                         fixture->z[k], log.n, (log.t[0] - MIDDLE) / EPS);
        support_event_near(solver, "x", fixture->x[0], 1.7 * LENGTH, 1e-14);
        support_fixture_drop(fixture);
    }
}

/* An event on a stretch between two others that is too short for an adaptive solver, with samples. */
static void events_on_a_tiny_stretch(void **state)
{
    (void)state;
    static const double at[] = {0.25, 0.5, 1.0};
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_event_log log = {0};
        support_solver_fixture *fixture = make_near(NEAR_TIMES, solver);
        support_event_monitor(fixture, &log);
        support_sample(fixture->instance, MS_COUNT(at), at);
        for (int k = 0; k < 2 * MS_COUNT(at); k++)
            fixture->instance->samples[k] = NAN;
        support_fixture_feed(fixture, 2.7 * LENGTH, 0);
        support_fixture_advance(fixture, MIDDLE - LENGTH, 2.7 * LENGTH);
        if (fixture->z[0] != 212.0 && fixture->z[0] != 23.0) /* the root's bracket may end at the time
                                                                event */
            fail_msg("%s: events %g, not 212 or 23", solver->name, fixture->z[0]);
        assert_true(log.t[0] == MIDDLE && log.t[log.n - 1] == MIDDLE + 10.0 * EPS);
        assert_true(log.t[1] >= MIDDLE + 5.0 * EPS);
        for (int k = 0; k < MS_COUNT(at); k++)
            support_event_near(solver, "a sample", fixture->instance->samples[2 * k],
                               (2.7 * at[k] - 1.0) * LENGTH, 1e-14);
        support_fixture_drop(fixture);
    }
}

/* The same where a whole macro-step is that short, and micro-steps of fixed-step solvers shorter than time
 * resolves. */
static void an_event_in_a_tiny_step(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_solver_fixture *fixture = make_near(NEAR_ROOTS, solver);
        fixture->x[0] = -2.1 * EPS;
        support_fixture_feed(fixture, 8.0 * EPS, 0);
        support_fixture_advance(fixture, MIDDLE - 2.0 * EPS, 8.0 * EPS);
        if (fixture->z[0] != 1.0 || fixture->z[1] != 0.0 || fixture->z[2] != 1.0)
            fail_msg("%s: %g and %g roots, %g events", solver->name, fixture->z[0], fixture->z[1],
                     fixture->z[2]);
        assert_true(fabs(fixture->x[0] - 5.9 * EPS) <= EPS); /* the time of the event is rounded */
        support_fixture_drop(fixture);
    }
}

/* A macro-step ends by round-off before a time event: it is handled there once, and indicators are seen on
 * its far side from then on. */
static void a_time_event_behind_the_end_is_over(void **state)
{
    (void)state;
    const double end = nextafter(CHANGE, 0.0);
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_solver_fixture *fixture = make_near(JUMPING, solver);
        support_fixture_feed(fixture, end, 0);
        support_fixture_advance(fixture, 0.0, end);
        assert_true(fixture->z[0] == 2.0);
        support_fixture_feed(fixture, 0.3, 0);
        support_fixture_advance(fixture, end, 0.3);
        if (fixture->z[0] != 2.0)
            fail_msg("%s: events %g, not 2", solver->name, fixture->z[0]);
        support_event_near(solver, "x", fixture->x[0], 0.0, 1e-12);
        support_fixture_drop(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_roots_are_one_event), cmocka_unit_test(events_on_a_tiny_stretch),
        cmocka_unit_test(an_event_in_a_tiny_step), cmocka_unit_test(a_time_event_behind_the_end_is_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
