/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural parameters of FMUs, which "set" gives values to: sizes of arrays follow. */
#include <stdlib.h>
#include <string.h>

#include "command_answer.h"
#include "fmu_archive.h"
#include "folder.h"
#include "signals_fmu.h"
#include "ssp_texts.h"
#include "support.h"
#include "unit_test.h"

static const char description[] =
    "<fmiModelDescription fmiVersion='3.0' modelName='sized' instantiationToken='s'>"
    "<CoSimulation modelIdentifier='sized' canHandleVariableCommunicationStepSize='true'/><ModelVariables>"
    "<UInt64 name='n' valueReference='1' causality='structuralParameter' variability='fixed' start='2' max='100'/>"
    "<Float64 name='u' valueReference='2' causality='input' start='1 2'><Dimension valueReference='1'/></Float64>"
    "<Float64 name='k' valueReference='3' causality='parameter' variability='fixed' start='1'>"
    "<Dimension valueReference='1'/></Float64>"
    "<Float64 name='y' valueReference='4' causality='output'><Dimension valueReference='1'/></Float64>"
    "<Int8 name='c' valueReference='5' causality='output'><Dimension valueReference='1'/></Int8>"
    "</ModelVariables><ModelStructure><Output valueReference='4' dependencies='2'/>"
    "<Output valueReference='5' dependencies=''/></ModelStructure></fmiModelDescription>";

static int set_up(void **state)
{
    char path[256];
    support_folder_create(state);
    support_signals_fmu(3, "", path, sizeof path);
    support_shell("mv %s %s", path, support_folder_path("signals3.fmu"));
    const char *folder = support_folder_path("sized");
    ms_error error = {""};
    support_shell("mkdir -p %s/binaries/x86_64-linux && cc -std=c11 -shared -fPIC -w "
                  "tests/support/fmu/sized_fmu.c -o %s/binaries/x86_64-linux/sized.so",
                  folder, folder);
    support_write_file(support_folder_path("sized/modelDescription.xml"), description);
    if (ms_fmu_archive_write(folder, support_folder_path("sized.fmu"), &error) != MS_OK)
        fail_msg("%s", error.text);
    support_shell("rm -r %s", folder);
    return 0;
}

static const char *with(const char *fmu, const char *set)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "{\"subsystems\": [{\"name\": \"a\", \"fmu\": \"%s.fmu\", \"kind\": \"co-simulation\", \"set\": {%s}},"
        "{\"name\": \"b\", \"fmu\": \"%s.fmu\", \"kind\": \"co-simulation\", \"set\": {%s}}],\n"
        "\"wires\": [%s], \"end\": 1, \"step_size\": 0.25}",
        fmu, set, fmu, set, strcmp(fmu, "sized") == 0 ? "{\"from\": \"a.y\", \"to\": \"b.u\"}" : "");
    return support_folder_write("pair.json", text);
}

/* Does the last row end so? */
static void ends_with(const char *set, const char *options, const char *columns, const char *row)
{
    char arguments[600];
    const char *csv = support_folder_path("o.csv");
    snprintf(arguments, sizeof arguments, "run %s --errors none --outputs consistent --trajectory %s%s",
             with("sized", set), csv, options);
    json_t *run = support_answer(arguments);
    assert_string_equal(json_string_value(json_object_get(run, "reason")), "end-time");
    json_decref(run);
    char *text = support_read_file(csv, NULL);
    support_says(text, columns);
    const size_t length = strlen(text), end = strlen(row);
    if (length <= end || strcmp(text + length - end, row) != 0)
        fail_msg("%s", text);
    free(text);
}

/* y = k u; c = i + n. Start values of the file are those of its sizes: with others inputs start at 0. */
static void sizes_follow(void **state)
{
    (void)state;
    static const char *const options[] = {"", " --isolate"};
    for (int k = 0; k < MS_COUNT(options); k++) {
        ends_with("\"k\": 3", options[k],
                  "time,a.u.u[1],a.u.u[2],b.u.u[1],b.u.u[2],a.y.y[1],a.y.y[2],a.y.c[1],a.y.c[2],b.y.y[1],",
                  ",3,6,3,4,9,18,3,4\n");
        ends_with("\"n\": 1, \"k\": 3, \"u[1]\": 5", options[k],
                  "time,a.u.u[1],b.u.u[1],a.y.y[1],a.y.c[1],b.y.y[1],b.y.c[1]\n", ",15,2,45,2\n");
        ends_with("\"u\": [1, 2, 3], \"k\": [1, 1, 2], \"n\": 3", options[k], "a.u.u[3],b.u.u[1]",
                  ",1,2,6,4,5,6,1,2,12,4,5,6\n");
        ends_with("\"n\": 3", options[k], "b.u.u[3]", ",0,0,0,4,5,6,0,0,0,4,5,6\n");
        ends_with("\"n\": 60", options[k], "a.y.c[60]", ",118,119,120\n");
    }
}

/* A parameter of a system structure. */
static void structures_set_them_too(void **state)
{
    (void)state;
    support_folder_write(
        "one.ssd", SUPPORT_HEAD
        "<ssd:System name='s'><ssd:Elements><ssd:Component name='a' source='sized.fmu'><ssd:Connectors>"
        "<ssd:Connector name='y' kind='output'><ssc:Float64/><ssc:Dimension sizeConnector='n'/></ssd:Connector>"
        "</ssd:Connectors><ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>"
        "<ssv:ParameterSet version='1.0' name='p'><ssv:Parameters><ssv:Parameter name='n'><ssv:Integer value='3'/>"
        "</ssv:Parameter></ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding>"
        "</ssd:ParameterBindings></ssd:Component></ssd:Elements></ssd:System>" SUPPORT_TAIL);
    json_t *shown = support_answer_of("show %s", support_folder_path("one.ssd"));
    const json_t *a = json_array_get(json_object_get(shown, "subsystems"), 0);
    assert_int_equal(json_integer_value(json_object_get(a, "outputs")), 6);
    json_decref(shown);
}

static void what_is_no_size_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *fmu, *set, *words;
    } wrong[] = {
        {"sized", "\"n\": 101",
         "structural parameter n cannot be 101: it is of type UInt64, within [-inf, 100]"},
        {"sized", "\"n\": 1.5", "structural parameter n cannot be 1.5"},
        {"sized", "\"n\": -1", "structural parameter n cannot be -1"},
        {"sized", "\"n\": \"2*2\"",
         "set: n is a structural parameter, on which sizes depend: a whole number is expected"},
        {"sized", "\"n\": 3, \"u\": [1, 2]", "set: u is a list of 2, but it has 3 values"},
        {"sized", "\"n\": 1, \"u[2]\": 1", "has no variable u[2]"},
        {"signals3", "\"size\": 3", "its structural parameters cannot be set: it has no configuration mode"},
    };
    for (int k = 0; k < MS_COUNT(wrong); k++) {
        ms_model *model = NULL;
        ms_error error = {""};
        assert_int_equal(ms_model_read(with(wrong[k].fmu, wrong[k].set), &model, &error), MS_INVALID);
        support_says(error.text, wrong[k].words);
        assert_null(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_follow),
                                       cmocka_unit_test(structures_set_them_too),
                                       cmocka_unit_test(what_is_no_size_is_refused)};
    return cmocka_run_group_tests_name("fmu read sizes", tests, set_up, support_folder_remove);
}
