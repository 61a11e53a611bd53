/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_macrostep_linearisation.c - the studies of linearisation and the full car: verdicts, counts by hand. */
#include <stdlib.h>
#include <string.h>

#include <macrostep/catalogue.h>
#include "figure_run.h"
#include "unit_test.h"

/* The whole number in a table, in the row whose first cell is `name`. */
static long cell(const json_t *answer, const char *title, const char *name, const char *first,
                 const char *column)
{
    json_t *rows = json_object_get(json_object_get(answer, "tables"), title), *row;
    size_t k;
    assert_non_null(rows);
    json_array_foreach (rows, k, row) {
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
    static const support_figure_verdict open[] = {{"142 states", "not-determined"}};
    const char *title = "One-sided differences at the start, first case of each model";
    json_t *answer = support_figure_answer("macrostep:linearisation");
    support_figure_expect(answer, 5, 1, open);
    assert_int_equal(cell(answer, title, "full-car", "model", "subsystems, by columns"), 2 * 33 + 4 * 2 * 6);
    assert_int_equal(cell(answer, title, "full-car", "model", "subsystems, compressed"), 6 + 4 + 4 * (6 + 5));
    assert_int_equal(cell(answer, title, "mass-chain", "model", "coupled, compressed"), 7);
    assert_int_equal(cell(answer, title, "mass-chain", "model", "coupled, by columns"), 21);
    for (const ms_model *const *model = ms_catalogue; *model != NULL;
         model++) /* the file lists them all but one */
        if (strcmp((*model)->name, "woodpecker") != 0)
            assert_true(cell(answer, title, (*model)->name, "model", "states") >= 0);
    json_decref(answer);
}

static void evaluations_of_the_start(void **state)
{
    (void)state;
    static const support_figure_verdict open[] = {{"coupling variables", "not-determined"},
                                                  {"elapsed time", "not-determined"}};
    json_t *answer = support_figure_answer("andersson2016:fig5.13");
    support_figure_expect(answer, 5, 2, open);
    json_decref(answer);
}

/* Times are measured and not tested. */
static void shares_of_the_time(void **state)
{
    (void)state;
    static const support_figure_verdict open[] = {{"time by model", "not-determined"},
                                                  {"time that two threads save", "not-determined"}};
    json_t *answer = support_figure_answer("andersson2016:table9.7");
    support_figure_expect(answer, 3, 2, open);
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
