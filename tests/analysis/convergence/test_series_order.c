/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_series_order.c - the order over time series whose errors are h^4 by construction, and series that have none. */
#include <math.h>
#include <string.h>

#include "series_order.h"
#include "support.h"
#include "unit_test.h"

enum { FILES = 3 };

/* Of spring-mass, s = cos t and v = -sin t, with a constant error; by name, the first `columns` of them. */
typedef struct file {
    double h, end, error;
    int columns;
} file;

typedef struct files {
    ms_system *system;
    ms_series *series[FILES];
    ms_series_errors errors[FILES];
} files;

static void measure(files *all, int k, const file *of)
{
    static const char *const names[] = {"spring.s", "mass.v"};
    const long steps = lround(of->end / of->h);
    ms_error error = {""};
    assert_int_equal(ms_series_create(of->columns, names, steps + 1, &all->series[k], &error), MS_OK);
    for (long r = 0; r <= steps; r++) {
        const double t = of->h * (double)r, exact[] = {cos(t), -sin(t)};
        all->series[k]->time[r] = t;
        for (int j = 0; j < of->columns; j++)
            all->series[k]->value[r * of->columns + j] = exact[j] + of->error;
    }
    if (ms_series_errors_measure(all->system, all->series[k], 0.0, MS_SCALE_NONE, NULL, NULL, &all->errors[k],
                                 &error) != MS_OK)
        fail_msg("%s", error.text);
}

static files measured(const file *of)
{
    files all = {.system = support_system("spring-mass", NULL)};
    for (int k = 0; k < FILES; k++)
        measure(&all, k, &of[k]);
    return all;
}

static void destroy(files *all)
{
    for (int k = 0; k < FILES; k++) {
        ms_series_errors_destroy(&all->errors[k]);
        ms_series_destroy(&all->series[k]);
    }
    ms_system_destroy(&all->system);
}

/* Given in any order of their steps; the rows stay where they are. */
static void order_is_that_of_the_errors(void **state)
{
    (void)state;
    static const file of[FILES] = {{0.05, 8.0, 6.25e-6, 2}, {0.2, 8.0, 1.6e-3, 2}, {0.1, 8.0, 1e-4, 2}};
    files all = measured(of);
    ms_convergence_row row[FILES];
    ms_convergence_order order;
    const char *why;
    assert_int_equal(ms_series_order(FILES, all.errors, MS_NORM_MAX, row, &order, &why), MS_OK);
    assert_null(why);
    support_near(order.order, 4.0, 1e-6);
    for (int k = 0; k < FILES; k++) {
        support_near(row[k].step_size, of[k].h, 1e-12);
        support_near(row[k].error, of[k].error, 1e-11);
    }
    assert_true(isnan(row[1].slope)); /* the first one, of the longest step */
    support_near(row[2].slope, 4.0, 1e-6);
    support_near(row[0].slope, 4.0, 1e-5);
    assert_int_equal(ms_series_order(1, all.errors, MS_NORM_MAX, row, &order, &why), MS_OK);
    assert_string_equal(why, "an order requires two files");
    destroy(&all);
}

static void what_has_no_order_says_why(void **state)
{
    (void)state;
    static const struct {
        file of[FILES];
        const char *why;
    } cases[] = {
        {{{0.1, 8.0, 1e-4, 2}, {0.2, 8.0, 1e-3, 2}, {0.1, 8.0, 1e-5, 2}}, "all differ"},
        {{{0.1, 8.0, 1e-4, 2}, {0.2, 8.4, 1e-3, 2}, {0.4, 8.0, 1e-2, 2}}, "end at the same time"},
        {{{0.1, 8.0, 1e-4, 2}, {0.2, 8.0, 1e-3, 1}, {0.4, 8.0, 1e-2, 2}}, "the same variables"},
        {{{0.1, 8.0, 1e-4, 2}, {0.2, 0.0, 1e-3, 2}, {0.4, 8.0, 1e-2, 2}}, "at least two points"},
        {{{0.1, 8.0, 0.0, 2}, {0.2, 8.0, 0.0, 2}, {0.4, 8.0, 1e-2, 2}}, "two errors above"},
    };
    for (int c = 0; c < MS_COUNT(cases); c++) {
        files all = measured(cases[c].of);
        ms_convergence_row row[FILES];
        ms_convergence_order order;
        const char *why;
        assert_int_equal(ms_series_order(FILES, all.errors, MS_NORM_MAX, row, &order, &why), MS_OK);
        assert_true(isnan(order.order));
        if (why == NULL || strstr(why, cases[c].why) == NULL)
            fail_msg("%s: %s", cases[c].why, why != NULL ? why : "none");
        destroy(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_is_that_of_the_errors),
                                       cmocka_unit_test(what_has_no_order_says_why)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
