/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_cvode_predictor_work.c - what the corrected predictor of CVODE does to solutions and work. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/solver_registry.h>
#include "solver_fixture.h"
#include "unit_test.h"

enum { MODES = 4 };
static const ms_input_change modes[MODES] = {MS_INPUT_RESTART, MS_INPUT_PROCEED, MS_INPUT_CORRECT_1,
                                             MS_INPUT_CORRECT_2};
static const char *const solvers[] = {"cvode-bdf", "cvode-adams"};

typedef struct subject {
    const ms_model *model;
    int subsystem;
} subject;

enum { SEGMENTS = 19 };

/* Segments of 2/19 s under inputs that jump: cos(3 n H + i), with a slope where the degree is 1. Returns the
 * largest error at their ends. */
static double drive(subject of, const char *solver, double tolerance, ms_input_change mode, int degree,
                    ms_work *work)
{
    const double h = 2.0 / SEGMENTS;
    const ms_solver_options options = {.rtol = tolerance, .atol = 0.01 * tolerance, .input_change = mode};
    const ms_solver_options tight = {.rtol = 1e-13, .atol = 1e-13};
    support_solver_fixture *fixture =
        support_fixture_of(of.model, of.subsystem, ms_solver_find(solver), &options);
    support_solver_fixture *reference = support_fixture_of(
        of.model, of.subsystem,
        support_reference_solver(fixture->instance->solver, fixture->instance->blocks != NULL), &tight);
    support_solver_fixture *both[] = {fixture, reference};
    double error = 0.0;
    assert_int_equal(fixture->instance->can.rollback, mode == MS_INPUT_RESTART);
    for (int n = 0; n < SEGMENTS; n++) {
        for (int k = 0; k < 2; k++) {
            support_fixture_feed(both[k], h, degree);
            for (int i = 0; i < both[k]->instance->sub->nu; i++) {
                ms_input_coefficients(&both[k]->instance->input, 0, 0)[i] = cos(3.0 * n * h + i);
                if (degree > 0)
                    ms_input_coefficients(&both[k]->instance->input, 0, 1)[i] = -3.0 * sin(3.0 * n * h + i);
            }
            support_fixture_advance(both[k], n * h, h);
        }
        error = fmax(error, support_distance_relative(SUPPORT_SOLVER_NX, fixture->x, reference->x));
    }
    if (work != NULL)
        *work = fixture->instance->work;
    support_fixture_drop(fixture);
    support_fixture_drop(reference);
    return error;
}

/* All modes converge to the same solution. Where the history is corrected or dropped the error follows the
 * tolerance; the history of `proceed` holds a wrong x', which the error test does not see where the steps
 * behind the jump are short, so its error falls more slowly. */
static void every_mode_gives_the_same_solution(void **state)
{
    (void)state;
    const subject subjects[] = {{ms_catalogue_find("double-pendulum"), 0},
                                {ms_catalogue_find("mass-spring-damper"), 1},
                                {&support_solver_model, SUPPORT_LINEAR},
                                {&support_solver_model, SUPPORT_PENDULUM}};
    for (int k = 0; k < MS_COUNT(subjects) * MODES * 4; k++) {
        const subject of = subjects[k / (MODES * 4)];
        const char *solver = solvers[k % 2];
        const ms_input_change mode = modes[k / 4 % MODES];
        double error[3];
        for (int e = 0; e < 3; e++) {
            const double tolerance = pow(10.0, -5.0 - 2.0 * e);
            error[e] = drive(of, solver, tolerance, mode, k / 2 % 2, NULL);
            if (mode != MS_INPUT_PROCEED && !(error[e] <= 100.0 * tolerance))
                fail_msg("%s, %s, mode %d: error %g at tolerance %g", of.model->name, solver, (int)mode,
                         error[e], tolerance);
        }
        assert_true(error[2] < (mode == MS_INPUT_PROCEED ? 0.1 : 0.01) * error[0]);
    }
}

/* The pattern of Table 7.2, and its number of Jacobians: one a segment with both derivatives corrected. */
static void corrections_save_work(void **state)
{
    (void)state;
    const subject subjects[] = {{ms_catalogue_find("double-pendulum"), 0},
                                {ms_catalogue_find("mass-spring-damper"), 1}};
    long lost_proceeding = 0, lost_corrected = 0;
    for (int k = 0; k < 8; k++) {
        ms_work work[MODES];
        for (int m = 0; m < MODES; m++) {
            drive(subjects[k / 4], solvers[k % 2], 1e-6, modes[m], k / 2 % 2, &work[m]);
        }
        const ms_work *restart = &work[0], *proceed = &work[1], *first = &work[2], *second = &work[3];
        assert_true(first->micro_steps < proceed->micro_steps);
        assert_true(second->micro_steps < first->micro_steps);
        assert_true(second->micro_steps < restart->micro_steps);
        assert_true(second->rhs_evaluations < restart->rhs_evaluations);
        assert_true(second->error_test_failures < proceed->error_test_failures);
        lost_proceeding += proceed->convergence_failures;
        lost_corrected += second->convergence_failures;
        assert_int_equal(second->jacobian_evaluations, SEGMENTS);
    }
    assert_true(lost_corrected < lost_proceeding); /* by a bad first guess, Andersson (2016), 7.2 */
}

/* Every call of f and of the Jacobian counts once. */
static void every_evaluation_counts(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int mode = 2; mode < MODES; mode++)
            for (int i = SUPPORT_PENDULUM; i <= SUPPORT_OSCILLATOR; i++) {
                const ms_solver_options options = {.rtol = 1e-7, .atol = 1e-7, .input_change = modes[mode]};
                support_solver_fixture *fixture = support_fixture(i, ms_solver_find(solvers[m]), &options);
                support_fixture_forget();
                for (int n = 0; n < 8; n++) {
                    support_fixture_feed_pieces(fixture, 0.2, n % 3, 1 + n % 4);
                    support_fixture_advance(fixture, n * 0.2, 0.2);
                }
                assert_int_equal(fixture->instance->work.rhs_evaluations, support_solver_seen.f);
                if (i == SUPPORT_PENDULUM)
                    assert_int_equal(fixture->instance->work.jacobian_evaluations,
                                     support_solver_seen.jacobian);
                support_fixture_drop(fixture);
            }
}

/* SUPPORT_DOMAIN, x' = c - 100 sqrt x, at rest with c = 1 until CVODE's steps are as long as can be; with c = 0.25
 * these lead out of the domain, and so do the shorter ones that CVODE tries before it gives up: it starts
 * anew. With s = sqrt x, c t/2 = -(q (s - s0) + q^2 ln((s - q)/(s0 - q))), q = c/100 its rest. */
static void where_cvode_gives_up_it_starts_anew(void **state)
{
    (void)state;
    const double c = 0.25, q = 0.01 * c, s0 = 0.01, s = 0.5 * s0, h = 1e5;
    const double t = -2.0 / c * (q * (s - s0) + q * q * log((s - q) / (s0 - q)));
    for (int mode = 1; mode < MODES; mode++) {
        const ms_solver_options options = {.rtol = 1e-8, .atol = 1e-16, .input_change = modes[mode]};
        support_solver_fixture *fixture =
            support_fixture(SUPPORT_DOMAIN, ms_solver_find("cvode-bdf"), &options);
        ms_instance *instance = fixture->instance;
        support_fixture_feed(fixture, h, 0);
        ms_input_coefficients(&instance->input, 0, 0)[0] = 0.0;
        support_fixture_advance(fixture, 0.0, h);
        assert_true(fabs(fixture->x[0] - s0 * s0) < 1e-11);
        support_sample(instance, 1, (const double[]){t / h});
        support_fixture_feed(fixture, h, 0);
        ms_input_coefficients(&instance->input, 0, 0)[0] = c - 1.0;
        support_fixture_advance(fixture, h, h);
        if (!(fabs(instance->samples[0] - s * s) < 1e-4 * s * s &&
              fabs(fixture->x[0] - q * q) < 1e-4 * q * q))
            fail_msg("mode %d: %.17g instead of %.17g, then %.17g", (int)modes[mode], instance->samples[0],
                     s * s, fixture->x[0]);
        support_fixture_drop(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_gives_the_same_solution),
        cmocka_unit_test(corrections_save_work),
        cmocka_unit_test(every_evaluation_counts),
        cmocka_unit_test(where_cvode_gives_up_it_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
