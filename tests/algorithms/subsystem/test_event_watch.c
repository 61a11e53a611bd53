/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_event_watch.c - events that come in pairs: an indicator that passes zero and comes back within a micro-step, in every solver
 * that stops at events. */
#include <math.h>

#include "event_fixture.h"
#include "small_model.h"
#include "unit_test.h"

static const double DEPTH = 1e-5, PI = 3.14159265358979323846;

/* GRAZING     x' = 0, indicators sin t - 1 + DEPTH and sin(t + 1) - 1 + DEPTH
 * OSCILLATOR  x'' = -x from (0, 1), an indicator x - 1 + DEPTH
 * MISSING     the same indicators with -DEPTH: they turn just before zero
 * RESTING     x' = 0 at 0.3, an indicator x - 0.3: zero but for round-off
 * QUICK       x' = 0, an indicator sin(40 t) - 1/2: many periods in a micro-step
 * KINKS       x' = 0, an indicator |sin 7t| + 1/10, and one of -1 or -2 that jumps: both keep their signs
 * z counts events. */
enum { GRAZING, OSCILLATOR, MISSING, RESTING, QUICK, KINKS };

static int rest(const ms_point *at, double *dx)
{
    dx[0] = 0.0 * at->x[0];
    return 0;
}

static int oscillate(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = -at->x[0];
    return 0;
}

static int graze(const ms_point *at, double *r)
{
    r[0] = sin(at->t) - 1.0 + DEPTH;
    r[1] = sin(at->t + 1.0) - 1.0 + DEPTH;
    return 0;
}

static int pass(const ms_point *at, double *r)
{
    r[0] = at->x[0] - 1.0 + DEPTH;
    return 0;
}

static int miss(const ms_point *at, double *r)
{
    r[0] = sin(at->t) - 1.0 - DEPTH;
    r[1] = 1.0 + DEPTH - sin(at->t + 1.0);
    return 0;
}

static int touch(const ms_point *at, double *r)
{
    r[0] = at->x[0] - 0.3;
    return 0;
}

static int swing(const ms_point *at, double *r)
{
    r[0] = sin(40.0 * at->t) - 0.5;
    return 0;
}

static int bend(const ms_point *at, double *r)
{
    r[0] = fabs(sin(7.0 * at->t)) + 0.1;
    r[1] = sin(3.0 * at->t) > 0.0 ? -1.0 : -2.0;
    return 0;
}

static int count(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + 1.0;
    return event->state ? 0 : 1;
}

static const double at_rest[] = {0.3}, swinging[] = {0.0, 1.0};
#define WATCHED(called, n, m, ...)                                                                           \
    SUPPORT_SUBSYSTEM(called, n, 0, 0, .nz = 1, .n_indicators = m, .handle = count, __VA_ARGS__)
static const ms_subsystem subsystems[] = {
    [GRAZING] = WATCHED("grazing", 1, 2, .f = rest, .indicators = graze),
    [OSCILLATOR] = WATCHED("oscillator", 2, 1, .f = oscillate, .indicators = pass, .x0 = swinging),
    [MISSING] = WATCHED("missing", 1, 2, .f = rest, .indicators = miss),
    [RESTING] = WATCHED("resting", 1, 1, .f = rest, .indicators = touch, .x0 = at_rest),
    [QUICK] = WATCHED("quick", 1, 1, .f = rest, .indicators = swing),
    [KINKS] = WATCHED("kinks", 1, 2, .f = rest, .indicators = bend)};
static const ms_model model = SUPPORT_UNCOUPLED("watched", subsystems, .stop_time = 10.0, .step_size = 1.0);

static const double step_sizes[] = {0.05, 0.1, 0.3, 1.0, 10.0};

/* Events of 10 s in macro-steps of length h. */
static support_event_log events_of(int subsystem, const ms_solver *solver, double h)
{
    support_event_log log = {0};
    static const ms_solver_options fine = {.rtol = 1e-11, .atol = 1e-11, .micro_steps = 512};
    support_solver_fixture *fixture = support_fixture_of(
        &model, subsystem, solver, subsystem == OSCILLATOR ? &fine : support_event_options(solver));
    support_event_monitor(fixture, &log);
    support_fixture_run(fixture, (int)(10.0 / h + 0.5), h);
    if (fixture->z[0] != log.n)
        fail_msg("%s: %d events, z is %g", solver->name, log.n, fixture->z[0]);
    support_fixture_drop(fixture);
    return log;
}

static void expect(const char *what, const ms_solver *solver, double h, const support_event_log *log, int n,
                   const double *times, double tolerance)
{
    if (log->n != n)
        fail_msg("%s, %s, H = %g: %d events, not %d", what, solver->name, h, log->n, n);
    for (int k = 0; k < n; k++)
        if (!(fabs(log->t[k] - times[k]) <= tolerance))
            fail_msg("%s, %s, H = %g: event %d at %.17g, not %.17g", what, solver->name, h, k, log->t[k],
                     times[k]);
}

/* sin t = 1 - DEPTH at pi/2 -+ width. */
static void both_events_of_a_pair_are_found(void **state)
{
    (void)state;
    const double width = acos(1.0 - DEPTH);
    double times[8];
    for (int k = 0; k < 8; k++)
        times[k] =
            (k < 4 ? 0.0 : 2.0 * PI) + PI / 2.0 - (k % 4 < 2 ? 1.0 : 0.0) + (k % 2 == 0 ? -width : width);
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    for (int h = 0; h < MS_COUNT(step_sizes); h++) {
        const support_event_log log = events_of(GRAZING, solver, step_sizes[h]);
        expect("grazing", solver, step_sizes[h], &log, 8, times, 1e-12);
    }
}

/* The same from states, whose errors have to be far below DEPTH: of those that can, the whole run. */
static void of_states_as_well(void **state)
{
    (void)state;
    const double width = acos(1.0 - DEPTH);
    const double times[] = {PI / 2.0 - width, PI / 2.0 + width, 2.5 * PI - width, 2.5 * PI + width};
    static const char *const solvers[] = {"cvode-bdf", "cvode-adams", "arkode-erk",  "arkode-dirk",
                                          "gsl-rk8pd", "gsl-rkf45",   "gsl-msadams", "gsl-bsimp",
                                          "radau-iia", "rk4"};
    for (int s = 0; s < MS_COUNT(solvers); s++)
        for (int h = 1; h < MS_COUNT(step_sizes) - 1; h++) {
            const ms_solver *solver = ms_solver_find(solvers[s]);
            if (!solver->adaptive && step_sizes[h] > 0.1)
                continue;
            const support_event_log log = events_of(OSCILLATOR, solver, step_sizes[h]);
            expect("oscillator", solver, step_sizes[h], &log, 4, times, 1e-4);
        }
}

static void what_turns_before_zero_is_no_event(void **state)
{
    (void)state;
    static const int quiet[] = {MISSING, RESTING, KINKS};
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    for (int k = 0; k < MS_COUNT(quiet); k++)
        for (int h = 0; h < MS_COUNT(step_sizes); h++) {
            const support_event_log log = events_of(quiet[k], solver, step_sizes[h]);
            expect(subsystems[quiet[k]].name, solver, step_sizes[h], &log, 0, NULL, 0.0);
        }
}

/* sin 40 t = 1/2 twice in each period, of which 6 and a half are in a second. */
static void many_periods_are_followed(void **state)
{
    (void)state;
    double times[SUPPORT_EVENT_LOG];
    for (int k = 0; k < 13; k++)
        times[k] = ((k - k % 2) * PI + (k % 2 == 0 ? PI / 6.0 : 5.0 * PI / 6.0)) / 40.0;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_event_log log = {0};
        support_solver_fixture *fixture =
            support_fixture_of(&model, QUICK, solver, support_event_options(solver));
        support_event_monitor(fixture, &log);
        support_fixture_run(fixture, 1, 1.0);
        support_fixture_drop(fixture);
        expect("quick", solver, 1.0, &log, 13, times, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_events_of_a_pair_are_found), cmocka_unit_test(of_states_as_well),
        cmocka_unit_test(what_turns_before_zero_is_no_event), cmocka_unit_test(many_periods_are_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
