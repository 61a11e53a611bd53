/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of FMUs: where they have one fixed length, a macro-step has several of them, and what a run of several such FMUs is to take is
 * found and said; and where they go on after their call. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_co_simulation.h"
#include "fmu_probe.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

/* One that takes no step but of that length, which is declared in fewer digits, or any. */
static void make(const char *length, const char *declared, const char *name)
{
    char path[256], define[100], experiment[200];
    snprintf(define, sizeof define, "-DGRID=%s", length);
    snprintf(experiment, sizeof experiment, "<DefaultExperiment stepSize=\"%s\"/><ModelVariables>", declared);
    support_decay_fmu(&(support_decay){.fmi = 2,
                                       .source = "tests/support/fmu/stepping_fmu.c",
                                       .define = define,
                                       .flags = strcmp(length, "0.0") == 0
                                                    ? "canHandleVariableCommunicationStepSize=\"true\" "
                                                    : "canHandleVariableCommunicationStepSize=\"false\" ",
                                       .edit = {"<ModelVariables>", experiment}},
                      path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("%s.fmu", name));
}

static int set_up(void **state)
{
    support_folder_create(state);
    make("0.0", "0.1", "free");
    make("1.0/60.0", "0.0166666666666667", "sixtieth");
    make("1.0/60.0", "0.0166666667", "rounded");
    make("0.1", "0.1", "tenth");
    make("0.02", "0.02", "fiftieth");
    make("0.03", "0.03", "other");
    return 0;
}

/* x' = -x + u, each of which reads the other. */
static ms_model *read_pair(const char *first, const char *second)
{
    char text[1000], name[400];
    ms_model *model;
    ms_error error = {""};
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"%s.fmu\", \"kind\": \"co-simulation\"},"
             "{\"name\": \"b\", \"fmu\": \"%s.fmu\", \"kind\": \"co-simulation\", \"set\": {\"x\": 3}}],"
             "\"wires\": [{\"from\": \"a.y\", \"to\": \"b.u\"}, {\"from\": \"b.y\", \"to\": \"a.u\"}], "
             "\"end\": 0.6}",
             first, second);
    snprintf(name, sizeof name, "%s", support_folder_write("pair.json", text));
    if (ms_model_read(name, &model, &error) != MS_OK)
        fail_msg("%s", error.text);
    return model;
}

static void steps_of_one_length_are_repeated(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"tenth", "fiftieth"}, {"fiftieth", "tenth"}, {"tenth", "free"}, {"sixtieth", "tenth"}};
    static const char *const options[] = {"", "scheme=gauss-seidel", "scheme=nepce", "step-size=0.2",
                                          "step-size=0.3"};
    ms_model *free_pair = read_pair("free", "free");
    ms_system *free_system = support_system_of(free_pair);
    for (int k = 0; k < MS_COUNT(pairs) * MS_COUNT(options); k++) {
        const char *option = options[k % MS_COUNT(options)];
        const ms_options run = support_options(option),
                         free_run = support_options_of(
                             "%s %s", option, strstr(option, "step-size") != NULL ? "" : "step-size=0.1");
        ms_model *model = read_pair(pairs[k / MS_COUNT(options)][0], pairs[k / MS_COUNT(options)][1]);
        ms_system *system = support_system_of(model);
        double x[2], expected[2];
        support_near(model->step_size, 0.1, 1e-12);
        support_finish(system, &run, x, NULL);
        support_finish(free_system, &free_run, expected, NULL);
        support_near_all(2, x, expected, 1e-12);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
    ms_system_destroy(&free_system);
    ms_model_destroy(&free_pair);
}

/* 1/60 in 15 digits is no multiple of 1/60 to the last bit. */
static void lengths_are_those_of_a_file(void **state)
{
    (void)state;
    static const char *const options[] = {"", "step-size=0.016666666666666666",
                                          "step-size=0.0166666666666667", "step-size=0.05"};
    ms_model *model = read_pair("sixtieth", "sixtieth");
    ms_system *system = support_system_of(model);
    assert_true(model->step_size == 0.0166666666666667);
    for (int k = 0; k < MS_COUNT(options); k++) {
        const ms_options run = support_options(options[k]);
        support_finish(system, &run, NULL, NULL);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* 1/60 in nine digits is 36 steps of a run of 0.6 s, and of the whole run. */
static void a_length_in_nine_digits_is_the_one_that_fits_the_run(void **state)
{
    (void)state;
    ms_model *model = read_pair("rounded", "rounded");
    ms_system *system = support_system_of(model);
    const ms_options run = support_options("");
    support_near(model->step_size, 1.0 / 60.0, 1e-15);
    support_finish(system, &run, NULL, NULL);
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* What a refusal advises is taken. */
static void advice_is_right(void **state)
{
    (void)state;
    static const struct {
        const char *pair[2], *options, *common;
    } refused[] = {{{"sixtieth", "sixtieth"}, "step-size=0.01", "0.0166666666666667"},
                   {{"tenth", "fiftieth"}, "step-size=0.05", "0.1"},
                   {{"fiftieth", "other"}, "step-size=0.02", "0.06"},
                   {{"tenth", "tenth"}, "step-size=0.1 error-controlled=richardson", "0.1"}};
    for (int k = 0; k < MS_COUNT(refused); k++) {
        char line[600], part[100];
        ms_model *model = read_pair(refused[k].pair[0], refused[k].pair[1]);
        ms_system *system = support_system_of(model);
        const ms_options run = support_options(refused[k].options),
                         advised = support_options_of("step-size=%s", refused[k].common);
        assert_int_equal(support_refusal(system, &run, line, sizeof line), MS_UNSUPPORTED);
        snprintf(part, sizeof part, "set `step-size` %s without step control", refused[k].common);
        support_says(line, part);
        support_finish(system, &advised, NULL, NULL);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* Slopes of inputs in each of several steps: as one step of any length has them. */
static void slopes_go_on(void **state)
{
    (void)state;
    static const char *const options[] = {"extrapolation-order=1", "extrapolation-order=2"};
    for (int k = 0; k < MS_COUNT(options); k++) {
        const ms_options run = support_options_of("step-size=0.2 stop-time=2 %s", options[k]);
        double y[2][6];
        for (int variable = 0; variable < 2; variable++) {
            char path[256], text[1000];
            support_flawed_fmu(&(support_flawed){.fmi = 2, .fixed = !variable}, path, sizeof path);
            snprintf(
                text, sizeof text,
                "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"%s\", \"set\": {\"flaw\": 0}},"
                "{\"name\": \"s\", \"inputs\": [\"y\"], \"states\": {\"x\": {\"derivative\": \"y-2*x\", "
                "\"start\": 1}}, "
                "\"outputs\": {\"x\": \"x\"}}],"
                "\"wires\": [{\"from\": \"s.x\", \"to\": \"a.u\"}, {\"from\": \"a.y1\", \"to\": \"s.y\"}]}",
                path);
            ms_model *model = support_model_read(text);
            ms_system *system = support_system_of(model);
            assert_true(variable || model->step_size == 0.05);
            support_finish(system, &run, NULL, y[variable]);
            ms_system_destroy(&system);
            ms_model_destroy(&model);
            remove(path);
        }
        support_near_all(3, y[0], y[1], 1e-9);
    }
}

/* A step that goes on when its call has returned (fmi2Pending) is waited for. */
static void pending_steps_are_waited_for(void **state)
{
    (void)state;
    static const char *const names[] = {"free", "pending"};
    const ms_options run = support_options("step-size=0.1");
    double x[2][2];
    support_stepping_fmu("-DPENDING=3", "pending");
    for (int k = 0; k < 2; k++) {
        ms_model *model = read_pair(names[k], names[k]);
        ms_system *system = support_system_of(model);
        support_finish(system, &run, x[k], NULL);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
    assert_true(x[0][0] == x[1][0] && x[0][1] == x[1][1]);
}

/* The probe takes no step that they do not have. */
static void nothing_is_said_against_them(void **state)
{
    (void)state;
    static const char *const names[] = {"tenth", "fiftieth", "sixtieth", "free"};
    for (int k = 0; k < MS_COUNT(names); k++) {
        ms_fmu *fmu;
        ms_fmu_abilities probe;
        ms_error error = {""};
        assert_int_equal(
            ms_fmu_open(support_folder_path("%s.fmu", names[k]), MS_FMU_CO_SIMULATION, NULL, &fmu, &error),
            MS_OK);
        assert_int_equal(ms_fmu_probe_run(fmu, &(ms_fmu_setup){0}, MS_FMU_PROBE_STEPS, &probe, &error),
                         MS_OK);
        for (int j = 0; j < MS_FMU_TRAITS; j++)
            if (probe.why[j][0] != '\0' && j != MS_FMU_REEVALUATE)
                fail_msg("%s: %s: %s", names[k], ms_fmu_trait_name[j], probe.why[j]);
        assert_true(probe.deterministic && probe.can.rollback);
        ms_fmu_close(&fmu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_of_one_length_are_repeated),
                                       cmocka_unit_test(lengths_are_those_of_a_file),
                                       cmocka_unit_test(a_length_in_nine_digits_is_the_one_that_fits_the_run),
                                       cmocka_unit_test(advice_is_right),
                                       cmocka_unit_test(slopes_go_on),
                                       cmocka_unit_test(pending_steps_are_waited_for),
                                       cmocka_unit_test(nothing_is_said_against_them)};
    return cmocka_run_group_tests(tests, set_up, support_folder_remove);
}
