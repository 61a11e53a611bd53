/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_simulation.c - what a simulation answers: by hand, with and without a reference, and where it diverges. */
#include <math.h>
#include <string.h>

#include <macrostep/options_set.h>
#include <macrostep/simulation.h>
#include "coupled.h"
#include "support.h"
#include "unit_test.h"

static void two_steps_are_those_by_hand(void **state)
{
    (void)state;
    ms_system *system = support_system("spring-mass", "");
    ms_options options = support_options("step-size=0.1 stop-time=0.2");
    ms_simulation_options request = {.errors = false};
    ms_simulation simulation;
    ms_error error = {""};
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    /* Two steps with hold: (1, 0) -> (1, -0.1) -> (0.99, -0.2), u = (0, -1), (-0.1, -1). */
    support_near(simulation.coupling_residual, 0.1, 1e-15);
    support_near(simulation.energy.start, 0.5, 0.0);
    support_near(simulation.energy.end, 0.5 * (0.99 * 0.99 + 0.04), 1e-14);
    support_near(simulation.energy.drift, (simulation.energy.end - 0.5) / 0.5, 1e-14);
    assert_true(simulation.energy.known);
    assert_int_equal(simulation.expected_order, 1);
    assert_int_equal(simulation.work[0].micro_steps, 2);
    assert_string_equal(simulation.options->solver, "exact");
    ms_simulation_destroy(&simulation);

    request.errors = true; /* the reference keeps its energy */
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    support_near(simulation.energy.drift, (simulation.energy.end - 0.5) / 0.5, 1e-14);
    ms_simulation_destroy(&simulation);
    support_options_add(&options, "errors=none"); /* the same run, without a reference */
    ms_simulation bare;
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    support_options_add(&options, "errors=reference");
    assert_int_equal(ms_simulation_run(system, &options, &request, &bare, &error), MS_OK);
    assert_true(simulation.errors.reference == NULL && !simulation.errors_valid && bare.errors_valid);
    assert_true(simulation.energy.end == bare.energy.end &&
                simulation.result.end_time == bare.result.end_time);
    ms_simulation_destroy(&bare);
    ms_simulation_destroy(&simulation);
    support_options_add(&options, "scheme=no-such-scheme");
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_INVALID);
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

static int order_claimed(const ms_system *system, const char *settings)
{
    const ms_options options = support_options(settings);
    ms_simulation simulation;
    ms_error error = {""};
    assert_int_equal(
        ms_simulation_run(system, &options, &(ms_simulation_options){.errors = false}, &simulation, &error),
        MS_OK);
    const int order = simulation.expected_order;
    ms_simulation_destroy(&simulation);
    return order;
}

/* The claims of schemes are of smooth solutions: an order above 1 is claimed behind an event inside a macro-step where all communicate at
 * it and no value from before is used. */
static void an_event_inside_a_macro_step_leaves_no_claim_above_1(void **state)
{
    (void)state;
    ms_system *system = support_system_of_case("impact-oscillator", "time", NULL, 0);
    const char
        *const drops = "step-size=0.01 stop-time=0.6 solver=gsl-rk8pd extrapolation-order=2 at-events=drop "
                       "at-time-events=communicate",
               *const ignores = "step-size=0.01 stop-time=0.6 solver=gsl-rk8pd extrapolation-order=2",
               *const before = "step-size=0.01 stop-time=0.4 solver=gsl-rk8pd extrapolation-order=2",
               *const held = "step-size=0.01 stop-time=0.6 solver=gsl-rk8pd";
    assert_int_equal(order_claimed(system, drops), 3);
    assert_int_equal(order_claimed(system, ignores), 0);
    assert_int_equal(order_claimed(system, before), 3);
    assert_int_equal(order_claimed(system, held), 1);
    ms_system_destroy(&system);
}

static void a_run_that_diverges_has_no_errors(void **state)
{
    (void)state;
    ms_system *system = support_system("linear-pair", "d1=3 d2=-3"); /* rho(DL) = 3 */
    const ms_options options = support_options("step-size=0.01 stop-time=1");
    const ms_simulation_options request = {.errors = true, .trajectory = true};
    ms_simulation simulation;
    ms_error error = {""};
    assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
    assert_int_equal(simulation.result.reason, MS_REASON_DIVERGED);
    assert_false(simulation.errors_valid);
    assert_false(simulation.energy.known);
    assert_int_equal(simulation.trajectory.rows,
                     simulation.result.macro_steps); /* the last step has no row */
    ms_simulation_destroy(&simulation);
    ms_system_destroy(&system);
}

/* Held inputs miss 1e-9 by far after a few of the 20 macro-steps. */
static void a_run_that_misses_what_is_wanted_by_far_is_ended(void **state)
{
    (void)state;
    static const double wanted[] = {0.0, 1.0, 1e-9};
    ms_system *system = support_system("spring-mass", "");
    const ms_options options = support_options("step-size=0.1 stop-time=2");
    ms_error error = {""};
    double max[MS_COUNT(wanted)];
    for (int k = 0; k < MS_COUNT(wanted); k++) {
        const ms_simulation_options request = {.errors = true, .wanted = wanted[k]};
        ms_simulation simulation;
        assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
        assert_int_equal(simulation.given_up, k == 2);
        assert_int_equal(simulation.errors_valid, k < 2);
        assert_int_equal(simulation.result.reason, k < 2 ? MS_REASON_END_TIME : MS_REASON_INTERRUPTED);
        assert_true(k < 2 ||
                    (simulation.result.end_time < 1.0 && simulation.errors.max > MS_GIVEN_UP * wanted[k]));
        max[k] = simulation.errors.max;
        ms_simulation_destroy(&simulation);
    }
    assert_true(max[0] == max[1] && max[2] < max[0]);
    ms_system_destroy(&system);
}

/* No polynomial follows a cosine over 0.1 s to 1e-9, and every one does so to 1: the smallest step holds nearly all macro-steps or hardly any. */
static void a_smallest_step_that_holds_the_step_control_is_noted(void **state)
{
    (void)state;
    static const char *const controls[] = {
        "scheme=f3ornits step-size=0.1", "error-controlled=oms min-step=0.1 step-size=0.1 outputs=consistent",
        "error-controlled=ecco min-step=0.001 max-step=0.001 step-size=0.001"};
    for (int k = 0; k < MS_COUNT(controls); k++) {
        ms_system *system = support_system(k < 2 ? "spring-mass" : "quarter-car", k < 2 ? "" : "case=bonded");
        for (int loose = 0; loose < 2; loose++) {
            ms_options options = support_options(controls[k]);
            support_options_add(&options,
                                loose ? "atol=1e9 rtol=1 stop-time=2" : "atol=1e-9 rtol=1e-9 stop-time=2");
            const ms_simulation_options request = {.errors = false};
            ms_simulation simulation;
            ms_error error = {""};
            assert_int_equal(ms_simulation_run(system, &options, &request, &simulation, &error), MS_OK);
            assert_int_equal(simulation.result.reason, MS_REASON_END_TIME);
            const long held = simulation.result.held, steps = simulation.result.macro_steps;
            assert_true(loose ? 10 * held < steps : 10 * held > 9 * steps);
            assert_true(loose ? simulation.note[0] == '\0'
                              : strstr(simulation.note, "`min-step` 0.") != NULL);
            ms_simulation_destroy(&simulation);
        }
        ms_system_destroy(&system);
    }
}

/* Norms that are looked at have the same bits as those of a run that has them all, and what they do not need is not there. */
static void the_norm_alone_is_the_same(void **state)
{
    (void)state;
    static const char *const norms[] = {"max", "end", "rmse", "l2"};
    ms_system *system = support_system("double-pendulum", "");
    ms_error error = {""};
    for (int k = 0; k < MS_COUNT(norms); k++) {
        ms_options options =
            support_options("stop-time=0.1 scheme=ifosmondi solver-nonlinear=newtonls solver=gsl-rk8pd");
        assert_int_equal(ms_options_set(&options, "norm", norms[k], &error), MS_OK);
        for (int scaled = 0; scaled < 2; scaled++) {
            ms_simulation_options request = {.errors = true};
            ms_simulation all, one;
            assert_int_equal(ms_simulation_run(system, &options, &request, &all, &error), MS_OK);
            request.norm_only = true;
            assert_int_equal(ms_simulation_run(system, &options, &request, &one, &error), MS_OK);
            const double wanted = ms_error_norms_of(&all.errors, options.norm);
            assert_true(all.errors_valid && one.errors_valid && wanted > 0.0);
            assert_true(ms_error_norms_of(&one.errors, options.norm) == wanted);
            assert_true(isnan(one.errors.rmse) == (k < 2 && !scaled));
            assert_false(one.energy.known);
            ms_simulation_destroy(&one);
            ms_simulation_destroy(&all);
            support_options_add(&options, "error-scale=range");
        }
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_smallest_step_that_holds_the_step_control_is_noted),
                                       cmocka_unit_test(the_norm_alone_is_the_same),
                                       cmocka_unit_test(two_steps_are_those_by_hand),
                                       cmocka_unit_test(an_event_inside_a_macro_step_leaves_no_claim_above_1),
                                       cmocka_unit_test(a_run_that_diverges_has_no_errors),
                                       cmocka_unit_test(a_run_that_misses_what_is_wanted_by_far_is_ended)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
