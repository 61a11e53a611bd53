/* test_studies_linearise.c - the studies of linearisation and the full car: verdicts, counts by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "figure_run.h"

/* Checks are reproduced, but those whose names contain one of the parts: they are not determined, and each
 * occurs. */
static void expect_verdicts(const json_t *answer, size_t checks_expected, int n, const char *const *open)
{
    const json_t *checks = json_object_get(answer, "checks");
    size_t k;
    json_t *check;
    int met = 0;
    assert_int_equal(json_array_size(checks), checks_expected);
    json_array_foreach(checks, k, check)
    {
        const char *what = json_string_value(json_object_get(check, "what"));
        const char *verdict = json_string_value(json_object_get(check, "verdict")), *expected = "reproduced";
        for (int j = 0; j < n; j++)
            if (strstr(what, open[j]) != NULL) {
                expected = "not-determined";
                met++;
            }
        if (strcmp(verdict, expected) != 0)
            fail_msg("'%s' is %s, not %s", what, verdict, expected);
    }
    assert_int_equal(met, n);
}

/* The whole number in a table, in the row whose first cell is `name`. */
static long cell(const json_t *answer, const char *title, const char *name, const char *first,
                 const char *column)
{
    json_t *rows = json_object_get(json_object_get(answer, "tables"), title), *row;
    size_t k;
    assert_non_null(rows);
    json_array_foreach(rows, k, row)
    {
        const json_t *value = json_object_get(row, column);
        if (strcmp(json_string_value(json_object_get(row, first)), name) != 0)
            continue;
        return json_is_string(value) ? strtol(json_string_value(value), NULL, 10)
                                     : (long)json_integer_value(value);
    }
    fail_msg("%s is not in the table", name);
    return 0;
}

/* One-sided differences, each with one evaluation at the point. Chassis: 32 columns; compressed 5 for f (a
 * force or moment of each wheel, and an acceleration, meet in a row) and 3 for g (heave, roll and pitch).
 * Wheel: 5 columns; compressed 5 for f and 4 for g, as the road does not enter the force. */
static void counts_of_the_full_car(void **state)
{
    (void)state;
    static const char *const open[] = {"142 states"};
    const char *title = "One-sided differences at the start, first case of each model";
    json_t *answer = figure_answer("macrostep:linearisation");
    expect_verdicts(answer, 5, 1, open);
    assert_int_equal(cell(answer, title, "full-car", "model", "subsystems, by columns"), 2 * 33 + 4 * 2 * 6);
    assert_int_equal(cell(answer, title, "full-car", "model", "subsystems, compressed"), 6 + 4 + 4 * (6 + 5));
    assert_int_equal(cell(answer, title, "mass-chain", "model", "coupled, compressed"), 7);
    assert_int_equal(cell(answer, title, "mass-chain", "model", "coupled, by columns"), 21);
    json_decref(answer);
}

static void evaluations_of_the_start(void **state)
{
    (void)state;
    static const char *const open[] = {"coupling variables", "elapsed time"};
    json_t *answer = figure_answer("andersson2016:fig5.13");
    expect_verdicts(answer, 7, 2, open);
    json_decref(answer);
}

/* Times are measured and not tested. */
static void shares_of_the_time(void **state)
{
    (void)state;
    static const char *const open[] = {"time by model", "time that two threads save"};
    json_t *answer = figure_answer("andersson2016:table9.7");
    expect_verdicts(answer, 5, 2, open);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_the_full_car),
        cmocka_unit_test(evaluations_of_the_start),
        cmocka_unit_test(shares_of_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
