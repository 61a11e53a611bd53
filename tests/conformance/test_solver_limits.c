/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solver_limits.c - all micro-solvers where there is no solution, nothing to integrate, or what they are
 * asked for makes no sense. */
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include "solver_fixture.h"
#include "unit_test.h"

static const ms_solver_options usual = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 64};

/* An f that is not defined from t = 1/2 on, and a pole: a named status, not a hang. */
static void test_failure(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->linear_only)
            continue;
        const ms_solver_options fine = {.rtol = 1e-6, .atol = 1e-6, .micro_steps = 2000};
        for (int i = SUPPORT_POLE; i <= SUPPORT_BROKEN; i++) {
            support_solver_fixture *fixture = support_fixture(i, solver, &fine);
            support_fixture_feed(fixture, 2.0, 0);
            if (ms_instance_step(fixture->instance, 0.0, 2.0) != MS_SOLVER_FAILED)
                fail_msg("%s does not notice that %s breaks down", solver->name,
                         fixture->instance->sub->name);
            memcpy(fixture->x, support_solver_start,
                   sizeof support_solver_start); /* and it goes on working from a good
                                                                    state */
            memset(fixture->memory, 0, sizeof fixture->memory);
            support_fixture_feed(fixture, 0.25, 0);
            support_fixture_advance(fixture, 0.0, 0.25);
            support_fixture_drop(fixture);
        }
    }
}

/* Adaptive solvers shorten a step that leaves the domain of f. */
static void test_domain(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (!solver->adaptive)
            continue;
        support_solver_fixture *fixture = support_fixture(SUPPORT_DOMAIN, solver, &usual);
        support_fixture_feed(fixture, 1.0, 0);
        ms_input_coefficients(&fixture->instance->input, 0, 0)[0] = 0.0;
        fixture->memory[0] = solver->memory > 0 ? 0.5 : 0.0; /* much too long */
        support_fixture_advance(fixture, 0.0, 1.0);
        const double rest[SUPPORT_SOLVER_NX] = {1e-4, support_solver_start[1]};
        support_fixture_near(fixture, "the equilibrium", fixture->x, rest, 1e-6);
        support_fixture_drop(fixture);
    }
}

static void refuse(int subsystem, const ms_solver *solver, ms_solver_options options, int status)
{
    ms_error error = {""};
    ms_system *system;
    ms_instance *instance;
    double x[SUPPORT_SOLVER_NX] = {1.0, 1.0}, memory[4] = {0};
    assert_int_equal(ms_system_create(&support_solver_model, NULL, NULL, 0, &system, &error), MS_OK);
    assert_int_equal(ms_instance_create(&(ms_instance_parts){.system = system,
                                                             .index = subsystem,
                                                             .solver = solver,
                                                             .options = &options,
                                                             .x = x,
                                                             .memory = memory},
                                        &instance, &error),
                     status);
    assert_null(instance);
    assert_non_null(strstr(error.text, solver->name));
    ms_system_destroy(&system);
}

static void test_refusals(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->linear_only)
            refuse(SUPPORT_PENDULUM, solver, usual, MS_UNSUPPORTED);
        if (!solver->corrects)
            refuse(solver->linear_only ? SUPPORT_LINEAR : SUPPORT_PENDULUM, solver,
                   (ms_solver_options){
                       .rtol = 1e-8, .atol = 1e-8, .micro_steps = 1, .input_change = MS_INPUT_CORRECT_1},
                   MS_UNSUPPORTED);
        if (solver->order > 0)
            refuse(SUPPORT_PENDULUM, solver, (ms_solver_options){.micro_steps = 0}, MS_INVALID);
        if (solver->adaptive) {
            refuse(SUPPORT_PENDULUM, solver, (ms_solver_options){.rtol = -1e-6, .atol = 1e-6}, MS_INVALID);
            refuse(SUPPORT_PENDULUM, solver, (ms_solver_options){.rtol = 1e-6, .atol = -1e-6}, MS_INVALID);
        }
    }
}

/* Nothing to integrate; pieces shorter than round-off; late starts; few and many samples in one place. */
static void test_corners(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (!solver->linear_only) {
            support_solver_fixture *fixture = support_fixture(SUPPORT_STATIC, solver, &usual);
            support_fixture_feed(fixture, 0.1, 1);
            support_fixture_advance(fixture, 0.0, 0.1);
            support_fixture_drop(fixture);
        }
        const int subsystem = solver->linear_only ? SUPPORT_LINEAR : SUPPORT_PENDULUM;
        support_solver_fixture *fixture = support_fixture(subsystem, solver, &usual);
        support_sample(fixture->instance, 2, (const double[]){1e-15, 1.0});
        support_fixture_feed_jump(fixture, 1e-15, 0.1, 1.0, 2.0);
        support_fixture_advance(fixture, 1000.0, 0.1);
        support_fixture_near(fixture, "a sample", fixture->instance->samples, support_solver_start, 1e-12);
        assert_memory_equal(fixture->x, fixture->instance->samples + SUPPORT_SOLVER_NX,
                            sizeof(double) * SUPPORT_SOLVER_NX);
        support_fixture_feed(fixture, 1e-13, 0);
        double before[SUPPORT_SOLVER_NX];
        memcpy(before, fixture->x, sizeof before);
        support_fixture_advance(fixture, 1000.1, 1e-13);
        support_fixture_near(fixture, "a tiny step", fixture->x, before, 1e-11);
        support_fixture_drop(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_domain),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
