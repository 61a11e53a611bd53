/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_state_switches.c - where equations jump or bend because a state or an input says so, every micro-solver stops: a solution in
 * closed form of comparisons, abs, sign, min, max, floor, choices and a contact, as accurate as one that is smooth. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/instance_step.h>
#include <macrostep/integrate.h>
#include "allocations.h"
#include "event_fixture.h"
#include "support.h"
#include "unit_test.h"

enum { X, Y, V, S, C, D, E, P, Q, R, STATES };

/* Name, start value, derivative; %s: 1 - 2 t, which the input u is and the state r. */
static const char *const equations[STATES][3] = {
    {"x", "1", "-1 - 0.5*x"},
    {"y", "0", "abs(x)"},
    {"v", "1", "-v - 3 - sign(v)"},
    {"s", "0", "min(max(%s, -0.25), 0.5)"},
    {"c", "0", "floor(3*x + 0.1)"},
    {"d", "0", "abs(x) - max(3*x, 0)"},
    {"e", "0", "x > 0.5 && v < 0 ? 1 : 2"},
    {"p", "0.05", "q"},
    {"q", "0", "p > 0 ? -10 : -100*p"},
    {"r", "1", "-2"},
};

/* A model of n equations, with u in the place of %s; the next call overwrites it. */
static const char *text_of(int n, const char *const equation[][3], const char *u)
{
    static char text[2000], derivative[100];
    int length = snprintf(text, sizeof text, "{\"subsystems\": [{\"name\": \"a\", \"inputs\": {\"u\": {}}, ");
    length += snprintf(text + length, sizeof text - (size_t)length, "\"outputs\": {}, \"states\": {");
    for (int k = 0; k < n; k++) {
        const char *of = equation[k][2], *at = strstr(of, "%s");
        const int before = at != NULL ? (int)(at - of) : (int)strlen(of);
        snprintf(derivative, sizeof derivative, "%.*s%s%s", before, of, at != NULL ? u : "",
                 at != NULL ? at + 2 : "");
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%s\"%s\": {\"start\": %s, \"derivative\": \"%s\"}", k > 0 ? ", " : "",
                           equation[k][0], equation[k][1], derivative);
    }
    snprintf(text + length, sizeof text - (size_t)length, "}}], \"wires\": []}");
    return text;
}

/* Flips up to t = 1: x; v; u or r at both limits; four levels; 3 x in max(3 x, 0); x > 0.5 and v < 0; four times p. */
enum { FLIPS = 1 + 1 + 2 + 4 + 1 + 2 + 4 };

/* When x passes a, and the integral of x up to t. */
static double time_of(double a)
{
    return -2.0 * log((a + 2.0) / 3.0);
}

static double integral(double t)
{
    return 6.0 - 6.0 * exp(-0.5 * t) - 2.0 * t;
}

/* At t = 1. */
static void exact(double *at)
{
    const double pi = 3.14159265358979323846, t1 = time_of(0.0), t2 = log(1.25), t3 = time_of(0.5);
    const double above = integral(t1), below = integral(1.0) - above;
    const double flight = 1.0 - (0.1 + 2.0 * pi / 10.0 + 0.2);
    at[X] = 3.0 * exp(-0.5) - 2.0;
    at[Y] = above - below;
    at[V] = -2.0 + 2.0 * exp(-(1.0 - t2));
    at[S] = 0.078125;
    at[C] = 3.0 * time_of(2.9 / 3.0);
    at[C] += 2.0 * (time_of(1.9 / 3.0) - time_of(2.9 / 3.0));
    at[C] += 1.0 * (time_of(0.9 / 3.0) - time_of(1.9 / 3.0));
    at[C] -= 1.0 * (1.0 - time_of(-0.1 / 3.0));
    at[D] = -2.0 * above - below;
    at[E] = 2.0 * t2 + (t3 - t2) + 2.0 * (1.0 - t3);
    at[P] = flight - 5.0 * flight * flight;
    at[Q] = 1.0 - 10.0 * flight;
    at[R] = -1.0;
}

static double error_of(const double *x)
{
    double right[STATES], error = 0.0;
    exact(right);
    for (int k = 0; k < STATES; k++)
        error = fmax(error, fabs(x[k] - right[k]));
    return error;
}

static void check(const char *solver, const double *x, double tolerance)
{
    double right[STATES];
    exact(right);
    for (int k = 0; k < STATES; k++)
        if (!(fabs(x[k] - right[k]) <= tolerance))
            fail_msg("%s: %s is %.17g, not %.17g (tolerance %g)", solver, equations[k][0], x[k], right[k],
                     tolerance);
}

/* 1e-10 where the error follows the tolerance. */
static ms_solver_options options_of(const ms_solver *solver)
{
    ms_solver_options options = *support_event_options(solver);
    if (solver->adaptive && support_solver_slope(solver) == 1.0)
        options.rtol = options.atol = 1e-10;
    return options;
}

static double tolerance_of(const ms_solver *solver)
{
    const ms_solver_options options = options_of(solver);
    return solver->adaptive ? 10000.0 * pow(options.rtol, support_solver_slope(solver))
                            : support_event_tolerance(solver);
}

static bool takes_it(const ms_solver *solver)
{
    return solver->events && !solver->linear_only;
}

static support_solver_fixture *fixture_of(const char *text, const ms_solver *solver,
                                          const ms_solver_options *options, ms_model **model)
{
    *model = support_model_read(text);
    return support_fixture_of(*model, 0, solver, options);
}

static void drop(support_solver_fixture *fixture, ms_model **model)
{
    support_fixture_drop(fixture);
    ms_model_destroy(model);
}

/* One macro-step with u = 1 - 2 t. */
static void advance(support_solver_fixture *fixture)
{
    support_fixture_feed(fixture, 1.0, 1);
    support_fixture_advance(fixture, 0.0, 1.0);
}

static void a_macro_step_stops_at_them(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        const ms_solver_options options = options_of(solver);
        ms_model *model;
        support_solver_fixture *fixture =
            fixture_of(text_of(STATES, equations, "u"), solver, &options, &model);
        advance(fixture);
        check(solver->name, fixture->x, tolerance_of(solver));
        assert_int_equal(fixture->instance->work.switches, FLIPS);
        assert_int_equal(fixture->instance->work.events, 0);
        drop(fixture, &model);
    }
}

/* The solution of each piece between switches costs about as much as it did, and a new start at each. */
static void they_cost_a_new_start(void **state)
{
    (void)state;
    static const char *const smooth[][3] = {
        {"x", "1", "-1 - 0.5*x"}, {"p", "0.05", "q"}, {"q", "0", "-100*p"}};
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        const ms_solver_options options = options_of(solver);
        ms_model *model;
        support_solver_fixture *fixture =
            fixture_of(text_of(MS_COUNT(smooth), smooth, ""), solver, &options, &model);
        advance(fixture);
        const long steps = fixture->instance->work.micro_steps;
        drop(fixture, &model);
        fixture = fixture_of(text_of(STATES, equations, "u"), solver, &options, &model);
        advance(fixture);
        const long now = fixture->instance->work.micro_steps;
        if (now > 2 * steps + 100 * FLIPS)
            fail_msg("%s: %ld micro-steps, %ld of a smooth equation", solver->name, now, steps);
        drop(fixture, &model);
    }
}

/* Half as long steps have an error that is 16 times smaller. */
static void rk4_keeps_its_order(void **state)
{
    (void)state;
    double error[2];
    for (int k = 0; k < 2; k++) {
        const ms_solver_options options = {.micro_steps = k == 0 ? 40 : 80};
        ms_model *model;
        support_solver_fixture *fixture =
            fixture_of(text_of(STATES, equations, "u"), ms_solver_find("rk4"), &options, &model);
        advance(fixture);
        error[k] = error_of(fixture->x);
        drop(fixture, &model);
    }
    if (!(error[1] > 0.0 && error[0] / error[1] > 10.0))
        fail_msg("errors %g and %g", error[0], error[1]);
}

static void so_do_integrations(void **state)
{
    (void)state;
    ms_model *model = support_model_read(text_of(STATES, equations, "r"));
    ms_system *system = support_system_of(model);
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        const ms_solver_options of = options_of(solver);
        const ms_options options =
            support_options_of("stop-time=1 solver=%s solver-rtol=%g solver-atol=%g%s", solver->name, of.rtol,
                               of.atol, solver->adaptive ? "" : " step-size=0.001953125");
        ms_integration run;
        ms_error error = {""};
        if (ms_integrate(system, &options, 100, &(ms_integrate_options){0}, &run, &error) != MS_OK)
            fail_msg("%s: %s", solver->name, error.text);
        const double *last = ms_run_series_row(&run.trajectory, run.trajectory.rows - 1);
        check(solver->name, last + 2, tolerance_of(solver));
        assert_int_equal(run.work.switches, FLIPS);
        assert_int_equal(run.events.rows, 0);
        for (long n = 0; n < run.trajectory.rows; n++) {
            const double *row = ms_run_series_row(&run.trajectory, n);
            support_near(row[2 + X], 3.0 * exp(-0.5 * row[0]) - 2.0, tolerance_of(solver));
            const double y = integral(fmin(row[0], time_of(0.0)));
            support_near(row[2 + Y], 2.0 * y - integral(row[0]), tolerance_of(solver));
        }
        ms_integration_destroy(&run);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* A macro-step that is repeated has the same bits and the same flips: sides are restored with the discrete variables.
 * Nothing is allocated. */
static void a_repeated_macro_step_is_the_same(void **state)
{
    (void)state;
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        const ms_solver_options options = options_of(solver);
        ms_model *model;
        support_solver_fixture *fixture =
                                   fixture_of(text_of(STATES, equations, "u"), solver, &options, &model),
                               saved;
        support_fixture_feed(fixture, 0.5, 1);
        support_fixture_advance(fixture, 0.0, 0.5);
        memcpy(&saved, fixture, sizeof saved);
        long flips[2], allocations = 0;
        double x[2][STATES];
        for (int k = 0; k < 2; k++) {
            memcpy(fixture->x, saved.x, sizeof saved.x);
            memcpy(fixture->z, saved.z, sizeof saved.z);
            memcpy(fixture->memory, saved.memory, sizeof saved.memory);
            const long before = fixture->instance->work.switches;
            support_fixture_feed(fixture, 0.5, 1);
            ms_allocations_count(true);
            support_fixture_advance(fixture, 0.5, 0.5);
            allocations += ms_allocations_count(false);
            flips[k] = fixture->instance->work.switches - before;
            memcpy(x[k], fixture->x, sizeof x[k]);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_int_equal(flips[0], flips[1]);
        assert_true(flips[0] > 0);
        assert_true(allocations == 0 || solver->allocates);
        drop(fixture, &model);
    }
}

/* A solution that comes to rest on two switches where f is no sum of what both add: few flips, and an end. */
static void chattering_ends(void **state)
{
    (void)state;
    enum { STEPS = 20, FLIPS_MOST = 400 };
    static const char *const chattering[][3] = {{"x", "0.05", "-sign(x)*(2 + sign(y))"},
                                                {"y", "0.1", "-sign(y)*(2 + sign(x))"}};
    SUPPORT_FOR_ALL_SOLVERS(solver)
    if (takes_it(solver)) {
        const ms_solver_options options = {.rtol = 1e-3, .atol = 1e-3, .micro_steps = 10};
        ms_model *model;
        support_solver_fixture *fixture = fixture_of(text_of(2, chattering, ""), solver, &options, &model);
        int status = MS_OK;
        for (int n = 0; n < STEPS && status == MS_OK; n++) {
            support_fixture_feed(fixture, 0.01, 0);
            status = ms_instance_step(fixture->instance, 0.01 * n, 0.01);
        }
        if (fixture->instance->work.switches > STEPS * FLIPS_MOST)
            fail_msg("%s: %ld flips", solver->name, fixture->instance->work.switches);
        if (status == MS_OK && fabs(fixture->x[0]) > 0.01)
            fail_msg("%s: x = %g", solver->name, fixture->x[0]);
        assert_true(status == MS_OK || solver->adaptive || solver->implicit);
        drop(fixture, &model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_macro_step_stops_at_them),
                                       cmocka_unit_test(they_cost_a_new_start),
                                       cmocka_unit_test(rk4_keeps_its_order),
                                       cmocka_unit_test(so_do_integrations),
                                       cmocka_unit_test(a_repeated_macro_step_is_the_same),
                                       cmocka_unit_test(chattering_ends)};
    ms_allocations_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
