/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_converge_settle.c - what `converge` says of schemes that are not zero-stable, of errors that are zero or rise, and of what holds errors
 * at a floor. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command_answer.h"
#include "support.h"
#include "unit_test.h"

/* D L has the eigenvalues +-0.6 i, and the feed-through of the first is that times `gate`. */
#define LOOP(state, gate)                                                                                    \
    "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"x + 0.6*" gate "*u\"}," \
    "\"states\": {\"x\": {\"derivative\": \"" state " + u\", \"start\": 1}}},"                               \
    "{\"name\": \"b\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"x - 0.6*u\"},"                            \
    "\"states\": {\"x\": {\"derivative\": \"-2*x + u\", \"start\": 1}}}],"                                   \
    "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"}, {\"from\": \"b.y\", \"to\": \"a.u\"}],"               \
    "\"end\": 1, \"step_size\": 0.05}"

static json_t *answer_on(const char *system, const char *options)
{
    char path[256];
    support_temporary_file(system, path, sizeof path);
    json_t *answer = support_answer_of("converge --system %s %s", path, options);
    remove(path);
    return answer;
}

static const char *text_of(const json_t *answer, const char *member)
{
    const char *text = json_string_value(json_object_get(answer, member));
    assert_non_null(text);
    return text;
}

static const json_t *row(const json_t *answer, int k)
{
    const json_t *rows = json_object_get(answer, "rows");
    return json_array_get(rows, k >= 0 ? (size_t)k : json_array_size(rows) - 1);
}

static void claims_nothing(const json_t *answer, const char *why)
{
    assert_true(json_is_null(json_object_get(answer, "order")));
    support_says(text_of(answer, "message"), why);
}

static void is_not_zero_stable(json_t *answer, double radius)
{
    const json_t *found = json_object_get(answer, "zero_stability");
    claims_nothing(answer, "not zero-stable");
    assert_true(json_is_null(json_object_get(answer, "expected_order")));
    assert_true(json_is_false(json_object_get(found, "stable")));
    support_near(json_number_value(json_object_get(found, "radius")), radius, 0.005);
    assert_string_equal(text_of(row(answer, 0), "note"), "unstable");
    json_decref(answer);
}

/* mu^2 = i d (2 mu - 1) and mu^3 = i d (3 mu^2 - 3 mu + 1), d = 0.6, have roots of 1.39 and 2.20; d = 1.1 alone. */
static void what_is_not_zero_stable_has_no_order(void **state)
{
    (void)state;
    is_not_zero_stable(answer_on(LOOP("-x", "1"), "--extrapolation-order 1"), 1.39);
    is_not_zero_stable(answer_on(LOOP("-x", "1"), "--extrapolation-order 2"), 2.20);
    is_not_zero_stable(answer_on(LOOP("-sin(x)", "1"), "--extrapolation-order 1"), 1.39);
    is_not_zero_stable(support_answer("converge linear-pair --case unstable"), 1.1);

    json_t *stable = answer_on(LOOP("-x", "1"), "--extrapolation-order 1 --outputs corrected");
    support_near(json_number_value(json_object_get(stable, "order")), 2.0, 0.1);
    assert_int_equal(json_integer_value(json_object_get(stable, "expected_order")), 2);
    json_decref(stable);
}

/* Feed-through that saturates keeps the errors bounded: they neither fall nor rise. d = 1.43 cos u at u + 1.43 sin u = -0.9, the start; with
 * held inputs rho^2 = d. */
static void bounded_errors_that_do_not_fall_are_not_zero_stable(void **state)
{
    (void)state;
    is_not_zero_stable(
        answer_on(
            "{\"subsystems\":[{\"name\":\"a\",\"inputs\":[\"u\"],\"states\":{\"x\":{\"derivative\":\"sin(u)-"
            "x\",\"start\":1}},\"outputs\":{\"y\":\"x+1.3*sin(u)\"}},{\"name\":\"b\",\"inputs\":[\"u\"],"
            "\"states\":{\"z\":{\"derivative\":\"u-z*z\",\"start\":0.2}},\"outputs\":{\"y\":\"z-1.1*u\"}}],"
            "\"wires\":[{\"from\":\"a.y\",\"to\":\"b.u\"},{\"from\":\"b.y\",\"to\":\"a.u\"}],"
            "\"end\":0.3,\"step_size\":0.02}",
            ""),
        1.153);
}

/* There is no feed-through at the start, where it is linearised. */
static void errors_that_rise_are_named(void **state)
{
    (void)state;
    json_t *answer = answer_on(LOOP("-x", "min(1, 5*t)"), "--extrapolation-order 1");
    claims_nothing(answer, "errors rise");
    assert_string_equal(text_of(row(answer, 1), "note"), "rising");
    json_decref(answer);
}

static void errors_that_are_zero_are_named(void **state)
{
    (void)state;
    json_t *answer = answer_on(
        "{\"subsystems\":[{\"name\":\"a\",\"inputs\":[\"u\"],\"states\":{\"x\":{\"derivative\":\"0*u\","
        "\"start\":2}},\"outputs\":{\"y\":\"x\"}},{\"name\":\"b\",\"inputs\":[\"u\"],\"states\":{\"z\":"
        "{\"derivative\":\"u-z\",\"start\":2}},\"outputs\":{\"y\":\"z\"}}],\"wires\":[{\"from\":\"a.y\","
        "\"to\":\"b.u\"},{\"from\":\"b.y\",\"to\":\"a.u\"}],\"end\":1,\"step_size\":0.1}",
        "");
    claims_nothing(answer, "all errors are zero");
    for (int k = 0; k < 7; k++)
        assert_string_equal(text_of(row(answer, k), "note"), "zero");
    json_decref(answer);
}

/* The oscillations of sin(exp(14 t)) take the reference's budget before 1 s, at times that hang on the step size. */
static void errors_up_to_different_times_have_no_order(void **state)
{
    (void)state;
    json_t *answer = answer_on(
        "{\"subsystems\":[{\"name\":\"a\",\"inputs\":[\"u\"],\"states\":{\"x\":{\"derivative\":"
        "\"u-x*x+sin(exp(14*t))\",\"start\":1}},\"outputs\":{\"y\":\"x\"}},{\"name\":\"b\",\"inputs\":[\"u\"]"
        ","
        "\"states\":{\"x\":{\"derivative\":\"u-2*x\",\"start\":1}},\"outputs\":{\"y\":\"x\"}}],\"wires\":"
        "[{\"from\":\"a.y\",\"to\":\"b.u\"},{\"from\":\"b.y\",\"to\":\"a.u\"}],\"end\":1,\"step_size\":0.1}",
        "--solver rk4 --step-size 0.1,0.05,0.025");
    assert_true(json_is_null(json_object_get(answer, "order")));
    for (int k = 0; k < 3; k++) {
        assert_true(json_is_null(json_object_get(row(answer, k), "error")));
        support_says(text_of(row(answer, k), "message"), "where the reference ends");
    }
    json_decref(answer);
}

/* The finest row is at the floor, and its message names the cause and not another one. */
static void is_held(json_t *answer, const char *note, const char *cause, const char *other)
{
    const char *message = text_of(row(answer, -1), "message");
    assert_string_equal(text_of(row(answer, -1), "note"), note);
    support_says(message, cause);
    if (strstr(message, other) != NULL)
        fail_msg("%s: names %s", message, other);
    json_decref(answer);
}

static void the_tolerance_that_moves_the_error_is_named(void **state)
{
    (void)state;
    /* epsilon is 1e-12: what a micro-solver leaves is far more */
    is_held(support_answer("converge quarter-car --scheme ifosmondi --solver cvode-adams --solver-rtol 1e-6 "
                           "--solver-atol 1e-6 --stop-time 0.05 --step-size 0.002,0.001,0.0005"),
            "floor", "--solver-rtol 1e-06", "epsilon");
    is_held(support_answer("converge quarter-car --extrapolation-order 2 --solver cvode-adams --solver-rtol "
                           "1e-7 --stop-time 0.1 --step-size 0.01,0.005,0.0025,0.00125,0.000625,0.0003125"),
            "floor", "--solver-rtol 1e-07", "round-off");
    /* no order is expected of this micro-solver, and the first slope is below 0: nothing fell before it */
    is_held(
        support_answer("converge van-der-pol --case mild --solver cvode-bdf --solver-rtol 1e-6 --step-size "
                       "0.01,0.005"),
        "floor", "--solver-rtol 1e-06", "round-off");
    /* the micro-solver is exact */
    is_held(support_answer("converge quarter-car --scheme ifosmondi --epsilon 1e-5 --stop-time 0.05 "
                           "--step-size 0.001,0.0005,0.00025,0.000125,0.0000625"),
            "floor", "epsilon 1e-05", "solver-rtol");
    /* nothing iterates either, and order 4 reaches round-off */
    is_held(support_answer("converge quarter-car --scheme missiles --stop-time 0.05 --step-size "
                           "0.001,0.0005,0.00025,0.000125,0.0000625,0.00003125,0.000015625,0.0000078125"),
            "round-off", "no tolerance changes", "epsilon");
}

/* Epsilon would leave 1e-7 by its size, and does not: Newton's last step goes far below. No step's residual is near 3e-8, so that no count
 * of iterations hangs on round-off. */
static void points_that_fall_are_good(void **state)
{
    (void)state;
    json_t *answer = support_answer(
        "converge double-pendulum --scheme ifosmondi --solver gsl-rk8pd --stop-time 0.2 "
        "--solver-nonlinear newtonls --epsilon 3e-8 --step-size 0.02,0.01,0.005,0.0025,0.00125");
    for (int k = 0; k < 5; k++)
        assert_string_equal(text_of(row(answer, k), "note"), "");
    support_near(json_number_value(json_object_get(answer, "order")), 4.0, 0.1);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_zero_stable_has_no_order),
                                       cmocka_unit_test(bounded_errors_that_do_not_fall_are_not_zero_stable),
                                       cmocka_unit_test(errors_that_rise_are_named),
                                       cmocka_unit_test(errors_that_are_zero_are_named),
                                       cmocka_unit_test(errors_up_to_different_times_have_no_order),
                                       cmocka_unit_test(the_tolerance_that_moves_the_error_is_named),
                                       cmocka_unit_test(points_that_fall_are_good)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
