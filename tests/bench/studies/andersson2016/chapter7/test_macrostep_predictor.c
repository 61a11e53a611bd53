/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_predictor.c - verdicts of Andersson's chapter 7, and the statistics over many starts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "figure_registry.h"
#include "figure_run.h"
#include "macrostep_predictor.h"
#include "support.h"
#include "unit_test.h"

static const json_t *find_check(const json_t *answer, const char *what)
{
    size_t k;
    const json_t *check;
    json_array_foreach (json_object_get(answer, "checks"), k, check)
        if (strcmp(json_string_value(json_object_get(check, "what")), what) == 0)
            return check;
    fail_msg("no check \"%s\"", what);
    return NULL;
}

static void has_verdict(const json_t *answer, const char *what, const char *verdict)
{
    const json_t *check = find_check(answer, what);
    if (strcmp(json_string_value(json_object_get(check, "verdict")), verdict) != 0)
        fail_msg("%s: %s", what, json_string_value(json_object_get(check, "verdict")));
}

/* Number k of an array in a check. */
static double number(const json_t *check, const char *member, const char *key, size_t k)
{
    const json_t *of = json_object_get(check, member);
    if (key != NULL)
        of = json_object_get(of, key);
    assert_true(json_is_number(json_array_get(of, k)));
    return json_number_value(json_array_get(of, k));
}

/* Number k of array `end` (0 least, 1 most) of a pair in measured. */
static double over_round_off(const json_t *pair, size_t end, size_t k)
{
    return json_number_value(json_array_get(json_array_get(pair, end), k));
}

/* Pairs [least, most], one a mode: each, widened by 10 % of the print, holds it. */
static void holds_pattern(const json_t *check, const char *reading, const double printed[MS_MODES - 1])
{
    const json_t *over = json_object_get(json_object_get(check, "measured"), "over round-off");
    const json_t *pairs = json_object_get(over, reading);
    assert_int_equal(json_array_size(pairs), MS_MODES - 1);
    for (size_t m = 0; m < MS_MODES - 1; m++) {
        const json_t *pair = json_array_get(pairs, m);
        assert_true(json_number_value(json_array_get(pair, 0)) <= 1.1 * printed[m]);
        assert_true(json_number_value(json_array_get(pair, 1)) >= 0.9 * printed[m]);
    }
}

/* The chosen reading, over nine starts that differ by round-off, holds the print within 10 %, and so does the
 * pattern with the printed tolerances. What the text leaves open is not determined: failures from another
 * start too, of which restarting prints 22. */
static void test_table_7_2(void **state)
{
    (void)state;
    static const char *const counts[] = {"steps", "evaluations of f", "Jacobians", "error test failures"};
    json_t *answer = support_figure_answer("andersson2016:table7.2");
    for (int c = 0; c < MS_COUNT(counts); c++)
        has_verdict(answer, counts[c], "not-determined");
    for (int c = 0; c < 3; c++) {
        const json_t *check = find_check(answer, counts[c]);
        const json_t *pair = json_object_get(json_object_get(check, "measured"), "over round-off");
        for (size_t m = 0; m < MS_MODES; m++) {
            const double printed = number(check, "published", NULL, m);
            assert_true(over_round_off(pair, 0, m) <= 1.1 * printed &&
                        over_round_off(pair, 1, m) >= 0.9 * printed);
        }
    }
    const json_t *pattern = find_check(answer, "steps relative to restarting, with the printed tolerances");
    static const double printed[] = {876.0 / 598.0, 584.0 / 598.0, 343.0 / 598.0};
    assert_string_equal(json_string_value(json_object_get(pattern, "verdict")), "reproduced");
    for (size_t m = 0; m < MS_MODES - 1; m++)
        support_near(number(pattern, "published", NULL, m), printed[m], 1e-12);
    holds_pattern(pattern, "19 linear segments, atol 1e-6", printed);
    holds_pattern(pattern, "20 linear segments, atol 1e-6", printed);
    has_verdict(answer, "corrected in x' and x'' takes the fewest steps and evaluations", "reproduced");
    has_verdict(answer, "to proceed takes the most steps and evaluations", "reproduced");
    has_verdict(answer, "errors against the coupled model are nearly equal in all four cases",
                "not-determined"); /* sampled inputs decide them */
    assert_string_equal(json_string_value(json_object_get(answer, "status")), "not-determined");
    json_decref(answer);
}

/* The paper's claim on errors is one, and is judged once. */
static void claims_errors_once(const json_t *answer)
{
    size_t k;
    const json_t *check;
    int n = 0;
    json_array_foreach (json_object_get(answer, "checks"), k, check) {
        const char *published = json_string_value(json_object_get(check, "published"));
        n += published != NULL && strstr(published, "nearly equal in all four cases") != NULL;
    }
    assert_int_equal(n, 1);
}

static void test_errors_are_claimed_once(void **state)
{
    (void)state;
    static const char *const tables[] = {"andersson2016:table7.2", "andersson2016:table7.3"};
    for (int k = 0; k < MS_COUNT(tables); k++) {
        json_t *answer = support_figure_answer(tables[k]);
        claims_errors_once(answer);
        json_decref(answer);
    }
}

/* A number of failures in a run of other length is a coincidence: 5 in 64 steps for 5 in 71, 1 in 101 for 1 in
 * 92. Order 0 has both. */
static void test_table_9_4(void **state)
{
    (void)state;
    json_t *answer = support_figure_answer("andersson2016:table9.4");
    has_verdict(answer, "global steps, extrapolation order 0", "reproduced");
    has_verdict(answer, "error test failures, extrapolation order 0", "reproduced");
    for (int order = 1; order <= 2; order++) {
        char what[64];
        snprintf(what, sizeof what, "error test failures, extrapolation order %d", order);
        has_verdict(answer, what, "not-determined");
        const char *note = json_string_value(json_object_get(find_check(answer, what), "note"));
        assert_non_null(strstr(note, "a coincidence"));
    }
    json_decref(answer);
}

static void test_table_7_3(void **state)
{
    (void)state;
    json_t *answer = support_figure_answer("andersson2016:table7.3");
    has_verdict(answer, "corrected in x' and x'' takes the fewest steps and evaluations", "reproduced");
    has_verdict(answer, "to proceed takes the most steps and evaluations", "reproduced");
    has_verdict(answer, "Jacobians", "not-determined"); /* stiffness and geometry are open */
    assert_string_equal(json_string_value(json_object_get(answer, "status")), "not-determined");
    json_decref(answer);
}

static void test_histories(void **state)
{
    (void)state;
    static const char *const figures[] = {"andersson2016:fig7.1", "andersson2016:fig7.4",
                                          "andersson2016:fig7.5", "andersson2016:fig7.7",
                                          "andersson2016:fig7.8", "andersson2016:fig7.9"};
    for (int k = 0; k < MS_COUNT(figures); k++) {
        json_t *answer = support_figure_answer(figures[k]);
        assert_string_equal(json_string_value(json_object_get(answer, "status")), "reproduced");
        json_decref(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table_7_2), cmocka_unit_test(test_table_7_3),
                                       cmocka_unit_test(test_errors_are_claimed_once),
                                       cmocka_unit_test(test_table_9_4), cmocka_unit_test(test_histories)};
    return cmocka_run_group_tests_name("studies of the predictor", tests, NULL, NULL);
}
