/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_read_inputs.c - an input of an FMU where no wire ends keeps its start value: the declared one, or what the file sets, which may
 * follow from parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

static char fmu[512];

/* Its first output at 1 s, with a parameter a. */
static double output_at_end(const char *set, const char *wires, double a)
{
    char text[1024];
    double y[3];
    const ms_options options = support_options("stop-time=1 step-size=0.05");
    const ms_setting setting = {"a", a};
    snprintf(text, sizeof text,
             "{\"parameters\": {\"a\": 0}, \"subsystems\": [{\"name\": \"s\", \"fmu\": \"%s\", \"kind\": "
             "\"co-simulation\"%s}], %s}",
             fmu, set, wires);
    ms_model *model = support_model_read(text);
    ms_system *system = support_system_set(model, &setting, 1);
    support_finish(system, &options, NULL, y);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
    return y[0];
}

/* x'' = -4 x - x'/2 + u, x(0) = 1, x'(0) = 0, y = x + u/2, at t = 1. */
static double expected(double u)
{
    const double omega = sqrt(4.0 - 0.0625), A = 1.0 - 0.25 * u;
    return 0.75 * u + A * exp(-0.25) * (cos(omega) + sin(omega) / (4.0 * omega));
}

static void inputs_keep_their_start_values(void **state)
{
    (void)state;
    static const char *const none[] = {"\"wires\": []", "\"L\": [[0, 0]]"};
    for (int k = 0; k < MS_COUNT(none); k++) {
        support_near(output_at_end("", none[k], 0.0), expected(0.25), 1e-9);
        support_near(output_at_end(", \"set\": {\"u\": 2}", none[k], 0.0), expected(2.0), 1e-9);
        support_near(output_at_end(", \"set\": {\"u\": \"2*a\"}", none[k], 0.0), expected(0.0), 1e-9);
        support_near(output_at_end(", \"set\": {\"u\": \"2*a\"}", none[k], 1.5), expected(3.0), 1e-9);
    }
}

static void refused(const char *name, const char *set, const char *words)
{
    char text[1024], path[512];
    ms_model *model;
    ms_error error = {""};
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"%s\", \"fmu\": \"%s\", \"kind\": \"co-simulation\"%s}], "
             "\"wires\": []}",
             name, fmu, set);
    support_temporary_file(text, path, sizeof path);
    assert_int_equal(ms_model_read(path, &model, &error), MS_INVALID);
    support_says(error.text, words);
    remove(path);
}

static void no_name_is_taken(void **state)
{
    char text[1024];
    (void)state;
    snprintf(
        text, sizeof text,
        "{\"subsystems\": [{\"name\": \"constant\", \"fmu\": \"%s\", \"kind\": \"co-simulation\"}], \"wires\": []}",
        fmu);
    ms_model *model = support_model_read(text);
    ms_model_destroy(&model);
}

static void a_variable_that_it_has_not_is_named_with_the_nearest(void **state)
{
    (void)state;
    refused("s", ", \"set\": {\"uu\": 2}", "has no variable uu; the nearest is u");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_keep_their_start_values),
        cmocka_unit_test(no_name_is_taken),
        cmocka_unit_test(a_variable_that_it_has_not_is_named_with_the_nearest),
    };
    support_flawed_fmu(&(support_flawed){.fmi = 2}, fmu, sizeof fmu);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(fmu);
    return failed;
}
