/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_read_strangers.c - what other tools' FMUs do and those of this project do not: it is as the standards have it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <macrostep/linearisation_jacobian.h>
#include "command_answer.h"
#include "folder.h"
#include "made_fmu.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

/* A system of that FMU, the file of which is gone then. */
static ms_model *read_fmu(const support_decay *decay, const char *kind)
{
    char path[256], text[1000];
    support_decay_fmu(decay, path, sizeof path);
    snprintf(text, sizeof text,
             "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"%s\"}], \"wires\": []}",
             path, kind);
    ms_model *model = support_model_read(text);
    remove(path);
    return model;
}

/* Variables of 2.0 share a value reference with those that they are another name of, and with ones of other types. */
static void aliases_have_their_own_names(void **state)
{
    (void)state;
    static const char *const kinds[] = {"co-simulation", "model-exchange"};
    const support_decay decay = {
        .fmi = 2,
        .edit = {
            "name=\"y\" valueReference=\"3\"", "name=\"y\" valueReference=\"0\"",
            ("name=\"n\" valueReference=\"5\" causality=\"parameter\" variability=\"fixed\"><Integer "
             "start=\"0\"/>"),
            "name=\"n\" valueReference=\"0\" causality=\"output\"><Integer/>",
            "<Outputs><Unknown index=\"4\"/>",
            "<Outputs><Unknown index=\"6\" dependencies=\"3\"/><Unknown index=\"4\" dependencies=\"1\"/>"}};
    for (int k = 0; k < MS_COUNT(kinds); k++) {
        ms_model *model = read_fmu(&decay, kinds[k]);
        ms_system *system = support_system_of(model);
        const ms_subsystem *sub = &system->sub[0];
        assert_int_equal(sub->ny, 2);
        assert_string_equal(sub->y[0].name, "n");
        assert_string_equal(sub->y[1].name, "y");
        assert_string_equal(sub->u[0].name, "u");
        assert_string_equal(sub->x[0].name, "x");
        assert_true(sub->feed_through[0]);
        assert_false(sub->feed_through[1]);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* The equations are asked where no solver has said another one. */
static void equations_are_told_the_tolerance(void **state)
{
    (void)state;
    for (int fmi = 2; fmi <= 3; fmi++) {
        const support_decay decay = {
            .fmi = fmi,
            .define = "-DTOLERANCE=1e-5",
            .edit = {"<ModelVariables>", "<DefaultExperiment tolerance=\"1e-5\"/><ModelVariables>"}};
        ms_model *model = read_fmu(&decay, "model-exchange");
        ms_model_destroy(&model);
    }
}

/* Some list an output there; co-simulation needs no states. */
static void derivatives_of_nothing_are_none(void **state)
{
    (void)state;
    static const support_decay decays[] = {
        {.fmi = 2,
         .edit = {"<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" />", "",
                  "<Real derivative=\"1\"/>", "<Real/>"}},
        {.fmi = 3,
         .edit = {"<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUState=\"true\" />", "",
                  "causality=\"local\" derivative=\"0\"", "causality=\"local\""}}};
    for (int k = 0; k < MS_COUNT(decays); k++) {
        ms_model *model = read_fmu(&decays[k], "co-simulation");
        ms_system *system = support_system_of(model);
        assert_int_equal(system->sub[0].ny, 1);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* A system structure of that FMU, with these settings. */
static int read_structure(const char *fmu, const char *settings, ms_model **model, ms_error *error)
{
    char path[512], text[3000], named[520];
    const char *name = strrchr(fmu, '/') + 1;
    snprintf(text, sizeof text,
             SUPPORT_HEAD
             "<ssd:System name='s'><ssd:Elements><ssd:Component name='fmu' source='%s'>"
             "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet "
             "version='1.0' name='p'><ssv:Parameters>%s</ssv:Parameters></ssv:ParameterSet>"
             "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings></ssd:Component>"
             "</ssd:Elements></ssd:System>" SUPPORT_TAIL,
             name, settings);
    support_temporary_file(text, path, sizeof path);
    snprintf(named, sizeof named, "%s.ssd", path);
    assert_int_equal(rename(path, named), 0);
    const int status = ms_model_read(named, model, error);
    remove(named);
    return status;
}

/* Items of enumerations by their names, and parameters that the FMU does not have. */
static void settings_are_as_ssp_has_them(void **state)
{
    (void)state;
    static const struct {
        const char *item;
        int status;
    } ways[] = {{"fast", MS_OK}, {"faster", MS_INVALID}};
    for (int k = 0; k < 2 * MS_COUNT(ways); k++) {
        const support_decay decay = {.fmi = 2 + k / MS_COUNT(ways)};
        char path[256], settings[300];
        ms_model *model = NULL;
        ms_error error = {""};
        snprintf(settings, sizeof settings,
                 "<ssv:Parameter name='way'><ssv:Enumeration value='%s'/></ssv:Parameter>"
                 "<ssv:Parameter name='of.another'><ssv:Real value='2'/></ssv:Parameter>",
                 ways[k % MS_COUNT(ways)].item);
        support_decay_fmu(&decay, path, sizeof path);
        const int status = read_structure(path, settings, &model, &error);
        if (status != ways[k % MS_COUNT(ways)].status)
            fail_msg("%s", error.text);
        ms_model_destroy(&model);
        remove(path);
    }
}

/* Texts are no expressions there, and whole numbers are not rounded. */
static void settings_have_the_type_of_the_variable(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"k'><ssv:String value='pi", "k: 'pi' is not a value of type Float64"},
        {"n'><ssv:Integer value='1.5", "n: '1.5' is not a value of type Int"},
        {"n'><ssv:Integer value='9007199254740993", "n: '9007199254740993' is not a value of type Int"},
        {"n'><ssv:Integer value='1e30", "n: '1e30' is not a value of type Int"}};
    for (int fmi = 2; fmi <= 3; fmi++) {
        char path[256], settings[300];
        support_decay_fmu(&(support_decay){.fmi = fmi}, path, sizeof path);
        for (int k = 0; k < MS_COUNT(bad); k++) {
            ms_model *model = NULL;
            ms_error error = {""};
            snprintf(settings, sizeof settings, "<ssv:Parameter name='%s'/></ssv:Parameter>", bad[k][0]);
            assert_int_equal(read_structure(path, settings, &model, &error), MS_INVALID);
            support_says(error.text, bad[k][1]);
        }
        remove(path);
    }
}

/* Model exchange without functions that keep its state. */
#define TICKING(definition)                                                                                  \
    {                                                                                                        \
        .fmi = 2, .source = "tests/support/fmu/ticking_fmu.c", .define = definition, .edit = {               \
            "canGetAndSetFMUstate=\"true\"",                                                                 \
            ""                                                                                               \
        }                                                                                                    \
    }

/* x_(n+1) = exp(-1/4) x_n + 1, with what the definition of its binary is; run after run, each of which begins anew. */
static void events_need_no_state_that_is_kept(void **state)
{
    (void)state;
    static const char *const options[] = {
        "stop-time=2 step-size=0.5 solver=cvode-bdf solver-rtol=1e-10 solver-atol=1e-12",
        "stop-time=2 step-size=0.25 solver=rk4 micro-steps=100", "stop-time=2 step-size=0.125 scheme=jacobi"};
    static const support_decay ticking = TICKING("");
    const double q = exp(-0.25);
    ms_model *model = read_fmu(&ticking, "model-exchange");
    ms_system *system = support_system_of(model);
    for (int k = 0; k < MS_COUNT(options); k++) {
        const ms_options run = support_options(options[k]);
        double y[3], expected = 1.0;
        for (int n = 0; n < 8; n++)
            expected = q * expected + 1.0;
        support_finish(system, &run, NULL, y);
        support_near(y[0], expected, 1e-6);
    }
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* One of two runs at its event n: x' before it, then the event. */
static void tick(const ms_subsystem *sub, int n, double *x, double *z)
{
    const double u = 0.0;
    double dx, before = *x, at[2] = {z[0], z[1]};
    const ms_point point = {.t = 0.25 * n, .x = &before, .u = &u, .z = at, .data = sub->data};
    const ms_event event = {.time = true, .x = x, .z = z};
    assert_int_equal(sub->f(&point, &dx), MS_OK);
    assert_true(dx == -before);
    assert_true(sub->next_time(0.0, at, NULL, sub->data) == 0.25 * n);
    assert_int_equal(sub->handle(&point, &event), MS_OK);
    assert_true(*x == before + 1.0);
}

/* A run and its reference take turns; what has been left by an event cannot be gone back to, and it is said so. */
static void runs_take_turns(void **state)
{
    (void)state;
    static const support_decay ticking = TICKING("");
    ms_model *model = read_fmu(&ticking, "model-exchange");
    ms_system *system = support_system_of(model);
    const ms_subsystem *sub = &system->sub[0];
    const double u = 0.0;
    double x[2] = {1.0, 2.0}, z[2][2], left[2], dx;
    assert_int_equal(sub->nz, 2);
    memcpy(z[0], sub->z0, sizeof z[0]);
    memcpy(z[1], sub->z0, sizeof z[1]);
    for (int n = 1; n <= 3; n++) {
        memcpy(left, z[0], sizeof left);
        for (int k = 0; k < 2; k++)
            tick(sub, n, &x[k], z[k]);
    }
    assert_string_equal(sub->said(sub->data), "");
    const ms_point point = {.t = 0.6, .x = x, .u = &u, .z = left, .data = sub->data};
    assert_int_not_equal(sub->f(&point, &dx), MS_OK);
    assert_non_null(strstr(sub->said(sub->data), "cannot go back to a time before an event"));
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* What an FMU asks for in a completed step, or in an event, is named, and nothing is called after it but the end. */
static void the_end_is_asked_for(void **state)
{
    (void)state;
    static const support_decay ticking[] = {TICKING("-DENDS=0.75"), TICKING("-DENDS=0.75 -DAT_EVENT=1")};
    const ms_options run = support_options("stop-time=2 step-size=0.125");
    for (int k = 0; k < MS_COUNT(ticking); k++) {
        ms_model *model = read_fmu(&ticking[k], "model-exchange");
        ms_system *system = support_system_of(model);
        const ms_run_result result = support_run(system, &run, NULL, NULL);
        assert_int_equal(result.reason, MS_REASON_TERMINATED);
        assert_true(0.6 < result.end_time && result.end_time < 0.9);
        assert_non_null(strstr(result.message, "asks for the end of the simulation"));
        ms_system_destroy(&system);
        ms_model_destroy(&model);
    }
}

/* Flags that are missing ask for step_event(); where nothing else is known of events, equations are taken as they are. */
static void smooth_ones_are_linearised(void **state)
{
    (void)state;
    static const support_decay smooth = {.fmi = 2}, ticking = TICKING("");
    ms_model *models[] = {read_fmu(&smooth, "model-exchange"), read_fmu(&ticking, "model-exchange")};
    static const int expected[] = {MS_OK, MS_UNSUPPORTED};
    for (int k = 0; k < 2; k++) {
        ms_system *system = support_system_of(models[k]);
        ms_error error = {""};
        assert_int_equal(ms_linearisation_supported(system, &error), expected[k]);
        ms_system_destroy(&system);
        ms_model_destroy(&models[k]);
    }
}

/* x' = u - x by Euler's method: a discrete input is set at communication points, and for model exchange in event mode. */
static void discrete_inputs_are_wired(void **state)
{
    (void)state;
    const ms_options run = support_options("stop-time=1 step-size=0.5");
    for (int fmi = 2; fmi <= 3; fmi++) {
        const support_decay decay = {
            .fmi = fmi, .edit = {"causality=\"input\"", "causality=\"input\" variability=\"discrete\""}};
        char path[256], text[1000];
        double y[2];
        support_decay_fmu(&decay, path, sizeof path);
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"fmu\", \"fmu\": \"%s\", \"kind\": \"co-simulation\"}, "
                 "{\"name\": \"source\", \"inputs\": [], \"outputs\": {\"y\": \"2\"}}], "
                 "\"wires\": [{\"from\": \"source.y\", \"to\": \"fmu.u\"}]}",
                 path);
        ms_model *model = support_model_read(text);
        ms_system *system = support_system_of(model);
        assert_string_equal(system->sub[0].u[0].name, "u");
        support_finish(system, &run, NULL, y);
        assert_true(y[0] == 1.75);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
        char *kind = strstr(text, "co-simulation"), exchange[1000];
        snprintf(exchange, sizeof exchange, "%.*smodel-exchange%s", (int)(kind - text), text,
                 kind + strlen("co-simulation"));
        model = support_model_read(exchange);
        system = support_system_of(model);
        support_finish(system, &run, NULL, y);
        assert_true(fabs(y[0] - (2.0 - exp(-1.0))) < 1e-6);
        ms_system_destroy(&system);
        ms_model_destroy(&model);
        remove(path);
    }
}

/* Without canHandleVariableCommunicationStepSize steps are all of one length, and unless that is declared of any. */
static void steps_of_one_length_are_of_any(void **state)
{
    (void)state;
    const support_decay decay = {.fmi = 2};
    ms_model *model = read_fmu(&decay, "co-simulation");
    ms_system *system = support_system_of(model);
    const ms_options half = support_options("stop-time=1 step-size=0.5"),
                     quarter = support_options("stop-time=1 step-size=0.25"),
                     part = support_options("stop-time=1 step-size=0.4"),
                     controlled = support_options("stop-time=1 step-size=0.25 error-controlled=richardson");
    char line[500];
    double y[1];
    support_finish(system, &half, NULL, y);
    assert_true(y[0] == 0.25);
    support_finish(system, &quarter, NULL, y);
    assert_true(y[0] == 0.31640625); /* (3/4)^4 */
    assert_int_equal(support_refusal(system, &part, line, sizeof line), MS_UNSUPPORTED);
    assert_non_null(strstr(line, "subsystem fmu takes steps of one length only"));
    assert_int_equal(support_refusal(system, &controlled, line, sizeof line), MS_UNSUPPORTED);
    assert_non_null(strstr(line, "subsystem fmu takes steps of one length only"));
    ms_system_destroy(&system);
    ms_model_destroy(&model);
}

/* 0.1 n is not the sum of n steps of 0.1, nor is what a scheme goes back to: one that compares points to the bit is told sums. */
static void points_are_sums_for_the_strict(void **state)
{
    (void)state;
    static const char *const runs[] = {"stop-time=3 step-size=0.1",
                                       "stop-time=3 step-size=0.1 scheme=zoh-iterative step-rule=fixed"};
    for (int k = 0; k < 4; k++) {
        const support_decay decay = {.fmi = 2 + k % 2, .define = "-DSTRICT"}, loose = {.fmi = 2 + k % 2};
        double y[2];
        for (int n = 0; n < 2; n++) {
            ms_model *model = read_fmu(n == 0 ? &decay : &loose, "co-simulation");
            ms_system *system = support_system_of(model);
            const ms_options options = support_options(runs[k / 2]);
            support_finish(system, &options, NULL, &y[n]);
            ms_system_destroy(&system);
            ms_model_destroy(&model);
        }
        assert_true(y[0] == y[1]); /* no time is in its equations */
    }
}

/* An output that is not a number is data where no wire carries it, and ends the run where one does. */
static void undefined_outputs_hurt_who_reads_them(void **state)
{
    (void)state;
    static const struct {
        const char *output, *reason;
    } wired[] = {{"y", "end-time"}, {"z", "no-solution"}};
    char path[256], file[300], text[1200];
    static const char another[] =
        "<ScalarVariable name=\"z\" valueReference=\"9\" causality=\"output\"><Real/>"
        "</ScalarVariable></ModelVariables>";
    support_decay_fmu(
        &(support_decay){.fmi = 2,
                         .source = "tests/support/fmu/stepping_fmu.c",
                         .edit = {"<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\" />",
                                  "", "</ModelVariables>", another, "<Unknown index=\"4\"/></Outputs>",
                                  "<Unknown index=\"4\"/><Unknown index=\"10\"/></Outputs>"}},
        path, sizeof path);
    for (int k = 0; k < MS_COUNT(wired); k++) {
        snprintf(text, sizeof text,
                 "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"%s\"}, {\"name\": \"b\", \"fmu\": \"%s\"}], "
                 "\"wires\": [{\"from\": \"a.%s\", \"to\": \"b.u\"}], \"stop_time\": 1}",
                 path, path, wired[k].output);
        snprintf(file, sizeof file, "%s", support_folder_write("undefined.json", text));
        json_t *answer = support_answer_of("run %s --errors none --trajectory %s", file,
                                           support_folder_path("undefined.csv"));
        assert_string_equal(json_string_value(json_object_get(answer, "reason")), wired[k].reason);
        if (k == 1)
            support_says(json_string_value(json_object_get(answer, "message")),
                         "its output z is not a number");
        json_decref(answer);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(aliases_have_their_own_names),
                                       cmocka_unit_test(derivatives_of_nothing_are_none),
                                       cmocka_unit_test(equations_are_told_the_tolerance),
                                       cmocka_unit_test(settings_are_as_ssp_has_them),
                                       cmocka_unit_test(settings_have_the_type_of_the_variable),
                                       cmocka_unit_test(events_need_no_state_that_is_kept),
                                       cmocka_unit_test(runs_take_turns),
                                       cmocka_unit_test(the_end_is_asked_for),
                                       cmocka_unit_test(smooth_ones_are_linearised),
                                       cmocka_unit_test(discrete_inputs_are_wired),
                                       cmocka_unit_test(steps_of_one_length_are_of_any),
                                       cmocka_unit_test(points_are_sums_for_the_strict),
                                       cmocka_unit_test(undefined_outputs_hurt_who_reads_them)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
