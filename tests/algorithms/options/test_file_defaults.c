/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_file_defaults.c - options that a model's file says: below those that are given, beside those of a preset, and named where they are
 * wrong. */
#include <string.h>

#include <macrostep/options_set.h>
#include "file_defaults.h"
#include "support.h"
#include "unit_test.h"

static const ms_default said_by_file[] = {
    {"scheme", "gauss-seidel", "a.ssd", 3}, {"extrapolation-order", "2", "a.ssd", 3},
    {"rtol", "1e-5", "a.ssd", 3},           {"step-size", "0.25", "a.ssd", 3},
    {"mask", "a:rollback", "a.ssd", 4},     {"mask", "b:rollback", "a.ssd", 5}};

static ms_options read_all(const ms_default *list, int n)
{
    const ms_model model = {.defaults = list, .n_defaults = n};
    ms_options said;
    ms_error error = {{0}};
    if (ms_file_defaults_read(&model, &said, &error) != MS_OK)
        fail_msg("%s", error.text);
    return said;
}

/* Every option of the table: what is given stays, what is not given is the file's, and counts as given but not as asked for. */
static void what_is_given_wins(void **state)
{
    (void)state;
    const ms_options said = read_all(said_by_file, MS_COUNT(said_by_file));
    ms_options none = support_options(""), some = support_options("extrapolation-order=1 mask=c:rollback");
    ms_file_defaults_apply(&said, &none);
    ms_file_defaults_apply(&said, &some);
    assert_string_equal(none.scheme, "gauss-seidel");
    assert_string_equal(some.scheme, "gauss-seidel");
    assert_int_equal(none.extrapolation.order, 2);
    assert_int_equal(some.extrapolation.order, 1);
    assert_int_equal(none.n_masks, 2);
    assert_string_equal(none.mask[1], "b:rollback");
    assert_int_equal(some.n_masks, 1);
    assert_string_equal(some.mask[0], "c:rollback");
    assert_true(none.control.rtol == 1e-5 && none.given[MS_OPTION_RTOL] &&
                !ms_option_asked(&none, MS_OPTION_RTOL));
    assert_true(ms_option_asked(&some, MS_OPTION_EXTRAPOLATION_ORDER));
    assert_true(none.step_size == 0.0 && !none.given[MS_OPTION_STEP_SIZE]); /* it is the model's */
    assert_int_equal(ms_options_set(&none, "extrapolation-order", "0", NULL), MS_OK);
    assert_true(none.extrapolation.order == 0 && ms_option_asked(&none, MS_OPTION_EXTRAPOLATION_ORDER));
}

static void a_preset_that_is_given_wins(void **state)
{
    (void)state;
    const ms_options said = read_all(said_by_file, MS_COUNT(said_by_file));
    ms_options first = support_options("as=pyfmi"), behind = support_options("");
    ms_file_defaults_apply(&said, &first);
    ms_file_defaults_apply(&said, &behind);
    assert_int_equal(ms_options_set(&behind, "as", "pyfmi", NULL), MS_OK);
    assert_string_equal(first.scheme, "jacobi");
    assert_string_equal(behind.scheme, "jacobi");
    assert_true(first.control.rtol == 1e-4 && behind.control.rtol == 1e-4 && first.extrapolation.order == 0);
    assert_int_equal(behind.extrapolation.order, 0);
    assert_int_equal(behind.n_masks, 2);
}

/* `as` in a file is what it stands for, each of which may be given otherwise. */
static void a_preset_of_the_file_is_its_options(void **state)
{
    (void)state;
    static const ms_default as[] = {{"as", "oms-mav", "a.ssd", 3}, {"rtol", "1e-5", "a.ssd", 3}};
    const ms_options said = read_all(as, MS_COUNT(as));
    ms_options o = support_options("scheme=gauss-seidel");
    ms_file_defaults_apply(&said, &o);
    assert_string_equal(o.scheme, "gauss-seidel");
    assert_int_equal(o.as, 0);
    assert_int_equal(o.extrapolation.outputs, MS_OUTPUTS_CONSISTENT);
    assert_int_equal(o.control.error_controlled, MS_CONTROL_OMS);
    assert_true(o.control.rtol == 1e-5 && o.step_size == 1e-6);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        ms_default of[2];
        const char *what;
    } wrong[] = {
        {{{"sheme", "jacobi", "a.ssd", 7}}, "a.ssd: line 7: unknown option `sheme`; did you mean `scheme`?"},
        {{{"outputs", "good", "a.ssd", 7}}, "a.ssd: line 7: `outputs` good"},
        {{{"outputs", "", "a.ssd", 7}}, "a.ssd: line 7: `outputs`"},
        {{{"rtol", "1", "a.ssd", 7}, {"rtol", "1", "a.ssd", 9}}, "a.ssd: line 9: `rtol`: given twice"},
        {{{"as", "fmpy", "a.ssd", 7}, {"scheme", "strang", "b.ssd", 9}}, "b.ssd: line 9: `scheme` strang: "},
    };
    for (int k = 0; k < MS_COUNT(wrong); k++) {
        const ms_model model = {.defaults = wrong[k].of, .n_defaults = wrong[k].of[1].option != NULL ? 2 : 1};
        ms_options said;
        ms_error error = {{0}};
        assert_int_equal(ms_file_defaults_read(&model, &said, &error), MS_INVALID);
        if (strncmp(error.text, wrong[k].what, strlen(wrong[k].what)) != 0)
            fail_msg("'%s' instead of '%s'", error.text, wrong[k].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_wins), cmocka_unit_test(a_preset_that_is_given_wins),
        cmocka_unit_test(a_preset_of_the_file_is_its_options), cmocka_unit_test(what_is_wrong_is_named)};
    return cmocka_run_group_tests_name("test_file_defaults", tests, NULL, NULL);
}
