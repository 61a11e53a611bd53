/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_f3ornits_limits.c - the time-stepper where it meets its bounds, and what observers know of clocks that
 * end together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/cosim_start.h>
#include <macrostep/error_norms.h>
#include "sample_queue.h"
#include "support.h"
#include "unit_test.h"

static const char *const schedulers[] = {"synchronous", "asynchronous"};

/* No polynomial follows a cosine to a relative 1e-16. */
static void a_tolerance_below_round_off_ends_the_run(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    for (int k = 0; k < MS_COUNT(schedulers); k++) {
        char text[128];
        snprintf(text, sizeof text, "scheme=f3ornits rtol=1e-16 atol=1e-300 min-step=0 scheduler=%s",
                 schedulers[k]);
        const ms_options options = support_options(text);
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.reason, MS_REASON_STEP_SIZE_UNDERFLOW);
        assert_true(result.end_time > 0.0 && result.end_time < system->stop_time);
        assert_non_null(strstr(result.message, "`min-step`"));
    }
    ms_system_destroy(&system);
}

static void the_first_step_is_at_most_the_largest(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    for (int k = 0; k < MS_COUNT(schedulers); k++) {
        char text[128];
        snprintf(text, sizeof text, "scheme=f3ornits step-size=1 max-step=0.03125 scheduler=%s",
                 schedulers[k]);
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        assert_int_equal(ms_cosim_start(cosim), MS_OK);
        support_near(cosim->scheme->next_time(cosim), 0.03125, 0.0);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
}

/* A decay that takes many steps, and a constant that takes two: their own sums of the last start and the last
 * length differ by round-off in many of the runs. */
static void errors_reach_the_end_of_every_clock(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"subsystems\": [{\"name\": \"decay\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]], \"x0\": [2]},"
        " {\"name\": \"constant\", \"A\": [[0]], \"B\": [[]], \"C\": [[1]], \"x0\": [1]}],"
        " \"wires\": [[0, 1, 1]]}");
    ms_system *system = support_system_of(model);
    for (int k = 0; k < 40; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "scheme=f3ornits scheduler=asynchronous ratio-max=1e6 step-size=0.011 start-time=%.3f "
                 "stop-time=%.3f",
                 -0.37 - 0.013 * k, 0.11 + 0.007 * k);
        const ms_options options = support_options(text);
        ms_cosim *cosim = support_cosim(system, &options);
        ms_error_norms errors;
        ms_observer observer;
        ms_run_result result;
        assert_int_equal(ms_error_norms_create(cosim, 0, NULL, &errors, &observer, NULL), MS_OK);
        assert_int_equal(ms_run(cosim, &observer, 1, NULL, NULL, &result, NULL), MS_OK);
        assert_int_equal(result.reason, MS_REASON_END_TIME);
        for (int j = 0; j < system->nx; j++)
            support_near(errors.state[j].end, fabs(cosim->x[j] - ms_reference_state(errors.reference)[j]),
                         0.0);
        assert_true(errors.queue->begin == errors.queue->end);
        ms_error_norms_destroy(&errors);
        ms_cosim_destroy(&cosim);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* A rest of 8e-7 steps would be a step that nobody imposes. */
static void imposed_steps_divide_the_run_but_for_round_off(void **state)
{
    (void)state;
    static const char *const schemes[] = {"scheme=f3ornits", "scheme=f3ornits scheduler=asynchronous",
                                          "scheme=jacobi"};
    ms_system *system = support_system("three-clocks", "");
    for (int k = 0; k < MS_COUNT(schemes); k++) {
        char text[128];
        snprintf(text, sizeof text, "%s stop-time=250.0000002 step-size=0.25", schemes[k]);
        ms_options options = support_options(text);
        support_system_refuses(system, text, MS_UNSUPPORTED, "does not divide");
        support_options_add(&options, "stop-time=250");
        support_finish(system, &options, NULL, NULL);
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tolerance_below_round_off_ends_the_run),
                                       cmocka_unit_test(the_first_step_is_at_most_the_largest),
                                       cmocka_unit_test(errors_reach_the_end_of_every_clock),
                                       cmocka_unit_test(imposed_steps_divide_the_run_but_for_round_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
