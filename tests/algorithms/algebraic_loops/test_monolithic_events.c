/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_monolithic_events.c - events in coupled models: the monolithic form and the reference against closed
 * forms, and co-simulation against both. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/cosim_create.h>
#include <macrostep/reference.h>
#include <macrostep/solver_registry.h>
#include "event_models.h"
#include "monolithic.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* Relay -------------------------------------------------------------------------------------------------- */

/* x'' = -x, y = x = cos t; and x' = z - x, z = 1 where u > 1/2, else -1. */
static int oscillator_f(const ms_point *at, double *dx)
{
    dx[0] = at->x[1];
    dx[1] = -at->x[0];
    return 0;
}

static int above_half(const ms_point *at, double *r)
{
    r[0] = at->u[0] - 0.5;
    return 0;
}

static const ms_subsystem relay_parts[] = {
    SUPPORT_SUBSYSTEM("oscillator", 2, 0, 1, .x0 = support_one, .f = oscillator_f, .g = support_first_state),
    SUPPORT_SUBSYSTEM("relay", 1, 1, 1, .nz = 1, .z0 = support_one, .f = support_relay_f,
                      .g = support_first_state, .n_indicators = 1, .indicators = above_half,
                      .handle = support_relay_handle)};
static const ms_wire relay_wires[] = {{1, 0, 0, 0, 1.0}};
static const ms_model relay_model =
    SUPPORT_MODEL("relay", relay_parts, relay_wires, .stop_time = 9.0, .step_size = 0.1);

static double relay_exact(double t)
{
    const double third = 3.14159265358979323846 / 3.0;
    double x = 0.0, from = 0.0;
    for (int k = 0;; k++) {
        const double z = k % 2 == 0 ? 1.0 : -1.0;
        const double root = (k % 2 == 0 ? 1.0 + 3.0 * k : 2.0 + 3.0 * k) * third; /* 1, 5, 7, 11 .. */
        if (root >= t)
            return z + (x - z) * exp(from - t);
        x = z + (x - z) * exp(from - root);
        from = root;
    }
}

static void test_reference(void **state)
{
    (void)state;
    static const double fractions[] = {0.3, 0.8};
    ms_error error = {""};
    ms_reference *reference;
    ms_system *system = support_system_of(&relay_model);
    if (ms_reference_create(system, 2, fractions, &reference, &error) != MS_OK)
        fail_msg("%s", error.text);
    for (int pass = 0; pass < 2; pass++) { /* z is back at its start value, too */
        ms_reference_start(reference);
        for (int n = 0; n < 18; n++) {
            assert_int_equal(ms_reference_step(reference, 0.5 * n, 0.5), MS_OK);
            support_near(ms_reference_state(reference)[2], relay_exact(0.5 * (n + 1)), 1e-11);
            for (int k = 0; k < 2; k++)
                support_near(ms_reference_sample(reference, k)[2], relay_exact(0.5 * (n + fractions[k])),
                             1e-11);
        }
        assert_true(ms_reference_error(reference) < 1e-10);
    }
    ms_reference_destroy(&reference);
    ms_system_destroy(&system);
}

/* A linear pair with a relay is not one matrix, but breakpoints alone leave it one. */
static void test_form(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&relay_model), *whole;
    assert_int_equal(ms_monolithic_create(system, &whole, NULL), MS_OK);
    assert_false(whole->linear);
    assert_int_equal(whole->sub[0].n_indicators, 1);
    assert_null(whole->sub[0].next_time);
    assert_non_null(whole->sub[0].handle);
    assert_int_equal(whole->sub[0].nz, system->nz);
    assert_true(whole->sub[0].z0[0] == 1.0);
    assert_int_equal(whole->nz, system->nz + 1);
    ms_monolithic_destroy(&whole);
    ms_system_destroy(&system);
}

/* With linear extrapolation the events, which lie anywhere in macro-steps, move by H^2, and so does the
 * error. */
static void test_cosimulation(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&relay_model);
    static const char *const solvers[] = {"automatic", "ida", "arkode-erk", "rk4", "gsl-rk8pd", "gsl-rk4imp"};
    for (int s = 0; s < MS_COUNT(solvers); s++) {
        for (int k = 0; k < 4; k++) {
            ms_options options = support_options("extrapolation-order=1 derivatives=analytic");
            char text[128];
            const double h = 0.1 / (1 << k);
            snprintf(text, sizeof text, "solver=%s micro-steps=4 step-size=%g", solvers[s], h);
            support_options_add(&options, text);
            double x[3];
            support_finish(system, &options, x, NULL);
            const double error = fabs(x[2] - relay_exact(9.0));
            if (!(error < 0.1 * h * h))
                fail_msg("%s: the error is %g with steps of %g", solvers[s], error, h);
        }
    }
    ms_system_destroy(&system);
}

/* Cascade ------------------------------------------------------------------------------------------------ */

/* A time event at 0.5 switches the first from 0 to 1; the others follow their input; x' = z, y = z. */
static int switch_f(const ms_point *at, double *dx)
{
    dx[0] = at->z[0];
    return 0;
}

static int switch_g(const ms_point *at, double *y)
{
    y[0] = at->z[0];
    return 0;
}

static int first_handle(const ms_point *at, const ms_event *event)
{
    (void)at;
    event->z[0] = 1.0;
    return event->time && !event->state ? 0 : 1;
}

static int follow_handle(const ms_point *at, const ms_event *event)
{
    event->z[0] = at->z[0] + event->crossed[0];
    return event->state && !event->time ? 0 : 1;
}

#define FOLLOWER(title)                                                                                      \
    SUPPORT_SUBSYSTEM(title, 1, 1, 1, .nz = 1, .f = switch_f, .g = switch_g, .n_indicators = 1,              \
                      .indicators = above_half, .handle = follow_handle)
static const ms_subsystem cascade_parts[] = {
    SUPPORT_SUBSYSTEM("first", 1, 0, 1, .nz = 1, .f = switch_f, .g = switch_g,
                      .feed_through = support_no_feed_through, .next_time = support_at_half,
                      .handle = first_handle),
    FOLLOWER("second"), FOLLOWER("third")};
static const ms_wire cascade_wires[] = {{1, 0, 0, 0, 1.0}, {2, 0, 1, 0, 1.0}};
static const ms_model cascade_model =
    SUPPORT_MODEL("cascade", cascade_parts, cascade_wires, .stop_time = 1.0, .step_size = 0.1);

/* All three switch at once in the monolithic form; in a co-simulation with held inputs each later than the
 * one before: the second at the communication point at which it sees the first, the third one step behind. */
static void test_block_solver(void **state)
{
    (void)state;
    ms_system *system = support_system_of(&cascade_model);
    double x[3];
    support_reference(system, 1.0, x);
    for (int i = 0; i < 3; i++)
        support_near(x[i], 0.5, 1e-12);
    for (const ms_solver *const *solver = ms_solvers; *solver != NULL; solver++) {
        if (!(*solver)->events)
            continue;
        ms_options options = support_options("step-size=0.1 solver-rtol=1e-8 solver-atol=1e-8");
        char text[64];
        snprintf(text, sizeof text, "solver=%s", (*solver)->name);
        support_options_add(&options, text);
        support_finish(system, &options, x, NULL);
        support_near(x[0], 0.5, 1e-12);
        support_near(x[1], 0.5, 1e-12);
        support_near(x[2], 0.4, 1e-12);
    }
    ms_system_destroy(&system);
}

/* Differential-algebraic --------------------------------------------------------------------------------- */

/* A pendulum and the integral of its rod's force. */
static ms_model pair_of(int pendulum, ms_subsystem *parts)
{
    parts[0] = support_pendulum_model.subsystems[pendulum];
    parts[1] = (ms_subsystem)SUPPORT_SUBSYSTEM("integrator", 1, 1, 1, .f = support_integrate,
                                               .g = support_first_state);
    ms_model model = relay_model;
    model.name = "pair";
    model.subsystems = parts;
    model.stop_time = 2.0;
    return model;
}

/* The coupled residual against the coupled f; the estimate of the error holds what it says. A
 * co-simulation takes ida by itself. */
static void test_algebraic(void **state)
{
    (void)state;
    ms_subsystem cartesian[2], angle[2];
    const ms_model dae_model = pair_of(SUPPORT_CARTESIAN, cartesian),
                   ode_model = pair_of(SUPPORT_ANGLE, angle);
    ms_system *dae = support_system_of(&dae_model), *ode = support_system_of(&ode_model);
    ms_reference *reference;
    double expected[3], x[6];
    support_reference(ode, 2.0, expected);
    assert_int_equal(ms_reference_create(dae, 0, NULL, &reference, NULL), MS_OK);
    for (int n = 0; n < 4; n++)
        assert_int_equal(ms_reference_step(reference, 0.5 * n, 0.5), MS_OK);
    const double *found = ms_reference_state(reference), error = ms_reference_error(reference);
    const double most = fmax(fabs(found[0] - sin(expected[0])), fabs(found[5] - expected[2]));
    if (!(most < 1e-7 && error < 1e-5 && most < error))
        fail_msg("the reference is off by %g, its estimate is %g", most, error);
    ms_reference_destroy(&reference);

    const ms_options options = support_options("step-size=0.002 solver-rtol=1e-8 solver-atol=1e-8");
    ms_cosim *cosim = support_cosim(dae, &options);
    assert_string_equal(cosim->solver->name, "ida");
    ms_cosim_destroy(&cosim);
    support_finish(dae, &options, x, NULL);
    support_near(x[0], sin(expected[0]), 1e-4);
    support_near(x[5], expected[2], 0.05); /* held inputs: order 1 */

    support_system_refuses(dae, "extrapolation-order=1 step-size=0.01", MS_UNSUPPORTED, "`start` hold");
    const ms_options linear = support_options("extrapolation-order=1 step-size=0.01 start=hold");
    support_finish(dae, &linear, x, NULL);
    support_near(x[5], expected[2], 1e-2); /* the first step holds: order 2 but for that */
    ms_system_destroy(&dae);
    ms_system_destroy(&ode);
}

/* Failures ----------------------------------------------------------------------------------------------- */

/* One subsystem as a model of its own. */
static ms_system *alone(ms_model *model, int subsystem)
{
    *model = support_event_model;
    model->subsystems = &support_event_model.subsystems[subsystem];
    model->n_subsystems = 1;
    model->stop_time = 2.0;
    return support_system_of(model);
}

static void test_failures(void **state)
{
    (void)state;
    static const struct {
        int subsystem;
        const char *why;
    } failures[] = {
        {SUPPORT_SLIDING, "sliding failed between 1 s and 1.1 s: it has over 1000 events there (chattering)"},
        {SUPPORT_STUCK, "it has over 1000 events there, a time event at the same time again (chattering)"}};
    for (int k = 0; k < MS_COUNT(failures); k++) {
        ms_model model;
        ms_system *system = alone(&model, failures[k].subsystem);
        const ms_options options = support_options("");
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.reason, MS_REASON_SUBSYSTEM_FAILED);
        support_says(result.message, failures[k].why);
        ms_system_destroy(&system);
    }
}

/* Matrices with events are no linear model: no propagation matrix, and another solver than exact; those with
 * breakpoints are. */
static void test_linear(void **state)
{
    (void)state;
    ms_model model;
    ms_system *system = alone(&model, SUPPORT_LINEAR_BALL);
    assert_false(system->linear);
    assert_string_equal(ms_cosim_default_solver(system, NULL), "automatic");
    ms_system_destroy(&system);
    system = alone(&model, SUPPORT_BROKEN_W);
    assert_true(system->linear);
    assert_string_equal(ms_cosim_default_solver(system, NULL), "exact");
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),    cmocka_unit_test(test_form),
        cmocka_unit_test(test_cosimulation), cmocka_unit_test(test_block_solver),
        cmocka_unit_test(test_algebraic),    cmocka_unit_test(test_failures),
        cmocka_unit_test(test_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
