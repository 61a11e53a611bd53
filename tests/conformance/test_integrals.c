/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_integrals.c - int y dt over each macro-step by all micro-solvers, against the exponential of a larger
 * matrix, closed forms, and quadrature of samples; and the states, which must not notice it. */
#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include <macrostep/instance_step.h>
#include <macrostep/solver_registry.h>
#include "exact_piece.h"
#include "solver_fixture.h"
#include "unit_test.h"

static const ms_solver_options usual = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 64, .integrals = true};
static const ms_solver_options plain = {.rtol = 1e-8, .atol = 1e-8, .micro_steps = 64};
static const ms_solver_options tight = {.rtol = 1e-12, .atol = 1e-12, .micro_steps = 4096};

/* What an integral over a macro-step may miss with the `usual` options. */
static double tolerance_of(const ms_solver *solver)
{
    return solver->adaptive    ? 150.0 * pow(usual.rtol, support_solver_slope(solver))
           : solver->order > 0 ? support_solver_miss(solver, 0.1, 2 * usual.micro_steps, 1e-7)
                               : 2e-13;
}

/* Helpers ------------------------------------------------------------------------------------------------ */

static void assert_integrals(const support_solver_fixture *fixture, const double *q, const double *reference,
                             double tolerance)
{
    const double d = support_distance_relative(fixture->instance->sub->ny, q, reference);
    if (!(d <= tolerance))
        fail_msg("%s on %s: an integral is off by %g, tolerance %g", fixture->instance->solver->name,
                 fixture->instance->sub->name, d, tolerance);
}

enum { GAUSS_POINTS = 16 };

/* The integrals of a macro-step from the state of `bench` under its input, from the states at 16 Gauss
 * points a piece that a solver finds which does not integrate outputs. */
static void sampled_integrals(const ms_model *of, int subsystem, const support_solver_fixture *fixture,
                              double t, double *q)
{
    const ms_subsystem *sub = fixture->instance->sub;
    const ms_input *input = &fixture->instance->input;
    support_solver_fixture *reference =
        support_fixture_of(of, subsystem, support_reference_solver(fixture->instance->solver, false), &tight);
    ms_instance *instance = reference->instance;
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(GAUSS_POINTS);
    double fraction[GAUSS_POINTS], weight[GAUSS_POINTS], u[8], du[8], y[8], w[8];
    assert_non_null(table);
    memcpy(reference->x, fixture->x, sizeof reference->x);
    for (int k = 0; k < GAUSS_POINTS; k++)
        gsl_integration_glfixed_point(0.0, 1.0, (size_t)k, &fraction[k], &weight[k], table);
    support_sample(instance, GAUSS_POINTS, fraction);
    instance->input.degree = input->degree;
    memset(q, 0, sizeof(double) * (size_t)sub->ny);
    for (int piece = 0; piece < input->pieces; piece++) {
        const double begin = ms_input_begin(input, piece), h = input->end[piece] - begin;
        instance->input.end[0] = h;
        memcpy(ms_input_coefficients(&instance->input, 0, 0), ms_input_coefficients(input, piece, 0),
               sizeof(double) * (size_t)(input->n * (input->degree + 1)));
        support_fixture_advance(reference, t + begin, h);
        for (int k = 0; k < GAUSS_POINTS; k++) {
            const double tau = begin + instance->sample_at[k] * h;
            ms_input_evaluate(input, piece, 0, tau, u);
            ms_input_evaluate(input, piece, 1, tau, du);
            ms_point at = {.t = t + tau, .x = instance->samples + k * sub->nx, .u = u, .du = du};
            assert_int_equal(ms_subsystem_g(reference->system, subsystem, &at, w, y), 0);
            for (int j = 0; j < sub->ny; j++)
                q[j] += weight[k] * h * y[j];
        }
    }
    gsl_integration_glfixed_table_free(table);
    support_fixture_drop(reference);
}

/* Tests -------------------------------------------------------------------------------------------------- */

/* Macro-steps under inputs of all degrees and with up to four pieces. */
static void check_linear(int subsystem, const ms_solver *solver, int degree, int pieces)
{
    support_solver_fixture *fixture = support_fixture_of(&support_integrals_model, subsystem, solver, &usual);
    const ms_input *input = &fixture->instance->input;
    const double h = 0.3, t = 0.5;
    double x[2] = {support_solver_start[0], support_solver_start[1]};
    for (int n = 0; n < 3; n++) {
        double q[SUPPORT_FULL_OUTPUTS] = {0.0};
        support_fixture_feed_pieces(fixture, h, degree, pieces);
        support_fixture_advance(fixture, t + n * h, h);
        for (int j = 0; j < pieces; j++) {
            const double begin = ms_input_begin(input, j);
            support_exact_piece(input, j, subsystem == SUPPORT_FULL, t + n * h + begin, input->end[j] - begin,
                                x, q);
        }
        support_fixture_near(fixture, "the state", fixture->x, x, tolerance_of(solver));
        assert_integrals(fixture, ms_instance_integrals(fixture->instance), q, tolerance_of(solver));
    }
    support_fixture_drop(fixture);
}

static void test_linear(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    for (int degree = 0; degree <= MS_INPUT_DEGREE; degree++)
        for (int pieces = 1; pieces <= MS_INPUT_PIECES; pieces++) {
            check_linear(SUPPORT_FULL, solver, degree, pieces);
            check_linear(SUPPORT_FIXED, solver, degree, pieces);
        }
}

/* Nonlinear subsystems, one whose output rates are fast beside the states' and two with feed-through. */
static void check_nonlinear(const ms_model *of, int subsystem, const ms_solver *solver, double h)
{
    support_solver_fixture *fixture = support_fixture_of(of, subsystem, solver, &usual);
    double q[8];
    for (int n = 0; n < 3; n++) {
        support_fixture_feed_pieces(fixture, h, n, n + 1);
        sampled_integrals(of, subsystem, fixture, 0.7 + n * h, q);
        support_fixture_advance(fixture, 0.7 + n * h, h);
        assert_integrals(fixture, ms_instance_integrals(fixture->instance), q, tolerance_of(solver));
    }
    support_fixture_drop(fixture);
}

static void test_nonlinear(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->linear_only)
            continue;
        check_nonlinear(&support_integrals_model, SUPPORT_CURVED, solver, 0.3);
        for (int i = 0; i < 2; i++)
            check_nonlinear(ms_catalogue_find("double-pendulum"), i, solver, 0.1);
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
        double error[2], q[SUPPORT_FULL_OUTPUTS];
        for (int k = 0; k < 2; k++) {
            const ms_solver_options options = {.micro_steps = (solver->order < 5 ? 100 : 8) << k,
                                               .integrals = true};
            support_solver_fixture *fixture =
                support_fixture_of(&support_integrals_model, SUPPORT_CURVED, solver, &options);
            support_fixture_feed_pieces(fixture, 0.8, 3, 2);
            sampled_integrals(&support_integrals_model, SUPPORT_CURVED, fixture, 0.0, q);
            support_fixture_advance(fixture, 0.0, 0.8);
            error[k] = support_distance_relative(2, ms_instance_integrals(fixture->instance), q);
            support_fixture_drop(fixture);
        }
        const double order = log2(error[0] / error[1]);
        if (fabs(order - solver->order) > 0.15)
            fail_msg("integrals of %s have order %g, not %d", solver->name, order, solver->order);
    }
}

/* Steps, and with them the states, are those without integrals, bit for bit. */
static void check_states(const ms_model *of, int subsystem, const ms_solver *solver, ms_input_change change)
{
    ms_solver_options options[2] = {plain, usual};
    options[0].input_change = options[1].input_change = change;
    support_solver_fixture *without = support_fixture_of(of, subsystem, solver, &options[0]);
    support_solver_fixture *with = support_fixture_of(of, subsystem, solver, &options[1]),
                           *of_both[2] = {without, with};
    const int nx = with->instance->sub->nx, n = with->instance->n_state;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 2; i++) {
            support_sample(of_both[i]->instance, k % 2 == 0 ? 2 : 0, (const double[]){0.37, 1.0});
            support_fixture_feed_pieces(of_both[i], 0.3, k % 4, 1 + k % 3);
            support_fixture_advance(of_both[i], k * 0.3, 0.3);
        }
        assert_memory_equal(with->x, without->x, sizeof with->x);
        assert_memory_equal(with->memory, without->memory, sizeof with->memory);
        for (int i = 0; i < with->instance->n_samples; i++)
            assert_memory_equal(with->instance->samples + i * n, without->instance->samples + i * nx,
                                sizeof(double) * (size_t)nx);
        const ms_work *a = &with->instance->work, *b = &without->instance->work;
        assert_int_equal(a->micro_steps, b->micro_steps);
        assert_int_equal(a->error_test_failures, b->error_test_failures);
        if (solver->library == MS_LIBRARY_GSL) /* which asks for it on the way to the nodes, too */
            assert_true(a->jacobian_evaluations >= b->jacobian_evaluations);
        else
            assert_int_equal(a->jacobian_evaluations, b->jacobian_evaluations);
    }
    support_fixture_drop(with);
    support_fixture_drop(without);
}

static void test_states(void **state)
{
    (void)state;
    static const ms_input_change changes[] = {MS_INPUT_RESTART, MS_INPUT_PROCEED, MS_INPUT_CORRECT_1,
                                              MS_INPUT_CORRECT_2};
    SUPPORT_FOR_ALL_SOLVERS(solver)
    for (int k = 0; k < (solver->corrects ? 4 : solver->multistep ? 2 : 1); k++) {
        check_states(&support_integrals_model, SUPPORT_FULL, solver, changes[k]);
        check_states(&support_integrals_model, SUPPORT_FIXED, solver, changes[k]);
        check_states(&support_solver_model, SUPPORT_LINEAR, solver, changes[k]);
        for (int i = SUPPORT_PENDULUM; i <= SUPPORT_STIFF && !solver->linear_only; i++)
            if (i < SUPPORT_STIFF || (solver->stiff && support_solver_slope(solver) == 1.0))
                check_states(&support_solver_model, i, solver, changes[k]);
    }
}

/* Where steps are long because the states are simple, integrals are still right. */
static void test_line(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->order > 0 && solver->order < 4) /* cubics are not exact */
            continue;
        support_solver_fixture *fixture =
            support_fixture_of(&support_integrals_model, SUPPORT_LINE, solver, &usual);
        const double h = 0.5, x1 = support_line_start[0], v = support_line_start[1];
        support_fixture_feed(fixture, h, 3); /* 1 - 2 s + 3 s^2 - 4 s^3 */
        support_fixture_advance(fixture, 0.0, h);
        const double q[2] = {1e6 * (x1 * h + v * h * h / 2.0), 1e6 * (h - h * h + h * h * h - h * h * h * h)};
        assert_integrals(fixture, ms_instance_integrals(fixture->instance), q, 1e-13);
        support_fixture_drop(fixture);
    }
}

/* A static subsystem; and one that has nothing to integrate. */
static void test_static(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        const double t = 0.4, h = 0.6, tolerance = solver->adaptive ? 1e-13 : tolerance_of(solver);
        support_solver_fixture *fixture =
            support_fixture_of(&support_integrals_model, SUPPORT_STATELESS, solver, &usual);
        support_fixture_feed(fixture, h, 1); /* 1 - 2 s */
        support_fixture_advance(fixture, t, h);
        const double u = h - h * h, w = (cos(3.0 * t) - cos(3.0 * (t + h))) / 6.0, wave[2] = {2.0 * u, u + w};
        assert_integrals(fixture, ms_instance_integrals(fixture->instance), wave, tolerance);
        support_fixture_drop(fixture);
        if (solver->linear_only)
            continue;

        fixture = support_fixture_of(&support_integrals_model, SUPPORT_SQUARE, solver, &usual);
        support_fixture_feed_jump(fixture, 0.2, h, 2.0, -3.0);
        support_sample(fixture->instance, 1, (const double[]){0.2 / 0.6});
        support_fixture_advance(fixture, t, h);
        const double still[2] = {4.0 * 0.2 + 9.0 * 0.4 + (cos(5.0 * t) - cos(5.0 * (t + h))) / 5.0, 0.0};
        assert_integrals(fixture, ms_instance_integrals(fixture->instance), still, tolerance);
        const double before[2] = {4.0 * 0.2 + (cos(5.0 * t) - cos(5.0 * (t + 0.2))) / 5.0, 0.0};
        assert_integrals(fixture, fixture->instance->samples, before, tolerance);
        support_fixture_drop(fixture);

        fixture = support_fixture_of(&support_integrals_model, SUPPORT_MUTE, solver, &usual);
        support_fixture_feed(fixture, h, 1);
        support_fixture_advance(fixture, t, h);
        support_fixture_drop(fixture);
    }
}

/* Samples of integrals are integrals up to there, and those of the macro-step at its end. */
static void check_samples(const ms_model *of, int subsystem, const ms_solver *solver)
{
    static const double at[] = {0.11, 0.4, 0.41, 0.85, 1.0};
    const double h = 0.5, jump = 0.4 * h;
    support_solver_fixture *fixture = support_fixture_of(of, subsystem, solver, &usual);
    support_solver_fixture *reference = support_fixture_of(of, subsystem, solver, &usual);
    const int nx = fixture->instance->sub->nx, n = fixture->instance->n_state;
    support_sample(fixture->instance, MS_COUNT(at), at);
    support_fixture_feed_jump(fixture, jump, h, 2.0, -1.0);
    support_fixture_advance(fixture, 0.7, h);
    for (int k = 0; k < MS_COUNT(at); k++) {
        memcpy(reference->x, support_solver_start, sizeof support_solver_start);
        reference->memory[0] = 0.0;
        support_fixture_feed_jump(reference, fmin(jump, at[k] * h), at[k] * h, 2.0, -1.0);
        reference->instance->input.pieces = at[k] * h <= jump ? 1 : 2;
        support_fixture_advance(reference, 0.7, at[k] * h);
        assert_integrals(fixture, fixture->instance->samples + k * n + nx,
                         ms_instance_integrals(reference->instance), 10.0 * tolerance_of(solver));
    }
    assert_memory_equal(fixture->instance->samples + (MS_COUNT(at) - 1) * n + nx,
                        ms_instance_integrals(fixture->instance), sizeof(double) * (size_t)(n - nx));
    support_fixture_drop(fixture);
    support_fixture_drop(reference);
}

static void test_samples(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (solver->linear_only)
        check_samples(&support_solver_model, SUPPORT_LINEAR, solver);
    else
        check_samples(&support_integrals_model, SUPPORT_CURVED, solver);
}

/* Same bits after a restore, in the instance that went astray meanwhile and in a fresh one. */
static void test_restore(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        const int subsystem = solver->linear_only ? SUPPORT_FULL : SUPPORT_CURVED;
        support_solver_fixture *fixture =
            support_fixture_of(&support_integrals_model, subsystem, solver, &usual);
        support_solver_fixture *fresh =
                                   support_fixture_of(&support_integrals_model, subsystem, solver, &usual),
                               *both[2] = {fixture, fresh};
        const size_t size = sizeof(double) * (size_t)fixture->instance->sub->ny;
        for (int n = 0; n < 4; n++) {
            const double t = n * 0.3;
            const support_solver_fixture saved = *fixture;
            double q[SUPPORT_FULL_OUTPUTS];
            support_fixture_feed_pieces(fixture, 0.3, 2, 2);
            support_fixture_advance(fixture, t, 0.3);
            const support_solver_fixture after = *fixture;
            memcpy(q, ms_instance_integrals(fixture->instance), size);
            support_fixture_feed_pieces(fixture, 0.17, 0, 1); /* astray */
            support_fixture_advance(fixture, t + 0.3, 0.17);
            for (int k = 0; k < 2; k++) {
                memcpy(both[k]->x, saved.x, sizeof saved.x);
                memcpy(both[k]->memory, saved.memory, sizeof saved.memory);
                support_fixture_feed_pieces(both[k], 0.3, 2, 2);
                support_fixture_advance(both[k], t, 0.3);
                assert_memory_equal(both[k]->x, after.x, sizeof after.x);
                assert_memory_equal(both[k]->memory, after.memory, sizeof after.memory);
                assert_memory_equal(ms_instance_integrals(both[k]->instance), q, size);
            }
        }
        support_fixture_drop(fixture);
        support_fixture_drop(fresh);
    }
}

/* Solvers that proceed begin each macro-step with integrals of zero. */
static void test_proceed(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (!solver->multistep)
            continue;
        ms_solver_options proceed = usual;
        proceed.input_change = MS_INPUT_PROCEED;
        support_solver_fixture *fixture =
            support_fixture_of(&support_integrals_model, SUPPORT_CURVED, solver, &proceed);
        double q[SUPPORT_FULL_OUTPUTS];
        for (int n = 0; n < 20; n++) {
            support_fixture_feed_pieces(fixture, 0.05, 0, 1);
            sampled_integrals(&support_integrals_model, SUPPORT_CURVED, fixture, n * 0.05, q);
            support_fixture_advance(fixture, n * 0.05, 0.05);
            assert_integrals(fixture, ms_instance_integrals(fixture->instance), q, tolerance_of(solver));
        }
        support_fixture_drop(fixture);
    }
}

/* x1 = s e^-t + (1 - s) e^(-K t) by implicit methods, whose steps are long beside 1 / K. */
static void test_stiff(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (!support_solver_stiff(solver))
            continue;
        support_solver_fixture *fixture = support_fixture(SUPPORT_STIFF, solver, &usual);
        const double s =
            1.0 + (support_solver_start[0] + support_solver_start[1]) / (SUPPORT_STIFFNESS - 1.0);
        for (int n = 0; n < 4; n++) {
            support_fixture_feed(fixture, 0.25, 0);
            support_fixture_advance(fixture, 0.25 * n, 0.25);
            const double a = 0.25 * n, b = a + 0.25;
            const double q =
                s * (exp(-a) - exp(-b)) +
                (1.0 - s) * (exp(-SUPPORT_STIFFNESS * a) - exp(-SUPPORT_STIFFNESS * b)) / SUPPORT_STIFFNESS;
            assert_integrals(fixture, ms_instance_integrals(fixture->instance), &q, 1e-7);
        }
        assert_true(fixture->instance->work.rhs_evaluations <
                    SUPPORT_STIFFNESS / 4); /* explicit ones: SUPPORT_STIFFNESS */
        support_fixture_drop(fixture);
    }
}

/* u = P(tau) / x with P = 3 - 2 tau gives x^2 = x0^2 + 2 (3 tau - tau^2); int x dt by quadrature. */
static void test_law(void **state)
{
    (void)state;
    gsl_integration_glfixed_table *table = gsl_integration_glfixed_table_alloc(32);
    assert_non_null(table);
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->linear_only)
            continue;
        support_solver_fixture *fixture =
            support_fixture_of(&support_integrals_model, SUPPORT_LAW, solver, &usual);
        const double h = 0.8;
        double q = 0.0;
        support_fixture_feed(fixture, h, 0);
        assert_int_equal(ms_instance_allow_laws(fixture->instance), MS_OK);
        fixture->instance->law[0] = (ms_input_law){.active = true, .gain = 1.0, .power = {3.0, -2.0}};
        fixture->instance->n_laws = 1;
        support_fixture_advance(fixture, 10.0, h);
        for (size_t k = 0; k < 32; k++) {
            double tau, weight;
            gsl_integration_glfixed_point(0.0, h, k, &tau, &weight, table);
            q += weight *
                 sqrt(support_solver_start[0] * support_solver_start[0] + 2.0 * (3.0 * tau - tau * tau));
        }
        const double x = sqrt(support_solver_start[0] * support_solver_start[0] + 2.0 * (3.0 * h - h * h));
        support_fixture_near(fixture, "the state", fixture->x, &x, tolerance_of(solver));
        assert_integrals(fixture, ms_instance_integrals(fixture->instance), &q, tolerance_of(solver));
        support_fixture_drop(fixture);
    }
    gsl_integration_glfixed_table_free(table);
}

/* A step that leaves the domain of f is shortened, a breakdown is noticed, and a tiny piece counts. */
static void test_corners(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    {
        if (solver->linear_only)
            continue;
        support_solver_fixture *fixture = support_fixture(SUPPORT_BROKEN, solver, &usual);
        support_fixture_feed(fixture, 2.0, 0);
        assert_int_equal(ms_instance_step(fixture->instance, 0.0, 2.0), MS_SOLVER_FAILED);
        support_fixture_drop(fixture);

        fixture = support_fixture_of(&support_integrals_model, SUPPORT_CURVED, solver, &usual);
        support_fixture_feed_jump(fixture, 1e-14, 0.2, 1.0, 2.0);
        double q[SUPPORT_FULL_OUTPUTS];
        fixture->instance->input.pieces = 1;
        fixture->instance->input.end[0] = 1e-14;
        support_fixture_advance(fixture, 1000.0, 1e-14);
        for (int j = 0; j < 2; j++) /* y = (x1 x2 + u sin t, exp x1) */
            q[j] = 1e-14 * (j == 0 ? support_solver_start[0] * support_solver_start[1] + sin(1000.0)
                                   : exp(support_solver_start[0]));
        for (int j = 0; j < 2; j++)
            assert_true(fabs(ms_instance_integrals(fixture->instance)[j] / q[j] - 1.0) < 1e-8);
        support_fixture_drop(fixture);

        if (!solver->adaptive)
            continue;
        fixture = support_fixture(SUPPORT_DOMAIN, solver, &usual);
        support_fixture_feed(fixture, 1.0, 0);
        ms_input_coefficients(&fixture->instance->input, 0, 0)[0] = 0.0;
        fixture->memory[0] = solver->memory > 0 ? 0.5 : 0.0; /* much too long */
        support_fixture_advance(fixture, 0.0, 1.0);
        support_solver_fixture *reference =
            support_fixture(SUPPORT_DOMAIN, support_reference_solver(solver, false),
                            &(ms_solver_options){.rtol = 1e-11, .atol = 1e-11, .integrals = true});
        support_fixture_feed(reference, 1.0, 0);
        ms_input_coefficients(&reference->instance->input, 0, 0)[0] = 0.0;
        support_fixture_advance(reference, 0.0, 1.0);
        assert_integrals(fixture, ms_instance_integrals(fixture->instance),
                         ms_instance_integrals(reference->instance), tolerance_of(solver));
        support_fixture_drop(reference);
        support_fixture_drop(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),  cmocka_unit_test(test_nonlinear), cmocka_unit_test(test_order),
        cmocka_unit_test(test_states),  cmocka_unit_test(test_line),      cmocka_unit_test(test_static),
        cmocka_unit_test(test_samples), cmocka_unit_test(test_restore),   cmocka_unit_test(test_proceed),
        cmocka_unit_test(test_stiff),   cmocka_unit_test(test_law),       cmocka_unit_test(test_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
