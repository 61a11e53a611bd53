/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as text: rows of matrices on one line, everything reads back to what it was. */
#include <stdio.h>
#include <stdlib.h>

#include "json_text.h"
#include "unit_test.h"

static char *on_lines(const json_t *value)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(ms_json_write(value, MS_JSON_ON_LINES, stream), 0);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* The value that the source says, in both layouts; and both read back to it. */
static void is_written(const char *source, const char *lines, const char *line)
{
    json_t *value = json_loads(source, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    char *text[] = {on_lines(value), ms_json_line(value)};
    assert_non_null(text[1]);
    assert_string_equal(text[0], lines);
    assert_string_equal(text[1], line);
    for (int k = 0; k < 2; k++) {
        json_t *back = json_loads(text[k], JSON_DECODE_ANY, NULL);
        assert_true(json_equal(back, value));
        json_decref(back);
        free(text[k]);
    }
    json_decref(value);
}

static void scalars_are_what_they_were(void **state)
{
    (void)state;
    is_written("0.1", "0.1", "0.1");
    is_written("1.0", "1.0", "1.0"); /* no integer */
    is_written("1", "1", "1");
    is_written("1e300", "1e300", "1e300");
    is_written("\"a\\\"b\\n\\u0001\xC3\xA9\"", "\"a\\\"b\\n\\u0001\xC3\xA9\"",
               "\"a\\\"b\\n\\u0001\xC3\xA9\"");
    is_written("\"a\\u202eb\"", "\"a\\u202Eb\"", "\"a\\u202Eb\""); /* which turns the direction of writing */
    is_written("[true, false, null]", "[true, false, null]", "[true, false, null]");
}

static void rows_of_a_matrix_stand_on_one_line(void **state)
{
    (void)state;
    is_written(
        "{\"A\": [[1.5, 2], [3, 4]], \"b\": [], \"c\": {}, \"d\": [\"x\"]}",
        "{\n  \"A\": [\n    [1.5, 2],\n    [3, 4]\n  ],\n  \"b\": [],\n  \"c\": {},\n  \"d\": [\"x\"]\n}",
        "{\"A\": [[1.5, 2], [3, 4]], \"b\": [], \"c\": {}, \"d\": [\"x\"]}");
    is_written("[{\"a\": 1}, {\"a\": [[2]]}]",
               "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": [\n      [2]\n    ]\n  }\n]",
               "[{\"a\": 1}, {\"a\": [[2]]}]");
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    assert_null(ms_json_line(NULL));
    assert_int_equal(ms_json_write(NULL, MS_JSON_ON_LINES, stdout), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_what_they_were),
        cmocka_unit_test(rows_of_a_matrix_stand_on_one_line),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
