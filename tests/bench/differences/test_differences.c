/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two values held against each other; without memory there are no rows. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differences.h"
#include "folder.h"
#include "result_file.h"
#include "support.h"
#include "unit_test.h"

static json_t *value_of(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    return value;
}

/* The rows "KIND WHERE COUNT;" of two texts. */
static void rows_are(const char *a, const char *b, const char *expected)
{
    const ms_tolerances tolerances = {1e-3, 1e-6};
    ms_differences d;
    char found[512] = "";
    json_t *of_a = value_of(a), *of_b = value_of(b);
    ms_differences_begin(&tolerances, "aside", &d);
    ms_differences_compare(&d, "f", of_a, of_b);
    json_t *rows = ms_differences_rows(&d);
    for (size_t k = 0; k < json_array_size(rows); k++) {
        const json_t *row = json_array_get(rows, k);
        const size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s %s %d;",
                 json_string_value(json_object_get(row, "kind")),
                 json_string_value(json_object_get(row, "where")),
                 (int)json_integer_value(json_object_get(row, "count")));
    }
    assert_string_equal(found, expected);
    json_decref(rows);
    ms_differences_end(&d);
    json_decref(of_a);
    json_decref(of_b);
}

static void tolerances_are_absolute_and_relative(void **state)
{
    (void)state;
    rows_are("1", "1.0009", "");
    rows_are("1", "1.0011", "number  1;");
    rows_are("0", "9e-7", "");
    rows_are("0", "2e-6", "number  1;");
    rows_are("1", "1.0", ""); /* an integer and a real number */
    rows_are("1", "null", "number  1;");
    rows_are("null", "null", "");
    rows_are("1", "\"1\"", "number  1;");
}

static void members_and_elements_are_compared_by_name_and_place(void **state)
{
    (void)state;
    rows_are("{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", "");
    rows_are("{\"a\": 1}", "{\"b\": 1}", "missing a 1;missing b 1;");
    rows_are("[1, 2]", "[1, 2, 3]", "missing 2 1;");
    rows_are("{\"m\": [[1, 2], [3, 4]]}", "{\"m\": [[1, 2.1], [3.5, 4]]}",
             "number m.1.0 2;"); /* all of a matrix */
    rows_are("{\"wall_seconds\": 1, \"provenance\": {\"x\": 2}, \"aside\": 1}", "{}", "");
    rows_are("{\"t\": \"a\", \"n\": 1, \"status\": \"x\"}", "{\"t\": \"b\", \"n\": 2, \"status\": \"y\"}",
             "verdict status 1;number n 1;text t 1;");
}

static void checks_are_known_by_what_they_check(void **state)
{
    (void)state;
    rows_are("{\"checks\": [{\"what\": \"p\", \"x\": 1}, {\"what\": \"q\", \"x\": 2, \"verdict\": \"a\"}]}",
             "{\"checks\": [{\"what\": \"q\", \"x\": 3, \"verdict\": \"b\"}, {\"what\": \"p\", \"x\": 1}]}",
             "verdict checks.q.verdict 1;check checks.q.x 1;");
    rows_are("[{\"what\": \"p\"}]", "[{\"what\": \"r\"}]", "missing p 1;missing r 1;");
    rows_are("[{\"what\": \"p\"}, {\"what\": \"p\"}]", "[{\"what\": \"p\"}, {\"what\": \"q\"}]",
             "text 1.what 1;"); /* twice the same: by place */
}

static void of_many_numbers_the_furthest_apart_is_shown(void **state)
{
    (void)state;
    rows_are("{\"x\": [1, 1, 1, 1]}", "{\"x\": [1, 1.1, 1.5, 1.2]}", "number x.2 3;");
}

/* Files -------------------------------------------------------------------------------------------------- */

/* What a file of that ending is read as. */
static void is_read_as(const char *ending, const char *text, const char *expected)
{
    char path[512], name[sizeof path + 8];
    ms_error error;
    json_t *value = NULL, *wanted = value_of(expected);
    support_folder_new(path, sizeof path);
    snprintf(name, sizeof name, "%s/f%s", path, ending);
    support_write_file(name, text);
    assert_int_equal(ms_result_file_read(name, &value, &error), MS_OK);
    assert_true(json_equal(value, wanted));
    json_decref(value);
    json_decref(wanted);
    remove(name);
    remove(path);
}

static void csv_is_read_by_columns(void **state)
{
    (void)state;
    is_read_as(".csv", "# a: b\nx,name,y\n0.5,\"a \"\"b\"\", c\",\n-1e-3,end-time,2\n",
               "{\"rows\": [{\"x\": 0.5, \"name\": \"a \\\"b\\\", c\", \"y\": null},"
               "{\"x\": -0.001, \"name\": \"end-time\", \"y\": 2.0}]}");
    is_read_as(".csv", "x\r\n\"\"\r\n\"1\"\r\n", "{\"rows\": [{\"x\": \"\"}, {\"x\": \"1\"}]}");
    is_read_as(".csv", "", "{\"rows\": []}");
}

static void json_is_read_as_it_is_or_by_lines(void **state)
{
    (void)state;
    is_read_as(".json", "[1, {\"a\": 2}]\n", "[1, {\"a\": 2}]");
    is_read_as("", "{\"a\": 2}\n", "{\"a\": 2}");
    is_read_as(".jsonl", "{\"provenance\": {}}\n{\"a\": 1}\n{\"a\": 2}\n",
               "{\"head\": {\"provenance\": {}}, \"rows\": [{\"a\": 1}, {\"a\": 2}]}");
}

/* Allocations -------------------------------------------------------------------------------------------- */

static long allowed;

static void *allocate(size_t size)
{
    return allowed-- > 0 ? malloc(size) : NULL;
}

static void without_memory_there_are_no_rows(void **state)
{
    json_t *a = value_of("{\"x\": [1, 2], \"y\": \"a\", \"z\": 1}"),
           *b = value_of("{\"x\": [1, 3], \"y\": \"b\"}");
    const ms_tolerances tolerances = {0.0, 0.0};
    bool whole = false;
    (void)state;
    for (long k = 0; k < 1000 && !whole; k++) {
        ms_differences d;
        allowed = k;
        json_set_alloc_funcs(allocate, free);
        ms_differences_begin(&tolerances, "w", &d);
        ms_differences_compare(&d, "f", a, b);
        json_t *rows = ms_differences_rows(&d);
        json_set_alloc_funcs(malloc, free);
        assert_true(rows == NULL || json_array_size(rows) == 3);
        whole = rows != NULL;
        json_decref(rows);
        ms_differences_end(&d);
    }
    assert_true(whole);
    json_decref(a);
    json_decref(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerances_are_absolute_and_relative),
        cmocka_unit_test(members_and_elements_are_compared_by_name_and_place),
        cmocka_unit_test(checks_are_known_by_what_they_check),
        cmocka_unit_test(of_many_numbers_the_furthest_apart_is_shown),
        cmocka_unit_test(csv_is_read_by_columns),
        cmocka_unit_test(json_is_read_as_it_is_or_by_lines),
        cmocka_unit_test(without_memory_there_are_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
