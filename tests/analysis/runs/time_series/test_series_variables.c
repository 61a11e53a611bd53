/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_series_variables.c - which columns are which variables, in a model whose short names meet. */
#include <string.h>

#include "series_variables.h"
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

static void matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)p, (void)data;
    m->A[0] = -1.0;
    m->C[0] = 2.0;
}

/* States 0 .. 2, no inputs, outputs 3 .. 5: a.x is a state and an output, a.force an output alone; a.b.x may be two states. */
static const ms_variable a_x[] = {{"x", ""}, {"b.x", ""}}, a_y[] = {{"x", ""}, {"force", ""}},
                         b_x[] = {{"x", ""}}, b_y[] = {{"x.force", ""}};
static const ms_subsystem subsystems[] = {
    {.name = "a", .nx = 2, .ny = 2, .x = a_x, .y = a_y, .matrices = matrices},
    {.name = "a.b", .nx = 1, .ny = 1, .x = b_x, .y = b_y, .matrices = matrices},
};
static const ms_model model = SUPPORT_UNCOUPLED("twins", subsystems, .stop_time = 1.0, .step_size = 0.1);

enum { COLUMNS_MAX = 4, IGNORED = -1 };

/* Each column's variable, or IGNORED; or the status and the line. */
static int find(int columns, const char *const *names, int *variable, ms_error *error)
{
    ms_system *system = support_system_of(&model);
    ms_series *series = NULL;
    ms_series_variables v;
    assert_int_equal(ms_series_create(columns, names, 1, &series, NULL), MS_OK);
    const int status = ms_series_variables_find(system, series, &v, error);
    for (int k = 0; k < columns; k++)
        variable[k] = IGNORED;
    if (status == MS_OK) {
        assert_int_equal(v.n + v.n_ignored, columns);
        for (int k = 0; k < v.n; k++) {
            variable[v.column[k]] = v.variable[k];
            assert_true(ms_series_variables_have(&v, v.variable[k]));
        }
        ms_series_variables_destroy(&v);
    }
    ms_series_destroy(&series);
    ms_system_destroy(&system);
    return status;
}

static void expect(const char *name, int expected)
{
    const char *names[] = {"their.own", name};
    int variable[2];
    ms_error error = {{0}};
    if (find(2, names, variable, &error) != MS_OK)
        fail_msg("%s: %s", name, error.text);
    assert_int_equal(variable[0], IGNORED);
    assert_int_equal(variable[1], expected);
}

static void refuse(int columns, const char *const *names, const char *line)
{
    int variable[COLUMNS_MAX];
    ms_error error = {{0}};
    assert_int_equal(find(columns, names, variable, &error), MS_INVALID);
    support_says(error.text, line);
}

static void names(void **state)
{
    (void)state;
    expect("a.x.x", 0);
    expect("a.y.x", 3);
    expect("a.x", 0); /* a state before an output */
    expect("a.force", 4);
    expect("a.b.x.x", 2);
    expect("a.b.y.x.force", 5);
    expect("a.x.b.x", 1);
    expect("a.b.x.force", 5);
}

static void refusals(void **state)
{
    (void)state;
    refuse(1, (const char *const[]){"a.b.x"},
           "a.b.x may be several variables of model twins; write the whole name, as a.x.b.x");
    refuse(3, (const char *const[]){"a.force", "a.x", "a.x.x"}, "columns a.x and a.x.x are both a.x.x");
    refuse(2, (const char *const[]){"b.x", "x"},
           "no column is a variable of model twins; of b.x the nearest is");
    refuse(1, (const char *const[]){"a.u.x"}, "no column is a variable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
