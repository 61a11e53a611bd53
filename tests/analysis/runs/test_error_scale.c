/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_error_scale.c - errors divided by the range or the nominal value of each state, in the answers of all commands that state them. The
 * states turn, x = cos t, v = -1000 sin t in another unit, and one stands still. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command_answer.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static const char turning[] = "{\"subsystems\": [{\"name\": \"a\", \"inputs\": [\"v\"], \"outputs\": {\"x\": "
                              "\"x\"}, \"states\": {\"x\": {\"derivative\": "
                              "\"v/1000\", \"start\": 1%s}}},"
                              "{\"name\": \"b\", \"inputs\": [\"x\"], \"outputs\": {\"v\": \"v\"}, "
                              "\"states\": {\"v\": {\"derivative\": \"-1000*x\"%s}%s}}],"
                              "\"wires\": [{\"from\": \"a.x\", \"to\": \"b.x\"}, {\"from\": \"b.v\", \"to\": "
                              "\"a.v\"}], \"end\": 7, \"step_size\": "
                              "0.01}";

static json_t *answer_of(const char *command, const char *of_x, const char *of_v, const char *more,
                         const char *options)
{
    char path[256], text[1024];
    snprintf(text, sizeof text, turning, of_x, of_v, more);
    support_temporary_file(text, path, sizeof path);
    json_t *answer = support_answer_of("%s --system %s %s", command, path, options);
    remove(path);
    return answer;
}

static double number(const json_t *answer, const char *path)
{
    char name[64];
    for (const char *at = path; at != NULL; at = strchr(at, '/') != NULL ? strchr(at, '/') + 1 : NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "/"), at);
        answer = json_object_get(answer, name);
    }
    return json_is_number(answer) ? json_number_value(answer) : NAN;
}

/* The range over more than a turn is 2 and 2000, to what samples miss of an extremum. */
static void ranges_divide_errors(void **state)
{
    (void)state;
    json_t *plain = answer_of("run", "", "", "", ""),
           *scaled = answer_of("run", "", "", "", "--error-scale range");
    support_near(number(scaled, "errors/per_state/a.x/scale"), 2.0, 1e-4);
    support_near(number(scaled, "errors/per_state/b.v/scale"), 2000.0, 0.1);
    for (int k = 0; k < 3; k++) {
        static const char *const kinds[] = {"max", "rmse", "end"};
        char x[64], v[64], all[64];
        snprintf(x, sizeof x, "errors/per_state/a.x/%s", kinds[k]);
        snprintf(v, sizeof v, "errors/per_state/b.v/%s", kinds[k]);
        snprintf(all, sizeof all, "errors/%s", kinds[k]);
        support_near(number(scaled, x) / (number(plain, x) / 2.0), 1.0, 1e-4);
        support_near(number(scaled, v) / (number(plain, v) / 2000.0), 1.0, 1e-4);
        support_near(number(scaled, all), fmax(number(scaled, x), number(scaled, v)), 0.0);
        support_near(number(plain, all), number(plain, v), 0.0); /* 1000 times as large */
    }
    support_near(number(scaled, "errors/per_state/b.v/l2"), number(plain, "errors/per_state/b.v/l2"), 0.0);
    support_near(number(scaled, "error"), number(scaled, "errors/max"), 0.0);
    support_near(number(scaled, "reference_error") / (number(plain, "reference_error") / 2.0), 1.0, 1e-4);
    assert_string_equal(json_string_value(json_object_get(scaled, "error_scale")), "range");
    assert_string_equal(json_string_value(json_object_get(plain, "error_scale")), "none");
    json_decref(plain);
    json_decref(scaled);
}

static void nominal_values_divide_errors(void **state)
{
    (void)state;
    const char *x = ", \"nominal\": 4", *v = ", \"nominal\": 500";
    json_t *plain = answer_of("run", x, v, "", ""),
           *scaled = answer_of("run", x, v, "", "--error-scale nominal"),
           *whole = answer_of("integrate", x, v, "", ""),
           *whole_scaled = answer_of("integrate", x, v, "", "--error-scale nominal");
    support_near(number(scaled, "errors/per_state/a.x/max"), number(plain, "errors/per_state/a.x/max") / 4.0,
                 0.0);
    support_near(number(scaled, "errors/per_state/b.v/max"),
                 number(plain, "errors/per_state/b.v/max") / 500.0, 0.0);
    support_near(number(whole_scaled, "errors/per_state/b.v/rmse"),
                 number(whole, "errors/per_state/b.v/rmse") / 500.0, 0.0);
    support_near(number(whole_scaled, "errors/per_state/b.v/scale"), 500.0, 0.0);
    support_near(number(whole_scaled, "errors/max"),
                 fmax(number(whole_scaled, "errors/per_state/a.x/max"),
                      number(whole_scaled, "errors/per_state/b.v/max")),
                 0.0);
    json_decref(plain);
    json_decref(scaled);
    json_decref(whole);
    json_decref(whole_scaled);
}

/* Those of FMUs are in their descriptions: x' = -x + u of one that shows its equations. */
static void nominal_values_of_fmus_divide_errors(void **state)
{
    (void)state;
    static const char *const commands[] = {"run", "integrate"};
    for (int k = 0; k < 4; k++) {
        const int fmi = 2 + k / 2;
        const support_decay decay = {
            .fmi = fmi,
            .edit = {fmi == 2 ? "initial=\"exact\"><Real" : "initial=\"exact\"",
                     fmi == 2 ? "initial=\"exact\"><Real nominal=\"8\"" : "initial=\"exact\" nominal=\"8\""}};
        char fmu[256], path[256], text[1000];
        support_decay_fmu(&decay, fmu, sizeof fmu);
        snprintf(
            text, sizeof text,
            "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"model-exchange\"}, "
            "{\"name\": \"c\", "
            "\"A\": [[-2]], \"B\": [[1]], \"C\": [[1]], \"x0\": [1], \"nominal\": [2]}], \"wires\": "
            "[{\"from\": \"fmu.y\", "
            "\"to\": \"c.u1\"}, {\"from\": \"c.y1\", \"to\": \"fmu.u\"}], \"end\": 1, \"step_size\": 0.1}",
            fmu);
        support_temporary_file(text, path, sizeof path);
        json_t *plain = support_answer_of("%s --system %s", commands[k % 2], path),
               *scaled = support_answer_of("%s --system %s --error-scale nominal", commands[k % 2], path);
        support_near(number(scaled, "errors/per_state/fmu.x/scale"), 8.0, 0.0);
        support_near(number(scaled, "errors/per_state/fmu.x/max"),
                     number(plain, "errors/per_state/fmu.x/max") / 8.0, 0.0);
        support_near(number(scaled, "errors/max"),
                     fmax(number(plain, "errors/per_state/fmu.x/max") / 8.0,
                          number(plain, "errors/per_state/c.x1/max") / 2.0),
                     0.0);
        json_decref(plain);
        json_decref(scaled);
        remove(path);
        remove(fmu);
    }
}

/* Of a state that stands still there is no range, and largest errors are those of the others. */
static void what_stands_still_has_no_range(void **state)
{
    (void)state;
    json_t *answer =
        answer_of("run", "", "", ", \"still\": {\"derivative\": \"0\", \"start\": 5}", "--error-scale range");
    assert_true(isnan(number(answer, "errors/per_state/b.still/scale")));
    assert_true(isnan(number(answer, "errors/per_state/b.still/max")));
    support_near(number(answer, "errors/max"),
                 fmax(number(answer, "errors/per_state/a.x/max"), number(answer, "errors/per_state/b.v/max")),
                 0.0);
    json_decref(answer);
}

/* Where all states have the same scale, orders are the same, and so are they against finer steps. */
static void the_other_commands_say_it(void **state)
{
    (void)state;
    static const char *const commands[] = {"converge", "compare --scheme jacobi",
                                           "best --error 1e-2 --scheme jacobi"};
    for (int k = 0; k < MS_COUNT(commands); k++) {
        json_t *answer = answer_of(commands[k], "", "", "", "--error-scale range");
        assert_string_equal(json_string_value(json_object_get(answer, "error_scale")), "range");
        json_decref(answer);
    }
    json_t *order = answer_of("converge", "", "", "", "--error-scale range --step-size 0.01,0.005,0.0025"),
           *finer = answer_of("run", "", "", "", "--error-scale range --reference finer");
    support_near(number(order, "order"), 1.0, 0.1);
    support_near(number(finer, "errors/per_state/b.v/scale"), 2000.0, 20.0);
    json_decref(order);
    json_decref(finer);
}

/* Rows at eighths of half a turn, where cos t and sin t are largest and least: x and v are off by what is added. */
static json_t *judged(const char *columns, double off_x, double off_v, const char *options)
{
    char path[256], named[264], command[512];
    support_temporary_file("", path, sizeof path);
    snprintf(named, sizeof named, "%s.csv", path);
    assert_int_equal(rename(path, named), 0);
    FILE *file = fopen(named, "w");
    assert_non_null(file);
    fprintf(file, "time,%s\n", columns);
    for (int k = 0; k <= 16; k++) {
        const double t = k * acos(-1.0) / 8.0;
        fprintf(file, "%.17g,%.17g,%.17g\n", t, cos(t) + off_x, -1000.0 * sin(t) + off_v);
    }
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "judge %s", named);
    json_t *answer = answer_of(command, ", \"nominal\": 4", ", \"nominal\": 500", "", options);
    remove(named);
    return answer;
}

/* What another tool has written is divided by the same. */
static void results_of_other_tools_are_scaled(void **state)
{
    (void)state;
    static const struct {
        const char *options, *name;
        double x, v; /* what errors are divided by */
    } cases[] = {{"", "none", 1.0, 1.0},
                 {"--error-scale range", "range", 2.0, 2000.0},
                 {"--error-scale nominal", "nominal", 4.0, 500.0}};
    for (int k = 0; k < MS_COUNT(cases); k++) {
        json_t *answer = judged("a.x.x,b.x.v", 0.01, 5.0, cases[k].options);
        const json_t *row = json_array_get(json_object_get(answer, "rows"), 0);
        const double x = 0.01 / cases[k].x, v = 5.0 / cases[k].v;
        assert_string_equal(json_string_value(json_object_get(answer, "error_scale")), cases[k].name);
        support_near(number(row, "errors/per_variable/a.x.x/max"), x, 1e-10);
        support_near(number(row, "errors/per_variable/a.x.x/rmse"), x, 1e-10);
        support_near(number(row, "errors/per_variable/b.x.v/end"), v, 1e-10);
        support_near(number(row, "errors/max"), fmax(x, v), 1e-10);
        support_near(number(row, "error"), fmax(x, v), 1e-10);
        if (k > 0)
            support_near(number(row, "errors/per_variable/b.x.v/scale"), cases[k].v, 1e-9);
        json_decref(answer);
    }
}

/* Beside states: outputs have a range, and no nominal value. */
static void columns_that_are_no_states_have_a_range(void **state)
{
    (void)state;
    json_t *range = judged("a.x.x,b.y.v", 0.01, 5.0, "--error-scale range"),
           *nominal = judged("a.x.x,b.y.v", 0.01, 5.0, "--error-scale nominal");
    const json_t *of_range = json_array_get(json_object_get(range, "rows"), 0),
                 *of_nominal = json_array_get(json_object_get(nominal, "rows"), 0);
    support_near(number(of_range, "errors/per_variable/b.y.v/max"), 5.0 / 2000.0, 1e-10);
    support_near(number(of_nominal, "errors/max"), 0.01 / 4.0, 1e-10);
    assert_true(isnan(number(of_nominal, "errors/per_variable/b.y.v/max")));
    assert_true(isnan(number(of_nominal, "errors/per_variable/b.y.v/scale")));
    json_decref(range);
    json_decref(nominal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_divide_errors),
                                       cmocka_unit_test(nominal_values_divide_errors),
                                       cmocka_unit_test(nominal_values_of_fmus_divide_errors),
                                       cmocka_unit_test(what_stands_still_has_no_range),
                                       cmocka_unit_test(the_other_commands_say_it),
                                       cmocka_unit_test(results_of_other_tools_are_scaled),
                                       cmocka_unit_test(columns_that_are_no_states_have_a_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
