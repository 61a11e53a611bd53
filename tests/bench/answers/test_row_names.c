/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that tell rows apart, and their ranks by cost and error. */

#include <string.h>

#include "pareto.h"
#include "row_names.h"
#include "unit_test.h"

static json_t *rows_of(const char *text)
{
    json_t *rows = json_loads(text, 0, NULL);
    assert_non_null(rows);
    return rows;
}

static void expect(const json_t *names, size_t k, const char *wanted)
{
    assert_string_equal(json_string_value(json_array_get(names, k)), wanted);
}

static void as_few_options_as_tell_rows_apart(void **state)
{
    (void)state;
    json_t *rows =
        rows_of("[{\"scheme\": {\"scheme\": \"a\", \"x\": \"u\", \"y\": \"w\", \"z\": 1}},"
                " {\"scheme\": {\"scheme\": \"a\", \"x\": \"v\", \"y\": \"w\", \"z\": 2}},"
                " {\"scheme\": {\"scheme\": \"b\", \"x\": \"u\"}},"
                " {\"scheme\": {\"scheme\": \"c\", \"extrapolation_order\": 0, \"s\": \"none\"}},"
                " {\"scheme\": {\"scheme\": \"c\", \"extrapolation_order\": 0, \"s\": \"c1\"}},"
                " {\"scheme\": {\"scheme\": \"c\", \"extrapolation_order\": 1, \"s\": \"none\"}}]");
    json_t *names = ms_row_names(rows, NULL);
    expect(names, 0, "a, u"); /* z follows from x */
    expect(names, 1, "a, v");
    expect(names, 2, "b");
    expect(names, 3, "c, order 0");
    expect(names, 4, "c, order 0, c1");
    expect(names, 5, "c, order 1");
    json_decref(names);
    json_decref(rows);
}

static void parameters_tell_rows_apart_and_axes_do_not(void **state)
{
    (void)state;
    json_t *rows = rows_of("[{\"scheme\": {\"scheme\": \"a\", \"step_size\": 1, \"rtol\": 1}, "
                           "\"parameters\": {\"k\": 1, \"m\": 2}},"
                           " {\"scheme\": {\"scheme\": \"a\", \"step_size\": 2, \"rtol\": 2}, "
                           "\"parameters\": {\"k\": 3, \"m\": 2}}]");
    json_t *names = ms_row_names(rows, "step_size rtol");
    expect(names, 0, "a, k = 1");
    expect(names, 1, "a, k = 3");
    json_decref(names);
    names = ms_row_names(rows, "step_size");
    expect(names, 1, "a, rtol 2");
    json_decref(names);
    json_decref(rows);
}

/* Rows that tie are one, unless that would name a variant that is not there. */
static void ties_are_named_once(void **state)
{
    (void)state;
    static const ms_column columns[] = {{"member", ""}, {"e", ""}, {NULL, NULL}};
    json_t *rows =
        rows_of("[{\"member\": \"a, order 1, u\", \"e\": 1}, {\"member\": \"a, order 1, v\", \"e\": 1},"
                " {\"member\": \"a, order 2, u\", \"e\": 1}, {\"member\": \"a, order 2, v\", \"e\": 1},"
                " {\"member\": \"b, u, x\", \"e\": 2}, {\"member\": \"b, v, y\", \"e\": 2},"
                " {\"member\": \"b, u, y\", \"e\": 3}, {\"member\": \"c, u\", \"e\": null},"
                " {\"member\": \"c, v\", \"e\": null}, {\"member\": \"c, v, w\", \"e\": null},"
                " {\"member\": \"d\", \"e\": 4}, {\"member\": \"e\", \"e\": 4}]");
    static const char *const wanted[] = {
        "a, order 1 or 2, u or v", "b, u, x", "b, v, y", "b, u, y", "c, u or v", "c, v, w", "d", "e"};
    json_t *few = ms_row_ties(rows, columns);
    assert_int_equal(json_array_size(few), sizeof wanted / sizeof wanted[0]);
    for (size_t k = 0; k < json_array_size(few); k++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(few, k), "member")), wanted[k]);
    assert_int_equal(json_array_size(rows), 12);
    json_decref(few);
    json_decref(rows);
}

static json_int_t rank_of(const json_t *rows, size_t k)
{
    return json_integer_value(json_object_get(json_array_get(rows, k), "rank"));
}

/* (cost, error): (1, 9), (2, 5), (3, 5), (4, 1), (4, 2), and one without an error. */
static void ranks(void **state)
{
    static const json_int_t by[3][5] = {{5, 3, 3, 1, 2}, {1, 2, 3, 4, 4}, {1, 1, 2, 1, 2}};
    (void)state;
    for (int how = 0; how < 3; how++) {
        json_t *rows = rows_of(
            "[{\"integrations\": 1, \"error\": 9}, {\"integrations\": 1, \"sensitivities\": 1, \"error\": 5},"
            " {\"integrations\": 3, \"error\": 5}, {\"integrations\": 4, \"error\": 1},"
            " {\"integrations\": 4, \"error\": 2}, {\"integrations\": 0, \"error\": null}]");
        assert_int_equal(ms_pareto_rank(rows, how), 0);
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(rank_of(rows, k), by[how][k]);
        assert_true(json_is_null(json_object_get(json_array_get(rows, 5), "rank")));
        assert_true(json_is_null(json_object_get(json_array_get(rows, 5), "cost")));
        assert_int_equal(json_integer_value(json_object_get(json_array_get(rows, 1), "cost")), 2);
        json_decref(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_few_options_as_tell_rows_apart),
        cmocka_unit_test(parameters_tell_rows_apart_and_axes_do_not),
        cmocka_unit_test(ties_are_named_once),
        cmocka_unit_test(ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
