/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step of an FMU alone where none is declared. What else its run has: test_fmu_read_experiment.c. */
#include <math.h>

#include "fmu_experiment.h"
#include "support.h"
#include "unit_test.h"

static void an_own_step_makes_no_endless_run(void **state)
{
    (void)state;
    static const struct {
        double start, stop, fixed, step_size;
        const char *from;
    } runs[] = {
        {0.0, 2.0, 0.0, 0.002, "a thousandth of the run, as none that it can have is declared"},
        {0.0, 2.0, 0.5, 0.5, "fixedInternalStepSize"},
        {0.0, 1000.0, 1e-3, 1e-3, "fixedInternalStepSize"},
        {1e-5, 1e8, 1e-3, 1e5, "about a thousandth of the run, in whole steps of fixedInternalStepSize"},
        {0.0, 1e7, 3.0, 9999.0, "about a thousandth of the run, in whole steps of fixedInternalStepSize"},
    };
    for (int k = 0; k < MS_COUNT(runs); k++) {
        const ms_fmu_description d = {
            .start_time = runs[k].start,
            .stop_time = runs[k].stop,
            .step_size = NAN,
            .flags[MS_FMU_CO_SIMULATION].fixed_internal_step = runs[k].fixed,
        };
        ms_fmu_experiment found;
        ms_fmu_experiment_find(&d, MS_FMU_CO_SIMULATION, &found);
        support_near(found.step_size, runs[k].step_size, 1e-9 * runs[k].step_size);
        assert_string_equal(found.step_from, runs[k].from);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_own_step_makes_no_endless_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
