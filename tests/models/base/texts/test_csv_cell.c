/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "csv_cell.h"
#include "support.h"
#include "unit_test.h"

static void cells_are_cut(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        int n;
        const char *cell[4];
        bool quoted[4];
    } records[] = {
        {"time,a, b ,", 4, {"time", "a", "b", ""}, {false, false, false, false}},
        {"\"time\", \"T[1,2]\",\"say \"\"x\"\"\"", 3, {"time", "T[1,2]", "say \"x\""}, {true, true, true}},
        {"\"a\nb\",c", 2, {"a\nb", "c"}, {true, false}},
        {"\"\",\"\"\"\"", 2, {"", "\""}, {true, true}},
        {"a \"b\", c\"", 2, {"a \"b\"", "c\""}, {false, false}},
        {"\" a \" ,1", 2, {" a ", "1"}, {true, false}},
        {"", 1, {""}, {false}}};
    for (int k = 0; k < MS_COUNT(records); k++) {
        char *text = strdup(records[k].record), *next = text;
        assert_int_equal(ms_csv_count(text), records[k].n);
        assert_false(ms_csv_is_open(text));
        for (int j = 0; j < records[k].n; j++) {
            bool quoted;
            assert_non_null(next);
            assert_string_equal(ms_csv_cut(&next, &quoted), records[k].cell[j]);
            assert_int_equal(quoted, records[k].quoted[j]);
        }
        assert_null(next);
        free(text);
    }
    assert_true(ms_csv_is_open("a,\"b"));
    assert_true(ms_csv_is_open("\"a\"\""));
    assert_false(ms_csv_is_open("a \"b"));
}

static void records_go_over_lines(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        long lines;
    } records[] = {{"# say \"", 1}, {"a,\"b\nc\r\n\"\"d\",e", 3}, {"1,2", 1}, {"", 1}, {"last,\"open\n", 1}};
    char path[256], *text = NULL;
    size_t size = 0;
    long lines;
    support_temporary_file("# say \"\na,\"b\nc\r\n\"\"d\",e\r\n1,2\n\nlast,\"open\n\n", path, sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int k = 0; k < MS_COUNT(records); k++) {
        const ssize_t length = ms_csv_record(file, &text, &size, &lines);
        assert_true(length >= 0);
        assert_int_equal(length, strlen(text));
        if (k + 1 < MS_COUNT(records))
            assert_int_equal(lines, records[k].lines);
        assert_string_equal(text, records[k].record);
    }
    assert_true(ms_csv_is_open(text));
    assert_int_equal(ms_csv_record(file, &text, &size, &lines), -1);
    fclose(file);
    free(text);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_cut),
                                       cmocka_unit_test(records_go_over_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
