/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cosim_events_limits.c - events in a co-simulation that accumulate, and breakpoints, which are mere changes of
 * external inputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/solver_registry.h>
#include "impact_exact.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* Chattering -------------------------------------------------------------------------------------------- */

/* x' = -1 above 0 and 1 below: once at 0 it never leaves, and has an event at every instant. */
static int chatter_f(const ms_point *at, double *dx)
{
    dx[0] = at->z[0] + 0.0 * at->u[0];
    return 0;
}

static int chatter_handle(const ms_point *at, const ms_event *event)
{
    (void)at;
    event->z[0] = event->crossed[0] > 0 ? -1.0 : 1.0;
    return 0;
}

static void chattering_ends_a_run(void **state)
{
    (void)state;
    static const double below[] = {-0.25}, up[] = {1.0};
    static const ms_subsystem subsystems[] = {
        SUPPORT_SUBSYSTEM("chatters", 1, 1, 1, .nz = 1, .x0 = below, .z0 = up, .f = chatter_f,
                          .g = support_first_state, .n_indicators = 1, .indicators = support_first_state,
                          .handle = chatter_handle),
        SUPPORT_SUBSYSTEM("quiet", 1, 1, 1, .f = support_integrate, .g = support_first_state)};
    static const ms_model model =
        SUPPORT_MODEL("chattering", subsystems, support_ring, .stop_time = 1.0, .step_size = 0.1);
    static const char *const schemes[] = {"", "scheme=gauss-seidel", "at-events=drop extrapolation-order=1"};
    ms_system *system = support_system_of(&model);
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        const ms_options options = support_options(schemes[k]);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
        support_near(result.end_time, 0.2, 1e-12); /* the event is at 0.25 */
        assert_non_null(strstr(result.message, "chatters"));
        assert_non_null(strstr(result.message, "events"));
    }
    ms_system_destroy(&system);
}

/* The stop stands before the place of rest: impacts accumulate, and the mass does not go through. */
static void impacts_that_accumulate_end_a_run(void **state)
{
    (void)state;
    ms_system *system = support_system("impact-oscillator", "case=impact s=-0.5 e=0.5");
    const ms_options options = support_options("extrapolation-order=1 stop-time=5");
    double x[4];
    const ms_run_result result = support_run(system, &options, x, NULL);
    assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
    assert_true(result.end_time > 0.5 && result.end_time < 4.0 && x[SUPPORT_IMPACT_X] < -0.49);
    assert_non_null(strstr(result.message, "oscillator"));
    ms_system_destroy(&system);
}

/* Breakpoints -------------------------------------------------------------------------------------------- */

static void stepped(double t, const double *p, const void *data, double *w)
{
    (void)p, (void)data;
    w[0] = t < 0.3 ? 1.0 : t < 0.5 ? -2.0 : 4.0;
}

static double next_step(double t, const double *z, const double *p, const void *data)
{
    (void)z, (void)p, (void)data;
    return t < 0.3 ? 0.3 : t < 0.5 ? 0.5 : INFINITY;
}

static int follow_f(const ms_point *at, double *dx)
{
    dx[0] = at->w[0];
    return 0;
}

/* x' = w, piecewise constant: every solver is exact where it sees left limits before a breakpoint and right
 * limits behind it, inside a macro-step (0.07), at its end or off it by round-off (0.1). */
static void breakpoints_have_two_sides(void **state)
{
    (void)state;
#define FOLLOWER(called)                                                                                     \
    SUPPORT_SUBSYSTEM(called, 1, 1, 1, .nw = 1, .f = follow_f, .g = support_first_state,                     \
                      .external = stepped, .next_time = next_step)
    static const ms_subsystem subsystems[] = {FOLLOWER("a"), FOLLOWER("b")};
    static const ms_model model =
        SUPPORT_MODEL("followers", subsystems, support_ring, .stop_time = 1.0, .step_size = 0.1);
    static const char *const steps[] = {"0.1", "0.07", "0.05", "0.09999999999999999"};
    ms_system *system = support_system_of(&model);
    for (int k = 0; ms_solvers[k] != NULL; k++)
        for (int m = 0; m < MS_COUNT(steps) && ms_solvers[k]->events; m++) {
            char text[96];
            double x[2];
            snprintf(text, sizeof text, "solver=%s step-size=%s", ms_solvers[k]->name, steps[m]);
            const ms_options options = support_options(text);
            support_finish(system, &options, x, NULL);
            if (fabs(x[0] - 1.9) > 1e-12) /* 0.3 - 2 0.2 + 4 0.5 */
                fail_msg("%s: %.17g", text, x[0]);
        }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chattering_ends_a_run),
        cmocka_unit_test(impacts_that_accumulate_end_a_run),
        cmocka_unit_test(breakpoints_have_two_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
