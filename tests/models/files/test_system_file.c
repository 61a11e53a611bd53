/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_system_file.c - parameter values, systems from files, and the lines that say what is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <macrostep/catalogue.h>
#include <macrostep/scheme.h>
#include <macrostep/scheme_registry.h>
#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "nearest.h"
#include "support.h"
#include "unit_test.h"

static ms_system *create(const ms_model *model, const char *case_name, const ms_setting *settings, int n)
{
    ms_system *system;
    ms_error error;
    assert_non_null(model);
    if (ms_system_create(model, case_name, settings, n, &system, &error) != MS_OK)
        fail_msg("%s", error.text);
    return system;
}

/* Parameters --------------------------------------------------------------------------------------------- */

static void refuse(const ms_model *model, const char *case_name, ms_setting setting, const char *expected)
{
    ms_system *system;
    ms_error error;
    assert_int_equal(ms_system_create(model, case_name, &setting, 1, &system, &error), MS_INVALID);
    assert_null(system);
    if (strstr(error.text, expected) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, expected);
}

static void test_ranges(void **state)
{
    (void)state;
    for (const ms_model *const *model = ms_catalogue; *model != NULL; model++)
        for (int i = 0; i < (*model)->n_parameters; i++) {
            const ms_parameter *parameter = &(*model)->parameters[i];
            const char *name = parameter->name;
            refuse(*model, NULL, (ms_setting){name, NAN}, name);
            refuse(*model, NULL, (ms_setting){name, INFINITY}, name);
            if (isfinite(parameter->min))
                refuse(*model, NULL, (ms_setting){name, parameter->min - 1.0}, name);
            if (parameter->min_excluded)
                refuse(*model, NULL, (ms_setting){name, parameter->min}, name);
            if (isfinite(parameter->max))
                refuse(*model, NULL, (ms_setting){name, parameter->max + 1.0}, name);
            if (parameter->integer)
                refuse(*model, NULL, (ms_setting){name, parameter->min + 0.5}, "whole");
        }
    const ms_model *model = ms_catalogue_find("mass-spring-damper");
    refuse(model, NULL, (ms_setting){"m1", -1.0},
           "m1 of model mass-spring-damper is -1 [kg], but its range is (0, inf)");
    refuse(model, NULL, (ms_setting){"m11", 1.0}, "nearest is m1");
    refuse(model, "coars", (ms_setting){"m1", 1.0}, "nearest is coarse");
    refuse(ms_catalogue_find("example-5.2.2"), NULL, (ms_setting){"x", 1.0}, "it has none");
}

/* Settings stand over the case, the case over the defaults, and a permuted system keeps them. */
static void test_settings(void **state)
{
    (void)state;
    const ms_setting settings[] = {{"d1", 7.0}, {"d1", 8.0}};
    ms_system *system = create(ms_catalogue_find("linear-pair"), "unstable", settings, 2);
    assert_true(system->p[0] == 8.0 && system->p[1] == -1.1);
    assert_true(system->blocks[0].D[0] == 8.0);
    ms_system *permuted = support_permuted(system, (const int[]){1, 0});
    ms_system_destroy(&system);
    assert_true(permuted->p[0] == 8.0 && permuted->blocks[1].D[0] == 8.0 && permuted->blocks[0].D[0] == -1.1);
    ms_system_destroy(&permuted);
    ms_system_destroy(&permuted);
    ms_system_destroy(NULL);
}

/* Files -------------------------------------------------------------------------------------------------- */

#define S1   "{\"name\": \"s1\", \"A\": [[-1]], \"B\": [[1]], \"C\": [[1]], \"D\": [[0.9]], \"x0\": [1]}"
#define S2   "{\"name\": \"s2\", \"A\": [[-1]], \"B\": [[3]], \"C\": [[-5]], \"D\": [[-0.9]], \"x0\": [1]}"
#define PAIR "{\"subsystems\": [" S1 ", " S2 "], "

/* The same numbers as linear-pair, with L dense or as wires. */
static void test_file(void **state)
{
    (void)state;
    const char *const texts[] = {PAIR "\"L\": [[0, 1], [1, 0]], \"end\": 3, \"step_size\": 0.5}",
                                 PAIR "\"wires\": [[0, 1, 1], [1, 0, 1.0]], \"start_time\": -1, "
                                      "\"stop_time\": 2, \"step_size\": 0.5}"};
    ms_system *pair = create(ms_catalogue_find("linear-pair"), NULL, NULL, 0);
    for (int k = 0; k < 2; k++) {
        ms_model *model = support_model_read(texts[k]);
        ms_system *system = create(model, NULL, NULL, 0);
        assert_int_equal(model->n_defaults, k);
        assert_true(k == 0 || (strcmp(model->defaults[0].option, "start-time") == 0 &&
                               strcmp(model->defaults[0].value, "-1") == 0));
        assert_true(system->linear && system->n == 2 && system->stop_time == 3.0 && system->step_size == 0.5);
        const double y[] = {2.0, 3.0};
        double x[2], u[2];
        ms_system_start(system, x);
        ms_system_couple(system, y, u);
        assert_true(x[0] == 1.0 && x[1] == 1.0 && u[0] == 3.0 && u[1] == 2.0);
        for (int i = 0; i < 2; i++) {
            assert_string_equal(system->sub[i].name, pair->sub[i].name);
            assert_true(system->blocks[i].A[0] == pair->blocks[i].A[0]);
            assert_true(system->blocks[i].B[0] == pair->blocks[i].B[0]);
            assert_true(system->blocks[i].C[0] == pair->blocks[i].C[0]);
            assert_true(system->blocks[i].D[0] == pair->blocks[i].D[0]);
        }
        ms_system *permuted = support_permuted(system, (const int[]){1, 0});
        assert_true(permuted->blocks[0].B[0] == 3.0);
        ms_system_destroy(&permuted);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
        assert_null(model);
    }
    ms_system_destroy(&pair);
}

/* What may be missing; a static subsystem; one without inputs; matrices that are not square; a dense L. */
/* Where a port has no gain, what flows through it is its output times its input. */
static void test_port_gain(void **state)
{
    (void)state;
    ms_model *model = support_model_read(
        "{\"name\": \"line\", \"parameters\": {\"k\": 10}, \"subsystems\": ["
        "{\"name\": \"a\", \"states\": {\"v\": {\"derivative\": \"f - v\"}}, \"inputs\": [\"f\"], \"outputs\": {\"v\": \"v\"},"
        " \"ports\": [{\"name\": \"p\", \"input\": \"f\", \"output\": \"v\"}]},"
        "{\"name\": \"b\", \"states\": {\"v\": {\"derivative\": \"f - v\"}}, \"inputs\": [\"f\"], \"outputs\": {\"v\": \"v\"},"
        " \"ports\": [{\"name\": \"p\", \"input\": \"f\", \"output\": \"v\", \"gain\": 3}]}],"
        " \"lines\": [{\"a\": \"a.p\", \"b\": \"b.p\", \"stiffness\": \"k\"}], \"wires\": []}");
    ms_system *system = create(model, "default", NULL, 0);
    assert_true(system->sub[0].ports[0].gain == 1.0 && system->sub[1].ports[0].gain == 3.0);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

static void test_file_defaults(void **state)
{
    (void)state;
    ms_model *model =
        support_model_read("{\"name\": \"three\", \"subsystems\": ["
                           "{\"A\": [[1, 2], [3, 4]], \"B\": [[5, 6, 7], [8, 9, 10]], \"C\": [[11, 12]]},"
                           "{\"A\": [], \"B\": [], \"C\": [], \"D\": [[1], [2]]},"
                           "{\"name\": \"source\", \"A\": [[-1]], \"B\": [], \"C\": [[1]]}],"
                           "\"L\": [[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3], [4, 0, 0, 5]]}");
    assert_string_equal(model->name, "three");
    ms_system *system = create(model, "default", NULL, 0);
    assert_true(system->nx == 3 && system->nu == 4 && system->ny == 4 && system->row_at[4] == 5);
    assert_true(system->stop_time == 10.0 && system->step_size == 0.01);
    assert_string_equal(system->sub[0].name, "s1");
    assert_string_equal(system->sub[1].name, "s2");
    const double x[] = {1.0, -1.0}, y[] = {1.0, 10.0, 100.0, 1000.0};
    double start[3], u[4], dx[2], out[2];
    ms_system_start(system, start);
    assert_true(start[0] == 0.0 && start[1] == 0.0 && start[2] == 0.0);
    ms_system_couple(system, y, u);
    assert_true(u[0] == 10.0 && u[1] == 200.0 && u[2] == 3000.0 && u[3] == 5004.0);
    ms_point at = {.x = x, .u = u};
    assert_int_equal(ms_subsystem_f(system, 0, &at, NULL, dx), 0);
    assert_int_equal(ms_subsystem_g(system, 0, &at, NULL, out), 0);
    assert_true(dx[0] == -1.0 + 50.0 + 1200.0 + 21000.0 && dx[1] == -1.0 + 80.0 + 1800.0 + 30000.0 &&
                out[0] == -1.0);
    at = (ms_point){.x = NULL, .u = u + 3};
    assert_int_equal(ms_subsystem_g(system, 1, &at, NULL, out), 0);
    assert_true(out[0] == 5004.0 && out[1] == 10008.0);
    assert_true(!system->feed_through[0] && system->feed_through[1] && system->feed_through[2]);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    ms_model_destroy(&model);
    ms_model_destroy(NULL);
}

/* An output takes part in a loop only by feed-through from an input that is wired. */
static void test_feed_through(void **state)
{
    (void)state;
    ms_system *system = create(ms_catalogue_find("linear-pair"), NULL, (const ms_setting[]){{"d1", 0.0}}, 1);
    assert_false(system->feed_through[0]);
    assert_true(system->feed_through[1]);
    ms_system_destroy(&system);
    ms_model *model = support_model_read(PAIR "\"L\": [[0, 1], [0, 0]]}");
    system = create(model, NULL, NULL, 0);
    assert_true(system->feed_through[0]);
    assert_false(system->feed_through[1]);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    model = support_model_read("{\"subsystems\": [{\"A\": [], \"D\": [[0, 2]]}], \"wires\": [[1, 0, 0.5]]}");
    system = create(model, NULL, NULL, 0);
    assert_true(system->nx == 0 && system->nu == 2 && system->ny == 1 && system->feed_through[0]);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } bad[] = {
        {"", "is empty; a system"},
        {"{\"subsystems\": [}", "line 1, column"},
        {"[]", "object"},
        {"7", "object"},
        {"{}", "subsystems"},
        {"{\"subsystems\": []}", "subsystems"},
        {"{\"subsystems\": [7]}", "subsystem 1"},
        {"{\"subsystems\": [{\"B\": [[1]], \"C\": [[1]]}]}", "subsystem s1: matrix A is missing"},
        {"{\"subsystems\": [{\"A\": [[1]], \"C\": [[1]]}]}", "subsystem s1: matrix B is missing"},
        {"{\"subsystems\": [{\"A\": [[1, 2]], \"B\": [[1]], \"C\": [[1]]}]}",
         "A is 1 x 2, but 1 x 1 is expected"},
        {"{\"subsystems\": [{\"A\": [[1, 2], [3]], \"B\": [[1]], \"C\": [[1]]}]}",
         "row 2 of A has 1 entries"},
        {"{\"subsystems\": [{\"A\": [1], \"B\": [[1]], \"C\": [[1]]}]}", "row 1 of A"},
        {"{\"subsystems\": [{\"A\": 1, \"B\": [[1]], \"C\": [[1]]}]}", "A is not a matrix"},
        {"{\"subsystems\": [{\"A\": [[1, null]], \"B\": [[1]], \"C\": [[1]]}]}", "row 1, column 2 of A"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1], [2]], \"C\": [[1]]}]}",
         "B is 2 x 1, but 1 x 1 is expected"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1, 2]]}]}",
         "C is 1 x 2, but 1 x 1 is expected"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1]], \"D\": [[1, 2]]}]}",
         "D is 1 x 2, but 1 x 1 is expected"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1]], \"x0\": [1, 2]}]}",
         "x0 has 2 entries, but 1"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1]], \"x0\": 1}]}", "x0 is not a list"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1]], \"nominal\": [0]}]}",
         "nominal is not a list of positive numbers"},
        {"{\"parameters\": {\"k\": 1}, \"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1]], \"nominal\": "
         "[\"k\"]}]}",
         "nominal is not a list of positive numbers"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1]], \"x0\": [null]}]}", "entry 1 of x0"},
        {"{\"subsystems\": [{\"A\": [[1]], \"B\": [[1]], \"C\": [[1]], \"x_0\": [1]}]}", "the nearest is x0"},
        {"{\"subsystems\": [{\"name\": \"a b\", \"A\": [[1]], \"B\": [[1]], \"C\": [[1]]}]}",
         "name of subsystem 1"},
        {"{\"subsystems\": [" S1 ", " S1 "], \"L\": [[0, 1], [1, 0]]}", "two subsystems have the name s1"},
        {PAIR "\"end\": 1}", "matrix L is missing: 2 x 2"},
        {PAIR "\"L\": [[0, 1]]}", "L is 1 x 2, but 2 x 2 is expected"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"wires\": []}", "L and wires"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"ends\": 7}", "the nearest is end"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"end\": 0}", "end must be a number greater than 0"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"stop_time\": -1}", "stop_time must be a number greater than 0"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"start_time\": 2, \"stop_time\": 2}",
         "stop_time must be a number greater than start_time"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"start_time\": \"0\"}", "start_time must be a number"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"stop_time\": 2, \"end\": 2}",
         "end is the former name of stop_time"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"step_size\": \"x\"}", "step_size is not a positive number"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"name\": 7}", "name is not a string"},
        {PAIR "\"wires\": 7}", "wires is not a list"},
        {PAIR "\"wires\": [[0, 1]]}", "wires[0] must be {\"from\": \"SUB.OUTPUT\", \"to\": \"SUB.INPUT\"}"},
        {PAIR "\"wires\": [[0, 1, 1], [2, 0, 1]]}", "wires[1]: there is no input 2 among 2"},
        {PAIR "\"wires\": [[0, -1, 1]]}", "wires[0]: there is no output -1 among 2"},
        {PAIR "\"L\": [[0, 1], [1, 0]], \"L\": [[0, 1], [1, 0]]}", "duplicate"},
        {PAIR "\"L\": [[0, 1e999], [1, 0]]}", "line 1"},
        {PAIR "\"L\": [[0, \"1+1\"], [1, 0]]}", "L has expressions; its entries are numbers"},
    };
    for (int i = 0; i < MS_COUNT(bad); i++) {
        char path[4096];
        ms_model *model;
        ms_error error;
        support_temporary_file(bad[i].text, path, sizeof path);
        const int status = ms_model_read(path, &model, &error);
        unlink(path);
        assert_null(model);
        assert_int_equal(status, MS_INVALID);
        if (strstr(error.text, bad[i].expected) == NULL || strncmp(error.text, path, strlen(path)) != 0)
            fail_msg("%s\n\"%s\" does not say \"%s\"", bad[i].text, error.text, bad[i].expected);
    }
}

static void *allocate_nothing(size_t size)
{
    (void)size;
    return NULL;
}

/* A lack of memory for the JSON of a file is not a mistake in the file. */
static void test_no_memory(void **state)
{
    (void)state;
    char path[4096];
    ms_model *model;
    ms_error error;
    support_temporary_file("{\"subsystems\": [{\"outputs\": {}}]}", path, sizeof path);
    json_set_alloc_funcs(allocate_nothing, free);
    const int status = ms_model_read(path, &model, &error);
    json_set_alloc_funcs(malloc, free);
    remove(path);
    assert_null(model);
    assert_int_equal(status, MS_NO_MEMORY);
    assert_non_null(strstr(error.text, ": not enough memory"));
}

static void test_unreadable(void **state)
{
    (void)state;
    ms_model *model;
    ms_error error;
    assert_int_equal(ms_model_read("/no/such/file.json", &model, &error), MS_IO);
    assert_null(model);
    assert_non_null(strstr(error.text, "/no/such/file.json: No such file"));
    assert_int_equal(ms_model_read("/", &model, &error), MS_IO);
}

/* What a shared object adds is found by a name of its own. */
static void test_added(void **state)
{
    (void)state;
    const ms_model nameless = {0}, bell = {.name = "bell"};
    const ms_scheme no_scheme = {0}, jacobi = {.name = "jacobi"};
    ms_error error;
    assert_int_equal(ms_catalogue_add(&nameless, &error), MS_INVALID);
    assert_string_equal(error.text, "a model has no name");
    assert_int_equal(ms_catalogue_add(&bell, &error), MS_INVALID);
    assert_int_equal(ms_scheme_add(&no_scheme, &error), MS_INVALID);
    assert_string_equal(error.text, "a scheme has no name");
    assert_int_equal(ms_scheme_add(&jacobi, &error), MS_INVALID);
}

/* Words -------------------------------------------------------------------------------------------------- */

static void test_nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"linear-pair", "mass-spring-damper", "double-pendulum",
                                        "spring-mass"};
    static const struct {
        const char *word;
        int expected;
    } words[] = {{"linear-pair", 0}, {"linaer-pair", 0}, {"double", 2},      {"pendulum", 2},
                 {"spring", 3},      {"Spring-Mass", 3}, {"mass-spring", 1}, {"", 0}};
    for (int i = 0; i < MS_COUNT(words); i++)
        assert_string_equal(ms_nearest(words[i].word, names, MS_COUNT(names)), names[words[i].expected]);
    assert_string_equal(ms_nearest("form", (const char *const[]){"farms", "from"}, 2), "from");
    assert_null(ms_nearest("word", names, 0));
    char endless[1000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_non_null(ms_nearest(endless, names, MS_COUNT(names)));
}

static void test_fail(void **state)
{
    (void)state;
    ms_error error;
    assert_int_equal(ms_fail(NULL, MS_IO, "%d", 1), MS_IO);
    assert_int_equal(ms_fail(&error, MS_INVALID, "two\nlines %d", 1), MS_INVALID);
    assert_string_equal(error.text, "two lines 1");
    ms_fail(&error, MS_INVALID, "%2000d", 1);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),       cmocka_unit_test(test_settings),
        cmocka_unit_test(test_file),         cmocka_unit_test(test_file_defaults),
        cmocka_unit_test(test_feed_through), cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_unreadable),   cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_nearest),      cmocka_unit_test(test_fail),
        cmocka_unit_test(test_added),        cmocka_unit_test(test_port_gain),
    };
    return cmocka_run_group_tests_name("systems", tests, NULL, NULL);
}
