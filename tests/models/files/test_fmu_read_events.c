/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_read_events.c - events within macro-steps of an FMU for co-simulation that has event mode (FMI 3.0), also where macro-steps are
 * repeated; and time and step events of FMUs for model exchange, each of which is handled once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/integrate.h>
#include "fmu_co_simulation.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static const char flags[] = "hasEventMode=\"true\" canHandleVariableCommunicationStepSize=\"true\" "
                            "mightReturnEarlyFromDoStep=\"true\"";

/* x' = -x by Euler's method from event to event, x + 1 behind each quarter of a second: x_(n+1) = 3/4 x_n + 1. */
static void events_within_steps(void **state)
{
    static const char *const options[] = {
        "stop-time=2 step-size=0.5", "stop-time=2 step-size=1", "stop-time=2 step-size=0.25",
        "stop-time=2 step-size=0.5 scheme=zoh-iterative", "stop-time=2 step-size=0.5 scheme=gauss-seidel"};
    char path[256], text[1000];
    (void)state;
    support_decay_fmu(&(support_decay){.fmi = 3, .define = "-DJUMPS", .flags = flags}, path, sizeof path);
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"co-simulation\"}, "
             "{\"name\": \"reader\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"2*u\"}}], "
             "\"wires\": [{\"from\": \"fmu.y\", \"to\": \"reader.u\"}]}",
             path);
    for (int isolated = 0; isolated < 2; isolated++) {
        ms_model *model = support_model_read_with(
            text, &(ms_fmu_reading){.use.isolate = isolated, .probing = MS_FMU_PROBE_OFF});
        ms_system *system = support_system_of(model);
        for (int k = 0; k < MS_COUNT(options); k++) {
            const ms_options run = support_options(options[k]);
            double y[3];
            support_finish(system, &run, NULL, y);
            support_near(y[0], 4.0 - 3.0 * pow(0.75, 8), 1e-14);
        }
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
    remove(path);
}

/* Model exchange ----------------------------------------------------------------------------------------- */

/* Runs it with these options and integrates it, of both versions, here and in a process of its own: x at the end. */
static void check_exchange(const char *define, double k, const char *const *options, int n, double expected)
{
    for (int at = 0; at < 4; at++) {
        char path[256], text[1000];
        support_decay_fmu(&(support_decay){.fmi = 2 + at % 2, .define = define}, path, sizeof path);
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"model-exchange\", "
                 "\"set\": {\"k\": %g}}, {\"name\": \"reader\", \"inputs\": [\"u\"], "
                 "\"states\": {\"z\": {\"derivative\": \"u - z\"}}, "
                 "\"outputs\": {\"y\": \"z\"}}], \"wires\": [{\"from\": \"fmu.y\", \"to\": \"reader.u\"}], "
                 "\"end\": 2.05}",
                 path, k);
        ms_model *model = support_model_read_with(text, &(ms_fmu_reading){.use.isolate = at >= 2});
        ms_system *system = support_system_of(model);
        for (int m = 0; m < n; m++) {
            const ms_options run = support_options(options[m]);
            double y[2];
            support_finish(system, &run, NULL, y);
            support_near(y[0], expected, 1e-5);
        }
        ms_integration of;
        ms_error error = {""};
        ms_options all = support_options("solver=cvode-bdf solver-rtol=1e-8 solver-atol=1e-8");
        if (ms_integrate(system, &all, 1, &(ms_integrate_options){0}, &of, &error) != MS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(of.reason, MS_REASON_END_TIME);
        support_near(ms_run_series_row(&of.trajectory, of.trajectory.rows - 1)[2], expected, 1e-5);
        assert_int_equal(of.work.announced, of.time_events);
        ms_integration_destroy(&of);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
        remove(path);
    }
}

static const char *const schemes[] = {
    "step-size=0.05",
    "step-size=0.1 solver=rk4",
    "step-size=0.3 solver=gsl-rk8pd",
    "step-size=0.07 at-time-events=communicate at-events=drop",
    "step-size=0.05 scheme=f3ornits min-step=1e-3",
    "step-size=0.1 error-controlled=richardson rtol=1e-3 atol=1e-3 at-time-events=communicate",
    "step-size=0.1 scheme=ifosmondi solver-nonlinear=anderson",
    "step-size=0.1 scheme=zoh-iterative execution=parallel"};

/* 1 + 20 ticks + 100 x 6; and 10000 x 2 for times that are announced again. */
static void announced_times_are_served_once(void **state)
{
    (void)state;
    check_exchange("-DCLOCKS=0", 0.0, schemes, MS_COUNT(schemes), 621.0);
    check_exchange("-DCLOCKS=2", 0.0, schemes, MS_COUNT(schemes), 20621.0);
}

/* An FMU that asks for event mode after each step and changes nothing there is no different from one that does not. */
static void step_events_that_change_nothing_are_no_chattering(void **state)
{
    (void)state;
    static const char *const options[] = {"step-size=0.1", "step-size=1", "step-size=1 solver=gsl-rk8pd",
                                          "step-size=0.1 scheme=f3ornits min-step=1e-3"};
    check_exchange("-DASKS", 1.0, options, MS_COUNT(options), exp(-2.05));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_within_steps),
                                       cmocka_unit_test(announced_times_are_served_once),
                                       cmocka_unit_test(step_events_that_change_nothing_are_no_chattering)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
