/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_initialise_loops.c - loops at the start that have no solution, several, or are not defined. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "initialise.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* y1 = 1 + u1^2, y2 = x, y3 = u1 + u2: with u1 = y1 a loop without a solution; the rest is none of it. */
static int square_g(const ms_point *at, double *y)
{
    y[0] = 1.0 + at->u[0] * at->u[0];
    y[1] = 2.0;
    y[2] = at->u[0] + at->u[1];
    return 0;
}

static const bool square_feeds[] = {true, false, false, false, true, true};
static const ms_subsystem square[] = {SUPPORT_SUBSYSTEM("square", 0, 2, 3, .f = support_no_states,
                                                        .g = square_g, .feed_through = square_feeds)};
static const ms_wire square_wires[] = {{0, 0, 0, 0, 1.0}, {0, 1, 0, 1, 1.0}};
/* With half of it u1 = (1 + u1^2) / 2 has the double solution 1, with a quarter 2 - sqrt(3) from zero. */
static const ms_wire quarter_wires[] = {{0, 0, 0, 0, 0.25}, {0, 1, 0, 1, 1.0}};

static ms_model square_model(const ms_wire *wires)
{
    return (ms_model)SUPPORT_MODEL_OF("square", square, 1, wires, 2, .stop_time = 1.0, .step_size = 0.5);
}

static void check_names(const char *line)
{
    assert_non_null(strstr(line, "square.u.u1, square.y.y1 "));
    assert_null(strstr(line, "y2"));
    assert_null(strstr(line, "y3"));
    assert_null(strstr(line, "u2"));
}

static void test_no_solution(void **state)
{
    (void)state;
    const ms_model model = square_model(square_wires);
    ms_system *system = support_system_of(&model);
    double u[2] = {0.0}, y[3];
    ms_error error;
    assert_int_equal(ms_initialise(system, MS_INITIALISE_REDUCED, 0.0, NULL, u, y, NULL, &error),
                     MS_NO_SOLUTION);
    check_names(error.text);
    const ms_options options = support_options("solver=rk4");
    const ms_run_result result = support_run(system, &options, NULL, NULL);
    assert_int_equal(result.reason, MS_REASON_NO_SOLUTION);
    check_names(result.message);
    ms_system_destroy(&system);

    const ms_model solvable = square_model(quarter_wires);
    system = support_system_of(&solvable);
    u[0] = u[1] = 0.0;
    assert_int_equal(ms_initialise(system, MS_INITIALISE_REDUCED, 0.0, NULL, u, y, NULL, &error), MS_OK);
    support_near(u[0], 2.0 - sqrt(3.0), 1e-15);
    support_near(y[2], u[0] + 2.0, 1e-15);
    ms_system_destroy(&system);
}

/* y = 2 / u, u = y: not defined at zero, and two solutions that the model's u0 decides between. */
static int root_g(const ms_point *at, double *y)
{
    y[0] = 2.0 / at->u[0];
    return at->u[0] == 0.0;
}

static void test_start_inputs(void **state)
{
    (void)state;
    static const double guesses[] = {1.0, -3.0};
    static const ms_wire wire[] = {{0, 0, 0, 0, 1.0}};
    ms_subsystem root[] = {SUPPORT_SUBSYSTEM("root", 0, 1, 1, .f = support_no_states, .g = root_g)};
    const ms_model model = SUPPORT_MODEL("root", root, wire, .stop_time = 1.0, .step_size = 0.5);
    const ms_options options = support_options("solver=rk4");
    for (int k = 0; k < 3; k++) {
        root->u0 = k < 2 ? &guesses[k] : NULL;
        ms_system *system = support_system_of(&model);
        double y[1];
        const ms_run_result result = support_run(system, &options, NULL, y);
        if (k < 2) {
            assert_int_equal(result.reason, MS_REASON_END_TIME);
            support_near(y[0], k == 0 ? sqrt(2.0) : -sqrt(2.0), 1e-15);
        } else {
            assert_int_equal(result.reason, MS_REASON_NO_SOLUTION);
            assert_non_null(strstr(result.message, "loop of root.u.u1, root.y.y1 is not defined"));
        }
        ms_system_destroy(&system);
    }
}

/* y = 2 u1 / u2^2, both from an output that hands y on and says what it starts from: its sign decides between two solutions. */
static int ratio_g(const ms_point *at, double *y)
{
    y[0] = 2.0 * at->u[0] / (at->u[1] * at->u[1]);
    return at->u[1] == 0.0;
}

static int same_g(const ms_point *at, double *y)
{
    y[0] = at->u[0];
    return 0;
}

static void test_start_outputs(void **state)
{
    (void)state;
    static const double guesses[] = {1.0, -1.0};
    static const ms_wire wires[] = {{0, 0, 1, 0, 1.0}, {1, 0, 0, 0, 1.0}, {1, 1, 0, 0, 1.0}};
    ms_subsystem pair[] = {SUPPORT_SUBSYSTEM("same", 0, 1, 1, .f = support_no_states, .g = same_g),
                           SUPPORT_SUBSYSTEM("ratio", 0, 2, 1, .f = support_no_states, .g = ratio_g)};
    const ms_model model = SUPPORT_MODEL("pair", pair, wires, .stop_time = 1.0, .step_size = 0.5);
    const ms_options options = support_options("solver=rk4");
    for (int k = 0; k < 2; k++) {
        pair[0].y0 = &guesses[k];
        ms_system *system = support_system_of(&model);
        double y[2];
        assert_int_equal(support_run(system, &options, NULL, y).reason, MS_REASON_END_TIME);
        support_near(y[1], k == 0 ? sqrt(2.0) : -sqrt(2.0), 1e-14);
        ms_system_destroy(&system);
    }
}

/* y1 = 0, y2 = 1 / u1 without a word: outputs that are not finite end the start where wires carry them. */
static int careless_g(const ms_point *at, double *y)
{
    y[0] = 0.0;
    y[1] = 1.0 / at->u[0];
    return 0;
}

static void test_not_finite(void **state)
{
    (void)state;
    static const bool feeds[] = {false, false, true, false};
    const ms_subsystem careless[] = {SUPPORT_SUBSYSTEM("careless", 0, 2, 2, .f = support_no_states,
                                                       .g = careless_g, .feed_through = feeds)};
    static const ms_wire wire[] = {{0, 0, 0, 0, 1.0}, {0, 1, 0, 1, 1.0}};
    const ms_model model = SUPPORT_MODEL("careless", careless, wire, .stop_time = 1.0, .step_size = 0.5);
    ms_system *system = support_system_of(&model);
    for (int zero = 0; zero < 2; zero++) {
        const ms_options options = support_options(zero ? "solver=rk4 initial-inputs=zero" : "solver=rk4");
        const ms_run_result result = support_run(system, &options, NULL, NULL);
        assert_int_equal(result.reason, zero ? MS_REASON_SUBSYSTEM_FAILED : MS_REASON_NO_SOLUTION);
        assert_non_null(strstr(result.message, zero ? "subsystem careless" : "careless.y.y2 is not finite"));
    }
    ms_system_destroy(&system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_start_inputs),
        cmocka_unit_test(test_start_outputs),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
