/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_solvers.c - conformance of all micro-solvers: every test runs over the registry, so that a new
 * solver is tested on the day it is added. test_solver_limits.c goes on from here. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/solver_registry.h>
#include "solver_fixture.h"
#include "unit_test.h"

static const ms_solver_options usual = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 64};
static const ms_solver_options tight = {.rtol = 1e-12, .atol = 1e-12, .micro_steps = 4096};

/* With `usual` the first-order one would take more micro-steps than a piece may have. */
static const ms_solver_options *usual_of(const ms_solver *solver)
{
    static const ms_solver_options looser = {.rtol = 1e-7, .atol = 1e-7, .micro_steps = 64};
    return support_solver_slope(solver) > 0.5 ? &usual : &looser;
}

/* What an integration over a second or so may miss with the `usual` options. */
static double tolerance_of(const ms_solver *solver)
{
    return solver->adaptive    ? 200.0 * pow(usual_of(solver)->rtol, support_solver_slope(solver))
           : solver->order > 0 ? support_solver_miss(solver, 0.2, usual.micro_steps, 1e-4)
                               : 1e-9;
}

/* Tests -------------------------------------------------------------------------------------------------- */

static void test_registry(void **state)
{
    (void)state;
    int n = 0;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        n++;
        assert_non_null(solver->name);
        assert_non_null(solver->summary);
        assert_non_null(solver->source);
        assert_non_null(solver->create);
        assert_non_null(solver->destroy);
        assert_non_null(solver->advance);
        assert_true(solver->memory >= 0 && ms_solver_memory(solver, SUPPORT_SOLVER_NX) <= 8);
        assert_false(solver->adaptive && (solver->order > 0 || solver->linear_map));
        assert_int_equal(solver->order > 0, solver->stages > 0);
        assert_true(solver->tolerance_exponent == 0.0 || solver->adaptive);
        assert_ptr_equal(ms_solver_find(solver->name), solver);
    }
    assert_true(n >= 19);
    assert_null(ms_solver_find("no-such-solver"));
}

/* Three macro-steps against another family, input degrees 0, 1, 3. */
static void check_solution(const ms_model *of, int subsystem, const ms_solver *solver, double h)
{
    for (int degree = 0; degree <= 3; degree += degree + 1) {
        support_solver_fixture *fixture = support_fixture_of(of, subsystem, solver, usual_of(solver));
        support_solver_fixture *reference = support_fixture_of(
            of, subsystem, support_reference_solver(solver, fixture->instance->blocks != NULL), &tight);
        for (int n = 0; n < 3; n++) {
            support_fixture_feed(fixture, h, degree);
            support_fixture_feed(reference, h, degree);
            support_fixture_advance(fixture, 0.5 + n * h, h);
            support_fixture_advance(reference, 0.5 + n * h, h);
        }
        support_fixture_near(fixture, "the solution", fixture->x, reference->x, tolerance_of(solver));
        support_fixture_drop(fixture);
        support_fixture_drop(reference);
    }
}

static void test_solution(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    for (int i = SUPPORT_LINEAR; i <= SUPPORT_OSCILLATOR; i++)
        if (i == SUPPORT_LINEAR || !solver->linear_only)
            check_solution(&support_solver_model, i, solver, 0.3);
}

static void test_catalogue(void **state)
{
    (void)state;
    for (const ms_model *const *of = ms_catalogue; *of != NULL; of++) {
        ms_system *system;
        assert_int_equal(ms_system_create(*of, NULL, NULL, 0, &system, NULL), MS_OK);
        const int n = system->n;
        for (int i = 0; i < n && i < 3; i++) {
            const ms_subsystem *sub = &system->sub[i];
            SUPPORT_FOR_ALL_SOLVERS(solver)
            if (sub->nx > 0 && sub->residual == NULL && (sub->matrices != NULL || !solver->linear_only))
                check_solution(*of, i, solver, fmin(system->step_size, 0.4)); /* inputs stay positive */
        }
        ms_system_destroy(&system);
    }
}

/* log2 of the ratio of the errors with N and 2 N micro-steps. */
static void test_order(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->order == 0)
            continue;
        double error[2];
        support_solver_fixture *reference =
            support_fixture(SUPPORT_PENDULUM, support_reference_solver(solver, false), &tight);
        support_fixture_feed(reference, 1.0, 3);
        support_fixture_advance(reference, 0.0, 1.0);
        for (int k = 0; k < 2; k++) {
            const ms_solver_options options = {.micro_steps = (solver->order < 5 ? 200 : 20) << k};
            support_solver_fixture *fixture = support_fixture(SUPPORT_PENDULUM, solver, &options);
            support_fixture_feed(fixture, 1.0, 3);
            support_fixture_advance(fixture, 0.0, 1.0);
            error[k] = support_distance_relative(SUPPORT_SOLVER_NX, fixture->x, reference->x);
            support_fixture_drop(fixture);
        }
        support_fixture_drop(reference);
        const double order = log2(error[0] / error[1]);
        if (fabs(order - solver->order) > 0.1)
            fail_msg("%s has order %g, not %d", solver->name, order, solver->order);
    }
}

/* Samples are where a step of that length ends, on both sides of a jump, and taking them changes nothing. */
static void check_samples(int subsystem, const ms_solver *solver)
{
    static const double at[] = {0.11, 0.4, 0.41, 0.85, 1.0};
    const double t = 0.7, h = 0.5, jump = 0.4 * h;
    support_solver_fixture *with = support_fixture(subsystem, solver, &usual),
                           *without = support_fixture(subsystem, solver, &usual);
    support_sample(with->instance, MS_COUNT(at), at);
    for (int n = 0; n < 2; n++) { /* the second macro-step finds solvers in their stride */
        for (int k = 0; k < MS_COUNT(at) * SUPPORT_SOLVER_NX; k++)
            with->instance->samples[k] = NAN;
        support_solver_fixture *reference =
            support_fixture(subsystem, support_reference_solver(solver, subsystem == SUPPORT_LINEAR), &tight);
        support_fixture_feed_jump(with, jump, h, 2.0, -1.0);
        support_fixture_feed_jump(without, jump, h, 2.0, -1.0);
        for (int k = 0; k < MS_COUNT(at); k++) {
            const double length = at[k] * h;
            memcpy(reference->x, without->x, sizeof reference->x);
            support_fixture_feed_jump(reference, fmin(jump, length), length, 2.0, -1.0);
            if (length <= jump)
                reference->instance->input.pieces = 1;
            support_fixture_advance(reference, t + n * h, length);
            if (k == 0)
                support_fixture_advance(with, t + n * h, h);
            support_fixture_near(with, "a sample", with->instance->samples + k * SUPPORT_SOLVER_NX,
                                 reference->x, tolerance_of(solver));
        }
        support_fixture_advance(without, t + n * h, h);
        assert_memory_equal(with->x, without->x, sizeof with->x);
        assert_memory_equal(with->memory, without->memory, sizeof with->memory);
        assert_memory_equal(with->x, with->instance->samples + (MS_COUNT(at) - 1) * SUPPORT_SOLVER_NX,
                            sizeof(double) * SUPPORT_SOLVER_NX);
        support_fixture_drop(reference);
    }
    support_fixture_drop(with);
    support_fixture_drop(without);
}

static void test_samples(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    for (int i = SUPPORT_LINEAR; i <= SUPPORT_OSCILLATOR; i++)
        if (i == SUPPORT_LINEAR || !solver->linear_only)
            check_samples(i, solver);
}

/* Two pieces give what two macro-steps give; f is never asked outside the step or on a jump's wrong side. */
static void check_pieces(const ms_solver *solver, const ms_solver_options *options, double tolerance)
{
    const double t = 12.3, h = 0.7, jump = 0.21;
    support_solver_fixture *fixture = support_fixture(SUPPORT_PENDULUM, solver, options);
    support_solver_fixture *reference =
        support_fixture(SUPPORT_PENDULUM, support_reference_solver(solver, false), &tight);
    for (int n = 0; n < 3; n++) {
        const double start = t + n * h;
        support_fixture_feed(reference, jump, 0);
        ms_input_coefficients(&reference->instance->input, 0, 0)[0] = 3.0;
        support_fixture_advance(reference, start, jump);
        reference->instance->input.end[0] = h - jump;
        ms_input_coefficients(&reference->instance->input, 0, 0)[0] = -5.0;
        support_fixture_advance(reference, start + jump, h - jump);

        support_fixture_forget();
        support_solver_seen.a = 3.0;
        support_solver_seen.b = -5.0;
        support_solver_seen.jump = start + jump;
        support_fixture_feed_jump(fixture, jump, h, support_solver_seen.a, support_solver_seen.b);
        support_fixture_advance(fixture, start, h);
        support_fixture_near(fixture, "the state after a jump", fixture->x, reference->x, tolerance);
        assert_false(support_solver_seen.wrong_piece);
        assert_true(support_solver_seen.first >= start);
        assert_true(support_solver_seen.last <= (start + h) * (1.0 + 2.0 * DBL_EPSILON));
    }
    support_fixture_drop(fixture);
    support_fixture_drop(reference);
}

static void test_pieces(void **state)
{
    (void)state;
    ms_solver_options proceed = usual;
    proceed.input_change = MS_INPUT_PROCEED;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (!solver->linear_only)
            check_pieces(solver, &usual, 5.0 * tolerance_of(solver));
        if (solver->multistep)
            check_pieces(solver, &proceed, 1e-3); /* the old history is wrong after the jump */
        for (ms_input_change c = MS_INPUT_CORRECT_1; solver->corrects && c <= MS_INPUT_CORRECT_2; c++) {
            ms_solver_options correct = usual;
            correct.input_change = c;
            check_pieces(solver, &correct, 5.0 * tolerance_of(solver));
        }
    }
}

/* Same bits after a restore, in the instance that went astray meanwhile and in a fresh one. */
static void check_restore(int subsystem, const ms_solver *solver)
{
    support_solver_fixture *fixture = support_fixture(subsystem, solver, &usual),
                           *fresh = support_fixture(subsystem, solver, &usual);
    support_solver_fixture saved, after;
    assert_true(fixture->instance->can.rollback);
    for (int n = 0; n < 6; n++) {
        const double t = n * 0.3;
        saved = *fixture;
        support_fixture_feed(fixture, 0.3, 1);
        support_fixture_advance(fixture, t, 0.3);
        after = *fixture;

        support_fixture_feed(fixture, 0.17, 0); /* astray */
        support_fixture_advance(fixture, t + 0.3, 0.17);
        for (int twice = 0; twice < 2; twice++) {
            memcpy(fixture->x, saved.x, sizeof saved.x);
            memcpy(fixture->memory, saved.memory, sizeof saved.memory);
            support_fixture_feed(fixture, 0.3, 1);
            support_fixture_advance(fixture, t, 0.3);
            assert_memory_equal(fixture->x, after.x, sizeof after.x);
            assert_memory_equal(fixture->memory, after.memory, sizeof after.memory);
        }
        memcpy(fresh->x, saved.x, sizeof saved.x);
        memcpy(fresh->memory, saved.memory, sizeof saved.memory);
        support_fixture_feed(fresh, 0.3, 1);
        support_fixture_advance(fresh, t, 0.3);
        assert_memory_equal(fresh->x, after.x, sizeof after.x);
        assert_memory_equal(fresh->memory, after.memory, sizeof after.memory);
    }
    support_fixture_drop(fixture);
    support_fixture_drop(fresh);
}

static void test_restore(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    for (int i = SUPPORT_LINEAR; i <= SUPPORT_OSCILLATOR; i++)
        if (i == SUPPORT_LINEAR || !solver->linear_only)
            check_restore(i, solver);
}

/* Every call of f and of the Jacobian counts once; fixed-step solvers do what they are told. */
static void check_work(int subsystem, const ms_solver *solver)
{
    support_solver_fixture *fixture = support_fixture(subsystem, solver, &usual);
    ms_work before = {0}, *work = &fixture->instance->work;
    support_sample(fixture->instance, 1, (const double[]){0.37});
    support_fixture_forget();
    for (int n = 0; n < 4; n++) {
        before = *work;
        fixture->instance->n_places = fixture->instance->n_samples = n % 2;
        support_fixture_feed(fixture, 0.4, 0);
        support_fixture_advance(fixture, n * 0.4, 0.4);
        assert_int_equal(work->rhs_evaluations, support_solver_seen.f);
        assert_true(work->micro_steps > before.micro_steps);
        assert_true(work->rhs_evaluations >= before.rhs_evaluations + work->micro_steps - before.micro_steps);
        assert_true(work->error_test_failures >= before.error_test_failures);
        assert_true(work->convergence_failures >= before.convergence_failures);
        if (subsystem == SUPPORT_PENDULUM)
            assert_int_equal(work->jacobian_evaluations, support_solver_seen.jacobian);
        if (solver->adaptive)
            continue;
        assert_int_equal(work->micro_steps - before.micro_steps, usual.micro_steps);
        const long evaluations = work->rhs_evaluations - before.rhs_evaluations,
                   least = solver->stages * (usual.micro_steps + n % 2);
        if (solver->implicit) /* iterates */
            assert_true(evaluations >= least);
        else
            assert_int_equal(evaluations, least);
        assert_int_equal(work->error_test_failures, 0);
        assert_int_equal(work->convergence_failures, 0);
    }
    if (solver != ms_solver_of_nonlinear()) /* which asks for none where its steps are few */
        assert_int_equal(work->jacobian_evaluations > 0, solver->implicit);
    support_fixture_drop(fixture);
}

static void test_work(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->linear_only)
            continue;
        check_work(SUPPORT_PENDULUM, solver);
        check_work(SUPPORT_OSCILLATOR, solver);
    }
}

/* Implicit solvers need few steps where the step of explicit ones is bounded by the fast mode. */
static void test_stiff(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (!support_solver_stiff(solver))
            continue;
        support_solver_fixture *fixture = support_fixture(SUPPORT_STIFF, solver, &usual);
        support_fixture_feed(fixture, 1.0, 0);
        support_fixture_advance(fixture, 0.0, 1.0);
        /* x(0) = s (1, -1) + (1 - s) (1, -K) */
        const double s =
            1.0 + (support_solver_start[0] + support_solver_start[1]) / (SUPPORT_STIFFNESS - 1.0);
        const double slow[SUPPORT_SOLVER_NX] = {s * exp(-1.0), -s * exp(-1.0)};
        support_fixture_near(fixture, "the slow mode", fixture->x, slow, tolerance_of(solver));
        assert_true(fixture->instance->work.rhs_evaluations < 5000);
        support_fixture_drop(fixture);
    }
}

/* Proceeding is cheaper than restarting under the same input, and starts anew where the state was changed. */
static void test_input_change(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (!solver->multistep)
            continue;
        long evaluations[2];
        for (int k = 0; k < 2; k++) {
            ms_solver_options options = usual;
            options.input_change = k == 0 ? MS_INPUT_RESTART : MS_INPUT_PROCEED;
            support_solver_fixture *fixture = support_fixture(SUPPORT_PENDULUM, solver, &options);
            support_solver_fixture *reference =
                support_fixture(SUPPORT_PENDULUM, support_reference_solver(solver, false), &tight);
            assert_int_equal(fixture->instance->can.rollback, k == 0);
            for (int n = 0; n < 40; n++) {
                if (n == 20)
                    fixture->x[0] = reference->x[0] = -0.4;
                support_fixture_feed(fixture, 0.05, 0);
                support_fixture_feed(reference, 0.05, 0);
                support_fixture_advance(fixture, n * 0.05, 0.05);
                support_fixture_advance(reference, n * 0.05, 0.05);
            }
            support_fixture_near(fixture, "the state", fixture->x, reference->x, 4.0 * tolerance_of(solver));
            evaluations[k] = fixture->instance->work.rhs_evaluations;
            support_fixture_drop(fixture);
            support_fixture_drop(reference);
        }
        assert_true(2 * evaluations[1] < evaluations[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registry),  cmocka_unit_test(test_solution),
        cmocka_unit_test(test_catalogue), cmocka_unit_test(test_order),
        cmocka_unit_test(test_samples),   cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_restore),   cmocka_unit_test(test_work),
        cmocka_unit_test(test_stiff),     cmocka_unit_test(test_input_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
