/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_events_state.c - what an event leaves behind in every solver that stops at events: samples,
 * integrals and rollback across it, allocations, failures, stiff and differential-algebraic subsystems. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "allocations.h"
#include "event_fixture.h"
#include "events.h"
#include "support.h"
#include "unit_test.h"

/* Samples, integrals, rollback --------------------------------------------------------------------------- */

/* Samples on both sides of impacts, and the integral of the velocity, which is the height. */
static void test_samples(void **state)
{
    (void)state;
    static const double at[] = {0.1, 0.3, 0.5, 0.9, 1.0};
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        ms_solver_options options = *support_event_options(solver);
        options.integrals = true;
        support_solver_fixture *fixture =
            support_fixture_of(&support_event_model, SUPPORT_BALL, solver, &options);
        const int n = fixture->instance->n_state;
        support_sample(fixture->instance, MS_COUNT(at), at);
        double height, velocity, integral = 1.25;
        for (int step = 0; step < 2; step++) {
            for (int k = 0; k < MS_COUNT(at) * n; k++)
                fixture->instance->samples[k] = NAN;
            support_fixture_feed(fixture, 1.4, 0);
            support_fixture_advance(fixture, 1.4 * step, 1.4);
            for (int k = 0; k < MS_COUNT(at); k++) {
                const double *sample = fixture->instance->samples + k * n;
                support_ball_exact(1.4 * (step + at[k]), &height, &velocity);
                support_event_near(solver, "a height", sample[0], height,
                                   10.0 * support_event_tolerance(solver));
                support_event_near(solver, "a velocity", sample[1], velocity,
                                   10.0 * support_event_tolerance(solver));
                support_event_near(solver, "an integral", integral + sample[2], height,
                                   10.0 * support_event_tolerance(solver));
            }
            assert_memory_equal(fixture->x, fixture->instance->samples + (MS_COUNT(at) - 1) * n,
                                sizeof(double) * 2);
            integral += *ms_instance_integrals(fixture->instance);
        }
        support_fixture_drop(fixture);
    }
}

/* Samples change nothing; a sample at a time event is a right limit. */
static void test_sample_at_event(void **state)
{
    (void)state;
    static const double at[] = {0.25, 0.5, 0.75, 1.0};
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_solver_fixture *with = support_event_fixture(SUPPORT_BALL, solver),
                               *without = support_event_fixture(SUPPORT_BALL, solver);
        support_sample(with->instance, MS_COUNT(at), at);
        for (int n = 0; n < 2; n++) {
            support_fixture_feed(with, 1.0, 0);
            support_fixture_feed(without, 1.0, 0);
            support_fixture_advance(with, n, 1.0);
            support_fixture_advance(without, n, 1.0);
            assert_memory_equal(with->x, without->x, sizeof with->x);
            assert_memory_equal(with->z, without->z, sizeof with->z);
            assert_memory_equal(with->memory, without->memory, sizeof with->memory);
        }
        support_fixture_drop(with);
        support_fixture_drop(without);
        support_solver_fixture *jumps = support_event_fixture(SUPPORT_JUMPS, solver);
        support_sample(jumps->instance, MS_COUNT(at), at);
        support_fixture_feed(jumps, 0.4, 0);
        support_fixture_advance(jumps, 0.0, 0.4);
        for (int k = 0; k < MS_COUNT(at); k++)
            support_event_near(solver, "a sample", jumps->instance->samples[k], k + 1.0, 1e-14);
        support_event_near(solver, "the state", jumps->x[0], 4.0, 1e-14);
        support_fixture_drop(jumps);
    }
}

/* The same bits after a restore, in the instance that went on meanwhile and in a fresh one. */
static void check_rollback(const ms_model *of, int subsystem, const ms_solver *solver, double h)
{
    support_solver_fixture *fixture =
                               support_fixture_of(of, subsystem, solver, support_event_options(solver)),
                           *fresh = support_fixture_of(of, subsystem, solver, support_event_options(solver));
    const size_t nz = sizeof fixture->z;
    for (int n = 0; n < 6; n++) {
        const support_solver_fixture saved = *fixture;
        support_solver_fixture *of_both[2] = {fixture, fresh};
        support_fixture_feed(fixture, h, 1);
        support_fixture_advance(fixture, n * h, h);
        const support_solver_fixture after = *fixture;
        support_fixture_feed(fixture, 0.6 * h, 0); /* astray */
        support_fixture_advance(fixture, (n + 1) * h, 0.6 * h);
        for (int k = 0; k < 2; k++) {
            memcpy(of_both[k]->x, saved.x, sizeof saved.x);
            memcpy(of_both[k]->z, saved.z, nz);
            memcpy(of_both[k]->memory, saved.memory, sizeof saved.memory);
            support_fixture_feed(of_both[k], h, 1);
            support_fixture_advance(of_both[k], n * h, h);
            assert_memory_equal(of_both[k]->x, after.x, sizeof after.x);
            assert_memory_equal(of_both[k]->z, after.z, nz);
            assert_memory_equal(of_both[k]->memory, after.memory, sizeof after.memory);
        }
    }
    support_fixture_drop(fixture);
    support_fixture_drop(fresh);
}

static void test_rollback(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        check_rollback(&support_event_model, SUPPORT_BALL, solver, 0.45);
        check_rollback(&support_event_model, SUPPORT_ALARMS, solver, 0.1);
        check_rollback(&support_event_model, SUPPORT_RELAY, solver, 0.4);
        check_rollback(&support_event_model, SUPPORT_COUNTER, solver, 0.4);
        check_rollback(&support_pendulum_model, SUPPORT_ANGLE, solver, 0.3);
        if (solver->residuals)
            check_rollback(&support_pendulum_model, SUPPORT_CARTESIAN, solver, 0.3);
    }
}

static long allocated_by(support_solver_fixture *fixture, double t, double h)
{
    support_fixture_feed(fixture, h, 0);
    ms_allocations_count(true);
    const int status = ms_instance_step(fixture->instance, t, h);
    const long made = ms_allocations_count(false);
    assert_int_equal(status, MS_OK);
    return made;
}

static void test_allocation(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        if (solver->allocates)
            continue; /* GSL's LU decomposition allocates */
        support_solver_fixture *fixture = support_event_fixture(SUPPORT_BALL, solver);
        support_fixture_advance(fixture, 0.0, 0.2); /* SUNDIALS clones vectors in the first step ever */
        for (int n = 1; n < 10; n++)
            if (allocated_by(fixture, 0.2 * n, 0.2) > 0)
                fail_msg("%s allocates in macro-step %d", solver->name, n);
        support_fixture_drop(fixture);
    }
}

/* Failures ----------------------------------------------------------------------------------------------- */

static void test_failures(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_solver_fixture *sliding = support_event_fixture(SUPPORT_SLIDING, solver),
                               *stuck = support_event_fixture(SUPPORT_STUCK, solver);
        support_fixture_feed(sliding, 2.0, 0);
        if (ms_instance_step(sliding->instance, 0.0, 2.0) != MS_SOLVER_FAILED)
            fail_msg("%s does not fail", solver->name);
        const char *why = sliding->instance->events->failure;
        if (why == NULL || strstr(why, "chattering") == NULL)
            fail_msg("%s fails because %s", solver->name, why != NULL ? why : "of itself");
        support_fixture_feed(stuck, 2.0, 0);
        assert_int_equal(ms_instance_step(stuck->instance, 0.0, 2.0), MS_SOLVER_FAILED);
        assert_non_null(strstr(stuck->instance->events->failure, "time event"));
        support_fixture_drop(sliding);
        support_fixture_drop(stuck);
    }
}

static void refuse(const ms_model *of, int subsystem, const ms_solver *solver, const char *text)
{
    ms_error error = {""};
    ms_instance *instance;
    double x[SUPPORT_FIXTURE_STATES] = {0.0}, z[SUPPORT_FIXTURE_STATES] = {0.0}, memory[4] = {0.0};
    ms_system *system = support_system_of(of);
    assert_int_equal(ms_instance_create(&(ms_instance_parts){.system = system,
                                                             .index = subsystem,
                                                             .solver = solver,
                                                             .options = support_event_options(solver),
                                                             .x = x,
                                                             .z = z,
                                                             .memory = memory},
                                        &instance, &error),
                     MS_UNSUPPORTED);
    assert_non_null(strstr(error.text, solver->name));
    assert_non_null(strstr(error.text, text));
    ms_system_destroy(&system);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse(&support_event_model, SUPPORT_LINEAR_BALL, ms_solver_find("exact"), "events");
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++)
        if (!(*solver)->residuals && !(*solver)->linear_only)
            refuse(&support_pendulum_model, SUPPORT_CARTESIAN, *solver, "ida");
}

/* Stiff, and differential-algebraic ---------------------------------------------------------------------- */

/* x = (K^2 cos t + K sin t) / (1 + K^2) + c e^-K t for x' = -K (x - cos t). */
static double fast_exact(double t)
{
    const double K = 1000.0, scale = 1.0 / (1.0 + K * K);
    return (K * K * cos(t) + K * sin(t)) * scale + (1.0 - K * K * scale) * exp(-K * t);
}

static void test_stiff(void **state)
{
    (void)state;
    double low = 0.5, high = 0.8; /* of the root of x = 0.8, by bisection */
    while (high - low > 4.0 * DBL_EPSILON) {
        const double middle = 0.5 * (low + high);
        if (fast_exact(middle) > 0.8)
            low = middle;
        else
            high = middle;
    }
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        if (!solver->implicit)
            continue;
        support_solver_fixture *fixture = support_event_fixture(SUPPORT_FAST, solver);
        support_fixture_run(fixture, 4, 0.25);
        assert_true(fixture->z[0] == 1.0);
        support_event_near(solver, "the time of the event", fixture->z[1], high,
                           support_event_tolerance(solver));
        support_event_near(solver, "the state", fixture->x[0], fast_exact(1.0),
                           support_event_tolerance(solver));
        support_fixture_drop(fixture);
    }
}

/* An event ends the history of a multistep method, even where it changes no state: what proceeds over one
 * macro-step and from an event at its end has the same bits as what restarts. */
static void test_history(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS_WITH_EVENTS(solver)
    {
        support_solver_fixture *fixture[2];
        for (int k = 0; k < 2 && solver->multistep; k++) {
            ms_solver_options options = *support_event_options(solver);
            options.input_change = k == 0 ? MS_INPUT_RESTART : MS_INPUT_PROCEED;
            fixture[k] = support_fixture_of(&support_event_model, SUPPORT_PULSES, solver, &options);
            for (int n = 0; n < 2; n++) {
                support_fixture_feed(fixture[k], 0.3, 0);
                support_fixture_advance(fixture[k], 0.3 * n, 0.3);
            }
            support_event_near(solver, "x", fixture[k]->x[0], 0.0, support_event_tolerance(solver));
        }
        if (!solver->multistep)
            continue;
        assert_memory_equal(fixture[0]->x, fixture[1]->x, sizeof fixture[0]->x);
        assert_int_equal(fixture[0]->instance->work.micro_steps, fixture[1]->instance->work.micro_steps);
        support_fixture_drop(fixture[0]);
        support_fixture_drop(fixture[1]);
    }
}

/* The pendulum of index 1 against its angle: states, the algebraic variable, events; from a wrong start
 * value of lambda, in each macro-step anew and going on. */
static void test_algebraic(void **state)
{
    (void)state;
    double roots[SUPPORT_EVENT_LOG];
    const int n = support_event_roots(2.0, roots);
    for (int change = MS_INPUT_RESTART; change <= MS_INPUT_PROCEED; change++) {
        ms_solver_options options = {.rtol = 1e-9, .atol = 1e-9, .input_change = (ms_input_change)change};
        support_event_log log = {0};
        support_solver_fixture *fixture =
            support_fixture_of(&support_pendulum_model, SUPPORT_CARTESIAN, ms_solver_find("ida"), &options);
        options = (ms_solver_options){.rtol = 1e-12, .atol = 1e-12};
        support_solver_fixture *angle =
            support_fixture_of(&support_pendulum_model, SUPPORT_ANGLE, ms_solver_find("gsl-rk8pd"), &options);
        assert_int_equal(fixture->instance->can.output_derivatives, 0);
        support_event_monitor(fixture, &log);
        for (int k = 0; k < 10; k++) {
            support_fixture_feed(fixture, 0.2, 0);
            support_fixture_feed(angle, 0.2, 0);
            support_fixture_advance(fixture, 0.2 * k, 0.2);
            support_fixture_advance(angle, 0.2 * k, 0.2);
            const double theta = angle->x[0], omega = angle->x[1];
            const double expected[5] = {sin(theta), -cos(theta), omega * cos(theta), omega * sin(theta),
                                        omega * omega + 9.81 * cos(theta)};
            for (int i = 0; i < 5; i++)
                support_event_near(fixture->instance->solver, "a variable", fixture->x[i], expected[i], 1e-6);
        }
        assert_int_equal(log.n, n);
        for (int k = 0; k < n; k++)
            support_event_near(fixture->instance->solver, "the time of a root", log.t[k], roots[k], 1e-6);
        assert_true(fixture->instance->work.jacobian_evaluations > 0);
        support_fixture_drop(fixture);
        support_fixture_drop(angle);
    }
}

int main(void)
{
    ms_allocations_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),  cmocka_unit_test(test_sample_at_event),
        cmocka_unit_test(test_rollback), cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_stiff),    cmocka_unit_test(test_history),
        cmocka_unit_test(test_algebraic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
