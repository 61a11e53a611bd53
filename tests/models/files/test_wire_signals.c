/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wires of integers, booleans and enumerations by which values are mapped. What wires carry without a map: test_fmu_read_signals.c. */
#include <math.h>
#include <string.h>

#include <macrostep/series_read.h>
#include "command_answer.h"
#include "folder.h"
#include "signals_fmu.h"
#include "support.h"
#include "unit_test.h"

static int set_up(void **state)
{
    char path[256];
    support_folder_create(state);
    for (int fmi = 2; fmi <= 3; fmi++) {
        support_signals_fmu(fmi, "", path, sizeof path);
        support_shell("mv %s %s", path, support_folder_path("signals%d.fmu", fmi));
    }
    return 0;
}

static const char *const kinds[] = {"co-simulation", "model-exchange"};

/* Two FMUs, a, whose settings are n = 2, on, and way fast, and b, and a subsystem c. */
static const char *pair(int fmi, const char *kind, const char *wires)
{
    char text[2000];
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"signals%d.fmu\", \"kind\": \"%s\", "
             "\"set\": {\"n\": 2, \"on\": true, \"way\": \"fast\"}},\n"
             "{\"name\": \"b\", \"fmu\": \"signals%d.fmu\", \"kind\": \"%s\", \"set\": {\"n\": 4}},\n"
             "{\"name\": \"c\", \"inputs\": [\"u\"], \"outputs\": {\"y\": \"u\"}}],\n"
             "\"wires\": [%s], \"end\": 1, \"step_size\": 0.25}",
             fmi, kind, fmi, kind, wires);
    return support_folder_write("pair.json", text);
}

#define MAP(from, to, map) "{\"from\": \"" from "\", \"to\": \"" to "\", \"map\": " map "}"

static double last_of(const char *file, const char *column)
{
    ms_series *series = NULL;
    ms_error error = {""};
    assert_int_equal(ms_series_read(file, &series, &error), MS_OK);
    double value = NAN;
    for (int k = 0; k < series->columns; k++)
        if (strcmp(series->name[k], column) == 0)
            value = series->value[(series->rows - 1) * series->columns + k];
    ms_series_destroy(&series);
    return value;
}

/* m = n + 1 = 3, off = not on = false, other = 3 - way = slow. */
static void an_input_gets_what_stands_for_a_value(void **state)
{
    (void)state;
    static const char wires[] = MAP("a.m", "b.n", "{\"3\": 7, \"4\": 1}") "," MAP(
        "a.off", "b.on", "{\"false\": true, \"true\": false}") "," MAP("a.other", "b.way",
                                                                       "{\"slow\": \"fast\"}");
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < 3 * MS_COUNT(kinds); k++) {
            char arguments[600];
            const char *csv = support_folder_path("o.csv");
            snprintf(arguments, sizeof arguments, "run %s --errors none --trajectory %s%s",
                     pair(fmi, kinds[k % 2], wires), csv,
                     k < 2   ? ""
                     : k < 4 ? " --scheme gauss-seidel"
                             : " --isolate");
            json_t *run = support_answer(arguments);
            assert_string_equal(json_string_value(json_object_get(run, "reason")), "end-time");
            assert_true(last_of(csv, "b.y.m") == 8.0 && last_of(csv, "b.y.off") == 0.0 &&
                        last_of(csv, "b.y.other") == 1.0);
            assert_true(last_of(csv, "b.u.n") == 3.0); /* what the wire carries */
            json_decref(run);
        }
}

/* ticks counts steps: there is something for 0 and 1. */
static void what_a_map_does_not_have_ends_the_run(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++)
        for (int k = 0; k < MS_COUNT(kinds); k++) {
            char arguments[600];
            snprintf(arguments, sizeof arguments, "run %s --errors none",
                     pair(fmi, kinds[k], MAP("a.ticks", "b.n", "{\"0\": 10, \"1\": 20}")));
            json_t *run = support_answer(arguments);
            assert_string_equal(json_string_value(json_object_get(run, "reason")), "subsystem-failed");
            support_says(json_string_value(json_object_get(run, "message")),
                         "the map of the wire to n has no entry for 2");
            json_decref(run);
        }
}

static void a_wrong_map_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *wire, *words;
    } wrong[] = {
        {MAP("a.m", "b.n", "{}"), "wire a.m to b.n: map must be an object of values"},
        {MAP("a.m", "b.n", "3"), "map must be an object of values"},
        {"{\"from\": \"a.m\", \"to\": \"b.n\", \"gain\": 2, \"map\": {\"1\": 2}}",
         "without a gain and an offset"},
        {MAP("a.y", "b.n", "{\"1\": 2}"), "integers, booleans and enumerations of FMUs can be mapped"},
        {MAP("a.m", "b.u", "{\"1\": 2}"), "integers, booleans and enumerations of FMUs can be mapped"},
        {MAP("a.m", "c.u", "{\"1\": 2}"), "integers, booleans and enumerations of FMUs can be mapped"},
        {MAP("a.m", "b.n", "{\"1.5\": 2}"), "to b.n: \"1.5\" is not a value of a.m, which is of type "},
        {MAP("a.m", "b.n", "{\"1\": 2.5}"), "the value for \"1\" is not a value of b.n"},
        {MAP("a.off", "b.on", "{\"maybe\": true}"),
         "\"maybe\" is not a value of a.off, which is of type Boolean"},
        {MAP("a.off", "b.on", "{\"true\": 1}"), "the value for \"true\" is not a value of b.on"},
        {MAP("a.other", "b.way", "{\"slow\": \"faster\"}"), "the value for \"slow\" is not a value of b.way"},
        {MAP("a.other", "b.way", "{\"slow\": \"fast\", \"1\": \"slow\"}"), "\"1\" occurs twice"},
        {MAP("a.m", "b.n", "{\"1\": 2}") ", {\"from\": \"a.ticks\", \"to\": \"b.n\"}",
         "two wires end in b.n, which is mapped"},
    };
    for (int k = 0; k < MS_COUNT(wrong); k++) {
        ms_model *model = NULL;
        ms_error error = {""};
        assert_int_equal(ms_model_read(pair(2, kinds[0], wrong[k].wire), &model, &error), MS_INVALID);
        support_says(error.text, wrong[k].words);
        assert_null(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_input_gets_what_stands_for_a_value),
                                       cmocka_unit_test(what_a_map_does_not_have_ends_the_run),
                                       cmocka_unit_test(a_wrong_map_is_refused)};
    return cmocka_run_group_tests_name("wire signals", tests, set_up, support_folder_remove);
}
