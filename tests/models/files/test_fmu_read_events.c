/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_read_events.c - events within macro-steps of an FMU for co-simulation that has event mode (FMI 3.0), also where macro-steps are
 * repeated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    ms_fmu_probing_is(MS_FMU_PROBE_OFF);
    for (int isolated = 0; isolated < 2; isolated++) {
        ms_fmu_isolate(isolated);
        ms_model *model = support_model_read(text);
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
    ms_fmu_isolate(false);
    ms_fmu_probing_is(MS_FMU_PROBE_ON);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_within_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
