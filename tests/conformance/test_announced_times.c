/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_announced_times.c - an announced time is served once, and once more where it is announced again: every scheme, every
 * micro-solver that stops at events, and integrations without communication.
 *
 * `clocks` ticks at 0.1 k, and at 0.3 j, which differ by a unit in the last place for some k = 3 j; at 0.5 it announces 0.5 twice
 * more. It announces one time after another, in z, or answers with the first one behind t. An indicator changes its sign at a tick.
 * `follower` is there for coupling. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/integrate.h>
#include <macrostep/scheme_registry.h>
#include "event_fixture.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

static const double TENTH = 0.1, THREE_TENTHS = 0.3, AGAIN = 0.5, END = 2.05;
enum { TENTHS, THIRDS, AGAINS, CROSSINGS, LEFT, COUNTS };
static bool by_mode;

static double due_of(const double *z)
{
    const double first = fmin((z[TENTHS] + 1.0) * TENTH, (z[THIRDS] + 1.0) * THREE_TENTHS);
    return z[LEFT] > 0.0 && z[TENTHS] >= 5.0 ? AGAIN : first;
}

/* The first tick behind t. */
static double next_tick(double t, const double *z, const double *p, const void *data)
{
    (void)p, (void)data;
    double k = floor(t / TENTH) - 1.0, j = floor(t / THREE_TENTHS) - 1.0;
    if (by_mode)
        return due_of(z);
    while (k * TENTH <= t || k < 1.0)
        k += 1.0;
    while (j * THREE_TENTHS <= t || j < 1.0)
        j += 1.0;
    return fmin(k * TENTH, j * THREE_TENTHS);
}

/* Counts what ticks at the time of the point, to the bit. */
static int count(const ms_point *at, const ms_event *event)
{
    double *z = event->z;
    z[CROSSINGS] += event->state ? 1.0 : 0.0;
    if (!event->time)
        return 0;
    const bool again = by_mode && at->t == AGAIN && z[TENTHS] >= 5.0;
    z[AGAINS] += again ? 1.0 : 0.0;
    z[LEFT] -= again ? 1.0 : 0.0;
    for (int k = 1; k <= 30; k++)
        z[TENTHS] += !again && k * TENTH == at->t;
    for (int j = 1; j <= 10; j++)
        z[THIRDS] += !again && j * THREE_TENTHS == at->t;
    return 0;
}

static int rise(const ms_point *at, double *dx)
{
    (void)at;
    dx[0] = 1.0;
    return 0;
}

static int at_a_tick(const ms_point *at, double *r)
{
    r[0] = at->t - 4 * TENTH;
    return 0;
}

static int follow(const ms_point *at, double *dx)
{
    dx[0] = at->u[0] - at->x[0];
    return 0;
}

static const double none_yet[] = {0.0, 0.0, 0.0, 0.0, 2.0};
static const ms_subsystem parts[] = {
    SUPPORT_SUBSYSTEM("clocks", 1, 1, 1, .nz = COUNTS, .z0 = none_yet, .f = rise, .g = support_first_state,
                      .feed_through = support_no_feed_through, .n_indicators = 1, .indicators = at_a_tick,
                      .next_time = next_tick, .handle = count),
    SUPPORT_SUBSYSTEM("follower", 1, 1, 1, .f = follow, .g = support_first_state,
                      .feed_through = support_no_feed_through)};
static const ms_model model =
    SUPPORT_MODEL("announced", parts, support_ring, .stop_time = 2.05, .step_size = 0.05);

/* Different times among those of both clocks. */
static int ticks(void)
{
    int n = 0;
    for (int k = 1; k * TENTH <= END; k++)
        n++;
    for (int j = 1; j * THREE_TENTHS <= END; j++)
        n += j * THREE_TENTHS != 3 * j * TENTH;
    return n;
}

/* Has everything been counted once? */
static void check(const char *text, const double *z, const ms_work *work)
{
    const double expected[] = {20.0, 6.0, by_mode ? 2.0 : 0.0, 1.0};
    for (int k = 0; k < MS_COUNT(expected); k++)
        if (z[k] != expected[k])
            fail_msg("%s, mode %d: z[%d] is %g, not %g", text, by_mode, k, z[k], expected[k]);
    if (work->announced != work->served)
        fail_msg("%s, mode %d: %ld announced, %ld served", text, by_mode, work->announced, work->served);
}

/* false: the scheme does not fit. */
static bool run(const ms_system *system, const char *text, bool repeats)
{
    ms_options options = support_options(text);
    char line[512];
    options.num_threads = 2;
    ms_run_result result;
    ms_error error = {""};
    if (support_refusal(system, &options, line, sizeof line) != MS_OK)
        return false;
    ms_cosim *cosim = support_cosim(system, &options);
    assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &result, &error), MS_OK);
    if (result.reason != MS_REASON_END_TIME)
        fail_msg("%s: %s", text, result.message);
    const ms_work *work = &cosim->instance[0]->work;
    check(text, cosim->instance[0]->z, work);
    const long once = ticks() + (by_mode ? 2 : 0);
    if (repeats ? work->served < once : work->served != once)
        fail_msg("%s, mode %d: %ld served, not %ld", text, by_mode, work->served, once);
    ms_cosim_destroy(&cosim);
    return true;
}

/* Step sizes that divide the ticks, that do not, and of a whole run. */
static const char *const step_sizes[] = {"0.05", "0.1", "0.3", "0.07", "2.05"};

static void every_micro_solver_serves_each_once(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&model);
    for (int mode = 0; mode < 2; mode++)
        SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    for (int h = 0; h < MS_COUNT(step_sizes); h++) {
        char text[256];
        by_mode = mode == 1;
        snprintf(text, sizeof text, "step-size=%s solver=%s solver-rtol=1e-4 solver-atol=1e-4", step_sizes[h],
                 solver->name);
        assert_true(run(system, text, false));
    }
    ms_system_destroy(&system);
}

static void every_scheme_serves_each_once(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "", "at-time-events=communicate", "execution=parallel",
        "error-controlled=richardson rtol=1e-3 atol=1e-3",
        "error-controlled=richardson at-time-events=communicate min-step=1e-3"};
    ms_system *system = support_system_of(&model);
    int taken = 0;
    for (int mode = 0; mode < 2; mode++)
        for (const ms_scheme *const *scheme = ms_schemes; *scheme != NULL; scheme++)
            for (int way = 0; way < MS_COUNT(ways); way++)
                for (int h = 0; h < MS_COUNT(step_sizes) - 1; h++) {
                    char text[256];
                    by_mode = mode == 1;
                    snprintf(text, sizeof text, "scheme=%s step-size=%s %s", (*scheme)->name, step_sizes[h],
                             ways[way]);
                    taken += run(system, text, true);
                }
    assert_true(taken >= 8 * 2 * 4 * 2);
    ms_system_destroy(&system);
}

static void so_do_integrations(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&model);
    for (int mode = 0; mode < 2; mode++)
        SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
        {
            ms_integration of;
            ms_error error = {""};
            const ms_options options =
                support_options_of("solver=%s solver-rtol=1e-4 solver-atol=1e-4%s", solver->name,
                                   solver->adaptive ? "" : " step-size=0.07");
            by_mode = mode == 1;
            if (ms_integrate(system, &options, 10, &(ms_integrate_options){0}, &of, &error) != MS_OK)
                fail_msg("%s: %s", solver->name, error.text);
            if (of.reason != MS_REASON_END_TIME)
                fail_msg("%s: %s", solver->name, of.message);
            const double *last = ms_run_series_row(&of.trajectory, of.trajectory.rows - 1);
            check(solver->name, last + 2 + 2, &of.work);
            if (of.time_events != of.work.served)
                fail_msg("%s: %ld events, %ld served", solver->name, of.time_events, of.work.served);
            ms_integration_destroy(&of);
        }
    ms_system_destroy(&system);
}

/* Of two subsystems that tick a unit in the last place apart each hears its own. */
static double next_of(double period, double t)
{
    double k = fmax(floor(t / period) - 1.0, 1.0);
    while (k * period <= t)
        k += 1.0;
    return k * period;
}

static double next_tenth(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return next_of(TENTH, t);
}

static double next_third(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return next_of(THREE_TENTHS, t);
}

static int count_times(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + 1.0;
    return event->time ? 0 : 1;
}

static void clocks_of_two_subsystems_are_apart(void **state)
{
    (void)state;
    static const ms_subsystem clocks[] = {
        SUPPORT_SUBSYSTEM("tenths", 1, 1, 1, .nz = 1, .f = follow, .g = support_first_state,
                          .feed_through = support_no_feed_through, .next_time = next_tenth,
                          .handle = count_times),
        SUPPORT_SUBSYSTEM("thirds", 1, 1, 1, .nz = 1, .f = follow, .g = support_first_state,
                          .feed_through = support_no_feed_through, .next_time = next_third,
                          .handle = count_times)};
    static const ms_model apart =
        SUPPORT_MODEL("apart", clocks, support_ring, .stop_time = 2.05, .step_size = 0.05);
    ms_system *system = support_system_of(&apart);
    ms_integration of;
    ms_error error = {""};
    const ms_options options = support_options("solver=cvode-bdf");
    assert_int_equal(ms_integrate(system, &options, 10, &(ms_integrate_options){0}, &of, &error), MS_OK);
    const double *last = ms_run_series_row(&of.trajectory, of.trajectory.rows - 1);
    assert_true(last[4] == 20.0 && last[5] == 6.0);
    ms_integration_destroy(&of);
    ms_system_destroy(&system);
}

/* What lies ahead of the end of a run is not due. */
static void what_lies_ahead_is_not_due(void **state)
{
    (void)state;
    const ms_options options = support_options("step-size=0.05 stop-time=0.05");
    ms_system *system = support_system_of(&model);
    by_mode = true;
    ms_cosim *cosim = support_cosim(system, &options);
    ms_run_result result;
    ms_error error = {""};
    assert_int_equal(ms_run(cosim, NULL, 0, NULL, NULL, &result, &error), MS_OK);
    assert_int_equal(cosim->instance[0]->work.announced, 0);
    assert_int_equal(cosim->instance[0]->work.served, 0);
    ms_cosim_destroy(&cosim);
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_micro_solver_serves_each_once),
        cmocka_unit_test(every_scheme_serves_each_once), cmocka_unit_test(so_do_integrations),
        cmocka_unit_test(clocks_of_two_subsystems_are_apart), cmocka_unit_test(what_lies_ahead_is_not_due)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
