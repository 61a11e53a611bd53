/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_figure_expression.c - expressions over columns and their reductions, against values by hand. */
#include <math.h>
#include <string.h>

#include "figure_parts.h"
#include "support.h"
#include "unit_test.h"

/* h = 1, 1/2, 1/4, 1/8; e = 3 h^2; c = 0, 1, 0, 1; one number k = 2 */
static const double h[] = {1.0, 0.5, 0.25, 0.125}, c[] = {0.0, 1.0, 0.0, 1.0};

static int find(void *self, const char *name, ms_number_column *column, ms_error *error)
{
    (void)self;
    if (strcmp(name, "k") == 0)
        return ms_number_column_single(2.0, column, error);
    if (strcmp(name, "run.h") != 0 && strcmp(name, "e") != 0 && strcmp(name, "c-c") != 0)
        return ms_fail(error, MS_INVALID, "unknown name %s", name);
    assert_int_equal(ms_number_column_create(4, false, column, error), MS_OK);
    for (int k = 0; k < 4; k++)
        column->value[k] = name[0] == 'r' ? h[k] : name[0] == 'e' ? 3.0 * h[k] * h[k] : c[k];
    return MS_OK;
}

static const ms_figure_names names = {.find = find};

static double one(const char *text)
{
    double value = NAN;
    ms_error error = {0};
    if (ms_figure_number(text, &names, &value, &error) != MS_OK)
        fail_msg("%s: %s", text, error.text);
    return value;
}

static void expect_column(const char *text, size_t n, const double *expected)
{
    ms_number_column column;
    ms_error error = {0};
    if (ms_figure_expression(text, &names, &column, &error) != MS_OK)
        fail_msg("%s: %s", text, error.text);
    assert_false(column.single);
    assert_int_equal(column.n, n);
    for (size_t k = 0; k < n; k++)
        assert_true(isnan(expected[k]) ? isnan(column.value[k]) : column.value[k] == expected[k]);
    ms_number_column_free(&column);
}

static void expect_fault(const char *text, const char *part)
{
    double value;
    ms_error error = {0};
    assert_int_equal(ms_figure_number(text, &names, &value, &error), MS_INVALID);
    if (strstr(error.text, part) == NULL)
        fail_msg("%s: %s", text, error.text);
}

static void test_columns(void **state)
{
    (void)state;
    expect_column("k*run.h + 1", 4, (const double[]){3.0, 2.0, 1.5, 1.25});
    expect_column("max(run.h, 0.3)", 4, (const double[]){1.0, 0.5, 0.3, 0.3});
    expect_column("previous(run.h)", 4, (const double[]){NAN, 1.0, 0.5, 0.25});
    expect_column("where(run.h, `c-c`)", 2, (const double[]){0.5, 0.125});
    expect_column("run.h > 0.3 && `c-c` == 0", 4, (const double[]){1.0, 0.0, 0.0, 0.0});
    expect_column("run.h/max(run.h)*2e0", 4, (const double[]){2.0, 1.0, 0.5, 0.25});
}

static void test_reductions(void **state)
{
    (void)state;
    support_near(one("max(run.h)"), 1.0, 0.0);
    support_near(one("min(run.h) + k"), 2.125, 0.0);
    support_near(one("sum(run.h)"), 1.875, 0.0);
    support_near(one("mean(run.h)"), 0.46875, 0.0);
    support_near(one("first(run.h) - last(run.h)"), 0.875, 0.0);
    support_near(one("rows(run.h)*100 + count(`c-c`)"), 402.0, 0.0);
    support_near(one("all(`c-c`) + 2*any(`c-c`) + 4*all(run.h)"), 6.0, 0.0);
    support_near(one("first(where(run.h, run.h < 0.4))"), 0.25, 0.0);
    support_near(one("max(max(run.h)*k, min(e))"), 2.0, 0.0);
    support_near(one("max(k)"), 2.0, 0.0);
    assert_true(isnan(one("max(where(run.h, run.h > 2))")));
    assert_true(isnan(one("max(previous(run.h))"))); /* what is not a number stays so */
    support_near(one("median(run.h)"), 0.375, 0.0);
    support_near(one("median(where(run.h, run.h < 0.8)) + median(k)"), 2.25, 0.0);
    assert_true(isnan(one("median(previous(run.h))")) && isnan(one("median(where(run.h, run.h > 2))")));
    support_near(one("quantile(run.h, 0) + quantile(run.h, 1) + quantile(run.h, 1/6)"), 1.125 + 0.1875,
                 1e-15);
    assert_true(isnan(one("quantile(run.h, 1.5)")) && isnan(one("quantile(run.h, 0/0)")));
    support_near(one("least_at(e)"), 4.0, 0.0);
    support_near(one("least_at(previous(-run.h))"), 2.0, 0.0); /* the first row is not a number */
    assert_true(isnan(one("least_at(where(run.h, run.h > 2))")));
    support_near(one("cos(pi)"), -1.0, 0.0);
}

static void test_orders(void **state)
{
    (void)state;
    support_near(one("slope(run.h, e)"), 2.0, 1e-14);
    support_near(one("order(run.h, e)"), 2.0, 1e-14);
    support_near(one("order_from(run.h, e)"), 1.0, 0.0);
    support_near(one("order_to(run.h, e, 0.1)"), 0.25, 0.0); /* e is 0.047 in the last row */
    support_near(one("count(used(run.h, e, 0.1))"), 3.0, 0.0);
}

/* With work 1/h an error of 3 h^2 takes sqrt(3/e); 3 and 0.75 are too large to count. */
static void test_work(void **state)
{
    (void)state;
    support_near(one("work_at(1/run.h, e, 3/32)"), sqrt(32.0), 1e-13);
    support_near(one("work_at(1/run.h, e, last(e))"), 8.0, 0.0);
    assert_true(isnan(one("work_at(1/run.h, e, 0.01)")));
    assert_true(isnan(one("work_at(1/run.h, e, 0.4)")));
    support_near(one("work_at(where(run.h, `c-c`), where(e, run.h == 1 || run.h == 0.125), 0.046875)"), 0.125,
                 0.0);
}

static void test_faults(void **state)
{
    (void)state;
    expect_fault("run.x", "unknown name run.x, in the expression run.x");
    expect_fault("run.h + 1", "a column of 4 rows where one number is expected");
    expect_fault("sum(run.h", "in the expression sum(run.h");
    expect_fault("slope(run.h)", "slope does not take 1 arguments");
    expect_fault("1 +", "it ends where a value is expected");
    expect_fault("sum(run.h + where(run.h, `c-c`))", "columns of 4 and of 2 rows");
    expect_fault("`run.h", "a name in backquotes does not end");
    expect_fault("evil(run.h)", "evil");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns), cmocka_unit_test(test_reductions), cmocka_unit_test(test_orders),
        cmocka_unit_test(test_work),    cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
