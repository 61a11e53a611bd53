/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_switches.c - switches of time against the roots of their functions. */
#include "switches.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "structure.h"
#include "support.h"
#include "unit_test.h"

static const double pi = 3.14159265358979323846;
static const char *const parameter_names[] = {"a", "b"}, *const state_names[] = {"x"},
                         *const external_names[] = {"w"}, *const discrete_names[] = {"z"};
static const ms_names names = {
    .n = {[MS_NAMES_PARAMETERS] = 2, [MS_NAMES_STATES] = 1, [MS_NAMES_EXTERNAL] = 1, [MS_NAMES_DISCRETE] = 1},
    .name = {[MS_NAMES_PARAMETERS] = parameter_names,
             [MS_NAMES_STATES] = state_names,
             [MS_NAMES_EXTERNAL] = external_names,
             [MS_NAMES_DISCRETE] = discrete_names}};

/* A text, and what external input w is (NULL: not there). */
static const ms_switches *read_switches(ms_structure *owner, const char *text, const char *w)
{
    const ms_expressions *e, *external = NULL;
    const ms_switches *switches;
    ms_expression_fault fault = {0};
    assert_int_equal(ms_expressions_create(owner, &names, 1, &text, true, &e, &fault), MS_OK);
    if (w != NULL)
        assert_int_equal(ms_expressions_create(owner, &names, 1, &w, true, &external, &fault), MS_OK);
    assert_int_equal(ms_switches_create(owner, 1, &e, external, &switches), MS_OK);
    return switches;
}

enum { TIMES_MAX = 12 };

/* The text switches at n times from 0 on, and at no other one up to `until`. */
static void check_times(const char *text, const char *w, double until, int n, const double *expected)
{
    static const double p[] = {0.4937207179, 2.0}, z[] = {0.75};
    ms_structure owner = {0};
    const ms_switches *switches = read_switches(&owner, text, w);
    double t = 0.0;
    int found = 0;
    while (switches != NULL && (t = ms_switches_next(switches, t, p, z)) <= until) {
        const double near = found < n ? 64.0 * DBL_EPSILON * fmax(fabs(expected[found]), 1e-13) : 0.0;
        if (found == n || !(fabs(t - expected[found]) <= near))
            fail_msg("%s: switch %d at %.17g, but %.17g is right", text, found, t,
                     found < n ? expected[found] : INFINITY);
        found++;
    }
    if (found != n)
        fail_msg("%s: %d switches up to %g, but %d are right", text, found, until, n);
    ms_structure_free(&owner);
}

#define TIMES(text, until, ...)                                                                              \
    {                                                                                                        \
        const double expected[] = {__VA_ARGS__};                                                             \
        check_times(text, NULL, until, MS_COUNT(expected), expected);                                        \
    }

static void test_times(void **state)
{
    (void)state;
    TIMES("t > a ? 1 : 0", 1e9, 0.4937207179)
    TIMES("t >= 0.5", 1e9, 0.5)
    TIMES("x*(t - 1 < 0) + (3 <= t)", 1e9, 1.0, 3.0)
    TIMES("abs(sin(7*t))", 1.5, pi / 7, 2 * pi / 7, 3 * pi / 7)
    TIMES("(t >= 1.3331)*(t < 1.3341)*1000", 1e9, 1.3331, 1.3341)
    TIMES("abs(t - 1) < 1e-9 ? 1e9 : 0", 1e9, 1.0 - 1e-9, 1.0, 1.0 + 1e-9)
    TIMES("sin(t) > 0.99999", 7.0, asin(0.99999), pi - asin(0.99999))
    TIMES("max(exp(-t) - 0.3, 0)", 1.9, -log(0.3))
    TIMES("floor(b*t)", 2.2, 0.5, 1.0, 1.5, 2.0)
    TIMES("ceil(t)", 1.5, 1e-30, 1.0)
    TIMES("round(t)", 2.0, 0.5, 1.5)
    TIMES("mod(t, 0.4)", 1.5, 0.4, 0.8, 1.2)
    TIMES("if(max(t - 2, 0), 1, 0)*(t^2 > 9 || t > 5)", 1e9, 2.0, 3.0, 5.0)
    TIMES("t > z", 1e9, 0.75)
    TIMES("min(t, 3) + max(2*t, 8)", 1e9, 3.0, 4.0)
    TIMES("t < 1 ? 0 : t < 2 ? 1 : t < 3 ? 2 : 3", 1e9, 1.0, 2.0, 3.0)
    TIMES("t > 1e-7", 1e9, 1e-7)
    TIMES("1e-9*t > 1", 1e12, 1e9)
    TIMES("1/(t - 0.75) + tan(b*t)", 1.0, 0.75, pi / 4)
    TIMES("exp(-((t - 1.5)/1e-6)^2)", 1e9, 1.5 - 6e-6, 1.5 - 3e-6, 1.5 - 1e-6 * sqrt(2.0), 1.5,
          1.5 + 1e-6 * sqrt(2.0), 1.5 + 3e-6, 1.5 + 6e-6)
    TIMES("x/cosh((t - 1.5)/1e-3) + 1/(1 + ((t - 0.5)/1e-4)^2)", 1e9, 0.5, 1.464, 1.491, 1.498, 1.5, 1.502,
          1.509, 1.536)
    TIMES("exp(-abs(t - 1.5)/1e-6)", 1e9, 1.499964, 1.499991, 1.499998, 1.5, 1.500002, 1.500009, 1.500036)
    TIMES("sqrt((t - 1.5)^2) + hypot(2*t - 1, 0)*x", 1e9, 0.5, 1.5)
    TIMES("sin(b*t)^200", 2.0, pi / 4)
    TIMES("tanh((t - 0.75)/1e-3)", 1e9, 0.714, 0.741, 0.748, 0.75, 0.752, 0.759, 0.786)
    TIMES("logb(t + 0.5)", 4.0, 0.5, 1.5, 3.5)
    TIMES("(t >= 1.25)*(t < 1.2501) + min(mod(t, 3), mod(t, 4))", 2.9, 1.25, 1.2501)
    TIMES("(t >= 1.25)*(t < 1.2501) + max(abs(t - 2) - 2*abs(t - 2)/2, 0)", 1e9, 1.25, 1.2501, 2.0)
}

/* What has no switch, or depends on states, and what only touches zero. */
static void test_none(void **state)
{
    static const char *const text[] = {
        "x",          "sin(t)*x",     "x > t",          "abs(x)",        "sin(t) > 1.5",
        "exp(t) > 0", "abs(t^2 + 1)", "min(sin(t), 2)", "sin(t)^2 >= 0", "1 + cos(t) >= -1e-12",
        "max(a, b)",  "t - t > 1",    "exp(-t)",        "sin(t)^2/2",    "1/(t + 1)"};
    (void)state;
    for (int k = 0; k < MS_COUNT(text); k++)
        check_times(text[k], NULL, 100.0, 0, (const double[]){0.0});
}

/* A switch of an external input, and of what is made of it. */
static void test_external(void **state)
{
    static const double of_w[] = {0.25}, of_both[] = {0.25, 0.5};
    (void)state;
    check_times("x + w", "t > 0.25", 1e9, 1, of_w);
    check_times("abs(w)", "t - 0.25", 1e9, 1, of_w);
    check_times("(w > 0) + (w > 0.25)", "t - 0.25", 1e9, 2, of_both);
}

/* Forty random times, each a jump and a pulse of a millionth of the run: no one is missed from wherever it is looked for. */
static void test_random_times(void **state)
{
    char text[100];
    unsigned long long seed = 4711;
    (void)state;
    for (int k = 0; k < 40; k++) {
        const double at = 0.5 * (support_random(&seed) + 1.0), wide = 1e-6;
        ms_structure owner = {0};
        snprintf(text, sizeof text, "t > %.17g && t < %.17g ? 1 : 0", at, at + wide);
        const ms_switches *switches = read_switches(&owner, text, NULL);
        for (double t = 0.0; t < at * 0.999; t += 0.1 * at + 1e-9)
            assert_true(ms_switches_next(switches, t, NULL, NULL) == nextafter(at, 2.0));
        assert_true(ms_switches_next(switches, at + 0.5 * wide, NULL, NULL) == at + wide);
        assert_true(isinf(ms_switches_next(switches, at + 2.0 * wide, NULL, NULL)));
        ms_structure_free(&owner);
    }
}

/* The answer is that of the values that are given, whoever has asked before. */
static void test_values_count(void **state)
{
    ms_structure owner = {0};
    const ms_switches *switches = read_switches(&owner, "t > a", NULL);
    (void)state;
    for (int k = 0; k < 10; k++) {
        const double p[] = {0.5 + k % 3, 0.0};
        assert_true(ms_switches_next(switches, 0.1 * (k % 4), p, NULL) == nextafter(p[0], 9.0));
    }
    ms_structure_free(&owner);
}

/* Round-off alone switches: that is no switch, it takes no time to find out, and hides no other one. */
static void test_noise(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        ms_structure owner = {0};
        const ms_switches *switches =
            read_switches(&owner, "(sin(t)^2 + cos(t)^2 > 1) + (t >= 2.5)*(t < 2.5001)", NULL);
        double t = 1.0 + 0.03 * k;
        for (int i = 0; i < 100 && t < 2.5; i++)
            t = ms_switches_next(switches, t, NULL, NULL);
        assert_true(fabs(t - 2.5) < 1e-12);
        assert_true(fabs(ms_switches_next(switches, 2.50005, NULL, NULL) - 2.5001) < 1e-12);
        ms_structure_free(&owner);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),        cmocka_unit_test(test_none),
        cmocka_unit_test(test_external),     cmocka_unit_test(test_random_times),
        cmocka_unit_test(test_values_count), cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
