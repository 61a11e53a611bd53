/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other words for options and values: found among the names asked about, and before the nearest spelling. */
#include "nearest.h"
#include "unit_test.h"

static const char *const options[] = {"scheme", "step-rule", "step-size", "stop-time", "solver-rtol", "rtol"};
enum { N = sizeof options / sizeof *options };

static void words_of_other_tools_find_the_option(void **state)
{
    (void)state;
    assert_string_equal(ms_synonym("dt", options, N), "step-size");
    assert_string_equal(ms_synonym("simulate", (const char *const[]){"estimate", "run"}, 2), "run");
    assert_string_equal(ms_nearest("energy", (const char *const[]){"converge", "run"}, 2), "run");
    assert_string_equal(ms_nearest("monte-carlo", (const char *const[]){"integrate", "sweep"}, 2), "sweep");
    assert_string_equal(ms_synonym("step", options, N), "step-size");
    assert_string_equal(ms_synonym("tend", options, N), "stop-time");
    assert_string_equal(ms_synonym("FinalTime", options, N), "stop-time");
    assert_string_equal(ms_synonym("t_end", options, N), "stop-time");
    assert_string_equal(ms_nearest("step", options, N), "step-size");
}

static void members_of_files_are_spelt_with_underscores(void **state)
{
    (void)state;
    assert_string_equal(ms_synonym("dt", (const char *const[]){"subsystems", "step_size"}, 2), "step_size");
}

static void what_is_not_among_the_names_is_not_meant(void **state)
{
    (void)state;
    assert_string_equal(ms_synonym("tolerance", options, N), "solver-rtol");
    assert_string_equal(ms_synonym("tolerance", options + N - 1, 1), "rtol");
    assert_null(ms_synonym("tolerance", options, 4));
    assert_null(ms_synonym("gs", options, N));
    assert_null(ms_synonym("", options, N));
    assert_null(ms_synonym("t", options, N));
    assert_string_equal(ms_synonym("gs", (const char *const[]){"jacobi", "gauss-seidel"}, 2), "gauss-seidel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_other_tools_find_the_option),
        cmocka_unit_test(members_of_files_are_spelt_with_underscores),
        cmocka_unit_test(what_is_not_among_the_names_is_not_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
