/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run that an FMU alone has: what its DefaultExperiment says, on the command line too, and what stands in for what it does not. */
#include <math.h>
#include <string.h>

#include "command_answer.h"
#include "folder.h"
#include "made_fmu.h"
#include "support.h"
#include "unit_test.h"

/* Its path. `flags`: of the steps that it takes; `experiment`: attributes, or NULL. */
static const char *make(const char *flags, const char *experiment)
{
    char path[256], element[300];
    snprintf(element, sizeof element, "<DefaultExperiment %s/><ModelVariables>",
             experiment != NULL ? experiment : "");
    support_decay_fmu(
        &(support_decay){.fmi = 2,
                         .source = "tests/support/fmu/stepping_fmu.c",
                         .flags = flags,
                         .edit = {"<ModelExchange modelIdentifier=\"decay\" canGetAndSetFMUstate=\"true\"",
                                  "<!-- ", "<CoSimulation", "--><CoSimulation", "<ModelVariables>",
                                  experiment != NULL ? element : "<ModelVariables>"}},
        path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("one.fmu"));
    return support_folder_path("one.fmu");
}

static const char *const any = "canHandleVariableCommunicationStepSize=\"true\" ", *const fixed = "";

static void it_is_as_declared_or_stands_in(void **state)
{
    (void)state;
    static const struct {
        const char *experiment;
        bool variable;
        double length, step_size;
        const char *start_time, *rtol; /* NULL: nothing is said */
    } runs[] = {{"startTime='1' stopTime='3' stepSize='0.5' tolerance='1e-3'", true, 2.0, 0.5, "1", "0.001"},
                {"stopTime='3'", true, 3.0, 0.003, NULL, NULL},
                {"startTime='-1' stepSize='0.1'", true, 10.0, 0.1, "-1", NULL},
                {NULL, true, 10.0, 0.01, NULL, NULL},
                {"startTime='2' stopTime='1' stepSize='-1' tolerance='0'", true, 10.0, 0.01, "2", NULL},
                {"stopTime='1' stepSize='5' tolerance='2'", true, 1.0, 0.001, NULL, NULL},
                {"stopTime='1' stepSize='0.25'", false, 1.0, 0.25, NULL, NULL},
                {"startTime='0' stopTime='1'", false, 1.0, 0.001, NULL, NULL},
                {"stopTime='1' stepSize='0.3'", false, 0.9, 0.3, NULL, NULL},
                {"stopTime='1' stepSize='1e9'", false, 1e9, 1e9, NULL, NULL},
                {"stopTime='1' stepSize='INF'", false, 1.0, 0.001, NULL, NULL}};
    for (int k = 0; k < MS_COUNT(runs); k++) {
        ms_model *model;
        ms_error error = {""};
        const char *said[2] = {NULL, NULL};
        if (ms_model_read(make(runs[k].variable ? any : fixed, runs[k].experiment), &model, &error) != MS_OK)
            fail_msg("%s", error.text);
        support_near(model->stop_time, runs[k].length, 1e-12);
        support_near(model->step_size, runs[k].step_size, 1e-12);
        for (int j = 0; j < model->n_defaults; j++)
            said[strcmp(model->defaults[j].option, "solver-rtol") == 0] = model->defaults[j].value;
        for (int j = 0; j < 2; j++) {
            const char *expected = j == 0 ? runs[k].start_time : runs[k].rtol;
            assert_true((said[j] == NULL) == (expected == NULL));
            if (expected != NULL)
                assert_string_equal(said[j], expected);
        }
        ms_model_destroy(&model);
    }
}

static void the_command_takes_it(void **state)
{
    (void)state;
    const char *path = make(any, "startTime='1' stopTime='3' stepSize='0.5' tolerance='1e-3'");
    json_t *run = support_answer_of("run %s --errors none", path),
           *shown = support_answer_of("show %s", path),
           *other =
               support_answer_of("run %s --errors none --start-time 0 --stop-time 1 --step-size 0.1", path);
    support_near(json_number_value(json_object_get(run, "end_time")), 3.0, 1e-12);
    assert_int_equal(json_integer_value(json_object_get(run, "macro_steps")), 4);
    assert_int_equal(json_integer_value(json_object_get(other, "macro_steps")), 10);
    const json_t *of = json_object_get(shown, "run");
    support_near(json_number_value(json_object_get(of, "stop_time")), 3.0, 0.0);
    support_near(json_number_value(json_object_get(of, "solver_rtol")), 1e-3, 0.0);
    assert_string_equal(json_string_value(json_object_get(of, "step_size_from")), "DefaultExperiment");
    json_decref(run);
    json_decref(shown);
    json_decref(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_as_declared_or_stands_in),
                                       cmocka_unit_test(the_command_takes_it)};
    return cmocka_run_group_tests(tests, support_folder_create, support_folder_remove);
}
