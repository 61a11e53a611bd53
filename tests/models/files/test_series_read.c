/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_series_read.c - time series from CSV: what is read, what is refused and at which line, interpolation;
 * external inputs that follow a series. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/series_read.h>
#include "small_model.h"
#include "support.h"
#include "unit_test.h"

/* Files -------------------------------------------------------------------------------------------------- */

/* Reads a file of that content. */
static int read_text(const char *text, size_t length, ms_series **series, ms_error *error)
{
    char path[512];
    support_temporary(path, sizeof path);
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, length), (ssize_t)length);
    close(descriptor);
    const int status = ms_series_read(path, series, error);
    if (status == MS_OK)
        assert_string_equal((*series)->path, path);
    else
        assert_true(strncmp(error->text, path, strlen(path)) == 0);
    unlink(path);
    return status;
}

static ms_series *series_of(const char *text)
{
    ms_series *series = NULL;
    ms_error error = {{0}};
    if (read_text(text, strlen(text), &series, &error) != MS_OK)
        fail_msg("%s", error.text);
    return series;
}

static void files_are_read(void **state)
{
    (void)state;
    static const char *const same[] = {
        "# made by hand\n# twice\ntime,a.x.p,b\n0,1,-2\n0.5,1e3,4\n2,5,.5\n",
        "time,a.x.p,b\r\n0,1,-2\r\n0.5,1e3,4\r\n2,5,.5\r\n",
        "\xEF\xBB\xBFtime , a.x.p,\tb\n 0, 1 ,-2\n0.5,1000.0,+4\n2,5,0.5\n\n  \n",
        "\xEF\xBB\xBF# made\n# in Windows\ntime,a.x.p,b\n0,1,-2\n0.5,1000,4\n2,5,.5\n",
        "time,a.x.p,b\n-0,1,-2\n0.5,1000,4\n2,5,.5",
        "time,a.x.p,b\n# names first,\n#as others ask\n0,1,-2\n# between\n0.5,1e3,4\n2,5,.5\n# at the end\n",
    };
    static const double time[] = {0.0, 0.5, 2.0}, value[] = {1.0, -2.0, 1000.0, 4.0, 5.0, 0.5};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        ms_series *series = series_of(same[k]);
        assert_int_equal(series->columns, 2);
        assert_int_equal(series->rows, 3);
        assert_string_equal(series->name[0], "a.x.p");
        assert_string_equal(series->name[1], "b");
        assert_int_equal(series->name_line, same[k][0] == 't' || k == 2 ? 1 : 3);
        for (int row = 0; row < 3; row++)
            assert_true(series->time[row] == time[row]);
        for (int j = 0; j < 6; j++)
            assert_true(series->value[j] == value[j]);
        assert_int_equal(ms_series_find(series, "b"), 1);
        assert_int_equal(ms_series_find(series, "time"), -1);
        ms_series_destroy(&series);
        assert_null(series);
        ms_series_destroy(&series);
    }
}

/* As tools write time and booleans. */
static void words_of_other_tools(void **state)
{
    (void)state;
    ms_series *series = series_of("\"Time\",b\n0,true\n1,FALSE\n2,True\n");
    assert_int_equal(series->rows, 3);
    for (int row = 0; row < 3; row++)
        assert_true(series->value[row] == (row == 1 ? 0.0 : 1.0));
    ms_series_destroy(&series);
}

/* However many rows have one time, there is one jump, from the first to the last of them. */
static void inputs_jump_where_rows_have_one_time(void **state)
{
    (void)state;
    static const char *const text[] = {
        "time,a,b\n0,0,0\n1,3,4\n1,-1,2\n2,-1,2\n",
        "time,a,b\n0,0,0\n1,3,4\n1,7,8\n1,-1,2\n2,-1,2\n",
        "time,a,b\n0,0,0\n1,3,4\n1,7,8\n1,9,9\n1,-1,2\n2,-1,2\n",
    };
    static const double value[] = {0.0, 0.0, 3.0, 4.0, -1.0, 2.0, -1.0, 2.0};
    for (int k = 0; k < MS_COUNT(text); k++) {
        char path[512];
        ms_series *series = NULL;
        ms_error error = {{0}};
        support_temporary_file(text[k], path, sizeof path);
        if (ms_series_read_inputs(path, &series, &error) != MS_OK)
            fail_msg("%s", error.text);
        remove(path);
        assert_int_equal(series->rows, 4);
        assert_true(series->time[1] < 1.0 && series->time[1] > 1.0 - 1e-9 && series->time[2] == 1.0);
        for (int j = 0; j < 8; j++)
            assert_true(series->value[j] == value[j]);
        ms_series_destroy(&series);
    }
}

/* A file, the line that is at fault, and a part of what is said. */
static const struct {
    const char *text, *where, *what;
} bad[] = {
    {"", "line 0", "without the line of names"},
    {"# only\n# remarks\n", "line 2", "without the line of names"},
    {"time,a\n", "line 1", "without rows"},
    {"# r\ntime,a\n\n", "line 3", "without rows"},
    {"t,a\n0,1\n", "line 1", "first column is t; it must be time"},
    {"0,1\n1,2\n", "line 1", "first column is 0; it must be time"},
    {"time;a\n0;1\n", "line 1", "it must be time"},
    {",a\n0,1\n", "line 1", "without a name; it must be time"},
    {"time\n0\n", "line 1", "no column beside time"},
    {"time,a,\n0,1,2\n", "line 1", "column 3 has no name"},
    {"time,a,b,a\n0,1,2,3\n", "line 1", "column a occurs twice"},
    {"time,time\n0,1\n", "line 1", "column time occurs twice"},
    {"# r\ntime,a,b\n0,1,2\n1,2\n", "line 4", "2 values, but the line of names (2) has 3"},
    {"time,a\n0,1\n1,2,3\n", "line 3", "3 values, but the line of names (1) has 2"},
    {"time,a\n0,1\n,2\n", "line 3", "no value in column time"},
    {"time,a\n0,1\n1,nan\n2,3\n", "line 3", "nan in column a; it must be a finite number"},
    {"time,a\n0,-inf\n", "line 2", "-inf in column a; it must be a finite number"},
    {"time,a\n0,1e999\n", "line 2", "1e999 in column a; it must be a finite number"},
    {"time,a\nnan,1\n", "line 2", "nan in column time; it must be a finite number"},
    {"time,a\n0,one\n", "line 2", "one in column a is not a number"},
    {"time,a\n0,1.5x\n", "line 2", "1.5x in column a is not a number"},
    {"time,a\n0,1 2\n", "line 2", "1 2 in column a is not a number"},
    {"time,a\n0,1\n2,1\n1,1\n", "line 4", "time 1 after 2 in the row before; times must ascend"},
    {"time,a\n0,1\n0,2\n", "line 3", "time 0 after 0"},
    {"time,a\n0,1\n\n1,2\n", "line 3", "an empty line"},
};

static void bad_files_are_refused_with_their_line(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ms_series *series = NULL;
        ms_error error = {{0}};
        char where[32];
        snprintf(where, sizeof where, ", %s: ", bad[k].where);
        assert_int_equal(read_text(bad[k].text, strlen(bad[k].text), &series, &error), MS_INVALID);
        assert_null(series);
        if (strstr(error.text, where) == NULL || strstr(error.text, bad[k].what) == NULL)
            fail_msg("'%s' instead of '%s' and '%s'", error.text, where, bad[k].what);
    }
    ms_series *series = NULL;
    ms_error error = {{0}};
    assert_int_equal(read_text("time,a\n0,1\0\n", 12, &series, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "line 2: a zero byte"));
}

/* Of results; inputs need a number in each. */
static void empty_cells_are_no_numbers(void **state)
{
    (void)state;
    static const char text[] = "time,a,b\n0,1,2\n1,,2\n";
    char path[256];
    ms_series *series = NULL;
    ms_error error = {{0}};
    assert_int_equal(read_text(text, strlen(text), &series, &error), MS_OK);
    assert_true(isnan(series->value[2]) && series->value[3] == 2.0);
    assert_true(ms_series_has_gaps(series, 0) && !ms_series_has_gaps(series, 1));
    ms_series_destroy(&series);
    support_temporary_file(text, path, sizeof path);
    assert_int_equal(ms_series_read_inputs(path, &series, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "line 3: no value in column a"));
    remove(path);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    ms_series *series = NULL;
    ms_error error = {{0}};
    assert_int_equal(ms_series_read("no/such/file.csv", &series, &error), MS_IO);
    assert_non_null(strstr(error.text, "no/such/file.csv: cannot be read: "));
    assert_int_equal(ms_series_read(".", &series, &error), MS_IO);
    assert_non_null(strstr(error.text, "cannot be read: "));
    assert_null(series);
}

/* 30 000 columns, half a megabyte a line, and a cell of 100 000 characters. */
static void huge_lines(void **state)
{
    (void)state;
    enum { COLUMNS = 30000, LENGTH = 100000 };
    const size_t size = (size_t)COLUMNS * 32 + 2 * (size_t)LENGTH;
    char *text = malloc(size), *end = text;
    assert_non_null(text);
    end += sprintf(end, "time");
    for (int k = 0; k < COLUMNS; k++)
        end += sprintf(end, ",column%d", k);
    end += sprintf(end, "\n0");
    for (int k = 0; k < COLUMNS; k++)
        end += sprintf(end, ",%d", k);
    sprintf(end, "\n");
    ms_series *series = series_of(text);
    assert_int_equal(series->columns, COLUMNS);
    assert_true(series->value[COLUMNS - 1] == COLUMNS - 1);
    ms_series_destroy(&series);
    ms_error error = {{0}};
    end = text + sprintf(text, "time,a\n0,");
    memset(end, 'x', LENGTH);
    end[LENGTH] = '\0';
    assert_int_equal(read_text(text, strlen(text), &series, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "line 2: xxx"));
    assert_non_null(strstr(error.text, ".. in column a is not a number"));
    free(text);
}

/* Interpolation ------------------------------------------------------------------------------------------ */

static void interpolation(void **state)
{
    (void)state;
    ms_series *series = series_of("time,a,b\n-1,2,0\n0,4,1\n3,1,-1\n");
    static const double at[] = {-5.0, -1.0, -0.25, 0.0, 1.0, 3.0, 9.0},
                        a[] = {2.0, 2.0, 3.5, 4.0, 3.0, 1.0, 1.0},
                        b[] = {0.0, 0.0, 0.75, 1.0, 1.0 / 3.0, -1.0, -1.0};
    static const int column[] = {1, -1, 0};
    for (int k = 0; k < 7; k++) {
        double value[] = {7.0, 8.0, 9.0};
        ms_series_interpolate(series, at[k], 3, column, value);
        support_near(value[0], b[k], 1e-15);
        assert_true(value[1] == 8.0);
        support_near(value[2], a[k], 1e-15);
    }
    ms_series_destroy(&series);
}

/* Rows at which one of the marked columns bends; 0.1 and its like are straight up to round-off. */
static void kinks(void **state)
{
    (void)state;
    ms_series *series =
        series_of("time,a,b\n0,0,0\n0.1,0.3,0\n0.2,0.6,5\n0.3,0.9,5\n0.4,0.9,5\n0.5,0.9,5\n0.6,0.9,5\n");
    static const bool both[] = {true, true}, first[] = {true, false};
    static const double at[] = {-1.0, 0.0, 0.15, 0.25, 0.3, 0.35, 0.6};
    static const double of_both[] = {0.0, 0.1, 0.2, 0.3, 0.6, 0.6, INFINITY},
                        of_first[] = {0.0, 0.3, 0.3, 0.3, 0.6, 0.6, INFINITY};
    long kink[7];
    ms_series_find_kinks(series, both, kink);
    for (int k = 0; k < 7; k++)
        assert_true(ms_series_next_kink(series, kink, at[k]) == of_both[k]);
    ms_series_find_kinks(series, first, kink);
    for (int k = 0; k < 7; k++)
        assert_true(ms_series_next_kink(series, kink, at[k]) == of_first[k]);
    ms_series_destroy(&series);
}

/* External inputs ---------------------------------------------------------------------------------------- */

/* x' = -a x + w, y = x + w, twice; w is 0 where no series says otherwise. */
static const ms_parameter rate[] = {{"a", "1/s", "rate", 0.0, 0.0, 1e3, false, false}};

static void leak_matrices(const double *p, const void *data, const ms_blocks *m)
{
    (void)data;
    m->A[0] = -p[0];
    m->C[0] = m->E[0] = m->F[0] = 1.0;
}

static void nothing(double t, const double *p, const void *data, double *w)
{
    (void)t, (void)p, (void)data;
    w[0] = 0.0;
}

static const ms_subsystem leaks[] = {
    SUPPORT_SUBSYSTEM("one", 1, 0, 1, .nw = 1, .matrices = leak_matrices, .external = nothing,
                      .external_constant = true),
    SUPPORT_SUBSYSTEM("two", 1, 0, 1, .nw = 1, .matrices = leak_matrices, .external = nothing,
                      .external_constant = true),
};
static const ms_model leak = SUPPORT_UNCOUPLED("leak", leaks, .parameters = rate, .n_parameters = 1,
                                               .stop_time = 2.0, .step_size = 0.3);

static ms_system *driven(const ms_series *series, double a)
{
    const ms_setting setting = {"a", a};
    ms_system *system = NULL;
    ms_error error = {{0}};
    if (ms_system_create(&leak, NULL, &setting, 1, &system, &error) != MS_OK ||
        ms_system_bind_inputs(system, series, &error) != MS_OK)
        fail_msg("%s", error.text);
    return system;
}

/* With a = 0 the state is the integral, which the trapezoidal rule gives; macro-steps do not meet the rows.
 */
static void inputs_are_integrated_between_their_rows(void **state)
{
    (void)state;
    ms_series *series = series_of("time,one.w.w1\n0,0\n0.7,7\n1,1\n2,-3\n");
    ms_system *system = driven(series, 0.0);
    static const char *const solvers[] = {"exact", "cvode-bdf", "gsl-rk8pd"};
    assert_false(system->sub[0].external_constant);
    assert_true(system->sub[1].external_constant);
    for (int k = 0; k < 3; k++) {
        ms_options options = support_options("step-size=0.3 solver-rtol=1e-10 solver-atol=1e-12");
        double x[2], y[2];
        snprintf(options.solver, sizeof options.solver, "%s", solvers[k]);
        support_finish(system, &options, x, y);
        support_near(x[0], 0.7 * 3.5 + 0.3 * 4.0 + 1.0 * -1.0, k == 0 ? 1e-13 : 1e-7);
        support_near(y[0], x[0] - 3.0, 1e-15);
        support_near(x[1], 0.0, 0.0);
    }
    double x[2];
    support_reference(system, 2.0, x);
    support_near(x[0], 2.65, 1e-13);
    ms_system_destroy(&system);
    ms_series_destroy(&series);
}

/* x' = -a x + s t from x = 0: x = s (t/a - (1 - e^{-a t})/a^2), and then w holds its slope down to zero. */
static void inputs_meet_the_closed_form(void **state)
{
    (void)state;
    ms_series *series = series_of("time,*.w.w1\n0,0\n1,2\n2,0\n");
    ms_system *system = driven(series, 3.0);
    const ms_options options = support_options("step-size=0.3");
    const double a = 3.0, at_1 = 2.0 * (1.0 / a - (1.0 - exp(-a)) / (a * a));
    /* from 1 to 2: w = 2 - 2 tau */
    const double at_2 =
        exp(-a) * at_1 + 2.0 * (1.0 - exp(-a)) / a - 2.0 * (1.0 / a - (1.0 - exp(-a)) / (a * a));
    double x[2];
    support_finish(system, &options, x, NULL);
    support_near(x[0], at_2, 1e-14);
    support_near(x[1], at_2, 1e-14);
    const int order[] = {1, 0};
    ms_system *permuted = support_permuted(system, order);
    support_finish(permuted, &options, x, NULL);
    support_near(x[0], at_2, 1e-14);
    ms_system_destroy(&permuted);
    ms_system_destroy(&system);
    ms_series_destroy(&series);
}

static void inputs_that_do_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *names, *what;
    } refused[] = {
        {"one.w.x", "names no external input of model leak; the nearest is one.w.w1"},
        {"one.x.w1", "the nearest is one.w.w1"},
        {"three.w.w1", "names no external input"},
        {"one.w.w1,*.w.w1", "columns one.w.w1 and *.w.w1 name the same external input"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        char text[128];
        snprintf(text, sizeof text, "#\ntime,%s\n0,1%s\n", refused[k].names,
                 strchr(refused[k].names, ',') != NULL ? ",1" : "");
        ms_series *series = series_of(text);
        ms_system *system = support_system_of(&leak);
        ms_error error = {{0}};
        assert_int_equal(ms_system_bind_inputs(system, series, &error), MS_INVALID);
        assert_non_null(strstr(error.text, ", line 2: "));
        support_says(error.text, refused[k].what);
        assert_null(system->inputs);
        ms_system_destroy(&system);
        ms_series_destroy(&series);
    }
}

/* Inputs are not extrapolated. */
static void runs_beyond_their_inputs(void **state)
{
    (void)state;
    ms_series *series = series_of("time,*.w.w1\n0,0\n1.9,2\n");
    ms_system *system = driven(series, 1.0);
    ms_options options = support_options("step-size=0.1");
    char line[512];
    assert_int_equal(support_refusal(system, &options, line, sizeof line), MS_INVALID);
    assert_non_null(strstr(line, "the run goes from 0 to 2 s, but the external inputs from 0 to 1.9 s"));
    support_options_add(&options, "stop-time=1.9");
    support_finish(system, &options, NULL, NULL);
    support_options_add(&options, "start-time=-0.1");
    assert_int_equal(support_refusal(system, &options, line, sizeof line), MS_INVALID);
    ms_system_destroy(&system);
    ms_series_destroy(&series);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(words_of_other_tools),
        cmocka_unit_test(inputs_jump_where_rows_have_one_time),
        cmocka_unit_test(bad_files_are_refused_with_their_line),
        cmocka_unit_test(empty_cells_are_no_numbers),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(huge_lines),
        cmocka_unit_test(interpolation),
        cmocka_unit_test(kinks),
        cmocka_unit_test(inputs_are_integrated_between_their_rows),
        cmocka_unit_test(inputs_meet_the_closed_form),
        cmocka_unit_test(inputs_that_do_not_fit),
        cmocka_unit_test(runs_beyond_their_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
