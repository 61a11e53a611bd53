/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fmu_answer.c - macrostep show FILE.fmu: what is said of an FMU, in JSON and as a table; files that are no FMU; and that nothing
 * stays in the folder for files for a while. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "command_answer.h"
#include "fmu_archive.h"
#include "folder.h"
#include "support.h"
#include "text_stream.h"
#include "unit_test.h"

/* An FMU of that description, NAME.fmu in the folder. */
static const char *make_fmu(const char *name, const char *file, const char *description)
{
    ms_error error = {{0}};
    char content[256];
    support_folder_new(content, sizeof content);
    support_shell("mkdir -p %s/binaries/linux64 && echo not looked at > %s/binaries/linux64/a.so", content,
                  content);
    char path[300];
    snprintf(path, sizeof path, "%s/%s", content, file);
    support_write_file(path, description);
    const char *fmu = support_folder_path("%s.fmu", name);
    if (ms_fmu_archive_write(content, fmu, &error) != MS_OK)
        fail_msg("%s", error.text);
    support_shell("rm -r %s", content);
    return fmu;
}

static const char oscillator[] =
    "<fmiModelDescription fmiVersion='2.0' modelName='oscillator' guid='g' generationTool='by hand'>\n"
    "<CoSimulation modelIdentifier='a' canGetAndSetFMUstate='true' maxOutputDerivativeOrder='1'/>\n"
    "<ModelExchange modelIdentifier='a' completedIntegratorStepNotNeeded='false'/>\n"
    "<UnitDefinitions><Unit name='m'/></UnitDefinitions>\n"
    "<DefaultExperiment stopTime='10' tolerance='1e-6'/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name='x' valueReference='1' initial='exact'><Real unit='m' "
    "start='1.5'/></ScalarVariable>\n"
    "<ScalarVariable name='der(x)' valueReference='2'><Real derivative='1'/></ScalarVariable>\n"
    "<ScalarVariable name='F' valueReference='3' causality='input' description='a force'><Real start='0' "
    "unit='N'/></ScalarVariable>\n"
    "<ScalarVariable name='y' valueReference='4' causality='output'><Real unit='m'/></ScalarVariable>\n"
    "<ScalarVariable name='k' valueReference='5' causality='parameter' variability='tunable'><Real "
    "start='20' min='0'/></ScalarVariable>\n"
    "<ScalarVariable name='on' valueReference='0' causality='parameter' variability='fixed'><Boolean "
    "start='true'/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Outputs><Unknown index='4' dependencies='1 3'/></Outputs><Derivatives><Unknown "
    "index='2'/></Derivatives>\n"
    "<InitialUnknowns><Unknown index='2'/><Unknown index='4'/></InitialUnknowns></ModelStructure>\n"
    "</fmiModelDescription>\n";

static json_t *at(const json_t *value, const char *list, size_t row, const char *key)
{
    json_t *found = json_object_get(json_array_get(json_object_get(value, list), row), key);
    if (found == NULL)
        fail_msg("there is no %s.%zu.%s", list, row, key);
    return found;
}

static void an_fmu_is_shown(void **state)
{
    (void)state;
    json_t *shown = support_answer_of("show %s", make_fmu("oscillator", "modelDescription.xml", oscillator));
    assert_string_equal(json_string_value(json_object_get(shown, "name")), "oscillator");
    assert_string_equal(json_string_value(json_object_get(shown, "fmi")), "2.0");
    assert_string_equal(json_string_value(json_object_get(shown, "encoding")), "UTF-8");
    assert_string_equal(json_string_value(json_object_get(shown, "tool")), "by hand");
    json_t *kinds = json_pack("[s, s]", "co-simulation", "model-exchange"),
           *binaries = json_pack("[s]", "linux64");
    json_t *flags = json_pack("{s:b, s:i}", "canGetAndSetFMUstate", 1, "maxOutputDerivativeOrder", 1);
    assert_true(json_equal(json_object_get(shown, "kinds"), kinds));
    assert_true(json_equal(json_object_get(shown, "binaries"), binaries));
    assert_true(json_equal(json_object_get(shown, "flags"), flags));
    assert_true(json_is_null(json_object_get(json_object_get(shown, "default_experiment"), "step_size")));
    assert_true(json_number_value(
                    json_object_get(json_object_get(shown, "default_experiment"), "stop_time")) == 10.0);
    assert_string_equal(json_string_value(at(shown, "inputs", 0, "unit")), "N");
    assert_true(json_number_value(at(shown, "parameters", 0, "start")) == 20.0);
    assert_string_equal(json_string_value(at(shown, "parameters", 1, "start")), "true");
    json_t *on = json_pack("[s, s]", "x", "F");
    assert_true(json_equal(at(shown, "outputs", 0, "depends_on"), on));
    assert_string_equal(json_string_value(at(shown, "states", 0, "derivative")), "der(x)");
    assert_true(json_is_null(at(shown, "states", 0, "depends_on")));
    assert_int_equal(json_array_size(json_object_get(shown, "locals")), 2);
    assert_int_equal(json_integer_value(json_object_get(shown, "errors")), 1);
    assert_string_equal(json_string_value(at(shown, "findings", 0, "what")), "unit N of F is not defined");
    assert_int_equal(json_integer_value(at(shown, "findings", 0, "line")), 9);
    json_decref(kinds);
    json_decref(binaries);
    json_decref(flags);
    json_decref(on);
    json_decref(shown);
}

/* What the command prints, with its exit status. */
static int say(const char *arguments, char *text, size_t size)
{
    char command[1024];
    const char *binary = getenv("MACROSTEP");
    snprintf(command, sizeof command, "'%s' %s 2>&1", binary != NULL ? binary : "build/macrostep", arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(text, 1, size - 1, pipe);
    text[length] = '\0';
    return WEXITSTATUS(pclose(pipe));
}

static void the_table_says_what_depends_on_what(void **state)
{
    (void)state;
    char call[600], text[8192];
    snprintf(call, sizeof call, "show --system %s", support_folder_path("oscillator.fmu"));
    assert_int_equal(say(call, text, sizeof text), 0);
    assert_non_null(strstr(text, "x, F\n"));
    assert_non_null(strstr(text, "all\n"));
    assert_non_null(strstr(text, "error     unit N of F is not defined"));
}

static void what_is_no_fmu_is_refused_in_one_line(void **state)
{
    (void)state;
    make_fmu("nothing", "other.xml", "<a/>");
    make_fmu("old", "modelDescription.xml", "<fmiModelDescription fmiVersion='1.0'/>");
    static const struct {
        const char *name, *more, *what;
    } bad[] = {
        {"nothing.fmu", "", "nothing.fmu: there is no modelDescription.xml in it"},
        {"old.fmu", "", "FMI 1.0 is not supported"},
        {"oscillator.fmu", "--set k=1", "--set and --case apply only to models"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char call[600], text[2048];
        snprintf(call, sizeof call, "show %s %s", support_folder_path("%s", bad[k].name), bad[k].more);
        assert_int_equal(say(call, text, sizeof text), 2);
        if (strstr(text, bad[k].what) == NULL || strchr(text, '\n') != text + strlen(text) - 1)
            fail_msg("%s", text);
    }
}

/* A million of them: in time that grows as their number does, else in many minutes. */
static void a_million_dependencies_are_shown(void **state)
{
    (void)state;
    enum { INPUTS = 1000, TIMES = 1000 };
    ms_text_stream stream;
    char call[600];
    FILE *file = ms_text_open(&stream);
    assert_non_null(file);
    fputs("<fmiModelDescription fmiVersion='2.0' modelName='m' guid='g'><CoSimulation "
          "modelIdentifier='m'/><ModelVariables>",
          file);
    for (int k = 0; k < INPUTS; k++)
        fprintf(file,
                "<ScalarVariable name='u%d' valueReference='%d' causality='input'><Real "
                "start='0'/></ScalarVariable>",
                k, k);
    fprintf(file,
            "<ScalarVariable name='y' valueReference='%d' "
            "causality='output'><Real/></ScalarVariable></ModelVariables>"
            "<ModelStructure><Outputs><Unknown index='%d' dependencies='",
            INPUTS, INPUTS + 1);
    for (int k = 0; k < INPUTS * TIMES; k++)
        fprintf(file, "%d ", 1 + k % INPUTS);
    fputs("'/></Outputs></ModelStructure></fmiModelDescription>", file);
    char *text = ms_text_close(&stream);
    assert_non_null(text);
    snprintf(call, sizeof call, "show %s | grep -c 'u999, u0, u1, u2'",
             make_fmu("million", "modelDescription.xml", text));
    free(text);
    char said[100];
    assert_int_equal(say(call, said, sizeof said), 0);
    assert_string_equal(said, "1\n");
    assert_int_equal(unlink(support_folder_path("million.fmu")), 0);
}

static void nothing_stays_behind(void **state)
{
    static const char *const names[] = {"nothing.fmu", "old.fmu", "oscillator.fmu"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_int_equal(unlink(support_folder_path("%s", names[k])), 0);
    support_folder_goes_empty(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_fmu_is_shown),
        cmocka_unit_test(the_table_says_what_depends_on_what),
        cmocka_unit_test(what_is_no_fmu_is_refused_in_one_line),
        cmocka_unit_test(a_million_dependencies_are_shown),
        cmocka_unit_test(nothing_stays_behind),
    };
    return cmocka_run_group_tests(tests, support_folder_create, NULL);
}
